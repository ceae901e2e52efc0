//! The battles that a match can be played from, and the specification.

use sengoku_kernel::{Catalogued, ScenarioFile, SetupError, Source, Spec};

use crate::scenario::{self, Scenario};
use crate::state::State;

impl Catalogued for State {
    type Scenario = Source<Scenario>;
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "scenario_file", text_option: "scenario_text", mark: "deployment" });

    fn spec() -> Spec {
        crate::spec::spec()
    }

    fn scenarios() -> Vec<Source<Scenario>> {
        scenario::all().iter().map(Source::BuiltIn).collect()
    }

    fn read_scenario(text: &str) -> Result<Source<Scenario>, SetupError> {
        Ok(Source::Custom(Box::new(Scenario::read(text)?)))
    }
}
