//! Policies that play the games, each from what its seat may see.

pub mod battles;
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
    /// The player of the game's own: it weighs every decision by itself.
    type Greedy: Bot<Self> + Clone + Default + Send + Sync + 'static;

    /// Its name, and what it is in one line.
    const GREEDY: (&'static str, &'static str);
    /// Name of each bot, and what it is in one line.
    const BOTS: &'static [(&'static str, &'static str)] = &[Random::ENTRY, Self::GREEDY];

    /// The bot of a name.
    fn bot(name: &str) -> Option<Policy<Self::Greedy>> {
        match name {
            _ if name == Random::ENTRY.0 => Some(Policy::Random(Random)),
            _ if name == Self::GREEDY.0 => Some(Policy::Greedy(Self::Greedy::default())),
            _ => None,
        }
    }
}

/// Any bot of a game: an enum, so that decisions are made without a table of functions.
#[derive(Clone, Debug)]
pub enum Policy<H> {
    /// Takes any legal action.
    Random(Random),
    /// Weighs every decision by itself.
    Greedy(H),
}

impl<G: Game, H: Bot<G>> Bot<G> for Policy<H> {
    fn decide(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        match self {
            Self::Random(bot) => bot.decide(seen, legal, chance),
            Self::Greedy(bot) => bot.decide(seen, legal, chance),
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
