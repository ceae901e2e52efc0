//! Odds of many clashes at once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_tower::Winner;
use sengoku_tower::odds::Odds;

use super::clash::PyClash;
use crate::odds::{Batch, Options};
use crate::work::PyCancel;

/// Odds of many clashes at once, as columns. Row `i` is what the same question about clash `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    clashes, *, method, samples=None, max_error=1e-3, max_samples=None, seed=None, threads=None, cancel=None,
    background=false
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn evaluate_clashes<'py>(
    clashes: &Bound<'py, PyList>,
    method: &Bound<'_, PyAny>,
    samples: Option<&Bound<'_, PyAny>>,
    max_error: f64,
    max_samples: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
    background: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options { seed, threads, cancel, background, ..Options::default() };
    let batch = Batch { method, samples, max_error, max_samples, options };
    let clash = |item: &Bound<'_, PyAny>| Ok(item.extract::<PyClash>()?.0);
    batch.evaluate(clashes, "a Clash", clash, |columns| {
        columns.number("attacker_wins", |odds| odds.probability(Winner::Attacker));
        columns.number("defender_wins", |odds| odds.probability(Winner::Defender));
        columns.number("none", |odds| odds.probability(Winner::Nobody));
        let width = columns.answers.iter().map(|odds| Odds::columns(odds.clash())).max().unwrap_or(1);
        columns.table("attacker_armies_left", width, |odds| odds.armies_left(Winner::Attacker));
        columns.table("defender_armies_left", width, |odds| odds.armies_left(Winner::Defender));
    })
}
