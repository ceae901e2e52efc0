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
/// How far threads of the background step back behind others: 0 is not at all, 19 as far as there is.
#[cfg(target_os = "linux")]
const BACKGROUND_NICENESS: i32 = 15;

/// The threads that long work is to be played on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Threads {
    /// How many; 0 is one for each core.
    pub(crate) count: usize,
    /// Whether they step back while other threads have something to do.
    pub(crate) background: bool,
}

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

/// Runs work of microseconds with the interpreter lock; a panic becomes an `InternalError`.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, CoreError>) -> PyResult<T> {
    let result = catch_unwind(AssertUnwindSafe(work));
    Ok(result.unwrap_or_else(|panic| Err(CoreError::internal(&*panic)))?)
}

/// Long work as seen from the calling thread: the heavy part runs on the pool, slice by slice.
pub(crate) struct Watch<'a> {
    pub(crate) pool: &'a ThreadPool,
    /// Stops this work alone; it hears the caller's flag too.
    pub(crate) cancel: &'a Cancel,
    progress: Option<&'a Py<PyAny>>,
    /// Whether this thread is the one that hears signals.
    hears_signals: bool,
    raised: RefCell<Option<PyErr>>,
}

impl Watch<'_> {
    /// Reports progress to Python and checks for signals; an exception stops the work.
    pub(crate) fn report(&self, done: u64, total: u64) {
        if self.progress.is_none() && !self.hears_signals {
            return; // nobody to notify, and the interpreter lock may be in other hands for a while
        }
        let reported = Python::attach(|py| {
            py.check_signals()?;
            self.progress.map_or(Ok(()), |progress| progress.call1(py, (done, total)).map(|_| ()))
        });
        if let Err(error) = reported {
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
    threads: Threads,
    cancel: Option<&PyCancel>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let cancel = cancel.map_or_else(Cancel::default, |cancel| Cancel::child(Arc::clone(&cancel.0)));
    let hears_signals = is_main_thread(py)?;
    let mut raised = None;
    let result = detached(py, || {
        let raised_here = RefCell::new(None);
        let watch = Watch { pool: &pool, cancel: &cancel, progress, hears_signals, raised: raised_here };
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

/// Whether this is the thread in which Python runs the handlers of signals.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let (main, this) = (threading.call_method0("main_thread")?, threading.call_method0("get_ident")?);
    main.getattr("ident")?.eq(this)
}

/// The pool with these threads, created on first use.
///
/// Pools belong to a process: the threads of a parent do not exist in its forked child. Only the last few are kept.
pub(crate) fn pool(threads: Threads) -> Result<Arc<ThreadPool>, CoreError> {
    static POOLS: Mutex<Vec<(u32, Threads, Arc<ThreadPool>)>> = Mutex::new(Vec::new());
    let process = std::process::id();
    let threads = Threads { count: if threads.count == 0 { cores() } else { threads.count }, ..threads };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = pools.iter().position(|&(owner, kind, _)| (owner, kind) == (process, threads)) {
        let found = pools.remove(place);
        pools.push(found);
    } else {
        let name = if threads.background { "sengoku-back" } else { "sengoku" };
        let mut builder = ThreadPoolBuilder::new()
            .num_threads(threads.count)
            .thread_name(move |index| format!("{name}-{index}"));
        if threads.background {
            builder = builder.start_handler(|_| step_back());
        }
        let pool = builder.build().map_err(|error| {
            let wanted = format!("the machine refuses them: {error}");
            CoreError::refused("ArgumentError", "threads", &threads.count, &wanted)
        })?;
        pools.push((process, threads, Arc::new(pool)));
        if pools.len() > KEPT_POOLS {
            pools.remove(0);
        }
    }
    Ok(pools.last().map(|(_, _, pool)| Arc::clone(pool)).expect("one was just put there"))
}

/// Lowers the priority of this thread, where the system has priorities of single threads.
fn step_back() {
    // On Linux the "process" of this call is the thread that makes it. A system that refuses is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, BACKGROUND_NICENESS);
}
