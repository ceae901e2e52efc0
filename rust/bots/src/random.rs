use sengoku_kernel::Game;

use crate::{Bot, Seen};

/// Takes any legal action, all equally likely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random;

impl Random {
    /// Name and description, for the list of a game.
    pub const ENTRY: (&'static str, &'static str) = ("random", "any legal action, all equally likely");
}

impl<G: Game> Bot<G> for Random {
    fn decide(
        &mut self,
        _seen: &Seen<'_, G>,
        legal: &[G::Action],
        chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        // A choice of one is none, and costs no draw.
        if legal.len() > 1 { chance(legal.len() as u32) as usize } else { 0 }
    }
}
