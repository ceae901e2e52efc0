//! What the parameters make of numbers of cubes: how many slip, are dragged along and stay.

use crate::cube_tower::Parameters;

/// Probability of each number, and of that and all larger ones.
pub(super) type Law = Vec<(f64, f64)>;

/// The chances of two shelves by the numbers of cubes on them.
pub(super) struct Chances {
    /// Cubes that the upper and the lower shelf can hold.
    pub(super) capacity: [usize; 2],
    /// Binomial coefficients: of so many cubes, so many.
    pub(super) choose: Vec<Vec<f64>>,
    /// Upper shelf, by cubes there: how many slip, how many are dragged along where one slipped, and how many leave in all.
    pub(super) slips: Vec<Law>,
    pub(super) drags: Vec<Law>,
    pub(super) leave: Vec<Law>,
    /// Lower shelf, by cubes there: the probability that these very cubes leave, by their number; and that so many or more do.
    pub(super) leaving: Vec<Vec<f64>>,
    pub(super) leaving_tails: Vec<Vec<f64>>,
    /// Lower shelf, by cubes of the throw that came before and by cubes there: the chance to stay.
    stays: Vec<Vec<f64>>,
}

/// Adds up from the end: the probability of each number and of all from there on.
pub(super) fn with_tails(law: impl DoubleEndedIterator<Item = f64>) -> Law {
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

pub(super) fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

const fn share(number: u16) -> f64 {
    number as f64 / 65_536.0
}

impl Chances {
    /// The chances in throws of up to `cubes`.
    pub(super) fn new(parameters: &Parameters, cubes: usize) -> Self {
        let shelves = [parameters.shelves()[0], parameters.shelves()[1]];
        let capacity = shelves.map(|shelf| usize::from(shelf.capacity));
        let mut choose = vec![vec![1.0]];
        for held in 1..=capacity[0].max(capacity[1]) + 1 {
            let last: &Vec<f64> = &choose[held - 1];
            let inner = last.windows(2).map(|pair| pair[0] + pair[1]);
            choose.push([1.0].into_iter().chain(inner).chain([1.0]).collect());
        }
        let binomial = |held: usize, chance: f64| {
            let choose = &choose[held];
            with_tails(
                (0..=held).map(move |out| choose[out] * power(chance, out) * power(1.0 - chance, held - out)),
            )
        };
        let upper = |chance: u16| (0..=capacity[0]).map(|held| binomial(held, share(chance))).collect();
        // Of some that leave at least one slips, and the others go along; where none slips none leaves.
        let leaving = |shelf: usize, held: usize| -> Vec<f64> {
            let (dislodge, burst) = (share(shelves[shelf].dislodge), share(shelves[shelf].burst));
            let one = |gone: usize| {
                let some = (1..=gone).map(|slipped| {
                    choose[gone][slipped]
                        * power(dislodge, slipped)
                        * power(1.0 - dislodge, held - slipped)
                        * power(burst, gone - slipped)
                        * power(1.0 - burst, held - gone)
                });
                if gone == 0 { power(1.0 - dislodge, held) } else { some.sum() }
            };
            (0..=held).map(one).collect()
        };
        let number = |held: usize, leaving: &[f64]| {
            with_tails((0..=held).map(|gone| leaving[gone] * choose[held][gone]))
        };
        let leave = (0..=capacity[0]).map(|held| number(held, &leaving(0, held))).collect();
        let lower: Vec<Vec<f64>> = (0..=capacity[1]).map(|held| leaving(1, held)).collect();
        let tails = |(held, leaving): (usize, &Vec<f64>)| {
            number(held, leaving).into_iter().map(|(_, tail)| tail).collect()
        };
        let stays = |before: usize| {
            let one = |held| f64::from(parameters.jammed_threshold(1, held, before)) / 65_536.0;
            (0..=capacity[1]).map(one).collect()
        };
        Self {
            capacity,
            slips: upper(shelves[0].dislodge),
            drags: upper(shelves[0].burst),
            leave,
            leaving_tails: lower.iter().enumerate().map(tails).collect(),
            leaving: lower,
            stays: (0..=if parameters.jams() { cubes } else { 0 }).map(stays).collect(),
            choose,
        }
    }

    /// By cubes on the lower shelf: the chance to stay there behind `before` cubes of the throw.
    #[inline(always)]
    pub(super) fn stays(&self, before: usize) -> &[f64] {
        &self.stays[before.min(self.stays.len() - 1)]
    }
}
