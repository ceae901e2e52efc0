//! The bots of `tower`.

mod greedy;

pub use greedy::Greedy;
use sengoku_tower::{Action, State};

use crate::{Bot, HasBots, Random, Seen};

/// Any bot of `tower`.
#[derive(Clone, Debug)]
pub enum TowerBot {
    /// Takes any legal action.
    Random(Random),
    /// Weighs every decision by itself.
    Greedy(Greedy),
}

impl Bot<State> for TowerBot {
    fn decide(
        &mut self,
        seen: &Seen<'_, State>,
        legal: &[Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        match self {
            Self::Random(bot) => bot.decide(seen, legal, chance),
            Self::Greedy(bot) => bot.decide(seen, legal, chance),
        }
    }
}

impl HasBots for State {
    type Bot = TowerBot;
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY, Greedy::ENTRY];

    fn bot(name: &str) -> Option<TowerBot> {
        match name {
            _ if name == Random::ENTRY.0 => Some(TowerBot::Random(Random)),
            _ if name == Greedy::ENTRY.0 => Some(TowerBot::Greedy(Greedy::default())),
            _ => None,
        }
    }
}
