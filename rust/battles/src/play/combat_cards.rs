//! Dragon cards that are played in a combat (W-MELEE-START to W-GROUND-D).

use crate::action::{Action, Legal};
use crate::data::{DragonCard, Side, Window};
use crate::event::Table;
use crate::state::State;

impl State {
    /// Whether public facts open a window of a combat.
    pub(crate) fn combat_window_is_open(&self, window: Window, side: Side) -> bool {
        let _ = (window, side);
        false
    }

    /// Whether a card has what it needs, as far as everybody sees.
    pub(crate) fn combat_card_is_playable(&self, card: DragonCard, side: Side) -> bool {
        let _ = (card, side);
        false
    }

    /// What a card does that has been paid for.
    pub(crate) fn play_combat_card(&mut self, card: DragonCard, side: Side, table: &mut impl Table) {
        let _ = (card, side, table);
    }

    /// First Strike is played from the hand (BT-CMD-20).
    pub(crate) fn play_first_strike(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    /// Who played a card of the combat.
    pub(crate) fn card_player(&self, card: DragonCard) -> Side {
        let _ = card;
        self.active
    }

    pub(crate) fn legal_card_units(&self, card: DragonCard, out: &mut impl Legal) {
        let _ = (card, out);
    }

    pub(crate) fn play_card_unit(&mut self, card: DragonCard, action: Action, table: &mut impl Table) {
        let _ = (card, action, table);
    }
}
