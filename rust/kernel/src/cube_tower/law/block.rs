//! The chain for eight numbers of cubes inside at once, one to a lane.
//!
//! What moves between the shelves, and how likely, depends on the numbers on them and not on how many cubes were inside
//! before. So towers with different contents go through the same steps side by side: one vector holds a probability for each
//! content, and nothing ever passes from lane to lane. How many older cubes have come out is known at the end, from what is
//! left. And as a throw of ten cubes begins with one of nine, all smaller throws come for nothing.

use super::chances::{Chances, Law};
use super::{NEGLIGIBLE, Shelves, TINY, ThrowLaw};
use crate::cube_tower::Parameters;
use crate::{Cancel, Cancelled};

/// Numbers of cubes inside that are looked at together.
pub(super) const LANES: usize = 8;
type Lanes = [f64; LANES];

/// Kinds of cubes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fresh,
    Older,
}

// Plain loops over indices: what is compiled for an instruction set must not call what is not.

#[inline(always)]
fn sum(lanes: &Lanes) -> f64 {
    ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
}

#[inline(always)]
fn add_scaled(sums: &mut Lanes, lanes: &Lanes, share: f64) {
    for lane in 0..LANES {
        sums[lane] += share * lanes[lane];
    }
}

/// Probabilities by cubes of the throw and by older cubes on the lower shelf, for one pair of numbers above.
#[derive(Clone, Default)]
struct Below {
    /// A row for each number of cubes of the throw; empty where there is no probability at all.
    values: Vec<Lanes>,
    /// The numbers of older cubes that there are: from, and up to but without.
    older: (usize, usize),
}

impl Below {
    #[inline(always)]
    const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Tables for each pair of numbers above.
type Grid = Vec<Below>;

/// Several towers with different contents, and one throw into each of them.
pub(super) struct Block<'a> {
    parameters: &'a Parameters,
    chances: &'a Chances,
    cancel: &'a Cancel,
    /// Cubes inside before the throw, in the first lane; one more in each next lane.
    first: usize,
    cubes: usize,
    /// Most cubes above: older, fresh.
    above: [usize; 2],
    capacity: usize,
    /// Length of a row of a table.
    row: usize,
    neglected: Lanes,
}

impl<'a> Block<'a> {
    pub(super) fn new(
        parameters: &'a Parameters,
        chances: &'a Chances,
        cancel: &'a Cancel,
        first: usize,
        cubes: usize,
    ) -> Self {
        let [upper, lower] = chances.capacity;
        let above = [upper.min(first + LANES - 1), cubes.min(upper)];
        Self {
            parameters,
            chances,
            cancel,
            first,
            cubes,
            above,
            capacity: lower,
            row: lower + 1,
            neglected: [0.0; LANES],
        }
    }

    #[inline(always)]
    const fn place(&self, older: usize, fresh: usize) -> usize {
        older * (self.above[1] + 1) + fresh
    }

    fn grid(&self) -> Grid {
        vec![Below::default(); (self.above[0] + 1) * (self.above[1] + 1)]
    }

    /// Adds a share of a table to another one.
    #[inline(always)]
    fn add(&self, sums: &mut Below, table: &Below, share: f64) {
        if share == 0.0 || table.is_empty() {
            return;
        }
        if sums.is_empty() {
            sums.older = table.older;
        }
        if sums.values.len() < table.values.len() {
            sums.values.resize(table.values.len(), [0.0; LANES]);
        }
        let (from, to) = table.older;
        let mut start = 0;
        while start < table.values.len() {
            for at in start + from..start + to {
                add_scaled(&mut sums.values[at], &table.values[at], share);
            }
            start += self.row;
        }
        sums.older = (sums.older.0.min(from), sums.older.1.max(to));
    }

    #[inline(always)]
    fn mass(&self, table: &Below) -> f64 {
        let mut total = [0.0; LANES];
        let (from, to) = table.older;
        let mut start = 0;
        while start < table.values.len() {
            for at in start + from..start + to {
                add_scaled(&mut total, &table.values[at], 1.0);
            }
            start += self.row;
        }
        sum(&total)
    }

    #[inline(always)]
    fn neglect(&mut self, table: &Below, share: f64) {
        for lanes in &table.values {
            add_scaled(&mut self.neglected, lanes, share);
        }
    }

    /// A cube of a kind reaches the lower shelf, `before` cubes of the throw having been there before it.
    ///
    /// `share` is what the table will at most be multiplied with: it tells what is negligible.
    #[inline(always)]
    fn arrive(&mut self, table: &Below, kind: Kind, before: usize, share: f64) -> Below {
        let (row, negligible) = (self.row, NEGLIGIBLE / share);
        let (from, to) = table.older;
        let rows = table.values.len() / row;
        let rows_after = (rows + usize::from(kind == Kind::Fresh)).min(self.capacity + 1);
        let mut moved = vec![[0.0; LANES]; rows_after * row];
        let (mut first, mut left_out) = (from, [0.0; LANES]);
        for fresh in 0..rows {
            for older in from..to.min(row - fresh) {
                let lanes = table.values[fresh * row + older];
                let mass = sum(&lanes);
                if mass <= negligible {
                    add_scaled(&mut left_out, &lanes, 1.0);
                    continue;
                }
                let held = fresh + older;
                let tails = &self.chances.leaving_tails[held];
                let mut most = 0;
                while most < tails.len() && mass * tails[most] > negligible {
                    most += 1;
                }
                if most < tails.len() {
                    add_scaled(&mut left_out, &lanes, tails[most]);
                }
                first = first.min((older + 1).saturating_sub(most));
                let leaving = &self.chances.leaving[held];
                for fresh_gone in 0..most.min(fresh + 1) {
                    let end = (fresh - fresh_gone) * row;
                    let ways = self.chances.choose[fresh][fresh_gone];
                    let some = (most - fresh_gone).min(older + 1);
                    let (leaving, choose) =
                        (&leaving[fresh_gone..fresh_gone + some], &self.chances.choose[older][..some]);
                    for older_gone in 0..some {
                        let chance = ways * choose[older_gone] * leaving[older_gone];
                        add_scaled(&mut moved[end + older - older_gone], &lanes, chance);
                    }
                }
            }
        }
        add_scaled(&mut self.neglected, &left_out, share);
        let (more, stays) = (if kind == Kind::Fresh { row } else { 1 }, self.chances.stays(before));
        for fresh in (0..rows).rev() {
            for older in (first..to.min(row - fresh)).rev() {
                let at = fresh * row + older;
                let (lanes, stays) = (moved[at], stays[fresh + older]);
                if stays > 0.0 {
                    add_scaled(&mut moved[at + more], &lanes, stays);
                    moved[at] = [0.0; LANES];
                    add_scaled(&mut moved[at], &lanes, 1.0 - stays);
                }
            }
        }
        Below { values: moved, older: (first, row.min(to + usize::from(kind == Kind::Older))) }
    }

    /// Some cubes of a kind leave the upper shelf one after the other: the sum over how many, none and some apart.
    ///
    /// `reached` is how many thrown cubes are on the lower shelf or further, beside those that are above.
    #[inline(always)]
    fn sweep(
        &mut self,
        from: &Grid,
        kind: Kind,
        laws: &[Law],
        reached: usize,
    ) -> Result<[Grid; 2], Cancelled> {
        let (mut none, mut some) = (self.grid(), self.grid());
        for older in 0..=self.above[0] {
            if self.cancel.is_raised() {
                return Err(Cancelled);
            }
            for fresh in 0..=self.above[1] {
                let at = self.place(older, fresh);
                let mass = self.mass(&from[at]);
                if mass <= NEGLIGIBLE {
                    self.neglect(&from[at], 1.0);
                    continue;
                }
                let held = if kind == Kind::Fresh { fresh } else { older };
                let law = &laws[held];
                self.add(&mut none[at], &from[at], law[0].0);
                let mut falling = Below::default();
                for out in 1..law.len() {
                    let (share, tail) = law[out];
                    let table = if out == 1 { &from[at] } else { &falling };
                    if mass * tail <= NEGLIGIBLE {
                        self.neglect(table, tail);
                        break;
                    }
                    // Those of this kind that fell before are no longer above.
                    let before = reached - fresh + if kind == Kind::Fresh { out - 1 } else { 0 };
                    let fallen = self.arrive(table, kind, before, tail);
                    let to = if kind == Kind::Fresh {
                        self.place(older, fresh - out)
                    } else {
                        self.place(older - out, fresh)
                    };
                    self.add(&mut some[to], &fallen, share);
                    falling = fallen;
                }
            }
        }
        Ok([none, some])
    }

    #[inline(always)]
    fn merge(&self, mut one: Grid, other: &Grid) -> Grid {
        for at in 0..one.len() {
            if one[at].is_empty() {
                one[at] = other[at].clone();
            } else {
                self.add(&mut one[at], &other[at], 1.0);
            }
        }
        one
    }

    /// Forgets what is tiny, so that tables stay narrow.
    #[inline(always)]
    fn trim(&mut self, table: &mut Below) {
        let (mut from, mut to) = (self.row, 0);
        let mut rows = 0;
        for at in 0..table.values.len() {
            let lanes = &mut table.values[at];
            if sum(lanes) < TINY {
                add_scaled(&mut self.neglected, lanes, 1.0);
                *lanes = [0.0; LANES];
            } else {
                (from, to) = (from.min(at % self.row), to.max(at % self.row + 1));
                rows = at / self.row + 1;
            }
        }
        if rows == 0 {
            *table = Below::default();
        } else {
            table.values.truncate(rows * self.row);
            table.older = (from, to);
        }
    }

    /// Throws a cube behind `thrown` others.
    #[inline(always)]
    fn throw(&mut self, mut grid: Grid, thrown: usize) -> Result<Grid, Cancelled> {
        for at in 0..grid.len() {
            self.trim(&mut grid[at]);
        }
        let mut after = self.grid();
        let mut passed = self.grid();
        for at in 0..grid.len() {
            if !grid[at].is_empty() {
                passed[at] = self.arrive(&grid[at], Kind::Fresh, thrown - at % (self.above[1] + 1), 1.0);
            }
        }
        let chances = self.chances;
        for (stays, arrived) in [(true, grid), (false, passed)] {
            let reached = thrown + usize::from(!stays);
            let [none, slipped] = self.sweep(&arrived, Kind::Older, &chances.slips, reached)?;
            let [none, more] = self.sweep(&none, Kind::Fresh, &chances.slips, reached)?;
            let [same, slipped_too] = self.sweep(&slipped, Kind::Fresh, &chances.slips, reached)?;
            let slipped = self.merge(self.merge(more, &same), &slipped_too);
            let [same, dragged] = self.sweep(&slipped, Kind::Older, &chances.drags, reached)?;
            let slipped = self.merge(same, &dragged);
            let [same, dragged] = self.sweep(&slipped, Kind::Fresh, &chances.drags, reached)?;
            let all = self.merge(self.merge(none, &same), &dragged);
            for older in 0..=self.above[0] {
                for fresh in 0..=self.above[1] {
                    let table = &all[self.place(older, fresh)];
                    let stick =
                        f64::from(self.parameters.jammed_threshold(0, older + fresh, thrown)) / 65_536.0;
                    let share = if stays { stick } else { 1.0 - stick };
                    if share > 0.0 && !table.is_empty() {
                        let to = self.place(older, fresh + usize::from(stays));
                        self.add(&mut after[to], table, share);
                    }
                }
            }
        }
        Ok(after)
    }

    /// The laws of throws of up to `cubes` cubes, by lane and then by number of cubes.
    ///
    /// `starts` says for each lane how many cubes may lie on the shelves, and how likely that is.
    #[inline(always)]
    pub(super) fn run(mut self, starts: &[Shelves; LANES]) -> Result<Vec<Vec<ThrowLaw>>, Cancelled> {
        let mut grid = self.grid();
        for lane in 0..LANES {
            for &([upper, lower], probability) in &starts[lane] {
                let at = self.place(upper.into(), 0);
                let (table, lower) = (&mut grid[at], usize::from(lower));
                if table.is_empty() {
                    *table = Below { values: vec![[0.0; LANES]; self.row], older: (lower, lower + 1) };
                }
                table.values[lower][lane] += probability;
                table.older = (table.older.0.min(lower), table.older.1.max(lower + 1));
            }
        }
        let mut laws = vec![Vec::new(); LANES];
        self.tabulate(&grid, 0, &mut laws);
        for thrown in 0..self.cubes {
            grid = self.throw(grid, thrown)?;
            self.tabulate(&grid, thrown + 1, &mut laws);
        }
        Ok(laws)
    }

    /// Adds the law of a throw of `thrown` cubes that ends so, for each lane.
    #[inline(always)]
    fn tabulate(&self, grid: &Grid, thrown: usize, laws: &mut [Vec<ThrowLaw>]) {
        for lane in 0..LANES {
            laws[lane].push(ThrowLaw::nothing(thrown, self.first + lane, self.neglected[lane]));
        }
        for older in 0..=self.above[0] {
            for above in 0..=self.above[1].min(thrown) {
                let table = &grid[self.place(older, above)];
                for at in 0..table.values.len() {
                    let (fresh, lower) = (at / self.row, at % self.row);
                    for lane in 0..LANES {
                        let probability = table.values[at][lane];
                        if probability > 0.0 {
                            let out = [thrown - above - fresh, self.first + lane - older - lower];
                            laws[lane][thrown].add(out, probability);
                        }
                    }
                }
            }
        }
    }
}
