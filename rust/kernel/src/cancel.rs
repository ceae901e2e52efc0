use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;

const RAISED: u8 = 1;
const PAUSED: u8 = 2;
const PAUSABLE: u8 = 4;

/// How long paused work waits until it looks whether a flag above the paused one was raised.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A flag that stops work under way from another thread, or makes it wait.
///
/// Work looks at it every few milliseconds: within a decision of a search and within a throw. While the flag is paused,
/// work waits where it looks, so that others can have the cores; what it computes does not depend on that.
#[derive(Debug, Default)]
pub struct Cancel {
    state: AtomicU8,
    parent: Option<Arc<Cancel>>,
    waiting: Mutex<()>,
    changed: Condvar,
}

/// The work was stopped by its [`Cancel`] flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

impl Cancel {
    /// A flag that is also raised or paused when its parent is, but not the other way round.
    pub fn child(parent: Arc<Self>) -> Self {
        Self { parent: Some(parent), ..Self::default() }
    }

    /// Asks the work to stop, also while it is paused.
    pub fn cancel(&self) {
        self.change(RAISED, 0);
    }

    /// Permits or forbids pauses. Work that may pause needs threads that nobody else waits for.
    pub fn set_pausable(&self, pausable: bool) {
        if pausable {
            self.change(PAUSABLE, 0);
        } else {
            self.change(0, PAUSABLE | PAUSED);
        }
    }

    /// Whether the work can be paused.
    pub fn is_pausable(&self) -> bool {
        self.state.load(Ordering::Relaxed) & PAUSABLE != 0
            || self.parent.as_ref().is_some_and(|parent| parent.is_pausable())
    }

    /// Makes the work wait until `resume`, if it may pause; says whether it may.
    pub fn pause(&self) -> bool {
        let paused = |state| (state & PAUSABLE != 0).then_some(state | PAUSED);
        self.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, paused).is_ok()
    }

    /// Lets paused work go on.
    pub fn resume(&self) {
        self.change(0, PAUSED);
    }

    /// Whether the work was asked to stop; never waits.
    pub fn is_raised(&self) -> bool {
        self.state.load(Ordering::Relaxed) & RAISED != 0
            || self.parent.as_ref().is_some_and(|parent| parent.is_raised())
    }

    /// Whether the work was asked to stop; waits as long as it is paused.
    pub fn is_cancelled(&self) -> bool {
        loop {
            if self.is_raised() {
                return true;
            }
            let Some(paused) = self.paused() else { return false };
            let guard = paused.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if self.is_raised() || paused.state.load(Ordering::Relaxed) & PAUSED == 0 {
                continue;
            }
            if paused.parent.is_some() {
                drop(paused.changed.wait_timeout(guard, LOOK_EVERY));
            } else {
                drop(paused.changed.wait(guard));
            }
        }
    }

    /// Goes on unless the work was asked to stop; waits as long as it is paused.
    ///
    /// # Errors
    /// [`Cancelled`] when it was.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// The flag that makes the work wait, if one does.
    fn paused(&self) -> Option<&Self> {
        if self.state.load(Ordering::Relaxed) & PAUSED != 0 {
            return Some(self);
        }
        self.parent.as_ref().and_then(|parent| parent.paused())
    }

    /// Sets and clears bits, and wakes what waits.
    fn change(&self, set: u8, clear: u8) {
        self.state.fetch_or(set, Ordering::Relaxed);
        self.state.fetch_and(!clear, Ordering::Relaxed);
        // The work may wait at the flag of a parent.
        let mut flag = Some(self);
        while let Some(found) = flag {
            let _guard = found.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            found.changed.notify_all();
            flag = found.parent.as_deref();
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test waits for other threads")]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::{scope, sleep};

    use super::*;

    fn wait_for(what: impl Fn() -> bool) {
        while !what() {
            sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn work_waits_while_it_is_paused() {
        let flag = Arc::new(Cancel::default());
        let work = Cancel::child(Arc::clone(&flag));
        assert!(!flag.pause() && !work.is_pausable(), "nobody permitted it");
        flag.set_pausable(true);
        assert!(work.is_pausable());
        let steps = AtomicU64::new(0);
        let steps_now = || steps.load(Ordering::SeqCst);
        scope(|threads| {
            threads.spawn(|| {
                while !work.is_cancelled() {
                    steps.fetch_add(1, Ordering::SeqCst);
                }
            });
            wait_for(|| steps_now() > 10);
            assert!(flag.pause());
            sleep(Duration::from_millis(20)); // it may be between two looks
            let paused = steps_now();
            sleep(Duration::from_millis(120));
            assert_eq!(steps_now(), paused);
            flag.resume();
            wait_for(|| steps_now() > paused);
            assert!(flag.pause());
            work.cancel(); // its own flag ends the work although the other one is paused
        });
        assert!(work.is_raised() && !flag.is_raised());
    }

    #[test]
    fn a_flag_that_is_raised_ends_pauses() {
        let flag = Cancel::default();
        flag.set_pausable(true);
        assert!(flag.pause());
        scope(|threads| {
            let work = threads.spawn(|| flag.check());
            sleep(Duration::from_millis(20));
            flag.cancel();
            assert_eq!(work.join().unwrap(), Err(Cancelled));
        });
        let flag = Cancel::default();
        flag.set_pausable(true);
        assert!(flag.pause());
        flag.set_pausable(false);
        assert_eq!(flag.check(), Ok(()), "what may not pause does not wait");
    }
}
