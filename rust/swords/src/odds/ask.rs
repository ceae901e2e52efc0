//! One door to odds: exact, sampled, or whatever is affordable.

use sengoku_kernel::InstructionSet;
use thiserror::Error;

use crate::battle::Battle;

use super::{
    CHUNK, Cancel, Cancelled, EXACT_STATE_LIMIT, MAX_SAMPLES, Odds, Sampler, StateSpaceError, exact,
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
    /// An error that is none.
    #[error("max_error is {0}, it must be a number above 0")]
    MaxError(f64),
    /// An error so small that it takes too long.
    #[error("max_error is {max_error}, which takes about {samples} samples, the limit is {limit}")]
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
            Self::Auto { max_error, .. } if !(max_error.is_finite() && max_error > 0.0) => {
                Err(AskError::MaxError(max_error))
            }
            _ => Ok(()),
        }
    }

    /// Finds the odds of a battle on the threads of the current pool.
    ///
    /// `progress` is told from time to time how many battles have been played and how many will be.
    ///
    /// # Errors
    /// [`AskError`] when the question cannot be answered as asked, or when `cancel` was raised.
    pub fn evaluate(
        &self,
        battle: &Battle,
        seed: u64,
        instruction_set: InstructionSet,
        cancel: &Cancel,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Odds, AskError> {
        self.validate()?;
        let sampler = || Sampler::new(battle, seed).with_instruction_set(instruction_set);
        match *self {
            Self::Exact { max_states } => Ok(exact(battle, max_states)?),
            Self::Sampled { samples } => {
                let mut sampler = sampler();
                play(&mut sampler, samples, cancel, &mut progress)?;
                sampler.odds().ok_or(AskError::Samples(samples))
            }
            Self::Auto { max_error, max_samples: limit } => {
                if let Ok(odds) = exact(battle, EXACT_STATE_LIMIT) {
                    return Ok(odds);
                }
                let mut sampler = sampler();
                play(&mut sampler, CHUNK.min(limit.max(1)), cancel, &mut progress)?;
                loop {
                    let samples = sampler.samples_needed(max_error);
                    if samples <= sampler.samples() {
                        return sampler.odds().ok_or(AskError::Samples(samples));
                    }
                    if samples > limit.min(MAX_SAMPLES) {
                        return Err(AskError::MaxErrorTooSmall { max_error, samples, limit });
                    }
                    play(&mut sampler, samples, cancel, &mut progress)?;
                }
            }
        }
    }
}

/// Plays until the sampler has played `total`, in slices short enough to report and to be interrupted between them.
fn play(
    sampler: &mut Sampler,
    total: u64,
    cancel: &Cancel,
    progress: &mut impl FnMut(u64, u64),
) -> Result<(), Cancelled> {
    let slice = 32 * CHUNK * rayon::current_num_threads() as u64;
    while sampler.samples() < total {
        sampler.play(slice.min(total - sampler.samples()), cancel)?;
        progress(sampler.samples(), total);
    }
    Ok(())
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

    fn answer(ask: Ask, after: u32) -> Result<Odds, AskError> {
        ask.evaluate(&battle(after), 1, InstructionSet::best(), &Cancel::default(), |_, _| {})
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
    }

    #[test]
    fn progress_reaches_the_total() {
        let mut seen = Vec::new();
        let ask = Ask::Sampled { samples: 10_000_000 };
        ask.evaluate(&battle(0), 1, InstructionSet::best(), &Cancel::default(), |done, total| {
            seen.push((done, total));
        })
        .unwrap();
        assert_eq!(seen.last(), Some(&(10_000_000, 10_000_000)));
        assert!(seen.is_sorted());
    }
}
