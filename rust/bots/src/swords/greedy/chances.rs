//! Odds of battles, remembered: the same few battles are looked at again and again.

use std::sync::LazyLock;

use sengoku_swords::data::{ByUnit, RONIN, Unit};
use sengoku_swords::odds::{EXACT_STATE_LIMIT, exact};
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{Battle, BattleSetup, BreakOff, Force, LossOrder, Side};

use super::worth::side_worth;
use crate::memo::Memo;

/// Average result of an attack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Prospect {
    /// Chance that all defenders fall and an attacker stands.
    pub(super) win: f64,
    /// Chance that no attacker is left.
    pub(super) ruin: f64,
    /// Worth of the attackers that fall, the daimyo aside.
    pub(super) cost: f64,
    /// Worth of the defenders that fall, the daimyo aside.
    pub(super) harm: f64,
    /// Number of defenders that fall.
    pub(super) felled: f64,
}

/// The odds of all battles that were looked at, for all matches of the process: most of them come up in match after match.
static KNOWN: LazyLock<Memo<5>> = LazyLock::new(|| Memo::new(17));

impl Prospect {
    /// The prospect of a force that attacks a side and calls off when a third of it is left.
    pub(super) fn of(attacker: Force, defender: &Side, naval: bool) -> Self {
        if attacker.units.regulars() == 0 {
            return Self { ruin: 1.0, ..Self::default() };
        }
        if defender.standing() == 0 {
            return Self { win: 1.0, ..Self::default() };
        }
        let key = key(&attacker, defender, naval);
        let [win, ruin, cost, harm, felled] =
            KNOWN.get(key, || compute(attacker, defender, naval).words()).map(f64::from_bits);
        Self { win, ruin, cost, harm, felled }
    }

    fn words(&self) -> [u64; 5] {
        [self.win, self.ruin, self.cost, self.harm, self.felled].map(f64::to_bits)
    }
}

/// Everything the odds depend on.
fn key(attacker: &Force, defender: &Side, naval: bool) -> u128 {
    let units = |units: &ByUnit<u8>| units.0.iter().fold(0, |key, &count| key << 5 | u128::from(count & 31));
    let mut key = units(&attacker.units);
    key = key << 30 | units(&defender.army.units);
    key = key << 30 | units(&defender.provincial.units);
    key = key << 5 | (defender.fort as u128) << 3 | u128::from(defender.bonus);
    let disrupted = [attacker, &defender.army, &defender.provincial].map(|force| u128::from(force.disrupted));
    disrupted.iter().fold(key, |key, bit| key << 1 | bit) << 1 | u128::from(naval)
}

fn compute(mut attacker: Force, defender: &Side, naval: bool) -> Prospect {
    // A guess may put more ronin on the board than there are.
    let others = defender.army.units[Unit::Ronin] + defender.provincial.units[Unit::Ronin];
    attacker.units[Unit::Ronin] = attacker.units[Unit::Ronin].min(RONIN.saturating_sub(others));
    let total = attacker.units.total();
    let leader = u8::from(attacker.is_army());
    let defenders = [defender.army, defender.provincial].into_iter().filter(|force| !force.is_empty());
    let setup = BattleSetup {
        attacker,
        defenders: defenders.collect(),
        fort: defender.fort,
        fort_lost: defender.fort.bonus().saturating_sub(defender.bonus),
        naval,
        attacker_losses: LossOrder::HIRED_FIRST,
        defender_losses: LossOrder::HIRED_FIRST,
        break_off: BreakOff { below: leader + total / 3, after: 0 },
    };
    let odds = Battle::new(&setup).ok().and_then(|battle| exact(&battle, EXACT_STATE_LIMIT).ok());
    // A battle that cannot be set up is one that nobody should count on.
    let Some(odds) = odds else { return Prospect { ruin: 1.0, ..Prospect::default() } };
    let lost = |role| {
        let sides = odds.roster(role).sides();
        let whole = side_worth(&sides[0]);
        let mut sum = [0.0; 2];
        for (count, (side, chance)) in sides.iter().zip(odds.lost(role)).enumerate() {
            sum[0] += chance * (whole - side_worth(side));
            sum[1] += chance * count as f64;
        }
        sum
    };
    let ([cost, _], [harm, felled]) = (lost(Role::Attacker), lost(Role::Defender));
    let ruin = odds.probability(BattleEnd::Defender) + odds.probability(BattleEnd::Nobody);
    Prospect { win: odds.probability(BattleEnd::Attacker), ruin, cost, harm, felled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_odds_are_the_computed_ones() {
        let army = Force::of([1, 2, 1, 1, 0, 3]);
        let spears = |count| Side::single(Force::of([0, 0, 0, 0, 0, count]));
        for naval in [false, true] {
            for count in 1..=5 {
                let asked = Prospect::of(army, &spears(count), naval);
                assert_eq!(asked, compute(army, &spears(count), naval));
                assert_eq!(asked, Prospect::of(army, &spears(count), naval));
            }
        }
        let win = |count, naval| Prospect::of(army, &spears(count), naval).win;
        assert!(win(1, false) > win(5, false));
        assert!(win(5, false) > win(5, true));
    }

    #[test]
    fn nobody_to_fight() {
        let spear = Force::of([0, 0, 0, 0, 0, 1]);
        let lost = Prospect::of(Force::default(), &Side::single(spear), false);
        assert_eq!(lost, Prospect { ruin: 1.0, ..Prospect::default() });
        let won = Prospect::of(spear, &Side::default(), false);
        assert_eq!(won, Prospect { win: 1.0, ..Prospect::default() });
    }
}
