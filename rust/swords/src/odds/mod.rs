//! Odds of a battle: exact by dynamic programming, or sampled.
//!
//! With fixed loss orders a side is a function of the number of units it has lost (see [`Side::choose`]), so a battle is
//! a walk over pairs of two small numbers. [`Roster`] lists what a side is after each number of losses; everything else
//! in this module works on such pairs.

mod ask;
mod exact;
mod hits;
mod sample;

use arrayvec::ArrayVec;
use thiserror::Error;

pub use ask::{Ask, AskError};
pub use exact::{EXACT_STATE_LIMIT, StateSpaceError, exact, exact_states};
pub use sample::{CHUNK, Cancel, Cancelled, MAX_SAMPLES, Sampler};

use crate::battle::Battle;
use crate::force::{Force, Side};
use crate::play::combat::{BattleEnd, Role};

/// Most units on one side: an army, a provincial force, all ronin they lead and the bonus units of a fortress.
pub const MAX_UNITS: usize = 15 + 5 + 18 + 5;

/// A side after each number of losses, from none to all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster(ArrayVec<Side, { MAX_UNITS + 1 }>);

impl Roster {
    /// The roster of a side of a battle.
    pub fn new(battle: &Battle, role: Role) -> Self {
        let mut side = *battle.side(role);
        let mut rows = ArrayVec::new();
        rows.push(side);
        while side.total() > 0 {
            side.remove(&side.choose(battle.losses(role), 1));
            rows.push(side);
        }
        Self(rows)
    }

    /// The side after each number of losses.
    pub fn sides(&self) -> &[Side] {
        &self.0
    }

    /// Units at the start.
    pub fn units(&self) -> usize {
        self.0.len() - 1
    }
}

/// How odds were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By dynamic programming over all states.
    Exact,
    /// By playing this many battles.
    Sampled {
        /// Number of battles.
        samples: u64,
    },
}

/// How often each end of a battle comes up.
#[derive(Clone, Debug, PartialEq)]
enum Weights {
    Exact { probabilities: Vec<f64>, rounds_mean: f64 },
    Sampled { counts: Vec<u64>, samples: u64, rounds: u64 },
}

/// The odds of a battle: the joint distribution of both sides' losses, and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    battle: Battle,
    attacker: Roster,
    defender: Roster,
    weights: Weights,
}

/// Why a table cannot be the odds of a battle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// Too many or too few cells.
    #[error("the table has {found} cells, this battle has {expected}")]
    Size {
        /// Cells there should be.
        expected: usize,
        /// Cells there are.
        found: usize,
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

impl Odds {
    fn new(battle: &Battle, weights: Weights) -> Self {
        let [attacker, defender] = Role::BOTH.map(|role| Roster::new(battle, role));
        Self { battle: *battle, attacker, defender, weights }
    }

    /// Exact odds from their table, as another process computed them.
    ///
    /// # Errors
    /// [`TableError`] when the table is not one of this battle.
    pub fn from_probabilities(
        battle: &Battle,
        probabilities: Vec<f64>,
        rounds_mean: f64,
    ) -> Result<Self, TableError> {
        let sum: f64 = probabilities.iter().sum();
        let odds = Self::new(battle, Weights::Exact { probabilities, rounds_mean });
        odds.check_size()?;
        if (sum - 1.0).abs() < 1e-9 {
            Ok(odds)
        } else {
            Err(TableError::Sum { expected: "1".into(), found: sum.to_string() })
        }
    }

    /// Sampled odds from their table, as another process counted them.
    ///
    /// # Errors
    /// [`TableError`] when the table is not one of this battle.
    pub fn from_counts(
        battle: &Battle,
        counts: Vec<u64>,
        samples: u64,
        rounds: u64,
    ) -> Result<Self, TableError> {
        let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        let odds = Self::new(battle, Weights::Sampled { counts, samples, rounds });
        odds.check_size()?;
        if sum == u128::from(samples) {
            Ok(odds)
        } else {
            Err(TableError::Sum { expected: samples.to_string(), found: sum.to_string() })
        }
    }

    fn check_size(&self) -> Result<(), TableError> {
        let expected = self.attacker.sides().len() * self.defender.sides().len();
        let found = match &self.weights {
            Weights::Exact { probabilities, .. } => probabilities.len(),
            Weights::Sampled { counts, .. } => counts.len(),
        };
        if found == expected { Ok(()) } else { Err(TableError::Size { expected, found }) }
    }

    /// The battle asked about.
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// How the odds were found.
    pub const fn method(&self) -> Method {
        match self.weights {
            Weights::Exact { .. } => Method::Exact,
            Weights::Sampled { samples, .. } => Method::Sampled { samples },
        }
    }

    /// A side after each number of losses.
    pub const fn roster(&self, role: Role) -> &Roster {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    /// Probability of each pair of losses: rows by units the attacker lost, columns by units the defender lost.
    pub fn table(&self) -> Vec<f64> {
        match &self.weights {
            Weights::Exact { probabilities, .. } => probabilities.clone(),
            Weights::Sampled { counts, samples, .. } => {
                counts.iter().map(|&count| count as f64 / *samples as f64).collect()
            }
        }
    }

    /// How often each pair of losses came up, if sampled.
    pub fn counts(&self) -> Option<&[u64]> {
        match &self.weights {
            Weights::Exact { .. } => None,
            Weights::Sampled { counts, .. } => Some(counts),
        }
    }

    /// Combat rounds of all sampled battles together.
    pub const fn rounds_total(&self) -> Option<u64> {
        match self.weights {
            Weights::Exact { .. } => None,
            Weights::Sampled { rounds, .. } => Some(rounds),
        }
    }

    /// Mean number of combat rounds.
    pub fn rounds_mean(&self) -> f64 {
        match self.weights {
            Weights::Exact { rounds_mean, .. } => rounds_mean,
            Weights::Sampled { samples, rounds, .. } => rounds as f64 / samples as f64,
        }
    }

    /// Sums the cells that `wanted` picks by the losses of both sides.
    fn sum(&self, mut wanted: impl FnMut(usize, usize) -> bool) -> f64 {
        let columns = self.defender.sides().len();
        let mut picked = |cell: &usize| wanted(cell / columns, cell % columns);
        match &self.weights {
            Weights::Exact { probabilities, .. } => {
                (0..probabilities.len()).filter(&mut picked).map(|cell| probabilities[cell]).sum()
            }
            Weights::Sampled { counts, samples, .. } => {
                let count: u64 = (0..counts.len()).filter(&mut picked).map(|cell| counts[cell]).sum();
                count as f64 / *samples as f64
            }
        }
    }

    /// Probability that the battle ends so.
    pub fn probability(&self, end: BattleEnd) -> f64 {
        let (all_attackers, all_defenders) = (self.attacker.units(), self.defender.units());
        self.sum(|attacker, defender| end_of(attacker == all_attackers, defender == all_defenders) == end)
    }

    /// Probability of each number of units left to a side, bonus units not counted.
    pub fn units_left(&self, role: Role) -> Vec<f64> {
        let roster = self.roster(role).sides();
        let mut left = vec![0.0; usize::from(roster[0].standing()) + 1];
        for (lost, probability) in self.lost(role).into_iter().enumerate() {
            left[usize::from(roster[lost].standing())] += probability;
        }
        left
    }

    /// Probability of each number of bonus units left to the defender.
    pub fn bonus_left(&self) -> Vec<f64> {
        let roster = self.defender.sides();
        let mut left = vec![0.0; usize::from(roster[0].bonus) + 1];
        for (lost, probability) in self.lost(Role::Defender).into_iter().enumerate() {
            left[usize::from(roster[lost].bonus)] += probability;
        }
        left
    }

    /// Probability of each number of units lost by a side, bonus units among them.
    pub fn lost(&self, role: Role) -> Vec<f64> {
        let rows = 0..self.roster(role).sides().len();
        rows.map(|lost| {
            self.sum(|attacker, defender| match role {
                Role::Attacker => attacker == lost,
                Role::Defender => defender == lost,
            })
        })
        .collect()
    }

    /// What is left of a side, both forces together, with its probability; most units first, impossible ones not.
    pub fn left(&self, role: Role) -> Vec<(Force, f64)> {
        let mut left: Vec<(Force, f64)> = Vec::new();
        for (side, probability) in self.roster(role).sides().iter().zip(self.lost(role)) {
            let force = side.combined();
            match left.last_mut() {
                // While only bonus units fall, the forces stay the same.
                Some((last, sum)) if *last == force => *sum += probability,
                _ => left.push((force, probability)),
            }
        }
        left.retain(|&(_, probability)| probability > 0.0);
        left
    }

    /// The smallest number of units left (bonus units not counted) that is not exceeded with the given chance, for each
    /// percentage.
    pub fn percentiles(&self, role: Role, percentages: &[f64]) -> Vec<usize> {
        let left = self.units_left(role);
        let percentile = |percentage: f64| {
            let mut sum = 0.0;
            // Rounding must not push the 100th percentile past the last value that occurs.
            let wanted = percentage / 100.0 - 1e-12;
            let last = left.iter().rposition(|&probability| probability > 0.0).unwrap_or(0);
            (0..last)
                .find(|&units| {
                    sum += left[units];
                    sum >= wanted && sum > 0.0
                })
                .unwrap_or(last)
        };
        percentages.iter().copied().map(percentile).collect()
    }

    /// Standard error of the least certain of the four probabilities; 0 if exact.
    ///
    /// Half a success and half a failure are added to each count, so that an end which never came up is not called
    /// impossible.
    pub fn standard_error(&self) -> f64 {
        let Weights::Sampled { samples, .. } = self.weights else { return 0.0 };
        let samples = samples as f64;
        let error = |end| {
            let p = (self.probability(end) * samples + 0.5) / (samples + 1.0);
            (p * (1.0 - p) / samples).sqrt()
        };
        BattleEnd::ALL.map(error).into_iter().fold(0.0, f64::max)
    }
}

/// How a battle stands that nobody continues.
const fn end_of(attackers_gone: bool, defenders_gone: bool) -> BattleEnd {
    match (attackers_gone, defenders_gone) {
        (true, true) => BattleEnd::Nobody,
        (true, false) => BattleEnd::Defender,
        (false, true) => BattleEnd::Attacker,
        (false, false) => BattleEnd::CalledOff,
    }
}
