//! Playouts: a world, play on as the game's own player plays, an evaluation; and sums of what came of them.

use sengoku_bots::mcts::{Draws, Values, value};
use sengoku_bots::{Bot, Seen};
use sengoku_kernel::{MAX_SEATS, Purpose, Seat, Stream};

use super::Cards;
use crate::Playable;

/// Most decisions of a playout.
const LONGEST: u32 = 20_000;

/// Which playouts of a decision a seed is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    /// Those that look for better actions.
    Explore,
    /// Those that compare the best ones.
    Confirm,
    /// Those that begin after the decision.
    After,
    /// Draws made anew.
    Redraw,
}

/// The seed of one stage of one decision and seat.
pub(super) fn seed(seed: u64, decision: usize, seat: Seat, stage: Stage) -> u64 {
    let number = (decision as u64) << 16 | u64::from(seat.0) << 8 | stage as u64;
    let [low, high, ..] = Stream::without_block(seed, Purpose::Search, number).block(0);
    u64::from(high) << 32 | u64::from(low)
}

/// Random numbers of one playout: what is hidden and what bots draw, and the dice.
#[derive(Debug)]
pub(super) struct Luck {
    pub(super) draws: Draws,
    pub(super) dice: Stream,
}

impl Luck {
    /// Those of a numbered world.
    pub(super) fn of(seed: u64, world: u32) -> Self {
        let number = u64::from(world) << 1;
        Self {
            draws: Draws::new(Stream::new(seed, Purpose::Search, number)),
            dice: Stream::new(seed, Purpose::Search, number | 1),
        }
    }
}

/// Plays worlds on.
pub(super) struct Player<G: Playable> {
    greedy: G::Greedy,
    legal: Vec<G::Action>,
    horizon: Option<u32>,
}

impl<G: Playable> Player<G> {
    pub(super) fn new(horizon: Option<u32>) -> Self {
        let horizon = match horizon {
            None => Some(G::HORIZON),
            Some(0) => None,
            stretches => stretches,
        };
        Self { greedy: G::Greedy::default(), legal: Vec::new(), horizon }
    }

    /// The action that the game's own player would take.
    pub(super) fn favourite(&mut self, state: &G, seat: Seat, legal: &[G::Action]) -> usize {
        self.greedy.decide(&Seen::new(state, seat), legal, &mut |_| 0)
    }

    /// Plays on until as many stretches have ended since `begun`, and evaluates.
    pub(super) fn play_on(&mut self, mut world: G, begun: u32, luck: &mut Luck) -> Values {
        let Self { greedy, legal, horizon } = self;
        let mut steps = 0;
        while let Some(seat) = world.to_act() {
            let ended = world.stretch().wrapping_sub(begun);
            if steps >= LONGEST || horizon.is_some_and(|horizon| ended >= horizon) {
                break;
            }
            steps += 1;
            world.legal_actions(legal);
            let choice = match legal.len() {
                1 => 0,
                _ => greedy.decide(&Seen::new(&world, seat), legal, &mut |sides| luck.draws.below(sides)),
            };
            world.play_unchecked(legal[choice], &mut luck.dice);
        }
        value(&world)
    }
}

/// A world for a playout: what the seat could not tell from the real one, or the real one with decks drawn anew.
pub(super) fn world<G: Playable>(state: &G, seat: Seat, cards: Cards, draws: &mut Draws) -> G {
    let mut below = |sides| draws.below(sides);
    match cards {
        Cards::Seat => state.resample(seat, &mut below),
        Cards::Open => state.redraw(&mut below),
    }
}

/// Whether the given seats see the same in two states.
pub(super) fn look_alike<G: Playable>(one: &G, other: &G, mut seats: impl Iterator<Item = Seat>) -> bool {
    let [mut left, mut right] = [(); 2].map(|()| vec![0; G::OBSERVATION_SIZE]);
    seats.all(|seat| {
        one.observe(seat, &mut left);
        other.observe(seat, &mut right);
        left == right
    })
}

/// Sums of values, for means with their errors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) count: u32,
    totals: [f64; MAX_SEATS],
    squares: [f64; MAX_SEATS],
}

impl Sums {
    pub(super) fn add(&mut self, values: &[f64]) {
        self.count += 1;
        for ((sum, square), &value) in self.totals.iter_mut().zip(&mut self.squares).zip(values) {
            *sum += value;
            *square += value * value;
        }
    }

    pub(super) fn mean(&self, seat: usize) -> f64 {
        self.totals[seat] / f64::from(self.count.max(1))
    }

    /// Standard error of the mean; of a single value it is not known, and taken for the most there can be.
    pub(super) fn error(&self, seat: usize) -> f64 {
        let count = f64::from(self.count);
        if self.count < 2 {
            return 0.5;
        }
        let mean = self.mean(seat);
        let variance = (self.squares[seat] / count - mean * mean).max(0.0) * count / (count - 1.0);
        (variance / count).sqrt()
    }
}
