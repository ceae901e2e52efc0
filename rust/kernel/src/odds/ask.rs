//! Requests for odds: exact, sampled or automatic, and how the work is run.

use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::{Answer, MAX_SAMPLES, OddsOf, Plays, Question, Sampler};
use crate::{Cancel, Cancelled, InstructionSet};

/// Rows of a batch that are answered side by side before others get their turn on the pool.
const GROUP: usize = 64;

/// A request for odds: the method and its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// Exactly, visiting at most this many states.
    Exact {
        /// Most states to visit.
        max_states: u64,
    },
    /// Sampled with a number of plays.
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
#[error("{}", self.message())]
pub struct StateSpaceError {
    /// States of the question.
    pub states: u64,
    /// States allowed.
    pub limit: u64,
}

impl StateSpaceError {
    fn message(&self) -> String {
        if self.states == u64::MAX {
            return "there is no exact answer, sampled odds are possible".into();
        }
        format!("an exact answer needs {} states, the limit is {}", self.states, self.limit)
    }
}

/// Errors of a request for odds.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AskError {
    /// The question has too many states.
    #[error(transparent)]
    StateSpace(#[from] StateSpaceError),
    /// A number of samples that cannot be played.
    #[error("samples is {0}, 1 to {MAX_SAMPLES} are possible")]
    Samples(u64),
    /// A limit on samples that is out of range.
    #[error("max_samples is {0}, 1 to {MAX_SAMPLES} are possible")]
    MaxSamples(u64),
    /// A maximum error that is not a positive number.
    #[error("max_error is {0}, it must be a number above 0")]
    MaxError(f64),
    /// An error so small that it takes too long.
    #[error("max_error is {max_error:e}, which takes about {samples} samples, the limit is {limit}")]
    MaxErrorTooSmall {
        /// The requested error.
        max_error: f64,
        /// Samples it takes.
        samples: u64,
        /// Samples allowed.
        limit: u64,
    },
    /// The work was cancelled.
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
    /// `progress` is called from time to time with the number of samples played and the total.
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
            Self::Exact { max_states } => {
                return run.on_pool(|| question.exact(max_states, run.cancel));
            }
            Self::Sampled { samples } => (samples, None),
            Self::Auto { max_error, max_samples } => {
                match run.on_pool(|| question.exact(Q::EXACT_STATE_LIMIT, run.cancel)) {
                    Err(AskError::StateSpace(_)) => {}
                    found => return found,
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
    /// The row that failed, and its error.
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
        let exact: Vec<&Q> = questions.iter().filter(|question| self.is_exact(*question)).collect();
        run.on_pool(|| Q::prepare(&exact, run.cancel)).map_err(|error| (0, error.into()))?;
        pause();
        let short = |row: &usize| self.is_exact(&questions[*row]) || self.is_short(&questions[*row]);
        let (short, long): (Vec<usize>, Vec<usize>) = (0..questions.len()).partition(short);
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
            Self::Sampled { samples } => samples <= Q::Plays::CHUNK,
            _ => self.is_exact(question) && question.is_quick(),
        }
    }

    /// Whether the answer is exact, or an error.
    fn is_exact<Q: Question>(&self, question: &Q) -> bool {
        match *self {
            Self::Exact { .. } => true,
            Self::Sampled { .. } => false,
            Self::Auto { .. } => question.states() <= Q::EXACT_STATE_LIMIT,
        }
    }
}

/// Execution settings of a request.
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
    /// Runs work on the threads of the pool.
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
