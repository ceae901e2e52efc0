//! The boards that a match can be played on, and the specification.

use sengoku_kernel::{Board as Graph, Catalogued, ScenarioFile, SetupError, Source, Spec};

use crate::board::Board;
use crate::data::{PROVINCES, ProvinceId, Side};
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

    /// Both sides of the built-in board, the sun side first.
    fn boards() -> Vec<Graph> {
        vec![graph("sun", Side::Sun), graph("moon", Side::Moon)]
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

/// A side of the built-in board as a graph.
fn graph(name: &'static str, side: Side) -> Graph {
    let map = Board::standard().side(side);
    let joint = |a: u16, b: u16| {
        let (a, other) = (ProvinceId(a as u8), ProvinceId(b as u8).bit());
        if map.land(a) & other != 0 { Some(0) } else { (map.sea(a) & other != 0).then_some(1) }
    };
    let provinces = || map.provinces().iter();
    let amounts = |amount: fn(&crate::board::Province) -> u8| provinces().map(amount).collect::<Vec<u8>>();
    let regions: Vec<String> = provinces().map(|province| province.region.clone()).collect();
    Graph { name, axis: "province", kinds: vec!["land", "sea"], ..Graph::default() }
        .joined(PROVINCES as u16, joint)
        .with_amount("tax", &amounts(|province| province.tax))
        .with_amount("rice", &amounts(|province| province.rice))
        .with_amount("sites", &amounts(|province| province.sites))
        .with_category("region", &regions)
}
