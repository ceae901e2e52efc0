//! Phase C around the battles: which force fights when, how often, and what it may do next (SW-WAR-C-01..16).
//!
//! Nothing here knows the map. Targets are plain numbers; the caller says what a target is by the time it comes up.

use arrayvec::ArrayVec;

use crate::data::{DAIMYO, EXP_HOLES, PROVINCES, WIN};
use crate::play::combat::BattleEnd;

/// Attacks an experienced army can make at most.
pub const MAX_ATTACKS: usize = 4;

/// What the target of an attack is when the attack comes up (SW-R-53).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An enemy province: a battle is fought.
    Enemy,
    /// Nobody holds it.
    Empty,
    /// The attacker, or its ally, holds it by now.
    Friendly,
}

/// What an army that has used an attack may do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// It may move into the target of this attack, conquering it.
    pub conquest_move: bool,
    /// It may name another target.
    pub attack_again: bool,
}

/// The attacks of one force in Phase C (SW-S-31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    level: u8,
    attacks_left: u8,
    success: bool,
    disrupted: bool,
    barred: ArrayVec<u8, MAX_ATTACKS>,
}

impl Series {
    /// The series of an army of this level; `None` is a provincial force (SW-WAR-C-10, SW-WAR-C-11).
    pub fn new(level: Option<u8>) -> Self {
        let level = level.unwrap_or(1);
        Self { level, attacks_left: level, success: false, disrupted: false, barred: ArrayVec::new() }
    }

    /// Attacks not used yet.
    pub const fn attacks_left(&self) -> u8 {
        self.attacks_left
    }

    /// Whether an attack of this series eliminated all defenders of an enemy province (SW-EXP-04).
    pub const fn success(&self) -> bool {
        self.success
    }

    /// Whether the target may be named: not one this army called off from this turn (SW-WAR-C-14).
    pub fn may_attack(&self, target: u8) -> bool {
        self.attacks_left > 0 && !self.disrupted && !self.barred.contains(&target)
    }

    /// Uses an attack on a target that is not defended (SW-WAR-C-13, SW-R-53).
    pub fn lapse(&mut self, target: Target) -> Options {
        self.attacks_left -= 1;
        self.options(target == Target::Empty)
    }

    /// Uses an attack on a battle that has been fought.
    pub fn battle(&mut self, target: u8, end: BattleEnd) -> Options {
        self.attacks_left -= 1;
        match end {
            BattleEnd::Attacker => self.success = true,
            BattleEnd::CalledOff => self.barred.push(target),
            // With no attacker left there is nobody to go on; killing each other wins nothing (SW-R-56).
            BattleEnd::Defender | BattleEnd::Nobody => self.attacks_left = 0,
        }
        self.options(end == BattleEnd::Attacker)
    }

    /// The daimyo was assassinated: no further attack, no conquest move, no experience (SW-R-36, SW-R-65).
    pub fn disrupt(&mut self) {
        self.disrupted = true;
        self.attacks_left = 0;
        self.success = false;
    }

    /// The hole of the experience marker after the series, from the hole before it (SW-EXP-03).
    pub const fn hole_after(&self, hole: u8) -> u8 {
        let last = EXP_HOLES.len() as u8 - 1;
        if self.success && hole < last { hole + 1 } else { hole }
    }

    /// An experienced army with an attack left may enter what it has emptied (SW-WAR-C-12) or found empty
    /// (SW-WAR-C-13) and need not attack again (SW-R-55); all others stay where they are until Phase D.
    fn options(&self, emptied: bool) -> Options {
        let goes_on = self.level >= 2 && self.attacks_left > 0 && !self.disrupted;
        Options { conquest_move: goes_on && emptied, attack_again: goes_on }
    }
}

/// What a battle does to the two provinces (SW-WAR-C-07, SW-WAR-C-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aftermath {
    /// The attacked province has become empty; a building in it stays.
    pub target_emptied: bool,
    /// The province the attack came from has become empty.
    pub origin_emptied: bool,
}

impl Aftermath {
    /// What follows from the end of a battle; `others_at_origin`: somebody else of the clan stands where it came from.
    pub const fn of(end: BattleEnd, others_at_origin: bool) -> Self {
        let attackers_gone = matches!(end, BattleEnd::Defender | BattleEnd::Nobody);
        let defenders_gone = matches!(end, BattleEnd::Attacker | BattleEnd::Nobody);
        Self { target_emptied: defenders_gone, origin_emptied: attackers_gone && !others_at_origin }
    }
}

/// The declared battles of the active clan (SW-S-30): one target for each force, fought one at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    battles: ArrayVec<(u8, u8), { DAIMYO + PROVINCES }>,
    fighting: bool,
}

impl Declared {
    /// Declares a battle of a force against a target. There is no limit on their number (SW-R-05).
    pub fn declare(&mut self, force: u8, target: u8) {
        self.battles.push((force, target));
    }

    /// Battles that can be fought next: any of them (SW-WAR-C-01), but none while a series is under way (SW-WAR-C-03).
    pub fn next(&self) -> &[(u8, u8)] {
        if self.fighting { &[] } else { &self.battles }
    }

    /// Begins the declared battle of a force and returns its target; `None` when it may not begin now.
    pub fn begin(&mut self, force: u8) -> Option<u8> {
        let place = self.next().iter().position(|&(declared, _)| declared == force)?;
        self.fighting = true;
        Some(self.battles.remove(place).1)
    }

    /// The force has finished all its attacks and moves of this phase.
    pub fn finish(&mut self) {
        self.fighting = false;
    }
}

/// Whether a clan that has just gained a province has won, with 3 to 5 players (SW-WAR-C-16, SW-WIN-01).
pub const fn conquest_wins(provinces: u8) -> bool {
    provinces >= WIN
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAY: Options = Options { conquest_move: false, attack_again: false };

    #[test]
    fn battles_are_fought_one_at_a_time_in_any_order() {
        // SW-WAR-C-01, SW-WAR-C-03, SW-R-05: thirteen battles, more than the markers in the box
        let mut declared = Declared::default();
        for force in 0..13 {
            declared.declare(force, 40 + force);
        }
        assert_eq!(declared.next().len(), 13);
        assert_eq!(declared.begin(7), Some(47));
        assert_eq!(declared.next(), []); // an army of level 2 is still at it
        assert_eq!(declared.begin(3), None);
        declared.finish();
        assert_eq!(declared.begin(7), None); // fought already
        assert_eq!(declared.begin(3), Some(43));
    }

    #[test]
    fn level_one_and_provincial_forces_attack_once() {
        // SW-WAR-C-10, SW-WAR-C-15: no move in this phase, conquest waits for Phase D
        for level in [None, Some(1)] {
            let mut series = Series::new(level);
            assert_eq!(series.battle(5, BattleEnd::Attacker), STAY);
            assert!(!series.may_attack(6));
        }
    }

    #[test]
    fn an_army_of_level_n_attacks_n_times() {
        // SW-WAR-C-11, SW-WAR-C-12, SW-R-54, SW-R-55
        let mut series = Series::new(Some(3));
        let on = Options { conquest_move: true, attack_again: true };
        assert_eq!(series.battle(5, BattleEnd::Attacker), on);
        assert_eq!(series.battle(6, BattleEnd::Attacker), on);
        assert_eq!(series.battle(7, BattleEnd::Attacker), STAY); // won, but no attack left
        assert_eq!(series.attacks_left(), 0);
    }

    #[test]
    fn an_empty_target_uses_up_an_attack() {
        // SW-WAR-C-13, SW-R-53
        let mut series = Series::new(Some(2));
        assert_eq!(series.lapse(Target::Empty), Options { conquest_move: true, attack_again: true });
        assert_eq!(series.lapse(Target::Empty), STAY);
        assert!(!series.success());
        // other forces cannot enter: the attack lapses
        assert_eq!(Series::new(Some(1)).lapse(Target::Empty), STAY);
        assert_eq!(Series::new(None).lapse(Target::Empty), STAY);
    }

    #[test]
    fn a_friendly_target_uses_up_an_attack() {
        // SW-R-53
        let mut series = Series::new(Some(2));
        assert_eq!(series.lapse(Target::Friendly), Options { conquest_move: false, attack_again: true });
        assert_eq!(series.attacks_left(), 1);
    }

    #[test]
    fn a_target_called_off_is_barred() {
        // SW-WAR-C-14
        let mut series = Series::new(Some(2));
        assert_eq!(
            series.battle(5, BattleEnd::CalledOff),
            Options { conquest_move: false, attack_again: true }
        );
        assert!(!series.may_attack(5) && series.may_attack(6));
        assert!(!series.success());
    }

    #[test]
    fn beaten_armies_stop() {
        // SW-WAR-C-08, SW-R-56
        for end in [BattleEnd::Defender, BattleEnd::Nobody] {
            let mut series = Series::new(Some(4));
            assert_eq!(series.battle(5, end), STAY);
            assert!(!series.success() && !series.may_attack(6));
        }
    }

    #[test]
    fn a_disrupted_army_stops() {
        // SW-R-36, SW-R-65
        let mut series = Series::new(Some(4));
        series.battle(5, BattleEnd::Attacker);
        series.disrupt();
        assert!(!series.may_attack(6));
        assert_eq!(series.hole_after(3), 3);
    }

    #[test]
    fn experience_comes_once() {
        // SW-EXP-03, SW-X-03, SW-X-04
        let mut series = Series::new(Some(2));
        series.battle(5, BattleEnd::Attacker);
        series.battle(6, BattleEnd::Attacker);
        assert_eq!((series.hole_after(0), series.hole_after(8), series.hole_after(9)), (1, 9, 9));
        assert_eq!(Series::new(Some(2)).hole_after(0), 0);
    }

    #[test]
    fn provinces_become_empty() {
        // SW-WAR-C-07, SW-WAR-C-08, SW-WAR-C-09, SW-R-56
        let emptied = |end, others| {
            let Aftermath { target_emptied, origin_emptied } = Aftermath::of(end, others);
            (target_emptied, origin_emptied)
        };
        assert_eq!(emptied(BattleEnd::Attacker, false), (true, false));
        assert_eq!(emptied(BattleEnd::Defender, false), (false, true));
        assert_eq!(emptied(BattleEnd::Defender, true), (false, false));
        assert_eq!(emptied(BattleEnd::Nobody, false), (true, true));
        assert_eq!(emptied(BattleEnd::Nobody, true), (true, false));
        assert_eq!(emptied(BattleEnd::CalledOff, false), (false, false));
    }

    #[test]
    fn a_conquest_is_checked_at_once() {
        // SW-WAR-C-16
        assert!(!conquest_wins(34) && conquest_wins(35) && conquest_wins(36));
    }
}
