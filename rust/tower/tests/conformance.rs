//! The contract of every game, and the invariants of this one under random play at every table.

use std::ops::Range;

use sengoku_kernel::{Chance, Game, Purpose, Stream, conformance};
use sengoku_tower::State;
use serde_json::{Value, json};

fn start(seats: usize, seed: u64, setup: &Value) -> State {
    State::create(seats, setup, &mut Stream::new(seed, Purpose::Game, 0)).expect("a valid setup")
}

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
            let state = start(seats, seed, &setup);
            let checked = conformance::check(&state, seed, 20_000).unwrap_or_else(|error| panic!("{error}"));
            assert!(checked.finished, "{seats} players, seed {seed}: {checked:?}");
        }
    }
}

/// Plays matches with random decisions and looks at every invariant of the state after every decision.
fn keep_the_invariants(seats: usize, seeds: Range<u64>, setup: &Value) {
    let mut legal = Vec::new();
    for seed in seeds {
        let mut chance = Stream::new(seed, Purpose::Game, 0);
        let mut state = State::create(seats, setup, &mut chance).expect("a valid setup");
        let mut choice = Stream::new(seed, Purpose::Bots, 0);
        let mut decisions = 0;
        while state.to_act().is_some() {
            state.legal_actions(&mut legal);
            assert!(!legal.is_empty(), "dead end at {decisions}, seed {seed}: {state:?}");
            let action = legal[choice.below(decisions, legal.len() as u32) as usize];
            state.play_unchecked(action, &mut chance);
            if let Err(error) = state.check() {
                panic!("{seats} players, seed {seed}, decision {decisions}, {action:?}: {error}\n{state:?}");
            }
            decisions += 1;
            assert!(decisions < 10_000, "{seats} players, seed {seed} goes on for ever");
        }
    }
}

#[test]
fn random_matches_keep_the_invariants() {
    for seats in 3..=5 {
        for setup in setups() {
            keep_the_invariants(seats, 0..10, &setup);
        }
    }
}

#[test]
#[ignore = "takes minutes; make test-slow"]
fn ten_thousand_random_matches_keep_the_invariants() {
    std::thread::scope(|scope| {
        for seats in 3..=5 {
            scope.spawn(move || {
                for setup in setups() {
                    keep_the_invariants(seats, 0..10_000, &setup);
                }
            });
        }
    });
}
