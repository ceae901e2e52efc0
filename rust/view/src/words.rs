//! A wrapper that gives types of the rule crates methods with words.

use std::ops::Deref;

/// A value of a rule crate. It dereferences to the value; each game adds methods that put it into words.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, T>(pub(crate) &'a T);

impl<T> Deref for Words<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}
