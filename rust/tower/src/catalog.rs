//! The boards that a match can be played on, and the specification.

use sengoku_kernel::{Catalogued, ScenarioFile, SetupError, Source, Spec};

use crate::board::Board;
use crate::data::Side;
use crate::state::State;

/// A side of a board of the catalog.
#[derive(Debug)]
pub struct BoardSide {
    /// The board.
    pub board: Source<Board>,
    /// The side.
    pub side: Side,
    /// The file of a custom board.
    pub text: Option<String>,
}

impl Catalogued for State {
    type Scenario = BoardSide;
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "board_file", text_option: "board", mark: "sun" });

    fn spec() -> Spec {
        crate::spec::spec()
    }

    /// Both sides of the built-in board.
    fn scenarios() -> Vec<BoardSide> {
        let entry = |side| BoardSide { board: Source::BuiltIn(Board::standard()), side, text: None };
        [Side::Sun, Side::Moon].map(entry).into()
    }

    /// A custom board, by its sun side.
    fn read_scenario(text: &str) -> Result<BoardSide, SetupError> {
        let board = Source::Custom(Box::new(Board::read(text)?));
        Ok(BoardSide { board, side: Side::Sun, text: Some(text.into()) })
    }
}
