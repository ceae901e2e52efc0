//! The maps that a match can be played on, and the specification.

use sengoku_kernel::{Catalogued, ScenarioFile, SetupError, Source, Spec};
use serde_json::{Value, json};

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

    fn scenarios() -> Vec<MapEntry> {
        vec![MapEntry { map: Source::BuiltIn(Map::standard()), setup: json!({}) }]
    }

    fn read_scenario(text: &str) -> Result<MapEntry, SetupError> {
        Ok(MapEntry { map: Source::Custom(Box::new(Map::read(text)?)), setup: json!({ "map": text }) })
    }
}
