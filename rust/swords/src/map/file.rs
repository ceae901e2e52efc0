//! Map files: how one is read and checked.

use sengoku_kernel::{Registered, SetupError, read_setup};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Edge, EdgeKind, Map, Province};
use crate::data::PROVINCES;

/// The game that a map file must name.
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
    /// Checks the header of the file.
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
            let reason = format!("{latitude}, {longitude} are not a latitude and longitude in degrees");
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
mod tests;
