//! The trait that shows a game to people.

use std::ops::Range;

use sengoku_kernel::{Catalogued, Seat, SetupError};
use serde::Serialize;
use serde_json::Value;

use crate::{Sheet, Sketch, StoryLine};

/// An action in words, as it stands in one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionText {
    /// Index in the action table.
    pub index: u32,
    /// Kind of the action, e.g. `step`.
    pub name: &'static str,
    /// Arguments by role, e.g. `{"to": "kai"}`.
    pub args: Value,
    /// The action as a person would say it.
    pub text: String,
}

/// A game that can be shown to people.
pub trait View: Catalogued {
    /// An action in words.
    fn describe_action(&self, action: Self::Action) -> ActionText;
    /// A picture of the board in SVG: everything, or what one seat may see.
    fn picture(&self, seat: Option<Seat>) -> String;
    /// The board for a terminal: everything, or what one seat may see.
    fn sketch(&self, seat: Option<Seat>) -> Sketch;
    /// The stories of some ranges of the events that led to this state, in order and without overlap, told to one seat or to those who see everything; `long`
    /// also tells dice, cards drawn and the like.
    fn stories(
        &self,
        events: &[Self::Event],
        ranges: &[Range<usize>],
        seat: Option<Seat>,
        long: bool,
    ) -> Vec<Vec<StoryLine>>;

    /// A seat as stories call it.
    fn seat_name(&self, seat: Seat) -> String {
        seat.to_string()
    }
    /// The display name of a place on the board by its key; `None` for one that does not exist.
    fn place_name(&self, place: &str) -> Option<String>;

    /// The sheet of a scenario.
    fn scenario_sheet(scenario: &Self::Scenario) -> Sheet;
    /// The board of a scenario before a match, in SVG.
    ///
    /// # Errors
    /// [`SetupError`] if no match can be set up from it now, because too many custom files are loaded.
    fn scenario_picture(scenario: &Self::Scenario) -> Result<String, SetupError>;
    /// The board of a scenario for a terminal. Empty for games without a sketch.
    fn scenario_sketch(_scenario: &Self::Scenario) -> Sketch {
        Sketch::default()
    }
    /// Remarks about the data of all built-in scenarios, one sentence each.
    fn scenario_remarks() -> Vec<String> {
        Vec::new()
    }
}
