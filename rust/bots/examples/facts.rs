//! Prints facts of positions and who won, one line a seat: the data that judgements are fitted to.
use std::io::Write;
use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::{Chance, Purpose, Stream};
use serde_json::{Value, json};

fn run<G: HasBots>(seats: usize, setup: &dyn Fn(u64) -> Value, count: u64, facts: &dyn Fn(&G, usize) -> Vec<f32>) {
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for number in 0..count {
        let mut dice = Stream::new(99, Purpose::Game, number);
        let mut choices = Stream::new(99, Purpose::Bots, number);
        let mut draw = 0;
        let mut state = G::create(seats, &setup(number), &mut dice).unwrap();
        let mut greedy = G::bot("greedy").unwrap();
        let mut legal = Vec::new();
        let mut rows: Vec<(u32, Vec<Vec<f32>>)> = Vec::new();
        let mut stretch = state.stretch();
        // some matches are played with slips
        let slips = [0_u32, 20, 50, 100][(number % 4) as usize];
        while let Some(seat) = state.to_act() {
            if state.stretch() != stretch {
                stretch = state.stretch();
                rows.push((stretch, (0..seats).map(|seat| facts(&state, seat)).collect()));
            }
            state.legal_actions(&mut legal);
            let mut below = |sides| { draw += 1; choices.below(draw, sides) };
            let slip = below(1000) < slips;
            let choice = if slip { below(legal.len() as u32) as usize } else { greedy.decide(&Seen::new(&state, seat), &legal, &mut below) };
            state.play_unchecked(legal[choice], &mut dice);
        }
        let outcome = state.outcome().unwrap();
        let Some(winner) = outcome.winner() else { continue };
        for (stretch, row) in rows {
            // the match and the position, the winner, then the facts of each seat
            let mut line = format!("{number} {stretch} {}", winner.0);
            for facts in row { for fact in facts { line += &format!(" {fact}"); } }
            writeln!(out, "{line}").unwrap();
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count: u64 = args[2].parse().unwrap();
    match args[1].as_str() {
        "battles" => run::<sengoku_battles::State>(2, &|number| json!({"scenario": number % 40 + 1, "max_rounds": 100}), count, &|state, seat| sengoku_bots::battles::judge::facts(state, sengoku_battles::data::Side::ALL[seat]).to_vec()),
        "swords" => run::<sengoku_swords::State>(4, &|_| json!({"max_rounds": 30}), count, &|state, seat| sengoku_bots::swords::judge::facts(state)[seat].unwrap_or([-1000.0; sengoku_bots::swords::judge::FACTS]).to_vec()),
        "swords2" => run::<sengoku_swords::State>(2, &|_| json!({"max_rounds": 30}), count, &|state, seat| sengoku_bots::swords::judge::facts(state)[seat].unwrap_or([-1000.0; sengoku_bots::swords::judge::FACTS]).to_vec()),
        "tower" => run::<sengoku_tower::State>(4, &|number| json!({"court": number % 2 == 1}), count, &|state, seat| sengoku_bots::tower::judge::facts(state)[seat].to_vec()),
        _ => panic!("no game"),
    }
}
