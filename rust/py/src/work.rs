//! How work is run: outside the interpreter lock, on a pool of threads, panics caught, signals heard.

use std::cell::RefCell;
use std::num::NonZero;
use std::ops::Deref;
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

impl Threads {
    /// The same with the number of cores filled in.
    fn counted(self) -> Self {
        Self { count: if self.count == 0 { cores() } else { self.count }, ..self }
    }
}

/// A flag that stops work under way from another thread.
#[pyclass(name = "Cancel", module = "sengoku", frozen)]
#[derive(Default)]
pub(crate) struct PyCancel(pub(crate) Arc<Cancel>);

#[pymethods]
impl PyCancel {
    /// A flag that is also raised, and paused, when its parent is.
    #[new]
    #[pyo3(signature = (parent=None))]
    fn new(parent: Option<&Self>) -> Self {
        Self(Arc::new(parent.map_or_else(Cancel::default, |parent| Cancel::child(Arc::clone(&parent.0)))))
    }

    /// Asks the work to stop.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the work was asked to stop.
    #[getter]
    fn cancelled(&self) -> bool {
        self.0.is_raised()
    }

    /// Permits or forbids pauses of work that begins from now on.
    fn set_pausable(&self, pausable: bool) {
        self.0.set_pausable(pausable);
    }

    /// Makes the work wait within milliseconds, until `resume` or `cancel`; says whether it may pause.
    fn pause(&self) -> bool {
        self.0.pause()
    }

    /// Lets paused work go on.
    fn resume(&self) {
        self.0.resume();
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
        let _ = self.cancel.is_cancelled(); // waits while the work is paused
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
    // What may pause has threads of its own: others do not wait for them.
    let pool = if cancel.is_some_and(|cancel| cancel.0.is_pausable()) {
        Pool::own(threads)?
    } else {
        Pool::Shared(pool(threads)?)
    };
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

/// The threads of one piece of work.
enum Pool {
    Shared(Arc<ThreadPool>),
    /// For this work alone until it ends; then the next one can have it.
    Own(u32, Threads, Option<ThreadPool>),
}

/// Idle pools of work that may pause.
static IDLE: Mutex<Vec<(u32, Threads, ThreadPool)>> = Mutex::new(Vec::new());

impl Pool {
    fn own(threads: Threads) -> Result<Self, CoreError> {
        let (process, threads) = (std::process::id(), threads.counted());
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().position(|&(owner, kind, _)| (owner, kind) == (process, threads));
        let found = place.map(|place| idle.remove(place).2);
        drop(idle);
        Ok(Self::Own(process, threads, Some(found.map_or_else(|| build(threads), Ok)?)))
    }
}

impl Deref for Pool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        match self {
            Self::Shared(pool) => pool,
            Self::Own(_, _, pool) => pool.as_ref().expect("it is taken out at the end"),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let &mut Self::Own(process, threads, ref mut pool) = self
            && let Some(pool) = pool.take()
        {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((process, threads, pool));
            if idle.len() > KEPT_POOLS {
                let oldest = idle.remove(0);
                drop(idle); // threads that end are not waited for with the lock
                drop(oldest);
            }
        }
    }
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
    let (process, threads) = (std::process::id(), threads.counted());
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = pools.iter().position(|&(owner, kind, _)| (owner, kind) == (process, threads)) {
        let found = pools.remove(place);
        pools.push(found);
    } else {
        pools.push((process, threads, Arc::new(build(threads)?)));
        if pools.len() > KEPT_POOLS {
            pools.remove(0);
        }
    }
    Ok(pools.last().map(|(_, _, pool)| Arc::clone(pool)).expect("one was just put there"))
}

/// Starts threads.
fn build(threads: Threads) -> Result<ThreadPool, CoreError> {
    let name = if threads.background { "sengoku-back" } else { "sengoku" };
    let mut builder = ThreadPoolBuilder::new()
        .num_threads(threads.count)
        .thread_name(move |index| format!("{name}-{index}"));
    if threads.background {
        builder = builder.start_handler(|_| step_back());
    }
    builder.build().map_err(|error| {
        let wanted = format!("the machine refuses them: {error}");
        CoreError::refused("ArgumentError", "threads", &threads.count, &wanted)
    })
}

/// Lowers the priority of this thread, where the system has priorities of single threads.
fn step_back() {
    // On Linux the "process" of this call is the thread that makes it. A system that refuses is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, BACKGROUND_NICENESS);
}
