//! Trials of both models, for calibration.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use sengoku_tower_physics::RigidTower;
use sengoku_tower_physics::trial::{Measured, Row, Shelves, Trial};

use super::cubes::{build as build_from, parameters as parameters_from};
use super::standing::Model;
use crate::args::{argument, text, threads as threads_from};
use crate::errors::CoreError;
use crate::work::{PyCancel, Threads, watched};

/// Most trials of one call.
const MAX_TRIALS: u64 = 1_000_000;

/// Makes trials: `rows`, an array with the columns `TRIAL_FIELDS` and one more, the number of the trial, and `residence`, the
/// numbers of cubes by throws inside, a row for each trial.
#[pyfunction]
#[pyo3(signature = (kind, *, first, count, model=None, seed=None, parameters=None, threads=None, cancel=None))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn tower_trials<'py>(
    py: Python<'py>,
    kind: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
    count: &Bound<'_, PyAny>,
    model: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let name = text("kind", kind)?;
    let trial = Trial::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, trial)| trial);
    let trial = trial.ok_or_else(|| {
        let wanted = format!("there is {}", Trial::NAMES.map(|(known, _)| known).join(", "));
        CoreError::refused("ArgumentError", "kind", &format!("{name:?}"), &wanted)
    })?;
    let first = argument("first", Some(first), (u32::MAX - 1_000_000).into())?;
    let count = argument("count", Some(count), MAX_TRIALS)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let rigid = match Model::new(model)? {
        Model::Rigid => Some(RigidTower::new(build_from(parameters)?.geometry, 0, 0)),
        Model::Shelves => None,
    };
    let shelves = if rigid.is_some() { None } else { Some(parameters_from(parameters)?) };
    let threads = Threads { count: threads_from(threads)?, background: false };
    let found = watched(py, threads, cancel, None, |watch| {
        let cancel = watch.cancel;
        let numbers = first..first + count;
        let one = |number| match (&rigid, &shelves) {
            (Some(tower), _) => trial.run(tower, seed, number, cancel),
            (None, parameters) => {
                let parameters = parameters.as_ref().expect("one of both models was chosen");
                trial.run(&Shelves::new(parameters), seed, number, cancel)
            }
        };
        // Callers that ask for one trial at a time have threads of their own, and pools are shared.
        let made: Result<Vec<Measured>, _> = match numbers.end - numbers.start {
            1 => numbers.map(one).collect(),
            _ => watch.pool.install(|| numbers.into_par_iter().map(one).collect()),
        };
        Ok(made?)
    })?;
    let mut rows: Vec<u32> = Vec::new();
    for (measured, number) in found.iter().zip(first as u32..) {
        for row in &measured.rows {
            rows.extend(row.numbers().map(u32::from));
            rows.push(number);
        }
    }
    let width = Row::FIELDS.len() + 1;
    let shape = [rows.len() / width, width];
    let residence: Vec<Vec<u32>> = found.into_iter().map(|measured| measured.residence).collect();
    let dict = PyDict::new(py);
    dict.set_item("rows", rows.into_pyarray(py).reshape(shape)?)?;
    dict.set_item("residence", residence)?;
    Ok(dict)
}
