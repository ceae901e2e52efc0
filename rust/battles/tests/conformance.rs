//! The contract of all games, kept in random play of every battle.

use std::ops::Range;

use sengoku_battles::{Action, State};
use sengoku_kernel::{Chance, Game, Purpose, Stored, Stream, conformance};
use sengoku_view::View;
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
#[ignore = "takes minutes; make test-system"]
fn a_thousand_random_matches_of_every_battle_keep_the_invariants() {
    std::thread::scope(|scope| {
        for part in 0..4 {
            scope.spawn(move || keep_the_invariants(250 * part..250 * (part + 1)));
        }
    });
}

/// Bytes with one or two of them changed are refused, or they are a state that can be played on.
#[test]
fn changed_bytes_are_refused_or_sound() {
    let mut choices = Stream::new(11, Purpose::Bots, 0);
    let mut draw = 0;
    let mut choice = |sides: usize| {
        draw += 1;
        choices.below(draw, sides as u32) as usize
    };
    let (mut legal, mut read) = (Vec::new(), 0);
    for number in 1..=40 {
        let mut chance = Stream::new(11, Purpose::Game, number);
        let mut state = State::create(2, &json!({ "scenario": number }), &mut chance).expect("a valid setup");
        while state.to_act().is_some() {
            let mut bytes = state.encode();
            for _ in 0..=choice(2) {
                let at = choice(bytes.len());
                bytes[at] = if choice(2) == 0 { bytes[at] ^ 1 << choice(8) } else { choice(8) as u8 };
            }
            if let Ok(mut other) = State::decode(&bytes) {
                read += 1;
                for _ in 0..20 {
                    if other.to_act().is_none() {
                        break;
                    }
                    other.legal_actions(&mut legal);
                    other.play_unchecked(legal[choice(legal.len())], &mut chance.clone());
                }
            }
            state.legal_actions(&mut legal);
            state.play_unchecked(legal[choice(legal.len())], &mut chance);
        }
    }
    assert!(read > 1_000, "{read} were states");
}

/// The name and the arguments of an action.
fn named(state: &State, action: Action) -> (&'static str, Value) {
    let text = state.describe_action(action);
    assert_eq!(text.index, State::index_of(action));
    (text.name, text.args)
}

#[test]
fn observations_and_actions_are_as_specified() {
    for (seed, setup) in setups().enumerate() {
        conformance::keep_the_spec(2, seed as u64, &setup, 1_000, named);
    }
}
