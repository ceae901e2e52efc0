//! One door to odds: as many samples as asked for, or as an error takes.

use rayon::ThreadPool;
use rayon::prelude::*;
use sengoku_kernel::InstructionSet;
use thiserror::Error;

use super::{CHUNK, Cancel, Cancelled, MAX_SAMPLES, Odds, Sampler};
use crate::clash::Clash;

/// How odds are to be found. There is no exact way: the states of a tower are too many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// By playing this many clashes.
    Sampled {
        /// Clashes to play.
        samples: u64,
    },
    /// By sampling down to a standard error.
    Auto {
        /// The standard error to reach.
        max_error: f64,
        /// Most clashes to play for it.
        max_samples: u64,
    },
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AskError {
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
        /// Clashes it takes.
        samples: u64,
        /// Clashes allowed.
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

    /// Finds the odds of a clash.
    ///
    /// `progress` is told from time to time how many clashes have been played and how many will be.
    ///
    /// # Errors
    /// [`AskError`] when the question cannot be answered as asked, or when the flag was raised.
    pub fn evaluate(
        &self,
        clash: &Clash,
        run: &Run,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Odds, AskError> {
        self.validate()?;
        run.cancel.check()?;
        let mut sampler = Sampler::new(clash, run.seed).with_instruction_set(run.instruction_set);
        let (mut samples, goal) = match *self {
            Self::Sampled { samples } => (samples, None),
            Self::Auto { max_error, max_samples } => (CHUNK.min(max_samples), Some((max_error, max_samples))),
        };
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

    /// Finds the odds of many clashes, each as [`Ask::evaluate`] would; `pause` is called from time to time in between.
    ///
    /// # Errors
    /// The row and the reason why there is no answer to it.
    pub fn evaluate_all(
        &self,
        clashes: &[Clash],
        run: &Run,
        mut pause: impl FnMut(),
    ) -> Result<Vec<Odds>, (usize, AskError)> {
        let mut answers = Vec::with_capacity(clashes.len());
        if self.is_short() {
            // Short answers side by side, group by group; long ones one after the other, each on all threads.
            for (number, group) in clashes.chunks(GROUP).enumerate() {
                let answer = |(row, clash): (usize, &Clash)| {
                    self.evaluate(clash, run, |_, _| {}).map_err(|error| (number * GROUP + row, error))
                };
                let found: Vec<Odds> =
                    run.on_pool(|| group.par_iter().enumerate().map(answer).collect::<Result<_, _>>())?;
                answers.extend(found);
                pause();
            }
            return Ok(answers);
        }
        for (row, clash) in clashes.iter().enumerate() {
            answers.push(self.evaluate(clash, run, |_, _| pause()).map_err(|error| (row, error))?);
        }
        Ok(answers)
    }

    /// Whether an answer takes so little that the caller's own thread gives it.
    pub const fn is_short(&self) -> bool {
        matches!(*self, Self::Sampled { samples } if samples <= CHUNK)
    }
}

/// Rows of a batch that are answered side by side before others get their turn on the pool.
const GROUP: usize = 64;

/// How work is run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Seed of the sampled clashes.
    pub seed: u64,
    /// Instructions to play them with.
    pub instruction_set: InstructionSet,
    /// Stops the work when raised.
    pub cancel: &'a Cancel,
    /// Threads to play on; `None` is the current pool.
    pub pool: Option<&'a ThreadPool>,
}

impl Run<'_> {
    pub(crate) fn on_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    pub(crate) fn threads(&self) -> u64 {
        self.pool.map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads) as u64
    }

    /// Plays until the sampler has played `total`, one slice at a time, so that many callers take turns on the pool and
    /// each can report and be stopped in between.
    fn play(
        &self,
        sampler: &mut Sampler,
        total: u64,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<(), Cancelled> {
        let slice = 8 * CHUNK * self.threads();
        while sampler.samples() < total {
            let count = slice.min(total - sampler.samples());
            if count <= CHUNK {
                sampler.play(count, self.cancel)?;
            } else {
                self.on_pool(|| sampler.play(count, self.cancel))?;
            }
            progress(sampler.samples(), total);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clash::{ClashSetup, Party};

    fn clash() -> Clash {
        let party = |colour, cubes| Party { colour, cubes };
        let setup =
            ClashSetup { attacker: party(1, 4), defender: Some(party(2, 3)), ..ClashSetup::default() };
        Clash::new(&setup).unwrap()
    }

    fn run(cancel: &Cancel) -> Run<'_> {
        Run { seed: 1, instruction_set: InstructionSet::best(), cancel, pool: None }
    }

    fn answer(ask: Ask) -> Result<Odds, AskError> {
        ask.evaluate(&clash(), &run(&Cancel::default()), |_, _| {})
    }

    #[test]
    fn as_good_as_asked() {
        let odds = answer(Ask::Auto { max_error: 4e-3, max_samples: MAX_SAMPLES }).unwrap();
        assert!(odds.standard_error() <= 4e-3);
        assert_eq!(answer(Ask::Sampled { samples: odds.samples() }).unwrap(), odds);
    }

    #[test]
    fn questions_without_an_answer() {
        let auto = |max_error, max_samples| answer(Ask::Auto { max_error, max_samples });
        assert_eq!(answer(Ask::Sampled { samples: 0 }), Err(AskError::Samples(0)));
        assert_eq!(
            answer(Ask::Sampled { samples: MAX_SAMPLES + 1 }),
            Err(AskError::Samples(MAX_SAMPLES + 1))
        );
        assert_eq!(auto(0.0, 9), Err(AskError::MaxError(0.0)));
        assert!(matches!(auto(f64::NAN, 9), Err(AskError::MaxError(_))));
        assert!(matches!(auto(1e-9, MAX_SAMPLES), Err(AskError::MaxErrorTooSmall { .. })));
        assert_eq!(auto(0.1, 0), Err(AskError::MaxSamples(0)));
    }

    #[test]
    fn rows_of_a_batch_are_single_answers() {
        let clashes = vec![clash(); 3];
        let cancel = Cancel::default();
        for ask in [Ask::Sampled { samples: 100 }, Ask::Auto { max_error: 0.01, max_samples: MAX_SAMPLES }] {
            let rows = ask.evaluate_all(&clashes, &run(&cancel), || {}).unwrap();
            assert!(rows.iter().all(|row| *row == answer(ask).unwrap()));
        }
        cancel.cancel();
        let stopped = Err((0, AskError::Cancelled(Cancelled)));
        assert_eq!(Ask::Sampled { samples: 10 }.evaluate_all(&clashes[..1], &run(&cancel), || {}), stopped);
    }

    #[test]
    fn progress_reaches_the_total() {
        let mut seen = Vec::new();
        let ask = Ask::Sampled { samples: 100_000 };
        ask.evaluate(&clash(), &run(&Cancel::default()), |done, total| seen.push((done, total))).unwrap();
        assert_eq!(seen.last(), Some(&(100_000, 100_000)));
        assert!(seen.is_sorted());
    }
}
