//! Batches of matches of any game, which write into arrays of the caller.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyReadwriteArrayDyn,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sengoku_kernel::{Cancel, Seat};
use sengoku_sim::{
    AnyBatch, Autoreset, BatchError, BatchRequest, Execution, MAX_FIRST_MATCH, MAX_LANES, MatchKey, Rows,
    Shaping, create_batch,
};

use crate::args::{argument, items, text, threads as threads_from};
use crate::errors::CoreError;
use crate::match_values::{outcome_row, seats_from, setup_from};
use crate::matches::PyMatch;
use crate::runs::MAX_BOTS;
use crate::work::{Threads, detached, pool, watched};

/// How long the asking thread waits for bots until it looks for signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Lanes that are moved at once where the caller is, if no bot has to think: other threads would take longer to wake up.
const FEW_LANES: usize = 64;

/// Adds what batches need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatch>()?;
    module.add("MAX_LANES", MAX_LANES)?;
    module.add("MAX_FIRST_MATCH", MAX_FIRST_MATCH)
}

fn autoreset_from(name: &str) -> Result<Autoreset, CoreError> {
    match name {
        "next_step" => Ok(Autoreset::NextStep),
        "same_step" => Ok(Autoreset::SameStep),
        "disabled" => Ok(Autoreset::Disabled),
        _ => {
            let wanted = "not \"next_step\", \"same_step\" or \"disabled\"";
            Err(CoreError::refused("ArgumentError", "autoreset", &format!("{name:?}"), wanted))
        }
    }
}

/// Makes a struct of arrays, one of their borrows, and what leads from the first to rows.
macro_rules! arrays {
    ($($field:ident: $item:ty,)*) => {
        /// The arrays that a batch writes into. Python made them and owns them.
        struct Arrays {
            $($field: Py<PyArrayDyn<$item>>,)*
        }

        /// The same while they are written.
        struct Borrowed<'py> {
            $($field: PyReadwriteArrayDyn<'py, $item>,)*
        }

        impl Arrays {
            fn from_dict(arrays: &Bound<'_, PyDict>) -> PyResult<Self> {
                Ok(Self { $($field: array_from(arrays, stringify!($field))?,)* })
            }

            fn borrow<'py>(&self, py: Python<'py>) -> PyResult<Borrowed<'py>> {
                Ok(Borrowed { $($field: borrow(py, stringify!($field), &self.$field)?,)* })
            }
        }

        impl Borrowed<'_> {
            fn rows(&mut self) -> PyResult<Rows<'_>> {
                Ok(Rows { $($field: self.$field.as_slice_mut()?,)* })
            }
        }
    };
}

arrays! {
    observation: u8,
    features: f32,
    legal_bits: u8,
    legal: u8,
    seat: i8,
    reward: f32,
    terminated: u8,
    truncated: u8,
    match_index: u64,
    decisions: u32,
    skipped: u32,
    final_observation: u8,
    final_features: f32,
    final_match_index: u64,
    final_decisions: u32,
}

fn array_from<T: Element>(arrays: &Bound<'_, PyDict>, name: &str) -> PyResult<Py<PyArrayDyn<T>>> {
    Ok(arrays.as_any().get_item(name)?.cast_into::<PyArrayDyn<T>>()?.unbind())
}

fn borrow<'py, T: Element>(
    py: Python<'py>,
    name: &str,
    array: &Py<PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let refused =
        |error| CoreError::refused("ArgumentError", name, &"not a writable array", &format!("{error}"));
    Ok(array.bind(py).try_readwrite().map_err(refused)?)
}

/// Matches of any game side by side.
#[pyclass(name = "Batch", module = "sengoku._core", frozen)]
pub(crate) struct PyBatch {
    batch: Mutex<Box<dyn AnyBatch>>,
    arrays: Arrays,
    threads: usize,
    lanes: usize,
    seats: usize,
    has_bots: bool,
}

impl PyBatch {
    /// The batch, unless another thread works with it.
    fn lock(&self) -> Result<MutexGuard<'_, Box<dyn AnyBatch>>, CoreError> {
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            // The batch itself knows what a panic has left.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(CoreError::not_ready("stepping", "a step is under way")),
        }
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let mut batch = self.lock()?;
        let batch = batch.as_mut();
        detached(py, || Ok(work(batch)?))
    }

    /// Writes into the arrays.
    fn write(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, Rows<'_>) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        let mut batch = self.lock()?;
        let batch = batch.as_mut();
        let mut arrays = self.arrays.borrow(py)?;
        let rows = arrays.rows()?;
        detached(py, || Ok(work(batch, rows)?))
    }

    /// Whether other threads are of use.
    const fn is_shared(&self) -> bool {
        self.threads != 1 && (self.lanes > FEW_LANES || self.has_bots && self.lanes > 1)
    }

    /// Moves lanes on all threads and writes into the arrays. Bots may think for long, so signals are heard meanwhile.
    fn play(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, Execution<'_>, Rows<'_>) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        let threads = Threads { count: self.threads, background: false };
        if !self.has_bots {
            let pool = self.is_shared().then(|| pool(threads)).transpose()?;
            return self.write(py, |batch, rows| {
                work(batch, Execution { pool: pool.as_deref(), cancel: &Cancel::default() }, rows)
            });
        }
        let mut batch = self.lock()?;
        let batch = batch.as_mut();
        let mut arrays = self.arrays.borrow(py)?;
        let rows = arrays.rows()?;
        watched(py, threads, None, None, |watch| {
            let (done, changed) = (Mutex::new((false, Ok(()))), Condvar::new());
            watch.pool.in_place_scope(|scope| {
                scope.spawn(|_| {
                    let end = Finished { done: &done, changed: &changed };
                    let result =
                        work(batch, Execution { pool: Some(watch.pool), cancel: watch.cancel }, rows);
                    end.set(result);
                });
                let mut found = done.lock().unwrap_or_else(PoisonError::into_inner);
                while !found.0 {
                    let waited = changed.wait_timeout(found, LOOK_EVERY);
                    let (waited, late) = waited.unwrap_or_else(PoisonError::into_inner);
                    found = waited;
                    if late.timed_out() {
                        drop(found);
                        watch.report(0, 0);
                        found = done.lock().unwrap_or_else(PoisonError::into_inner);
                    }
                }
            });
            Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).1?)
        })
    }

    fn lane(&self, lane: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(argument("lane", Some(lane), self.lanes as u64 - 1)? as usize)
    }
}

/// Notifies the waiting thread that the work is done, also when a panic ends it.
struct Finished<'a> {
    /// Whether it is, and what came of it; the scope reports a panic.
    done: &'a Mutex<(bool, Result<(), BatchError>)>,
    changed: &'a Condvar,
}

impl Finished<'_> {
    fn set(&self, result: Result<(), BatchError>) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).1 = result;
    }
}

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).0 = true;
        self.changed.notify_all();
    }
}

/// Marks of lanes, if there are any.
fn marks_from<'a>(mask: Option<&'a PyReadonlyArray1<'_, bool>>) -> PyResult<Option<&'a [bool]>> {
    Ok(mask.map(PyReadonlyArray1::as_slice).transpose()?)
}

fn seed_from(seed: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    seed.map(|seed| argument("seed", Some(seed), u64::MAX)).transpose()
}

#[pymethods]
impl PyBatch {
    /// A batch before its first reset, which writes into these arrays.
    #[new]
    #[pyo3(signature = (
        game, *, lanes, seats, bots, arrays, seed=None, first_match=None, setup="{}", autoreset="next_step",
        max_decisions=None, record=false, features=false, skip_forced=false, shaping=None, discount=1.0,
        threads=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "everything that a batch depends on")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        lanes: &Bound<'_, PyAny>,
        seats: &Bound<'_, PyAny>,
        bots: &Bound<'_, PyAny>,
        arrays: &Bound<'_, PyDict>,
        seed: Option<&Bound<'_, PyAny>>,
        first_match: Option<&Bound<'_, PyAny>>,
        setup: &str,
        autoreset: &str,
        max_decisions: Option<&Bound<'_, PyAny>>,
        record: bool,
        features: bool,
        skip_forced: bool,
        shaping: Option<f32>,
        discount: f32,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let game = text("game", game)?;
        let bots = items("bots", bots, MAX_BOTS, "a list of names")?;
        let bots = bots.iter().map(|name| (!name.is_none()).then(|| text("bots", name)).transpose());
        let bots = bots.collect::<PyResult<Vec<_>>>()?;
        let lanes = argument("lanes", Some(lanes), MAX_LANES as u64)? as usize;
        let seats = seats_from(seats)?;
        let seed = argument("seed", seed, u64::MAX)?;
        let match_index = argument("first_match", first_match, MAX_FIRST_MATCH)?;
        let max_decisions = max_decisions.map(|most| argument("max_decisions", Some(most), u32::MAX.into()));
        let max_decisions = max_decisions.transpose()?.map(|most| most as u32);
        let threads = threads_from(threads)?;
        let autoreset = autoreset_from(autoreset)?;
        let has_bots = bots.iter().any(Option::is_some);
        let arrays = Arrays::from_dict(arrays)?;
        let batch = detached(py, || {
            let key = MatchKey { seats, setup: setup_from(setup)?, seed, match_index };
            let shaping = shaping.map(|weight| Shaping { weight, discount });
            let request = BatchRequest {
                lanes,
                bots,
                key,
                autoreset,
                max_decisions,
                record,
                features,
                skip_forced,
                shaping,
            };
            Ok(create_batch(&game, request)?)
        })?;
        Ok(Self { batch: Mutex::new(batch), arrays, threads, lanes, seats, has_bots })
    }

    /// Begins the next match of every lane, or of those with a mark; with a seed, the first one of that seed.
    #[pyo3(signature = (mask=None, seed=None))]
    fn reset(
        &self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (marks, seed) = (marks_from(mask.as_ref())?, seed_from(seed)?);
        self.play(py, |batch, execution, rows| batch.reset(marks, seed, execution, rows))
    }

    /// Plays one action in each lane.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.play(py, |batch, execution, rows| batch.step(actions, execution, rows))
    }

    /// Chooses a legal action for each lane, all equally likely.
    #[pyo3(signature = (out, seed=None))]
    fn sample(
        &self,
        py: Python<'_>,
        mut out: PyReadwriteArray1<'_, i64>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (out, seed) = (out.as_slice_mut()?, seed_from(seed)?);
        let threads = Threads { count: self.threads, background: false };
        let pool = (self.threads != 1 && self.lanes > FEW_LANES).then(|| pool(threads)).transpose()?;
        self.with(py, |batch| batch.sample(seed, pool.as_deref(), out))
    }

    /// Copies the match of a lane into others; with a seed, they have chance of their own from now on.
    #[pyo3(signature = (lane, lanes, seed=None))]
    fn fork(
        &self,
        py: Python<'_>,
        lane: &Bound<'_, PyAny>,
        lanes: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (lane, seed) = (self.lane(lane)?, seed_from(seed)?);
        let lanes = items("lanes", lanes, MAX_LANES, "a list of lanes")?;
        let last = self.lanes as u64 - 1;
        let lanes = lanes.iter().map(|lane| Ok(argument("lanes", Some(lane), last)? as usize));
        let lanes = lanes.collect::<PyResult<Vec<_>>>()?;
        self.write(py, |batch, rows| batch.fork(lane, &lanes, seed, rows))
    }

    /// Changes all chance to come of every lane, or of those with a mark.
    #[pyo3(signature = (seed, mask=None))]
    fn reseed(
        &self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let seed = argument("seed", Some(seed), u64::MAX)?;
        let marks = marks_from(mask.as_ref())?;
        self.write(py, |batch, rows| batch.reseed(seed, marks, rows))
    }

    /// The match of a lane as bytes.
    fn save<'py>(&self, py: Python<'py>, lane: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let lane = self.lane(lane)?;
        Ok(PyBytes::new(py, &self.with(py, |batch| batch.save(lane))?))
    }

    /// Puts a match that was saved into a lane.
    fn restore(&self, py: Python<'_>, lane: &Bound<'_, PyAny>, data: &[u8]) -> PyResult<()> {
        let lane = self.lane(lane)?;
        self.write(py, |batch, rows| batch.restore(lane, data, rows))
    }

    /// The match of a lane with all its decisions.
    fn to_match(&self, py: Python<'_>, lane: &Bound<'_, PyAny>) -> PyResult<PyMatch> {
        let lane = self.lane(lane)?;
        Ok(PyMatch::new(self.with(py, |batch| batch.to_match(lane))?))
    }

    /// 64 bits that tell the states of lanes apart.
    fn digest(&self, py: Python<'_>, lane: &Bound<'_, PyAny>) -> PyResult<u64> {
        let lane = self.lane(lane)?;
        self.with(py, |batch| batch.digest(lane))
    }

    /// How the match of a lane ended, as a dict, or None before.
    fn outcome<'py>(&self, py: Python<'py>, lane: &Bound<'_, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let lane = self.lane(lane)?;
        let found = self.with(py, |batch| batch.outcome(lane))?;
        found.map(|(outcome, account)| outcome_row(py, outcome, &account.to_string())).transpose()
    }

    /// The observation of a seat in a lane, as an array of bytes.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        lane: &Bound<'_, PyAny>,
        seat: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let lane = self.lane(lane)?;
        let seat = Seat(argument("seat", Some(seat), self.seats as u64 - 1)? as u8);
        let seen = self.with(py, |batch| {
            let mut seen = vec![0; batch.game().observation_size];
            batch.observe(lane, seat, &mut seen)?;
            Ok(seen)
        })?;
        Ok(seen.into_pyarray(py))
    }
}
