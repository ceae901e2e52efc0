//! The bots of `battles`.

mod greedy;

pub use greedy::Greedy;
use sengoku_battles::State;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who orders and fights where the exchange is good");
}
