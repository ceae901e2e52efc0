//! Phase D, second part: units of provincial forces move (SW-WAR-D-04..07, SW-R-75, SW-R-76).

use crate::action::{Action, ActionSink};
use crate::data::{ARMY_ASHIGARU, ARMY_SAMURAI, ByUnit, PROV_MAX, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::play::levying::LEVIED;
use crate::state::{March, Point, State};

/// Samurai and ashigaru among units.
fn classes(units: &ByUnit<u8>) -> (u8, u8) {
    (units[Unit::Bow] + units[Unit::Sword], units[Unit::Gun] + units[Unit::Spear])
}

impl State {
    /// Units of a kind that may leave a provincial force: those that have not moved yet.
    fn unmoved(&self, from: ProvinceId, unit: Unit) -> u8 {
        self.provinces[from].units[unit] - self.provinces[from].moved[unit]
    }

    /// Regular units that may leave a province together: all but one where no army stands (SW-WAR-D-06).
    pub(crate) fn may_go(&self, from: ProvinceId) -> u8 {
        let regulars = self.provinces[from].units.regulars();
        if self.own_army_at(self.active, from).is_some() { regulars } else { regulars - 1 }
    }

    /// Free places in a province for units that arrive: in the provincial force, samurai and ashigaru boxes.
    fn places(&self, to: ProvinceId) -> (u8, u8, u8) {
        let force = PROV_MAX - self.provinces[to].units.regulars().min(PROV_MAX);
        let (samurai, ashigaru) = match self.own_army_at(self.active, to) {
            Some(army) => {
                let (samurai, ashigaru) = classes(&self.army(self.active, army).units);
                (ARMY_SAMURAI - samurai, ARMY_ASHIGARU - ashigaru)
            }
            None => (0, 0),
        };
        (force, samurai, ashigaru)
    }

    /// Whether units fit into a province, divided as it may be.
    pub(crate) fn fits(&self, to: ProvinceId, units: &ByUnit<u8>) -> bool {
        // Mostly the provincial force has room for all, and nobody need look for an army.
        if units.regulars() + self.provinces[to].units.regulars() <= PROV_MAX {
            return true;
        }
        let (force, samurai_free, ashigaru_free) = self.places(to);
        let (samurai, ashigaru) = classes(units);
        samurai.saturating_sub(samurai_free) + ashigaru.saturating_sub(ashigaru_free) <= force
    }

    /// Provinces next to `from` that units may move to, as a set.
    pub(crate) fn destinations(&self, from: ProvinceId, units: &ByUnit<u8>) -> u128 {
        let open = self.owned(self.active) | self.empty_provinces();
        Provinces(self.map.neighbours(from.0) & open)
            .filter(|&to| self.fits(to, units))
            .fold(0, |set, to| set | to.bit())
    }

    /// Kinds of which one more unit may go along.
    pub(crate) fn next_units(&self, from: ProvinceId, units: &ByUnit<u8>) -> impl Iterator<Item = Unit> {
        let more = units.regulars() < self.may_go(from);
        let units = *units;
        Unit::ALL.into_iter().filter(move |&unit| match unit {
            Unit::Daimyo => false,
            // With m units at most m - 1 ronin (SW-R-76).
            Unit::Ronin => {
                units[unit] < self.provinces[from].units[unit] && units[unit] + 1 < units.regulars()
            }
            _ => {
                let mut with = units;
                with[unit] += 1;
                more && units[unit] < self.unmoved(from, unit) && self.destinations(from, &with) != 0
            }
        })
    }

    fn movable_forces(&self) -> impl Iterator<Item = ProvinceId> + '_ {
        let owned = self.owned(self.active);
        let open = owned | self.empty_provinces();
        let armies = self.army_provinces(self.active);
        Provinces(owned).filter(move |&from| {
            let province = &self.provinces[from];
            let regulars = province.units.regulars();
            let stays = u8::from(armies & from.bit() == 0);
            let is_roomy = |to| self.provinces[to].units.regulars() < PROV_MAX;
            regulars > stays
                && regulars > province.moved.regulars()
                // Any unit can join a force that is not full; only boxes of armies depend on its class.
                && (Provinces(self.map.neighbours(from.0) & open).any(is_roomy)
                    || self.next_units(from, &ByUnit::default()).next().is_some())
        })
    }

    pub(crate) fn legal_choosing_force(&self, out: &mut impl ActionSink) {
        out.add(Action::Done);
        out.add_all(self.movable_forces().map(Action::Province));
    }

    pub(crate) fn play_choosing_force(&mut self, action: Action, context: &mut impl Context) {
        if let Action::Province(from) = action {
            self.go_to(Point::ChooseUnits { from, units: ByUnit::default() });
        } else {
            self.check_ronin(self.active, context);
            self.end_war_turn();
        }
    }

    pub(crate) fn advance_choosing_units(&self, units: &ByUnit<u8>) -> Next {
        // Whether a stack lies here must not show, so a single way is taken unasked only without any card.
        if units.regulars() > 0 && self.has_cards(self.active) { Next::Ask } else { Next::Choose }
    }

    pub(crate) fn legal_choosing_units(
        &self,
        from: ProvinceId,
        units: &ByUnit<u8>,
        out: &mut impl ActionSink,
    ) {
        let count = units.regulars();
        let ways = || {
            let ways = if count > 0 { self.destinations(from, units) } else { 0 };
            // Ronin of the hidden stack are part of the same answer (SW-R-88).
            let most = self.provinces[from].hidden.min(count.saturating_sub(1 + units[Unit::Ronin]));
            Provinces(ways).flat_map(move |to| (0..=most).map(move |hidden| Action::Step { to, hidden }))
        };
        let more = self.next_units(from, units).map(Action::FromProvince);
        out.add_all(more.chain(std::iter::once_with(ways).flatten()));
    }

    pub(crate) fn play_choosing_units(
        &mut self,
        from: ProvinceId,
        mut units: ByUnit<u8>,
        action: Action,
        context: &mut impl Context,
    ) {
        match action {
            Action::FromProvince(unit) => {
                units[unit] += 1;
                self.point = Point::ChooseUnits { from, units };
            }
            Action::Step { to, hidden } => {
                for unit in Unit::ALL {
                    self.provinces[from].units[unit] -= units[unit];
                }
                let (clan, map) = (self.active, self.map);
                context.log(|| Event::Moved { clan, from: map.key(from.0), to: map.key(to.0), units });
                let into_army = ByUnit::default();
                self.march = Some(March { army: None, from, to, hidden, rest: 0, units, into_army });
                self.point = Point::DivideRest(0);
            }
            _ => unreachable!("{action:?} moves no unit of a provincial force"),
        }
    }

    /// How many units of a kind may go into the army of the province they arrive in: least and most.
    fn room_in_army(&self, march: &March, unit: Unit) -> (u8, u8) {
        let (_, samurai_free, ashigaru_free) = self.places(march.to);
        if self.own_army_at(self.active, march.to).is_none() {
            return (0, 0);
        }
        if unit == Unit::Ronin {
            // They go where the units go; the owner divides them if the units are divided (SW-R-76).
            let inside = march.into_army.regulars();
            return match march.units[Unit::Ronin] {
                ronin if inside == march.units.regulars() => (ronin, ronin),
                _ if inside == 0 => (0, 0),
                ronin => (0, ronin),
            };
        }
        let (samurai, ashigaru) = classes(&march.into_army);
        let is_samurai = matches!(unit, Unit::Bow | Unit::Sword);
        let free = if is_samurai { samurai_free - samurai } else { ashigaru_free - ashigaru };
        let most = march.units[unit].min(free);
        let least = (0..=most).find(|&inside| {
            let mut done = march.into_army;
            done[unit] = inside;
            self.can_settle(march, &done, |kind| kind as u8 <= unit as u8)
        });
        (least.unwrap_or(most), most)
    }

    /// Whether everybody finds a place if the kinds that are decided go where `inside` says, and as many as possible of
    /// the others into the army.
    fn can_settle(&self, march: &March, inside: &ByUnit<u8>, is_decided: impl Fn(Unit) -> bool) -> bool {
        let (force, samurai_free, ashigaru_free) = self.places(march.to);
        let (samurai, ashigaru) = classes(inside);
        let (Some(mut samurai_left), Some(mut ashigaru_left)) =
            (samurai_free.checked_sub(samurai), ashigaru_free.checked_sub(ashigaru))
        else {
            return false;
        };
        let mut outside = 0;
        for kind in LEVIED {
            let left =
                if matches!(kind, Unit::Bow | Unit::Sword) { &mut samurai_left } else { &mut ashigaru_left };
            let more = if is_decided(kind) { 0 } else { (march.units[kind] - inside[kind]).min(*left) };
            *left -= more;
            outside += march.units[kind] - inside[kind] - more;
        }
        outside <= force
    }

    /// Whether the units on the way are divided soundly so far, before this kind is.
    pub(crate) fn is_dividing(&self, march: &March, unit: Unit) -> bool {
        let before = |kind: Unit| unit == Unit::Ronin || (kind as u8) < unit as u8;
        let undecided = Unit::ALL.into_iter().all(|kind| march.into_army[kind] == 0 || before(kind));
        unit != Unit::Daimyo
            && march.into_army[Unit::Ronin] == 0
            && undecided
            && self.can_settle(march, &march.into_army, before)
    }

    pub(crate) fn legal_into_army(&self, unit: Unit, out: &mut impl ActionSink) {
        let (least, most) = self.room_in_army(&self.march_under_way(), unit);
        out.add_amounts(least, most);
    }

    pub(crate) fn play_into_army(&mut self, unit: Unit, action: Action, context: &mut impl Context) {
        let Action::Amount(count) = action else { unreachable!("{action:?} divides no units") };
        let mut march = self.march_under_way();
        march.into_army[unit] = count;
        self.march = Some(march);
        // The kinds in the order of the table, ronin last: they follow the units.
        self.point = match unit {
            Unit::Bow => Point::IntoArmy(Unit::Gun),
            Unit::Gun => Point::IntoArmy(Unit::Sword),
            Unit::Sword => Point::IntoArmy(Unit::Spear),
            Unit::Spear => Point::IntoArmy(Unit::Ronin),
            Unit::Ronin | Unit::Daimyo => {
                self.settle(&march, context);
                return;
            }
        };
    }

    /// The units arrive.
    fn settle(&mut self, march: &March, context: &mut impl Context) {
        self.march = None;
        self.go_to(Point::ChooseForce);
        if let Some(army) = self.own_army_at(self.active, march.to) {
            for unit in Unit::ALL {
                self.army_mut(self.active, army).units[unit] += march.into_army[unit];
            }
        }
        let province = &mut self.provinces[march.to];
        for unit in Unit::ALL {
            let outside = march.units[unit] - march.into_army[unit];
            province.units[unit] += outside;
            if unit != Unit::Ronin {
                province.moved[unit] += outside;
            }
        }
        self.conquer_if_empty(march.to, context);
    }
}
