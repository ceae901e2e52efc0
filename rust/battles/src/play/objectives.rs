//! Scenario banners.

use crate::data::Side;
use crate::event::Table;
use crate::pieces::{LeaderId, UnitId};
use crate::state::State;

impl State {
    pub(crate) fn temporary_banners(&self, side: Side) -> u8 {
        let _ = side;
        0
    }

    pub(crate) fn review_temporary(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    /// What a hex brings about in which a unit now stands: after a move, an advance, a settled retreat, or Turncoats (BT-SCEN-07).
    pub(crate) fn arrived(&mut self, unit: UnitId, table: &mut impl Table) {
        let _ = (unit, table);
    }

    /// Banners for a leader eliminated (BT-LEADERS-09).
    pub(crate) fn leader_value(&self, leader: LeaderId) -> u8 {
        let _ = leader;
        1
    }
}
