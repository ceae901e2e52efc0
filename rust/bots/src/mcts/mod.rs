//! A search over worlds that the seat cannot tell from the real one.
//!
//! The README of the crate says how it goes about it. [`Mcts`] is the bot; [`Analysis`] is a search for one decision whose
//! trees can be grown on threads; [`Guided`] is a search with a policy and values from outside.

mod guided;
mod options;
mod search;
mod tree;

pub use guided::{Guided, Rows};
pub use options::{MAX_ITERATIONS, MAX_TREES, Options};
use search::{Bench, Search};
pub use search::{Candidate, Draws, value};
pub use tree::Values;

use crate::{Bot, HasBots, Seen};

/// Searches for every decision.
#[derive(Clone, Debug, Default)]
pub struct Mcts<H> {
    options: Options,
    /// It remembers nothing that would change an answer, only odds.
    greedy: H,
}

/// Name and description, for the list of a game.
pub const ENTRY: (&str, &str) =
    ("mcts", "a search over sampled worlds, guided by greedy; with options: mcts:iterations=1000,trees=1");

impl<H> Mcts<H> {
    /// A player with options.
    pub fn new(options: Options) -> Self
    where
        H: Default,
    {
        Self { options, greedy: H::default() }
    }

    /// How it searches.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Decides as [`Bot::decide`] does; when `stop` says so, with what has been found until then.
    pub fn decide<G: HasBots<Greedy = H>>(
        &mut self,
        seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
        stop: &dyn Fn() -> bool,
    ) -> usize
    where
        H: Bot<G> + Clone + Default,
    {
        // A choice of one is none, and costs no draw.
        if legal.len() == 1 {
            return 0;
        }
        if !seen.is_searched() {
            return self.greedy.decide(seen, legal, chance);
        }
        let analysis = Analysis { seen, legal, options: self.options, seed: u64::from(chance(u32::MAX)) };
        let favourite = analysis.favourite(&mut self.greedy);
        let mut bench = Bench::new(std::mem::take(&mut self.greedy));
        let trees = (0..self.options.trees).map(|tree| analysis.grow(tree, favourite, &mut bench, stop));
        let found = merge(trees);
        self.greedy = bench.into_greedy();
        choose(&found, favourite)
    }
}

/// A search for one decision.
#[derive(Debug)]
pub struct Analysis<'a, G: HasBots> {
    /// The view of the seat to act.
    pub seen: &'a Seen<'a, G>,
    /// Its legal actions.
    pub legal: &'a [G::Action],
    /// How it is searched.
    pub options: Options,
    /// Seed of worlds and dice.
    pub seed: u64,
}

impl<G: HasBots> Analysis<'_, G> {
    /// The place of the action that others have to beat: what `greedy` would do.
    pub fn favourite(&self, greedy: &mut G::Greedy) -> usize {
        greedy.decide(self.seen, self.legal, &mut |_| 0)
    }

    /// Result of one tree, independent of the thread that grows it.
    pub fn tree(&self, number: u32, favourite: usize, stop: &dyn Fn() -> bool) -> Vec<Candidate> {
        self.grow(number, favourite, &mut Bench::new(G::Greedy::default()), stop)
    }

    fn grow(
        &self,
        number: u32,
        favourite: usize,
        bench: &mut Bench<G, G::Greedy>,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Candidate> {
        let Self { seen, legal, ref options, seed } = *self;
        Search { seen, legal, options, seed, tree: number, stop }.run(favourite, bench)
    }
}

/// Puts together what trees have found out, in their order.
pub fn merge(trees: impl IntoIterator<Item = Vec<Candidate>>) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    for tree in trees {
        if all.is_empty() {
            all = tree;
        } else {
            for (candidate, more) in all.iter_mut().zip(&tree) {
                candidate.add(more);
            }
        }
    }
    all
}

/// The place of an action that wins at once, or of the one that is surely better than the favourite by most, or of the
/// favourite.
pub fn choose(candidates: &[Candidate], favourite: usize) -> usize {
    let others = || candidates.iter().enumerate().filter(|&(place, _)| place != favourite);
    if candidates.get(favourite).is_some_and(Candidate::wins) {
        return favourite;
    }
    if let Some((place, _)) = others().find(|(_, candidate)| candidate.wins()) {
        return place;
    }
    let mut best = (0.0, favourite);
    for (place, candidate) in others() {
        let sure = candidate.sure_lead();
        if sure > best.0 {
            best = (sure, place);
        }
    }
    best.1
}
