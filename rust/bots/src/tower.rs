//! The bots of `tower`.

use sengoku_tower::{Action, State};

use crate::{Bot, HasBots, Random, Seen};

/// Any bot of `tower`.
#[derive(Clone, Debug)]
pub enum TowerBot {
    /// Takes any legal action.
    Random(Random),
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
        }
    }
}

impl HasBots for State {
    type Bot = TowerBot;
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY];

    fn bot(name: &str) -> Option<TowerBot> {
        (name == Random::ENTRY.0).then_some(TowerBot::Random(Random))
    }
}
