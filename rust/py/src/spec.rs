//! Specifications of observations and actions. They pass as JSON.

use pyo3::prelude::*;
use sengoku_sim::find_game;

use crate::args::text;
use crate::work::detached;

/// Adds what specifications need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(spec, module)?)
}

/// The specification of a game's observations and actions, as JSON.
#[pyfunction]
fn spec(py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<String> {
    let game = text("game", game)?;
    detached(py, || Ok(find_game(&game)?.spec().to_json()))
}
