//! Action 4: levy, first what is bought, then where it goes (SW-LEVY).

use crate::action::{Action, ActionSink, BUNDLES};
use crate::data::{ArmyBox, ByUnit, ClanId, PROV_MAX, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Levied, Point, State};

/// The kinds that can be levied, in the order in which they are placed.
pub(crate) const LEVIED: [Unit; 4] = [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Spear];

/// The unit of a purchase that is placed after `place` others.
pub fn unit_at(bought: &ByUnit<u8>, place: u8) -> Option<Unit> {
    let mut before = 0;
    LEVIED.into_iter().find(|&unit| {
        before += bought[unit];
        place < before
    })
}

impl State {
    /// Begins Action 4.
    pub(crate) fn start_buying(&mut self) {
        for clan in &mut self.clans.0 {
            clan.koku -= clan.plan.levy;
        }
        self.point = Point::Buy(0);
    }

    pub(crate) fn advance_buying(&mut self, context: &mut impl Context) -> Next {
        if self.point != Point::Buy(0) {
            return Next::Ask; // in the middle of somebody's answer
        }
        // Trays are public, so a clan that can buy nothing is not asked.
        let asked = |state: &Self, clan: ClanId| {
            let clan = &state.clans[clan];
            clan.plan.levy > 0 && LEVIED.into_iter().any(|unit| clan.tray.count(unit) > 0)
        };
        if let Some(clan) = self.next_to_answer(asked) {
            self.decider = clan;
            return Next::Ask;
        }
        self.forget_answers();
        for clan in self.in_play() {
            let bought = self.clans[clan].bought;
            for unit in LEVIED {
                self.clans[clan].tray.take(unit, bought[unit]);
            }
            if bought.total() > 0 {
                context.log(|| Event::Bought { clan, units: bought });
            }
        }
        self.point = Point::Levy(0);
        Next::Go
    }

    pub(crate) fn legal_buying(&self, out: &mut impl ActionSink) {
        let clan = &self.clans[self.decider];
        let affordable = |bundle: &&[(Unit, u8)]| {
            bundle.iter().all(|&(unit, count)| clan.bought[unit] + count <= clan.tray.count(unit))
        };
        out.add_all(
            (0..)
                .zip(&BUNDLES)
                .filter(|(_, bundle)| affordable(bundle))
                .map(|(place, _)| Action::Bundle(place)),
        );
    }

    pub(crate) fn play_buying(&mut self, spent: u8, action: Action) {
        let Action::Bundle(bundle) = action else { unreachable!("{action:?} buys nothing") };
        let clan = &mut self.clans[self.decider];
        for &(unit, count) in BUNDLES[usize::from(bundle)] {
            clan.bought[unit] += count;
        }
        clan.answered = spent + 1 == clan.plan.levy;
        self.point = Point::Buy(if clan.answered { 0 } else { spent + 1 });
    }

    /// Whether a unit would fit into the provincial force, and into the army, of an own province (SW-LEVY-04).
    pub(crate) fn room(&self, clan: ClanId, province: ProvinceId, unit: Unit) -> (bool, bool) {
        let force = self.provinces[province].units.regulars() < PROV_MAX;
        let army = self.own_army_at(clan, province).is_some_and(|army| self.has_free_box(clan, army, unit));
        (force, army)
    }

    /// Whether an army has a free box of the unit's class (SW-COMP-03).
    pub(crate) fn has_free_box(&self, clan: ClanId, army: u8, unit: Unit) -> bool {
        let units = &self.army(clan, army).units;
        match unit.army_box() {
            Some(ArmyBox::Samurai) => units[Unit::Bow] + units[Unit::Sword] < crate::data::ARMY_SAMURAI,
            Some(ArmyBox::Ashigaru) => units[Unit::Gun] + units[Unit::Spear] < crate::data::ARMY_ASHIGARU,
            Some(ArmyBox::Daimyo) | None => false,
        }
    }

    pub(crate) fn advance_levying(&mut self, context: &mut impl Context) -> Next {
        if self.point != Point::Levy(0) {
            return Next::Ask; // in the middle of somebody's answer
        }
        if let Some(clan) = self.next_to_answer(|state, clan| state.clans[clan].bought.total() > 0) {
            self.decider = clan;
            return Next::Ask;
        }
        self.forget_answers();
        for clan in self.in_play() {
            self.place_levies(clan, context);
        }
        self.start_ronin(context);
        Next::Go
    }

    /// Puts all levied units of a clan where they were meant to go; the others return to the tray (SW-R-23).
    fn place_levies(&mut self, clan: ClanId, context: &mut impl Context) {
        let mut left = std::mem::take(&mut self.clans[clan].bought);
        if left.total() == 0 {
            return;
        }
        for province in Provinces(self.owned(clan)) {
            let Some(Levied { unit, into_army }) = self.provinces[province].levy.take() else { continue };
            left[unit] -= 1;
            if let Some(army) = self.own_army_at(clan, province).filter(|_| into_army) {
                self.army_mut(clan, army).units[unit] += 1;
            } else {
                self.provinces[province].units[unit] += 1;
            }
            let key = self.map.key(province.0);
            context.log(|| Event::Levied { clan, unit, province: key, into_army });
        }
        if left.total() > 0 {
            self.clans[clan].tray.put(&left);
            context.log(|| Event::GivenUp { clan, units: left });
        }
    }

    pub(crate) fn legal_levying(&self, place: u8, out: &mut impl ActionSink) {
        let clan = self.decider;
        // A position from outside may have bought nothing: then nobody is asked once play goes on.
        let Some(unit) = unit_at(&self.clans[clan].bought, place) else { return };
        out.add(Action::Pass);
        let free = || Provinces(self.owned(clan)).filter(|&province| self.provinces[province].levy.is_none());
        out.add_all(free().filter(|&province| self.room(clan, province, unit).0).map(Action::Province));
        let with_army = Provinces(self.army_provinces(clan));
        let with_army = with_army.filter(|&province| self.provinces[province].levy.is_none());
        out.add_all(with_army.filter(|&province| self.room(clan, province, unit).1).map(Action::IntoArmy));
    }

    pub(crate) fn play_levying(&mut self, place: u8, action: Action) {
        let clan = self.decider;
        let Some(unit) = unit_at(&self.clans[clan].bought, place) else {
            unreachable!("{action:?} places no bought unit")
        };
        match action {
            Action::Province(province) => {
                self.provinces[province].levy = Some(Levied { unit, into_army: false });
            }
            Action::IntoArmy(province) => {
                self.provinces[province].levy = Some(Levied { unit, into_army: true });
            }
            Action::Pass => {}
            _ => unreachable!("{action:?} places no levied unit"),
        }
        let clan = &mut self.clans[clan];
        clan.answered = place + 1 == clan.bought.total();
        self.point = Point::Levy(if clan.answered { 0 } else { place + 1 });
    }
}
