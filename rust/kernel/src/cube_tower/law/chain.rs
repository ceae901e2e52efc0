//! The chain for one tower, in which cubes of either shelf may be told apart.

use arrayvec::ArrayVec;

use super::chances::{power, with_tails};
use super::slice::{Grid, Slice, add, add_products, add_scaled, multiply, sum};
use super::{NEGLIGIBLE, Shelves, TINY, ThrowLaw};
#[cfg(test)]
use crate::cube_tower::load;
use crate::cube_tower::{MAX_CAPACITY, Parameters};
use crate::{Cancel, Cancelled};

/// Kinds of cubes on the lower shelf.
const FRESH: usize = 0;
const UPPER: usize = 1;
const LOWER: usize = 2;

/// How many cubes lie on each shelf before a throw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    /// Cubes on the upper and on the lower shelf, and how likely that is.
    shelves: Shelves,
    /// Whether cubes from the upper shelf are told apart from those of the lower one.
    apart: bool,
}

impl Start {
    /// A tower of which only the number of cubes is known: the law of [`crate::cube_tower::Loader`].
    #[cfg(test)]
    pub(super) fn loaded(parameters: &Parameters, cubes: usize) -> Self {
        let upper = load::laws(parameters, cubes).swap_remove(cubes).into_iter().enumerate();
        let shelves = upper.filter(|&(_, probability)| probability > 0.0);
        let shelves = shelves.map(|(upper, probability)| ([upper as u8, (cubes - upper) as u8], probability));
        Self { shelves: shelves.collect(), apart: false }
    }

    /// A tower with known numbers on its shelves.
    pub(super) fn known(upper: u8, lower: u8) -> Self {
        Self { shelves: vec![([upper, lower], 1.0)], apart: true }
    }
}

pub(super) struct Chain<'a> {
    parameters: &'a Parameters,
    cancel: &'a Cancel,
    cubes: usize,
    /// Cubes that the lower shelf can hold.
    capacity: usize,
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
    moved: Vec<f64>,
    weighted: Vec<f64>,
}

impl<'a> Chain<'a> {
    pub(super) fn new(parameters: &'a Parameters, start: &Start, cubes: usize, cancel: &'a Cancel) -> Self {
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
            cancel,
            cubes,
            capacity: capacity[1],
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
        let capacity = self.capacity;
        let negligible = NEGLIGIBLE / share;
        let (from, to) = slice.range;
        let rows = self.below[FRESH] + 1;
        self.moved.clear();
        self.moved.resize(slice.values.len(), 0.0);
        self.weighted.resize(self.row, 0.0);
        let (mut left_out, mut first) = (0.0, from);
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
                        }
                    }
                }
            }
        }
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
    fn sweep(
        &mut self,
        from: &Grid,
        kind: usize,
        dragged: bool,
        reached: usize,
    ) -> Result<[Grid; 2], Cancelled> {
        let (mut none, mut some) = (self.grid(), self.grid());
        for older in 0..=self.above[0] {
            if self.cancel.is_raised() {
                return Err(Cancelled);
            }
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
                let law: ArrayVec<(f64, f64), { MAX_CAPACITY + 1 }> = law.iter().copied().collect();
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
        Ok([none, some])
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
    fn throw(&mut self, mut grid: Grid, thrown: usize) -> Result<Grid, Cancelled> {
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
            let [none, slipped] = self.sweep(&arrived, UPPER, false, reached)?;
            let [none, more] = self.sweep(&none, FRESH, false, reached)?;
            let [same, slipped_too] = self.sweep(&slipped, FRESH, false, reached)?;
            let slipped = Self::merge(Self::merge(more, &same), &slipped_too);
            let [same, dragged] = self.sweep(&slipped, UPPER, true, reached)?;
            let slipped = Self::merge(same, &dragged);
            let [same, dragged] = self.sweep(&slipped, FRESH, true, reached)?;
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
        Ok(after)
    }

    #[inline(always)]
    pub(super) fn run(mut self, start: &Start) -> Result<ThrowLaw, Cancelled> {
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
            grid = self.throw(grid, thrown)?;
        }
        let most = [self.cubes, inside[0], inside[1]];
        let mut table = vec![0.0; (most[0] + 1) * (most[1] + 1) * (most[2] + 1)];
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
                }
            }
        }
        Ok(ThrowLaw { most, table, neglected: self.neglected })
    }
}
