//! Probabilities by three numbers of cubes, and sums of them.

/// Probabilities by the numbers of cubes below: those from below, those of the throw, and, fastest, those from above.
#[derive(Clone, Debug, Default)]
pub(super) struct Slice {
    /// Empty where there is no probability at all.
    pub(super) values: Vec<f64>,
    /// The numbers of cubes from above that there are: from, and up to but without.
    pub(super) range: (usize, usize),
}

impl Slice {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline(always)]
    pub(super) fn mass(&self) -> f64 {
        sum(&self.values)
    }
}

// Plain loops over indices: what is compiled for an instruction set must not call what is not.

#[inline(always)]
pub(super) fn sum(values: &[f64]) -> f64 {
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
pub(super) fn add_scaled(sums: &mut [f64], values: &[f64], share: f64) {
    let count = sums.len().min(values.len());
    let (sums, values) = (&mut sums[..count], &values[..count]);
    for at in 0..count {
        sums[at] += share * values[at];
    }
}

#[inline(always)]
pub(super) fn add_products(sums: &mut [f64], left: &[f64], right: &[f64], share: f64) {
    let count = sums.len().min(left.len()).min(right.len());
    let (sums, left, right) = (&mut sums[..count], &left[..count], &right[..count]);
    for at in 0..count {
        sums[at] += share * left[at] * right[at];
    }
}

#[inline(always)]
pub(super) fn multiply(products: &mut [f64], left: &[f64], right: &[f64]) {
    let count = products.len().min(left.len()).min(right.len());
    let (products, left, right) = (&mut products[..count], &left[..count], &right[..count]);
    for at in 0..count {
        products[at] = left[at] * right[at];
    }
}

/// Tables for each pair of numbers above.
pub(super) type Grid = Vec<Slice>;

/// Adds a share of a slice to one of a grid.
#[inline(always)]
pub(super) fn add(grid: &mut Grid, at: usize, slice: &Slice, share: f64) {
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
