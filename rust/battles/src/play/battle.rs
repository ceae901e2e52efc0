//! T4: which ordered unit battles, and whom (DP-12).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_battles(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_battle(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn legal_targets(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_target(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn end_combat(&mut self) {}
}
