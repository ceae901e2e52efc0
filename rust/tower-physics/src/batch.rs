use std::sync::Arc;

use crate::colour::count;
use crate::{Counts, Geometry, RigidTower, in_order};

/// One throw of a chain, as calibration looks at it (TW-TOWER-44).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of the throw, counted from 0.
    pub number: u32,
    /// Cubes thrown.
    pub thrown: u16,
    /// Cubes inside before.
    pub content_before: u16,
    /// Cubes that came out.
    pub output: u16,
    /// Cubes of this throw that came out at once.
    pub fresh: u16,
    /// Ages in throws of the other cubes that came out, the oldest first.
    pub ages: Vec<u32>,
    /// Pushes given to cubes in the funnel.
    pub pushes: u32,
    /// Whether the throw ended by its limit.
    pub timed_out: bool,
    /// Cubes thrown, by colour.
    pub colours_in: Counts,
    /// Cubes that came out, by colour.
    pub colours_out: Counts,
}

/// A tower that goes through one throw after another, what comes out being taken away.
///
/// Chains are independent: chain `i` under a seed is always the same, alone or beside others. One is resumed from
/// [`RigidTower::save`] of its tower.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The tower as it stands.
    pub tower: RigidTower,
}

impl Chain {
    /// A chain that begins with an empty tower.
    pub fn new(geometry: impl Into<Arc<Geometry>>, seed: u64, chain_index: u64) -> Self {
        Self { tower: RigidTower::new(geometry, seed, chain_index) }
    }

    /// Throws once.
    pub fn advance(&mut self, cubes: &Counts) -> Record {
        let (number, content_before) = (self.tower.throws(), self.tower.content() as u16);
        let hand = in_order(cubes);
        let throw = self.tower.throw(&hand);
        let mut ages: Vec<u32> = throw.fallen.iter().map(|cube| cube.age).filter(|&age| age > 0).collect();
        ages.sort_unstable_by(|a, b| b.cmp(a));
        Record {
            number,
            thrown: hand.len() as u16,
            content_before,
            output: throw.fallen.len() as u16,
            fresh: (throw.fallen.len() - ages.len()) as u16,
            ages,
            pushes: throw.statistics.pushes,
            timed_out: throw.statistics.timed_out,
            colours_in: *cubes,
            colours_out: count(throw.tray()),
        }
    }
}

/// One chain from an empty tower through all throws of a plan.
pub fn simulate(
    geometry: impl Into<Arc<Geometry>>,
    seed: u64,
    chain_index: u64,
    plan: &[Counts],
) -> Vec<Record> {
    let mut chain = Chain::new(geometry, seed, chain_index);
    plan.iter().map(|cubes| chain.advance(cubes)).collect()
}
