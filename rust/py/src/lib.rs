//! The compiled module `sengoku._core`: converts arguments, leaves the interpreter lock, maps errors. It holds no rules.

#![expect(clippy::needless_pass_by_value, reason = "arguments of Python functions are handed over by value")]

mod analysis;
mod args;
mod batch;
mod battles;
mod errors;
mod features;
mod games;
#[cfg(unix)]
mod gate;
mod hosted;
mod match_values;
mod matches;
mod odds;
mod odds_classes;
mod runs;
mod scenarios;
mod search;
mod spec;
mod swords;
mod tower;
mod work;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sengoku_kernel::{Chance, InstructionSet, Purpose, Stream};
use sengoku_sim::games;

use crate::args::{argument, text};
use crate::errors::CoreError;
use crate::work::detached;

/// Versions, build profile and instruction sets of this module.
#[pyfunction]
fn build_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("profile", if cfg!(debug_assertions) { "debug" } else { "release" })?;
    info.set_item("instruction_set", InstructionSet::best().to_string())?;
    let available: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
    info.set_item("instruction_sets", available)?;
    let mut versions: Vec<(&str, u32)> = games().iter().map(|game| (game.name, game.rules_version)).collect();
    versions.sort_unstable();
    info.set_item("rules_versions", versions.into_py_dict(py)?)?;
    Ok(info)
}

/// Number of cores used by default.
#[pyfunction]
fn cores() -> usize {
    work::cores()
}

/// Most draws of one call.
const MAX_DRAWS: u64 = 10_000_000;

/// The draws of a stream, by number: each uniform in `0..sides`. With `halves` they are the halves of its words, by their
/// number, each uniform in `0..65536`: what the cube tower draws for all but shuffles.
#[pyfunction]
#[pyo3(signature = (purpose, *, seed=None, match_index=None, first=None, count=None, sides=None, halves=false))]
#[expect(clippy::too_many_arguments, reason = "everything that a draw depends on")]
fn draws(
    py: Python<'_>,
    purpose: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    match_index: Option<&Bound<'_, PyAny>>,
    first: Option<&Bound<'_, PyAny>>,
    count: Option<&Bound<'_, PyAny>>,
    sides: Option<&Bound<'_, PyAny>>,
    halves: bool,
) -> PyResult<Vec<u32>> {
    let named = [
        ("game", Purpose::Game),
        ("tower", Purpose::Tower),
        ("bots", Purpose::Bots),
        ("odds", Purpose::Odds),
        ("search", Purpose::Search),
        ("sample", Purpose::Sample),
    ];
    let name = text("purpose", purpose)?;
    let Some((_, purpose)) = named.into_iter().find(|&(known, _)| known == name) else {
        let wanted = "not \"game\", \"tower\", \"bots\", \"odds\", \"search\" or \"sample\"";
        return Err(CoreError::refused("ArgumentError", "purpose", &format!("{name:?}"), wanted).into());
    };
    let seed = argument("seed", seed, u64::MAX)?;
    let match_index = argument("match_index", match_index, u64::MAX)?;
    let first = argument("first", first, u32::MAX.into())? as u32;
    let count = count.map_or(Ok(1), |count| {
        argument("count", Some(count), MAX_DRAWS.min(u64::from(u32::MAX - first) + 1))
    })?;
    let sides = sides.map_or(Ok(12), |sides| argument("sides", Some(sides), u32::MAX.into()))? as u32;
    if sides == 0 {
        return Err(CoreError::refused("ArgumentError", "sides", &sides, "a die has at least one").into());
    }
    if halves && sides != 12 && sides != 1 << 16 {
        return Err(CoreError::refused("ArgumentError", "sides", &sides, "halves of words have 65536").into());
    }
    detached(py, || {
        let mut stream = Stream::new(seed, purpose, match_index);
        if halves {
            return Ok((first..=u32::MAX).take(count as usize).map(|half| stream.r16(half).into()).collect());
        }
        Ok((first..=u32::MAX).take(count as usize).map(|draw| stream.below(draw, sides)).collect())
    })
}

/// Compiled part of sengoku. Free-threaded interpreters need no lock for it: classes are frozen, what changes is behind a
/// mutex, and nobody waits for one while attached to an interpreter that its holder may have to wait for.
#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(build_info, module)?)?;
    module.add_function(wrap_pyfunction!(cores, module)?)?;
    module.add_function(wrap_pyfunction!(draws, module)?)?;
    module.add_class::<work::PyCancel>()?;
    module.add("MAX_THREADS", work::MAX_THREADS)?;
    batch::register(module)?;
    #[cfg(unix)]
    module.add_class::<gate::PyGate>()?;
    matches::register(module)?;
    hosted::register(module)?;
    runs::register(module)?;
    scenarios::register(module)?;
    analysis::register(module)?;
    search::register(module)?;
    spec::register(module)?;
    features::register(module)?;
    swords::register(module)?;
    tower::register(module)?;
    battles::register(module)
}
