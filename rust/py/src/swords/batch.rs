//! Odds of many battles at once.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_swords::MAX_ATTACKERS;
use sengoku_swords::odds::{MAX_DEFENDERS, Odds};
use sengoku_swords::play::combat::{BattleEnd, Role};

use super::battle::PyBattle;
use crate::odds::{Batch, Options};
use crate::work::PyCancel;

/// Odds of many battles at once, as columns. Row `i` is what the same question about battle `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    battles, *, method, samples=None, max_error=1e-4, max_samples=None, seed=None, threads=None, cancel=None,
    background=false
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn evaluate_batch<'py>(
    battles: &Bound<'py, PyList>,
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
    let battle = |item: &Bound<'_, PyAny>| Ok(item.extract::<PyBattle>()?.0);
    batch.evaluate(battles, "a Battle", battle, |columns| {
        columns.number("attacker_wins", |odds| odds.probability(BattleEnd::Attacker));
        columns.number("defender_wins", |odds| odds.probability(BattleEnd::Defender));
        columns.number("both_eliminated", |odds| odds.probability(BattleEnd::Nobody));
        columns.number("called_off", |odds| odds.probability(BattleEnd::CalledOff));
        columns.number("rounds_mean", Odds::rounds_mean);
        let (attackers, defenders) = (usize::from(MAX_ATTACKERS) + 1, usize::from(MAX_DEFENDERS) + 1);
        columns.table("attacker_units_left", attackers, |odds| odds.units_left(Role::Attacker));
        columns.table("defender_units_left", defenders, |odds| odds.units_left(Role::Defender));
    })
}
