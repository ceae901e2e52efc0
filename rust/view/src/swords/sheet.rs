//! Sheets of maps.

use sengoku_kernel::{Game, Purpose, SetupError, Stream};
use sengoku_swords::data::MAX_CLANS;
use sengoku_swords::map::{EdgeKind, Map};
use sengoku_swords::{MapEntry, State};
use serde_json::{Value, json};

use crate::{Sheet, View, Words};

/// Id of the built-in map.
const BUILT_IN: &str = "japan";

/// The sheet of a map.
pub(super) fn sheet(entry: &MapEntry) -> Sheet {
    let (map, custom) = (Words(&*entry.map), entry.map.is_custom());
    let source = map.source();
    Sheet {
        id: if custom { "" } else { BUILT_IN }.into(),
        name: map.title().into(),
        setup: if custom { Value::Null } else { entry.setup.clone() },
        seats: Vec::new(),
        facts: vec![
            ("provinces", map.provinces().len().to_string()),
            ("borders", map.count(EdgeKind::Land, |_| true).to_string()),
            ("sea routes", map.count(EdgeKind::Sea, |_| true).to_string()),
            ("source", source.clone()),
        ],
        chapters: vec![("Basis", vec![source.clone()])],
        source,
        details: map.describe(),
    }
}

/// The map before the first decision of a match.
pub(super) fn picture(entry: &MapEntry) -> Result<String, SetupError> {
    let state = State::create(MAX_CLANS, &entry.setup, &mut Stream::new(0, Purpose::Game, 0))?;
    Ok(View::picture(&state, None))
}

impl Words<'_, Map> {
    fn count(&self, kind: EdgeKind, wanted: impl Fn(&str) -> bool) -> usize {
        self.edges().iter().filter(|edge| edge.kind == kind && wanted(&edge.source)).count()
    }

    /// Sources of borders and sea routes.
    fn source(&self) -> String {
        let by = |kind, name: &str| {
            let certain = self.count(kind, |source| source == "rulebook");
            let all = self.count(kind, |_| true);
            format!("{certain} of {all} {name}")
        };
        format!(
            "{} and {} are those of the rulebook, the others are reconstructed",
            by(EdgeKind::Land, "borders"),
            by(EdgeKind::Sea, "sea routes")
        )
    }

    /// Everything that the map says.
    fn describe(&self) -> Value {
        let provinces = self.provinces().iter().map(|province| {
            json!({
                "key": province.key,
                "name": province.name,
                "island": province.island,
                "circuit": province.circuit,
            })
        });
        let edges = self.edges().iter().map(|edge| {
            json!({
                "a": self.key(edge.a),
                "b": self.key(edge.b),
                "kind": edge.kind.name(),
                "source": edge.source,
                "confidence": edge.confidence,
                "short": edge.short,
            })
        });
        json!({
            "title": self.title(),
            "digest": format!("{:016x}", self.digest()),
            "provinces": provinces.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::fault;
    use crate::{read_scenario, scenarios};

    #[test]
    fn the_map_says_what_it_rests_on() {
        // SW-R-07
        let map = &scenarios::<State>()[0];
        let sheet = map.sheet();
        assert_eq!((sheet.id.as_str(), sheet.setup), ("japan", json!({})));
        assert_eq!(sheet.facts[0], ("provinces", "68".into()));
        assert!(sheet.source.contains("3 of 12 sea routes are those of the rulebook"), "{}", sheet.source);
        assert_eq!(fault(&map.picture().unwrap()), None);
    }

    #[test]
    fn custom_maps_have_sheets() {
        let text = include_str!("../../../swords/data/map.toml");
        let custom =
            read_scenario::<State>(&text.replace("provinces = 68", "provinces = 68\ntitle = \"Mine\""))
                .unwrap();
        assert_eq!((custom.sheet().name.as_str(), custom.sheet().setup), ("Mine", Value::Null));
        assert_eq!(fault(&custom.picture().unwrap()), None);
        assert_eq!(read_scenario::<State>("schema = 1").err().unwrap().reason, "missing field `game`");
    }
}
