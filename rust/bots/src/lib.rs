//! Policies that play the games, each from what its seat may see.

mod random;
pub mod swords;
pub mod tower;

pub use random::Random;
use sengoku_kernel::{Game, Seat};

/// A state as one seat sees it. The whole state is behind it, but not within reach of a bot.
#[derive(Debug)]
pub struct Seen<'a, G> {
    state: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Seen<'a, G> {
    /// What `seat` sees of a state.
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
}

/// A game with bots.
pub trait HasBots: Game {
    /// Any bot of the game: an enum, so that decisions are made without a table of functions.
    type Bot: Bot<Self> + Clone + Send + Sync + 'static;

    /// Name of each bot, and what it is in one line.
    const BOTS: &'static [(&'static str, &'static str)];

    /// The bot of a name.
    fn bot(name: &str) -> Option<Self::Bot>;
}
