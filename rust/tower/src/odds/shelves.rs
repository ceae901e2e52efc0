//! Exact odds where the cubes of each shelf are known: three heaps, each with cubes that are alike (TW-TOWER-37).
//!
//! Of those thrown, of those of the upper shelf and of those of the lower one, every choice among as many is equally likely.
//! So the law is first divided by the choices there are, summed over cubes of no account; what is left is multiplied by the
//! choices among the cubes of one side after the other.

use super::exact::CHOOSE;

/// Numbers by cubes of three heaps, the last one fastest.
#[derive(Clone, Debug)]
pub(super) struct Heaps {
    /// Most cubes of each heap.
    most: [usize; 3],
    values: Vec<f64>,
}

impl Heaps {
    /// The law of a throw by cubes of each heap that come out.
    pub(super) fn new(most: [usize; 3], values: &[f64]) -> Self {
        Self { most, values: values.to_vec() }
    }

    fn nothing(most: [usize; 3]) -> Self {
        Self { most, values: vec![0.0; most.iter().map(|most| most + 1).product()] }
    }

    const fn place(&self, [thrown, upper, lower]: [usize; 3]) -> usize {
        (thrown * (self.most[1] + 1) + upper) * (self.most[2] + 1) + lower
    }

    /// All numbers of cubes up to these.
    fn numbers(most: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
        (0..=most[0]).flat_map(move |thrown| {
            (0..=most[1]).flat_map(move |upper| (0..=most[2]).map(move |lower| [thrown, upper, lower]))
        })
    }

    /// The probability that certain cubes come out and certain others do not, by how many of those that count come out,
    /// where `others` of each heap do not count.
    pub(super) fn of_certain(self, others: [usize; 3]) -> Self {
        let mut table = self;
        for heap in 0..3 {
            let (all, mut most) = (table.most[heap], table.most);
            most[heap] -= others[heap];
            let mut sums = Self::nothing(most);
            for out in Self::numbers(table.most) {
                let probability = table.values[table.place(out)];
                if probability == 0.0 {
                    continue;
                }
                for some in out[heap].saturating_sub(others[heap])..=most[heap].min(out[heap]) {
                    let mut to = out;
                    to[heap] = some;
                    let place = sums.place(to);
                    sums.values[place] +=
                        probability * (CHOOSE[others[heap]][out[heap] - some] / CHOOSE[all][out[heap]]);
                }
            }
            table = sums;
        }
        table
    }

    /// The same without the cubes of one side, by how many of these come out.
    pub(super) fn without(&self, cubes: [usize; 3]) -> Vec<Self> {
        let most = [0, 1, 2].map(|heap| self.most[heap] - cubes[heap]);
        let mut by_number = vec![Self::nothing(most); cubes.iter().sum::<usize>() + 1];
        for out in Self::numbers(cubes) {
            let ways: f64 = (0..3).map(|heap| CHOOSE[cubes[heap]][out[heap]]).product();
            let sums = &mut by_number[out.iter().sum::<usize>()];
            for rest in Self::numbers(most) {
                let place = sums.place(rest);
                sums.values[place] +=
                    ways * self.values[self.place([0, 1, 2].map(|heap| rest[heap] + out[heap]))];
            }
        }
        by_number
    }

    /// The number where no cubes are left to count.
    pub(super) fn total(&self) -> f64 {
        self.values[0]
    }
}
