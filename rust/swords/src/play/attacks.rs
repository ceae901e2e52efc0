//! Phase C around the battles: which force fights when, how often, and what it may do next (SW-WAR-C-01..16).

use crate::action::{Action, ActionSink};
use crate::data::{DAIMYO, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::play::series::{Attack, Series};
use crate::state::{Attacker, Phase, Point, State};

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
