//! What a match is made of and how it ended, from and to Python values.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sengoku_kernel::{Outcome, SetupError};
use serde_json::Value;

use crate::args::{items, whole};
use crate::errors::CoreError;

/// Most scripted dice of a match.
const MAX_DICE: usize = 1_000_000;

/// A number of seats, whatever the game then says to it.
pub(crate) fn seats_from(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole("SetupError", "seats", Some(value), u8::MAX.into())? as usize)
}

pub(crate) fn setup_from(setup: &str) -> Result<Value, CoreError> {
    let read = serde_json::from_str(setup);
    read.map_err(|error| SetupError::new("", format!("not a readable table: {error}")).into())
}

pub(crate) fn dice_from(dice: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<u8>>> {
    let Some(dice) = dice else { return Ok(None) };
    let dice = items("dice", dice, MAX_DICE, "a list of dice")?;
    if dice.len() > MAX_DICE {
        let wanted = format!("at most {MAX_DICE} are possible");
        return Err(CoreError::refused("ArgumentError", "dice", &"too many", &wanted).into());
    }
    let face = |(place, item): (usize, &Bound<'_, PyAny>)| -> PyResult<u8> {
        let number = crate::args::Whole::new(&format!("die {place}"), item)?;
        let face = number.at_most(u8::MAX.into()).filter(|&face| face > 0);
        Ok(face.ok_or_else(|| CoreError::no_die(place, &number))? as u8)
    };
    dice.iter().enumerate().map(face).collect::<PyResult<Vec<u8>>>().map(Some)
}

/// How a match ended, as a dict.
pub(crate) fn outcome_row<'py>(
    py: Python<'py>,
    outcome: Outcome,
    details: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let winner = outcome.winner().map(|seat| seat.0);
    let Outcome { ranks, by_rule, reason, rounds, scores } = outcome;
    let row = PyDict::new(py);
    row.set_item("ranks", ranks.iter().map(|&rank| u32::from(rank)).collect::<Vec<_>>())?;
    row.set_item("winner", winner)?;
    row.set_item("by_rule", by_rule)?;
    row.set_item("reason", reason)?;
    row.set_item("rounds", rounds)?;
    row.set_item("scores", scores.to_vec())?;
    row.set_item("details_json", details)?;
    Ok(row)
}
