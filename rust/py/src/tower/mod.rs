//! Python classes of the cube tower and its clashes.

mod batch;
mod clash;
mod cubes;
mod device;
mod odds;
mod rigid;
mod shelves;
mod standing;
mod throws;
mod trial;

use pyo3::prelude::*;
use sengoku_kernel::cube_tower::Parameters;
use sengoku_tower::bulk::MAX_THROWS;
use sengoku_tower::data::COLOUR_NAMES;
use sengoku_tower::odds::EXACT_STATE_LIMIT;
use sengoku_tower_physics::Geometry;
use sengoku_tower_physics::trial::Row;

/// Adds the classes of this game to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<device::PyCubeTower>()?;
    module.add_class::<clash::PyClash>()?;
    module.add_class::<clash::PySettlement>()?;
    module.add_class::<odds::PyClashOdds>()?;
    module.add_function(wrap_pyfunction!(batch::evaluate_clashes, module)?)?;
    module.add_function(wrap_pyfunction!(throws::simulate_throws, module)?)?;
    module.add_function(wrap_pyfunction!(trial::tower_trials, module)?)?;
    module.add_function(wrap_pyfunction!(parameter_sets, module)?)?;
    module.add("CLASH_STATE_LIMIT", EXACT_STATE_LIMIT)?;
    module.add("TRIAL_FIELDS", Row::FIELDS)?;
    module.add("GEOMETRIES", Geometry::NAMES)?;
    module.add("COLOURS", COLOUR_NAMES)?;
    module.add("MAX_THROWS", MAX_THROWS)
}

/// Names of the sets of parameters that the fast model has.
#[pyfunction]
fn parameter_sets() -> Vec<String> {
    Parameters::names()
}
