//! Where rules are played: chance, and somebody who may want to know what happens.

use crate::{Chance, chance_of};

/// What rules need from the table they are played at. `E` is an entry of the game's log.
pub trait Table<E>: Chance + Sized {
    /// Tells what happened; the entry is only made where somebody listens.
    fn tell(&mut self, event: impl FnOnce() -> E);
}

/// A table at which nobody listens.
#[derive(Debug)]
pub struct Quiet<'a, C>(pub &'a mut C);

/// A table with a log.
#[derive(Debug)]
pub struct Heard<'a, C, L>(pub &'a mut C, pub &'a mut L);

impl<C: Chance> Chance for Quiet<'_, C> {
    chance_of!(0);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        self.0.roll(draw, sides)
    }
}

impl<C: Chance, E> Table<E> for Quiet<'_, C> {
    fn tell(&mut self, _event: impl FnOnce() -> E) {}
}

impl<C: Chance, L> Chance for Heard<'_, C, L> {
    chance_of!(0);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        self.0.roll(draw, sides)
    }
}

impl<C: Chance, E, L: FnMut(E)> Table<E> for Heard<'_, C, L> {
    fn tell(&mut self, event: impl FnOnce() -> E) {
        (self.1)(event());
    }
}
