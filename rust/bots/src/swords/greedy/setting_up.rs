//! Setup: how cards are divided, where spearmen and armies go.

use sengoku_swords::Action;
use sengoku_swords::data::{ClanId, ProvinceId, Provinces, Unit};

use super::context::DecisionContext;
use crate::best;

impl DecisionContext<'_> {
    /// Two players: provinces that lie together go to the same clan, so that its armies can move.
    pub(super) fn divide(&self, legal: &[Action]) -> usize {
        let (own, rest) = (self.own, self.state.owned(ClanId(self.clan.0 + 1)));
        best(legal, |action| match action {
            Action::Province(province) => {
                let near = self.around(province);
                f64::from((near & own).count_ones()) - 0.5 * f64::from((near & rest).count_ones())
            }
            _ => -100.0,
        })
    }

    /// Weak enemy neighbours and own ones to support, around a province.
    fn outlook(&self, province: ProvinceId) -> f64 {
        let near = self.around(province);
        let weak = Provinces(near & self.enemies)
            .filter(|&place| self.state.provinces[place].units[Unit::Spear] <= 1)
            .filter(|&place| !self.state.map.is_sea(province.0, place.0))
            .count() as f64;
        let strong = f64::from((near & self.enemies).count_ones()) - weak;
        weak - 0.3 * strong + 0.3 * f64::from((near & self.own).count_ones())
    }

    /// Spearmen go where they can attack single ones.
    pub(super) fn reinforce(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Province(province) => self.outlook(province),
            _ => -100.0,
        })
    }

    /// Armies go to the spearmen, not side by side.
    pub(super) fn place_army(&self, legal: &[Action]) -> usize {
        let armies = self.state.army_provinces(self.clan);
        let strangers = self.state.in_play().filter(|&clan| self.state.are_enemies(self.clan, clan));
        let strange = strangers.fold(0, |set, clan| set | self.state.army_provinces(clan));
        best(legal, |action| match action {
            Action::Province(province) => {
                let near = self.around(province);
                let spears = f64::from(self.state.provinces[province].units[Unit::Spear]);
                self.outlook(province) + spears
                    - 0.7 * f64::from((near & strange).count_ones())
                    - 0.5 * f64::from((near & armies).count_ones())
            }
            _ => -100.0,
        })
    }
}
