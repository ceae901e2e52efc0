//! Odds of many battles at once.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_kernel::InstructionSet;
use sengoku_swords::odds::{Ask, EXACT_STATE_LIMIT, MAX_DEFENDERS, MAX_SAMPLES, Odds, Run};
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{Battle, MAX_ATTACKERS};

use super::battle::PyBattle;
use super::odds::samples_of;
use crate::args::{argument, samples as samples_from, text, threads as threads_from};
use crate::errors::{CoreError, wrong_type};
use crate::work::{PyCancel, watched};

/// Odds of many battles at once, as columns. Row `i` is what the same question about battle `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    battles, *, method, samples=None, max_error=1e-4, max_samples=None, seed=None, threads=None, cancel=None
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn evaluate_batch<'py>(
    py: Python<'py>,
    battles: &Bound<'py, PyList>,
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
        "exact" => Ask::Exact { max_states: EXACT_STATE_LIMIT },
        "sampled" => Ask::Sampled { samples },
        "auto" => Ask::Auto { max_error, max_samples },
        other => {
            let wanted = "not \"exact\", \"sampled\" or \"auto\"";
            return Err(CoreError::refused("ArgumentError", "method", &format!("{other:?}"), wanted).into());
        }
    };
    ask.validate().map_err(CoreError::from)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let battle = |(row, item): (usize, Bound<'_, PyAny>)| {
        let battle = item.extract::<PyBattle>();
        battle.map(|battle| battle.0).map_err(|_| wrong_type(&format!("row {row}"), &item, "a Battle"))
    };
    let battles: Vec<Battle> = battles.iter().enumerate().map(battle).collect::<PyResult<_>>()?;
    let columns = watched(py, threads_from(threads)?, cancel, None, |watch| {
        let instruction_set = InstructionSet::best();
        let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
        let rows = ask.evaluate_all(&battles, &run, || watch.report(0, 0));
        Ok(Columns::new(&rows.map_err(|(row, error)| CoreError::from(error).in_row(row))?))
    })?;
    columns.into_python(py)
}

/// The odds of many battles, column by column.
struct Columns {
    rows: usize,
    numbers: [(&'static str, Vec<f64>); 6],
    samples: Vec<u64>,
    tables: [(&'static str, usize, Vec<f64>); 2],
}

impl Columns {
    fn new(rows: &[Odds]) -> Self {
        let column = |value: &dyn Fn(&Odds) -> f64| rows.iter().map(value).collect();
        let end = |end| column(&|odds| odds.probability(end));
        let table = |role, width: usize| {
            let mut flat = vec![0.0; rows.len() * width];
            for (line, odds) in flat.chunks_exact_mut(width).zip(rows) {
                let left = odds.units_left(role);
                line[..left.len()].copy_from_slice(&left);
            }
            flat
        };
        let (attackers, defenders) = (usize::from(MAX_ATTACKERS) + 1, usize::from(MAX_DEFENDERS) + 1);
        Self {
            rows: rows.len(),
            numbers: [
                ("attacker_wins", end(BattleEnd::Attacker)),
                ("defender_wins", end(BattleEnd::Defender)),
                ("both_eliminated", end(BattleEnd::Nobody)),
                ("called_off", end(BattleEnd::CalledOff)),
                ("standard_error", column(&Odds::standard_error)),
                ("rounds_mean", column(&Odds::rounds_mean)),
            ],
            samples: rows.iter().map(samples_of).collect(),
            tables: [
                ("attacker_units_left", attackers, table(Role::Attacker, attackers)),
                ("defender_units_left", defenders, table(Role::Defender, defenders)),
            ],
        }
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let columns = PyDict::new(py);
        for (name, numbers) in self.numbers {
            columns.set_item(name, numbers.into_pyarray(py))?;
        }
        columns.set_item("samples", self.samples.into_pyarray(py))?;
        for (name, width, flat) in self.tables {
            columns.set_item(name, flat.into_pyarray(py).reshape([self.rows, width])?)?;
        }
        Ok(columns)
    }
}
