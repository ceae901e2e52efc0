//! T5.

use crate::action::{Action, Legal};
use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn end_turn(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn clean_up(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn draw(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn draw_more(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn pass_turn(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn legal_advice(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn legal_keeps(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn legal_replenish(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn legal_discards(&self, out: &mut impl Legal) {
        let _ = out;
    }

    pub(crate) fn play_advice(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn play_keep(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn play_replenish(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn play_discard(&mut self, action: Action, table: &mut impl Table) {
        let _ = (action, table);
    }

    pub(crate) fn may_discard_for_honor(&self) -> bool {
        false
    }
}
