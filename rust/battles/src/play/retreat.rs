//! Retreats of units (RETREAT).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::pieces::UnitId;
use crate::state::State;

impl State {
    pub(crate) fn legal_retreats(&self, unit: UnitId, hexes: u8, out: &mut impl Legal) {
        let _ = (unit, hexes, out);
    }

    pub(crate) fn play_retreat(&mut self, unit: UnitId, hexes: u8, action: Action, table: &mut impl Table) {
        let _ = (unit, hexes, action, table);
    }

    pub(crate) fn pay_retreat(&mut self, unit: UnitId, hexes: u8, table: &mut impl Table) {
        let _ = (unit, hexes, table);
    }

    pub(crate) fn settled(&mut self, unit: UnitId, table: &mut impl Table) {
        let _ = (unit, table);
    }

    /// A card drives a unit back one flag's distance; flags cannot be ignored, castle infantry is hit instead (BT-DRAGON-37).
    pub(crate) fn drive_back_unit(&mut self, unit: UnitId) {
        let _ = unit;
    }
}
