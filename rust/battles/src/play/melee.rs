//! Melee (MELEE).

use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn melee(&mut self) {}

    pub(crate) fn attack(&mut self) {}

    pub(crate) fn after_attack(&mut self) {}
}
