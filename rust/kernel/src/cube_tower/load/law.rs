//! How many cubes lie on the upper shelf of a tower that was loaded cube by cube.

use crate::cube_tower::Parameters;

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
/// a number for the first time, for all numbers up to `most`.
///
/// A throw of one cube adds at most one to the content. So the way from one content to the next higher one is a matrix by
/// the number on the upper shelf before and after, found level by level: up at once, or down to some content and up again
/// from there by the matrices found before.
pub(in crate::cube_tower) fn laws(parameters: &Parameters, most: usize) -> Vec<Vec<f64>> {
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
    let mut laws = vec![ways[0][0].clone()];
    for content in 0..most {
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
        laws.push(ways[0][0].clone());
    }
    laws
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
