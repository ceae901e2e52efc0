//! Phase B: declarations of attacks.

use sengoku_swords::data::{ProvinceId, Provinces};
use sengoku_swords::state::Attacker;
use sengoku_swords::{Action, LossOrder, Side};

use super::battles::WORTH_IT;
use super::chances::Prospect;
use super::context::DecisionContext;
use crate::best;

impl DecisionContext<'_> {
    /// Provinces that may be declared against (SW-WAR-B-05).
    pub(super) fn open_targets(&self) -> u128 {
        let options = &self.state.options;
        if self.state.round > 1 || (options.seats == 2 && options.two_player_early_attacks) {
            return self.enemies;
        }
        self.state.in_play().fold(self.enemies, |set, clan| set & !self.state.army_provinces(clan))
    }

    /// Forces that have declared against a province.
    fn declared_against(&self, target: ProvinceId) -> impl Iterator<Item = Attacker> + '_ {
        let armies = (0..).zip(self.state.declared_armies).filter(move |&(_, to)| to == Some(target));
        let forces =
            Provinces(self.own).filter(move |&from| self.state.declared_forces[from] == Some(target));
        armies.map(|(army, _)| Attacker::Army(army)).chain(forces.map(Attacker::Force))
    }

    /// The defence that is left when all who have declared against a province are through with it, and the chance
    /// that anybody is.
    fn defence_after_declared(&self, target: ProvinceId) -> (Side, f64) {
        let mut defence = self.defence(target);
        let mut stands = 1.0;
        for force in self.declared_against(target) {
            let Some(from) = self.place_of_force(force) else { continue };
            let naval = self.state.map.is_sea(from.0, target.0);
            let prospect = Prospect::of(self.attacking(force), &defence, naval);
            stands *= 1.0 - prospect.win;
            weaken(&mut defence, prospect.felled);
        }
        (defence, stands)
    }

    /// Value of a declaration: an attack on what earlier ones leave. Where they leave nothing it costs nothing.
    fn declaration_worth(&self, force: Attacker, target: ProvinceId) -> f64 {
        let Some(from) = self.place_of_force(force) else { return 0.0 };
        if target.bit() & self.enemies == 0 {
            return 0.0; // an empty province is for Phase D
        }
        let (defence, stands) = self.defence_after_declared(target);
        stands * self.attack_worth(self.attacking(force), from, target, &defence, true).0
    }

    /// The force with the best attack, until no attack is worth it.
    pub(super) fn declare(&self, legal: &[Action]) -> usize {
        let open = self.open_targets();
        best(legal, |action| {
            let force = match action {
                Action::Army(army) => Attacker::Army(army),
                Action::Province(province) => Attacker::Force(province),
                _ => return WORTH_IT,
            };
            let Some(from) = self.place_of_force(force) else { return 0.0 };
            let targets = Provinces(self.around(from) & open);
            targets.map(|target| self.declaration_worth(force, target)).fold(0.0, f64::max)
        })
    }

    /// The target for which the force was chosen.
    pub(super) fn declare_target(&self, force: Attacker, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Province(target) => self.declaration_worth(force, target),
            _ => -1.0,
        })
    }
}

/// Removes a number of units from a side, as it would choose them, but leaves one.
fn weaken(side: &mut Side, felled: f64) {
    let most = side.total().saturating_sub(1);
    let losses = side.choose(&LossOrder::HIRED_FIRST, (felled as u8).min(most));
    side.remove(&losses);
}
