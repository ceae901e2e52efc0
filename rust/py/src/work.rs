//! How work is run: outside the interpreter lock, on a pool of threads, panics caught, signals heard.

use std::cell::RefCell;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sengoku_kernel::Cancel;

use crate::errors::CoreError;

/// Most threads a caller can ask for.
pub(crate) const MAX_THREADS: usize = 1024;
/// Pools that are kept for the next call.
const KEPT_POOLS: usize = 4;

/// A flag that stops work under way from another thread.
#[pyclass(name = "Cancel", module = "sengoku", frozen)]
#[derive(Default)]
pub(crate) struct PyCancel(pub(crate) Arc<Cancel>);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the work was asked to stop.
    #[getter]
    fn cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Runs work without the interpreter lock; a panic becomes an `InternalError`.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    Ok(result.unwrap_or_else(|panic| Err(CoreError::internal(&*panic)))?)
}

/// Long work as the thread that asked for it runs it: what is heavy goes to the pool, piece by piece.
pub(crate) struct Watch<'a> {
    pub(crate) pool: &'a ThreadPool,
    /// Stops this work alone; it hears the caller's flag too.
    pub(crate) cancel: &'a Cancel,
    progress: Option<&'a Py<PyAny>>,
    raised: RefCell<Option<PyErr>>,
}

impl Watch<'_> {
    /// Tells Python how far the work is and looks for signals; whatever is raised stops the work.
    pub(crate) fn report(&self, done: u64, total: u64) {
        let told = Python::attach(|py| {
            py.check_signals()?;
            self.progress.map_or(Ok(()), |progress| progress.call1(py, (done, total)).map(|_| ()))
        });
        if let Err(error) = told {
            self.cancel.cancel();
            self.raised.borrow_mut().get_or_insert(error);
        }
    }
}

/// Runs long work without the interpreter lock, with a pool of threads at hand.
///
/// The caller's flag, a signal, or an exception of the progress function stops the work.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: usize,
    cancel: Option<&PyCancel>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let cancel = cancel.map_or_else(Cancel::default, |cancel| Cancel::child(Arc::clone(&cancel.0)));
    let mut raised = None;
    let result = detached(py, || {
        let watch = Watch { pool: &pool, cancel: &cancel, progress, raised: RefCell::new(None) };
        let result = work(&watch);
        raised = watch.raised.into_inner();
        result
    });
    raised.map_or(result, Err)
}

/// Cores this process may use.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

/// The pool with this many threads, made when first asked for; 0 is one for each core.
///
/// Pools belong to a process: the threads of a parent do not exist in its forked child. Only the last few are kept.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, CoreError> {
    static POOLS: Mutex<Vec<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(Vec::new());
    let process = std::process::id();
    let threads = if threads == 0 { cores() } else { threads };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = pools.iter().position(|&(owner, size, _)| (owner, size) == (process, threads)) {
        let found = pools.remove(place);
        pools.push(found);
    } else {
        let builder =
            ThreadPoolBuilder::new().num_threads(threads).thread_name(|index| format!("sengoku-{index}"));
        let pool = builder.build().map_err(|error| {
            let wanted = format!("the machine refuses them: {error}");
            CoreError::refused("ArgumentError", "threads", &threads, &wanted)
        })?;
        pools.push((process, threads, Arc::new(pool)));
        if pools.len() > KEPT_POOLS {
            pools.remove(0);
        }
    }
    Ok(pools.last().map(|(_, _, pool)| Arc::clone(pool)).expect("one was just put there"))
}
