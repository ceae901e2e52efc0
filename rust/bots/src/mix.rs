use crate::options::{OptionError, read};
use crate::{Bot, HasBots, Random, Seen};

/// Decides now as the game's own player does, now at random: players of any strength in between, for tournaments whose
/// true order is known.
#[derive(Clone, Debug, Default)]
pub struct Mix<H> {
    /// How many of a hundred decisions are the game's own player's.
    percent: u32,
    greedy: H,
}

/// Name and description, for the list of a game.
pub(crate) const ENTRY: (&str, &str) = (
    "mix",
    "greedy in a share of the decisions, random in the others; with options: mix:greedy=50 (percent)",
);

impl<H: Default> Mix<H> {
    /// Reads `greedy=...`, which is 50 if it is not given.
    ///
    /// # Errors
    /// [`OptionError`] when there is no such option, or its value is out of range.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut percent = 50;
        read(text, &mut [("greedy", 0..=100, &mut percent)])?;
        Ok(Self { percent, greedy: H::default() })
    }
}

impl<G: HasBots> Bot<G> for Mix<G::Greedy> {
    fn decide(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        // A choice of one is none, and costs no draw.
        if legal.len() == 1 {
            0
        } else if chance(100) < self.percent {
            self.greedy.decide(seen, legal, chance)
        } else {
            Random.decide(seen, legal, chance)
        }
    }
}
