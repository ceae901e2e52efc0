//! Odds of many strikes at once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_battles::data::FULL_BLOCKS;
use sengoku_battles::odds::{Odds, Role};

use super::odds::PyStrikeOdds;
use super::strike::PyStrike;
use crate::odds_classes::odds_of_many;

/// The mean of numbers with their probabilities.
fn mean(chances: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    chances.into_iter().map(|(number, chance)| number * chance).sum()
}

fn mean_of(chances: &[f64]) -> f64 {
    mean(chances.iter().enumerate().map(|(number, &chance)| (number as f64, chance)))
}

fn honor(odds: &Odds, role: Role) -> f64 {
    mean(odds.honor(role).into_iter().map(|(change, chance)| (change.into(), chance)))
}

odds_of_many! {
    /// Odds of many strikes at once, as columns. Row `i` is what the same question about strike `i` alone would say.
    fn evaluate_strikes(strikes: "a Strike" PyStrike, max_error = 1e-4) -> PyStrikeOdds {
        |columns| {
            for (name, axis) in [("hits_mean", 0), ("flags_mean", 1), ("honor_mean", 2)] {
                columns.number(name, move |odds| mean_of(&odds.rolled(axis)));
            }
            columns.number("attacker_banners_mean", |odds| mean_of(&odds.banners(Role::Attacker)));
            columns.number("defender_banners_mean", |odds| mean_of(&odds.banners(Role::Defender)));
            columns.number("attacker_honor_mean", |odds| honor(odds, Role::Attacker));
            columns.number("defender_honor_mean", |odds| honor(odds, Role::Defender));
            let width = usize::from(FULL_BLOCKS) + 1;
            columns.table("attacker_blocks_left", width, |odds| odds.blocks_left(Role::Attacker));
            columns.table("defender_blocks_left", width, |odds| odds.blocks_left(Role::Defender));
        }
    }
}
