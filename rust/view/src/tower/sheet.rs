//! Sheets of the sides of boards.

use sengoku_kernel::{Game, Purpose, SetupError, Stream};
use sengoku_tower::board::{Board, Map};
use sengoku_tower::data::{MAX_PLAYERS, ProvinceId, Side};
use sengoku_tower::{BoardSide, State};
use serde_json::{Value, json};

use crate::{Sheet, View};

/// The sheet of a side of a board.
pub(super) fn sheet(entry: &BoardSide) -> Sheet {
    let (board, custom) = (&*entry.board, entry.board.is_custom());
    let map = board.side(entry.side);
    let links = |links: &dyn Fn(ProvinceId) -> u64| {
        ProvinceId::all().map(|province| links(province).count_ones()).sum::<u32>() / 2
    };
    let source = format!("borders: {}; regions: {}", map.borders_source, map.regions_source);
    Sheet {
        id: if custom { String::new() } else { map.name.clone() },
        name: format!("{} side", map.name),
        setup: if custom { Value::Null } else { json!({ "side": entry.side }) },
        seats: Vec::new(),
        facts: vec![
            ("provinces", map.provinces().len().to_string()),
            ("borders", links(&|province| map.land(province)).to_string()),
            ("sea lines", links(&|province| map.sea(province)).to_string()),
            ("regions", board.regions().join(", ")),
            ("modes", if entry.side == Side::Sun { "fixed, draft" } else { "draft" }.into()),
            ("borders by", map.borders_source.clone()),
        ],
        chapters: vec![("Basis", vec![source.clone()])],
        source,
        details: describe(board, map),
    }
}

/// The board before the draft.
pub(super) fn picture(entry: &BoardSide) -> Result<String, SetupError> {
    let mut setup = json!({ "side": entry.side, "mode": "draft" });
    if let Some(text) = &entry.text {
        setup["board"] = json!(text);
    }
    let state = State::create(MAX_PLAYERS, &setup, &mut Stream::new(0, Purpose::Game, 0))?;
    Ok(View::picture(&state, None))
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
    use crate::picture::fault;
    use crate::{read_scenario, scenarios};

    #[test]
    fn sides_say_what_they_rest_on() {
        // TW-BOARD-02
        let sheets: Vec<Sheet> = scenarios::<State>().iter().map(|side| side.sheet()).collect();
        assert_eq!(sheets[0].id, "sun");
        assert_eq!(sheets[1].setup, json!({ "side": "moon" }));
        assert_eq!(sheets[1].source, "borders: reconstructed; regions: board-knowledge");
        for side in scenarios::<State>() {
            assert_eq!(fault(&side.picture().unwrap()), None);
        }
    }

    #[test]
    fn custom_boards_have_sheets() {
        let text = include_str!("../../../tower/data/tower_boards.toml").replace("\"Yamato\"", "\"Yonder\"");
        let custom = read_scenario::<State>(&text).unwrap();
        assert_eq!(custom.sheet().setup, Value::Null);
        assert!(custom.picture().unwrap().contains(">Yonder<"));
        assert_eq!(read_scenario::<State>("").err().unwrap().reason, "missing field `schema_version`");
    }
}
