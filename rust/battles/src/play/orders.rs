//! T2.

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn begin_orders(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn legal_orders(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_order(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
