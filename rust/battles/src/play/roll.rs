//! A combat roll and its results (MELEE-06, MELEE-15, RANGED-08, RANGED-09).

use crate::event::Table;
use crate::state::State;

impl State {
    pub(crate) fn roll_dice(&mut self, table: &mut impl Table) {
        let _ = table;
    }

    pub(crate) fn results(&mut self, table: &mut impl Table) {
        let _ = table;
    }
}
