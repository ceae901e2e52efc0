//! The bots of `tower`.

mod greedy;
pub mod judge;

pub use greedy::Greedy;
use sengoku_tower::State;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who builds for majorities and attacks where the odds are good");

    fn judge(&self, shares: &mut [f32]) {
        judge::judge(self, shares);
    }

    fn stretch(&self) -> u32 {
        u32::from(self.rounds())
    }
}
