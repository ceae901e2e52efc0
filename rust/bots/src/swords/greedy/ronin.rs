//! Action 5: where hired ronin wait.

use sengoku_swords::data::{ProvinceId, Unit};
use sengoku_swords::state::Attacker;
use sengoku_swords::{Action, Force};

use super::context::DecisionContext;
use crate::best;

impl DecisionContext<'_> {
    /// Gain of two more ronin in the best attack of a force.
    fn attack_gain(&self, attackers: Force, from: ProvinceId) -> f64 {
        let open = self.open_targets();
        let mut more = attackers;
        more.units[Unit::Ronin] = (more.units[Unit::Ronin] + 2).min(more.ronin_limit());
        self.best_target(more, from, open).1 - self.best_target(attackers, from, open).1
    }

    /// How much safer two more ronin would make a province.
    fn defence_gain(&self, province: ProvinceId) -> f64 {
        let defence = self.defence(province);
        let mut more = defence;
        let force = if more.army.is_empty() { &mut more.provincial } else { &mut more.army };
        force.units[Unit::Ronin] = (force.units[Unit::Ronin] + 2).min(force.ronin_limit());
        let safer = self.danger(province, &defence) - self.danger(province, &more);
        let daimyo = if defence.army.is_empty() { 0.0 } else { self.own_daimyo_worth() };
        safer * (self.province_worth() + daimyo)
    }

    /// One ronin to the province where he and another one do most.
    pub(super) fn place_ronin(&self, legal: &[Action]) -> usize {
        best(legal, |action| {
            let Action::Province(province) = action else { return -100.0 };
            let mut gain = 0.7 * self.defence_gain(province);
            if let Some(army) = self.state.own_army_at(self.clan, province) {
                gain += self.attack_gain(self.attacking(Attacker::Army(army)), province);
                gain += 0.2;
            } else {
                gain += 0.7 * self.attack_gain(self.attacking(Attacker::Force(province)), province);
            }
            gain - 0.1 * f64::from(self.steps_to_enemy(province))
        })
    }
}
