//! Which of the paid actions the chests are spent on.

use sengoku_tower::data::{ACTIONS, Space};

use super::context::DecisionContext;

/// The actions that cost chests, by code, and what they cost (TW-COMP-05).
pub(super) const PRICES: [(Space, u16); 6] = [
    (Space::Castle, 3),
    (Space::Temple, 2),
    (Space::No, 1),
    (Space::Deploy5, 3),
    (Space::Deploy3, 2),
    (Space::Deploy1, 1),
];

/// Result of paying: the actions chosen, and the chests that are certainly left over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    /// Set of places in [`PRICES`].
    pub(super) chosen: u8,
    /// Chests that no action needs.
    pub(super) spare: u16,
    /// Total value of the actions.
    pub(super) gain: f64,
}

impl DecisionContext<'_> {
    /// The affordable set of actions that is worth most. `gains` are net of the chests; `tax` is what TAX will bring.
    pub(super) fn spend(&self, gains: &[f64; PRICES.len()], tax: u16) -> Budget {
        let mut found = Budget { chosen: 0, spare: self.state.players[self.me].chests, gain: 0.0 };
        for chosen in 1..1_u8 << PRICES.len() {
            let picked = (0..PRICES.len()).filter(|place| chosen >> place & 1 == 1);
            let gain: f64 = picked.map(|place| gains[place]).sum();
            if gain > found.gain
                && let Some(spare) = self.lasts_for(chosen, tax)
            {
                found = Budget { chosen, spare, gain };
            }
        }
        found
    }

    /// Chests that are never needed if these actions are paid in the known order; actions that are face down come
    /// before the taxes, to be on the safe side.
    fn lasts_for(&self, chosen: u8, tax: u16) -> Option<u16> {
        let mut chests = self.state.players[self.me].chests;
        let mut spare = chests;
        let price = |space| {
            let place = PRICES.iter().position(|&(paid, _)| paid == space)?;
            (chosen >> place & 1 == 1).then_some(PRICES[place].1)
        };
        let revealed = usize::from(self.state.action_revealed).min(ACTIONS);
        let known = &self.state.action_order[..revealed.min(self.state.action_order.len())];
        for &space in known {
            if space == Space::Tax {
                chests += tax;
            }
            chests = chests.checked_sub(price(space).unwrap_or(0))?;
            spare = spare.min(chests);
        }
        for (space, _) in PRICES.into_iter().filter(|(space, _)| !known.contains(space)) {
            chests = chests.checked_sub(price(space).unwrap_or(0))?;
        }
        Some(spare.min(chests))
    }
}
