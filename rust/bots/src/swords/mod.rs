//! The bots of `swords`.

mod greedy;

pub use greedy::Greedy;
use sengoku_swords::State;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who attacks where the odds are good");
}
