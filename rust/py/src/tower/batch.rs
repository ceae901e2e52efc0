//! Odds of many clashes at once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_tower::Winner;
use sengoku_tower::odds::Odds;

use super::clash::PyClash;
use super::odds::PyClashOdds;
use crate::odds_classes::odds_of_many;

odds_of_many! {
    /// Odds of many clashes at once, as columns. Row `i` is what the same question about clash `i` alone would say.
    fn evaluate_clashes(clashes: "a Clash" PyClash, max_error = 1e-3) -> PyClashOdds {
        |columns| {
            let width = columns.answers.iter().map(|odds| Odds::columns(odds.clash())).max().unwrap_or(1);
            columns.table("attacker_armies_left", width, |odds| odds.armies_left(Winner::Attacker));
            columns.table("defender_armies_left", width, |odds| odds.armies_left(Winner::Defender));
        }
    }
}
