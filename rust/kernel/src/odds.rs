//! Odds of any question: exact, sampled, or automatic.
//!
//! A game defines the question ([`Question`]), how plays of it are made and counted ([`Plays`]) and what the
//! answer contains ([`Answer`]); how long to play, on which threads and when to stop is the same for all games.

mod ask;

use std::ops::Range;

use rayon::prelude::*;
use thiserror::Error;

use crate::{Cancel, Cancelled, InstructionSet};

pub use ask::{Ask, AskError, Run, StateSpaceError};

/// Most plays of one question.
pub const MAX_SAMPLES: u64 = 1_000_000_000_000;

/// Something that has odds.
pub trait Question: Sync {
    /// How it is sampled.
    type Plays: Plays;

    /// States up to which an exact answer is affordable.
    const EXACT_STATE_LIMIT: u64 = 0;

    /// States that an exact answer visits; `u64::MAX` where there is no exact method.
    fn states(&self) -> u64 {
        u64::MAX
    }

    /// The exact odds.
    ///
    /// # Errors
    /// [`AskError`] when there are more than `limit` states, or when the flag was raised.
    fn exact(&self, limit: u64, _cancel: &Cancel) -> Result<OddsOf<Self>, AskError> {
        Err(StateSpaceError { states: self.states(), limit }.into())
    }

    /// Whether an exact answer takes so little that the caller's own thread gives it.
    fn is_quick(&self) -> bool {
        true
    }

    /// Computes what exact answers to many questions share, before they are answered one by one.
    ///
    /// # Errors
    /// [`Cancelled`] when the flag was raised.
    fn prepare(_questions: &[&Self], _cancel: &Cancel) -> Result<(), Cancelled> {
        Ok(())
    }

    /// The plays under a seed.
    fn plays(&self, seed: u64, instruction_set: InstructionSet) -> Self::Plays;
}

/// The answer to a question.
pub type OddsOf<Q> = <<Q as Question>::Plays as Plays>::Odds;

/// All plays of a question under a seed, by number: each a pure function of it.
pub trait Plays: Send + Sync {
    /// Counted results of some plays.
    type Tally: Tally;
    /// The odds that the counts show.
    type Odds: Answer + Clone + Send;

    /// Plays that one thread makes in one go, and after which cancellation is looked at.
    const CHUNK: u64;
    /// Chunks for each thread after which progress is reported and other callers get their turn.
    const SLICE: u64;

    /// Makes plays that lie in one chunk.
    fn chunk(&self, indices: Range<u64>) -> Self::Tally;
    /// The odds that the counts of `samples` plays show, at least one.
    fn odds(&self, tally: Self::Tally, samples: u64) -> Self::Odds;
}

/// Counts that can be added in any order. The default is that of no play.
pub trait Tally: Clone + Default + Send {
    /// Both together.
    #[must_use]
    fn merge(self, other: Self) -> Self;
}

impl Tally for Vec<u64> {
    fn merge(mut self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        self.iter_mut().zip(other).for_each(|(sum, count)| *sum += count);
        self
    }
}

/// The odds of a question: the part that all games share.
pub trait Answer {
    /// Probability of each end.
    fn ends(&self) -> Vec<f64>;
    /// How many plays showed it; `None` when it is exact.
    fn sample_size(&self) -> Option<u64>;

    /// Standard error of the least certain of the ends; 0 if exact.
    ///
    /// Half a success and half a failure are added to each count, so that an end which never came up is not called
    /// impossible.
    fn standard_error(&self) -> f64 {
        self.sample_size().map_or(0.0, |samples| expected_error(&self.ends(), samples as f64))
    }

    /// The smallest sample that is expected to bring the standard error down to `max_error`.
    fn samples_for(&self, max_error: f64) -> u64 {
        let ends = self.ends();
        let (mut too_few, mut enough) = (0, 1 << 62); // more than anybody can play
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if expected_error(&ends, middle as f64) <= max_error {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        enough
    }
}

/// The standard error that a sample of any size with these shares would have.
fn expected_error(ends: &[f64], samples: f64) -> f64 {
    let error = |share: &f64| {
        let p = (share * samples + 0.5) / (samples + 1.0);
        (p * (1.0 - p) / samples).sqrt()
    };
    ends.iter().map(error).fold(0.0, f64::max)
}

/// The smallest number that is not exceeded with the given chance, for each percentage, where `left` are the
/// probabilities of the numbers from 0 on; 100 gives the largest number that can be.
pub fn percentiles(left: &[f64], percentages: &[f64]) -> Vec<usize> {
    let last = left.iter().rposition(|&probability| probability > 0.0).unwrap_or(0);
    let percentile = |percentage: f64| {
        if percentage >= 100.0 {
            return last; // however small its chance
        }
        let mut sum = 0.0;
        let wanted = percentage / 100.0 - 1e-12; // a chance of exactly 60 % is one, whatever the rounding
        let reaches = |number: &usize| {
            sum += left[*number];
            sum >= wanted && sum > 0.0
        };
        (0..last).find(reaches).unwrap_or(last)
    };
    percentages.iter().copied().map(percentile).collect()
}

/// Plays a question many times. Samples are numbered; a sampler that has played `n` has played the numbers below `n`.
#[derive(Clone, Debug)]
pub struct Sampler<P: Plays> {
    plays: P,
    tally: P::Tally,
    samples: u64,
}

impl<P: Plays> Sampler<P> {
    /// A sampler that has played nothing yet.
    pub fn new(plays: P) -> Self {
        Self { plays, tally: P::Tally::default(), samples: 0 }
    }

    /// Samples played so far.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Counted results so far.
    pub const fn tally(&self) -> &P::Tally {
        &self.tally
    }

    /// The odds as the samples so far show them; `None` before the first one.
    pub fn odds(&self) -> Option<P::Odds> {
        (self.samples > 0).then(|| self.plays.odds(self.tally.clone(), self.samples))
    }

    /// Plays `count` more, up to [`MAX_SAMPLES`] in all.
    ///
    /// Up to a chunk is played by the caller's own thread, more by the threads of the current pool.
    ///
    /// # Errors
    /// [`Cancelled`] when the flag was raised; what this call had played is dropped.
    pub fn play(&mut self, count: u64, cancel: &Cancel) -> Result<(), Cancelled> {
        let range = self.samples..self.samples.saturating_add(count).min(MAX_SAMPLES);
        // Chunks are cut at multiples of their size, so that the high half of the index is constant within each.
        let chunks = range.start / P::CHUNK..range.end.div_ceil(P::CHUNK);
        let plays = &self.plays;
        let play = |chunk: u64| {
            cancel.check()?;
            let indices = (chunk * P::CHUNK).max(range.start)..((chunk + 1) * P::CHUNK).min(range.end);
            Ok(plays.chunk(indices))
        };
        let merge = |one: P::Tally, other| Ok(one.merge(other));
        let tally = if count <= P::CHUNK {
            chunks.map(play).try_fold(P::Tally::default(), |sum, tally| merge(sum, tally?))?
        } else {
            chunks.into_par_iter().map(play).try_reduce(P::Tally::default, merge)?
        };
        self.tally = std::mem::take(&mut self.tally).merge(tally);
        self.samples = range.end;
        Ok(())
    }
}

/// Why a table cannot be the odds of a question.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// Too many or too few cells.
    #[error("the table has {found} cells, the question has {expected}")]
    Size {
        /// Cells there should be.
        expected: usize,
        /// Cells there are.
        found: usize,
    },
    /// A number that can be no probability, count or mean.
    #[error("{field} is {value}")]
    Value {
        /// Name of the number.
        field: &'static str,
        /// The number.
        value: String,
    },
    /// The cells do not add up.
    #[error("the cells add up to {found}, not to {expected}")]
    Sum {
        /// The expected sum.
        expected: String,
        /// The sum found.
        found: String,
    },
}

impl TableError {
    /// Checks that a table has the expected number of cells.
    ///
    /// # Errors
    /// [`TableError::Size`] when it has not.
    pub const fn check_size<T>(table: &[T], expected: usize) -> Result<(), Self> {
        let found = table.len();
        if found == expected { Ok(()) } else { Err(Self::Size { expected, found }) }
    }

    /// Checks counts that another process made: their number, and that they add up.
    ///
    /// # Errors
    /// [`TableError`] when they cannot be the counts of that number of samples.
    pub fn check_counts(counts: &[u64], expected: usize, samples: u64) -> Result<(), Self> {
        if samples == 0 {
            return Err(Self::Value { field: "samples", value: samples.to_string() });
        }
        Self::check_size(counts, expected)?;
        let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if sum == u128::from(samples) {
            Ok(())
        } else {
            Err(Self::Sum { expected: samples.to_string(), found: sum.to_string() })
        }
    }
}

#[cfg(test)]
mod tests;
