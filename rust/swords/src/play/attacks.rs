//! Phase C around the battles: which force fights when, how often, and what it may do next (SW-WAR-C-01..16).
//!
//! Nothing here knows the map. Targets are plain numbers; the caller says what a target is by the time it comes up.

use arrayvec::ArrayVec;

use crate::data::{DAIMYO, EXP_HOLES, PROVINCES, WIN};
use crate::play::combat::BattleEnd;

/// Attacks an experienced army can make at most.
pub const MAX_ATTACKS: usize = 4;

/// How an attack of a series ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    /// All defenders of an enemy province were eliminated, attackers are left.
    Won,
    /// The attacker called the battle off.
    CalledOff,
    /// No attacker is left (SW-R-56: killing each other wins nothing).
    Beaten,
    /// There was nobody to fight: the target was empty (SW-WAR-C-13), or the battle lost its defenders otherwise than
    /// by its dice (SW-R-90).
    FoundEmpty,
    /// The attack lapsed: the target is friendly by now (SW-R-53), or has a new owner (SW-R-90).
    Lapsed,
}

impl From<BattleEnd> for Attack {
    fn from(end: BattleEnd) -> Self {
        match end {
            BattleEnd::Attacker => Self::Won,
            BattleEnd::Defender | BattleEnd::Nobody => Self::Beaten,
            BattleEnd::CalledOff => Self::CalledOff,
        }
    }
}

/// The attacks of one force in Phase C (SW-S-31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    attacks_left: u8,
    success: bool,
    open: Option<u8>,
    barred: ArrayVec<u8, MAX_ATTACKS>,
}

impl Series {
    /// The series of an army of this level; `None` is a provincial force (SW-WAR-C-10, SW-WAR-C-11).
    pub fn new(level: Option<u8>) -> Self {
        let attacks_left = level.unwrap_or(1).min(MAX_ATTACKS as u8);
        Self { attacks_left, success: false, open: None, barred: ArrayVec::new() }
    }

    /// Attacks not used yet.
    pub const fn attacks_left(&self) -> u8 {
        self.attacks_left
    }

    /// Whether the target may be named: an attack is left, and it is not one this army called off from (SW-WAR-C-14).
    pub fn may_attack(&self, target: u8) -> bool {
        self.attacks_left > 0 && !self.barred.contains(&target)
    }

    /// Uses up an attack on a target that [`Series::may_attack`] allows.
    pub fn attack(&mut self, target: u8, attack: Attack) {
        self.attacks_left -= 1;
        self.open = None;
        match attack {
            Attack::Won => {
                self.success = true;
                self.open = Some(target);
            }
            Attack::FoundEmpty => self.open = Some(target),
            Attack::CalledOff => self.barred.push(target),
            Attack::Beaten => self.attacks_left = 0,
            Attack::Lapsed => {}
        }
    }

    /// The province that a conquest move may enter now: the target of the last attack, if that emptied it or found it
    /// empty and another attack is left (SW-WAR-C-12, SW-WAR-C-13, SW-R-54). Whoever has none left waits for Phase D.
    pub fn may_enter(&self) -> Option<u8> {
        self.open.filter(|_| self.attacks_left > 0)
    }

    /// Enters that province. It costs no attack, and none need follow (SW-R-55).
    pub fn enter(&mut self) {
        self.open = None;
    }

    /// The daimyo was assassinated: no further attack, no conquest move, no experience (SW-R-36, SW-R-65).
    pub fn disrupt(&mut self) {
        (self.attacks_left, self.open, self.success) = (0, None, false);
    }

    /// Hole of the army's experience marker after the series, from the hole before it (SW-EXP-03).
    pub const fn hole_after(&self, hole: u8) -> u8 {
        let last = EXP_HOLES.len() as u8 - 1;
        if self.success && hole < last { hole + 1 } else { hole }
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

/// Whether a clan that has just gained a province has won: with 3 to 5 players, but not in the long game, which looks at
/// the end of a round only (SW-WAR-C-16, SW-WIN-01, SW-LONG-01).
pub const fn conquest_wins(provinces: u8) -> bool {
    provinces >= WIN
}

#[cfg(test)]
mod tests {
    use super::*;

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
            series.attack(5, Attack::Won);
            assert_eq!((series.may_enter(), series.may_attack(6)), (None, false));
        }
    }

    #[test]
    fn an_army_of_level_n_attacks_n_times() {
        // SW-WAR-C-11, SW-WAR-C-12: from where it is, or after moving into what it has emptied
        let mut series = Series::new(Some(3));
        series.attack(5, Attack::Won);
        assert_eq!((series.may_enter(), series.may_attack(6)), (Some(5), true));
        series.enter();
        assert_eq!((series.may_enter(), series.attacks_left()), (None, 2));
        series.attack(6, Attack::Won);
        assert_eq!(series.may_enter(), Some(6));
        series.attack(7, Attack::Won);
        assert_eq!((series.may_enter(), series.may_attack(8)), (None, false)); // won, but no attack left
    }

    #[test]
    fn only_the_province_just_emptied_is_open() {
        // SW-R-54: province 5 was emptied two attacks ago; entering it now costs an attack like any empty province
        let mut series = Series::new(Some(4));
        series.attack(5, Attack::Won);
        series.attack(6, Attack::CalledOff);
        assert_eq!(series.may_enter(), None);
        series.attack(5, Attack::FoundEmpty);
        assert_eq!((series.may_enter(), series.attacks_left()), (Some(5), 1));
    }

    #[test]
    fn a_conquest_move_need_not_be_followed_by_an_attack() {
        // SW-R-55, SW-WAR-C-11: the series may end with attacks left, and the next battle begins
        let mut declared = Declared::default();
        declared.declare(0, 5);
        declared.declare(1, 9);
        declared.begin(0);
        let mut series = Series::new(Some(3));
        series.attack(5, Attack::Won);
        series.enter();
        declared.finish();
        assert_eq!((series.attacks_left(), declared.begin(1)), (2, Some(9)));
    }

    #[test]
    fn an_empty_target_uses_up_an_attack() {
        // SW-WAR-C-13, SW-R-53: never a success
        let mut series = Series::new(Some(2));
        series.attack(5, Attack::FoundEmpty);
        assert_eq!((series.may_enter(), series.attacks_left(), series.hole_after(0)), (Some(5), 1, 0));
        series.attack(6, Attack::FoundEmpty);
        assert_eq!(series.may_enter(), None);
        // other forces cannot enter: the attack lapses
        for level in [None, Some(1)] {
            let mut series = Series::new(level);
            series.attack(5, Attack::FoundEmpty);
            assert_eq!(series.may_enter(), None);
        }
    }

    #[test]
    fn a_friendly_target_uses_up_an_attack() {
        // SW-R-53
        let mut series = Series::new(Some(2));
        series.attack(5, Attack::Lapsed);
        assert_eq!((series.may_enter(), series.attacks_left(), series.may_attack(5)), (None, 1, true));
    }

    #[test]
    fn a_target_called_off_is_barred() {
        // SW-WAR-C-14
        let mut series = Series::new(Some(2));
        series.attack(5, BattleEnd::CalledOff.into());
        assert!(!series.may_attack(5) && series.may_attack(6));
        assert_eq!((series.may_enter(), series.hole_after(0)), (None, 0));
    }

    #[test]
    fn beaten_armies_stop() {
        // SW-WAR-C-08, SW-R-56
        for end in [BattleEnd::Defender, BattleEnd::Nobody] {
            let mut series = Series::new(Some(4));
            series.attack(5, end.into());
            assert_eq!((series.may_enter(), series.may_attack(6), series.hole_after(0)), (None, false, 0));
        }
    }

    #[test]
    fn a_disrupted_army_stops() {
        // after the battle it has won and before it moves: the window comes first
        let mut series = Series::new(Some(4));
        series.attack(5, Attack::Won);
        series.disrupt();
        assert_eq!((series.may_enter(), series.may_attack(6), series.hole_after(3)), (None, false, 3));
    }

    #[test]
    fn experience_comes_once() {
        // SW-X-03, SW-X-04: a level-1 army wins its battle: hole 0 to hole 1, still level 1, no attack left
        let mut series = Series::new(Some(EXP_HOLES[0]));
        series.attack(5, BattleEnd::Attacker.into());
        let hole = series.hole_after(0);
        assert_eq!((hole, EXP_HOLES[usize::from(hole)], series.attacks_left()), (1, 1, 0));
        // once per round however many it won, and not beyond the last hole
        let mut series = Series::new(Some(2));
        series.attack(5, Attack::Won);
        series.attack(6, Attack::Won);
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
