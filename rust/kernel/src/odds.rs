//! One door to odds: exact, sampled, or whatever is affordable.
//!
//! A game says what can be asked ([`Question`]), how many plays of it are made and counted ([`Plays`]) and what the
//! answer knows ([`Answer`]); how long to play, on which threads and when to stop is the same for all.

use std::ops::Range;

use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use crate::{Cancel, Cancelled, InstructionSet};

/// Most plays of one question.
pub const MAX_SAMPLES: u64 = 1_000_000_000_000;
/// Rows of a batch that are answered side by side before others get their turn on the pool.
const GROUP: usize = 64;

/// Something that has odds.
pub trait Question: Sync {
    /// How it is sampled.
    type Plays: Plays;

    /// States up to which an exact answer is affordable.
    const EXACT_STATE_LIMIT: u64 = 0;

    /// States that an exact answer visits; where there is no exact way, too many.
    fn states(&self) -> u64 {
        u64::MAX
    }

    /// The exact odds.
    ///
    /// # Errors
    /// [`StateSpaceError`] when there are more than `limit` states.
    fn exact(&self, limit: u64) -> Result<OddsOf<Self>, StateSpaceError> {
        Err(StateSpaceError { states: self.states(), limit })
    }

    /// The plays under a seed.
    fn plays(&self, seed: u64, instruction_set: InstructionSet) -> Self::Plays;
}

/// The answer to a question.
pub type OddsOf<Q> = <<Q as Question>::Plays as Plays>::Odds;

/// All plays of a question under a seed, by number: each a pure function of it.
pub trait Plays: Send + Sync {
    /// What came of some of them.
    type Tally: Tally;
    /// What that says.
    type Odds: Answer + Clone + Send;

    /// Plays that one thread makes in one go, and after which cancellation is looked at.
    const CHUNK: u64;
    /// Chunks for each thread after which progress is reported and other callers get their turn.
    const SLICE: u64;

    /// Makes plays that lie in one chunk.
    fn chunk(&self, indices: Range<u64>) -> Self::Tally;
    /// The odds as so many plays show them, at least one.
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

/// What every answer knows.
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

    /// What came of them.
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

/// How odds are to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// Exactly, visiting at most this many states.
    Exact {
        /// Most states to visit.
        max_states: u64,
    },
    /// By playing so often.
    Sampled {
        /// Samples to play.
        samples: u64,
    },
    /// Exactly where that is affordable ([`Question::EXACT_STATE_LIMIT`]), else by sampling down to a standard error.
    Auto {
        /// The standard error to reach.
        max_error: f64,
        /// Most samples to play for it.
        max_samples: u64,
    },
}

/// The question has more states than the caller is willing to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an exact answer needs {states} states, the limit is {limit}")]
pub struct StateSpaceError {
    /// States of the question.
    pub states: u64,
    /// States allowed.
    pub limit: u64,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AskError {
    /// The question has too many states.
    #[error(transparent)]
    StateSpace(#[from] StateSpaceError),
    /// A number of samples that cannot be played.
    #[error("samples is {0}, 1 to {MAX_SAMPLES} are possible")]
    Samples(u64),
    /// A limit on samples that is none.
    #[error("max_samples is {0}, 1 to {MAX_SAMPLES} are possible")]
    MaxSamples(u64),
    /// An error that is none.
    #[error("max_error is {0}, it must be a number above 0")]
    MaxError(f64),
    /// An error so small that it takes too long.
    #[error("max_error is {max_error:e}, which takes about {samples} samples, the limit is {limit}")]
    MaxErrorTooSmall {
        /// The error asked for.
        max_error: f64,
        /// Samples it takes.
        samples: u64,
        /// Samples allowed.
        limit: u64,
    },
    /// Somebody raised the flag.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Ask {
    /// Checks the question before any work is done.
    ///
    /// # Errors
    /// [`AskError`] with the offending value.
    pub fn validate(&self) -> Result<(), AskError> {
        match *self {
            Self::Sampled { samples } if !(1..=MAX_SAMPLES).contains(&samples) => {
                Err(AskError::Samples(samples))
            }
            Self::Auto { max_samples, .. } if !(1..=MAX_SAMPLES).contains(&max_samples) => {
                Err(AskError::MaxSamples(max_samples))
            }
            Self::Auto { max_error, .. } if !(max_error.is_finite() && max_error > 0.0) => {
                Err(AskError::MaxError(max_error))
            }
            _ => Ok(()),
        }
    }

    /// Finds the odds of a question.
    ///
    /// `progress` is told from time to time how many samples have been played and how many will be.
    ///
    /// # Errors
    /// [`AskError`] when the question cannot be answered as asked, or when the flag was raised.
    pub fn evaluate<Q: Question>(
        &self,
        question: &Q,
        run: &Run,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<OddsOf<Q>, AskError> {
        self.validate()?;
        run.cancel.check()?;
        let (mut samples, goal) = match *self {
            Self::Exact { max_states } => return Ok(question.exact(max_states)?),
            Self::Sampled { samples } => (samples, None),
            Self::Auto { max_error, max_samples } => {
                if let Ok(odds) = question.exact(Q::EXACT_STATE_LIMIT) {
                    return Ok(odds);
                }
                (Q::Plays::CHUNK.min(max_samples), Some((max_error, max_samples)))
            }
        };
        let mut sampler = Sampler::new(question.plays(run.seed, run.instruction_set));
        loop {
            run.play(&mut sampler, samples, &mut progress)?;
            let odds = sampler.odds().ok_or(AskError::Samples(samples))?;
            let Some((max_error, limit)) = goal else { return Ok(odds) };
            if odds.standard_error() <= max_error {
                return Ok(odds);
            }
            // The projection can be a few short of the mark; one more each time reaches it.
            samples = odds.samples_for(max_error).max(samples + 1);
            if samples > limit {
                return Err(AskError::MaxErrorTooSmall { max_error, samples, limit });
            }
        }
    }

    /// Finds the odds of many questions, each as [`Ask::evaluate`] would; `pause` is called from time to time in between.
    ///
    /// # Errors
    /// The row and the reason why there is no answer to it.
    pub fn evaluate_all<Q: Question>(
        &self,
        questions: &[Q],
        run: &Run,
        mut pause: impl FnMut(),
    ) -> Result<Vec<OddsOf<Q>>, (usize, AskError)> {
        if let Self::Exact { max_states: limit } = *self {
            // Nothing runs if one of them cannot.
            for (row, states) in questions.iter().map(Q::states).enumerate() {
                if states > limit {
                    return Err((row, StateSpaceError { states, limit }.into()));
                }
            }
        }
        let failed = |row| move |error| (row, error);
        let (short, long): (Vec<usize>, Vec<usize>) =
            (0..questions.len()).partition(|&row| self.is_short(&questions[row]));
        let mut answers: Vec<Option<OddsOf<Q>>> = vec![None; questions.len()];
        // Short answers side by side, group by group; long ones one after the other, each on all threads.
        for group in short.chunks(GROUP) {
            let answer = |&row: &usize| {
                let odds = self.evaluate(&questions[row], run, |_, _| {});
                Ok((row, odds.map_err(failed(row))?))
            };
            let found: Vec<_> = run.on_pool(|| group.par_iter().map(answer).collect::<Result<_, _>>())?;
            for (row, odds) in found {
                answers[row] = Some(odds);
            }
            pause();
        }
        for row in long {
            let odds = self.evaluate(&questions[row], run, |_, _| pause());
            answers[row] = Some(odds.map_err(failed(row))?);
        }
        Ok(answers.into_iter().flatten().collect())
    }

    /// Whether an answer takes so little that the caller's own thread gives it.
    pub fn is_short<Q: Question>(&self, question: &Q) -> bool {
        match *self {
            Self::Exact { .. } => true,
            Self::Sampled { samples } => samples <= Q::Plays::CHUNK,
            Self::Auto { .. } => question.states() <= Q::EXACT_STATE_LIMIT,
        }
    }
}

/// How work is run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Seed of the samples.
    pub seed: u64,
    /// Instructions to play them with.
    pub instruction_set: InstructionSet,
    /// Stops the work when raised.
    pub cancel: &'a Cancel,
    /// Threads to play on; `None` is the current pool.
    pub pool: Option<&'a ThreadPool>,
}

impl Run<'_> {
    /// Does something with the threads of the pool.
    pub fn on_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Threads of the pool.
    pub fn threads(&self) -> u64 {
        self.pool.map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads) as u64
    }

    /// Plays until the sampler has played `total`.
    ///
    /// The pool gets one slice at a time: short enough that many callers take turns on it, and that the caller can
    /// report and be stopped in between.
    fn play<P: Plays>(
        &self,
        sampler: &mut Sampler<P>,
        total: u64,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<(), Cancelled> {
        let slice = P::SLICE * P::CHUNK * self.threads();
        while sampler.samples() < total {
            let count = slice.min(total - sampler.samples());
            if count <= P::CHUNK {
                sampler.play(count, self.cancel)?;
            } else {
                self.on_pool(|| sampler.play(count, self.cancel))?;
            }
            progress(sampler.samples(), total);
        }
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
        /// What the number is.
        field: &'static str,
        /// The number.
        value: String,
    },
    /// The cells do not add up.
    #[error("the cells add up to {found}, not to {expected}")]
    Sum {
        /// What they should add up to.
        expected: String,
        /// What they add up to.
        found: String,
    },
}

impl TableError {
    /// Checks that a table has so many cells.
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
    /// [`TableError`] when they cannot be those of so many samples.
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
