//! Levies that charge together (LEVY-CHARGE).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_charge(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_charge(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
