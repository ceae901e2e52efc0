//! The battles that a match can be played from, and the specification.

use sengoku_kernel::{Board, Catalogued, ScenarioFile, SetupError, Source, Spec};

use crate::board::{HEXES, HexId};
use crate::scenario::{self, Scenario};
use crate::state::State;

impl Catalogued for State {
    type Scenario = Source<Scenario>;
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "scenario_file", text_option: "scenario_text", mark: "deployment" });

    fn spec() -> Spec {
        crate::spec::spec()
    }

    fn boards() -> Vec<Board> {
        let grid = HexId::all().map(|hex| [hex.row().into(), hex.column().into()]).collect();
        let next = |a: u16, b: u16| HexId(a as u8).is_next_to(HexId(b as u8)).then_some(0);
        let board = Board { name: "standard", axis: "hex", kinds: vec!["next"], grid, ..Board::default() };
        vec![board.joined(HEXES as u16, next)]
    }

    fn scenarios() -> Vec<Source<Scenario>> {
        scenario::all().iter().map(Source::BuiltIn).collect()
    }

    fn read_scenario(text: &str) -> Result<Source<Scenario>, SetupError> {
        Ok(Source::Custom(Box::new(Scenario::read(text)?)))
    }
}
