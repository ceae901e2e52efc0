//! The contract of every game, and the invariants of this one under random play at every table.

use std::ops::Range;

use sengoku_kernel::{Game, conformance};
use sengoku_tower::{Action, State};
use sengoku_view::View;
use serde_json::{Value, json};

/// Every combination of side, mode and expansion, with the options in turn.
fn setups() -> Vec<Value> {
    let mut setups = Vec::new();
    for (side, mode) in [("sun", "fixed"), ("sun", "draft"), ("moon", "draft")] {
        for court in [false, true] {
            let odd = setups.len() % 2 == 1;
            setups.push(json!({ "side": side, "mode": mode, "court": court }));
            setups.push(json!({
                "side": side,
                "mode": mode,
                "court": court,
                "reveal": "per_action",
                "allow_zero_move": true,
                "event12_rice_loss": 1,
                "bump_probability": if odd { 0.3 } else { 1.0 },
                "favour_deck": "hidden",
                "tower_model": "ledger",
            }));
        }
    }
    setups
}

#[test]
fn random_matches_keep_the_contract() {
    for seats in 3..=5 {
        for (seed, setup) in (0..).zip(setups()) {
            conformance::keep_the_contract::<State>(seats, seed, &setup);
        }
    }
}

fn keep_the_invariants(seats: usize, seeds: Range<u64>) {
    for setup in setups() {
        for seed in seeds.clone() {
            conformance::keep_the_invariants(seats, seed, &setup, State::check);
        }
    }
}

#[test]
fn random_matches_keep_the_invariants() {
    for seats in 3..=5 {
        keep_the_invariants(seats, 0..10);
    }
}

#[test]
#[ignore = "takes minutes; make test-system"]
fn ten_thousand_random_matches_keep_the_invariants() {
    std::thread::scope(|scope| {
        for seats in 3..=5 {
            scope.spawn(move || keep_the_invariants(seats, 0..10_000));
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
    for seats in 3..=5 {
        for (seed, setup) in (0..).zip(setups()) {
            conformance::keep_the_spec(seats, seed, &setup, 5_000, named);
        }
    }
}
