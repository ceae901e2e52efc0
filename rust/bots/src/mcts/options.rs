//! Options of a search, as written after the name of the bot.

use crate::options::{OptionError, read};

/// Most iterations of a decision.
pub const MAX_ITERATIONS: u32 = 10_000_000;
/// Most trees of a decision.
pub const MAX_TREES: u32 = 64;

/// How a decision is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most iterations of a decision, all trees together.
    pub iterations: u32,
    /// Trees that are grown by themselves and put together at the end; threads only share them out.
    pub trees: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 1000, trees: 1 }
    }
}

impl Options {
    /// Numbers of iterations and trees; both are at least one.
    pub fn new(iterations: u32, trees: u32) -> Self {
        Self { iterations: iterations.max(1), trees: trees.max(1) }
    }

    /// Reads `iterations=...` and `trees=...`.
    ///
    /// # Errors
    /// [`OptionError`] when there is no such option, or its value is out of range.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        read(
            text,
            &mut [
                ("iterations", 1..=MAX_ITERATIONS, &mut options.iterations),
                ("trees", 1..=MAX_TREES, &mut options.trees),
            ],
        )?;
        Ok(options)
    }

    /// Iterations of one of the trees: the first ones get what cannot be divided.
    pub(crate) fn share(&self, tree: u32) -> u32 {
        self.iterations / self.trees + u32::from(tree < self.iterations % self.trees)
    }
}
