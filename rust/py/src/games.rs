//! The games there are.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_sim::{GameEntry, games};

/// The games there are, as dicts.
#[pyfunction(name = "games")]
pub(crate) fn list_games(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = games().iter().map(|game| {
        let GameEntry {
            name,
            rules_version,
            ref seats,
            action_count,
            observation_size,
            reasons,
            bots,
            scenario_file,
            ..
        } = *game;
        let row = PyDict::new(py);
        row.set_item("name", name)?;
        row.set_item("rules_version", rules_version)?;
        row.set_item("seats", (*seats.start(), *seats.end()))?;
        row.set_item("action_count", action_count)?;
        row.set_item("observation_size", observation_size)?;
        row.set_item("reasons", reasons)?;
        row.set_item("bots", bots)?;
        let file = scenario_file.map(|file| (file.option, file.text_option, file.mark));
        row.set_item("scenario_file", file)?;
        row.set_item("scenario_remarks", game.scenario_remarks())?;
        Ok(row)
    });
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}
