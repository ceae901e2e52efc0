//! Battling back (BATTLEBACK).

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_battle_back(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_battle_back(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }
}
