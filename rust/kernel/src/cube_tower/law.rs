//! The exact law of a throw (TW-TOWER-37): how many of the cubes thrown come out, and how many of those inside before.
//!
//! The tower is blind to colours, and cubes of a kind are exchangeable: those thrown are shuffled, and nothing is known
//! about where a colour lies among those inside, or only on which shelf. So the law of the colours in the tray follows from
//! that of two or three numbers, and these follow from a chain on counts. The chain takes one thrown cube after the other and
//! holds
//!
//! - for the upper shelf: how many older cubes and how many of this throw lie there. The older ones lie before the others,
//!   because only thrown cubes arrive there and new ones are laid behind, so the order in which cubes slip is known;
//! - for the lower shelf: how many of either kind lie there. What slips from it comes out, so its order does not matter.
//!
//! One thrown cube is carried through in four sweeps, for the case that it stays above and for the case that it passes:
//! older cubes slip, fresh ones slip, older ones are dragged along, fresh ones are dragged along, each time those that fell
//! arrive below one after the other. Each sweep is a sum over how many cubes of one kind leave the upper shelf, because
//! every cube slips (and is dragged) by itself. What one arrival does below depends only on the numbers there; the chance
//! that it stays depends, where cubes jam, on how many thrown cubes have reached the lower shelf: those that are not above.
//!
//! [`block`] does that for eight contents at once, [`chain`] for a tower whose shelves are known, and [`fill`] finds where
//! the cubes of a fill lie. What is too unlikely to matter is left out and added up ([`ThrowLaw::neglected`]); nothing is
//! made up for it.

mod block;
mod cache;
mod chain;
mod chances;
mod fill;
mod slice;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use cache::{KEPT_BYTES, is_law_known, throw_law};

use self::block::{Block, LANES};
use self::chain::{Chain, Start};
use self::chances::Chances;
use self::fill::Fill;
use super::{Parameters, ShelfParameters, load};
use crate::{Cancel, Cancelled, InstructionSet};

/// Probabilities below this are left out, one by one.
const NEGLIGIBLE: f64 = 1e-19;
/// Single numbers below this are forgotten between cubes: there are many of them, but together they are nothing.
const TINY: f64 = 1e-21;

/// A tower before a throw, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inside {
    /// So many cubes, laid as [`super::Loader`] lays them.
    Loaded(usize),
    /// What stays of so many cubes thrown into the empty tower.
    Filled(usize),
    /// So many cubes on the upper and on the lower shelf.
    Known([u8; 2]),
}

/// How many cubes come out of a throw, by where they were before: the joint law.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrowLaw {
    /// Most cubes of each kind that can come out: thrown; inside before (on the upper shelf, if it is known); on the lower one.
    most: [usize; 3],
    /// By cubes of each kind, the last one fastest.
    table: Vec<f64>,
    neglected: f64,
}

impl ThrowLaw {
    /// A law without any probability yet.
    fn nothing(cubes: usize, inside: usize, neglected: f64) -> Self {
        Self { most: [cubes, inside, 0], table: vec![0.0; (cubes + 1) * (inside + 1)], neglected }
    }

    /// Adds the probability that so many thrown and so many older cubes come out.
    #[inline(always)]
    fn add(&mut self, [fresh, older]: [usize; 2], probability: f64) {
        self.table[fresh * (self.most[1] + 1) + older] += probability;
    }

    /// Most cubes of each kind that can come out: thrown, inside before, and on the lower shelf if those are told apart.
    pub const fn most(&self) -> [usize; 3] {
        self.most
    }

    /// Probabilities by the number of cubes of each kind, the last one fastest; they add up to 1 less what is neglected.
    pub fn table(&self) -> &[f64] {
        &self.table
    }

    /// Probability that was left out.
    pub const fn neglected(&self) -> f64 {
        self.neglected
    }

    /// Bytes that the table takes.
    const fn size(&self) -> usize {
        size_of::<Self>() + self.table.capacity() * size_of::<f64>()
    }
}

/// Steps of the chain that [`throw_law`] makes where the law is not known yet, roughly; `u64::MAX` for a tower that has no
/// chain on counts.
pub fn throw_states(parameters: &Parameters, inside: Inside, cubes: usize) -> u64 {
    let [upper, lower] = parameters.shelves() else { return u64::MAX };
    // Of all numbers that a shelf can hold, so many are likely.
    let held = |older: usize| {
        let numbers = |shelf: &ShelfParameters| older.min(shelf.capacity.into()).min(26) as u64 + 1;
        numbers(upper) * numbers(lower)
    };
    let fresh = (cubes + 1) as u64 * (cubes + 2) as u64 / 2;
    let older = match inside {
        Inside::Loaded(content) => held(first_of(content) + LANES - 1),
        Inside::Filled(fill) => (fill / LANES + 1) as u64 * held(fill),
        // Cubes of three kinds lie on the lower shelf.
        Inside::Known([upper, lower]) => (u64::from(upper) + 1).pow(2) * (u64::from(lower) + 1),
    };
    cubes as u64 * older * fresh
}

/// The laws of throws of up to so many cubes into several towers, each with what was inside.
type Laws = Vec<(Inside, Vec<ThrowLaw>)>;

/// Computes the law of a throw, and others that come with it.
///
/// # Panics
/// For a tower of three shelves: cubes of both kinds lie in any order on the middle one, so counts do not suffice.
fn compute(
    parameters: &Parameters,
    inside: Inside,
    cubes: usize,
    cancel: &Cancel,
) -> Result<Laws, Cancelled> {
    assert_eq!(parameters.shelves().len(), 2, "a chain on counts has two shelves");
    match inside {
        Inside::Known([upper, lower]) => {
            let start = Start::known(upper, lower);
            let chain = Chain::new(parameters, &start, cubes, cancel);
            let law = InstructionSet::best().run(
                #[inline(always)]
                || chain.run(&start),
            );
            Ok(vec![(inside, vec![law?])])
        }
        Inside::Loaded(content) => loaded(parameters, content, cubes, cancel),
        Inside::Filled(fill) => filled(parameters, fill, cubes, cancel),
    }
}

/// How many cubes may lie on each shelf, with probabilities.
type Shelves = Vec<([u8; 2], f64)>;

/// The same for each lane of a block.
type Starts = [Shelves; LANES];

/// The first content of the block that a content is in.
const fn first_of(content: usize) -> usize {
    content / LANES * LANES
}

fn loaded(parameters: &Parameters, content: usize, cubes: usize, cancel: &Cancel) -> Result<Laws, Cancelled> {
    let first = first_of(content);
    let most = (first + LANES - 1).min(parameters.capacity());
    let mut starts = Starts::default();
    for (total, law) in load::laws(parameters, most).into_iter().enumerate().skip(first) {
        let rows = law.into_iter().enumerate().filter(|&(_, probability)| probability > 0.0);
        starts[total - first] =
            rows.map(|(upper, probability)| ([upper as u8, (total - upper) as u8], probability)).collect();
    }
    let chances = Chances::new(parameters, cubes);
    let laws = run(parameters, &chances, first, &starts, cubes, cancel)?;
    Ok(laws.into_iter().zip(first..=most).map(|(laws, total)| (Inside::Loaded(total), laws)).collect())
}

fn filled(parameters: &Parameters, fill: usize, cubes: usize, cancel: &Cancel) -> Result<Laws, Cancelled> {
    let chances = Chances::new(parameters, fill.max(cubes));
    let (shelves, neglected) = Fill::new(parameters, &chances).run(fill, cancel)?;
    let blocks: Vec<(usize, Starts)> = (0..=fill)
        .step_by(LANES)
        .map(|first| {
            let mut starts = Starts::default();
            for &(held, probability) in &shelves {
                let total = usize::from(held[0]) + usize::from(held[1]);
                if first_of(total) == first {
                    starts[total - first].push((held, probability));
                }
            }
            (first, starts)
        })
        .filter(|(_, starts)| starts.iter().any(|rows| !rows.is_empty()))
        .collect();
    let work = |number: usize| {
        let (first, starts) = &blocks[number];
        run(parameters, &chances, *first, starts, cubes, cancel)
    };
    let mut sums: Vec<ThrowLaw> =
        (0..=cubes).map(|thrown| ThrowLaw::nothing(thrown, fill, neglected)).collect();
    for laws in side_by_side(blocks.len(), work) {
        for law in laws?.into_iter().flatten() {
            let (sum, width) = (&mut sums[law.most[0]], law.most[1] + 1);
            for (fresh, row) in law.table.chunks(width).enumerate() {
                for (older, &probability) in
                    row.iter().enumerate().filter(|&(_, &probability)| probability > 0.0)
                {
                    sum.add([fresh, older], probability);
                }
            }
            sum.neglected += law.neglected;
        }
    }
    Ok(vec![(Inside::Filled(fill), sums)])
}

/// The laws of one block: by lane, then by cubes thrown.
fn run(
    parameters: &Parameters,
    chances: &Chances,
    first: usize,
    starts: &Starts,
    cubes: usize,
    cancel: &Cancel,
) -> Result<Vec<Vec<ThrowLaw>>, Cancelled> {
    let block = Block::new(parameters, chances, cancel, first, cubes);
    InstructionSet::best().run(
        #[inline(always)]
        || block.run(starts),
    )
}

/// Results of some pieces of work in their order, made on as many threads as the current pool has.
///
/// Threads of their own: a thread of the pool that waited for the pool might begin a question that waits for this one.
fn side_by_side<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let lock = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let turn = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = work(number);
            lock().push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..count.min(rayon::current_num_threads()) {
            scope.spawn(turn);
        }
        turn();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests;
