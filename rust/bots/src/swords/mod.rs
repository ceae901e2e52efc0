//! The bots of `swords`.

mod greedy;

pub use greedy::Greedy;
use sengoku_swords::{Action, State};

use crate::{Bot, HasBots, Random, Seen};

/// Any bot of `swords`.
#[derive(Clone, Debug)]
pub enum SwordsBot {
    /// Takes any legal action.
    Random(Random),
    /// Weighs every decision by itself.
    Greedy(Greedy),
}

impl Bot<State> for SwordsBot {
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
    type Bot = SwordsBot;
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY, Greedy::ENTRY];

    fn bot(name: &str) -> Option<SwordsBot> {
        match name {
            _ if name == Random::ENTRY.0 => Some(SwordsBot::Random(Random)),
            _ if name == Greedy::ENTRY.0 => Some(SwordsBot::Greedy(Greedy::default())),
            _ => None,
        }
    }
}
