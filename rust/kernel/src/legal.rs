//! Where legal actions go.

use arrayvec::ArrayVec;

/// A list of legal actions, or a look whether there is a choice at all. They come in table order.
pub trait Legal<A> {
    /// Adds an action.
    fn add(&mut self, action: A);
}

impl<T> Legal<T> for Vec<T> {
    fn add(&mut self, action: T) {
        self.push(action);
    }
}

impl<T, const N: usize> Legal<T> for ArrayVec<T, N> {
    fn add(&mut self, action: T) {
        self.push(action);
    }
}

/// The first legal action, and whether there are others.
#[derive(Clone, Copy, Debug)]
pub struct Choice<A> {
    first: Option<A>,
    count: u32,
}

impl<A: Copy> Choice<A> {
    /// Whether there is no legal action.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The only legal action, if there is exactly one.
    pub fn only(&self) -> Option<A> {
        self.first.filter(|_| self.count == 1)
    }
}

impl<A> Default for Choice<A> {
    fn default() -> Self {
        Self { first: None, count: 0 }
    }
}

impl<A> Legal<A> for Choice<A> {
    fn add(&mut self, action: A) {
        self.first.get_or_insert(action);
        self.count += 1;
    }
}
