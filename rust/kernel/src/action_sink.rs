//! Receivers of legal actions.

use arrayvec::ArrayVec;

/// Receives legal actions in table order: a list, or [`OnlyAction`].
pub trait ActionSink<A> {
    /// Adds an action.
    fn add(&mut self, action: A);

    /// Adds actions. A receiver that needs no more of them stops here.
    fn add_all(&mut self, actions: impl IntoIterator<Item = A>) {
        for action in actions {
            self.add(action);
        }
    }
}

impl<T> ActionSink<T> for Vec<T> {
    fn add(&mut self, action: T) {
        self.push(action);
    }
}

impl<T, const N: usize> ActionSink<T> for ArrayVec<T, N> {
    fn add(&mut self, action: T) {
        self.push(action);
    }
}

/// Finds out whether there is exactly one legal action: holds the first and counts them.
#[derive(Clone, Copy, Debug)]
pub struct OnlyAction<A> {
    first: Option<A>,
    count: u32,
}

impl<A: Copy> OnlyAction<A> {
    /// Whether there is no legal action.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The only legal action, if there is exactly one.
    pub fn get(&self) -> Option<A> {
        self.first.filter(|_| self.count == 1)
    }
}

impl<A> Default for OnlyAction<A> {
    fn default() -> Self {
        Self { first: None, count: 0 }
    }
}

impl<A> ActionSink<A> for OnlyAction<A> {
    fn add(&mut self, action: A) {
        self.first.get_or_insert(action);
        self.count += 1;
    }

    /// Takes actions until there are two: more would change nothing.
    fn add_all(&mut self, actions: impl IntoIterator<Item = A>) {
        let mut actions = actions.into_iter();
        while self.count < 2
            && let Some(action) = actions.next()
        {
            self.add(action);
        }
    }
}
