//! Moves and attacks (TW-D-07, TW-D-08, TW-D-09).

use sengoku_tower::Action;
use sengoku_tower::data::{Card, ProvinceId, Provinces};

use super::context::DecisionContext;
use crate::best;

/// Armies of a move up to which values are kept.
const MOST: usize = 64;

impl DecisionContext<'_> {
    /// Target and number of armies; standing still where that is allowed.
    pub(super) fn move_armies(&self, legal: &[Action]) -> usize {
        let state = self.state;
        let planned = state.action().map(|space| state.players[self.me].plan.card(space));
        let Some(Card::Province(from)) = planned else { return 0 };
        let armies = self.armies(from);
        let stand = self.stand(from, armies);
        // Moves to one target are listed side by side, so what it is now has to be asked once for each target.
        let mut at_target = (from, 0.0);
        // The same for what stays behind, by how many go.
        let mut behind = [None; MOST];
        let mut most = f64::NEG_INFINITY;
        best(legal, |action| match action {
            Action::Move { to, armies: moved } => {
                if at_target.0 != to && self.own & to.bit() != 0 {
                    at_target = (to, self.stand(to, self.armies(to)));
                }
                let left = || self.stand(from, armies - f64::from(moved));
                let left = match behind.get_mut(usize::from(moved)) {
                    Some(known) => *known.get_or_insert_with(left),
                    None => left(),
                };
                let base = left - stand;
                let score = base + self.arrival(to, f64::from(moved), at_target.1, most - base);
                most = most.max(score);
                score
            }
            _ => 0.0,
        })
    }

    /// Value of armies where they arrive: strength in an own province, or a conquest, as far as it is not less than `least`.
    fn arrival(&self, to: ProvinceId, moved: f64, stand: f64, least: f64) -> f64 {
        if self.own & to.bit() != 0 {
            self.stand(to, self.armies(to) + moved) - stand
        } else {
            self.conquest(to, moved, least)
        }
    }

    /// Expected value of a battle action from a province, and its target; `but` is excluded.
    pub(super) fn battle_worth(&self, from: ProvinceId, stand: f64, but: u64) -> (f64, u64) {
        let armies = self.armies(from);
        if armies < 2.0 {
            return (0.0, 0); // the action is passed
        }
        let alone = self.held(from, 1.0) - stand;
        let (mut found, mut two) = ((-0.3, 0), None);
        for to in Provinces(self.state.neighbours(from) & !self.own & !but) {
            let all = alone + self.conquest(to, armies - 1.0, found.0 - alone);
            if all > found.0 {
                found = (all, to.bit());
            }
            if armies >= 4.0 {
                let two = *two.get_or_insert_with(|| self.held(from, 2.0) - stand);
                let kept = two + self.conquest(to, armies - 2.0, found.0 - two);
                if kept > found.0 {
                    found = (kept, to.bit());
                }
            }
        }
        found
    }
}
