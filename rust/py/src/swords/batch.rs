//! Odds of many battles at once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_swords::MAX_ATTACKERS;
use sengoku_swords::odds::{MAX_DEFENDERS, Odds};
use sengoku_swords::play::combat::Role;

use super::battle::PyBattle;
use super::odds::PyOdds;
use crate::odds_classes::odds_of_many;

odds_of_many! {
    /// Odds of many battles at once, as columns. Row `i` is what the same question about battle `i` alone would say.
    fn evaluate_batch(battles: "a Battle" PyBattle, max_error = 1e-4) -> PyOdds {
        |columns| {
            columns.number("rounds_mean", Odds::rounds_mean);
            let (attackers, defenders) = (usize::from(MAX_ATTACKERS) + 1, usize::from(MAX_DEFENDERS) + 1);
            columns.table("attacker_units_left", attackers, |odds| odds.units_left(Role::Attacker));
            columns.table("defender_units_left", defenders, |odds| odds.units_left(Role::Defender));
        }
    }
}
