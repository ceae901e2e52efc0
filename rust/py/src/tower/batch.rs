//! Odds of many clashes at once.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_kernel::InstructionSet;
use sengoku_tower::odds::{Ask, MAX_SAMPLES, Odds, Run};
use sengoku_tower::{Clash, Winner};

use super::clash::PyClash;
use crate::args::{argument, samples as samples_from, text, threads as threads_from};
use crate::errors::{CoreError, wrong_type};
use crate::work::{PyCancel, watched};

/// Odds of many clashes at once, as columns. Row `i` is what the same question about clash `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    clashes, *, method, samples=None, max_error=1e-3, max_samples=None, seed=None, threads=None, cancel=None
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn evaluate_clashes<'py>(
    py: Python<'py>,
    clashes: &Bound<'py, PyList>,
    method: &Bound<'_, PyAny>,
    samples: Option<&Bound<'_, PyAny>>,
    max_error: f64,
    max_samples: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let samples = argument("samples", samples, MAX_SAMPLES)?;
    let max_samples = samples_from("max_samples", max_samples)?;
    let ask = match text("method", method)?.as_str() {
        "sampled" => Ask::Sampled { samples },
        "auto" => Ask::Auto { max_error, max_samples },
        other => {
            let wanted = "a clash is \"sampled\" or \"auto\"";
            return Err(CoreError::refused("ArgumentError", "method", &format!("{other:?}"), wanted).into());
        }
    };
    ask.validate().map_err(CoreError::from)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let clash = |(row, item): (usize, Bound<'_, PyAny>)| {
        let clash = item.extract::<PyClash>();
        clash.map(|clash| clash.0).map_err(|_| wrong_type(&format!("row {row}"), &item, "a Clash"))
    };
    let clashes: Vec<Clash> = clashes.iter().enumerate().map(clash).collect::<PyResult<_>>()?;
    let rows = watched(py, threads_from(threads)?, cancel, None, |watch| {
        let instruction_set = InstructionSet::best();
        let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
        let rows = ask.evaluate_all(&clashes, &run, || watch.report(0, 0));
        rows.map_err(|(row, error)| CoreError::from(error).in_row(row))
    })?;
    columns(py, &rows)
}

/// The odds of many clashes, column by column.
fn columns<'py>(py: Python<'py>, rows: &[Odds]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let numbers =
        |value: &dyn Fn(&Odds) -> f64| rows.iter().map(value).collect::<Vec<f64>>().into_pyarray(py);
    columns.set_item("attacker_wins", numbers(&|odds| odds.probability(Winner::Attacker)))?;
    columns.set_item("defender_wins", numbers(&|odds| odds.probability(Winner::Defender)))?;
    columns.set_item("none", numbers(&|odds| odds.probability(Winner::Nobody)))?;
    columns.set_item("standard_error", numbers(&Odds::standard_error))?;
    columns.set_item("samples", rows.iter().map(Odds::samples).collect::<Vec<_>>().into_pyarray(py))?;
    // As wide as the most that any row can have; shorter rows end in zeros.
    let width = rows.iter().map(|odds| Odds::columns(odds.clash())).max().unwrap_or(1);
    for (name, side) in
        [("attacker_armies_left", Winner::Attacker), ("defender_armies_left", Winner::Defender)]
    {
        let mut flat = vec![0.0; rows.len() * width];
        for (line, odds) in flat.chunks_exact_mut(width).zip(rows) {
            let left = odds.armies_left(side);
            line[..left.len()].copy_from_slice(&left);
        }
        columns.set_item(name, flat.into_pyarray(py).reshape([rows.len(), width])?)?;
    }
    Ok(columns)
}
