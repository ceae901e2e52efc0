//! The contract of all games, kept in random play with every number of players.

use std::ops::Range;

use sengoku_kernel::{Game, conformance};
use sengoku_swords::{Action, State};
use sengoku_view::View;
use serde_json::{Value, json};

#[test]
fn random_matches_keep_the_contract() {
    for seats in 2..=5 {
        for seed in 0..2 {
            conformance::keep_the_contract::<State>(seats, seed, &json!({ "max_rounds": 4 }));
        }
    }
}

fn keep_the_invariants(seats: usize, seeds: Range<u64>, max_rounds: u16) {
    for seed in seeds {
        let setup = json!({ "max_rounds": max_rounds, "long_game": seats > 2 && seed % 2 == 0 });
        conformance::keep_the_invariants(seats, seed, &setup, State::check);
    }
}

#[test]
fn random_matches_keep_the_invariants() {
    for seats in 2..=5 {
        keep_the_invariants(seats, 0..8, 25);
    }
}

#[test]
#[ignore = "takes minutes; make test-system"]
fn ten_thousand_random_matches_keep_the_invariants() {
    std::thread::scope(|scope| {
        for seats in 2..=5 {
            scope.spawn(move || keep_the_invariants(seats, 0..10_000, 100));
        }
    });
}

/// The name and the arguments of an action.
fn named(state: &State, action: Action) -> (&'static str, Value) {
    let text = state.describe_action(action);
    assert_eq!(text.index, State::index_of(action));
    (text.name, text.args)
}

#[test]
fn observations_and_actions_are_as_specified() {
    for seats in 2..=5 {
        for (seed, long_game) in [(0, false), (1, true)] {
            let early = seats == 2;
            let setup = json!({ "max_rounds": 12, "long_game": long_game && !early, "two_player_early_attacks": early });
            conformance::keep_the_spec(seats, seed, &setup, 4_000, named);
        }
    }
}
