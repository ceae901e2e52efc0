//! The sides of the board as lists and sheets show them.

use std::borrow::Borrow;

use sengoku_kernel::{AnyScenario, Game, Purpose, SetupError, Sheet, Stream};
use serde_json::{Value, json};

use crate::board::{Board, Map};
use crate::data::{MAX_PLAYERS, ProvinceId, Side};
use crate::state::State;

/// The sides of the board that is compiled in.
pub(crate) fn all() -> Vec<Box<dyn AnyScenario>> {
    let entry = |side| Entry { board: Board::standard(), side, text: None };
    [Side::Sun, Side::Moon].map(|side| Box::new(entry(side)) as Box<dyn AnyScenario>).into()
}

/// The board that a user wrote, by its sun side.
///
/// # Errors
/// As [`Board::parse`], but no board is one too many.
pub(crate) fn read(text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
    Ok(Box::new(Entry { board: Board::read(text)?, side: Side::Sun, text: Some(text.into()) }))
}

/// A side of a board.
struct Entry<B> {
    board: B,
    side: Side,
    /// The file, if it is a user's own.
    text: Option<String>,
}

impl<B: Borrow<Board> + Send + Sync> AnyScenario for Entry<B> {
    fn sheet(&self) -> Sheet {
        let (board, own) = (self.board.borrow(), self.text.is_some());
        let map = board.side(self.side);
        let links = |links: &dyn Fn(ProvinceId) -> u64| {
            ProvinceId::all().map(|province| links(province).count_ones()).sum::<u32>() / 2
        };
        let source = format!("borders: {}; regions: {}", map.borders_source, map.regions_source);
        Sheet {
            id: if own { String::new() } else { map.name.clone() },
            name: format!("{} side", map.name),
            setup: if own { Value::Null } else { json!({ "side": self.side }) },
            seats: Vec::new(),
            facts: vec![
                ("provinces", map.provinces().len().to_string()),
                ("borders", links(&|province| map.land(province)).to_string()),
                ("sea lines", links(&|province| map.sea(province)).to_string()),
                ("regions", board.regions().join(", ")),
                ("modes", if self.side == Side::Sun { "fixed, draft" } else { "draft" }.into()),
                ("borders by", map.borders_source.clone()),
            ],
            chapters: vec![("Basis", vec![source.clone()])],
            source,
            details: describe(board, map),
        }
    }

    /// The board before the draft.
    fn picture(&self) -> Result<String, SetupError> {
        let mut setup = json!({ "side": self.side, "mode": "draft" });
        if let Some(text) = &self.text {
            setup["board"] = json!(text);
        }
        let state = State::create(MAX_PLAYERS, &setup, &mut Stream::new(0, Purpose::Game, 0))?;
        Ok(Game::picture(&state, None))
    }
}

/// Everything that the board says about a side.
fn describe(board: &Board, map: &Map) -> Value {
    let provinces = map.provinces().iter().map(|province| {
        json!({
            "id": province.id,
            "name": province.name,
            "region": province.region,
            "tax": province.tax,
            "rice": province.rice,
            "sites": province.sites,
            "land": province.land,
            "sea": province.sea,
            "left_out_with_three": province.left_out_with_three,
            "source": province.source,
        })
    });
    json!({
        "side": map.name,
        "digest": format!("{:016x}", board.digest()),
        "regions": board.regions(),
        "regions_source": map.regions_source,
        "borders_source": map.borders_source,
        "provinces": provinces.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_say_what_they_rest_on() {
        // TW-BOARD-02
        let sheets: Vec<Sheet> = all().iter().map(|side| side.sheet()).collect();
        assert_eq!(sheets[0].id, "sun");
        assert_eq!(sheets[1].setup, json!({ "side": "moon" }));
        assert_eq!(sheets[1].source, "borders: reconstructed; regions: board-knowledge");
        for side in all() {
            assert_eq!(sengoku_kernel::picture::fault(&side.picture().unwrap()), None);
        }
    }

    #[test]
    fn boards_of_ones_own_have_sheets() {
        let text = include_str!("../data/tower_boards.toml").replace("\"Yamato\"", "\"Yonder\"");
        let own = read(&text).unwrap();
        assert_eq!(own.sheet().setup, Value::Null);
        assert!(own.picture().unwrap().contains(">Yonder<"));
        assert_eq!(read("").err().unwrap().reason, "missing field `schema_version`");
    }
}
