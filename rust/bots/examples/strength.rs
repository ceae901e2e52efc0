//! Plays one bot against another in every seat in turn and prints what it won.
use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::{Chance, Purpose, Stream};
use serde_json::{Value, json};

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}

fn play<G: HasBots>(seats: usize, setup: &Value, hero: &str, others: &str, place: usize, number: u64, cost: &mut (f64, u64, u64)) -> f64 {
    let mut dice = Stream::new(7, Purpose::Game, number);
    let mut choices = Stream::new(7, Purpose::Bots, number);
    let mut draw = 0;
    let mut state = G::create(seats, setup, &mut dice).unwrap();
    let mut bots: Vec<_> = (0..seats).map(|seat| G::bot(if seat == place { hero } else { others }).unwrap()).collect();
    let mut legal = Vec::new();
    while let Some(seat) = state.to_act() {
        state.legal_actions(&mut legal);
        let mut below = |sides| { draw += 1; choices.below(draw, sides) };
        let begun = cpu();
        let choice = bots[seat.index()].decide(&Seen::new(&state, seat), &legal, &mut below);
        if seat.index() == place { cost.0 += cpu() - begun; cost.1 += 1; cost.2 += u64::from(legal.len() > 1); }
        state.play_unchecked(legal[choice], &mut dice);
    }
    let outcome = state.outcome().unwrap();
    f64::from(u8::from(outcome.winner() == Some(sengoku_kernel::Seat(place as u8))))
}

fn run<G: HasBots>(seats: usize, setup: &dyn Fn(u64) -> Value, hero: &str, others: &str, first: u64, count: u64) {
    let mut won = 0.0;
    let mut games = 0.0;
    let mut sq = 0.0;
    let mut cost = (0.0, 0, 0);
    for number in first..first + count {
        let mut sum = 0.0;
        for place in 0..seats {
            sum += play::<G>(seats, &setup(number), hero, others, place, number, &mut cost);
            games += 1.0;
        }
        won += sum;
        let share = sum / seats as f64;
        sq += share * share;
        let n = (number - first + 1) as f64;
        let mean = won / games;
        let se = ((sq / n - mean * mean).max(0.0) / (n - 1.0).max(1.0)).sqrt();
        if (number - first) % 2 == 1 || number + 1 == first + count {
            println!("{hero}: {won} of {games}: {:.1} % +- {:.1}; {:.1} ms a decision, {:.1} ms a choice, {:.2} s a match", 100.0 * mean, 100.0 * se, 1e3 * cost.0 / cost.1 as f64, 1e3 * cost.0 / cost.2 as f64, cost.0 / games);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (game, hero, others) = (args[1].as_str(), args[2].as_str(), args[3].as_str());
    let first: u64 = args[4].parse().unwrap();
    let count: u64 = args[5].parse().unwrap();
    match game {
        "battles" => run::<sengoku_battles::State>(2, &|number| json!({"scenario": number % 40 + 1, "max_rounds": 100}), hero, others, first, count),
        "swords" => run::<sengoku_swords::State>(4, &|_| json!({"max_rounds": 30}), hero, others, first, count),
        "swords2" => run::<sengoku_swords::State>(2, &|_| json!({"max_rounds": 30}), hero, others, first, count),
        "tower" => run::<sengoku_tower::State>(4, &|_| json!({}), hero, others, first, count),
        "court" => run::<sengoku_tower::State>(4, &|_| json!({"court": true}), hero, others, first, count),
        _ => panic!("no game"),
    }
}
