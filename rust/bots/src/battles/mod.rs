//! The bots of `battles`.

pub mod evaluation;
mod greedy;

pub use greedy::Greedy;
use sengoku_battles::State;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who orders and fights where the exchange is good");

    fn evaluate(&self, shares: &mut [f32]) {
        evaluation::evaluate(self, shares);
    }

    fn stretch(&self) -> u32 {
        self.trackers.turns.0.iter().map(|&turns| u32::from(turns)).sum()
    }
}
