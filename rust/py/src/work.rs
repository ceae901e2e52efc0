//! How work is run: outside the interpreter lock, on a pool of threads, panics caught, signals heard.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sengoku_swords::odds::Cancel;

use crate::errors::CoreError;

/// How often the caller's thread looks after its work.
const TELL_EVERY: Duration = Duration::from_millis(50);
/// Most threads a caller can ask for.
const MAX_THREADS: usize = 1024;

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

/// Work under way as the thread that asked for it sees it.
pub(crate) struct Watch {
    pub(crate) cancel: Arc<Cancel>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Watch {
    /// Notes how far the work is; the caller's thread tells Python.
    pub(crate) fn report(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Tells Python how far the work is and looks for signals, which only a thread of Python's hears.
    fn tell(&self, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let total = self.total.load(Ordering::Relaxed);
            if let (Some(progress), 1..) = (progress, total) {
                progress.call1(py, (self.done.load(Ordering::Relaxed), total))?;
            }
            Ok(())
        })
    }
}

/// Runs work on a pool of threads, without the interpreter lock, while the caller's thread watches over it.
///
/// The caller's flag, a signal, or an exception of the progress function stops the work.
pub(crate) fn on_pool<T: Send>(
    py: Python<'_>,
    threads: usize,
    cancel: Option<&PyCancel>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    // Without a flag of the caller's, signals still need one to stop the work with.
    let cancel = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let watch = Watch { cancel, done: AtomicU64::new(0), total: AtomicU64::new(0) };
    let pool = pool(threads)?;
    let mut raised = None;
    let result = py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let result = catch_unwind(AssertUnwindSafe(|| work(&watch)));
                let _ = sender.send(result.unwrap_or_else(|panic| Err(CoreError::internal(&*panic))));
            });
            loop {
                match receiver.recv_timeout(TELL_EVERY) {
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        if let Err(error) = watch.tell(progress) {
                            watch.cancel.cancel();
                            raised = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(CoreError::internal(&"the work vanished"));
                    }
                }
            }
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    watch.tell(progress)?;
    Ok(result?)
}

/// The pool with this many threads, made when first asked for; 0 is one for each core.
///
/// Pools belong to a process: the threads of a parent do not exist in its forked child.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, CoreError> {
    static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
    if threads > MAX_THREADS {
        return Err(CoreError::refused(
            "ArgumentError",
            "threads",
            &threads,
            &format!("at most {MAX_THREADS} are possible"),
        ));
    }
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let builder =
        ThreadPoolBuilder::new().num_threads(threads).thread_name(|index| format!("sengoku-{index}"));
    let pool = builder.build().map_err(|error| {
        CoreError::refused(
            "ArgumentError",
            "threads",
            &threads,
            &format!("the machine refuses them: {error}"),
        )
    })?;
    Ok(Arc::clone(pools.entry(key).or_insert_with(|| Arc::new(pool))))
}
