//! The bots of `battles`.

use sengoku_battles::State;

use crate::{HasBots, Random};

impl HasBots for State {
    type Greedy = Random;
    const GREEDY: (&'static str, &'static str) = Random::ENTRY;
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY];
}
