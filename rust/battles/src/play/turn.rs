//! T0.

use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn begin_turn(&mut self, table: &mut impl Table) {
        let _ = table;
    }
}
