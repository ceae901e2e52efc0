//! Flags, and how many are ignored (MORALE).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn flags(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn legal_ignored(&self, flags: u8, most: u8, out: &mut impl Legal) {
        let _ = (flags, most, out);
    }

    pub(crate) fn play_ignored(&mut self, flags: u8, action: Action, table: &mut impl Table) {
        let _ = (flags, action, table);
    }
}
