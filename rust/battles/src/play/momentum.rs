//! Taking ground and bonus melee (MOMENTUM).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_ground(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_ground(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn ground(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn legal_bonus(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_bonus(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
