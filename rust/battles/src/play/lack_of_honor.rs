//! Honor that cannot be paid (LACK-OF-HONOR).

use crate::action::Action;
use crate::board::{HexId, HexSet};
use crate::data::{Side, Symbol};
use crate::event::Table;
use crate::state::State;

impl State {
    /// A dragon card costs honor; what cannot be paid is diced for (BT-LACK-OF-HONOR-04).
    pub(crate) fn lose_honor_to_card(&mut self, side: Side, honor: u8, table: &mut impl Table) {
        let _ = (side, honor, table);
    }

    pub(crate) fn nearest_losses(&mut self, side: Side, from: HexId, left: [u8; 3]) {
        let _ = (side, from, left);
    }

    pub(crate) fn chosen_losses(&mut self, side: Side, left: [u8; 3]) {
        let _ = (side, left);
    }

    pub(crate) fn nearest(&self, side: Side, symbol: Symbol, from: HexId) -> HexSet {
        let _ = (side, symbol, from);
        HexSet::EMPTY
    }

    /// The unit in a hex loses a block.
    pub(crate) fn play_loss(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
