//! `Scenario` of any game. Sheets and sketches pass as JSON.

use pyo3::prelude::*;
use sengoku_sim::{AnyScenario, find_game};

use crate::args::text;
use crate::work::detached;

/// Adds what scenarios need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyScenario>()?;
    module.add_function(wrap_pyfunction!(scenarios, module)?)?;
    module.add_function(wrap_pyfunction!(read_scenario, module)?)?;
    module.add_function(wrap_pyfunction!(read_toml, module)?)
}

/// Parse the text of a `what` in TOML, within bounds; the tables pass as JSON.
#[pyfunction]
fn read_toml(py: Python<'_>, content: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    let content = text("content", content)?;
    detached(py, || Ok(sengoku_kernel::read_toml(&content, what)?.to_string()))
}

/// The scenarios of a game.
#[pyfunction]
fn scenarios(py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Vec<PyScenario>> {
    let game = text("game", game)?;
    detached(py, || Ok(find_game(&game)?.scenarios().into_iter().map(PyScenario).collect()))
}

/// The scenario that a user wrote, by the text of its file. Nothing of it is kept.
#[pyfunction]
fn read_scenario(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    content: &Bound<'_, PyAny>,
) -> PyResult<PyScenario> {
    let (game, content) = (text("game", game)?, text("content", content)?);
    detached(py, || Ok(PyScenario(find_game(&game)?.read_scenario(&content)?)))
}

/// A scenario of any game.
#[pyclass(name = "Scenario", module = "sengoku._core", frozen)]
pub(crate) struct PyScenario(Box<dyn AnyScenario>);

#[pymethods]
impl PyScenario {
    /// The sheet of the scenario, as JSON.
    fn sheet(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(self.0.sheet().to_json()))
    }

    /// Its board before a match, in SVG.
    fn picture(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(self.0.picture()?))
    }

    /// The same for a terminal: lines of pairs of text and style, as JSON.
    fn sketch(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(self.0.sketch().to_json()))
    }
}
