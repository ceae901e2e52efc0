//! Hidden information changes nothing that a seat sees: not its view, not its observation, not the seat to act
//! (TW-D-12, TW-D-13, TW-D-14, TW-R-41, CT-R-01).

use sengoku_kernel::cube_tower::{Colour, CubeTower};
use sengoku_kernel::{Game, Purpose, Seat, Stream, conformance};
use sengoku_tower::State;
use sengoku_tower::data::{Card, FavourDeck, Space};
use sengoku_tower::state::Point;
use sengoku_view::View;
use serde_json::json;

/// Shuffles with any source of numbers.
fn mix<T>(items: &mut [T], choice: &mut dyn FnMut(u32) -> u32) {
    for last in (1..items.len()).rev() {
        items.swap(last, choice(last as u32 + 1) as usize);
    }
}

/// The state with everything changed that a seat may not know, as far as there is something.
fn with_other_secrets(state: &State, seat: Seat, choice: &mut dyn FnMut(u32) -> u32) -> State {
    let mut other = *state;
    let planning = matches!(state.point, Point::Plan(_));
    for stranger in state.everyone().filter(|stranger| stranger.0 != seat.0) {
        let player = &mut other.players[stranger];
        // Cards that have not been turned up change places; while plans are entered, also with empty spaces.
        let hidden: Vec<Space> = Space::ALL
            .into_iter()
            .filter(|&space| planning || player.plan.card(space) != Card::Empty)
            .filter(|&space| !player.revealed.has(space))
            .collect();
        let mut cards: Vec<Card> = hidden.iter().map(|&space| player.plan.card(space)).collect();
        mix(&mut cards, choice);
        for (&space, card) in hidden.iter().zip(cards) {
            player.plan.0[space.index()] = card;
        }
    }
    let revealed = usize::from(state.action_revealed).min(state.action_order.len());
    mix(&mut other.action_order[revealed..], choice);
    mix(&mut other.draft.deck, choice);
    mix(&mut other.event_deck, choice);
    let known = usize::from(state.options.favour_deck == FavourDeck::OpenTop).min(state.court.deck.len());
    mix(&mut other.court.deck[known..], choice);
    let mut cubes: Vec<Colour> = state.tower.cubes().collect();
    mix(&mut cubes, choice);
    let (upper, lower) = cubes.split_at(cubes.len() / 2);
    other.tower = CubeTower::from_shelves(&[upper, lower]);
    other.draws += choice(1000);
    other.tower_draws += choice(1000);
    other
}

#[test]
fn anothers_secret_changes_nothing_that_is_seen() {
    let setups = [
        json!({ "court": true }),
        json!({ "side": "moon" }),
        json!({ "mode": "draft", "court": true, "favour_deck": "hidden", "reveal": "per_action" }),
    ];
    let tables = (3..=5).zip(setups);
    let differed: u32 = tables
        .map(|(seats, setup)| conformance::keep_secrets(seats, &setup, with_other_secrets, View::picture))
        .sum();
    assert!(differed > 1_000, "secrets differed {differed} times");
}

#[test]
fn planning_takes_the_same_questions_whatever_is_planned() {
    // TW-D-14: 11 or 14 questions for each seat in order, also when one choice is left; TW-PLAN-01
    for (court, spaces) in [(false, 11), (true, 14)] {
        let mut chance = Stream::new(9, Purpose::Game, 0);
        let mut state = State::create(3, &json!({ "court": court }), &mut chance).expect("a valid setup");
        let mut legal = Vec::new();
        for question in 0..3 * spaces {
            assert_eq!(state.to_act(), Some(Seat((question / spaces) as u8)));
            assert_eq!(state.point, Point::Plan((question % spaces) as u8));
            state.legal_actions(&mut legal);
            state.play_unchecked(legal[question % legal.len()], &mut chance);
        }
        assert_eq!(state.point, Point::Slot);
    }
}
