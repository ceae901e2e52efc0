//! One door to odds: exact, sampled, or whatever is affordable.

use rayon::ThreadPool;
use rayon::prelude::*;
use sengoku_kernel::InstructionSet;
use thiserror::Error;

use crate::battle::Battle;

use super::{
    CHUNK, Cancel, Cancelled, EXACT_STATE_LIMIT, MAX_SAMPLES, Odds, Sampler, StateSpaceError, exact,
    exact_states,
};

/// How odds are to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// Exactly, visiting at most this many states.
    Exact {
        /// Most states to visit.
        max_states: u64,
    },
    /// By playing this many battles.
    Sampled {
        /// Battles to play.
        samples: u64,
    },
    /// Exactly if the battle has at most [`EXACT_STATE_LIMIT`] states, else by sampling down to a standard error.
    Auto {
        /// The standard error to reach.
        max_error: f64,
        /// Most battles to play for it.
        max_samples: u64,
    },
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AskError {
    /// The battle has too many states.
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
        /// Battles it takes.
        samples: u64,
        /// Battles allowed.
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

    /// Finds the odds of a battle.
    ///
    /// `progress` is told from time to time how many battles have been played and how many will be.
    ///
    /// # Errors
    /// [`AskError`] when the question cannot be answered as asked, or when the flag was raised.
    pub fn evaluate(
        &self,
        battle: &Battle,
        run: &Run,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Odds, AskError> {
        self.validate()?;
        run.cancel.check()?;
        let sampler = || Sampler::new(battle, run.seed).with_instruction_set(run.instruction_set);
        match *self {
            Self::Exact { max_states } => Ok(exact(battle, max_states)?),
            Self::Sampled { samples } => {
                let mut sampler = sampler();
                run.play(&mut sampler, samples, &mut progress)?;
                sampler.odds().ok_or(AskError::Samples(samples))
            }
            Self::Auto { max_error, max_samples: limit } => {
                if let Ok(odds) = exact(battle, EXACT_STATE_LIMIT) {
                    return Ok(odds);
                }
                let mut sampler = sampler();
                let mut samples = CHUNK.min(limit);
                loop {
                    run.play(&mut sampler, samples, &mut progress)?;
                    let odds = sampler.odds().ok_or(AskError::Samples(samples))?;
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
        }
    }

    /// Finds the odds of many battles, each as [`Ask::evaluate`] would; `pause` is called from time to time in between.
    ///
    /// # Errors
    /// The row and the reason why there is no answer to it.
    pub fn evaluate_all(
        &self,
        battles: &[Battle],
        run: &Run,
        mut pause: impl FnMut(),
    ) -> Result<Vec<Odds>, (usize, AskError)> {
        if let Self::Exact { max_states: limit } = *self {
            // Nothing runs if one of them cannot.
            for (row, states) in battles.iter().map(exact_states).enumerate() {
                if states > limit {
                    return Err((row, StateSpaceError { states, limit }.into()));
                }
            }
        }
        let failed = |row| move |error| (row, error);
        let (short, long): (Vec<usize>, Vec<usize>) =
            (0..battles.len()).partition(|&row| self.is_short(&battles[row]));
        let mut answers: Vec<Option<Odds>> = vec![None; battles.len()];
        // Short answers side by side, group by group; long ones one after the other, each on all threads.
        for group in short.chunks(GROUP) {
            let answer = |&row: &usize| {
                let odds = self.evaluate(&battles[row], run, |_, _| {});
                Ok((row, odds.map_err(failed(row))?))
            };
            let found: Vec<_> = run.on_pool(|| group.par_iter().map(answer).collect::<Result<_, _>>())?;
            for (row, odds) in found {
                answers[row] = Some(odds);
            }
            pause();
        }
        for row in long {
            let odds = self.evaluate(&battles[row], run, |_, _| pause());
            answers[row] = Some(odds.map_err(failed(row))?);
        }
        Ok(answers.into_iter().flatten().collect())
    }

    /// Whether an answer takes so little that the caller's own thread gives it.
    pub fn is_short(&self, battle: &Battle) -> bool {
        match *self {
            Self::Exact { .. } => true,
            Self::Sampled { samples } => samples <= CHUNK,
            Self::Auto { .. } => exact_states(battle) <= EXACT_STATE_LIMIT,
        }
    }
}

/// Rows of a batch that are answered side by side before others get their turn on the pool.
const GROUP: usize = 64;

/// How work is run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Seed of the sampled battles.
    pub seed: u64,
    /// Instructions to play them with.
    pub instruction_set: InstructionSet,
    /// Stops the work when raised.
    pub cancel: &'a Cancel,
    /// Threads to play on; `None` is the current pool.
    pub pool: Option<&'a ThreadPool>,
}

impl Run<'_> {
    fn on_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Plays until the sampler has played `total`.
    ///
    /// The pool gets one slice at a time: short enough that many callers take turns on it, and that the caller can
    /// report and be stopped in between.
    fn play(
        &self,
        sampler: &mut Sampler,
        total: u64,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<(), Cancelled> {
        let threads = self.pool.map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
        let slice = 32 * CHUNK * threads as u64;
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
    use crate::battle::{BattleSetup, BreakOff};
    use crate::force::Force;
    use crate::odds::Method;
    use crate::play::combat::BattleEnd;

    fn battle(after: u32) -> Battle {
        let army = Force::of([1, 1, 1, 1, 0, 2]);
        let break_off = BreakOff { below: 0, after };
        Battle::new(&BattleSetup {
            attacker: army,
            defenders: vec![army],
            break_off,
            ..BattleSetup::default()
        })
        .unwrap()
    }

    fn run(cancel: &Cancel) -> Run<'_> {
        Run { seed: 1, instruction_set: InstructionSet::best(), cancel, pool: None }
    }

    fn answer(ask: Ask, after: u32) -> Result<Odds, AskError> {
        ask.evaluate(&battle(after), &run(&Cancel::default()), |_, _| {})
    }

    fn auto(max_error: f64) -> Ask {
        Ask::Auto { max_error, max_samples: MAX_SAMPLES }
    }

    #[test]
    fn auto_is_exact_where_that_is_affordable() {
        assert_eq!(answer(auto(1e-4), 0).unwrap().method(), Method::Exact);
        let sampled = answer(auto(1e-3), 1_000_000).unwrap();
        assert!(matches!(sampled.method(), Method::Sampled { .. }));
        assert!(sampled.standard_error() <= 1e-3);
        let exact = answer(Ask::Exact { max_states: EXACT_STATE_LIMIT }, 0).unwrap();
        let difference = sampled.probability(BattleEnd::Attacker) - exact.probability(BattleEnd::Attacker);
        assert!(difference.abs() < 5e-3);
    }

    #[test]
    fn questions_without_an_answer() {
        assert_eq!(answer(Ask::Sampled { samples: 0 }, 0), Err(AskError::Samples(0)));
        let too_many = MAX_SAMPLES + 1;
        assert_eq!(answer(Ask::Sampled { samples: too_many }, 0), Err(AskError::Samples(too_many)));
        assert_eq!(Ask::Sampled { samples: MAX_SAMPLES }.validate(), Ok(()));
        assert_eq!(answer(auto(0.0), 0), Err(AskError::MaxError(0.0)));
        assert!(matches!(answer(auto(f64::NAN), 0), Err(AskError::MaxError(_))));
        assert!(matches!(answer(auto(1e-9), 1_000_000), Err(AskError::MaxErrorTooSmall { .. })));
        assert!(matches!(answer(Ask::Exact { max_states: 3 }, 0), Err(AskError::StateSpace(_))));
        let none = Ask::Auto { max_error: 0.1, max_samples: 0 };
        assert_eq!(answer(none, 0), Err(AskError::MaxSamples(0)));
    }

    #[test]
    fn progress_reaches_the_total() {
        let mut seen = Vec::new();
        let ask = Ask::Sampled { samples: 10_000_000 };
        ask.evaluate(&battle(0), &run(&Cancel::default()), |done, total| seen.push((done, total))).unwrap();
        assert_eq!(seen.last(), Some(&(10_000_000, 10_000_000)));
        assert!(seen.is_sorted());
    }

    #[test]
    fn rows_of_a_batch_are_single_answers() {
        let battles = [battle(0), battle(1_000_000), battle(3)];
        let cancel = Cancel::default();
        for ask in [Ask::Sampled { samples: 1000 }, Ask::Sampled { samples: 200_000 }, auto(1e-3)] {
            let rows = ask.evaluate_all(&battles, &run(&cancel), || {}).unwrap();
            let single = battles.map(|battle| ask.evaluate(&battle, &run(&cancel), |_, _| {}).unwrap());
            assert_eq!(rows, single);
        }
        let exact = Ask::Exact { max_states: EXACT_STATE_LIMIT };
        assert!(matches!(
            exact.evaluate_all(&battles, &run(&cancel), || {}),
            Err((1, AskError::StateSpace(_)))
        ));
        cancel.cancel();
        let stopped = Err((0, AskError::Cancelled(Cancelled)));
        assert_eq!(Ask::Sampled { samples: 10 }.evaluate_all(&battles[..1], &run(&cancel), || {}), stopped);
    }

    #[test]
    fn a_child_flag_hears_its_parent() {
        let parent = std::sync::Arc::new(Cancel::default());
        let child = Cancel::child(std::sync::Arc::clone(&parent));
        let other = Cancel::child(std::sync::Arc::clone(&parent));
        child.cancel();
        assert!(child.is_cancelled() && !parent.is_cancelled() && !other.is_cancelled());
        parent.cancel();
        assert!(other.is_cancelled());
    }
}
