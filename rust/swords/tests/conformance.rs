//! The contract of all games, kept in random play with every number of players.

use std::ops::Range;

use sengoku_kernel::{Chance, Game, Purpose, Stream, conformance};
use sengoku_swords::State;
use serde_json::{Value, json};

fn start(seats: usize, seed: u64, setup: &Value) -> State {
    State::create(seats, setup, &mut Stream::new(seed, Purpose::Game, 0)).expect("a valid setup")
}

#[test]
fn random_matches_keep_the_contract() {
    for seats in 2..=5 {
        for seed in 0..2 {
            let state = start(seats, seed, &json!({ "max_rounds": 4 }));
            let checked = conformance::check(&state, seed, 20_000).unwrap_or_else(|error| panic!("{error}"));
            assert!(checked.finished, "{seats} players, seed {seed}: {checked:?}");
        }
    }
}

/// Plays matches with random decisions and looks at every invariant of the state after every decision.
fn keep_the_invariants(seats: usize, seeds: Range<u64>, max_rounds: u16) {
    let mut legal = Vec::new();
    for seed in seeds {
        let setup = json!({ "max_rounds": max_rounds, "long_game": seats > 2 && seed % 2 == 0 });
        let mut state = start(seats, seed, &setup);
        let mut chance = Stream::new(seed, Purpose::Game, 0);
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
            assert!(decisions < 5_000_000, "{seats} players, seed {seed} goes on for ever");
        }
    }
}

#[test]
fn random_matches_keep_the_invariants() {
    for seats in 2..=5 {
        keep_the_invariants(seats, 0..8, 25);
    }
}

#[test]
#[ignore = "takes minutes; make test-slow"]
fn ten_thousand_random_matches_keep_the_invariants() {
    std::thread::scope(|scope| {
        for seats in 2..=5 {
            scope.spawn(move || keep_the_invariants(seats, 0..10_000, 100));
        }
    });
}
