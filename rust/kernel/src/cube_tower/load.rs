//! Towers of which only the number of cubes of each colour is known.
//!
//! The order on the shelves is made as the ledger makes it for its table of TW-TOWER-34: the cubes, shuffled, are thrown one
//! by one into the empty tower, those that come out again, until all are inside. The tower is blind to colours, so at the
//! end every order of the cubes is equally likely, and only the number on each shelf is left to be drawn. With two shelves
//! that number has a law which [`Loader`] computes once, exactly; with three the cubes are really thrown.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{Chance, SetupError};

use super::{Colour, CubeTower, Cubes, Parameters, heap, r16, shuffle};

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
        Ok(Self { parameters: parameters.clone(), cubes: heap(counts), law })
    }

    /// The next tower. An empty one takes no draws.
    ///
    /// With two shelves: two halves as a number of 32 bits, the first one above, choose how many cubes are on the upper
    /// shelf; then the cubes are shuffled and laid down, the upper shelf first, the oldest first.
    #[inline(always)]
    pub fn load(&self, draws: &mut u32, chance: &mut impl Chance) -> CubeTower {
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
    let limits: Arc<[u64]> = cumulative(&law(parameters, total)).into();
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

type Matrix = Vec<Vec<f64>>;

fn zeros(rows: usize, columns: usize) -> Matrix {
    vec![vec![0.0; columns]; rows]
}

fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let mut result = zeros(left.len(), right[0].len());
    for (row, sums) in left.iter().zip(&mut result) {
        for (&factor, line) in row.iter().zip(right).filter(|&(&factor, _)| factor > 0.0) {
            for (sum, &value) in sums.iter_mut().zip(line) {
                *sum += factor * value;
            }
        }
    }
    result
}

/// Probability of each number of `count` cubes that slip.
fn binomial(count: usize, chance: f64) -> Vec<f64> {
    let mut law = vec![1.0];
    for _ in 0..count {
        let mut next = vec![0.0; law.len() + 1];
        for (number, &probability) in law.iter().enumerate() {
            next[number] += probability * (1.0 - chance);
            next[number + 1] += probability * chance;
        }
        law = next;
    }
    law
}

/// What may become of a cube that reaches a shelf.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrived {
    Stays,
    Passes,
    /// Either, together.
    Any,
}

/// By number of cubes on a shelf: the probability of each number that moves on when one arrives, the new one included,
/// and that this becomes of the new one; `before` cubes of the throw were there before.
fn passing(parameters: &Parameters, shelf: usize, before: usize, arrived: Arrived) -> Matrix {
    let numbers = parameters.shelves()[shelf];
    let (dislodge, burst) = (f64::from(numbers.dislodge) / 65_536.0, f64::from(numbers.burst) / 65_536.0);
    let row = |held: usize| {
        let mut passing = vec![0.0; held + 2];
        let mut settle = |gone: usize, probability: f64| {
            let stays = f64::from(parameters.jammed_threshold(shelf, held - gone, before)) / 65_536.0;
            if arrived != Arrived::Passes {
                passing[gone] += probability * stays;
            }
            if arrived != Arrived::Stays {
                passing[gone + 1] += probability * (1.0 - stays);
            }
        };
        for (slipped, &probability) in binomial(held, dislodge).iter().enumerate() {
            if slipped == 0 {
                settle(0, probability);
                continue;
            }
            for (dragged, &share) in binomial(held - slipped, burst).iter().enumerate() {
                settle(slipped + dragged, probability * share);
            }
        }
        passing
    };
    (0..=usize::from(numbers.capacity)).map(row).collect()
}

/// By number of cubes that reach the lower shelf, up to `most`: what becomes of the number there.
///
/// If the cube thrown is among them it is the first, and the others come behind it.
fn arrivals(parameters: &Parameters, most: usize, with_thrown: bool) -> Vec<Matrix> {
    let lower = usize::from(parameters.shelves()[1].capacity);
    let one = |before| {
        let mut one = zeros(lower + 1, lower + 1);
        for (held, row) in passing(parameters, 1, before, Arrived::Any).iter().enumerate() {
            for (gone, &probability) in row.iter().enumerate().filter(|&(_, &probability)| probability > 0.0)
            {
                one[held][held + 1 - gone] = probability;
            }
        }
        one
    };
    let (first, next) = (one(0), one(usize::from(with_thrown)));
    let mut nothing = zeros(lower + 1, lower + 1);
    for (held, row) in nothing.iter_mut().enumerate() {
        row[held] = 1.0;
    }
    let mut arrivals = vec![nothing];
    for count in 0..most {
        let together = product(&arrivals[count], if count == 0 { &first } else { &next });
        arrivals.push(together);
    }
    arrivals
}

/// Probability of each number of cubes on the upper of two shelves when a tower that is filled by throws of single cubes holds
/// `total` for the first time.
///
/// A throw of one cube adds at most one to the content. So the way from one content to the next higher one is a matrix by
/// the number on the upper shelf before and after, found level by level: up at once, or down to some content and up again
/// from there by the matrices found before.
pub(super) fn law(parameters: &Parameters, total: usize) -> Vec<f64> {
    let [upper, lower] = [0, 1].map(|shelf| usize::from(parameters.shelves()[shelf].capacity));
    // Where cubes jam, those behind the thrown one fare otherwise, so it matters whether it passes.
    let fates: &[Arrived] =
        if parameters.jams() { &[Arrived::Stays, Arrived::Passes] } else { &[Arrived::Any] };
    let fates: Vec<(Matrix, Vec<Matrix>)> = fates
        .iter()
        .map(|&fate| {
            let with_thrown = fate == Arrived::Passes;
            (passing(parameters, 0, 0, fate), arrivals(parameters, upper + 1, with_thrown))
        })
        .collect();

    // ways[level]: from each state of that content to the present one.
    let mut ways = vec![vec![vec![0.0; upper + 1]; upper + 1]];
    ways[0][0][0] = 1.0;
    for content in 0..total {
        let mut again = zeros(upper + 1, upper + 1);
        let mut rises = zeros(upper + 1, upper + 1);
        for held in content.saturating_sub(lower)..=upper.min(content) {
            let ends = fates.iter().flat_map(|(first, arrivals)| {
                let ends = first[held].iter().enumerate().filter(|&(_, &p)| p > 0.0);
                ends.map(move |(gone, &probability)| (gone, probability, arrivals))
            });
            for (gone, probability, arrivals) in ends {
                let after = held + 1 - gone;
                for (below, &share) in arrivals[gone][content - held].iter().enumerate() {
                    let (weight, reached) = (probability * share, after + below);
                    if weight == 0.0 {
                        continue;
                    }
                    if reached > content {
                        rises[held][after] += weight;
                        continue;
                    }
                    for (sum, &way) in again[held].iter_mut().zip(&ways[reached][after]) {
                        *sum += weight * way;
                    }
                }
            }
        }
        let step = first_passage(again, rises);
        for way in &mut ways {
            *way = product(way, &step);
        }
        let mut here = zeros(upper + 1, upper + 1);
        for held in 0..=upper {
            here[held][held] = 1.0;
        }
        ways.push(here);
    }
    ways.swap_remove(0).swap_remove(0)
}

/// Where a chain ends that stays among its states with the probabilities `again` and leaves them with those of `leaves`.
///
/// States are taken out one by one without a subtraction (Grassmann, Taksar and Heyman 1985), so that chains which take
/// for ever lose no digits.
fn first_passage(mut again: Matrix, mut leaves: Matrix) -> Matrix {
    let states = again.len();
    for state in (0..states).rev() {
        let out: f64 = again[state][..state].iter().chain(&leaves[state]).sum();
        if out == 0.0 {
            continue; // a state that cannot be
        }
        for value in again[state][..state].iter_mut().chain(&mut leaves[state]) {
            *value /= out;
        }
        let (stays, goes) = (again[state].clone(), leaves[state].clone());
        for other in 0..state {
            let weight = again[other][state];
            for (sum, value) in again[other][..state].iter_mut().zip(&stays) {
                *sum += weight * value;
            }
            for (sum, value) in leaves[other].iter_mut().zip(&goes) {
                *sum += weight * value;
            }
        }
    }
    for state in 0..states {
        for other in 0..state {
            let (weight, ends) = (again[state][other], leaves[other].clone());
            for (sum, value) in leaves[state].iter_mut().zip(ends) {
                *sum += weight * value;
            }
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube_tower::ShelfParameters;
    use crate::{Purpose, Scripted, Stream};

    fn ledger() -> Parameters {
        Parameters::named("ledger").unwrap()
    }

    /// The ledger's shelves, lower dislodged more often, and jams strong enough to show.
    fn jammed() -> Parameters {
        let jam = |shelf: ShelfParameters| ShelfParameters {
            stick_per_mille: 400,
            dislodge: 5 * shelf.dislodge,
            jam_per_mille: 600,
            ..shelf
        };
        let shelves: Vec<_> = ledger().shelves().iter().copied().map(jam).collect();
        Parameters::new(&shelves).unwrap()
    }

    #[test]
    fn the_law_adds_up() {
        for parameters in [ledger(), jammed()] {
            for total in [0, 1, 2, 10, 37, 49, 50] {
                let law = law(&parameters, total);
                assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{total}");
                let possible = total.saturating_sub(24)..=total.min(26);
                assert!((0..=26).all(|upper| possible.contains(&upper) || law[upper] == 0.0), "{total}");
            }
        }
        assert!((law(&ledger(), 50)[26] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_law_is_that_of_throws() {
        // the loading of TW-TOWER-34, really done, against its law: chi-square over the upper shelf
        const COUNT: u32 = 20_000;
        let cases = [5_u16, 20, 32].map(|total| (ledger(), total)).into_iter().chain([(jammed(), 20)]);
        for (parameters, total) in cases {
            let loader = Loader::new(&parameters, &[total]).unwrap();
            let mut seen = [0_u32; 27];
            for index in 0..COUNT {
                let mut chance = Stream::new(5, Purpose::Tower, index.into());
                seen[loader.load_by_throws(&mut 0, &mut chance).shelf(0).len()] += 1;
            }
            let law = law(&parameters, total.into());
            let (mut chi_square, mut cells) = (0.0, 0.0);
            let (mut rare_seen, mut rare) = (0.0, 0.0);
            for (count, probability) in seen.into_iter().zip(law) {
                let expected = f64::from(COUNT) * probability;
                if expected < 10.0 {
                    rare_seen += f64::from(count);
                    rare += expected;
                } else {
                    chi_square += (f64::from(count) - expected).powi(2) / expected;
                    cells += 1.0;
                }
            }
            chi_square += (rare_seen - rare).powi(2) / rare.max(1e-9);
            assert!(
                chi_square < cells + 5.0 * (2.0_f64 * cells).sqrt() + 5.0,
                "{total}: {chi_square} of {cells}"
            );
        }
    }

    #[test]
    fn contents_are_as_asked() {
        let three = Parameters::new(&[ledger().shelves()[0]; 3]).unwrap();
        for parameters in [ledger(), three] {
            for contents in [[0; 6], [0, 3, 0, 0, 0, 1], [7, 7, 7, 7, 7, 10], [24, 26, 0, 0, 0, 0]] {
                let loader = Loader::new(&parameters, &contents).unwrap();
                for index in 0..20 {
                    let mut draws = 0;
                    let tower = loader.load(&mut draws, &mut Stream::new(5, Purpose::Tower, index));
                    assert_eq!(tower.contents(), contents);
                    assert!(tower.fits(&parameters));
                    assert_eq!(draws == 0, tower.is_empty());
                }
            }
        }
        let error = Loader::new(&ledger(), &[50, 1]).unwrap_err();
        assert_eq!(error.to_string(), "contents: 51 cubes, the tower holds 50");
    }

    #[test]
    fn the_order_of_the_draws() {
        // 0 is the fewest on the upper shelf; swaps that change nothing leave the cubes in order, oldest first
        let loader = Loader::new(&ledger(), &[1, 1, 1]).unwrap();
        let mut chance = Scripted::new(&[0, 0, 2, 1]);
        let mut draws = 1;
        let tower = loader.load(&mut draws, &mut chance);
        assert!(chance.is_exhausted());
        assert_eq!((tower.shelf(0).len(), draws), (0, 8)); // halves 1 and 2, then the words of 4 and 6
        assert_eq!(tower.shelf(1), [Colour(0), Colour(1), Colour(2)]);
    }
}
