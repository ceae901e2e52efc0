//! The contract of all games, kept in random play of every battle.

use std::ops::Range;

use sengoku_battles::State;
use sengoku_kernel::conformance;
use serde_json::{Value, json};

/// The forty battles and both campaigns.
fn setups() -> impl Iterator<Item = Value> {
    let battles = (1..=40).map(|number| json!({ "scenario": number }));
    battles.chain([18, 39].map(|number| json!({ "campaign": number })))
}

#[test]
fn random_matches_keep_the_contract() {
    for (seed, setup) in setups().enumerate() {
        conformance::keep_the_contract::<State>(2, seed as u64, &setup);
    }
}

fn keep_the_invariants(seeds: Range<u64>) {
    for setup in setups() {
        for seed in seeds.clone() {
            conformance::keep_the_invariants(2, seed, &setup, State::check);
        }
    }
}

#[test]
fn random_matches_keep_the_invariants() {
    keep_the_invariants(0..3);
}

#[test]
#[ignore = "takes minutes; make test-slow"]
fn a_thousand_random_matches_of_every_battle_keep_the_invariants() {
    std::thread::scope(|scope| {
        for part in 0..4 {
            scope.spawn(move || keep_the_invariants(250 * part..250 * (part + 1)));
        }
    });
}
