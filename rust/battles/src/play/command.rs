//! T1.

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_commands(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_command(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn read_command(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn legal_redirects(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_redirect(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
