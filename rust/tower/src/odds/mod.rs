//! Odds of a clash, sampled: counts of who wins and with how many armies.

mod sample;

pub use sample::Clashes;
use sengoku_kernel::InstructionSet;
use sengoku_kernel::odds::{Answer, Question, TableError, percentiles};

use crate::clash::{Clash, Winner};

/// The odds of a clash: how often each winner was left with each number of armies.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    clash: Clash,
    counts: Vec<u64>,
    samples: u64,
}

/// There is no exact method: a tower has too many states.
impl Question for Clash {
    type Plays = Clashes;

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
        Some(self.samples)
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

    /// Probability of each number of armies that a side has in the province afterwards; a side that loses has 0.
    pub fn armies_left(&self, side: Winner) -> Vec<f64> {
        let mut left = self.row(side).to_vec();
        left[0] = self.samples - left[1..].iter().sum::<u64>();
        left.into_iter().map(|count| count as f64 / self.samples as f64).collect()
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
