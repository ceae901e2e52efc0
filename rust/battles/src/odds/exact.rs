//! The exact distribution: every end of every roll with its probability.
//!
//! Between two rolls a strike is a small value, and many ends of a roll lead to the same one, so the distribution goes from
//! roll to roll as a list of such values. What follows within a roll (leader check, lack of honor) is followed end by end.

use std::collections::BTreeMap;

use super::account::Outcome;
use super::fight::{Dice, Roll, Rolled, Shortage, Stage, World};
use super::strike::{Role, Strike};
use super::{RollTable, Weights};
use crate::combat_roll::CombatRoll;
use crate::data::{Face, Faces, Symbol, UnitKind};

/// The exact odds of a strike, as weights.
pub(super) fn exact(strike: &Strike) -> Weights<f64> {
    let mut rolls = RollTable::new(strike);
    let mut worlds = BTreeMap::from([(strike.start(), 1.0)]);
    for &stage in strike.stages() {
        let mut next = BTreeMap::new();
        let mut ends: BTreeMap<(u8, u8), Vec<(Rolled, f64)>> = BTreeMap::new();
        for (mut world, chance) in worlds {
            let Some(roll) = strike.prepare(stage, &mut world, &mut Every::default()) else {
                *next.entry(world).or_insert(0.0) += chance;
                continue;
            };
            // Of one stage only these two differ from world to world.
            let key = (roll.dice, roll.combat.inspired);
            let ends = ends.entry(key).or_insert_with(|| distribution(&roll));
            for &(rolled, share) in ends.iter() {
                if stage == Stage::Attack {
                    rolls.add(rolled, chance * share);
                }
                follow(strike, &roll, rolled, world, |world, further| {
                    *next.entry(world).or_insert(0.0) += chance * share * further;
                });
            }
        }
        worlds = next;
    }
    let mut outcomes: BTreeMap<Outcome, f64> = BTreeMap::new();
    for (world, chance) in worlds {
        *outcomes.entry(world.outcome).or_insert(0.0) += chance;
    }
    Weights { rolls, outcomes: outcomes.into_iter().collect() }
}

/// Passes each state that can follow a roll to `to`, with its probability.
fn follow(strike: &Strike, roll: &Roll, rolled: Rolled, from: World, mut to: impl FnMut(World, f64)) {
    let mut every = Every::default();
    loop {
        let mut world = from;
        every.begin();
        strike.apply(roll, rolled, &mut world, &mut every);
        to(world, every.chance);
        if !every.next() {
            return;
        }
    }
}

/// Dice that show every end there is, one after the other.
#[derive(Default)]
struct Every {
    /// For each roll so far the end that is taken, and how many there are.
    path: Vec<(usize, usize)>,
    depth: usize,
    chance: f64,
}

impl Every {
    fn begin(&mut self) {
        (self.depth, self.chance) = (0, 1.0);
    }

    /// Goes to the next path; false after the last one.
    fn next(&mut self) -> bool {
        while let Some((end, ends)) = self.path.last_mut() {
            *end += 1;
            if end < ends {
                return true;
            }
            self.path.pop();
        }
        false
    }

    fn take<T: Copy>(&mut self, ends: &[(T, f64)]) -> T {
        if self.depth == self.path.len() {
            self.path.push((0, ends.len()));
        }
        let (end, chance) = ends[self.path[self.depth].0];
        self.depth += 1;
        self.chance *= chance;
        end
    }
}

impl Dice for Every {
    fn roll(&mut self, roll: &Roll) -> Rolled {
        self.take(&distribution(roll))
    }

    fn check(&mut self, _by: Role, dice: u8) -> bool {
        let falls = SIXTH.powi(dice.into());
        self.take(&[(false, 1.0 - falls), (true, falls)])
    }

    fn lack_of_honor(&mut self, _role: Role, dice: u8, own: Symbol) -> Shortage {
        self.take(&shortages(dice, own))
    }
}

const SIXTH: f64 = 1.0 / 6.0;

/// The distribution of a combat roll.
fn distribution(roll: &Roll) -> Vec<(Rolled, f64)> {
    // Symbols that do not hit are one thing.
    let sides = sides(roll.combat.against.map_or(Symbol::Swords, UnitKind::symbol), &[]);
    let mut ends = BTreeMap::new();
    for (faces, chance) in throws(roll.dice, sides) {
        let mut add = |faces: &Faces, chance| {
            *ends.entry(read(&roll.combat, faces)).or_insert(0.0) += chance;
        };
        let swords = faces[Face::Swords];
        if roll.again && swords > 0 {
            for (more, share) in throws(swords, sides) {
                add(&(faces + more), chance * share);
            }
        } else {
            add(&faces, chance);
        }
    }
    ends.into_iter().collect()
}

/// The result of a combat roll with these faces.
pub(super) fn read(combat_roll: &CombatRoll, faces: &Faces) -> Rolled {
    Rolled { hits: combat_roll.hits(faces), flags: combat_roll.flags(faces), honor: combat_roll.honor(faces) }
}

/// The distribution of a lack-of-honor roll.
fn shortages(dice: u8, own: Symbol) -> Vec<(Shortage, f64)> {
    let sides = sides(own, &[Face::Flag, Face::Honor, Face::Swords]);
    let mut ends = BTreeMap::new();
    for (faces, chance) in throws(dice, sides) {
        *ends.entry(shortage(&faces, own)).or_insert(0.0) += chance;
    }
    ends.into_iter().collect()
}

/// The result of a lack-of-honor roll with these faces (BT-LACK-OF-HONOR-02, BT-LACK-OF-HONOR-03).
pub(super) fn shortage(faces: &Faces, own: Symbol) -> Shortage {
    let others =
        [Symbol::Circle, Symbol::Triangle, Symbol::Square].into_iter().filter(|&symbol| symbol != own);
    Shortage { own: faces[own.face()], others: others.map(|symbol| faces[symbol.face()]).sum() }
}

/// Sides of a die with each face, where faces that mean the same count as the first of them: the symbols of units, and those
/// of `others`, in both cases but for one that stands `apart`.
fn sides(apart: Symbol, others: &[Face]) -> [u8; Face::COUNT] {
    let mut sides = [1; Face::COUNT];
    let symbols = [Face::Circle, Face::Triangle, Face::Square];
    for alike in [&symbols, others] {
        let mut alike = alike.iter().filter(|&&face| face != apart.face());
        if let Some(first) = alike.next() {
            for face in alike {
                sides[first.index()] += std::mem::take(&mut sides[face.index()]);
            }
        }
    }
    sides
}

/// All that some dice with such sides can show, each with its probability.
fn throws(dice: u8, sides: [u8; Face::COUNT]) -> Vec<(Faces, f64)> {
    let mut all = vec![(Faces::NONE, 1.0)];
    // Face by face: how many of the dice that are left show it. The last face takes the rest.
    for (place, face) in Face::ALL.into_iter().enumerate().filter(|&(place, _)| sides[place] > 0) {
        let last = sides[place + 1..].iter().all(|&count| count == 0);
        let chance = f64::from(sides[place]) / f64::from(sides[place..].iter().sum::<u8>());
        let shown = |(faces, before): (Faces, f64)| {
            let left = dice - faces.total();
            let counts = if last { left..=left } else { 0..=left };
            counts.map(move |count| {
                let mut faces = faces;
                faces[face] = count;
                (faces, before * binomial(left, count, chance))
            })
        };
        all = all.into_iter().flat_map(shown).collect();
    }
    all
}

/// The chance that `count` of `dice` show something that each shows with a chance.
fn binomial(dice: u8, count: u8, chance: f64) -> f64 {
    let ways = (0..count).fold(1.0, |ways, place| ways * f64::from(dice - place) / f64::from(place + 1));
    ways * chance.powi(count.into()) * (1.0 - chance).powi((dice - count).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throws_are_all_there_is() {
        for (sides, faces) in [([1; 6], 6), ([1, 2, 0, 1, 1, 1], 5), ([3, 0, 0, 2, 0, 1], 3)] {
            for dice in 0..=8 {
                let all = throws(dice, sides);
                let count = (1..faces).fold(1, |ways, place| ways * (usize::from(dice) + place) / place);
                assert_eq!(all.len(), count);
                assert!((all.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
        let mut all = throws(3, [2, 1, 0, 1, 1, 1]).into_iter();
        let (_, chance) = all.find(|(faces, _)| faces.0 == [1, 0, 0, 0, 0, 2]).unwrap();
        assert!((chance - 6.0 / 216.0).abs() < 1e-16);
    }

    #[test]
    fn faces_that_mean_the_same() {
        assert_eq!(sides(Symbol::Triangle, &[]), [2, 1, 0, 1, 1, 1]);
        assert_eq!(sides(Symbol::Circle, &[]), [1, 2, 0, 1, 1, 1]);
        assert_eq!(sides(Symbol::Swords, &[]), [3, 0, 0, 1, 1, 1]);
        let nothing = [Face::Flag, Face::Honor, Face::Swords];
        assert_eq!(sides(Symbol::Square, &nothing), [2, 0, 1, 3, 0, 0]);
        assert_eq!(sides(Symbol::Swords, &nothing), [3, 0, 0, 2, 0, 1]);
    }

    #[test]
    fn paths_are_followed_to_the_last() {
        let mut every = Every::default();
        let (mut seen, mut sum) = (Vec::new(), 0.0);
        loop {
            every.begin();
            let falls = every.check(Role::Attacker, 1);
            let again = falls && every.check(Role::Attacker, 2);
            seen.push((falls, again));
            sum += every.chance;
            if !every.next() {
                break;
            }
        }
        assert_eq!(seen, [(false, false), (true, false), (true, true)]);
        assert!((sum - 1.0).abs() < 1e-15);
    }
}
