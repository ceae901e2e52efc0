//! Odds of a clash, sampled: counts of who wins and with how many armies.

mod ask;
mod sample;

use thiserror::Error;

pub use ask::{Ask, AskError, Run};
pub use sample::{CHUNK, MAX_SAMPLES, Sampler};
pub use sengoku_kernel::{Cancel, Cancelled};

use crate::clash::{Clash, Winner};

/// The odds of a clash: how often each winner was left with each number of armies.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    clash: Clash,
    counts: Vec<u64>,
    samples: u64,
}

/// Why a table cannot be the odds of a clash.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// Too many or too few cells.
    #[error("the table has {found} cells, this clash has {expected}")]
    Size {
        /// Cells there should be.
        expected: usize,
        /// Cells there are.
        found: usize,
    },
    /// No sample at all.
    #[error("samples is 0")]
    Empty,
    /// The cells do not add up.
    #[error("the cells add up to {found}, not to {expected}")]
    Sum {
        /// What they should add up to.
        expected: u64,
        /// What they add up to.
        found: u128,
    },
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
        let (expected, found) = (Winner::ALL.len() * Self::columns(clash), counts.len());
        if expected != found {
            return Err(TableError::Size { expected, found });
        }
        if samples == 0 {
            return Err(TableError::Empty);
        }
        let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if sum != u128::from(samples) {
            return Err(TableError::Sum { expected: samples, found: sum });
        }
        Ok(Self { clash: clash.clone(), counts, samples })
    }

    /// The clash asked about.
    pub const fn clash(&self) -> &Clash {
        &self.clash
    }

    /// Clashes played.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// How often each end came up: rows by winner, columns by armies left in the province.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Probability of each end, as [`Odds::counts`].
    pub fn table(&self) -> Vec<f64> {
        self.counts.iter().map(|&count| count as f64 / self.samples as f64).collect()
    }

    fn row(&self, winner: Winner) -> &[u64] {
        let columns = Self::columns(&self.clash);
        &self.counts[winner as usize * columns..][..columns]
    }

    /// Probability that the clash ends so.
    pub fn probability(&self, winner: Winner) -> f64 {
        self.row(winner).iter().sum::<u64>() as f64 / self.samples as f64
    }

    /// Probability of each number of armies that a side has in the province afterwards; whoever does not hold it has none.
    pub fn armies_left(&self, side: Winner) -> Vec<f64> {
        let mut left = self.row(side).to_vec();
        left[0] = self.samples - left[1..].iter().sum::<u64>();
        left.into_iter().map(|count| count as f64 / self.samples as f64).collect()
    }

    /// The smallest number of armies left to a side that is not exceeded with the given chance, for each percentage.
    pub fn percentiles(&self, side: Winner, percentages: &[f64]) -> Vec<usize> {
        let left = self.armies_left(side);
        let last = left.iter().rposition(|&probability| probability > 0.0).unwrap_or(0);
        let percentile = |percentage: f64| {
            if percentage >= 100.0 {
                return last; // however small its chance
            }
            let (mut sum, wanted) = (0.0, percentage / 100.0 - 1e-12);
            let reaches = |armies: &usize| {
                sum += left[*armies];
                sum >= wanted && sum > 0.0
            };
            (0..last).find(reaches).unwrap_or(last)
        };
        percentages.iter().copied().map(percentile).collect()
    }

    /// Standard error of the least certain of the three probabilities.
    ///
    /// Half a success and half a failure are added to each count, so that an end which never came up is not called
    /// impossible.
    pub fn standard_error(&self) -> f64 {
        self.expected_error(self.samples as f64)
    }

    /// The standard error that a sample of another size with the same shares would have.
    fn expected_error(&self, samples: f64) -> f64 {
        let error = |winner| {
            let p = (self.probability(winner) * samples + 0.5) / (samples + 1.0);
            (p * (1.0 - p) / samples).sqrt()
        };
        Winner::ALL.map(error).into_iter().fold(0.0, f64::max)
    }

    /// The smallest sample that is expected to bring the standard error down to `max_error`.
    fn samples_for(&self, max_error: f64) -> u64 {
        let (mut too_few, mut enough) = (0, 1 << 62); // more than anybody can play
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if self.expected_error(middle as f64) <= max_error {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        enough
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
        assert_eq!(Odds::from_counts(&duel(), vec![0; 9], 0), Err(TableError::Empty));
        let sum = TableError::Sum { expected: 99, found: 100 };
        assert_eq!(Odds::from_counts(&duel(), counts, 99), Err(sum));
    }
}
