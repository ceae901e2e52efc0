//! Searches for the decision that a match has come to.

use numpy::{
    IntoPyArray, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_bots::mcts::{MAX_ITERATIONS, MAX_TREES, Options, Rows};
use sengoku_kernel::Cancelled;
use sengoku_sim::{Found, Searching, find_game};

use crate::args::{Whole, argument, text, threads as threads_from};
use crate::errors::{CoreError, wrong_type};
use crate::matches::PyMatch;
use crate::work::{PyCancel, Threads, caught, detached, watched};

/// Most leaves that wait for their values at once.
const MAX_BATCH: u64 = 4096;

/// Adds what searches need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(search, module)?)?;
    module.add_function(wrap_pyfunction!(search_iterations, module)?)?;
    module.add_function(wrap_pyfunction!(guided_search, module)?)?;
    module.add("MAX_BATCH", MAX_BATCH)?;
    module.add("MAX_TREES", MAX_TREES)?;
    module.add("MAX_ITERATIONS", MAX_ITERATIONS)
}

/// A number from 1 to `most`.
fn at_least_one(name: &str, value: &Bound<'_, PyAny>, most: u64) -> PyResult<u64> {
    let number = Whole::new(name, value)?;
    let wanted = || format!("1 to {most} are possible");
    let found = number.at_most(most).filter(|&number| number > 0);
    Ok(found.ok_or_else(|| CoreError::refused("ArgumentError", name, &number, &wanted()))?)
}

/// Result of a search, as a dict of arrays.
fn found_to_python(py: Python<'_>, found: Found) -> PyResult<Bound<'_, PyDict>> {
    let Found { seat, actions, visits, values, choice } = found;
    let row = PyDict::new(py);
    let count = actions.len();
    row.set_item("seat", seat.0)?;
    row.set_item("choice", actions[choice])?;
    row.set_item("actions", actions.into_pyarray(py))?;
    row.set_item("visits", visits.into_pyarray(py))?;
    let seats = values.len() / count;
    row.set_item("values", values.into_pyarray(py).reshape([count, seats])?)?;
    Ok(row)
}

/// Most iterations of a decision of a bot that searches, or None for one that does not.
#[pyfunction]
fn search_iterations(game: &Bound<'_, PyAny>, bot: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let (game, bot) = (text("game", game)?, text("bots", bot)?);
    caught(|| Ok(find_game(&game)?.search_iterations(&bot)?))
}

/// Searches with the built-in evaluation. `stop` ends it with what has been found, `cancel` with an error.
#[pyfunction]
#[pyo3(signature = (playing, *, iterations, trees, seed=None, threads=None, stop=None, cancel=None))]
#[expect(clippy::too_many_arguments, reason = "everything that a search depends on")]
fn search<'py>(
    py: Python<'py>,
    playing: &PyMatch,
    iterations: &Bound<'_, PyAny>,
    trees: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    stop: Option<&PyCancel>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::new(
        at_least_one("iterations", iterations, MAX_ITERATIONS.into())? as u32,
        at_least_one("trees", trees, MAX_TREES.into())? as u32,
    );
    let seed = argument("seed", seed, u64::MAX)?;
    let threads = Threads { count: threads_from(threads)?, background: false };
    let playing = playing.get(py, |playing| playing.boxed_clone())?;
    let found = watched(py, threads, cancel, None, |watch| {
        let cancel = watch.cancel;
        let stop = || cancel.is_cancelled() || stop.is_some_and(|stop| stop.0.is_raised());
        let look = || watch.report(0, 0);
        let searching = Searching { pool: watch.pool, stop: &stop, look: &look };
        let found = playing.search(&options, seed, &searching)?;
        cancel.check()?;
        Ok(found)
    })?;
    found_to_python(py, found)
}

/// Searches with a policy and values from a function of Python over batches of leaves.
#[pyfunction]
#[pyo3(signature = (playing, *, iterations, batch, evaluate, seed=None, stop=None, cancel=None))]
#[expect(clippy::too_many_arguments, reason = "everything that a search depends on")]
fn guided_search<'py>(
    py: Python<'py>,
    playing: &PyMatch,
    iterations: &Bound<'_, PyAny>,
    batch: &Bound<'_, PyAny>,
    evaluate: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    stop: Option<&PyCancel>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let iterations = at_least_one("iterations", iterations, MAX_ITERATIONS.into())? as u32;
    let batch = at_least_one("batch", batch, MAX_BATCH)? as usize;
    let seed = argument("seed", seed, u64::MAX)?;
    if !evaluate.is_callable() {
        return Err(wrong_type("evaluate", evaluate, "a function"));
    }
    let is_raised = |flag: Option<&PyCancel>| flag.is_some_and(|flag| flag.0.is_raised());
    let (mut search, size, table, seats) = playing.with(py, |playing| {
        let game = playing.game();
        let search = playing.guided(iterations, seed)?;
        Ok((search, game.observation_size, game.action_count as usize, playing.key().seats))
    })?;
    while !search.is_done() && !is_raised(stop) {
        if is_raised(cancel) {
            return Err(CoreError::from(Cancelled).into());
        }
        py.check_signals()?;
        let (count, observations, legal, seats_to_act) = detached(py, || {
            let (mut observations, mut legal) = (vec![0; batch * size], vec![false; batch * table]);
            let mut seats_to_act = vec![0; batch];
            let count = search.gather(&mut Rows {
                observations: &mut observations,
                legal: &mut legal,
                seats: &mut seats_to_act,
            });
            observations.truncate(count * size);
            legal.truncate(count * table);
            seats_to_act.truncate(count);
            Ok((count, observations, legal, seats_to_act))
        })?;
        if count == 0 {
            continue; // every way led to the end of a match
        }
        let observations = observations.into_pyarray(py).reshape([count, size])?;
        let legal = legal.into_pyarray(py).reshape([count, table])?;
        let answer = evaluate.call1((observations, &legal, seats_to_act.into_pyarray(py)))?;
        let Ok(pair) = answer.cast::<PyTuple>() else {
            return Err(wrong_type("the answer of evaluate", &answer, "a pair of arrays"));
        };
        if pair.len() != 2 {
            let wanted = "policy and values are required";
            let found = format!("{} arrays", pair.len());
            return Err(CoreError::refused("ArgumentError", "the answer of evaluate", &found, wanted).into());
        }
        let policy = floats("policy", &pair.get_item(0)?, [count, table])?;
        let values = floats("values", &pair.get_item(1)?, [count, seats])?;
        check(&policy, &values, legal.readonly().as_slice()?, count)?;
        detached(py, || {
            search.scatter(&policy, &values);
            Ok(())
        })?;
    }
    found_to_python(py, search.found())
}

/// The numbers of an array of this shape, row by row.
fn floats(name: &str, value: &Bound<'_, PyAny>, shape: [usize; 2]) -> PyResult<Vec<f32>> {
    let Ok(array) = value.cast::<PyUntypedArray>() else {
        return Err(wrong_type(name, value, "an array of numpy"));
    };
    let (kind, wanted) = (array.dtype(), numpy::dtype::<f32>(value.py()));
    if !kind.is_equiv_to(&wanted) {
        let found = format!("of {kind}");
        return Err(CoreError::refused("ArgumentError", name, &found, "float32 is required").into());
    }
    if array.shape() != shape {
        let found = format!("of shape {:?}", array.shape());
        let wanted = format!("{shape:?} is required");
        return Err(CoreError::refused("ArgumentError", name, &found, &wanted).into());
    }
    let array: PyReadonlyArray2<'_, f32> = value.extract()?;
    Ok(array.as_array().iter().copied().collect())
}

/// Values are numbers, and so are logits, of which at least one of a legal action is more than nothing.
fn check(policy: &[f32], values: &[f32], legal: &[bool], count: usize) -> Result<(), CoreError> {
    let (table, seats) = (policy.len() / count, values.len() / count);
    for row in 0..count {
        let refuse = |field: &str, value: f32, wanted: &str| {
            CoreError::refused("ArgumentError", field, &value, wanted).in_row(row)
        };
        let row_of = |all: &'_ [f32], width: usize| all[row * width..(row + 1) * width].to_vec();
        for value in row_of(values, seats) {
            if !value.is_finite() {
                return Err(refuse("values", value, "a finite number is required"));
            }
        }
        let mut most = f32::NEG_INFINITY;
        for (logit, &legal) in row_of(policy, table).into_iter().zip(&legal[row * table..]) {
            if legal && (logit.is_nan() || logit == f32::INFINITY) {
                return Err(refuse("policy", logit, "a finite number is required"));
            }
            most = if legal { most.max(logit) } else { most };
        }
        if most == f32::NEG_INFINITY {
            return Err(refuse("policy", most, "a legal action needs a finite number"));
        }
    }
    Ok(())
}
