//! Linked battles (BT-SCEN-20).

use crate::action::Action;
use crate::board::HexSet;
use crate::data::Side;
use crate::event::Table;
use crate::pieces::UnitId;
use crate::state::State;

impl State {
    pub(crate) fn next_battle(&mut self, table: &mut impl Table) -> bool {
        let _ = table;
        self.decided.is_none()
    }

    pub(crate) fn carry_over(&mut self, side: Side, left: [u8; 4], table: &mut impl Table) {
        let _ = (side, left, table);
    }

    pub(crate) fn carry_losses(&self, side: Side, swords: bool) -> HexSet {
        let _ = (side, swords);
        HexSet::EMPTY
    }

    pub(crate) fn carry_backs(&self, side: Side) -> HexSet {
        let _ = side;
        HexSet::EMPTY
    }

    pub(crate) fn rear_hexes(&self, unit: UnitId) -> HexSet {
        let _ = unit;
        HexSet::EMPTY
    }

    pub(crate) fn carry_loss(&mut self, side: Side, action: Action, table: &mut impl Table) {
        let _ = (side, action, table);
    }

    pub(crate) fn carry_back(&mut self, side: Side, action: Action) {
        let _ = (side, action);
    }

    pub(crate) fn carry_back_to(&mut self, unit: UnitId, action: Action, table: &mut impl Table) {
        let _ = (unit, action, table);
    }

    pub(crate) fn deal(&mut self, table: &mut impl Table) {
        let _ = table;
    }
}
