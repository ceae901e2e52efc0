//! The end of a turn: a dragon card or honor (DP-32, DP-33).

use sengoku_battles::Action;

use super::context::DecisionContext;
use super::hand::dragon_card_worth;
use super::worth::DRAGON;
use crate::best;

/// Honor instead of a dragon card.
const HONOR: u8 = 2;
/// Reduction of a dragon card's value for each other one in the hand.
const CROWDED: f64 = 0.025;
/// Margin by which a card must be worth less than a token of honor to be traded for it.
const MARGIN: f64 = 0.05;

impl DecisionContext<'_> {
    /// Honor while there is little, cards while there are few (DP-32).
    pub(super) fn replenish(&self, legal: &[Action]) -> usize {
        let cards = self.state.dragon.hands[self.me].len() as f64;
        best(legal, |action| match action {
            Action::DrawDragon => DRAGON - CROWDED * cards,
            Action::TakeHonor => self.honor_refilled(self.me, HONOR.min(self.state.pool())),
            _ => f64::NEG_INFINITY,
        })
    }

    /// The card of least use, where honor is short (DP-33).
    pub(super) fn discard(&self, legal: &[Action]) -> usize {
        let token = self.honor_refilled(self.me, 1.min(self.state.pool()));
        best(legal, |action| match action {
            Action::Dragon(card) => token - dragon_card_worth(card) - MARGIN,
            Action::Pass => 0.0,
            _ => f64::NEG_INFINITY,
        })
    }
}
