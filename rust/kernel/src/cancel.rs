use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// A flag that stops work under way from another thread.
#[derive(Debug, Default)]
pub struct Cancel {
    raised: AtomicBool,
    parent: Option<Arc<Cancel>>,
}

/// The work was stopped by its [`Cancel`] flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

impl Cancel {
    /// A flag that is also raised when its parent is, but not the other way round.
    pub fn child(parent: Arc<Self>) -> Self {
        Self { raised: AtomicBool::new(false), parent: Some(parent) }
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Goes on unless the work was asked to stop.
    ///
    /// # Errors
    /// [`Cancelled`] when it was.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
