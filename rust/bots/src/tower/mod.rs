//! The bots of `tower`.

pub mod evaluation;
mod greedy;

pub use greedy::Greedy;
use sengoku_tower::State;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who builds for majorities and attacks where the odds are good");

    fn evaluate(&self, shares: &mut [f32]) {
        evaluation::evaluate(self, shares);
    }

    fn stretch(&self) -> u32 {
        u32::from(self.rounds())
    }
}
