//! How work is run: outside the interpreter lock, on a pool of threads, panics caught, signals heard.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sengoku_swords::odds::Cancel;

use crate::errors::CoreError;

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

/// Work that can be watched and stopped: by the caller's flag, by a signal, or by an exception of its progress function.
pub(crate) struct Watch<'a> {
    pub(crate) cancel: &'a Cancel,
    progress: Option<&'a Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
}

impl Watch<'_> {
    /// Reports progress to Python and looks for signals; whatever is raised stops the work.
    pub(crate) fn report(&self, done: u64, total: u64) {
        let outcome = Python::attach(|py| -> PyResult<()> {
            py.check_signals()?;
            if let Some(progress) = self.progress {
                progress.call1(py, (done, total))?;
            }
            Ok(())
        });
        if let Err(error) = outcome {
            self.cancel.cancel();
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

/// Runs watched work on a pool of threads, without the interpreter lock.
pub(crate) fn on_pool<T: Send>(
    py: Python<'_>,
    threads: usize,
    cancel: Option<&PyCancel>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    // Without a flag of the caller's, signals still need one to stop the work with.
    let cancel = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let watch = Watch { cancel: &cancel, progress, raised: Mutex::new(None) };
    let result = detached(py, || {
        let pool = pool(threads)?;
        pool.install(|| work(&watch))
    });
    match watch.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => result,
    }
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
