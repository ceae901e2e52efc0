//! Dragon cards.

use crate::action::{Action, Legal};
use crate::board::HexSet;
use crate::data::{DragonCard, Side, Window};
use crate::event::Table;
use crate::pieces::UnitId;
use crate::state::State;

impl State {
    pub(crate) fn is_open(&self, window: Window, side: Side) -> bool {
        let _ = side;
        self.combat_window_is_open(window)
    }

    pub(crate) fn legal_in_window(&self, window: Window, side: Side, out: &mut impl Legal) {
        let _ = (window, side, out);
    }

    pub(crate) fn play_in_window(
        &mut self,
        window: Window,
        side: Side,
        action: Action,
        table: &mut impl Table,
    ) {
        let _ = (window, side, action, table);
    }

    pub(crate) fn resolve_dragon(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn dragon_targets(&self, card: DragonCard) -> HexSet {
        let _ = card;
        HexSet::EMPTY
    }

    pub(crate) fn play_dragon_target(&mut self, card: DragonCard, action: Action, table: &mut impl Table) {
        let _ = (card, action, table);
    }

    pub(crate) fn play_turncoat(&mut self, unit: UnitId, action: Action, table: &mut impl Table) {
        let _ = (unit, action, table);
    }

    pub(crate) fn legal_thefts(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_theft(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn play_stolen(&mut self, card: DragonCard, action: Action, table: &mut impl Table) {
        let _ = (card, action, table);
    }

    pub(crate) fn rice_famine(&mut self, left: [u8; 3], honor: u8, table: &mut impl Table) {
        let _ = (left, honor, table);
    }

    pub(crate) fn red_dragon(&mut self, left: [u8; 3]) {
        let _ = left;
    }

    pub(crate) fn drive_back(&mut self, action: Action) {
        let _ = action;
    }
}
