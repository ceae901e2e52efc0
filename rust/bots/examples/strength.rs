//! Lets one bot play against others in every seat in turn, the same matches each time, and prints what it won.
//!
//! Usage: `strength GAME BOT OTHERS FIRST COUNT`, with a game of `battles` (all forty battles in turn), `swords`, `swords2`
//! (two seats), `tower` and `court`; matches are numbered from FIRST on.

#![expect(clippy::print_stdout, reason = "a tool that prints")]

use std::process::ExitCode;

use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::{Chance, Purpose, Seat, Stream};
use serde_json::{Value, json};

const SEED: u64 = 7;

/// A bot against others.
struct Contest<'a> {
    seats: usize,
    setup: fn(u64) -> Value,
    bot: &'a str,
    others: &'a str,
    /// Seconds of the processor that the bot used, and for how many choices.
    cost: (f64, u64),
}

/// Seconds of the processor that this process has used, where the system tells.
fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).map_or(0.0, |nanos| nanos * 1e-9)
}

impl Contest<'_> {
    /// Whether the bot wins a match from a seat.
    fn is_won<G: HasBots>(&mut self, place: usize, number: u64) -> bool {
        let (mut dice, mut choices) =
            (Stream::new(SEED, Purpose::Game, number), Stream::new(SEED, Purpose::Bots, number));
        let mut draw = 0;
        let mut below = |sides| {
            draw += 1;
            choices.below(draw, sides)
        };
        let mut state = G::create(self.seats, &(self.setup)(number), &mut dice).expect("the setup is valid");
        let name = |seat| if seat == place { self.bot } else { self.others };
        let mut bots: Vec<_> =
            (0..self.seats).map(|seat| G::bot(name(seat)).expect("the bot is known")).collect();
        let mut legal = Vec::new();
        while let Some(seat) = state.to_act() {
            state.legal_actions(&mut legal);
            let begun = used();
            let choice = bots[seat.index()].decide(&Seen::new(&state, seat), &legal, &mut below);
            if seat.index() == place && legal.len() > 1 {
                self.cost = (self.cost.0 + used() - begun, self.cost.1 + 1);
            }
            state.play_unchecked(legal[choice], &mut dice);
        }
        state.outcome().and_then(|outcome| outcome.winner()) == Some(Seat(place as u8))
    }

    /// Plays match after match from every seat. The error is that of the mean over matches, since those that differ in
    /// seats only belong together.
    fn run<G: HasBots>(&mut self, first: u64, count: u64) {
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in first..first + count {
            let won = (0..self.seats).filter(|&place| self.is_won::<G>(place, number)).count();
            let share = won as f64 / self.seats as f64;
            (sum, squares) = (sum + share, squares + share * share);
            let played = (number - first + 1) as f64;
            let mean = sum / played;
            let error = ((squares / played - mean * mean) / (played - 1.0).max(1.0)).max(0.0).sqrt();
            println!(
                "{} of {}: {:.1} % (+- {:.1}), {:.2} ms a choice, {:.2} s a match",
                sum * self.seats as f64,
                played * self.seats as f64,
                100.0 * mean,
                100.0 * error,
                1e3 * self.cost.0 / self.cost.1.max(1) as f64,
                self.cost.0 / (played * self.seats as f64),
            );
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, bot, others, first, count] = &arguments[..] else { return ExitCode::from(2) };
    let (Ok(first), Ok(count)) = (first.parse(), count.parse()) else { return ExitCode::from(2) };
    let contest = |seats, setup| Contest { seats, setup, bot, others, cost: (0.0, 0) };
    let capped = |_| json!({ "max_rounds": 40 });
    match game.as_str() {
        "battles" => contest(2, |number| json!({ "scenario": number % 40 + 1, "max_rounds": 100 }))
            .run::<sengoku_battles::State>(first, count),
        "swords" => contest(4, capped).run::<sengoku_swords::State>(first, count),
        "swords2" => contest(2, capped).run::<sengoku_swords::State>(first, count),
        "tower" => contest(4, |_| json!({})).run::<sengoku_tower::State>(first, count),
        "court" => contest(4, |_| json!({ "court": true })).run::<sengoku_tower::State>(first, count),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}
