//! Policies that play the games, each from what its seat may see.

pub mod battles;
mod evaluation;
pub mod mcts;
mod memo;
mod mix;
mod options;
mod random;
pub mod swords;
pub mod tower;

pub use mcts::Mcts;
pub use mix::Mix;
pub use options::OptionError;
pub use random::Random;
use sengoku_kernel::{Game, Seat};
use thiserror::Error;

/// A state as one seat sees it. The whole state is behind it, but not within reach of a bot.
#[derive(Debug)]
pub struct Seen<'a, G> {
    state: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Seen<'a, G> {
    /// The view of `seat` on a state.
    pub const fn new(state: &'a G, seat: Seat) -> Self {
        Self { state, seat }
    }

    /// The seat that looks.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The state with everything taken out that the seat may not see. It costs a copy, so a bot looks once.
    pub fn look(&self) -> G {
        self.state.seen_by(self.seat)
    }

    /// Whether the decision is worth a search, which is known to everybody.
    pub fn is_searched(&self) -> bool
    where
        G: HasBots,
    {
        self.state.is_searched()
    }

    /// A world that the seat cannot tell from the real one; `chance(n)` is uniform below `n`.
    pub fn resample(&self, chance: &mut dyn FnMut(u32) -> u32) -> G {
        self.state.resample(self.seat, chance)
    }
}

/// A policy. It is cloned for every match, so whatever it remembers is of that match.
pub trait Bot<G: Game> {
    /// Chooses one of the legal actions by its place in the list; `chance(n)` is uniform below `n`.
    ///
    /// The list is never empty. Equal arguments and equal chance must give equal answers.
    fn decide(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize;

    /// The same, for who may have to end before a bot has thought it over: `stop` is asked now and then, and once it says
    /// so any answer will do.
    fn decide_until(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
        _stop: &dyn Fn() -> bool,
    ) -> usize {
        self.decide(seen, legal, chance)
    }
}

/// A game with bots.
pub trait HasBots: Game {
    /// The player of the game's own: it weighs every decision by itself.
    type Greedy: Bot<Self> + Clone + Default + Send + Sync + 'static;

    /// Its name, and what it is in one line.
    const GREEDY: (&'static str, &'static str);
    /// Name of each bot, and what it is in one line.
    const BOTS: &'static [(&'static str, &'static str)] =
        &[Random::ENTRY, mix::ENTRY, Self::GREEDY, mcts::ENTRY];

    /// Stretches of play that a search looks ahead: the one under way, and what the others answer.
    const HORIZON: u32 = 2;

    /// Playouts of a decision where a whole match is analysed: one match takes a minute or two on two cores.
    const PLAYOUTS: u32 = 256;

    /// The share of the victory that each seat may hope for, all together one. It looks at everything in the state.
    fn evaluate(&self, shares: &mut [f32]);

    /// Whether a decision is worth a search; elsewhere a bot that searches decides as the game's own player does.
    fn is_searched(&self) -> bool {
        true
    }

    /// A number that grows where an evaluation is best made: at the end of a turn, a round or a season, when nothing is
    /// half done.
    fn stretch(&self) -> u32;

    /// The bot of a name, with the options that follow it: `mcts:iterations=200`.
    ///
    /// # Errors
    /// [`BotError`] when there is no such bot, or it does not have such options.
    fn bot(name: &str) -> Result<Policy<Self::Greedy>, BotError> {
        let (bot, options) = name.split_once(':').unwrap_or((name, ""));
        match bot {
            _ if bot == mcts::ENTRY.0 => {
                Ok(Policy::Mcts(Box::new(Mcts::new(mcts::Options::parse(options)?))))
            }
            _ if bot == mix::ENTRY.0 => Ok(Policy::Mix(Mix::parse(options)?)),
            _ if name == Random::ENTRY.0 => Ok(Policy::Random(Random)),
            _ if name == Self::GREEDY.0 => Ok(Policy::Greedy(Self::Greedy::default())),
            _ => Err(BotError::Unknown),
        }
    }
}

/// Errors of looking up a bot.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BotError {
    /// The game has no bot of this name.
    #[error("there is no such bot")]
    Unknown,
    /// The bot has no such option, or not with this value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Any bot of a game: an enum, so that decisions are made without a table of functions.
#[derive(Clone, Debug)]
pub enum Policy<H> {
    /// Takes any legal action.
    Random(Random),
    /// Takes any legal action now and then, else weighs.
    Mix(Mix<H>),
    /// Weighs every decision by itself.
    Greedy(H),
    /// Searches for every decision.
    Mcts(Box<Mcts<H>>),
}

impl<H> Policy<H> {
    /// Most iterations of a decision, of a bot that searches.
    pub const fn iterations(&self) -> Option<u32> {
        match self {
            Self::Random(_) | Self::Mix(_) | Self::Greedy(_) => None,
            Self::Mcts(bot) => Some(bot.options().iterations),
        }
    }
}

impl<G: HasBots> Bot<G> for Policy<G::Greedy> {
    fn decide(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        match self {
            Self::Random(bot) => bot.decide(seen, legal, chance),
            Self::Mix(bot) => bot.decide(seen, legal, chance),
            Self::Greedy(bot) => bot.decide(seen, legal, chance),
            Self::Mcts(bot) => bot.decide(seen, legal, chance, &|| false),
        }
    }

    fn decide_until(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
        stop: &dyn Fn() -> bool,
    ) -> usize {
        match self {
            // These are quick, so nobody has to ask.
            Self::Random(_) | Self::Mix(_) | Self::Greedy(_) => self.decide(seen, legal, chance),
            Self::Mcts(bot) => bot.decide(seen, legal, chance, stop),
        }
    }
}

/// The place of the first action with the highest score.
fn best<A: Copy>(legal: &[A], mut score: impl FnMut(A) -> f64) -> usize {
    let mut found = (0, f64::NEG_INFINITY);
    for (place, &action) in legal.iter().enumerate() {
        let value = score(action);
        if value > found.1 {
            found = (place, value);
        }
    }
    found.0
}

/// The place of an action, if it is legal.
fn place_of<A: Copy + PartialEq>(legal: &[A], wanted: A) -> Option<usize> {
    legal.iter().position(|&action| action == wanted)
}
