//! First Strike and Ambush (CMD-20, DRAGON-16), and the duel before them (DRAGON-31).

use crate::action::{Action, Legal};
use crate::data::Side;
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn legal_struck(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_struck(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn after_first_strike(&mut self) {}

    pub(crate) fn legal_duellists(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_duellist(&mut self, challenger: Side, action: Action, table: &mut impl Table) {
        let _ = (challenger, action, table);
    }
}
