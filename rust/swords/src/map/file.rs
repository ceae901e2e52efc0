//! Map files: how one is read and checked.

use sengoku_kernel::{Registered, SetupError, read_setup};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Edge, EdgeKind, Map, Province};
use crate::data::PROVINCES;

/// What a map file says it is for.
const GAME: &str = "swords";
/// Title of a map whose file has none.
const DEFAULT_TITLE: &str = "Japan";
/// Longest text of one field of a map file, in characters; what is loaded stays in memory.
const MAX_FIELD: usize = 200;
/// Longest key and longest name, in characters; they are written into a cell of the picture.
const MAX_NAME: usize = 24;

impl Map {
    /// Reads and checks a text, and keeps nothing.
    pub(crate) fn read(text: &str) -> Result<Self, SetupError> {
        let value = Self::read_toml(text)?;
        let file: File = read_setup(&value)?;
        file.check_head()?;
        let provinces = read_provinces(&file.province)?;
        let find = |field: String, key: &str| {
            let at = provinces.iter().position(|province| province.key == key);
            at.ok_or_else(|| SetupError::new(field, format!("no province has the key {key:?}")))
        };

        let mut edges = Vec::with_capacity(file.land.len() + file.sea.len());
        let mut land = [0; PROVINCES];
        let mut sea = [0; PROVINCES];
        for (row, kind, at) in file.rows() {
            let field = format!("{}[{at}]", kind.name());
            let a = find(format!("{field}.a"), &row.a)?;
            let b = find(format!("{field}.b"), &row.b)?;
            if a == b {
                return Err(SetupError::new(field, format!("joins {} with itself", row.a)));
            }
            let joined = |kind: &[u128; PROVINCES]| kind[a] >> b & 1 == 1;
            if joined(&land) || joined(&sea) {
                let how = if joined(&land) { EdgeKind::Land } else { EdgeKind::Sea };
                let reason = format!("{} and {} are already joined by {}", row.a, row.b, how.name());
                return Err(SetupError::new(field, reason));
            }
            let of_kind = if kind == EdgeKind::Land { &mut land } else { &mut sea };
            of_kind[a] |= 1 << b;
            of_kind[b] |= 1 << a;
            edges.push(row.edge(a.min(b) as u8, a.max(b) as u8, kind).map_err(|error| error.within(&field))?);
        }
        edges.sort_by_key(|edge| (edge.kind, edge.a, edge.b));

        check_land_lists(&file.province, &land, &find)?;
        let next = std::array::from_fn(|province| land[province] | sea[province]);
        for (at, fact) in file.not_adjacent.iter().enumerate() {
            let a = find(format!("not_adjacent[{at}].a"), &fact.a)?;
            let b = find(format!("not_adjacent[{at}].b"), &fact.b)?;
            if next[a] >> b & 1 == 1 {
                let reason = format!("{} and {} are adjacent", fact.a, fact.b);
                return Err(SetupError::new(format!("not_adjacent[{at}]"), reason));
            }
        }
        let unreached = !reached_from_first(&next) & ((1 << PROVINCES) - 1);
        if unreached != 0 {
            let at = unreached.trailing_zeros() as usize;
            let reason = format!("{} cannot be reached from {}", provinces[at].key, provinces[0].key);
            return Err(SetupError::new(format!("province[{at}]"), reason));
        }

        let title = file.title.unwrap_or_else(|| DEFAULT_TITLE.into());
        let digest = digest(&title, &provinces, &land, &sea);
        Ok(Self { title, provinces, edges, land, sea, next, digest })
    }
}

/// A map file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    game: String,
    title: Option<String>,
    provinces: usize,
    province: Vec<ProvinceRow>,
    land: Vec<EdgeRow>,
    sea: Vec<EdgeRow>,
    #[serde(default)]
    not_adjacent: Vec<FactRow>,
    /// Routes the printed board might have; not part of the map.
    #[serde(default, rename = "sea_candidate")]
    _sea_candidate: IgnoredAny,
}

impl File {
    /// What the file says about itself.
    fn check_head(&self) -> Result<(), SetupError> {
        let reason = |field: &str, reason: String| Err(SetupError::new(field, reason));
        if self.schema != 1 {
            return reason("schema", format!("{} is unknown, this build reads 1", self.schema));
        }
        if self.game != GAME {
            return reason("game", format!("{:?} is not {:?}", self.game, GAME));
        }
        if self.provinces != PROVINCES {
            return reason("provinces", format!("{} instead of {PROVINCES}", self.provinces));
        }
        if self.province.len() != PROVINCES {
            return reason("province", format!("{} entries instead of {PROVINCES}", self.province.len()));
        }
        self.title.iter().try_for_each(|title| check_text("title", title, MAX_FIELD))
    }

    /// All edges with their kind and their place in the table of the kind.
    fn rows(&self) -> impl Iterator<Item = (&EdgeRow, EdgeKind, usize)> {
        let land = self.land.iter().enumerate().map(|(at, row)| (row, EdgeKind::Land, at));
        land.chain(self.sea.iter().enumerate().map(|(at, row)| (row, EdgeKind::Sea, at)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvinceRow {
    id: usize,
    key: String,
    name: String,
    island: String,
    circuit: String,
    geo: [f32; 2],
    land: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeRow {
    a: String,
    b: String,
    source: String,
    confidence: Option<String>,
    #[serde(default)]
    short: bool,
    border_km: Option<u16>,
    note: Option<String>,
}

impl EdgeRow {
    /// The edge between two numbered provinces.
    fn edge(&self, a: u8, b: u8, kind: EdgeKind) -> Result<Edge, SetupError> {
        check_text("source", &self.source, MAX_FIELD)?;
        self.confidence.iter().try_for_each(|text| check_text("confidence", text, MAX_FIELD))?;
        self.note.iter().try_for_each(|text| check_text("note", text, MAX_FIELD))?;
        Ok(Edge {
            a,
            b,
            kind,
            source: self.source.clone(),
            confidence: self.confidence.clone(),
            short: self.short,
            border_km: self.border_km,
            note: self.note.clone(),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactRow {
    a: String,
    b: String,
    #[serde(rename = "source")]
    _source: IgnoredAny,
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
}

/// A text that can be shown on one line.
fn check_text(field: &str, text: &str, most: usize) -> Result<(), SetupError> {
    let fault = if text.trim().is_empty() {
        "is empty".into()
    } else if text.chars().count() > most {
        format!("has {} characters, at most {most} fit", text.chars().count())
    } else if text.chars().any(char::is_control) {
        format!("{text:?} holds a control character")
    } else {
        return Ok(());
    };
    Err(SetupError::new(field, fault))
}

/// The provinces by number, each checked by itself and against those before it.
fn read_provinces(rows: &[ProvinceRow]) -> Result<Vec<Province>, SetupError> {
    let mut provinces: Vec<Province> = Vec::with_capacity(PROVINCES);
    for (at, row) in rows.iter().enumerate() {
        let error = |field: &str, reason: String| SetupError::new(format!("province[{at}].{field}"), reason);
        if row.id != at {
            return Err(error("id", format!("{} instead of {at}, numbers are dense and in order", row.id)));
        }
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if row.key.is_empty() || row.key.len() > MAX_NAME || !row.key.chars().all(is_plain) {
            let what = format!("1 to {MAX_NAME} of a-z, 0-9 and _ make a key");
            return Err(error("key", format!("{:?} is not a key, {what}", row.key)));
        }
        if let Some(other) = provinces.iter().position(|province| province.key == row.key) {
            return Err(error("key", format!("{:?} is the key of province {other}", row.key)));
        }
        for (field, text) in [("name", &row.name), ("island", &row.island), ("circuit", &row.circuit)] {
            check_text(field, text, MAX_NAME).map_err(|fault| fault.within(&format!("province[{at}]")))?;
        }
        let [latitude, longitude] = row.geo;
        if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
            let reason = format!("{latitude}, {longitude} are no latitude and longitude in degrees");
            return Err(error("geo", reason));
        }
        provinces.push(Province {
            key: row.key.clone(),
            name: row.name.clone(),
            island: row.island.clone(),
            circuit: row.circuit.clone(),
            geo: row.geo,
        });
    }
    Ok(provinces)
}

/// Compares the lists of neighbours with the edges; a border that was changed in one place only is a slip.
fn check_land_lists(
    rows: &[ProvinceRow],
    land: &[u128; PROVINCES],
    find: &impl Fn(String, &str) -> Result<usize, SetupError>,
) -> Result<(), SetupError> {
    for (at, row) in rows.iter().enumerate() {
        let mut listed = 0_u128;
        for (place, key) in row.land.iter().enumerate() {
            let field = format!("province[{at}].land[{place}]");
            let other = find(field.clone(), key)?;
            if listed >> other & 1 == 1 {
                return Err(SetupError::new(field, format!("{key} is listed twice")));
            }
            if land[at] >> other & 1 == 0 {
                let reason = format!("no [[land]] entry joins {} and {key}", row.key);
                return Err(SetupError::new(field, reason));
            }
            listed |= 1 << other;
        }
        let missing = land[at] & !listed;
        if missing != 0 {
            let key = &rows[missing.trailing_zeros() as usize].key;
            let reason = format!("{key} is missing, a [[land]] entry joins it to {}", row.key);
            return Err(SetupError::new(format!("province[{at}].land"), reason));
        }
    }
    Ok(())
}

/// Provinces that steps from province 0 lead to, itself included.
fn reached_from_first(next: &[u128; PROVINCES]) -> u128 {
    let mut reached = 1_u128;
    let mut fresh = 1_u128;
    while fresh != 0 {
        let steps = next[fresh.trailing_zeros() as usize] & !reached;
        reached |= steps;
        fresh = fresh & (fresh - 1) | steps;
    }
    reached
}

/// Of what a match can tell apart; texts end with a zero byte, which none of them holds.
fn digest(title: &str, provinces: &[Province], land: &[u128; PROVINCES], sea: &[u128; PROVINCES]) -> u64 {
    let mut content = Vec::new();
    let mut add = |bytes: &[u8]| content.extend_from_slice(bytes);
    add(title.as_bytes());
    add(&[0]);
    for (at, province) in provinces.iter().enumerate() {
        add(province.key.as_bytes());
        add(&[0]);
        add(province.name.as_bytes());
        add(&[0]);
        add(&land[at].to_le_bytes());
        add(&sea[at].to_le_bytes());
    }
    sengoku_kernel::digest(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../data/map.toml");

    /// The standard file with its first `from` replaced.
    fn with(from: &str, to: &str) -> String {
        assert!(TEXT.contains(from), "{from}");
        TEXT.replacen(from, to, 1)
    }

    fn fault(text: &str) -> (String, String) {
        let error = Map::read(text).expect_err("the map is faulty");
        (error.field, error.reason)
    }

    #[test]
    fn the_same_content_is_the_same_map() {
        let standard = Map::standard();
        assert!(std::ptr::eq(Map::parse(TEXT).unwrap(), standard));
        // remarks outside the tables and the order of the entries are not content
        assert!(std::ptr::eq(Map::parse(&format!("# mine\n{TEXT}")).unwrap(), standard));
        let first = "[[land]]\na = \"yamashiro\"\nb = \"yamato\"\nsource = \"geography\"\nborder_km = 52\n";
        let moved = with(first, "") + "\n" + first;
        assert!(std::ptr::eq(Map::parse(&moved).unwrap(), standard));

        let titled = with("schema = 1", "schema = 1\ntitle = \"My board\"");
        let other = Map::parse(&titled).unwrap();
        assert!(std::ptr::eq(Map::parse(&titled).unwrap(), other));
        assert_eq!(other.title(), "My board");
        assert_ne!(other, standard);
        assert!(std::ptr::eq(Map::by_digest(other.digest()).unwrap(), other));

        // a name, a key or a route makes another map, a position or a remark does not
        let digest = |text: &str| Map::read(text).unwrap().digest();
        assert_ne!(digest(&with("name = \"Kai\"", "name = \"Koshu\"")), standard.digest());
        assert_ne!(digest(&TEXT.replace("\"kai\"", "\"koshu\"")), standard.digest());
        let route = "[[sea]]\na = \"hoki\"\nb = \"oki\"\nsource = \"board\"\n";
        assert_ne!(digest(&format!("{TEXT}\n{route}")), standard.digest());
        assert_eq!(digest(&with("Naruto strait", "Naruto")), standard.digest());
        assert_eq!(digest(&with("geo = [35.01", "geo = [35.04")), standard.digest());
    }

    #[test]
    fn faults_are_named() {
        // field and reason of what a user can get wrong in a map file
        let cases = [
            (with("schema = 1", "schema = 2"), "schema", "2 is unknown, this build reads 1"),
            (with("game = \"swords\"", "game = \"tower\""), "game", "\"tower\" is not \"swords\""),
            (with("provinces = 68", "provinces = 67"), "provinces", "67 instead of 68"),
            (with("schema = 1", "schema = 1\ntitle = \" \""), "title", "is empty"),
            (with("schema = 1", "schema = 1\ncolour = 2"), "colour", "unknown field `colour`"),
            (format!("{TEXT}\n[[air]]\na = 1\n"), "air", "unknown field `air`"),
            (with("id = 3\n", "id = 4\n"), "province[3].id", "4 instead of 3"),
            (with("key = \"izumi\"\n", ""), "province[3]", "missing field `key`"),
            (with("key = \"izumi\"", "key = 7"), "province[3].key", "invalid type: integer `7`"),
            (with("key = \"izumi\"", "key = \"Ōmi\""), "province[3].key", "\"Ōmi\" is not a key"),
            (with("key = \"izumi\"", "key = \"\""), "province[3].key", "\"\" is not a key"),
            (with("key = \"izumi\"", "key = \"kawachi\""), "province[3].key", "is the key of province 2"),
            (with("name = \"Izumi\"", "name = \"a\\nb\""), "province[3].name", "control character"),
            (with("geo = [34.42, 135.4]", "geo = [134.42, 35.4]"), "province[3].geo", "no latitude"),
            (with("geo = [34.42, 135.4]", "geo = [nan, 35.4]"), "province[3].geo[0]", "invalid type: null"),
            (with("geo = [34.42, 135.4]", "geo = [34.42]"), "province[3].geo", "invalid length 1"),
            (
                with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\"]"),
                "province[3].land",
                "kii is missing",
            ),
            (
                with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"kii\", \"kai\"]"),
                "province[3].land[3]",
                "no [[land]] entry joins izumi and kai",
            ),
            (
                with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"settsu\"]"),
                "province[3].land[2]",
                "settsu is listed twice",
            ),
            (
                with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"kiy\"]"),
                "province[3].land[2]",
                "no province has the key \"kiy\"",
            ),
            (
                with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"yamasiro\"\nb = \"settsu\""),
                "land[2].a",
                "no province has the key \"yamasiro\"",
            ),
            (
                with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"settsu\"\nb = \"settsu\""),
                "land[2]",
                "joins settsu with itself",
            ),
            (
                with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"kawachi\"\nb = \"yamashiro\""),
                "land[2]",
                "kawachi and yamashiro are already joined by land",
            ),
            (with("border_km = 52", "border_km = -1"), "land[0].border_km", "invalid value: integer `-1`"),
            (with("border_km = 52", "length = 52"), "land[0].length", "unknown field `length`"),
            (
                with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"nagato\""),
                "sea[3]",
                "iki and nagato are already joined by sea",
            ),
            (
                with("a = \"iki\"\nb = \"tsushima\"", "a = \"kai\"\nb = \"shinano\""),
                "sea[3]",
                "kai and shinano are already joined by land",
            ),
            (
                with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"buzen\""),
                "not_adjacent[1]",
                "buzen and iki are adjacent",
            ),
            (
                with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"bungo\""),
                "province[67]",
                "tsushima cannot be reached from yamashiro",
            ),
            (
                with("[[not_adjacent]]\na = \"shimosa\"", "[[not_adjacent]]\na = \"x\""),
                "not_adjacent[0].a",
                "no province has the key \"x\"",
            ),
            (TEXT[..TEXT.find("[[sea]]\n").unwrap()].into(), "", "missing field `sea`"),
            (
                TEXT.replace("[[province]]\nid = 67", "[[sea_candidate]]\nid = 67"),
                "province",
                "67 entries instead of 68",
            ),
            ("a map".into(), "", "TOML parse error at line 1"),
            (String::new(), "", "missing field `schema`"),
            ("#".repeat(sengoku_kernel::MAX_TEXT + 1), "", "1000001 bytes are too long for a map"),
            (format!("x = {}", "[".repeat(100_000)), "", "TOML parse error"),
        ];
        for (text, field, reason) in cases {
            let found = fault(&text);
            assert_eq!(found.0, field, "{found:?}");
            assert!(found.1.contains(reason), "{found:?} instead of {reason}");
        }
    }

    #[test]
    fn candidates_are_not_part_of_the_map() {
        // SW-R-07
        let map = Map::standard();
        assert!(!map.is_adjacent(map.find("hizen").unwrap(), map.find("tsushima").unwrap()));
        let without = &TEXT[..TEXT.find("[[sea_candidate]]\na").unwrap()];
        assert!(std::ptr::eq(Map::parse(without).unwrap(), map));
    }
}
