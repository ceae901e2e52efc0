//! Odds of a clash: who wins and with how many armies, exact or sampled.

mod exact;
mod sample;
mod shelves;

pub use sample::Clashes;
use sengoku_kernel::odds::{Answer, AskError, Question, StateSpaceError, TableError, percentiles};
use sengoku_kernel::{Cancel, Cancelled, InstructionSet};

use crate::clash::{Clash, Winner};

/// The odds of a clash: how often each winner is left with each number of armies.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    clash: Clash,
    weights: Weights,
}

/// How often each end comes up.
#[derive(Clone, Debug, PartialEq)]
enum Weights {
    Exact { probabilities: Vec<f64>, neglected: f64 },
    Sampled { counts: Vec<u64>, samples: u64 },
}

/// States up to which exact odds are affordable: a second or so for the first of a kind, microseconds for the next ones.
pub const EXACT_STATE_LIMIT: u64 = 5_000_000;

/// A tower of three shelves has no exact method, for its law is no chain on counts.
impl Question for Clash {
    type Plays = Clashes;
    const EXACT_STATE_LIMIT: u64 = EXACT_STATE_LIMIT;

    fn states(&self) -> u64 {
        exact::states(self)
    }

    fn is_quick(&self) -> bool {
        exact::is_quick(self)
    }

    fn prepare(questions: &[&Self], cancel: &Cancel) -> Result<(), Cancelled> {
        exact::prepare(questions, cancel)
    }

    fn exact(&self, limit: u64, cancel: &Cancel) -> Result<Odds, AskError> {
        let states = self.states();
        if states > limit || states == u64::MAX {
            return Err(StateSpaceError { states, limit }.into());
        }
        let (probabilities, neglected) = exact::probabilities(self, Odds::columns(self), cancel)?;
        Ok(Odds { clash: self.clone(), weights: Weights::Exact { probabilities, neglected } })
    }

    fn plays(&self, seed: u64, instruction_set: InstructionSet) -> Clashes {
        Clashes::new(self, seed).with_instruction_set(instruction_set)
    }
}

impl Answer for Odds {
    /// Probabilities of the three ends.
    fn ends(&self) -> Vec<f64> {
        Winner::ALL.map(|winner| self.probability(winner)).to_vec()
    }

    fn sample_size(&self) -> Option<u64> {
        match self.weights {
            Weights::Exact { .. } => None,
            Weights::Sampled { samples, .. } => Some(samples),
        }
    }
}

impl Odds {
    /// Numbers of armies that can be left, none included.
    pub fn columns(clash: &Clash) -> usize {
        usize::from(clash.most_armies()) + 1
    }

    /// Odds from their table, as another process counted them.
    ///
    /// # Errors
    /// [`TableError`] when the table is not one of this clash.
    pub fn from_counts(clash: &Clash, counts: Vec<u64>, samples: u64) -> Result<Self, TableError> {
        TableError::check_counts(&counts, Winner::ALL.len() * Self::columns(clash), samples)?;
        Ok(Self::sampled(clash, counts, samples))
    }

    fn sampled(clash: &Clash, counts: Vec<u64>, samples: u64) -> Self {
        Self { clash: clash.clone(), weights: Weights::Sampled { counts, samples } }
    }

    /// Exact odds from their table, as another process computed them.
    ///
    /// # Errors
    /// [`TableError`] when the table is not one of this clash.
    pub fn from_probabilities(
        clash: &Clash,
        probabilities: Vec<f64>,
        neglected: f64,
    ) -> Result<Self, TableError> {
        let numbers = probabilities.iter().map(|&number| ("probability", number));
        for (field, value) in numbers.chain([("neglected", neglected)]) {
            if !(value.is_finite() && value >= 0.0) {
                return Err(TableError::Value { field, value: value.to_string() });
            }
        }
        TableError::check_size(&probabilities, Winner::ALL.len() * Self::columns(clash))?;
        let sum = probabilities.iter().sum::<f64>() + neglected;
        if (sum - 1.0).abs() < 1e-9 {
            Ok(Self { clash: clash.clone(), weights: Weights::Exact { probabilities, neglected } })
        } else {
            Err(TableError::Sum { expected: "1".into(), found: sum.to_string() })
        }
    }

    /// The clash asked about.
    pub const fn clash(&self) -> &Clash {
        &self.clash
    }

    /// How often each end came up: rows by winner, columns by armies left in the province; `None` if exact.
    pub fn counts(&self) -> Option<&[u64]> {
        match &self.weights {
            Weights::Exact { .. } => None,
            Weights::Sampled { counts, .. } => Some(counts),
        }
    }

    /// Probability that an exact answer left out: no probability is wrong by more.
    pub const fn neglected(&self) -> f64 {
        match self.weights {
            Weights::Exact { neglected, .. } => neglected,
            Weights::Sampled { .. } => 0.0,
        }
    }

    /// Probability of each end, rows by winner, columns by armies left in the province.
    pub fn table(&self) -> Vec<f64> {
        match &self.weights {
            Weights::Exact { probabilities, .. } => probabilities.clone(),
            Weights::Sampled { counts, samples } => {
                counts.iter().map(|&count| count as f64 / *samples as f64).collect()
            }
        }
    }

    /// Sums of a part of a winner's row.
    fn sum(&self, winner: Winner, part: std::ops::RangeFrom<usize>) -> f64 {
        let columns = Self::columns(&self.clash);
        let row = winner as usize * columns..(winner as usize + 1) * columns;
        match &self.weights {
            Weights::Exact { probabilities, .. } => probabilities[row][part].iter().sum(),
            Weights::Sampled { counts, samples } => {
                counts[row][part].iter().sum::<u64>() as f64 / *samples as f64
            }
        }
    }

    /// Probability that the clash ends so.
    pub fn probability(&self, winner: Winner) -> f64 {
        self.sum(winner, 0..)
    }

    /// Probability of each number of armies that a side has in the province afterwards; a side that loses has 0.
    pub fn armies_left(&self, side: Winner) -> Vec<f64> {
        let columns = Self::columns(&self.clash);
        let mut left = self.table()[side as usize * columns..][..columns].to_vec();
        left[0] = match &self.weights {
            Weights::Exact { .. } => (1.0 - self.sum(side, 1..)).max(0.0),
            Weights::Sampled { counts, samples } => {
                let others: u64 = counts[side as usize * columns..][1..columns].iter().sum();
                (samples - others) as f64 / *samples as f64
            }
        };
        left
    }

    /// The smallest number of armies left to a side that is not exceeded with the given chance, for each percentage.
    pub fn percentiles(&self, side: Winner, percentages: &[f64]) -> Vec<usize> {
        percentiles(&self.armies_left(side), percentages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clash::{ClashSetup, Party};
    use crate::data::Cubes;

    fn duel() -> Clash {
        let party = |colour| Party { colour, cubes: 1 };
        let contents = Some(Cubes([0, 1, 0, 0, 0, 2]));
        let setup =
            ClashSetup { attacker: party(0), defender: Some(party(1)), contents, ..ClashSetup::default() };
        Clash::new(&setup).unwrap()
    }

    #[test]
    fn what_follows_from_the_counts() {
        // attacker, defender, nobody by 0, 1 and 2 armies
        let odds = Odds::from_counts(&duel(), vec![0, 40, 0, 0, 20, 10, 30, 0, 0], 100).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(odds.probability(Winner::Attacker), 0.4);
        close(odds.probability(Winner::Defender), 0.3);
        close(odds.probability(Winner::Nobody), 0.3);
        close(odds.armies_left(Winner::Defender)[0], 0.7);
        close(odds.armies_left(Winner::Defender)[2], 0.1);
        assert_eq!(
            odds.percentiles(Winner::Defender, &[0.0, 70.0, 71.0, 90.0, 91.0, 100.0]),
            [0, 0, 1, 1, 2, 2]
        );
        close(odds.standard_error(), (40.5 * 60.5_f64).sqrt() / 1010.0);
        assert!((239_000..=241_000).contains(&odds.samples_for(1e-3)));
    }

    #[test]
    fn tables_that_cannot_be() {
        let counts = vec![0, 40, 0, 0, 20, 10, 30, 0, 0];
        let size = TableError::Size { expected: 9, found: 8 };
        assert_eq!(Odds::from_counts(&duel(), counts[1..].to_vec(), 100), Err(size));
        assert!(matches!(Odds::from_counts(&duel(), counts, 99), Err(TableError::Sum { .. })));
    }
}
