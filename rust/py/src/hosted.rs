//! Bots that play seats of a match themselves, suggestions, and matches as they stood before.

use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use sengoku_kernel::{Cancel, Cancelled};
use sengoku_sim::{AnyMatch, Hosted, Thinking, Thought};

use crate::args::{Whole, argument, text};
use crate::errors::CoreError;
use crate::matches::PyMatch;
use crate::work::{PyCancel, Threads, Watch, watched};

/// Decisions after which those who want news get them; a search takes as long as many quick ones.
const DECISIONS_PER_NEWS: u32 = 64;
/// How long the asking thread waits for a bot until it looks around.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Adds what hosted bots need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(host_bots, module)?)?;
    module.add_function(wrap_pyfunction!(hosted_bots, module)?)?;
    module.add_function(wrap_pyfunction!(bot_to_act, module)?)?;
    module.add_function(wrap_pyfunction!(advance_bots, module)?)?;
    module.add_function(wrap_pyfunction!(suggest_action, module)?)?;
    module.add_function(wrap_pyfunction!(rewound_match, module)?)?;
    module.add_function(wrap_pyfunction!(decisions_from, module)?)?;
    module.add_function(wrap_pyfunction!(play_actions, module)?)?;
    module.add_function(wrap_pyfunction!(events_of, module)?)?;
    module.add_function(wrap_pyfunction!(stories_of, module)?)?;
    module.add_function(wrap_pyfunction!(action_text, module)?)
}

/// Seats bots that belong to a match: pairs of seat and name.
#[pyfunction]
fn host_bots(
    py: Python<'_>,
    playing: &PyMatch,
    bots: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
) -> PyResult<()> {
    let mut hosted = Hosted::new();
    for (seat, name) in bots {
        let number = Whole::new("bots", &seat)?;
        let wanted = "which is not the number of a seat";
        let Some(seat) = number.at_most(u8::MAX.into()) else {
            return Err(CoreError::refused("ArgumentError", "bots", &number, wanted).into());
        };
        if hosted.insert(seat as u8, text("bots", &name)?).is_some() {
            let wanted = "which is given twice";
            return Err(
                CoreError::refused("ArgumentError", "bots", &format!("for seat {seat}"), wanted).into()
            );
        }
    }
    playing.with(py, |playing| Ok(playing.host_bots(hosted)?))
}

/// The bots that belong to a match, by seat.
#[pyfunction]
fn hosted_bots(py: Python<'_>, playing: &PyMatch) -> PyResult<Hosted> {
    playing.get(py, |playing| playing.hosted().clone())
}

/// Whether the seat to act has a bot.
#[pyfunction]
fn bot_to_act(py: Python<'_>, playing: &PyMatch) -> PyResult<bool> {
    playing.get(py, |playing| playing.bot_to_act())
}

/// Plays what the bots of a match decide until another seat is to act, it is over, it has so many decisions, or with `news`
/// after a search or some quick decisions; returns whether a bot is still to act. Others can use the match while a search
/// thinks.
#[pyfunction]
#[pyo3(signature = (playing, *, max_decisions=None, news=false, cancel=None))]
fn advance_bots(
    py: Python<'_>,
    playing: &PyMatch,
    max_decisions: Option<&Bound<'_, PyAny>>,
    news: bool,
    cancel: Option<&PyCancel>,
) -> PyResult<bool> {
    let most = match max_decisions {
        None => usize::MAX,
        most => argument("max_decisions", most, u32::MAX.into())? as usize,
    };
    // What may pause has a thread of its own.
    let own = cancel.is_some_and(|cancel| cancel.0.is_pausable());
    let threads = Threads { count: usize::from(own), background: false };
    watched(py, threads, cancel, None, |watch| advance(playing, most, news, watch))
}

fn advance(playing: &PyMatch, most: usize, news: bool, watch: &Watch<'_>) -> Result<bool, CoreError> {
    let mut left = DECISIONS_PER_NEWS;
    loop {
        watch.report(0, 0);
        watch.cancel.check()?;
        let mut table = lock(playing);
        let decisions = table.history().len();
        let waits = table.bot_to_act();
        if !waits || decisions >= most {
            return Ok(waits);
        }
        if let Some(thinking) = table.think() {
            drop(table);
            let thought = think(thinking, watch)?;
            lock(playing).accept(thought)?;
            left = 0;
        } else {
            table.play_bots(decisions + 1, &Cancel::default())?;
            drop(table); // what follows locks the match again
            left = left.saturating_sub(1);
        }
        if news && left == 0 {
            return Ok(lock(playing).bot_to_act());
        }
    }
}

fn lock(playing: &PyMatch) -> std::sync::MutexGuard<'_, Box<dyn AnyMatch>> {
    playing.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets a bot think on the pool, while this thread looks around.
fn think(thinking: Thinking, watch: &Watch<'_>) -> Result<Thought, CoreError> {
    let (sender, receiver) = channel();
    let cancel = watch.cancel;
    let thought = watch.pool.in_place_scope(|scope| {
        scope.spawn(move |_| {
            // The receiver waits, so nothing can be in the way of sending.
            let _ = sender.send(thinking(cancel));
        });
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(thought) => break thought,
                Err(RecvTimeoutError::Timeout) => watch.report(0, 0),
                Err(RecvTimeoutError::Disconnected) => break None, // it has panicked, and the scope says so
            }
        }
    });
    Ok(thought.ok_or(Cancelled)?)
}

/// The index of the action that a bot would take for the seat to act, from what that seat sees.
#[pyfunction]
#[pyo3(signature = (playing, name, *, seed=None, cancel=None))]
fn suggest_action(
    py: Python<'_>,
    playing: &PyMatch,
    name: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
) -> PyResult<u32> {
    let name = text("bot", name)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let playing = playing.get(py, |playing| playing.boxed_clone())?;
    let threads = Threads { count: 1, background: false };
    watched(py, threads, cancel, None, |watch| {
        let flag = watch.cancel;
        let mut found = None;
        watch.pool.in_place_scope(|scope| {
            let (sender, receiver) = channel();
            let playing = &playing;
            scope.spawn(move |_| {
                let _ = sender.send(playing.suggest(&name, seed, flag));
            });
            while found.is_none() {
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(answer) => found = Some(answer),
                    Err(RecvTimeoutError::Timeout) => watch.report(0, 0),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        let answer = found.transpose()?.flatten();
        Ok(answer.ok_or(Cancelled)?)
    })
}

/// The match as it stood after some decisions, without bots.
#[pyfunction]
fn rewound_match(py: Python<'_>, playing: &PyMatch, decisions: &Bound<'_, PyAny>) -> PyResult<PyMatch> {
    let decisions = argument("decisions", Some(decisions), u32::MAX.into())? as usize;
    let copy = playing.get(py, |playing| playing.boxed_clone())?;
    PyMatch::new(copy).with(py, |playing| Ok(PyMatch::new(playing.rewound(decisions))))
}

/// Index of the actions played, without those of the first decisions.
#[pyfunction]
fn decisions_from(py: Python<'_>, playing: &PyMatch, first: usize) -> PyResult<Vec<u32>> {
    playing.get(py, |playing| playing.history().get(first..).unwrap_or_default().to_vec())
}

/// Plays several actions, each in the name of the seat to act; those before an error stay played.
#[pyfunction]
fn play_actions(py: Python<'_>, playing: &PyMatch, actions: Vec<u32>) -> PyResult<()> {
    playing.with(py, |playing| actions.into_iter().try_for_each(|index| Ok(playing.play_index(index)?)))
}

/// The events of a decision, each as JSON; those of decision 0 happened before the first one.
#[pyfunction]
fn events_of(py: Python<'_>, playing: &PyMatch, decision: usize) -> PyResult<Vec<String>> {
    playing
        .get(py, |playing| playing.events_of(decision..=decision).iter().map(ToString::to_string).collect())
}

/// The story of each of the decisions from `first` to `last` by itself, as JSON.
#[pyfunction]
#[pyo3(signature = (playing, first, last, seat=None, long=false))]
fn stories_of(
    py: Python<'_>,
    playing: &PyMatch,
    first: usize,
    last: usize,
    seat: Option<&Bound<'_, PyAny>>,
    long: bool,
) -> PyResult<Vec<String>> {
    let viewer = playing.viewer(py, seat)?;
    playing.get(py, |playing| {
        let last = last.min(playing.history().len());
        playing.stories(first..=last, viewer, long).iter().map(ToString::to_string).collect()
    })
}

/// An action that is legal now in words, as JSON; null if it is not legal.
#[pyfunction]
fn action_text(py: Python<'_>, playing: &PyMatch, index: u32) -> PyResult<String> {
    playing.get(py, |playing| {
        let found = playing.legal_texts().into_iter().find(|action| action.index == index);
        serde_json::to_string(&found).expect("an action is a name and numbers")
    })
}
