//! Analysis of a match that was played. Records pass as JSON.

use pyo3::prelude::*;
use sengoku_kernel::Seat;
use sengoku_sim::{AnalysisOptions, Cards, MAX_PLAYOUTS, Searching};

use crate::args::{argument, text, threads as threads_from};
use crate::errors::CoreError;
use crate::matches::PyMatch;
use crate::work::{PyCancel, Threads, watched};

/// Adds what analysis needs to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(analyse, module)?)?;
    module.add("MAX_PLAYOUTS", MAX_PLAYOUTS)
}

/// Analyses decisions of a match, by number: pairs of a number and its record as JSON, in order. `stop` ends it with the
/// decisions that are done, `cancel` with an error. `progress` hears how many are done.
#[pyfunction]
#[pyo3(signature = (playing, *, decisions, iterations, luck, seed=None, horizon=None, cards=None, seat=None, threads=None,
    background=false, stop=None, cancel=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "everything that an analysis depends on")]
fn analyse(
    py: Python<'_>,
    playing: &PyMatch,
    decisions: Vec<usize>,
    iterations: &Bound<'_, PyAny>,
    luck: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    horizon: Option<&Bound<'_, PyAny>>,
    cards: Option<&Bound<'_, PyAny>>,
    seat: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    background: bool,
    stop: Option<&PyCancel>,
    cancel: Option<&PyCancel>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(usize, String)>> {
    let cards = match cards.map(|cards| text("cards", cards)).transpose()?.as_deref() {
        None | Some("seat") => Cards::Seat,
        Some("open") => Cards::Open,
        Some(other) => {
            let wanted = "\"seat\" and \"open\" are possible";
            return Err(CoreError::refused("ArgumentError", "cards", &format!("{other:?}"), wanted).into());
        }
    };
    let seats = playing.get(py, |playing| playing.key().seats)?;
    let number = |name: &str, value: &Bound<'_, PyAny>| {
        argument(name, Some(value), MAX_PLAYOUTS.into()).map(|number| number as u32)
    };
    let options = AnalysisOptions {
        seed: argument("seed", seed, u64::MAX)?,
        iterations: number("iterations", iterations)?,
        luck: number("luck", luck)?,
        horizon: horizon.map(|horizon| number("horizon", horizon)).transpose()?,
        cards,
        seat: seat
            .map(|seat| argument("seat", Some(seat), seats as u64 - 1).map(|seat| Seat(seat as u8)))
            .transpose()?,
    };
    let threads = Threads { count: threads_from(threads)?, background };
    let playing = playing.get(py, |playing| playing.boxed_clone())?;
    watched(py, threads, cancel, progress.as_ref(), |watch| {
        let cancel = watch.cancel;
        let stop = || cancel.is_cancelled() || stop.is_some_and(|stop| stop.0.is_raised());
        let look = |done: usize| watch.report(done as u64, decisions.len() as u64);
        let searching = Searching { pool: watch.pool, stop: &stop, look: &|| {} };
        let found = playing.analyse(&options, &decisions, &searching, &look);
        cancel.check()?;
        Ok(found.into_iter().map(|(decision, record)| (decision, record.to_string())).collect())
    })
}
