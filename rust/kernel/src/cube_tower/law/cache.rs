//! Laws that are kept for the next question.

use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Inside, ThrowLaw, compute, first_of};
use crate::cube_tower::Parameters;
use crate::{Cancel, Cancelled};

/// Most bytes of tables that are kept.
pub const KEPT_BYTES: usize = 32 << 20;

/// How long one who waits for the same law goes without a look at the own flag.
const LOOK_EVERY: Duration = Duration::from_millis(20);

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
static FOUND: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The law of a throw of `cubes` into a tower of two shelves, computed once and kept for the next question.
///
/// The table does not depend on the colours, so many questions share it; and what is computed for a throw holds that of
/// every smaller one. What is kept takes at most [`KEPT_BYTES`]; what was not asked for longest goes first. Threads that ask
/// for the same at once wait for the one that computes it.
///
/// # Errors
/// [`Cancelled`] when the flag was raised.
///
/// # Panics
/// For a tower of three shelves.
pub fn throw_law(
    parameters: &Parameters,
    inside: Inside,
    cubes: usize,
    cancel: &Cancel,
) -> Result<Arc<ThrowLaw>, Cancelled> {
    let mut known = lock();
    loop {
        if cancel.is_raised() {
            return Err(Cancelled);
        }
        if let Some(law) = known.find(parameters, inside, cubes) {
            return Ok(law);
        }
        if !known.is_under_way(parameters, inside, cubes) {
            break;
        }
        known = FOUND.wait_timeout(known, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
    }
    let number = known.begin(parameters, inside, cubes);
    drop(known);
    let _under_way = UnderWay { number };
    let laws = compute(parameters, inside, cubes, cancel)?;
    let mut known = lock();
    for (inside, laws) in laws {
        known.keep(parameters, inside, laws);
    }
    let law = known.find(parameters, inside, cubes);
    known.forget(KEPT_BYTES);
    Ok(law.expect("what was asked for is among what was computed"))
}

/// Whether [`throw_law`] gives the law without computing it.
pub fn is_law_known(parameters: &Parameters, inside: Inside, cubes: usize) -> bool {
    lock().find(parameters, inside, cubes).is_some()
}

/// Ends the entry of what is under way, also where it is cancelled or panics.
struct UnderWay {
    number: u64,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock().under_way.retain(|work| work.number != self.number);
        FOUND.notify_all();
    }
}

struct Work {
    number: u64,
    parameters: Parameters,
    inside: Inside,
    cubes: usize,
}

/// Laws of throws of different sizes into one tower.
struct Entry {
    parameters: Parameters,
    inside: Inside,
    laws: Vec<Arc<ThrowLaw>>,
    /// Number of the question that asked last.
    asked: u64,
}

impl Entry {
    fn size(&self) -> usize {
        size_of::<Self>() + self.laws.iter().map(|law| law.size()).sum::<usize>()
    }
}

/// The laws that are kept.
#[derive(Default)]
pub(super) struct Known {
    entries: Vec<Entry>,
    under_way: Vec<Work>,
    questions: u64,
}

/// Whether what is computed for one tower holds the law of the other.
fn covers(one: Inside, other: Inside) -> bool {
    match (one, other) {
        (Inside::Loaded(one), Inside::Loaded(other)) => first_of(one) == first_of(other),
        _ => one == other,
    }
}

impl Known {
    pub(super) fn find(
        &mut self,
        parameters: &Parameters,
        inside: Inside,
        cubes: usize,
    ) -> Option<Arc<ThrowLaw>> {
        self.questions += 1;
        let asked = self.questions;
        let is_it = |entry: &&mut Entry| entry.inside == inside && entry.parameters == *parameters;
        let entry = self.entries.iter_mut().find(is_it)?;
        let law = entry.laws.iter().find(|law| law.most()[0] == cubes)?;
        entry.asked = asked;
        Some(Arc::clone(law))
    }

    fn is_under_way(&self, parameters: &Parameters, inside: Inside, cubes: usize) -> bool {
        let is_it = |work: &Work| {
            let enough =
                if matches!(inside, Inside::Known(_)) { work.cubes == cubes } else { work.cubes >= cubes };
            enough && covers(work.inside, inside) && work.parameters == *parameters
        };
        self.under_way.iter().any(is_it)
    }

    fn begin(&mut self, parameters: &Parameters, inside: Inside, cubes: usize) -> u64 {
        self.questions += 1;
        let number = self.questions;
        self.under_way.push(Work { number, parameters: parameters.clone(), inside, cubes });
        number
    }

    pub(super) fn keep(&mut self, parameters: &Parameters, inside: Inside, laws: Vec<ThrowLaw>) {
        let asked = self.questions;
        let is_it = |entry: &Entry| entry.inside == inside && entry.parameters == *parameters;
        let place = self.entries.iter().position(is_it).unwrap_or_else(|| {
            let parameters = parameters.clone();
            self.entries.push(Entry { parameters, inside, laws: Vec::new(), asked });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[place];
        entry.asked = asked;
        for law in laws {
            if entry.laws.iter().all(|known| known.most()[0] != law.most()[0]) {
                entry.laws.push(Arc::new(law));
            }
        }
    }

    /// Forgets what was not asked for longest until the tables take no more than `limit`.
    pub(super) fn forget(&mut self, limit: usize) {
        let mut sum = self.size();
        while sum > limit {
            let oldest = self.entries.iter().enumerate().min_by_key(|(_, entry)| entry.asked);
            let Some((oldest, _)) = oldest else { return };
            sum -= self.entries.swap_remove(oldest).size();
        }
    }

    pub(super) fn size(&self) -> usize {
        self.entries.iter().map(Entry::size).sum()
    }
}
