//! T3.

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_movers(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_mover(&mut self, action: Action) {
        let _ = action;
    }

    pub(crate) fn legal_destinations(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_destination(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn arrive(&mut self, table: &mut impl Table) {
        let _ = table;
    }
}
