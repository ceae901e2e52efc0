//! What draws brought: which kinds there were, and hits and losses as readers count them.

use sengoku_kernel::{Game, MAX_SEATS};
use serde::Serialize;

/// A kind of draw that decides something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    /// Dice.
    Dice,
    /// Cubes thrown into the tower.
    Tower,
    /// Cards that were dealt, drawn or turned up.
    Cards,
    /// Turn order and other lots.
    Lots,
}

/// Hits and losses of each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Hits made.
    pub hits: [u32; MAX_SEATS],
    /// Losses taken.
    pub losses: [u32; MAX_SEATS],
}

/// A game whose draws can be counted.
pub trait Tally: Game {
    /// What a hit is.
    const HITS: &'static str;
    /// What a loss is.
    const LOSSES: &'static str;

    /// The kind of draw that an event shows, if it shows one.
    fn draw_kind(event: &Self::Event) -> Option<DrawKind>;
    /// Counts hits and losses of events. `past` are the events before them, `self` is the state before them.
    fn count(&self, past: &[Self::Event], events: &[Self::Event]) -> Counts;
}
