//! Phase D, provincial forces: into empty provinces first, then to the front.

use sengoku_swords::Action;
use sengoku_swords::data::{ByUnit, PROV_MAX, ProvinceId, Provinces, Unit};

use super::context::{CHEAPEST, DecisionContext};
use crate::best;

/// Units that go from one province to another, and what that is worth.
struct Transfer {
    to: ProvinceId,
    count: u8,
    worth: f64,
}

impl DecisionContext<'_> {
    /// Units that may leave a province in this phase without leaving it empty.
    pub(super) fn unmoved_spare(&self, province: ProvinceId) -> u8 {
        let place = &self.state.provinces[province];
        let held = self.state.own_army_at(self.clan, province).is_some();
        let most = place.units.regulars().saturating_sub(u8::from(!held));
        let unmoved = place.units.regulars().saturating_sub(place.moved.regulars());
        most.min(unmoved)
    }

    /// Room for units in an own province: in its force, and in an army there.
    fn room_in(&self, province: ProvinceId) -> u8 {
        let force = PROV_MAX.saturating_sub(self.state.provinces[province].units.regulars());
        let army = self.state.own_army_at(self.clan, province);
        force + army.map_or(0, |army| 14_u8.saturating_sub(self.state.army(self.clan, army).followers()))
    }

    /// The best move out of a province.
    fn best_transfer(&self, from: ProvinceId) -> Option<Transfer> {
        let spare = self.unmoved_spare(from);
        if spare == 0 {
            return None;
        }
        let near = self.around(from);
        let front = near & self.enemies != 0;
        let mut found: Option<Transfer> = None;
        let mut consider = |to, count, worth: f64| {
            if found.as_ref().is_none_or(|other| worth > other.worth) {
                found = Some(Transfer { to, count, worth });
            }
        };
        let empties = (near & self.empty).count_ones() as u8;
        for to in Provinces(near & self.empty) {
            // Provinces that few others can reach come first; a force far from enemies sends all it can.
            let helpers = (self.around(to) & self.own).count_ones();
            let share = if front { spare.div_ceil(2) } else { spare };
            let count = if self.is_front(to) { share / empties } else { 1 };
            consider(to, count.clamp(1, PROV_MAX), 100.0 - f64::from(helpers));
        }
        if front || near & self.empty != 0 {
            return found;
        }
        let here = self.steps_to_enemy(from);
        for to in Provinces(near & self.own) {
            let room = self.room_in(to);
            let nearer = self.steps_to_enemy(to) < here;
            if room > 0 && nearer {
                let army = self.state.own_army_at(self.clan, to).is_some();
                let weak = f64::from(PROV_MAX.saturating_sub(self.state.provinces[to].units.regulars()));
                consider(to, spare.min(room), weak + if army { 10.0 } else { 0.0 });
            }
        }
        found
    }

    /// The province with the best move, until none is left.
    pub(super) fn choose_force(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Province(from) => self.best_transfer(from).map_or(-1.0, |transfer| transfer.worth),
            _ => 0.0,
        })
    }

    /// Cheap units into empty provinces, as many as wanted, then off.
    pub(super) fn choose_units(&self, from: ProvinceId, units: &ByUnit<u8>, legal: &[Action]) -> usize {
        let Some(transfer) = self.best_transfer(from) else { return legal.len() - 1 };
        let reachable = legal.iter().any(|&action| is_step_to(action, transfer.to));
        let more = units.regulars() < transfer.count;
        let led = units.regulars().saturating_sub(1);
        best(legal, |action| match action {
            Action::FromProvince(Unit::Ronin) => -1.0,
            Action::FromProvince(unit) if more => {
                let cheap = CHEAPEST.iter().position(|&kind| kind == unit).unwrap_or(0);
                10.0 - cheap as f64
            }
            Action::Step { hidden, .. } if is_step_to(action, transfer.to) && hidden <= led => {
                5.0 - f64::from(hidden)
            }
            Action::Step { .. } if !reachable => 0.0,
            _ => -1.0,
        })
    }
}

fn is_step_to(action: Action, place: ProvinceId) -> bool {
    matches!(action, Action::Step { to, .. } if to == place)
}
