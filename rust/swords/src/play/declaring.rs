//! Phase B: declare battles (SW-WAR-B).

use crate::action::{Action, ActionSink};
use crate::data::{DAIMYO, ProvinceId, Provinces};
use crate::event::{Context, Event};
use crate::state::{Attacker, Phase, Point, State};

impl State {
    /// Begins Phase B.
    pub(crate) fn start_declaring(&mut self) {
        self.enter_phase(Phase::B, Point::Declare);
    }

    /// Where a force of the active clan stands.
    pub(crate) fn place_of(&self, force: Attacker) -> Option<ProvinceId> {
        match force {
            Attacker::Army(army) => self.army(self.active, army).province,
            Attacker::Force(province) => Some(province),
        }
    }

    /// Provinces a force could declare against, as a set (SW-WAR-B-01, SW-WAR-B-05, SW-R-46).
    pub(crate) fn targets(&self, force: Attacker, enemies: u128) -> u128 {
        let Some(place) = self.place_of(force) else { unreachable!("{force:?} is not on the board") };
        let around = self.map.neighbours(place.0);
        match force {
            Attacker::Army(army) if self.army(self.active, army).level() >= 2 => {
                around & (enemies | self.empty_provinces())
            }
            _ => around & enemies,
        }
    }

    /// Enemy provinces that may be declared against at all: in round 1 none that holds an army.
    pub(crate) fn open_enemies(&self) -> u128 {
        let enemies = self.enemy_provinces(self.active);
        let early = self.options.seats == 2 && self.options.two_player_early_attacks; // SW-TWO-07
        if self.round > 1 || early {
            return enemies;
        }
        self.in_play().fold(enemies, |set, clan| set & !self.army_provinces(clan))
    }

    /// Forces that can still declare: armies by number, provincial forces as a set of provinces.
    fn undeclared(&self) -> (impl Iterator<Item = u8> + '_, impl Iterator<Item = ProvinceId> + '_) {
        let enemies = self.open_enemies();
        let armies = (0..DAIMYO as u8).filter(move |&army| {
            self.army(self.active, army).is_led()
                && self.declared_armies[usize::from(army)].is_none()
                && self.targets(Attacker::Army(army), enemies) != 0
        });
        let forces = Provinces(self.owned(self.active)).filter(move |&province| {
            self.map.neighbours(province.0) & enemies != 0
                && self.declared_forces[province].is_none()
                && self.provinces[province].units.regulars() > 0
        });
        (armies, forces)
    }

    pub(crate) fn legal_declaring(&self, out: &mut impl ActionSink) {
        out.add(Action::Done);
        let (armies, forces) = self.undeclared();
        out.add_all(armies.map(Action::Army));
        out.add_all(forces.map(Action::Province));
    }

    pub(crate) fn play_declaring(&mut self, action: Action, context: &mut impl Context) {
        match action {
            Action::Army(army) => self.go_to(Point::DeclareTarget(Attacker::Army(army))),
            Action::Province(province) => self.go_to(Point::DeclareTarget(Attacker::Force(province))),
            _ => {
                let clan = self.active;
                let declared = || self.declared_armies.iter().chain(&self.declared_forces.0).flatten();
                context.log(|| Event::Declarations { clan, battles: declared().count() as u8 });
                self.enter_phase(Phase::C, Point::ChooseBattle);
                self.open_window(4);
            }
        }
    }

    pub(crate) fn legal_targets(&self, force: Attacker, out: &mut impl ActionSink) {
        out.add_provinces(self.targets(force, self.open_enemies()));
    }

    pub(crate) fn play_targeting(&mut self, force: Attacker, action: Action, context: &mut impl Context) {
        let (Action::Province(target), Some(from)) = (action, self.place_of(force)) else {
            unreachable!("{action:?} of {force:?} declares no battle")
        };
        let army = match force {
            Attacker::Army(army) => {
                self.declared_armies[usize::from(army)] = Some(target);
                Some(army + 1)
            }
            Attacker::Force(province) => {
                self.declared_forces[province] = Some(target);
                None
            }
        };
        let (clan, map) = (self.active, self.map);
        context.log(|| Event::Declared { clan, army, from: map.key(from.0), target: map.key(target.0) });
        self.go_to(Point::Declare);
    }
}
