//! The context that rules are played in: chance, and a log of events where one is wanted.

use crate::{Chance, chance_of};

/// The context that rules run in, provided by their caller. `E` is an entry of the game's log.
pub trait Context<E>: Chance + Sized {
    /// Logs what happened; the entry is only built where there is a log.
    fn log(&mut self, event: impl FnOnce() -> E);
}

/// A context without a log.
#[derive(Debug)]
pub struct Silent<'a, C>(pub &'a mut C);

/// A context with a log.
#[derive(Debug)]
pub struct Logged<'a, C, L>(pub &'a mut C, pub &'a mut L);

impl<C: Chance> Chance for Silent<'_, C> {
    chance_of!(0);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        self.0.roll(draw, sides)
    }

    fn lot(&mut self, draw: u32, count: u32) -> u32 {
        self.0.lot(draw, count)
    }

    fn rolled_lot(&mut self, draw: u32, count: u32) -> u32 {
        self.0.rolled_lot(draw, count)
    }

    fn stack(&mut self, count: usize, name: &dyn Fn(usize) -> String) -> Vec<usize> {
        self.0.stack(count, name)
    }
}

impl<C: Chance, E> Context<E> for Silent<'_, C> {
    fn log(&mut self, _event: impl FnOnce() -> E) {}
}

impl<C: Chance, L> Chance for Logged<'_, C, L> {
    chance_of!(0);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        self.0.roll(draw, sides)
    }

    fn lot(&mut self, draw: u32, count: u32) -> u32 {
        self.0.lot(draw, count)
    }

    fn rolled_lot(&mut self, draw: u32, count: u32) -> u32 {
        self.0.rolled_lot(draw, count)
    }

    fn stack(&mut self, count: usize, name: &dyn Fn(usize) -> String) -> Vec<usize> {
        self.0.stack(count, name)
    }
}

impl<C: Chance, E, L: FnMut(E)> Context<E> for Logged<'_, C, L> {
    fn log(&mut self, event: impl FnOnce() -> E) {
        (self.1)(event());
    }
}
