//! Phase C around the battles: which force fights when, how often, and what it may do next (SW-WAR-C-01..16).

use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionSink};
use crate::data::{DAIMYO, EXP_HOLES, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::play::combat::BattleEnd;
use crate::state::{Attacker, Phase, Point, State};

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
    won: bool,
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
    /// empty and another attack is left (SW-WAR-C-12, SW-WAR-C-13, SW-R-54). Whoever has none left waits for Phase D.
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

impl State {
    /// Whether a declared battle could still be chosen (SW-D-17): its force stands, and the attack cannot only lapse.
    fn can_begin(&self, force: Attacker, target: ProvinceId) -> bool {
        let is_enemy = self.provinces[target].owner.is_some_and(|owner| self.are_enemies(self.active, owner));
        match force {
            Attacker::Army(army) => {
                let army = self.army(self.active, army);
                army.is_led() && (is_enemy || army.level() >= 2) // SW-NINJA-07, SW-R-53
            }
            Attacker::Force(province) => {
                is_enemy
                    && self.provinces[province].owner == Some(self.active)
                    && self.provinces[province].units.regulars() > 0
            }
        }
    }

    /// Declared battles that can be fought next, armies first.
    fn declared(&self) -> impl Iterator<Item = Action> + '_ {
        let armies = (0..DAIMYO as u8).filter_map(|army| {
            let target = self.declared_armies[usize::from(army)]?;
            self.can_begin(Attacker::Army(army), target).then_some(Action::Army(army))
        });
        let forces = Provinces(self.owned(self.active)).filter_map(|province| {
            let target = self.declared_forces[province]?;
            self.can_begin(Attacker::Force(province), target).then_some(Action::Province(province))
        });
        armies.chain(forces)
    }

    pub(crate) fn advance_choosing_battle(&mut self) -> Next {
        if self.declared().next().is_some() {
            return Next::Choose;
        }
        self.start_moving(Phase::D);
        self.open_window(11);
        Next::Go
    }

    pub(crate) fn legal_choosing_battle(&self, out: &mut impl ActionSink) {
        out.add_all(self.declared());
    }

    pub(crate) fn play_choosing_battle(&mut self, action: Action) {
        let (force, level, target) = match action {
            Action::Army(army) => {
                let level = self.army(self.active, army).level();
                (Attacker::Army(army), Some(level), self.declared_armies[usize::from(army)].take())
            }
            Action::Province(province) => {
                (Attacker::Force(province), None, self.declared_forces[province].take())
            }
            _ => unreachable!("{action:?} chooses no battle"),
        };
        let Some(target) = target else { unreachable!("{action:?} chooses a battle that was not declared") };
        self.series = Some((force, Series::new(level)));
        self.go_to(Point::Attack(target));
    }

    /// The attacks under way.
    pub(crate) fn series_under_way(&mut self) -> &mut Series {
        let Some((_, series)) = &mut self.series else { unreachable!("no attack at {:?}", self.point) };
        series
    }

    /// Whether the attacking force still stands and may attack.
    pub(crate) fn attacker_stands(&self) -> bool {
        match self.series {
            Some((Attacker::Army(army), series)) => {
                // An army that was lost and has come back does not go on (SW-R-92).
                self.army(self.active, army).is_led() && (series.attacks_left() > 0 || self.fight.is_some())
            }
            Some((Attacker::Force(province), _)) => {
                self.provinces[province].owner == Some(self.active)
                    && self.provinces[province].units.regulars() > 0
            }
            None => false,
        }
    }

    /// Whether the series belongs to an army that may go on after an attack without a battle.
    fn is_experienced(&self) -> bool {
        match self.series {
            Some((Attacker::Army(army), _)) => {
                self.army(self.active, army).is_led() && self.army(self.active, army).level() >= 2
            }
            _ => false,
        }
    }

    /// Judges a target by SW-R-53: an enemy is fought, otherwise the attack is over here. Returns whether it is an
    /// enemy.
    pub(crate) fn judge(&mut self, target: ProvinceId, context: &mut impl Context) -> bool {
        if !self.attacker_stands() {
            self.end_series(context); // SW-NINJA-07
            return false;
        }
        let owner = self.provinces[target].owner;
        if owner.is_some_and(|owner| self.are_enemies(self.active, owner)) {
            return true;
        }
        let experienced = self.is_experienced();
        let attack = if owner.is_none() && experienced { Attack::FoundEmpty } else { Attack::Lapsed };
        let (clan, key) = (self.active, self.map.key(target.0));
        context.log(|| Event::Lapsed { clan, target: key });
        self.series_under_way().attack(target, attack);
        self.go_to(Point::Conquest);
        if experienced && !self.may_conquer() {
            self.open_window(10);
        }
        false
    }

    pub(crate) fn advance_attack(&mut self, target: ProvinceId, context: &mut impl Context) -> Next {
        if self.judge(target, context) {
            self.open_window(5);
            self.go_to(Point::RevealAttacker(target));
        }
        Next::Go
    }

    /// Whether a conquest move is possible now (SW-D-23, SW-D-25).
    fn may_conquer(&self) -> bool {
        let Some((Attacker::Army(army), series)) = self.series else { return false };
        self.army(self.active, army).is_led()
            && self.may_leave(army)
            && series.may_enter().is_some_and(|target| self.provinces[target].owner.is_none())
    }

    pub(crate) fn advance_conquest(&mut self) -> Next {
        if self.may_conquer() {
            return Next::Choose;
        }
        self.go_to(Point::NextTarget);
        Next::Go
    }

    pub(crate) fn legal_conquest(&self, out: &mut impl ActionSink) {
        let Some((Attacker::Army(army), series)) = self.series else { return };
        out.add(Action::Pass);
        if let (Some(to), Some(from)) = (series.may_enter(), self.army(self.active, army).province) {
            let hidden = self.provinces[from].hidden;
            out.add_all((0..=hidden).map(|hidden| Action::Step { to, hidden }));
        }
    }

    pub(crate) fn play_conquest(&mut self, action: Action, _context: &mut impl Context) {
        let Some((Attacker::Army(army), series)) = &mut self.series else {
            unreachable!("{action:?} without an attacking army")
        };
        let (army, won) = (*army, series.won);
        series.enter();
        if let Action::Step { to, hidden } = action {
            self.leave(army, to, hidden, 0);
        } else {
            self.go_to(Point::NextTarget);
            if !won {
                self.open_window(10); // an empty target that was not entered
            }
        }
    }

    /// Provinces that an army may attack next, as a set (SW-D-24).
    fn next_targets(&self) -> u128 {
        let Some((Attacker::Army(army), series)) = self.series else { return 0 };
        let army = self.army(self.active, army);
        match army.province {
            Some(place) if series.attacks_left() > 0 && army.is_led() => {
                let targets = self.enemy_provinces(self.active) | self.empty_provinces();
                let near = Provinces(self.map.neighbours(place.0) & targets);
                near.filter(|&target| series.may_attack(target)).fold(0, |set, target| set | target.bit())
            }
            _ => 0,
        }
    }

    pub(crate) fn legal_next_target(&self, out: &mut impl ActionSink) {
        out.add(Action::Stop);
        out.add_provinces(self.next_targets());
    }

    pub(crate) fn play_next_target(&mut self, action: Action, context: &mut impl Context) {
        match action {
            Action::Province(target) => self.go_to(Point::Attack(target)),
            _ => self.end_series(context),
        }
    }

    /// The force has finished; a success moves the experience marker at once (SW-EXP-03, SW-R-65).
    pub(crate) fn end_series(&mut self, context: &mut impl Context) {
        if let Some((Attacker::Army(number), series)) = self.series.take() {
            let clan = self.active;
            let army = self.army_mut(clan, number);
            let hole = series.hole_after(army.hole);
            if army.units[Unit::Daimyo] > 0 && hole != army.hole {
                army.hole = hole;
                let level = army.level();
                context.log(|| Event::Experience { clan, army: number + 1, hole, level });
            }
        }
        self.series = None;
        self.go_to(Point::ChooseBattle);
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
