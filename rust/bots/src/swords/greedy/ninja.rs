//! The ninja, revenge, and daimyo that come back.

use sengoku_swords::Action;
use sengoku_swords::data::{ClanId, ProvinceId, Unit};
use sengoku_swords::state::{Attacker, Point};

use super::context::{CHEAPEST, DecisionContext};
use super::worth::units_worth;
use crate::{best, place_of};

/// The window at the start of a war turn (SW-NW-02).
const WAR_TURN_WINDOW: u8 = 2;
/// The window after the last war turn (SW-NW-13).
const LAST_WINDOW: u8 = 13;

impl DecisionContext<'_> {
    /// Value of a daimyo's death: his army stands still, he has to learn anew, and one who stands alone is
    /// lost.
    fn assassination_worth(&self, clan: ClanId, number: u8) -> f64 {
        let army = self.state.army(clan, number);
        let mut worth = f64::from(army.level() - 1) + 0.1 * f64::from(army.hole);
        worth += 0.3 * units_worth(&army.units);
        if army.followers() == 0 {
            worth += 3.0 * self.kill_worth(clan);
        }
        if army.province.is_some_and(|place| self.around(place) & self.own != 0) {
            worth += 1.0;
        }
        worth + 0.05 * f64::from(self.state.province_count(clan))
    }

    /// The army that is attacking one of the own provinces right now, if one is: the army and the province.
    fn enemy_attack(&self) -> Option<(u8, ProvinceId)> {
        let Some((Attacker::Army(army), _)) = self.state.series else { return None };
        let target = match self.state.point {
            Point::RevealAttacker(target) | Point::FirstDie(target) => target,
            _ => self.state.fight?.target,
        };
        (self.state.provinces[target].owner == Some(self.clan)).then_some((army, target))
    }

    /// The ninja waits for an attack on the own clan, or for the last moment; a daimyo that stands alone is killed at once.
    pub(super) fn send_ninja(&self, window: u8, legal: &[Action]) -> usize {
        let active = self.state.active;
        if let Some((army, target)) = self.enemy_attack() {
            let dangerous =
                self.state.army_at(target).is_some() || self.state.army(active, army).followers() >= 4;
            let victim = place_of(legal, Action::Daimyo { clan: active, army });
            if let Some(place) = victim.filter(|_| dangerous) {
                return place;
            }
        }
        // Before the own attacks a good victim makes them easier; after the last war turn he only has to learn anew.
        let late = window == LAST_WINDOW || (window == WAR_TURN_WINDOW && active == self.clan);
        best(legal, |action| match action {
            Action::Daimyo { clan, army } => self.assassination_worth(clan, army),
            _ if late => 1.5,
            _ => 6.0,
        })
    }

    /// Revenge on the daimyo whose death hurts most.
    pub(super) fn take_revenge(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Daimyo { clan, army } => self.assassination_worth(clan, army),
            _ => -1.0,
        })
    }

    /// A recovered daimyo goes where many units wait for him in safety, and takes all of them.
    pub(super) fn recover(&self, legal: &[Action]) -> usize {
        let units = CHEAPEST.into_iter().rev().chain([Unit::Ronin]);
        if let Some(place) = units.into_iter().find_map(|unit| place_of(legal, Action::FromProvince(unit))) {
            return place;
        }
        best(legal, |action| match action {
            Action::Province(province) => {
                let force = self.state.provinces[province].units;
                let defence = self.defence(province);
                units_worth(&force) - 3.0 * self.danger(province, &defence)
            }
            _ => 0.0,
        })
    }
}
