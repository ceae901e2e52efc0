//! A leader left alone retreats or commits seppuku (LEADERS-22, RETREAT-20, SEPPUKU).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::pieces::LeaderId;
use crate::state::State;

impl State {
    pub(crate) fn legal_fates(&self, leader: LeaderId, out: &mut impl Legal) {
        let _ = (leader, out);
    }

    pub(crate) fn play_fate(&mut self, leader: LeaderId, action: Action, table: &mut impl Table) {
        let _ = (leader, action, table);
    }
}
