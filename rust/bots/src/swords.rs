//! The bots of `swords`.

use sengoku_swords::State;

use crate::{Bot, HasBots, Random, Seen};

/// Any bot of `swords`.
#[derive(Clone, Debug)]
pub enum SwordsBot {
    /// Takes any legal action.
    Random(Random),
}

impl Bot<State> for SwordsBot {
    fn decide(
        &mut self,
        seen: &Seen<'_, State>,
        legal: &[<State as sengoku_kernel::Game>::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        match self {
            Self::Random(bot) => bot.decide(seen, legal, chance),
        }
    }
}

impl HasBots for State {
    type Bot = SwordsBot;
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY];

    fn bot(name: &str) -> Option<SwordsBot> {
        (name == Random::ENTRY.0).then_some(SwordsBot::Random(Random))
    }
}
