//! Phase C: what an attack is worth, and every choice around a battle.

use sengoku_swords::data::{DAIMYO, ProvinceId, Provinces, Unit};
use sengoku_swords::state::Attacker;
use sengoku_swords::{Action, Force, LossOrder, Side};

use super::chances::Prospect;
use super::context::DecisionContext;
use super::marching::step_to;
use crate::{best, place_of};

/// Least worth of an attack that is made.
pub(super) const WORTH_IT: f64 = 0.1;

impl DecisionContext<'_> {
    /// Where a force of the active clan stands.
    pub(super) fn place_of_force(&self, force: Attacker) -> Option<ProvinceId> {
        match force {
            Attacker::Army(army) => self.state.army(self.clan, army).province,
            Attacker::Force(province) => Some(province),
        }
    }

    /// A force as it would attack from where it stands.
    pub(super) fn attacking(&self, force: Attacker) -> Force {
        match force {
            Attacker::Army(army) => {
                let army = self.state.army(self.clan, army);
                army.province.map_or(army.force(), |place| self.with_stack(army.force(), place))
            }
            Attacker::Force(province) => self.with_stack(self.state.provinces[province].force(), province),
        }
    }

    /// Units of a province that could go elsewhere without leaving it empty.
    pub(super) fn spare(&self, province: ProvinceId) -> u8 {
        let regulars = self.state.provinces[province].units.regulars();
        match self.state.own_army_at(self.clan, province) {
            Some(army) => regulars + self.state.army(self.clan, army).followers().saturating_sub(1),
            None => regulars.saturating_sub(1),
        }
    }

    /// Whether an own force could move into a province after another one has emptied it.
    fn can_enter(&self, target: ProvinceId, from: ProvinceId, attackers: &Force) -> bool {
        attackers.units.regulars() > 1
            || Provinces(self.around(target) & self.own & !from.bit()).any(|place| self.spare(place) > 0)
    }

    /// Value of an attack by a force from a province on an enemy province, against this defence.
    pub(super) fn attack_worth(
        &self,
        attackers: Force,
        from: ProvinceId,
        target: ProvinceId,
        defence: &Side,
        is_first: bool,
    ) -> (f64, Prospect) {
        let naval = is_first && self.state.map.is_sea(from.0, target.0);
        let prospect = Prospect::of(attackers, defence, naval);
        let by_army = attackers.is_army();
        let prize = self.prize(target, self.can_enter(target, from, &attackers), by_army);
        let place = &self.state.provinces[from];
        let mut stake = 0.0;
        if by_army {
            stake += self.own_daimyo_worth();
        }
        let others = if by_army {
            place.units.regulars() > 0
        } else {
            self.state.own_army_at(self.clan, from).is_some()
        };
        if !others {
            stake += self.province_worth();
        }
        let worth =
            prospect.win * prize + self.harm_share() * prospect.harm - prospect.cost - prospect.ruin * stake;
        (worth, prospect)
    }

    /// The best target of a force that stands in a province, with what it is worth; the second best one's worth, too.
    pub(super) fn best_target(
        &self,
        attackers: Force,
        from: ProvinceId,
        targets: u128,
    ) -> (Option<ProvinceId>, f64, f64) {
        let (mut found, mut first, mut second) = (None, 0.0, 0.0);
        for target in Provinces(self.around(from) & targets & self.enemies) {
            let defence = self.defence(target);
            let (worth, _) = self.attack_worth(attackers, from, target, &defence, true);
            if worth > first {
                (found, second, first) = (Some(target), first, worth);
            } else if worth > second {
                second = worth;
            }
        }
        (found, first, second)
    }

    /// The strongest battle first, so that later attacks on the same province find it empty or weak; armies
    /// before that, because their attacks may go on.
    pub(super) fn choose_battle(&self, legal: &[Action]) -> usize {
        best(legal, |action| {
            let (force, target, first) = match action {
                Action::Army(army) => {
                    let target = self.state.declared_armies[usize::from(army) % DAIMYO];
                    (Attacker::Army(army), target, 100.0)
                }
                Action::Province(from) => (Attacker::Force(from), self.state.declared_forces[from], 0.0),
                _ => return -1000.0,
            };
            let (Some(from), Some(target)) = (self.place_of_force(force), target) else { return -1000.0 };
            let defence = self.defence(target);
            first + self.attack_worth(self.attacking(force), from, target, &defence, true).0
        })
    }

    /// Reveals all ronin with the attacking force.
    pub(super) fn reveal_attackers(&self, legal: &[Action]) -> usize {
        let by_army = matches!(self.state.series, Some((Attacker::Army(_), _)));
        best(legal, |action| match action {
            Action::Amount(army) if by_army => f64::from(army),
            Action::Amount(army) => -f64::from(army),
            _ => -100.0,
        })
    }

    /// Casualties: ronin, who leave anyway, then the cheapest; the army keeps its units longer than the province.
    pub(super) fn lose(legal: &[Action]) -> usize {
        let last = |unit: Unit| LossOrder::HIRED_FIRST.units().iter().position(|&kind| kind == unit);
        best(legal, |action| match action {
            Action::FromProvince(unit) => -2.0 * last(unit).unwrap_or(9) as f64,
            Action::FromArmy(unit) => -2.0 * last(unit).unwrap_or(9) as f64 - 1.0,
            _ => -1000.0,
        })
    }

    /// Step 8: on as long as that is worth more than what would be kept.
    pub(super) fn call_off(&self, legal: &[Action]) -> usize {
        let (Some(fight), Some(from)) = (self.state.fight, self.state.attack_from()) else { return 0 };
        let side = fight.combat.attacker;
        let attackers = if side.army.is_empty() { side.provincial } else { side.army };
        let defence = fight.combat.defender;
        let (worth, _) = self.attack_worth(attackers, from, fight.target, &defence, false);
        let wanted = if worth > 0.0 { Action::Continue } else { Action::CallOff };
        place_of(legal, wanted).unwrap_or(0)
    }

    /// Moves into what was emptied if there is more to win from there than from here.
    pub(super) fn conquer(&self, legal: &[Action]) -> usize {
        let Some((Attacker::Army(number), _)) = self.state.series else { return 0 };
        let army = self.state.army(self.clan, number).force();
        let Some(here) = self.state.army(self.clan, number).province else { return 0 };
        let Some(to) = legal.iter().find_map(|&action| match action {
            Action::Step { to, .. } => Some(to),
            _ => None,
        }) else {
            return 0;
        };
        let missing = self.missing(self.clan);
        let there = self.after_leaving(number, here);
        let from_there = self.best_target(there, to, u128::MAX).1;
        let from_here = self.best_target(army, here, u128::MAX).1;
        let danger = self.danger_to(there, to) - self.danger_to(army, here);
        let gain = from_there - from_here - danger * self.own_daimyo_worth();
        if missing > 1 && gain <= 0.0 {
            return place_of(legal, Action::Pass).unwrap_or(0);
        }
        step_to(to, &there, legal)
    }

    /// The next target of a series, or the end of it.
    pub(super) fn next_target(&self, legal: &[Action]) -> usize {
        let Some((force @ Attacker::Army(_), _)) = self.state.series else { return 0 };
        let Some(from) = self.place_of_force(force) else { return 0 };
        let attackers = self.attacking(force);
        best(legal, |action| match action {
            Action::Stop => WORTH_IT,
            Action::Province(target) if target.bit() & self.enemies != 0 => {
                let defence = self.defence(target);
                self.attack_worth(attackers, from, target, &defence, true).0
            }
            _ => -1.0, // empty provinces are for Phase D
        })
    }
}
