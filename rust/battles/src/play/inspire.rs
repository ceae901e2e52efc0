//! Inspiring (INSPIRE).

use crate::action::Action;
use crate::event::Table;
use crate::pieces::UnitId;
use crate::state::State;

impl State {
    pub(crate) fn play_inspire(&mut self, unit: UnitId, action: Action, table: &mut impl Table) {
        let _ = (unit, action, table);
    }
}
