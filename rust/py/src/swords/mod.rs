//! Python classes of the battle of `swords`.

mod account;
mod batch;
mod battle;
mod fight;
mod force;
mod odds;

use pyo3::prelude::*;
use sengoku_kernel::odds::MAX_SAMPLES;
use sengoku_swords::odds::EXACT_STATE_LIMIT;

/// Adds the classes of this game to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<force::PyForce>()?;
    module.add_class::<battle::PyBattle>()?;
    module.add_class::<fight::PyFight>()?;
    module.add_class::<fight::PyFightStep>()?;
    module.add_class::<odds::PyOdds>()?;
    module.add_function(wrap_pyfunction!(batch::evaluate_batch, module)?)?;
    module.add("EXACT_STATE_LIMIT", EXACT_STATE_LIMIT)?;
    module.add("MAX_SAMPLES", MAX_SAMPLES)?;
    Ok(())
}
