//! The compiled module `sengoku._core`: converts arguments, leaves the interpreter lock, maps errors. It holds no rules.

#![expect(clippy::needless_pass_by_value, reason = "arguments of Python functions are handed over by value")]

mod account;
mod args;
mod errors;
mod swords;
mod work;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sengoku_kernel::InstructionSet;

/// What this module was built from and how it runs.
#[pyfunction]
fn build_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("profile", if cfg!(debug_assertions) { "debug" } else { "release" })?;
    info.set_item("instruction_set", InstructionSet::best().to_string())?;
    let available: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
    info.set_item("instruction_sets", available)?;
    let rules = PyDict::new(py);
    rules.set_item("swords", sengoku_swords::RULES_VERSION)?;
    info.set_item("rules_versions", rules)?;
    Ok(info)
}

/// Compiled part of sengoku.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(build_info, module)?)?;
    module.add_class::<work::PyCancel>()?;
    swords::register(module)
}
