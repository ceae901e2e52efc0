//! Ranged combat (RANGED).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_second_shot(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_second_shot(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
