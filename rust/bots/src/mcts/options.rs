//! What a search may cost and how it goes about it, as it is written after the name of the bot.

use thiserror::Error;

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

/// Why options are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{option}: {reason}")]
pub struct OptionError {
    /// The option as it was written.
    pub option: String,
    /// What is wrong with it, the value included.
    pub reason: String,
}

impl Options {
    /// So many iterations in so many trees; both are at least one.
    pub fn new(iterations: u32, trees: u32) -> Self {
        Self { iterations: iterations.max(1), trees: trees.max(1) }
    }

    /// Reads `name=value` pairs with commas between them.
    ///
    /// # Errors
    /// [`OptionError`] when there is no such option, or its value is no number it can have.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let refuse = |reason: String| OptionError { option: name.chars().take(60).collect(), reason };
            let number = |most: u32| {
                let number = value.parse().ok().filter(|number| (1..=most).contains(number));
                let short: String = value.chars().take(60).collect();
                number.ok_or_else(|| refuse(format!("{short:?} is not a number from 1 to {most}")))
            };
            match name {
                "iterations" => options.iterations = number(MAX_ITERATIONS)?,
                "trees" => options.trees = number(MAX_TREES)?,
                _ => return Err(refuse("there is no such option; iterations and trees there are".into())),
            }
        }
        Ok(options)
    }

    /// Iterations of one of the trees: the first ones get what cannot be divided.
    pub(crate) fn share(&self, tree: u32) -> u32 {
        self.iterations / self.trees + u32::from(tree < self.iterations % self.trees)
    }
}
