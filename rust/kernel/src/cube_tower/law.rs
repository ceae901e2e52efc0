//! The exact law of a throw (TW-TOWER-37): how many of the cubes thrown come out, and how many of those inside before.
//!
//! The tower is blind to colours, and cubes of a kind are exchangeable: those thrown are shuffled, and nothing is known
//! about where a colour lies among those inside. So the law of the colours in the tray follows from that of two numbers,
//! and these follow from a chain on counts. The chain takes one thrown cube after the other and holds
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
//! What is too unlikely to matter is left out and added up ([`ThrowLaw::neglected`]); nothing is made up for it.

use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use arrayvec::ArrayVec;

use super::{Parameters, ShelfParameters, load};
use crate::InstructionSet;

/// Probabilities below this are left out, one by one.
const NEGLIGIBLE: f64 = 3e-19;
/// Single numbers below this are forgotten between cubes: there are many of them, but together they are nothing.
const TINY: f64 = 1e-21;

/// How many cubes lie on each shelf before a throw.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Cubes on the upper and on the lower shelf, and how likely that is.
    pub shelves: Vec<([u8; 2], f64)>,
    /// Whether cubes from the upper shelf are told apart from those of the lower one.
    pub apart: bool,
}

impl Start {
    /// A tower of which only the number of cubes is known: the law of [`super::Loader`].
    pub fn loaded(parameters: &Parameters, cubes: usize) -> Self {
        let upper = load::law(parameters, cubes).into_iter().enumerate();
        let shelves = upper.filter(|&(_, probability)| probability > 0.0);
        let shelves = shelves.map(|(upper, probability)| ([upper as u8, (cubes - upper) as u8], probability));
        Self { shelves: shelves.collect(), apart: false }
    }

    /// Towers into which so many cubes were thrown when they were empty, by how many of them stayed inside.
    ///
    /// Also gives the probability that was left out.
    pub fn filled(parameters: &Parameters, cubes: usize) -> (Vec<Self>, f64) {
        let empty = Self { shelves: vec![([0, 0], 1.0)], apart: false };
        let fill = ThrowLaw::new(parameters, &empty, cubes);
        let by_number = (0..=parameters.capacity()).map(|inside| {
            let shelves = fill.after.iter().copied();
            let shelves = shelves
                .filter(|(held, _)| held.iter().map(|&held| usize::from(held)).sum::<usize>() == inside);
            Self { shelves: shelves.collect(), apart: false }
        });
        (by_number.filter(|start| !start.shelves.is_empty()).collect(), fill.neglected)
    }

    /// A tower with known numbers on its shelves.
    pub fn known(upper: u8, lower: u8) -> Self {
        Self { shelves: vec![([upper, lower], 1.0)], apart: true }
    }

    /// Probability of all of it: 1, but for one of several towers.
    pub fn probability(&self) -> f64 {
        self.shelves.iter().map(|(_, probability)| probability).sum()
    }
}

/// How many cubes come out of a throw, by where they were before: the joint law.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrowLaw {
    /// Most cubes of each kind that can come out: thrown; inside before (on the upper shelf, if told apart); on the lower one.
    most: [usize; 3],
    /// By cubes of each kind, the last one fastest.
    table: Vec<f64>,
    /// By cubes of this throw and of older ones: the numbers on the shelves afterwards, for the next throw.
    after: Vec<([u8; 2], f64)>,
    neglected: f64,
    steps: u64,
}

impl ThrowLaw {
    /// The law of a throw of `cubes` into a tower of two shelves; every start holds as many cubes.
    ///
    /// # Panics
    /// For a tower of three shelves: cubes of both kinds lie in any order on the middle one, so counts do not suffice.
    pub fn new(parameters: &Parameters, start: &Start, cubes: usize) -> Self {
        assert_eq!(parameters.shelves().len(), 2, "a chain on counts has two shelves");
        let chain = Chain::new(parameters, start, cubes);
        InstructionSet::best().run(
            #[inline(always)]
            || chain.run(start),
        )
    }

    /// Most cubes of each kind that can come out: thrown, inside before, and on the lower shelf if those are told apart.
    pub const fn most(&self) -> [usize; 3] {
        self.most
    }

    /// Probabilities by the number of cubes of each kind, the last one fastest; they add up to 1 less what is neglected.
    pub fn table(&self) -> &[f64] {
        &self.table
    }

    /// How many cubes lie on each shelf afterwards, with probabilities.
    pub fn after(&self) -> &[([u8; 2], f64)] {
        &self.after
    }

    /// Probability that was left out.
    pub const fn neglected(&self) -> f64 {
        self.neglected
    }

    /// Steps of the chain from one count to the next, a measure of the work.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Bytes that the tables take.
    pub const fn size(&self) -> usize {
        size_of::<Self>()
            + self.table.capacity() * size_of::<f64>()
            + self.after.capacity() * size_of::<([u8; 2], f64)>()
    }
}

/// A tower before a throw, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inside {
    /// So many cubes, laid as [`super::Loader`] lays them.
    Loaded(usize),
    /// What stays of so many cubes thrown into the empty tower.
    Filled(usize),
}

/// States that [`throw_law`] visits, roughly; `u64::MAX` for a tower that has no chain on counts.
pub fn throw_states(parameters: &Parameters, inside: Inside, cubes: usize) -> u64 {
    let [upper, lower] = parameters.shelves() else { return u64::MAX };
    let (older, starts) = match inside {
        Inside::Loaded(cubes) => (cubes, 1),
        Inside::Filled(cubes) => (cubes, 10), // of all numbers that stay, so many are likely
    };
    let held = |shelf: &ShelfParameters| older.min(shelf.capacity.into()) as u64 + 1;
    let fresh = (cubes + 1) as u64 * (cubes + 2) as u64 / 2;
    starts * cubes as u64 * held(upper) * held(lower) * fresh
}

/// The law of a throw of `cubes` into a tower of two shelves, computed once and kept for the next question.
///
/// The table does not depend on the colours, so many questions share it. What is kept takes at most [`KEPT_BYTES`]; what was
/// not asked for longest goes first. Threads that ask for the same at once wait for the one that computes it.
///
/// # Panics
/// For a tower of three shelves.
pub fn throw_law(parameters: &Parameters, inside: Inside, cubes: usize) -> Arc<ThrowLaw> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = lock().find(parameters, inside, cubes);
    let law = Arc::clone(kept.get_or_init(|| Arc::new(compute(parameters, inside, cubes))));
    lock().forget(KEPT_BYTES);
    law
}

/// Most bytes of tables that are kept.
pub const KEPT_BYTES: usize = 32 << 20;

type Kept = Arc<OnceLock<Arc<ThrowLaw>>>;

/// A law that is kept, or under way, and what it is of.
struct Entry {
    cubes: usize,
    inside: Inside,
    parameters: Parameters,
    kept: Kept,
    /// Number of the question that asked last.
    asked: u64,
}

impl Entry {
    fn is_of(&self, parameters: &Parameters, inside: Inside, cubes: usize) -> bool {
        self.cubes == cubes && self.inside == inside && self.parameters == *parameters
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.kept.get().map_or(0, |law| law.size())
    }
}

/// The laws that are kept.
#[derive(Default)]
struct Known {
    laws: Vec<Entry>,
    questions: u64,
}

impl Known {
    fn find(&mut self, parameters: &Parameters, inside: Inside, cubes: usize) -> Kept {
        self.questions += 1;
        let asked = self.questions;
        if let Some(entry) = self.laws.iter_mut().find(|entry| entry.is_of(parameters, inside, cubes)) {
            entry.asked = asked;
            return Arc::clone(&entry.kept);
        }
        let kept = Kept::default();
        let parameters = parameters.clone();
        self.laws.push(Entry { cubes, inside, parameters, kept: Arc::clone(&kept), asked });
        kept
    }

    /// Forgets what was not asked for longest until the tables take no more than `limit`.
    fn forget(&mut self, limit: usize) {
        let mut sum: usize = self.laws.iter().map(Entry::size).sum();
        while sum > limit {
            let done = self.laws.iter().enumerate().filter(|(_, entry)| entry.kept.get().is_some());
            let Some((oldest, _)) = done.min_by_key(|(_, entry)| entry.asked) else { return };
            sum -= self.laws.swap_remove(oldest).size();
        }
    }
}

fn compute(parameters: &Parameters, inside: Inside, cubes: usize) -> ThrowLaw {
    match inside {
        Inside::Loaded(content) => ThrowLaw::new(parameters, &Start::loaded(parameters, content), cubes),
        Inside::Filled(fill) => {
            let (starts, neglected) = Start::filled(parameters, fill);
            let laws = starts.iter().map(|start| ThrowLaw::new(parameters, start, cubes));
            let nothing = ThrowLaw {
                most: [cubes, fill, 0],
                table: vec![0.0; (cubes + 1) * (fill + 1)],
                after: Vec::new(),
                neglected,
                steps: 0,
            };
            laws.fold(nothing, |mut sum, law| {
                for (fresh, row) in law.table.chunks(law.most[1] + 1).enumerate() {
                    add_scaled(&mut sum.table[fresh * (fill + 1)..], row, 1.0);
                }
                sum.neglected += law.neglected;
                sum.steps += law.steps;
                sum
            })
        }
    }
}

/// Kinds of cubes on the lower shelf.
const FRESH: usize = 0;
const UPPER: usize = 1;
const LOWER: usize = 2;

/// Probabilities by the numbers of cubes below: those from below, those of the throw, and, fastest, those from above.
#[derive(Clone, Debug, Default)]
struct Slice {
    /// Empty where there is no probability at all.
    values: Vec<f64>,
    /// The numbers of cubes from above that there are: from, and up to but without.
    range: (usize, usize),
}

impl Slice {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline(always)]
    fn mass(&self) -> f64 {
        sum(&self.values)
    }
}

// Plain loops over indices: what is compiled for an instruction set must not call what is not.

#[inline(always)]
fn sum(values: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let whole = values.len() / 8 * 8;
    let mut at = 0;
    while at < whole {
        for lane in 0..8 {
            sums[lane] += values[at + lane];
        }
        at += 8;
    }
    let mut sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    while at < values.len() {
        sum += values[at];
        at += 1;
    }
    sum
}

#[inline(always)]
fn add_scaled(sums: &mut [f64], values: &[f64], share: f64) {
    let count = sums.len().min(values.len());
    let (sums, values) = (&mut sums[..count], &values[..count]);
    for at in 0..count {
        sums[at] += share * values[at];
    }
}

#[inline(always)]
fn add_products(sums: &mut [f64], left: &[f64], right: &[f64], share: f64) {
    let count = sums.len().min(left.len()).min(right.len());
    let (sums, left, right) = (&mut sums[..count], &left[..count], &right[..count]);
    for at in 0..count {
        sums[at] += share * left[at] * right[at];
    }
}

#[inline(always)]
fn multiply(products: &mut [f64], left: &[f64], right: &[f64]) {
    let count = products.len().min(left.len()).min(right.len());
    let (products, left, right) = (&mut products[..count], &left[..count], &right[..count]);
    for at in 0..count {
        products[at] = left[at] * right[at];
    }
}

/// Tables for each pair of numbers above.
type Grid = Vec<Slice>;

/// Adds a share of a slice to one of a grid.
#[inline(always)]
fn add(grid: &mut Grid, at: usize, slice: &Slice, share: f64) {
    if share == 0.0 || slice.is_empty() {
        return;
    }
    let sums = &mut grid[at];
    if sums.is_empty() {
        sums.values.resize(slice.values.len(), 0.0);
        sums.range = slice.range;
    }
    add_scaled(&mut sums.values, &slice.values, share);
    sums.range = (sums.range.0.min(slice.range.0), sums.range.1.max(slice.range.1));
}

struct Chain<'a> {
    parameters: &'a Parameters,
    shelves: [ShelfParameters; 2],
    cubes: usize,
    /// Most cubes above: older, fresh.
    above: [usize; 2],
    /// Most cubes below, by kind, and the length of a row of a slice.
    below: [usize; 3],
    row: usize,
    /// Binomial coefficients by both numbers, the upper one fastest.
    choose: Vec<Vec<f64>>,
    /// By cubes that leave the lower shelf, then by cubes there: the probability that these very cubes leave.
    leaving: Vec<Vec<f64>>,
    /// By cubes on the lower shelf, then by number: the probability that so many or more leave.
    leaving_tails: Vec<Vec<f64>>,
    /// By cubes of the throw that came before, then by cubes on the lower shelf: the chance to stay there.
    stays: Vec<Vec<f64>>,
    /// By number of cubes of a kind: the probability that so many slip, or are dragged along, and that so many or more do.
    slips: Vec<Vec<(f64, f64)>>,
    drags: Vec<Vec<(f64, f64)>>,
    neglected: f64,
    steps: u64,
    moved: Vec<f64>,
    weighted: Vec<f64>,
}

/// Adds up from the end: the probability of each number and of all from there on.
fn with_tails(law: impl DoubleEndedIterator<Item = f64>) -> Vec<(f64, f64)> {
    let mut tail = 0.0;
    let mut rows: Vec<_> = law
        .rev()
        .map(|one| {
            tail += one;
            (one, tail)
        })
        .collect();
    rows.reverse();
    rows
}

fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

impl<'a> Chain<'a> {
    fn new(parameters: &'a Parameters, start: &Start, cubes: usize) -> Self {
        let shelves = [parameters.shelves()[0], parameters.shelves()[1]];
        let capacity = shelves.map(|shelf| usize::from(shelf.capacity));
        let most =
            |shelf: usize| start.shelves.iter().map(|(held, _)| usize::from(held[shelf])).max().unwrap_or(0);
        let above = [most(0), cubes.min(capacity[0])];
        let inside = start.shelves.iter().map(|(held, _)| held.iter().map(|&held| usize::from(held)).sum());
        let inside = inside.max().unwrap_or(0);
        let below = if start.apart {
            [cubes.min(capacity[1]), above[0].min(capacity[1]), most(1)]
        } else {
            [cubes.min(capacity[1]), inside.min(capacity[1]), 0]
        };
        // Numbers that cannot be have no probability, but places in the tables.
        let most_below = below.iter().sum::<usize>() + 1;
        let most_held = capacity[0].max(most_below).max(capacity[1]).max(cubes) + 1;
        let mut choose = vec![vec![0.0; most_held + 1]; most_held + 1];
        for held in 0..=most_held {
            choose[0][held] = 1.0;
            for out in 1..=held {
                choose[out][held] = choose[out][held - 1] + choose[out - 1][held - 1];
            }
        }
        let binomials = |chance: f64| -> Vec<_> {
            let law = |held: usize| {
                let one =
                    |out: usize| choose[out][held] * power(chance, out) * power(1.0 - chance, held - out);
                with_tails((0..=held).map(one))
            };
            (0..=capacity[0]).map(law).collect()
        };
        let share = |number: u16| f64::from(number) / 65_536.0;
        let (slips, drags) = (binomials(share(shelves[0].dislodge)), binomials(share(shelves[0].burst)));
        let (dislodge, burst) = (share(shelves[1].dislodge), share(shelves[1].burst));
        let mut leaving = vec![vec![0.0; most_held + 1]; capacity[1] + 1];
        let mut leaving_tails = vec![Vec::new(); capacity[1] + 1];
        for held in 0..=capacity[1] {
            for gone in 0..=held {
                // Some of those that leave slip, and the others go along; where none slips none leaves.
                let some = (1..=gone).map(|slipped| {
                    choose[slipped][gone]
                        * power(dislodge, slipped)
                        * power(1.0 - dislodge, held - slipped)
                        * power(burst, gone - slipped)
                        * power(1.0 - burst, held - gone)
                });
                leaving[gone][held] = if gone == 0 { power(1.0 - dislodge, held) } else { some.sum() };
            }
            let law = with_tails((0..=held).map(|gone| leaving[gone][held] * choose[gone][held]));
            leaving_tails[held] = law.into_iter().map(|(_, tail)| tail).collect();
        }
        let stays = |before: usize| {
            let stays = |held: usize| {
                let threshold =
                    if held > capacity[1] { 0 } else { parameters.jammed_threshold(1, held, before) };
                f64::from(threshold) / 65_536.0
            };
            (0..=most_below).map(stays).collect()
        };
        let stays = (0..=if parameters.jams() { cubes } else { 0 }).map(stays).collect();
        Self {
            parameters,
            shelves,
            cubes,
            above,
            below,
            row: below[UPPER] + 1,
            choose,
            leaving,
            leaving_tails,
            stays,
            slips,
            drags,
            neglected: 0.0,
            steps: 0,
            moved: Vec::new(),
            weighted: Vec::new(),
        }
    }

    fn grid(&self) -> Grid {
        vec![Slice::default(); (self.above[0] + 1) * (self.above[1] + 1)]
    }

    fn size(&self) -> usize {
        self.row * (self.below[FRESH] + 1) * (self.below[LOWER] + 1)
    }

    #[inline(always)]
    const fn place(&self, older: usize, fresh: usize) -> usize {
        older * (self.above[1] + 1) + fresh
    }

    /// A cube of a kind reaches the lower shelf, `before` cubes of the throw having been there before it.
    ///
    /// `share` is what the slice will at most be multiplied with: it tells what is negligible.
    #[inline(always)]
    fn arrive(&mut self, slice: &Slice, kind: usize, before: usize, share: f64) -> Slice {
        let capacity = usize::from(self.shelves[1].capacity);
        let negligible = NEGLIGIBLE / share;
        let (from, to) = slice.range;
        let rows = self.below[FRESH] + 1;
        self.moved.clear();
        self.moved.resize(slice.values.len(), 0.0);
        self.weighted.resize(self.row, 0.0);
        let (mut steps, mut left_out, mut first) = (0, 0.0, from);
        for lower in 0..=self.below[LOWER] {
            for fresh in 0..rows {
                let start = (lower * rows + fresh) * self.row;
                let values = &slice.values[start + from..start + to];
                let mass = sum(values);
                if mass <= negligible {
                    left_out += mass;
                    continue;
                }
                let others = lower + fresh;
                let tails = &self.leaving_tails[(others + to - 1).min(capacity)];
                let most = tails.iter().take_while(|&&tail| mass * tail > negligible).count();
                left_out += mass * tails.get(most).copied().unwrap_or(0.0);
                for upper_gone in 0..most.min(to) {
                    let from = from.max(upper_gone);
                    first = first.min(from - upper_gone);
                    let weighted = &mut self.weighted[from..to];
                    let ways = &self.choose[upper_gone][from..to];
                    multiply(weighted, &slice.values[start + from..start + to], ways);
                    let weighted = &self.weighted[from..to];
                    for lower_gone in 0..(most - upper_gone).min(lower + 1) {
                        for fresh_gone in 0..(most - upper_gone - lower_gone).min(fresh + 1) {
                            let ways = self.choose[lower_gone][lower] * self.choose[fresh_gone][fresh];
                            let leaving = &self.leaving[upper_gone + lower_gone + fresh_gone];
                            let leaving = &leaving[others + from..others + to];
                            let end = ((lower - lower_gone) * rows + fresh - fresh_gone) * self.row;
                            let moved = &mut self.moved[end + from - upper_gone..end + to - upper_gone];
                            add_products(moved, weighted, leaving, ways);
                            steps += (to - from) as u64;
                        }
                    }
                }
            }
        }
        self.steps += steps;
        self.neglected += left_out * share;
        let mut after = vec![0.0; slice.values.len()];
        let more = [self.row, 1, self.row * rows][kind];
        let stays = &self.stays[before.min(self.stays.len() - 1)];
        for lower in 0..=self.below[LOWER] {
            for fresh in 0..rows {
                let start = (lower * rows + fresh) * self.row;
                let moved = &self.moved[start + first..start + to];
                let stays = &stays[lower + fresh + first..lower + fresh + to];
                add_scaled(&mut after[start + first..start + to], moved, 1.0);
                add_products(&mut after[start + first..start + to], moved, stays, -1.0);
                // Where one more cannot lie none stays, so nothing is lost beyond the last place.
                let end = after.len().min(start + to + more);
                if start + first + more < end {
                    add_products(&mut after[start + first + more..end], moved, stays, 1.0);
                }
            }
        }
        Slice { values: after, range: (first, self.row.min(to + usize::from(kind == UPPER))) }
    }

    /// Some cubes of a kind leave the upper shelf one after the other: the sum over how many, none and some apart.
    ///
    /// `reached` is how many thrown cubes are on the lower shelf or further, beside those that are above.
    #[inline(always)]
    fn sweep(&mut self, from: &Grid, kind: usize, dragged: bool, reached: usize) -> [Grid; 2] {
        let (mut none, mut some) = (self.grid(), self.grid());
        for older in 0..=self.above[0] {
            for fresh in 0..=self.above[1] {
                let at = self.place(older, fresh);
                let slice = &from[at];
                let mass = slice.mass();
                if mass <= NEGLIGIBLE {
                    self.neglected += mass;
                    continue;
                }
                let held = if kind == FRESH { fresh } else { older };
                let law = if dragged { &self.drags[held] } else { &self.slips[held] };
                let law: ArrayVec<(f64, f64), { super::MAX_CAPACITY + 1 }> = law.iter().copied().collect();
                add(&mut none, at, slice, law[0].0);
                let mut falling = Slice::default();
                for (out, &(share, tail)) in law.iter().enumerate().skip(1) {
                    if mass * tail <= NEGLIGIBLE {
                        self.neglected += mass * tail;
                        break;
                    }
                    // Those of this kind that fell before are no longer above.
                    let before = reached - fresh + if kind == FRESH { out - 1 } else { 0 };
                    let fallen = self.arrive(if out == 1 { slice } else { &falling }, kind, before, tail);
                    let to = if kind == FRESH {
                        self.place(older, fresh - out)
                    } else {
                        self.place(older - out, fresh)
                    };
                    add(&mut some, to, &fallen, share);
                    falling = fallen;
                }
            }
        }
        [none, some]
    }

    #[inline(always)]
    fn merge(mut one: Grid, other: &Grid) -> Grid {
        for (at, slice) in other.iter().enumerate() {
            add(&mut one, at, slice, 1.0);
        }
        one
    }

    /// Forgets what is tiny, so that tables stay narrow.
    #[inline(always)]
    fn trim(&mut self, slice: &mut Slice) {
        let (from, to) = slice.range;
        let (mut first, mut last, mut forgotten) = (self.row, 0, 0.0);
        for row in slice.values.chunks_mut(self.row) {
            for (at, value) in row.iter_mut().enumerate().take(to).skip(from) {
                if *value < TINY {
                    forgotten += *value;
                    *value = 0.0;
                } else {
                    (first, last) = (first.min(at), last.max(at + 1));
                }
            }
        }
        self.neglected += forgotten;
        if first < last {
            slice.range = (first, last);
        } else {
            *slice = Slice::default();
        }
    }

    /// Throws a cube behind `thrown` others.
    #[inline(always)]
    fn throw(&mut self, mut grid: Grid, thrown: usize) -> Grid {
        for slice in grid.iter_mut().filter(|slice| !slice.is_empty()) {
            self.trim(slice);
        }
        let mut after = self.grid();
        let passed: Grid = (0..grid.len())
            .map(|at| {
                let fresh = at % (self.above[1] + 1);
                if grid[at].is_empty() {
                    Slice::default()
                } else {
                    self.arrive(&grid[at], FRESH, thrown - fresh, 1.0)
                }
            })
            .collect();
        for (stays, arrived) in [(true, grid), (false, passed)] {
            let reached = thrown + usize::from(!stays);
            let [none, slipped] = self.sweep(&arrived, UPPER, false, reached);
            let [none, more] = self.sweep(&none, FRESH, false, reached);
            let [same, slipped_too] = self.sweep(&slipped, FRESH, false, reached);
            let slipped = Self::merge(Self::merge(more, &same), &slipped_too);
            let [same, dragged] = self.sweep(&slipped, UPPER, true, reached);
            let slipped = Self::merge(same, &dragged);
            let [same, dragged] = self.sweep(&slipped, FRESH, true, reached);
            let all = Self::merge(Self::merge(none, &same), &dragged);
            for (at, slice) in all.iter().enumerate().filter(|(_, slice)| !slice.is_empty()) {
                let (older, fresh) = (at / (self.above[1] + 1), at % (self.above[1] + 1));
                let stick = f64::from(self.parameters.jammed_threshold(0, older + fresh, thrown)) / 65_536.0;
                let share = if stays { stick } else { 1.0 - stick };
                if share > 0.0 {
                    add(&mut after, self.place(older, fresh + usize::from(stays)), slice, share);
                }
            }
        }
        after
    }

    #[inline(always)]
    fn run(mut self, start: &Start) -> ThrowLaw {
        let mut grid = self.grid();
        let mut inside = [0, 0];
        for &([upper, lower], probability) in &start.shelves {
            let [upper, lower] = [upper, lower].map(usize::from);
            let at = self.place(upper, 0);
            let mut slice = Slice { values: vec![0.0; self.size()], range: (0, 1) };
            let place = if start.apart { lower * self.row * (self.below[FRESH] + 1) } else { lower };
            slice.values[place] = 1.0;
            slice.range = if start.apart { (0, 1) } else { (lower, lower + 1) };
            add(&mut grid, at, &slice, probability);
            inside = if start.apart { [upper, lower] } else { [upper + lower, 0] };
        }
        for thrown in 0..self.cubes {
            grid = self.throw(grid, thrown);
        }
        let most = [self.cubes, inside[0], inside[1]];
        let mut table = vec![0.0; (most[0] + 1) * (most[1] + 1) * (most[2] + 1)];
        let capacity = self.shelves.map(|shelf| usize::from(shelf.capacity) + 1);
        let mut after = vec![0.0; capacity[0] * capacity[1]];
        for older in 0..=self.above[0] {
            for above in 0..=self.above[1] {
                let slice = &grid[self.place(older, above)];
                for (at, &probability) in
                    slice.values.iter().enumerate().filter(|&(_, &probability)| probability > 0.0)
                {
                    let (upper, rest) = (at % self.row, at / self.row);
                    let (fresh, lower) = (rest % (self.below[FRESH] + 1), rest / (self.below[FRESH] + 1));
                    let out = [self.cubes - above - fresh, inside[0] - older - upper, inside[1] - lower];
                    table[(out[0] * (most[1] + 1) + out[1]) * (most[2] + 1) + out[2]] += probability;
                    after[(older + above) * capacity[1] + fresh + upper + lower] += probability;
                }
            }
        }
        let after = after.into_iter().enumerate().filter(|&(_, probability)| probability > 0.0);
        let after = after
            .map(|(at, probability)| ([(at / capacity[1]) as u8, (at % capacity[1]) as u8], probability));
        ThrowLaw { most, table, after: after.collect(), neglected: self.neglected, steps: self.steps }
    }
}

#[cfg(test)]
mod tests;
