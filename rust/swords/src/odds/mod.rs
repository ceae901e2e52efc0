//! Odds of a battle: exact by dynamic programming, or sampled.
//!
//! With fixed loss orders a side is a function of the number of units it has lost (see [`Side::choose`]), so a battle is
//! a walk over pairs of two small numbers. [`Roster`] lists what a side is after each number of losses; everything else
//! in this module works on such pairs.

mod exact;
mod hits;
mod sample;

use arrayvec::ArrayVec;
pub use exact::{EXACT_STATE_LIMIT, exact, exact_states};
pub use sample::Battles;
use sengoku_kernel::odds::{Answer, AskError, Question, TableError, percentiles};
use sengoku_kernel::{Cancel, InstructionSet};

use crate::battle::{Battle, MAX_ATTACKERS};
use crate::data::{FORTRESS_BONUS, PROV_MAX};
use crate::force::{Force, Side};
use crate::play::combat::{BattleEnd, Role};

/// Most units that can defend, bonus units not counted: an army, a provincial force and the ronin they lead.
pub const MAX_DEFENDERS: u8 = MAX_ATTACKERS + 2 * PROV_MAX - 1;
/// Most units on one side of a battle: the bonus units of a fortress stand with the defenders.
const MAX_UNITS: usize = (MAX_DEFENDERS + FORTRESS_BONUS) as usize;

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

    /// The rosters of both sides of a battle, the attacker's first.
    pub fn both(battle: &Battle) -> [Self; 2] {
        Role::BOTH.map(|role| Self::new(battle, role))
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

impl Question for Battle {
    type Plays = Battles;
    const EXACT_STATE_LIMIT: u64 = EXACT_STATE_LIMIT;

    fn states(&self) -> u64 {
        exact_states(self)
    }

    fn exact(&self, limit: u64, _cancel: &Cancel) -> Result<Odds, AskError> {
        Ok(exact(self, limit)?)
    }

    fn plays(&self, seed: u64, instruction_set: InstructionSet) -> Battles {
        Battles::new(self, seed).with_instruction_set(instruction_set)
    }
}

impl Answer for Odds {
    /// Probabilities of the four ends.
    fn ends(&self) -> Vec<f64> {
        BattleEnd::ALL.map(|end| self.probability(end)).to_vec()
    }

    /// Battles played.
    ///
    /// Hit counts are drawn from tables whose probabilities are off by a few 1e-9: a hit count rarer than that may never
    /// come up, and no result is moved by as much as 1e-7. Ends rarer than that are better asked for exactly.
    fn sample_size(&self) -> Option<u64> {
        match self.weights {
            Weights::Exact { .. } => None,
            Weights::Sampled { samples, .. } => Some(samples),
        }
    }
}

impl Odds {
    fn new(battle: &Battle, [attacker, defender]: [Roster; 2], weights: Weights) -> Self {
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
        for (field, value) in
            probabilities.iter().map(|&p| ("probability", p)).chain([("rounds_mean", rounds_mean)])
        {
            if !(value.is_finite() && value >= 0.0) {
                return Err(TableError::Value { field, value: value.to_string() });
            }
        }
        let sum: f64 = probabilities.iter().sum();
        TableError::check_size(&probabilities, cells(battle))?;
        if (sum - 1.0).abs() < 1e-9 {
            Ok(Self::new(battle, Roster::both(battle), Weights::Exact { probabilities, rounds_mean }))
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
        TableError::check_counts(&counts, cells(battle), samples)?;
        Ok(Self::new(battle, Roster::both(battle), Weights::Sampled { counts, samples, rounds }))
    }

    /// The battle asked about.
    pub const fn battle(&self) -> &Battle {
        &self.battle
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
        let columns = self.defender.sides().len();
        let row = |cell: usize| match role {
            Role::Attacker => cell / columns,
            Role::Defender => cell % columns,
        };
        let rows = self.roster(role).sides().len();
        match &self.weights {
            Weights::Exact { probabilities, .. } => {
                let mut sums = vec![0.0; rows];
                for (cell, probability) in probabilities.iter().enumerate() {
                    sums[row(cell)] += probability;
                }
                sums
            }
            Weights::Sampled { counts, samples, .. } => {
                let mut sums = vec![0_u64; rows];
                for (cell, count) in counts.iter().enumerate() {
                    sums[row(cell)] += count;
                }
                sums.into_iter().map(|count| count as f64 / *samples as f64).collect()
            }
        }
    }

    /// The possible remaining forces of a side, both forces together, with their probabilities; most units first.
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
    /// percentage; 100 gives the largest number that can be left.
    pub fn percentiles(&self, role: Role, percentages: &[f64]) -> Vec<usize> {
        percentiles(&self.units_left(role), percentages)
    }
}

/// Pairs of losses: none to all units of either side.
fn cells(battle: &Battle) -> usize {
    (usize::from(battle.attacker().total()) + 1) * (usize::from(battle.defender().total()) + 1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::BattleSetup;

    fn spear_duel() -> Battle {
        let spear = Force::of([0, 0, 0, 0, 0, 1]);
        Battle::new(&BattleSetup { attacker: spear, defenders: vec![spear], ..BattleSetup::default() })
            .unwrap()
    }

    #[test]
    fn the_standard_error_is_that_of_the_least_certain_end() {
        // 40 wins, 30 defeats, 30 times both in 100 battles: the widest is (40.5 / 101) (60.5 / 101) / 100
        let odds = Odds::from_counts(&spear_duel(), vec![0, 40, 30, 30], 100, 180).unwrap();
        let expected = (40.5 * 60.5_f64).sqrt() / 1010.0;
        assert!((odds.standard_error() - expected).abs() < 1e-15);
        assert!((odds.rounds_mean() - 1.8).abs() < 1e-15);
    }

    #[test]
    fn the_last_percentile_is_the_largest_number_there_can_be() {
        // probabilities by losses: both stand 1e-14, the defender falls nearly always, both fall 1e-14
        let rest = 1.0 - 2e-14;
        let odds = Odds::from_probabilities(&spear_duel(), vec![1e-14, 0.0, rest, 1e-14], 1.0).unwrap();
        assert_eq!(odds.percentiles(Role::Attacker, &[0.0, 50.0, 99.999, 100.0]), [0, 0, 0, 1]);
    }

    #[test]
    fn tables_that_cannot_be() {
        let battle = spear_duel();
        let wrong =
            |table: [f64; 4], rounds| Odds::from_probabilities(&battle, table.to_vec(), rounds).unwrap_err();
        assert!(matches!(wrong([2.0, -1.0, 0.0, 0.0], 1.0), TableError::Value { field: "probability", .. }));
        assert!(matches!(wrong([f64::NAN, 1.0, 0.0, 0.0], 1.0), TableError::Value { .. }));
        assert!(matches!(
            wrong([0.0, 1.0, 0.0, 0.0], f64::NAN),
            TableError::Value { field: "rounds_mean", .. }
        ));
        assert!(matches!(wrong([0.0, 0.5, 0.0, 0.0], 1.0), TableError::Sum { .. }));
        let size = Odds::from_probabilities(&battle, vec![1.0], 1.0).unwrap_err();
        assert_eq!(size, TableError::Size { expected: 4, found: 1 });
        assert!(matches!(Odds::from_counts(&battle, vec![0; 4], 0, 0), Err(TableError::Value { .. })));
        assert!(matches!(Odds::from_counts(&battle, vec![1; 4], 5, 0), Err(TableError::Sum { .. })));
    }
}
