//! Plays matches in which `greedy` is asked at every decision, and prints what it decided as one number for each kind of
//! match: to compare two builds, by answers and by instructions.
//!
//! Usage: `greedy GAME FIRST COUNT [DRIVER]`, with a game of `battles`, `swords` and `tower`. `DRIVER`, a bot, makes the
//! decisions in the place of `greedy`, which is asked all the same.

#![expect(clippy::print_stdout, reason = "a tool that prints")]

use std::process::ExitCode;

use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::{Purpose, Stream};
use serde_json::{Value, json};

const SEED: u64 = 11;

/// A kind of match: its name, seats and setup.
type Kind = (String, usize, Value);

fn kinds(game: &str) -> Vec<Kind> {
    match game {
        "battles" => (1..=40)
            .map(|number| (format!("{number}"), 2, json!({ "scenario": number, "max_rounds": 100 })))
            .collect(),
        "swords" => (2..=5)
            .flat_map(|seats| {
                let option = if seats == 2 { "two_player_early_attacks" } else { "long_game" };
                [false, true].map(|on| {
                    (format!("{seats} {option}={on}"), seats, json!({ option: on, "max_rounds": 40 }))
                })
            })
            .collect(),
        _ => {
            let mut kinds = Vec::new();
            for seats in 3..=5 {
                for (side, mode) in [("sun", "fixed"), ("sun", "draft"), ("moon", "draft")] {
                    for court in [false, true] {
                        // Every other option has its other value where `court` is on with `draft`.
                        let mut setup = json!({ "side": side, "mode": mode, "court": court });
                        if court && mode == "draft" {
                            setup["reveal"] = json!("per_action");
                            setup["allow_zero_move"] = json!(true);
                            setup["event12_rice_loss"] = json!(1);
                            setup["bump_probability"] = json!(0.3);
                            setup["favour_deck"] = json!("hidden");
                        }
                        kinds.push((format!("{seats} {side} {mode} court={court}"), seats, setup));
                    }
                }
            }
            kinds
        }
    }
}

fn run<G: HasBots>(kinds: &[Kind], first: u64, count: u64, driver: &str) {
    let (mut all, mut asked) = (0_u64, 0_u64);
    for (name, seats, setup) in kinds {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let mut decisions = 0_u64;
        for number in first..first + count {
            let (mut dice, mut choices) =
                (Stream::new(SEED, Purpose::Game, number), Stream::new(SEED, Purpose::Bots, number));
            let mut state = G::create(*seats, setup, &mut dice).expect("the setup is valid");
            let mut bots = vec![G::Greedy::default(); *seats];
            let mut driver = (driver != "greedy").then(|| G::bot(driver).expect("the bot is known"));
            let mut legal = Vec::new();
            let mut draw = 0;
            while let Some(seat) = state.to_act() {
                state.legal_actions(&mut legal);
                let mut below = |sides| {
                    draw += 1;
                    sengoku_kernel::Chance::below(&mut choices, draw, sides)
                };
                let seen = Seen::new(&state, seat);
                let mut choice = bots[seat.index()].decide(&seen, &legal, &mut below);
                digest = (digest ^ (choice as u64 | (seat.index() as u64) << 32))
                    .wrapping_mul(0x0000_0100_0000_01b3);
                decisions += 1;
                if let Some(driver) = &mut driver {
                    choice = driver.decide(&seen, &legal, &mut below);
                }
                state.play_unchecked(legal[choice], &mut dice);
            }
        }
        println!("{name}: {decisions} decisions, {digest:016x}");
        all = (all ^ digest).wrapping_mul(0x0000_0100_0000_01b3);
        asked += decisions;
    }
    println!("all: {asked} decisions, {all:016x}");
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(game), Some(Ok(first)), Some(Ok(count))) = (
        arguments.first(),
        arguments.get(1).map(|text| text.parse()),
        arguments.get(2).map(|text| text.parse()),
    ) else {
        return ExitCode::from(2);
    };
    let driver = arguments.get(3).map_or("greedy", String::as_str);
    let kinds = kinds(game);
    match game.as_str() {
        "battles" => run::<sengoku_battles::State>(&kinds, first, count, driver),
        "swords" => run::<sengoku_swords::State>(&kinds, first, count, driver),
        "tower" => run::<sengoku_tower::State>(&kinds, first, count, driver),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}
