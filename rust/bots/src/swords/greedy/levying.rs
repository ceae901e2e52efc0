//! Action 4: what to buy and where to put it.

use sengoku_swords::Action;
use sengoku_swords::action::BUNDLES;
use sengoku_swords::data::{PROV_MAX, ProvinceId, Provinces, Unit};

use super::context::{CHEAPEST, DecisionContext};
use crate::best;

/// Value of a unit to the clan, so that bundles can be compared: three spearmen are the most for a koku.
const fn use_of(unit: Unit) -> f64 {
    match unit {
        Unit::Bow => 1.7,
        Unit::Sword => 1.3,
        Unit::Gun => 1.2,
        _ => 1.0,
    }
}

impl DecisionContext<'_> {
    /// Provinces that can take a levied unit, one each (SW-LEVY-03).
    pub(super) fn levy_places(&self) -> u8 {
        let has_room = |&place: &ProvinceId| {
            self.state.provinces[place].units.regulars() < PROV_MAX
                || self.state.own_army_at(self.clan, place).is_some()
        };
        Provinces(self.own).filter(has_room).count() as u8
    }

    /// Koku that can be spent on units: no more than the tray holds and the provinces take.
    pub(super) fn levy_limit(&self) -> u8 {
        let mut places = self.levy_places();
        let mut koku = 0;
        for unit in CHEAPEST {
            let units = self.state.clans[self.clan].tray.count(unit).min(places);
            places -= units;
            koku += units.div_ceil(unit.per_koku().unwrap_or(1));
        }
        koku
    }

    /// The bundle that is worth most, counting only units that can be placed.
    pub(super) fn buy(&self, spent: u8, legal: &[Action]) -> usize {
        let clan = &self.state.clans[self.clan];
        let left = self.levy_places().saturating_sub(clan.bought.total());
        let koku = clan.plan.levy.saturating_sub(spent).max(1);
        best(legal, |action| {
            let Action::Bundle(bundle) = action else { return -1.0 };
            let units = BUNDLES[usize::from(bundle)];
            let count: u8 = units.iter().map(|&(_, count)| count).sum();
            let worth: f64 = units.iter().map(|&(unit, count)| use_of(unit) * f64::from(count)).sum();
            // Places that this koku takes from the next ones are worth what a unit there would be.
            let over = f64::from(count) - f64::from(left) / f64::from(koku);
            worth - over.max(0.0)
        })
    }

    /// How much a province wants another unit.
    fn wants(&self, province: ProvinceId) -> f64 {
        let near = self.around(province);
        let place = &self.state.provinces[province];
        let steps = self.steps_to_enemy(province);
        let mut worth = -0.5 * f64::from(steps);
        if steps == 1 {
            let defence = self.defence(province);
            worth += 1.5 * self.danger(province, &defence);
            worth += 0.1 * f64::from((near & self.enemies).count_ones());
        }
        // Armies pick up what stands on their way.
        let armies = self.state.army_provinces(self.clan);
        if near & armies != 0 {
            worth += 0.6;
        }
        if near & (self.enemies | self.empty) != 0 && place.units.regulars() == 1 {
            worth += 0.5; // a daimyo that stands alone cannot take anything
        }
        worth - 0.15 * f64::from(place.units.regulars())
    }

    /// Armies at the front come first, and the dearest units are placed first; the others go where they are needed.
    pub(super) fn levy(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::IntoArmy(province) => 4.0 - 0.5 * f64::from(self.steps_to_enemy(province)),
            Action::Province(province) => self.wants(province),
            _ => -100.0, // no unit is given up as long as one can be placed
        })
    }
}
