//! Towers of which only the number of cubes of each colour is known.
//!
//! The order on the shelves is made as the ledger makes it for its table of TW-TOWER-34: the cubes, shuffled, are thrown one
//! by one into the empty tower, those that come out again, until all are inside. The tower is blind to colours, so at the
//! end every order of the cubes is equally likely, and only the number on each shelf is left to be drawn. With two shelves
//! that number has a law which [`Loader`] computes once, exactly; with three the cubes are really thrown.

mod law;

use std::sync::{Arc, Mutex, PoisonError};

use super::{Colour, CubeTower, Cubes, Parameters, heap, r16, shuffle};
use crate::{Chance, SetupError};

pub(super) use law::laws;

/// Throws after which cubes that still are not inside are laid on the shelf with most room: such a tower is fuller than any
/// that throws can be expected to make. With two shelves it never comes to that.
pub const LOAD_THROWS: u32 = 10_000;

/// Makes towers with given contents.
#[derive(Clone, Debug)]
pub struct Loader {
    parameters: Parameters,
    cubes: Cubes,
    /// By number of cubes on the upper shelf: a 32-bit number below it means that many or fewer.
    law: Option<Arc<[u64]>>,
    /// The cubes of each shelf, if that is known.
    shelves: Vec<Cubes>,
}

impl Loader {
    /// A loader for the given numbers of cubes of each colour.
    ///
    /// # Errors
    /// [`SetupError`] when there are more than the tower can hold.
    pub fn new(parameters: &Parameters, counts: &[u16]) -> Result<Self, SetupError> {
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let capacity = parameters.capacity();
        if total > capacity {
            return Err(SetupError::new("contents", format!("{total} cubes, the tower holds {capacity}")));
        }
        let law = (parameters.shelves().len() == 2).then(|| limits(parameters, total));
        Ok(Self { parameters: parameters.clone(), cubes: heap(counts), law, shelves: Vec::new() })
    }

    /// A loader for given cubes on each shelf, in any order there.
    ///
    /// # Errors
    /// [`SetupError`] when there are more or fewer shelves than the tower has, or more cubes than one can hold.
    pub fn of_shelves(parameters: &Parameters, shelves: &[&[u16]]) -> Result<Self, SetupError> {
        let (found, expected) = (shelves.len(), parameters.shelves().len());
        if found != expected {
            return Err(SetupError::new("shelves", format!("{found} shelves, the tower has {expected}")));
        }
        for (number, (counts, shelf)) in shelves.iter().zip(parameters.shelves()).enumerate() {
            let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
            if total > usize::from(shelf.capacity) {
                let reason = format!("{total} cubes, the shelf holds {}", shelf.capacity);
                return Err(SetupError::new(format!("shelves[{number}]"), reason));
            }
        }
        let shelves = shelves.iter().map(|counts| heap(counts)).collect();
        Ok(Self { parameters: parameters.clone(), cubes: Cubes::new(), law: None, shelves })
    }

    /// The next tower. An empty one takes no draws.
    ///
    /// With two shelves: two halves as a number of 32 bits, the first one above, choose how many cubes are on the upper
    /// shelf; then the cubes are shuffled and laid down, the upper shelf first, the oldest first.
    /// Where the cubes of each shelf are known, these are shuffled, the upper shelf first.
    #[inline(always)]
    pub fn load(&self, draws: &mut u32, chance: &mut impl Chance) -> CubeTower {
        if !self.shelves.is_empty() {
            let mut tower = CubeTower::EMPTY;
            for (shelf, cubes) in tower.shelves.iter_mut().zip(&self.shelves) {
                let mut cubes = cubes.clone();
                shuffle(&mut cubes, draws, chance);
                shelf.set(&cubes);
            }
            return tower;
        }
        if self.cubes.is_empty() {
            return CubeTower::EMPTY;
        }
        let Some(law) = &self.law else { return self.load_by_throws(draws, chance) };
        let high = u64::from(r16(draws, chance));
        let number = high << 16 | u64::from(r16(draws, chance));
        let upper = law.iter().position(|&limit| number < limit).unwrap_or(0);
        let mut cubes = self.cubes.clone();
        shuffle(&mut cubes, draws, chance);
        CubeTower::from_shelves(&[&cubes[..upper], &cubes[upper..]])
    }

    /// The next tower, cube by cube.
    pub fn load_by_throws(&self, draws: &mut u32, chance: &mut impl Chance) -> CubeTower {
        let mut tower = CubeTower::EMPTY;
        let mut waiting = self.cubes.clone();
        shuffle(&mut waiting, draws, chance);
        for _ in 0..LOAD_THROWS {
            let Some(cube) = waiting.pop() else { return tower };
            tower.throw(&self.parameters, &mut [cube], draws, chance, &mut waiting);
        }
        for cube in waiting {
            self.lay_down(&mut tower, cube);
        }
        tower
    }

    fn lay_down(&self, tower: &mut CubeTower, cube: Colour) {
        let shelves = self.parameters.shelves().iter().zip(&mut tower.shelves);
        let roomiest = shelves.max_by_key(|(numbers, shelf)| numbers.capacity - shelf.held);
        if let Some((_, shelf)) = roomiest {
            shelf.push(cube);
        }
    }
}

/// Laws that are kept for the next question.
const KEPT: usize = 64;

/// The distribution for a number of cubes as cumulative limits, computed once and cached.
fn limits(parameters: &Parameters, total: usize) -> Arc<[u64]> {
    type Known = Vec<(Parameters, usize, Arc<[u64]>)>;
    static KNOWN: Mutex<Known> = Mutex::new(Vec::new());
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |(other, count, _): &&(Parameters, usize, _)| *count == total && other == parameters;
    if let Some((_, _, limits)) = lock().iter().find(same) {
        return Arc::clone(limits);
    }
    let limits: Arc<[u64]> = cumulative(&laws(parameters, total)[total]).into();
    let mut known = lock();
    if known.len() == KEPT {
        known.remove(0);
    }
    known.push((parameters.clone(), total, Arc::clone(&limits)));
    limits
}

/// Limits of a 32-bit number that has this law.
fn cumulative(law: &[f64]) -> Vec<u64> {
    let mut sum = 0.0;
    let scaled = law.iter().map(|&probability| {
        sum += probability;
        (sum * 4_294_967_296.0).round() as u64
    });
    let mut limits: Vec<u64> = scaled.collect();
    if let Some(last) = law.iter().rposition(|&probability| probability > 0.0) {
        limits[last..].fill(1 << 32);
    }
    limits
}

#[cfg(test)]
mod tests;
