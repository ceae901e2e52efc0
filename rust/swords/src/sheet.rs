//! The map as lists and sheets show it.

use std::borrow::Borrow;

use sengoku_kernel::{AnyScenario, Game, Purpose, SetupError, Sheet, Stream};
use serde_json::{Value, json};

use crate::data::MAX_CLANS;
use crate::map::{EdgeKind, Map};
use crate::state::State;

/// The maps that are compiled in.
pub(crate) fn all() -> Vec<Box<dyn AnyScenario>> {
    vec![Box::new(Entry { map: Map::standard(), id: "japan", setup: json!({}) })]
}

/// The map that a user wrote.
///
/// # Errors
/// As [`Map::parse`], but no map is one too many.
pub(crate) fn read(text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
    Ok(Box::new(Entry { map: Map::read(text)?, id: "", setup: json!({ "map": text }) }))
}

/// A map, and what a match on it is set up with.
struct Entry<M> {
    map: M,
    id: &'static str,
    setup: Value,
}

impl<M: Borrow<Map> + Send + Sync> AnyScenario for Entry<M> {
    fn sheet(&self) -> Sheet {
        let map = self.map.borrow();
        let source = map.source();
        Sheet {
            id: self.id.into(),
            name: map.title().into(),
            setup: if self.id.is_empty() { Value::Null } else { self.setup.clone() },
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
    fn picture(&self) -> Result<String, SetupError> {
        let state = State::create(MAX_CLANS, &self.setup, &mut Stream::new(0, Purpose::Game, 0))?;
        Ok(Game::picture(&state, None))
    }
}

impl Map {
    fn count(&self, kind: EdgeKind, wanted: impl Fn(&str) -> bool) -> usize {
        self.edges().iter().filter(|edge| edge.kind == kind && wanted(&edge.source)).count()
    }

    /// What borders and sea routes rest on.
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

    #[test]
    fn the_map_says_what_it_rests_on() {
        // SW-R-07
        let map = &all()[0];
        let sheet = map.sheet();
        assert_eq!((sheet.id.as_str(), sheet.setup), ("japan", json!({})));
        assert_eq!(sheet.facts[0], ("provinces", "68".into()));
        assert!(sheet.source.contains("3 of 12 sea routes are those of the rulebook"), "{}", sheet.source);
        assert_eq!(sengoku_kernel::picture::fault(&map.picture().unwrap()), None);
    }

    #[test]
    fn maps_of_ones_own_have_sheets() {
        let text = include_str!("../data/map.toml");
        let own = read(&text.replace("provinces = 68", "provinces = 68\ntitle = \"Mine\"")).unwrap();
        assert_eq!((own.sheet().name.as_str(), own.sheet().setup), ("Mine", Value::Null));
        assert_eq!(sengoku_kernel::picture::fault(&own.picture().unwrap()), None);
        assert_eq!(read("schema = 1").err().unwrap().reason, "missing field `game`");
    }
}
