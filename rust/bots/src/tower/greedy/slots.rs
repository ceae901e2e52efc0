//! Turn order: a slot and its special card (TW-D-06).

use sengoku_tower::Action;
use sengoku_tower::data::{Card, Space, Special};

use super::context::DecisionContext;
use crate::best;

/// Acting one slot earlier.
const EARLIER: f64 = 0.04;

impl DecisionContext<'_> {
    /// The slot whose card helps the own plan most.
    pub(super) fn take_slot(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Slot(slot) => {
                let special = self.state.special_on_slot.get(usize::from(slot).wrapping_sub(1)).copied();
                special.map_or(0.0, |special| self.special_worth(special)) - EARLIER * f64::from(slot)
            }
            _ => f64::NEG_INFINITY,
        })
    }

    fn special_worth(&self, special: Special) -> f64 {
        let planned = |space| match self.state.players[self.me].plan.card(space) {
            Card::Province(province) => Some(province),
            _ => None,
        };
        match special {
            Special::ChestPlus1 if planned(Space::Tax).is_some() && self.seasons_left > 0 => 0.4,
            Special::RicePlus1 if planned(Space::Rice).is_some() => self.rice_worth(1.0).max(0.1),
            Special::SixArmies if planned(Space::Deploy5).is_some() => 0.3,
            Special::AttackPlus1 => {
                let battles = [Space::BattleA, Space::BattleB].into_iter().filter_map(planned);
                0.45 * battles.filter(|&province| self.armies(province) > 1.0).count() as f64
            }
            Special::DefencePlus1 => 0.4,
            _ => 0.0,
        }
    }
}
