//! Odds of a strike: one unit attacks a piece, in melee with battle back, or from afar.
//!
//! A strike is a combat cut out of its match: both pieces, their hexes and the cards in play are given ([`StrikeSetup`]), and
//! it ends with the battle back. Taking ground and a bonus melee are a new strike. Where the rules leave a choice, the
//! question says how it is made: how many flags are ignored, whether a unit is inspired and battles back, whether a leader
//! left alone retreats or commits seppuku. Of the board a strike knows how far a unit can retreat, and that is all: a
//! retreating unit joins no leader, and losses of other units to a lack of honor are counted, not carried out. Cards that are
//! played after a look at the dice, and Personal Challenge, are not part of it.

mod account;
mod cards;
mod exact;
mod fight;
mod losses;
mod piece;
mod record;
mod sample;
mod strike;

use sengoku_kernel::odds::{Answer, AskError, Question, StateSpaceError, TableError, percentiles};
use sengoku_kernel::{Cancel, InstructionSet};

use crate::data::{Face, numbered};

pub use account::{FightStep, LeaderEnd, Outcome, Remains, What};
pub use cards::{Card, CardSet};
pub use fight::Rolled;
pub use piece::{MAX_ROOM, Piece, PieceKind};
pub use record::{FaceScriptError, Fight};
pub use sample::Strikes;
pub use strike::{ByRole, MAX_CHARGE, MAX_DICE, MAX_DICE_BONUS, Role, Shot, Strike, StrikeSetup};

/// Numbers that an outcome is written as.
pub const COLUMNS: usize = 12;
/// States up to which an exact answer is affordable; no strike has as many.
pub const EXACT_STATE_LIMIT: u64 = 1_000_000;

numbered! {
    /// Possible events of a strike, which do not exclude each other.
    pub enum Event {
        /// The unit or lone leader attacked is eliminated.
        DefenderEliminated,
        /// It leaves its hex and lives, or lived to leave it.
        DefenderRetreats,
        /// A leader of the defender is eliminated.
        DefenderLeaderEliminated,
        /// The attacking unit is eliminated.
        AttackerEliminated,
        /// It leaves its hex.
        AttackerRetreats,
        /// A leader of the attacker is eliminated.
        AttackerLeaderEliminated,
        /// The hex attacked is free, and the attacker may take it (BT-MOMENTUM-01, BT-MOMENTUM-02).
        TakesGround,
    }
}

impl Strike {
    /// Whether an event came of the strike.
    pub fn came(&self, event: Event, outcome: &Outcome) -> bool {
        let lone = |role| matches!(self.piece(role).kind, PieceKind::Leader(_));
        let eliminated = |role: Role| match outcome[role] {
            remains if lone(role) => remains.leader == LeaderEnd::Eliminated,
            remains => remains.blocks == 0,
        };
        let retreats = |role: Role| match outcome[role] {
            remains if lone(role) => remains.leader == LeaderEnd::Retreated,
            remains => remains.retreat > 0,
        };
        let leader_eliminated = |role: Role| outcome[role].leader == LeaderEnd::Eliminated;
        match event {
            Event::DefenderEliminated => eliminated(Role::Defender),
            Event::DefenderRetreats => retreats(Role::Defender),
            Event::DefenderLeaderEliminated => leader_eliminated(Role::Defender),
            Event::AttackerEliminated => eliminated(Role::Attacker),
            Event::AttackerRetreats => retreats(Role::Attacker),
            Event::AttackerLeaderEliminated => leader_eliminated(Role::Attacker),
            Event::TakesGround => {
                let defender = &outcome[Role::Defender];
                // BT-R-40: a leader that stayed where his unit fell holds the hex
                let empty =
                    defender.retreat > 0 || defender.blocks == 0 && defender.leader != LeaderEnd::Stands;
                empty && !self.is_ranged() && !self.attacking().is_bodyguard()
            }
        }
    }

    /// Numbers of hits, flags and honor that the attack can show, none included.
    pub fn roll_shape(&self) -> [usize; 3] {
        let dice = self.most_dice() as usize;
        let again = self.attacking().is_bodyguard() || self.has(Role::Attacker, Card::VolleyByRanks);
        let terror = self.has(Role::Attacker, Card::TerrorStrike);
        // A die that is rolled again gives up to two hits, but one flag or honor at most.
        [dice << usize::from(again), dice << usize::from(terror), dice].map(|most| most + 1)
    }
}

/// How often each roll of the attack comes up: by hits, flags, honor.
#[derive(Clone, Debug, PartialEq)]
struct RollTable<T> {
    shape: [usize; 3],
    cells: Vec<T>,
}

impl<T: Copy + Default + std::ops::AddAssign> RollTable<T> {
    fn new(strike: &Strike) -> Self {
        let shape = strike.roll_shape();
        Self { shape, cells: vec![T::default(); shape.into_iter().product()] }
    }

    fn add(&mut self, rolled: Rolled, weight: T) {
        let [_, flags, honor] = self.shape;
        let place = (usize::from(rolled.hits) * flags + usize::from(rolled.flags)) * honor;
        self.cells[place + usize::from(rolled.honor)] += weight;
    }
}

/// How often each roll and each outcome comes up; outcomes in ascending order.
#[derive(Clone, Debug, PartialEq)]
struct Weights<T> {
    rolls: RollTable<T>,
    outcomes: Vec<(Outcome, T)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Found {
    Exact(Weights<f64>),
    Sampled { weights: Weights<u64>, samples: u64 },
}

/// The odds of a strike: the distribution of the attack's roll and that of what is left of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    strike: Strike,
    found: Found,
}

impl Question for Strike {
    type Plays = Strikes;
    const EXACT_STATE_LIMIT: u64 = EXACT_STATE_LIMIT;

    /// Number of results that the dice of the attack can show.
    fn states(&self) -> u64 {
        let dice = u64::from(self.most_dice());
        (1..Face::COUNT as u64).fold(1, |ways, place| ways * (dice + place) / place)
    }

    fn exact(&self, limit: u64, _cancel: &Cancel) -> Result<Odds, AskError> {
        let states = self.states();
        if states > limit {
            return Err(StateSpaceError { states, limit }.into());
        }
        Ok(Odds { strike: self.clone(), found: Found::Exact(exact::exact(self)) })
    }

    fn plays(&self, seed: u64, _instruction_set: InstructionSet) -> Strikes {
        Strikes::new(self, seed)
    }
}

impl Answer for Odds {
    /// Probabilities of the events.
    fn ends(&self) -> Vec<f64> {
        Event::ALL.map(|event| self.probability(event)).to_vec()
    }

    fn sample_size(&self) -> Option<u64> {
        match self.found {
            Found::Exact(_) => None,
            Found::Sampled { samples, .. } => Some(samples),
        }
    }
}

/// From another process.
impl Odds {
    fn sampled(strike: &Strike, weights: Weights<u64>, samples: u64) -> Self {
        Self { strike: strike.clone(), found: Found::Sampled { weights, samples } }
    }

    /// Exact odds from their tables, as another process computed them.
    ///
    /// # Errors
    /// [`TableError`] when they are not those of this strike.
    pub fn from_probabilities(
        strike: &Strike,
        rolls: Vec<f64>,
        outcomes: Vec<(Outcome, f64)>,
    ) -> Result<Self, TableError> {
        let weights = check(strike, rolls, outcomes)?;
        let rolled = sum_of(weights.rolls.cells.iter().copied())?;
        let ended = sum_of(weights.outcomes.iter().map(|&(_, chance)| chance))?;
        // A first strike can keep the attack from being rolled at all.
        for (sum, wrong) in [(rolled, rolled > 1.0 + 1e-9), (ended, (ended - 1.0).abs() > 1e-9)] {
            if wrong {
                return Err(TableError::Sum { expected: "1".into(), found: sum.to_string() });
            }
        }
        Ok(Self { strike: strike.clone(), found: Found::Exact(weights) })
    }

    /// Sampled odds from their tables, as another process counted them.
    ///
    /// # Errors
    /// [`TableError`] when they are not those of this strike.
    pub fn from_counts(
        strike: &Strike,
        rolls: Vec<u64>,
        outcomes: Vec<(Outcome, u64)>,
        samples: u64,
    ) -> Result<Self, TableError> {
        let weights = check(strike, rolls, outcomes)?;
        let counts: Vec<u64> = weights.outcomes.iter().map(|&(_, count)| count).collect();
        TableError::check_counts(&counts, counts.len(), samples)?;
        let rolled: u128 = weights.rolls.cells.iter().map(|&count| u128::from(count)).sum();
        if rolled > u128::from(samples) {
            return Err(TableError::Sum { expected: samples.to_string(), found: rolled.to_string() });
        }
        Ok(Self::sampled(strike, weights, samples))
    }
}

/// The sum of numbers that can be probabilities.
fn sum_of(mut chances: impl Iterator<Item = f64>) -> Result<f64, TableError> {
    chances.try_fold(0.0, |sum, chance| {
        let wrong = || TableError::Value { field: "probability", value: chance.to_string() };
        (chance.is_finite() && chance >= 0.0).then_some(sum + chance).ok_or_else(wrong)
    })
}

/// Checks that tables fit a strike, but for what they add up to.
fn check<T>(strike: &Strike, rolls: Vec<T>, outcomes: Vec<(Outcome, T)>) -> Result<Weights<T>, TableError> {
    let shape = strike.roll_shape();
    TableError::check_size(&rolls, shape.into_iter().product())?;
    let start = strike.start().outcome;
    for (place, (outcome, _)) in outcomes.iter().enumerate() {
        let fits = Role::ALL.into_iter().all(|role| {
            let (before, after) = (&start[role], &outcome[role]);
            after.blocks <= before.blocks
                && (after.leader == LeaderEnd::None) == (before.leader == LeaderEnd::None)
        });
        if !fits || place > 0 && outcomes[place - 1].0 >= *outcome {
            return Err(TableError::Value { field: "outcome", value: format!("{:?}", to_row(outcome)) });
        }
    }
    Ok(Weights { rolls: RollTable { shape, cells: rolls }, outcomes })
}

/// An outcome as numbers: blocks, leader, retreat, honor, banners and others of the attacker, then of the defender.
pub fn to_row(outcome: &Outcome) -> [i32; COLUMNS] {
    let mut row = [0; COLUMNS];
    for (line, remains) in row.chunks_exact_mut(COLUMNS / 2).zip(outcome.0) {
        let Remains { blocks, leader, retreat, honor, banners, others } = remains;
        line.copy_from_slice(&[
            blocks.into(),
            leader as i32,
            retreat.into(),
            honor.into(),
            banners.into(),
            others.into(),
        ]);
    }
    row
}

/// The outcome that numbers stand for, if they do.
pub fn from_row(row: &[i32]) -> Option<Outcome> {
    let row: &[i32; COLUMNS] = row.try_into().ok()?;
    let remains = |line: &[i32]| {
        let small = |place: usize| u8::try_from(line[place]).ok();
        Some(Remains {
            blocks: small(0)?,
            leader: LeaderEnd::of_index(usize::try_from(line[1]).ok()?)?,
            retreat: small(2)?,
            honor: i8::try_from(line[3]).ok()?,
            banners: small(4)?,
            others: small(5)?,
        })
    };
    let (attacker, defender) = row.split_at(COLUMNS / 2);
    Some(ByRole([remains(attacker)?, remains(defender)?]))
}

/// Results.
impl Odds {
    /// The strike asked about.
    pub const fn strike(&self) -> &Strike {
        &self.strike
    }

    /// Probability of each roll of the attack: by hits, by flags, by honor. They add up to the chance that it is rolled.
    pub fn rolls(&self) -> Vec<f64> {
        match &self.found {
            Found::Exact(weights) => weights.rolls.cells.clone(),
            Found::Sampled { weights, samples } => {
                weights.rolls.cells.iter().map(|&count| count as f64 / *samples as f64).collect()
            }
        }
    }

    /// How often each roll of the attack came up, if sampled.
    pub fn roll_counts(&self) -> Option<&[u64]> {
        match &self.found {
            Found::Exact(_) => None,
            Found::Sampled { weights, .. } => Some(&weights.rolls.cells),
        }
    }

    /// Probability of each number of hits, flags or honor of the attack's roll, by the axis of [`Odds::rolls`].
    ///
    /// # Panics
    /// When there is no such axis.
    pub fn rolled(&self, axis: usize) -> Vec<f64> {
        let shape = self.strike.roll_shape();
        let step: usize = shape[axis + 1..].iter().product();
        let mut sums = vec![0.0; shape[axis]];
        for (cell, chance) in self.rolls().into_iter().enumerate() {
            sums[cell / step % shape[axis]] += chance;
        }
        sums
    }

    /// The possible remains of both sides, with their probabilities.
    pub fn outcomes(&self) -> Vec<(Outcome, f64)> {
        match &self.found {
            Found::Exact(weights) => weights.outcomes.clone(),
            Found::Sampled { weights, samples } => {
                let share = |&(outcome, count): &(Outcome, u64)| (outcome, count as f64 / *samples as f64);
                weights.outcomes.iter().map(share).collect()
            }
        }
    }

    /// How often each outcome came up, if sampled.
    pub fn outcome_counts(&self) -> Option<&[(Outcome, u64)]> {
        match &self.found {
            Found::Exact(_) => None,
            Found::Sampled { weights, .. } => Some(&weights.outcomes),
        }
    }

    /// Probability that an event comes of the strike.
    pub fn probability(&self, event: Event) -> f64 {
        let came = |outcome| self.strike.came(event, outcome);
        match &self.found {
            Found::Exact(weights) => {
                let chances = weights.outcomes.iter().filter(|(outcome, _)| came(outcome));
                chances.fold(0.0, |sum, (_, chance)| sum + chance).min(1.0) // whatever the rounding
            }
            Found::Sampled { weights, samples } => {
                let counts = weights.outcomes.iter().filter(|(outcome, _)| came(outcome));
                counts.map(|(_, count)| count).sum::<u64>() as f64 / *samples as f64
            }
        }
    }

    /// Probability of each number of blocks left to a side.
    pub fn blocks_left(&self, role: Role) -> Vec<f64> {
        self.shares(usize::from(self.strike.piece(role).blocks), |outcome| outcome[role].blocks)
    }

    /// Probability of each number of banners that a side gains.
    pub fn banners(&self, role: Role) -> Vec<f64> {
        self.shares(2, |outcome| outcome[role].banners) // a unit and its leader
    }

    fn shares(&self, most: usize, number: impl Fn(&Outcome) -> u8) -> Vec<f64> {
        let mut shares = vec![0.0; most + 1];
        for (outcome, chance) in self.outcomes() {
            shares[usize::from(number(&outcome))] += chance;
        }
        shares
    }

    /// Probability of each change of a player's honor, from the least one on.
    pub fn honor(&self, role: Role) -> Vec<(i8, f64)> {
        let mut changes = std::collections::BTreeMap::new();
        for (outcome, chance) in self.outcomes() {
            *changes.entry(outcome[role].honor).or_insert(0.0) += chance;
        }
        changes.into_iter().collect()
    }

    /// The smallest number of blocks left that is not exceeded with the given chance, for each percentage.
    pub fn percentiles(&self, role: Role, percentages: &[f64]) -> Vec<usize> {
        percentiles(&self.blocks_left(role), percentages)
    }
}

#[cfg(test)]
mod tests;
