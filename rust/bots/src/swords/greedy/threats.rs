//! Forces that could attack a province next.

use arrayvec::ArrayVec;
use sengoku_swords::data::{DAIMYO, MAX_CLANS, ProvinceId, Provinces};
use sengoku_swords::{Force, Side};

use super::chances::Prospect;
use super::context::DecisionContext;

/// An army of an enemy, and the provinces that it could attack after moving.
pub(super) struct Army {
    force: Force,
    reach: u128,
}

impl DecisionContext<'_> {
    /// The provinces that an enemy army could attack after moving.
    fn reach_of(&self, owned: u128, from: ProvinceId, level: u8) -> u128 {
        let mut stands = from.bit();
        for _ in 0..level {
            stands = self.grown(stands) & (owned | stands);
        }
        self.grown(stands)
    }

    /// Armies of enemies that are led.
    pub(super) fn find_enemy_armies(&self) -> ArrayVec<Army, { MAX_CLANS * DAIMYO }> {
        let state = self.state;
        let clans = state.in_play().filter(|&clan| state.are_enemies(self.clan, clan));
        let armies = clans.flat_map(|clan| {
            state.clans[clan].armies.iter().filter_map(move |army| {
                let from = army.province.filter(|_| army.is_led())?;
                Some(Army {
                    force: army.force(),
                    reach: self.reach_of(state.owned(clan), from, army.level()),
                })
            })
        });
        armies.collect()
    }

    /// The chance that the most dangerous attack takes a province from this defence: by armies that can come, and by the
    /// provincial forces next to it.
    pub(super) fn danger(&self, province: ProvinceId, defence: &Side) -> f64 {
        let mut danger = 0.0_f64;
        for army in self.enemy_armies().iter().filter(|army| army.reach & province.bit() != 0) {
            danger = danger.max(Prospect::of(army.force, defence, false).win);
        }
        for from in Provinces(self.around(province) & self.enemies) {
            let force = self.state.provinces[from].force();
            if force.units.regulars() > 1 {
                danger = danger.max(Prospect::of(force, defence, false).win);
            }
        }
        danger
    }

    /// The danger to an army if it stood in a province, together with the units already there.
    pub(super) fn danger_to(&self, army: Force, province: ProvinceId) -> f64 {
        let place = &self.state.provinces[province];
        let friendly = province.bit() & self.own != 0;
        let provincial = if friendly { place.force() } else { Force::default() };
        let defence = Side { army, provincial, fort: place.fort, bonus: place.fort.bonus() };
        self.danger(province, &defence)
    }
}
