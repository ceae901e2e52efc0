//! Prints facts of positions of `greedy` matches with who won them: the data that evaluations are fitted to.
//!
//! Usage: `facts GAME COUNT`, with a game of `battles`, `swords`, `swords2` (two seats) and `tower`. A line has the number of
//! the match, the stretch of play, the seat that won, and the facts of each seat. In three of four matches some decisions are
//! random, so that positions are not all alike. `tests/bench/fit_evaluation.py` reads them.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use sengoku_battles::data::Side;
use sengoku_bots::{Bot, HasBots, Random, Seen, battles, swords, tower};
use sengoku_kernel::{Chance, Purpose, Stream};
use serde_json::{Value, json};

const SEED: u64 = 99;
/// Random decisions in a thousand, for one match after the other.
const SLIPS: [u32; 4] = [0, 20, 50, 100];
/// What stands for the facts of a seat that is out.
const OUT: f32 = -1000.0;

fn run<G: HasBots>(
    seats: usize,
    count: u64,
    setup: fn(u64) -> Value,
    facts: fn(&G, usize) -> Vec<f32>,
) -> std::io::Result<()> {
    let mut out = BufWriter::new(stdout());
    for number in 0..count {
        let (mut dice, mut choices) =
            (Stream::new(SEED, Purpose::Game, number), Stream::new(SEED, Purpose::Bots, number));
        let mut draw = 0;
        let mut below = |sides| {
            draw += 1;
            choices.below(draw, sides)
        };
        let mut state = G::create(seats, &setup(number), &mut dice).expect("the setup is valid");
        let mut greedy = G::Greedy::default();
        let mut legal = Vec::new();
        let mut rows: Vec<(u32, Vec<f32>)> = Vec::new();
        let mut stretch = state.stretch();
        while let Some(seat) = state.to_act() {
            if state.stretch() != stretch {
                stretch = state.stretch();
                rows.push((stretch, (0..seats).flat_map(|seat| facts(&state, seat)).collect()));
            }
            state.legal_actions(&mut legal);
            let slips = below(1000) < SLIPS[number as usize % SLIPS.len()];
            let seen = Seen::new(&state, seat);
            let choice = if slips {
                Random.decide(&seen, &legal, &mut below)
            } else {
                greedy.decide(&seen, &legal, &mut below)
            };
            state.play_unchecked(legal[choice], &mut dice);
        }
        let Some(winner) = state.outcome().and_then(|outcome| outcome.winner()) else { continue };
        for (stretch, facts) in rows {
            write!(out, "{number} {stretch} {}", winner.0)?;
            for fact in facts {
                write!(out, " {fact}")?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, count] = &arguments[..] else { return ExitCode::from(2) };
    let Ok(count) = count.parse() else { return ExitCode::from(2) };
    let capped = |_| json!({ "max_rounds": 40 });
    let of_swords = |state: &sengoku_swords::State, seat: usize| {
        swords::evaluation::facts(state)[seat].unwrap_or([OUT; swords::evaluation::FACTS]).to_vec()
    };
    let done = match game.as_str() {
        "battles" => run::<sengoku_battles::State>(
            2,
            count,
            |number| json!({ "scenario": number % 40 + 1, "max_rounds": 100 }),
            |state, seat| battles::evaluation::facts(state, Side::ALL[seat]).to_vec(),
        ),
        "swords" => run::<sengoku_swords::State>(4, count, capped, of_swords),
        "swords2" => run::<sengoku_swords::State>(2, count, capped, of_swords),
        "tower" => run::<sengoku_tower::State>(
            4,
            count,
            |number| json!({ "court": number % 2 == 1 }),
            |state, seat| tower::evaluation::facts(state)[seat].to_vec(),
        ),
        _ => return ExitCode::from(2),
    };
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
