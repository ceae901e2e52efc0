//! Forces that could attack a province next.

use sengoku_swords::data::{ProvinceId, Provinces};
use sengoku_swords::{Force, Side};

use super::context::DecisionContext;

impl DecisionContext<'_> {
    /// The provinces that an enemy army could attack after moving.
    fn reach_of(&self, owned: u128, from: ProvinceId, level: u8) -> u128 {
        let mut stands = from.bit();
        for _ in 0..level {
            stands = self.grown(stands) & (owned | stands);
        }
        self.grown(stands)
    }

    /// Enemy forces that could attack a province: armies that can come, and the provincial forces next to it.
    fn attackers_of(&self, province: ProvinceId) -> impl Iterator<Item = Force> + '_ {
        let state = self.state;
        let clans = state.in_play().filter(|&clan| state.are_enemies(self.clan, clan));
        let armies = clans.flat_map(move |clan| {
            state.clans[clan].armies.iter().filter_map(move |army| {
                let from = army.province.filter(|_| army.is_led())?;
                let comes = self.reach_of(state.owned(clan), from, army.level()) & province.bit() != 0;
                comes.then(|| army.force())
            })
        });
        let near = Provinces(self.around(province) & self.enemies);
        let forces = near.map(|from| state.provinces[from].force());
        armies.chain(forces.filter(|force| force.units.regulars() > 1))
    }

    /// The chance that the most dangerous attack takes a province from this defence.
    pub(super) fn danger(&mut self, province: ProvinceId, defence: &Side) -> f64 {
        let attackers: Vec<Force> = self.attackers_of(province).collect();
        attackers.into_iter().map(|force| self.chances.of(force, defence, false).win).fold(0.0, f64::max)
    }

    /// The danger to an army if it stood in a province, together with the units already there.
    pub(super) fn danger_to(&mut self, army: Force, province: ProvinceId) -> f64 {
        let place = &self.state.provinces[province];
        let friendly = province.bit() & self.own != 0;
        let provincial = if friendly { place.force() } else { Force::default() };
        let defence = Side { army, provincial, fort: place.fort, bonus: place.fort.bonus() };
        self.danger(province, &defence)
    }
}
