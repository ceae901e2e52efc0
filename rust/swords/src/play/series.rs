//! The attacks of one force in Phase C: how many it has, and what they have come to (SW-WAR-C-10..15, SW-EXP-03).

use serde::{Deserialize, Serialize};

use crate::data::{EXP_HOLES, ProvinceId};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    attacks_left: u8,
    success: bool,
    /// The province that the last attack emptied or found empty.
    open: Option<ProvinceId>,
    /// It was emptied by winning a battle.
    pub(super) won: bool,
    barred: [Option<ProvinceId>; MAX_ATTACKS],
}

impl Series {
    /// The series of an army of this level; `None` is a provincial force (SW-WAR-C-10, SW-WAR-C-11).
    pub fn new(level: Option<u8>) -> Self {
        let attacks_left = level.unwrap_or(1).min(MAX_ATTACKS as u8);
        Self { attacks_left, success: false, open: None, won: false, barred: [None; MAX_ATTACKS] }
    }

    /// Attacks not used yet.
    pub const fn attacks_left(&self) -> u8 {
        self.attacks_left
    }

    /// Whether the target may be named: an attack is left, and it is not one this army called off from (SW-WAR-C-14).
    pub fn may_attack(&self, target: ProvinceId) -> bool {
        self.attacks_left > 0 && !self.barred.contains(&Some(target))
    }

    /// Uses up an attack on a target that [`Series::may_attack`] allows.
    pub fn attack(&mut self, target: ProvinceId, attack: Attack) {
        self.attacks_left = self.attacks_left.saturating_sub(1);
        (self.open, self.won) = (None, false);
        match attack {
            Attack::Won => {
                (self.success, self.won) = (true, true);
                self.open = Some(target);
            }
            Attack::FoundEmpty => self.open = Some(target),
            Attack::CalledOff => {
                if let Some(free) = self.barred.iter_mut().find(|barred| barred.is_none()) {
                    *free = Some(target);
                }
            }
            Attack::Beaten => self.attacks_left = 0,
            Attack::Lapsed => {}
        }
    }

    /// The province that a conquest move may enter now: the target of the last attack, if that emptied it or found it
    /// empty and another attack is left (SW-WAR-C-12, SW-WAR-C-13, SW-R-54). A force with none left waits for Phase D.
    pub fn may_enter(&self) -> Option<ProvinceId> {
        self.open.filter(|_| self.attacks_left > 0)
    }

    /// Enters that province. It costs no attack, and none need follow (SW-R-55).
    pub const fn enter(&mut self) {
        self.open = None;
    }

    /// The army is gone or its daimyo was assassinated: no further attack, no conquest move, no experience
    /// (SW-R-36, SW-R-65).
    pub const fn disrupt(&mut self) {
        (self.attacks_left, self.open, self.success) = (0, None, false);
    }

    /// Hole of the army's experience marker after the series, from the hole before it (SW-EXP-03).
    pub const fn hole_after(&self, hole: u8) -> u8 {
        let last = EXP_HOLES.len() as u8 - 1;
        if self.success && hole < last { hole + 1 } else { hole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_one_and_provincial_forces_attack_once() {
        // SW-WAR-C-10, SW-WAR-C-15: no move in this phase, conquest waits for Phase D
        for level in [None, Some(1)] {
            let mut series = Series::new(level);
            series.attack(ProvinceId(5), Attack::Won);
            assert_eq!((series.may_enter(), series.may_attack(ProvinceId(6))), (None, false));
        }
    }

    #[test]
    fn an_army_of_level_n_attacks_n_times() {
        // SW-WAR-C-11, SW-WAR-C-12: from where it is, or after moving into what it has emptied
        let mut series = Series::new(Some(3));
        series.attack(ProvinceId(5), Attack::Won);
        assert_eq!((series.may_enter(), series.may_attack(ProvinceId(6))), (Some(ProvinceId(5)), true));
        series.enter();
        assert_eq!((series.may_enter(), series.attacks_left()), (None, 2));
        series.attack(ProvinceId(6), Attack::Won);
        assert_eq!(series.may_enter(), Some(ProvinceId(6)));
        series.attack(ProvinceId(7), Attack::Won);
        assert_eq!((series.may_enter(), series.may_attack(ProvinceId(8))), (None, false)); // won, but no attack left
    }

    #[test]
    fn only_the_province_just_emptied_is_open() {
        // SW-R-54: province 5 was emptied two attacks ago; entering it now costs an attack like any empty province
        let mut series = Series::new(Some(4));
        series.attack(ProvinceId(5), Attack::Won);
        series.attack(ProvinceId(6), Attack::CalledOff);
        assert_eq!(series.may_enter(), None);
        series.attack(ProvinceId(5), Attack::FoundEmpty);
        assert_eq!((series.may_enter(), series.attacks_left()), (Some(ProvinceId(5)), 1));
    }

    #[test]
    fn a_conquest_move_need_not_be_followed_by_an_attack() {
        // SW-R-55, SW-WAR-C-11: the series may end with attacks left
        let mut series = Series::new(Some(3));
        series.attack(ProvinceId(5), Attack::Won);
        series.enter();
        assert_eq!(series.attacks_left(), 2);
    }

    #[test]
    fn an_empty_target_uses_up_an_attack() {
        // SW-WAR-C-13, SW-R-53: never a success
        let mut series = Series::new(Some(2));
        series.attack(ProvinceId(5), Attack::FoundEmpty);
        assert_eq!(
            (series.may_enter(), series.attacks_left(), series.hole_after(0)),
            (Some(ProvinceId(5)), 1, 0)
        );
        series.attack(ProvinceId(6), Attack::FoundEmpty);
        assert_eq!(series.may_enter(), None);
        // other forces cannot enter: the attack lapses
        for level in [None, Some(1)] {
            let mut series = Series::new(level);
            series.attack(ProvinceId(5), Attack::FoundEmpty);
            assert_eq!(series.may_enter(), None);
        }
    }

    #[test]
    fn a_friendly_target_uses_up_an_attack() {
        // SW-R-53
        let mut series = Series::new(Some(2));
        series.attack(ProvinceId(5), Attack::Lapsed);
        assert_eq!(
            (series.may_enter(), series.attacks_left(), series.may_attack(ProvinceId(5))),
            (None, 1, true)
        );
    }

    #[test]
    fn a_target_called_off_is_barred() {
        // SW-WAR-C-14
        let mut series = Series::new(Some(2));
        series.attack(ProvinceId(5), BattleEnd::CalledOff.into());
        assert!(!series.may_attack(ProvinceId(5)) && series.may_attack(ProvinceId(6)));
        assert_eq!((series.may_enter(), series.hole_after(0)), (None, 0));
    }

    #[test]
    fn beaten_armies_stop() {
        // SW-WAR-C-08, SW-R-56
        for end in [BattleEnd::Defender, BattleEnd::Nobody] {
            let mut series = Series::new(Some(4));
            series.attack(ProvinceId(5), end.into());
            assert_eq!(
                (series.may_enter(), series.may_attack(ProvinceId(6)), series.hole_after(0)),
                (None, false, 0)
            );
        }
    }

    #[test]
    fn a_disrupted_army_stops() {
        // after the battle it has won and before it moves: the window comes first
        let mut series = Series::new(Some(4));
        series.attack(ProvinceId(5), Attack::Won);
        series.disrupt();
        assert_eq!(
            (series.may_enter(), series.may_attack(ProvinceId(6)), series.hole_after(3)),
            (None, false, 3)
        );
    }

    #[test]
    fn experience_comes_once() {
        // SW-X-03, SW-X-04: a level-1 army wins its battle: hole 0 to hole 1, still level 1, no attack left
        let mut series = Series::new(Some(EXP_HOLES[0]));
        series.attack(ProvinceId(5), BattleEnd::Attacker.into());
        let hole = series.hole_after(0);
        assert_eq!((hole, EXP_HOLES[usize::from(hole)], series.attacks_left()), (1, 1, 0));
        // once per round however many it won, and not beyond the last hole
        let mut series = Series::new(Some(2));
        series.attack(ProvinceId(5), Attack::Won);
        series.attack(ProvinceId(6), Attack::Won);
        assert_eq!((series.hole_after(0), series.hole_after(8), series.hole_after(9)), (1, 9, 9));
        assert_eq!(Series::new(Some(2)).hole_after(0), 0);
    }
}
