//! Scenarios as users look at them: a battle, a map, a side of a board.

use sengoku_kernel::SetupError;
use serde::Serialize;
use serde_json::Value;

use crate::{Sketch, View};

/// A scenario of any game, behind one object.
pub trait AnyScenario: Send + Sync {
    /// Everything that is known about it.
    fn sheet(&self) -> Sheet;
    /// Its board before a match, in SVG.
    ///
    /// # Errors
    /// As [`View::scenario_picture`].
    fn picture(&self) -> Result<String, SetupError>;
    /// The same for a terminal. Empty for games without a sketch.
    fn sketch(&self) -> Sketch;
}

/// A scenario of one game.
struct Shown<G: View>(G::Scenario);

impl<G: View> AnyScenario for Shown<G> {
    fn sheet(&self) -> Sheet {
        G::scenario_sheet(&self.0)
    }

    fn picture(&self) -> Result<String, SetupError> {
        G::scenario_picture(&self.0)
    }

    fn sketch(&self) -> Sketch {
        G::scenario_sketch(&self.0)
    }
}

/// The built-in scenarios of a game.
pub fn scenarios<G: View>() -> Vec<Box<dyn AnyScenario>> {
    let shown = |scenario| Box::new(Shown::<G>(scenario)) as Box<dyn AnyScenario>;
    G::scenarios().into_iter().map(shown).collect()
}

/// The scenario of a user's text. Nothing of it is stored.
///
/// # Errors
/// [`SetupError`] with the place in the text and what is wrong with it.
pub fn read_scenario<G: View>(text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
    Ok(Box::new(Shown::<G>(G::read_scenario(text)?)))
}

/// Everything that is known about a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// The id that users write, e.g. `8`; empty for a custom scenario.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Options of a match that is played from it, e.g. `{"scenario": 8}`; null for a custom scenario.
    pub setup: Value,
    /// Where its data come from, in a few words: whatever is reconstructed, proposed or uncertain is called so.
    pub source: String,
    /// Name of the side in each seat, if the scenario has one; otherwise empty.
    pub seats: Vec<String>,
    /// Facts for a list, by column, the shortest word for its source among them; all scenarios of a game have the
    /// same columns.
    pub facts: Vec<(&'static str, String)>,
    /// Description for a reader, in paragraphs under headings.
    pub chapters: Vec<(&'static str, Vec<String>)>,
    /// All its data as tables of names and numbers; the shape depends on the game.
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
