//! The maps that a match can be played on, and the specification.

use sengoku_kernel::{Board, Catalogued, ScenarioFile, SetupError, Source, Spec};
use serde_json::{Value, json};

use crate::data::PROVINCES;
use crate::map::Map;
use crate::state::State;

/// A map of the catalog.
#[derive(Debug)]
pub struct MapEntry {
    /// The map.
    pub map: Source<Map>,
    /// Setup of a match on it.
    pub setup: Value,
}

impl Catalogued for State {
    type Scenario = MapEntry;
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "map_file", text_option: "map", mark: "province" });

    fn spec() -> Spec {
        crate::spec::spec()
    }

    fn boards() -> Vec<Board> {
        let map = Map::standard();
        let joint = |a: u16, b: u16| {
            map.is_adjacent(a as u8, b as u8).then(|| u16::from(map.is_sea(a as u8, b as u8)))
        };
        let islands: Vec<String> = map.provinces().iter().map(|province| province.island.clone()).collect();
        let board =
            Board { name: "standard", axis: "province", kinds: vec!["land", "sea"], ..Board::default() };
        vec![board.joined(PROVINCES as u16, joint).with_category("island", &islands)]
    }

    fn scenarios() -> Vec<MapEntry> {
        vec![MapEntry { map: Source::BuiltIn(Map::standard()), setup: json!({}) }]
    }

    fn read_scenario(text: &str) -> Result<MapEntry, SetupError> {
        Ok(MapEntry { map: Source::Custom(Box::new(Map::read(text)?)), setup: json!({ "map": text }) })
    }
}
