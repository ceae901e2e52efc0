//! Resampled hidden information: decks are shuffled, face-down cards are any that can lie there (TW-D-12, TW-D-13,
//! TW-D-14, CT-R-01).

use sengoku_kernel::conformance::{self, equally_likely, searching};
use sengoku_kernel::{Chance, Game, Purpose, Seat, Stream};
use sengoku_tower::State;
use sengoku_tower::data::{Card, SeatId, Space};
use sengoku_tower::state::Point;
use sengoku_view::View;
use serde_json::{Value, json};

const WORLDS: u64 = 20_000;

fn setups() -> [Value; 4] {
    [
        json!({}),
        json!({ "court": true }),
        json!({ "side": "moon", "tower_model": "ledger" }),
        json!({ "mode": "draft", "court": true, "favour_deck": "hidden", "reveal": "per_action" }),
    ]
}

#[test]
fn worlds_are_drawn_from_what_is_seen() {
    let mut differed = 0;
    for (seed, setup) in (0..).zip(setups()) {
        for seats in 3..=5 {
            differed += conformance::keep_to_what_is_seen(seats, seed, &setup, State::check, View::picture);
        }
    }
    assert!(differed > 1_000, "{differed} worlds were others");
}

#[test]
fn a_match_begins_where_another_stands() {
    for (seats, setup) in [3, 4, 5, 3].into_iter().zip(setups()) {
        conformance::keep_positions::<State>(seats, 5, &setup);
    }
}

/// The first state of a random match at which something holds.
fn first(setup: &Value, holds: impl Fn(&State) -> bool) -> State {
    let mut chance = Stream::new(4, Purpose::Game, 0);
    let mut choice = Stream::new(4, Purpose::Bots, 0);
    let mut state = State::create(3, setup, &mut chance).unwrap();
    let (mut legal, mut draw) = (Vec::new(), 0);
    while !holds(&state) {
        state.legal_actions(&mut legal);
        state.play_unchecked(legal[choice.below(draw, legal.len() as u32) as usize], &mut chance);
        draw += 1;
    }
    state
}

/// Counts what `look` finds in worlds of seat 0; all of it is equally likely.
fn count<T: Ord>(state: &State, cases: usize, look: impl Fn(&State) -> T) {
    let mut found = std::collections::BTreeMap::<T, u32>::new();
    for index in 0..WORLDS {
        *found.entry(look(&state.resample(Seat(0), &mut searching(7, index)))).or_default() += 1;
    }
    assert_eq!(found.len(), cases);
    equally_likely(&found.into_values().collect::<Vec<_>>());
}

#[test]
fn decks_are_uniform() {
    let planning = |state: &State| state.point == Point::Plan(0);
    let state = first(&json!({ "court": true }), planning);
    count(&state, 120, |world| world.action_order[5..].iter().map(|&space| space as u8).collect::<Vec<_>>());
    count(&state, 8, |world| world.event_deck[3]);
    let deck = state.court.deck.len();
    count(&state, deck - 1, |world| world.court.deck[1]); // the top is open (CT-R-01)
    let top = state.court.deck[0];
    assert!((0..50).all(|index| state.resample(Seat(1), &mut searching(9, index)).court.deck[0] == top));
    let hidden = first(&json!({ "court": true, "favour_deck": "hidden" }), planning);
    count(&hidden, hidden.court.deck.len(), |world| world.court.deck[0]);
    let drafting = first(&json!({ "mode": "draft" }), |_| true);
    count(&drafting, drafting.draft.deck.len(), |world| world.draft.deck[0].0);
}

#[test]
fn face_down_cards_are_uniform() {
    let state = first(&json!({}), |state| state.point == Point::Slot);
    let other = SeatId(1);
    let plan = state.players[other].plan;
    let down: Vec<Space> = (Space::ALL.into_iter())
        .filter(|&space| plan.card(space) != Card::Empty && !state.players[other].revealed.has(space))
        .collect();
    let shown = plan.covered() - down.len();
    let cases = state.card_count(other) - shown; // every card that is not turned up
    for &space in &down {
        count(&state, cases, |world| world.players[other].plan.card(space).code());
    }
    // Two spaces never have the same card, and every pair of cards is as likely as another.
    let [one, two] = [down[0], down[1]];
    count(&state, cases * (cases - 1), |world| {
        [one, two].map(|space| world.players[other].plan.card(space).code())
    });
}

#[test]
fn plans_under_way_are_entered_as_by_uniform_play() {
    // Seat 0 waits while seat 1 has entered its bid and its castle.
    let state = first(&json!({}), |state| state.point == Point::Plan(2) && state.decider == SeatId(1));
    let other = SeatId(1);
    let (chests, cards) = (state.players[other].chests, state.card_count(other));
    assert!(chests >= 4 && cards >= state.spaces(), "every card can be bid and no space stays empty");
    let look = |world: &State| {
        let plan = world.players[other].plan;
        (plan.card(Space::Bid).code(), plan.card(Space::Castle).code())
    };
    count(&state, cards * (cards - 1), look);
    let world = state.resample(Seat(0), &mut searching(1, 1));
    assert_eq!(world.players[other].plan.covered(), 2);
    assert_eq!(world.players[SeatId(0)], state.players[SeatId(0)]); // the own plan stays
    assert_eq!(world.players[SeatId(2)], state.players[SeatId(2)]); // nothing is entered yet
}

#[test]
fn cubes_lie_in_any_order() {
    let state = first(&json!({}), |state| state.point == Point::Slot);
    let contents = state.tower.contents::<6>();
    let cubes: u16 = contents.iter().sum();
    let mut lowest = [0_u32; 6];
    for index in 0..WORLDS {
        let tower = state.resample(Seat(2), &mut searching(7, index)).tower;
        assert_eq!(tower.contents::<6>(), contents);
        lowest[usize::from(tower.cubes().last().unwrap().0)] += 1;
    }
    for (count, held) in lowest.into_iter().zip(contents) {
        let expected = WORLDS as f64 * f64::from(held) / f64::from(cubes);
        assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{count}, {expected}");
    }
}
