//! Sampled odds: many strikes are fought with random dice and their results counted.
//!
//! Sample `index` under a seed is a pure function: its dice are the draws of stream `index` of purpose [`Purpose::Odds`]
//! from the first one on, in the order of the rules (BT-RAND-01).

use std::collections::BTreeMap;
use std::ops::Range;

use sengoku_kernel::odds::{Plays, Tally};
use sengoku_kernel::{Chance, Purpose, Stream};

use super::account::Outcome;
use super::exact::{read, shortage};
use super::fight::{Dice, Roll, Rolled, Shortage, Stage};
use super::strike::{Role, Strike};
use super::{Odds, RollTable, Weights};
use crate::data::{Face, Faces, Symbol};

/// A strike, fought many times.
#[derive(Clone, Debug)]
pub struct Strikes {
    strike: Strike,
    seed: u64,
}

impl Strikes {
    pub(super) fn new(strike: &Strike, seed: u64) -> Self {
        Self { strike: strike.clone(), seed }
    }

    /// One strike: the roll of its attack, if it came to one, and how it ended.
    fn one(&self, index: u64) -> (Option<Rolled>, Outcome) {
        let chance = Stream::new(self.seed, Purpose::Odds, index);
        let mut dice = Played { chance, draws: 0, attack: None };
        let mut world = self.strike.start();
        for &stage in self.strike.stages() {
            self.strike.play(stage, &mut world, &mut dice);
        }
        (dice.attack, world.outcome)
    }
}

/// Counts of the results of sampled strikes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    rolls: Vec<u64>,
    outcomes: BTreeMap<Outcome, u64>,
}

impl Tally for Ends {
    fn merge(mut self, other: Self) -> Self {
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_insert(0) += count;
        }
        Self { rolls: self.rolls.merge(other.rolls), outcomes: self.outcomes }
    }
}

impl Plays for Strikes {
    type Tally = Ends;
    type Odds = Odds;
    const CHUNK: u64 = 1 << 14;
    const SLICE: u64 = 16;

    fn chunk(&self, indices: Range<u64>) -> Ends {
        let mut rolls = RollTable::new(&self.strike);
        let mut outcomes = BTreeMap::new();
        for index in indices {
            let (attack, outcome) = self.one(index);
            if let Some(rolled) = attack {
                rolls.add(rolled, 1);
            }
            *outcomes.entry(outcome).or_insert(0) += 1;
        }
        Ends { rolls: rolls.cells, outcomes }
    }

    fn odds(&self, tally: Ends, samples: u64) -> Odds {
        let rolls = RollTable { cells: tally.rolls, ..RollTable::new(&self.strike) };
        let weights = Weights { rolls, outcomes: tally.outcomes.into_iter().collect() };
        Odds::sampled(&self.strike, weights, samples)
    }
}

/// Throws dice one after the other and shows each.
pub(super) fn throw(
    dice: u8,
    draws: &mut u32,
    chance: &mut impl Chance,
    mut show: impl FnMut(Face),
) -> Faces {
    let mut faces = Faces::NONE;
    for _ in 0..dice {
        let face = Face::ALL[chance.roll(*draws, Face::COUNT as u32) as usize];
        *draws += 1;
        faces[face] += 1;
        show(face);
    }
    faces
}

/// Dice that are rolled.
struct Played {
    chance: Stream,
    draws: u32,
    /// The roll of the attack.
    attack: Option<Rolled>,
}

impl Played {
    fn throw(&mut self, dice: u8) -> Faces {
        throw(dice, &mut self.draws, &mut self.chance, |_| {})
    }
}

impl Dice for Played {
    fn roll(&mut self, roll: &Roll) -> Rolled {
        let mut faces = self.throw(roll.dice);
        if roll.again {
            faces += self.throw(faces[Face::Swords]);
        }
        let rolled = read(&roll.combat, &faces);
        if roll.stage == Stage::Attack {
            self.attack = Some(rolled);
        }
        rolled
    }

    fn check(&mut self, _by: Role, dice: u8) -> bool {
        self.throw(dice)[Face::Swords] == dice
    }

    fn lack_of_honor(&mut self, _role: Role, dice: u8, own: Symbol) -> Shortage {
        shortage(&self.throw(dice), own)
    }
}
