//! What a match can be set up from, as users look at it: a battle, a map, a side of a board.

use serde::Serialize;
use serde_json::Value;

use crate::{SetupError, Sketch};

/// A scenario of any game, behind one object.
pub trait AnyScenario: Send + Sync {
    /// What there is to know of it.
    fn sheet(&self) -> Sheet;
    /// Its board before a match, in SVG.
    ///
    /// # Errors
    /// [`SetupError`] where no match can be set up from it now: one user's file more than fit.
    fn picture(&self) -> Result<String, SetupError>;
    /// The same for a terminal; nothing where a few lines would not do.
    fn sketch(&self) -> Sketch {
        Sketch::default()
    }
}

impl<S: AnyScenario> AnyScenario for &S {
    fn sheet(&self) -> Sheet {
        (**self).sheet()
    }

    fn picture(&self) -> Result<String, SetupError> {
        (**self).picture()
    }

    fn sketch(&self) -> Sketch {
        (**self).sketch()
    }
}

/// What there is to know of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// As users name it, e.g. `8`; empty where it is a user's own.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Options of a match that is played from it, e.g. `{"scenario": 8}`; null where it is a user's own.
    pub setup: Value,
    /// Where its data come from, in a few words: whatever is reconstructed, proposed or uncertain is called so.
    pub source: String,
    /// Who plays in each seat, where the scenario says; empty where it does not.
    pub seats: Vec<String>,
    /// What a list shows of it, by column, the shortest word for its source among them; all scenarios of a game have the
    /// same columns.
    pub facts: Vec<(&'static str, String)>,
    /// What a reader wants to know, in paragraphs under headings.
    pub chapters: Vec<(&'static str, Vec<String>)>,
    /// Everything in tables of names and numbers of the game's own.
    pub details: Value,
}

impl Sheet {
    /// All of it as JSON.
    ///
    /// # Panics
    /// Never: names and numbers can be written.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("tables of names and numbers can be written")
    }
}

/// How users write a scenario of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    /// Option of a setup that names a file. Rules read no files: whoever has it gives its text instead.
    pub option: &'static str,
    /// Option of a setup that takes the text.
    pub text_option: &'static str,
    /// A key at the top of such a file that files of other games do not have.
    pub mark: &'static str,
}
