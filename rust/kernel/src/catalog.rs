//! The catalog of a game: its scenarios, and the specification of its observations and actions.

use std::ops::Deref;

use crate::{Board, Game, SetupError, Spec};

/// A game with a catalog of scenarios and a specification.
pub trait Catalogued: Game {
    /// A scenario that a match can be set up from: a battle, a map, a side of a board.
    type Scenario: Send + Sync + 'static;

    /// How users write a custom scenario; `None` if they cannot.
    const SCENARIO_FILE: Option<ScenarioFile> = None;

    /// The specification of observations and actions.
    fn spec() -> Spec;

    /// The built-in boards, if the game is played on places: the one of the default setup first.
    fn boards() -> Vec<Board> {
        Vec::new()
    }

    /// The built-in scenarios.
    fn scenarios() -> Vec<Self::Scenario> {
        Vec::new()
    }

    /// The scenario of a user's text. It is not registered: nothing of it is stored.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the text and what is wrong with it.
    fn read_scenario(_text: &str) -> Result<Self::Scenario, SetupError> {
        Err(SetupError::new("", format!("{} has no custom scenarios", Self::NAME)))
    }
}

/// A built-in value, or one that was read from a user's text.
#[derive(Debug)]
pub enum Source<T: 'static> {
    /// Compiled in; it lives as long as the process.
    BuiltIn(&'static T),
    /// Read from a text and not registered.
    Custom(Box<T>),
}

impl<T> Source<T> {
    /// Whether it was read from a user's text.
    pub const fn is_custom(&self) -> bool {
        matches!(self, Self::Custom(_))
    }
}

impl<T> Deref for Source<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::BuiltIn(value) => value,
            Self::Custom(value) => value,
        }
    }
}

/// How users write a custom scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    /// Option of a setup that names a file. Rules read no files: the caller passes the text instead.
    pub option: &'static str,
    /// Option of a setup that takes the text.
    pub text_option: &'static str,
    /// A key at the top of such a file that files of other games do not have.
    pub mark: &'static str,
}
