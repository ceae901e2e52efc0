//! Resampled hidden information: hands and decks are uniform over the unseen cards (BT-COMP-06, BT-RAND-02).

use sengoku_battles::State;
use sengoku_battles::data::{CommandCard, DragonCard, Side};
use sengoku_kernel::conformance::{self, equally_likely, searching};
use sengoku_kernel::{Game, Purpose, Stream};
use sengoku_view::View;
use serde_json::json;

const WORLDS: u64 = 20_000;

#[test]
fn worlds_are_drawn_from_what_is_seen() {
    let setups = [1, 12, 25, 37].map(|number| json!({ "scenario": number }));
    let mut differed = 0;
    for (seed, setup) in (0..).zip(setups.iter().chain(&[json!({ "campaign": 18 })])) {
        differed += conformance::keep_to_what_is_seen(2, seed, setup, State::check, View::picture);
    }
    assert!(differed > 1_000, "{differed} worlds were others");
}

#[test]
fn a_match_begins_where_another_stands() {
    for setup in [json!({}), json!({ "scenario": 12, "max_rounds": 30 }), json!({ "campaign": 39 })] {
        conformance::keep_positions::<State>(2, 5, &setup);
    }
}

#[test]
fn hands_and_decks_are_uniform() {
    let state = State::create(2, &json!({ "scenario": 8 }), &mut Stream::new(3, Purpose::Game, 0)).unwrap();
    let (seat, other) = (Side::Bottom.seat(), Side::Top);
    // How often a kind is on top of the deck, or in the hand, for each copy of it that the seat does not see.
    let unseen = |kind: CommandCard| {
        let cards = state.command.deck.iter().chain(state.command.hands[other].iter());
        cards.filter(|&&card| card == kind).count() as u32
    };
    let dragons = |kind: DragonCard| {
        let cards = state.dragon.deck.iter().chain(state.dragon.hands[other].iter());
        cards.filter(|&&card| card == kind).count() as u32
    };
    let (mut top, mut held) = ([0_u32; CommandCard::COUNT], [0_u32; CommandCard::COUNT]);
    let mut dragon_top = [0_u32; DragonCard::COUNT];
    for index in 0..WORLDS {
        let world = state.resample(seat, &mut searching(3, index));
        top[world.command.deck[world.command.deck.len() - 1].index()] += 1;
        dragon_top[world.dragon.deck[world.dragon.deck.len() - 1].index()] += 1;
        for &card in world.command.hands[other].iter() {
            held[card.index()] += 1;
        }
    }
    // Kinds with the same number of unseen copies are equally likely; there are many with one.
    for copies in 1..=2 {
        let alike = |kind: &CommandCard| unseen(*kind) == copies;
        let kinds: Vec<CommandCard> = CommandCard::ALL.into_iter().filter(alike).collect();
        if kinds.len() > 1 {
            equally_likely(&kinds.iter().map(|kind| top[kind.index()]).collect::<Vec<_>>());
            equally_likely(&kinds.iter().map(|kind| held[kind.index()]).collect::<Vec<_>>());
        }
    }
    let kinds: Vec<DragonCard> = DragonCard::ALL.into_iter().filter(|&kind| dragons(kind) == 1).collect();
    equally_likely(&kinds.iter().map(|kind| dragon_top[kind.index()]).collect::<Vec<_>>());
    assert!(kinds.len() > 5 && top.iter().filter(|&&count| count > 0).count() > 5);
    // As often in the hand as its share of the unseen cards says.
    let cards = (state.command.deck.len() + state.command.hands[other].len()) as u32;
    assert_eq!(held.iter().sum::<u32>(), WORLDS as u32 * state.command.hands[other].len() as u32);
    let share = f64::from(state.command.hands[other].len() as u32) / f64::from(cards);
    for kind in CommandCard::ALL.into_iter().filter(|&kind| unseen(kind) == 1) {
        let found = f64::from(held[kind.index()]) / WORLDS as f64;
        assert!((found - share).abs() < 5.0 * (share / WORLDS as f64).sqrt(), "{kind:?}: {found}, {share}");
    }
}
