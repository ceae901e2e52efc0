//! `run_matches`, `check_run` and `play_bots`: matches that bots play, one or many.

use std::sync::PoisonError;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use sengoku_sim::{Columns, MAX_MATCHES, Run, RunError, RunRequest, check_run, run_matches};

use crate::args::{argument, items, text, threads as threads_from};
use crate::errors::{CoreError, wrong_type};
use crate::match_values::{seats_from, setup_from};
use crate::matches::PyMatch;
use crate::work::{PyCancel, Threads, detached, watched};

/// Most names of bots that are looked at; a table has far fewer seats.
pub(crate) const MAX_BOTS: usize = 64;

/// Adds what runs need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(play_bots, module)?)?;
    module.add("MAX_MATCHES", MAX_MATCHES)
}

/// Numbers of decisions of several matches, and the seats to act.
type Standings<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i8>>);

/// Plays what the seated bots of several matches decide, each until another seat is to act, it is over, or it has so many
/// decisions; says how many decisions each then has, and which seat is to act, -1 once it is over.
#[pyfunction]
#[pyo3(signature = (matches, *, max_decisions=None, threads=None, cancel=None, background=false))]
fn play_bots<'py>(
    py: Python<'py>,
    matches: Vec<Py<PyMatch>>,
    max_decisions: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
    background: bool,
) -> PyResult<Standings<'py>> {
    let most = match max_decisions {
        None => usize::MAX,
        most => argument("max_decisions", most, u32::MAX.into())? as usize,
    };
    let threads = Threads { count: threads_from(threads)?, background };
    let rows = watched(py, threads, cancel, None, |watch| {
        let play = |playing: &Py<PyMatch>| -> Result<(u32, i8), CoreError> {
            let mut playing = playing.get().0.lock().unwrap_or_else(PoisonError::into_inner);
            playing.play_bots(most, watch.cancel)?;
            let to_act = playing.to_act().map_or(-1, |seat| seat.0.cast_signed());
            Ok((playing.history().len() as u32, to_act))
        };
        let rows = watch.pool.install(|| matches.par_iter().map(play).collect::<Result<Vec<_>, _>>())?;
        watch.cancel.check().map_err(RunError::from)?;
        Ok(rows)
    })?;
    let (decisions, to_act): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    Ok((decisions.into_pyarray(py), to_act.into_pyarray(py)))
}

/// Reads the arguments that say which matches to run.
fn run_request(
    bots: &Bound<'_, PyAny>,
    seats: &Bound<'_, PyAny>,
    match_count: &Bound<'_, PyAny>,
    first_match: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    setup: &str,
) -> PyResult<RunRequest> {
    if bots.is_instance_of::<pyo3::types::PyString>() {
        return Err(wrong_type("bots", bots, "a list of names"));
    }
    let bots = items("bots", bots, MAX_BOTS, "a list of names")?;
    Ok(RunRequest {
        bots: bots.iter().map(|name| text("bots", name)).collect::<PyResult<_>>()?,
        seats: seats_from(seats)?,
        setup: setup_from(setup)?,
        seed: argument("seed", seed, u64::MAX)?,
        first_match: argument("first_match", first_match, u64::MAX)?,
        match_count: argument("match_count", Some(match_count), MAX_MATCHES)?,
    })
}

/// Reads the bound on the iterations of a search; without one, any number is accepted.
fn iterations_limit(most: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
    most.map_or(Ok(u32::MAX), |most| Ok(argument("max_iterations", Some(most), u32::MAX.into())? as u32))
}

/// Raises what `run_matches` would refuse, without playing a match.
#[pyfunction(name = "check_run")]
#[pyo3(signature = (
    game, *, bots, seats, match_count, first_match=None, seed=None, setup="{}", max_iterations=None
))]
#[expect(clippy::too_many_arguments, reason = "the arguments of a run")]
fn check(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    bots: &Bound<'_, PyAny>,
    seats: &Bound<'_, PyAny>,
    match_count: &Bound<'_, PyAny>,
    first_match: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    setup: &str,
    max_iterations: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let game = text("game", game)?;
    let request = run_request(bots, seats, match_count, first_match, seed, setup)?;
    let max_iterations = iterations_limit(max_iterations)?;
    detached(py, || Ok(check_run(&game, &request, max_iterations)?))
}

/// Plays a range of matches between bots; returns one row per match, as columns.
#[pyfunction(name = "run_matches")]
#[pyo3(signature = (
    game, *, bots, seats, match_count, first_match=None, seed=None, setup="{}", threads=None, progress=None,
    cancel=None, max_decisions=None, max_iterations=None, background=false, replays=false
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
fn run<'py>(
    py: Python<'py>,
    game: &Bound<'_, PyAny>,
    bots: &Bound<'_, PyAny>,
    seats: &Bound<'_, PyAny>,
    match_count: &Bound<'_, PyAny>,
    first_match: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    setup: &str,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    cancel: Option<&PyCancel>,
    max_decisions: Option<&Bound<'_, PyAny>>,
    max_iterations: Option<&Bound<'_, PyAny>>,
    background: bool,
    replays: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let game = text("game", game)?;
    let request = run_request(bots, seats, match_count, first_match, seed, setup)?;
    let seats = request.seats;
    let max_decisions = match max_decisions {
        None => u64::MAX,
        most => argument("max_decisions", most, u64::MAX)?,
    };
    let max_iterations = iterations_limit(max_iterations)?;
    let threads = Threads { count: threads_from(threads)?, background };
    let columns = watched(py, threads, cancel, progress.as_ref(), |watch| {
        let report = |done| watch.report(done, request.match_count);
        let (pool, cancel, progress) = (Some(watch.pool), watch.cancel, &report);
        let run = Run { pool, cancel, progress, max_decisions, max_iterations, replays };
        Ok(run_matches(&game, &request, &run)?)
    })?;
    let Columns { winner, by_rule, ranks, rounds, decisions, reason, scores, digest, replays: texts } =
        columns;
    let rows = winner.len();
    let row = PyDict::new(py);
    row.set_item("winner", winner.into_pyarray(py))?;
    row.set_item("by_rule", by_rule.into_pyarray(py))?;
    row.set_item("ranks", ranks.into_pyarray(py).reshape([rows, seats])?)?;
    row.set_item("rounds", rounds.into_pyarray(py))?;
    row.set_item("decisions", decisions.into_pyarray(py))?;
    row.set_item("reason", reason.into_pyarray(py))?;
    row.set_item("scores", scores.into_pyarray(py).reshape([rows, seats])?)?;
    row.set_item("digest", digest.into_pyarray(py))?;
    if replays {
        row.set_item("replays", texts)?;
    }
    Ok(row)
}
