//! Where the cubes of a fill lie: the numbers on both shelves after a throw into the empty tower.

use super::chances::Chances;
use super::{NEGLIGIBLE, Shelves};
use crate::cube_tower::Parameters;
use crate::{Cancel, Cancelled};

/// Probabilities by cubes on the upper shelf and, fastest, on the lower one.
type Table = Vec<Vec<f64>>;

/// A throw into the empty tower. All its cubes are alike, so two numbers suffice.
pub(super) struct Fill<'a> {
    parameters: &'a Parameters,
    chances: &'a Chances,
    neglected: f64,
}

impl<'a> Fill<'a> {
    pub(super) const fn new(parameters: &'a Parameters, chances: &'a Chances) -> Self {
        Self { parameters, chances, neglected: 0.0 }
    }

    /// How many cubes lie on each shelf after a throw of `cubes`, with probabilities; and what was left out.
    pub(super) fn run(mut self, cubes: usize, cancel: &Cancel) -> Result<(Shelves, f64), Cancelled> {
        let [upper, lower] = self.chances.capacity;
        let mut table = vec![vec![0.0; lower + 1]; upper + 1];
        table[0][0] = 1.0;
        for thrown in 0..cubes {
            if cancel.is_raised() {
                return Err(Cancelled);
            }
            table = self.throw(&table, thrown);
        }
        let rows = table.iter().enumerate().flat_map(|(upper, row)| {
            let row = row.iter().enumerate().filter(|&(_, &probability)| probability > 0.0);
            row.map(move |(lower, &probability)| ([upper as u8, lower as u8], probability))
        });
        Ok((rows.collect(), self.neglected))
    }

    /// Throws a cube behind `thrown` others.
    fn throw(&mut self, table: &Table, thrown: usize) -> Table {
        let mut after = vec![vec![0.0; table[0].len()]; table.len()];
        for (held, below) in table.iter().enumerate() {
            let mass: f64 = below.iter().sum();
            if mass <= NEGLIGIBLE {
                self.neglected += mass;
                continue;
            }
            let law = &self.chances.leave[held];
            for stays in [true, false] {
                let reached = thrown - held + usize::from(!stays);
                let mut below = if stays { below.clone() } else { self.arrive(below, thrown - held) };
                for (gone, &(probability, tail)) in law.iter().enumerate() {
                    let kept = held - gone;
                    let stick = f64::from(self.parameters.jammed_threshold(0, kept, thrown)) / 65_536.0;
                    let share = if stays { stick } else { 1.0 - stick };
                    if mass * tail <= NEGLIGIBLE {
                        self.neglected += mass * tail;
                        break;
                    }
                    if share > 0.0 {
                        let sums = after[kept + usize::from(stays)].iter_mut();
                        sums.zip(&below).for_each(|(sum, value)| *sum += share * probability * value);
                    }
                    if gone < held {
                        below = self.arrive(&below, reached + gone);
                    }
                }
            }
        }
        after
    }

    /// A cube reaches the lower shelf behind `before` others.
    fn arrive(&self, below: &[f64], before: usize) -> Vec<f64> {
        let mut moved = vec![0.0; below.len()];
        for (held, &probability) in below.iter().enumerate().filter(|&(_, &probability)| probability > 0.0) {
            let (leaving, choose) = (&self.chances.leaving[held], &self.chances.choose[held]);
            for (gone, (chance, ways)) in leaving.iter().zip(choose).enumerate() {
                moved[held - gone] += probability * chance * ways;
            }
        }
        let stays = self.chances.stays(before);
        for held in (0..moved.len()).rev().filter(|&held| stays[held] > 0.0) {
            moved[held + 1] += moved[held] * stays[held];
            moved[held] *= 1.0 - stays[held];
        }
        moved
    }
}
