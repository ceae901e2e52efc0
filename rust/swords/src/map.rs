//! The board: 68 provinces, their land borders and sea routes (SW-MAP).
//!
//! The map file is the map (SW-R-07). `data/map.toml` is compiled in, and its header says which edges are certain; a user's own
//! file of the same format is read by [`Map::parse`]. A map lives as long as the process, so that a state holds it as a
//! plain reference.

use std::fmt;

use sengoku_kernel::{DecodeError, Registered, Registry, SetupError, read_setup};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::data::PROVINCES;

/// What a map file says it is for.
const GAME: &str = "swords";
/// Title of a map whose file has none.
const DEFAULT_TITLE: &str = "Japan";
/// Longest text of one field of a map file, in characters; what is loaded stays in memory.
const MAX_FIELD: usize = 200;
/// Longest key and longest name, in characters; they are written into a cell of the picture.
const MAX_NAME: usize = 24;

/// One space of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Province {
    /// The province as users write it; unique, while names are not (SW-MAP-02).
    pub key: String,
    /// The name as printed.
    pub name: String,
    /// The island it lies on.
    pub island: String,
    /// The old circuit it belongs to.
    pub circuit: String,
    /// Latitude and longitude of a point inside; only pictures use it.
    pub geo: [f32; 2],
}

/// How two provinces are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A common border line.
    Land,
    /// A sea route: one step like a border, but an attack over it is a naval attack (SW-MAP-05).
    Sea,
}

impl EdgeKind {
    /// The kind as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Sea => "sea",
        }
    }
}

/// Two adjacent provinces, and how certain it is that they are adjacent on the printed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The end with the smaller number.
    pub a: u8,
    /// The other end.
    pub b: u8,
    /// Border or sea route.
    pub kind: EdgeKind,
    /// What the edge rests on, e.g. `rulebook`.
    pub source: String,
    /// How likely the edge is where the source leaves doubt, e.g. `plausible`.
    pub confidence: Option<String>,
    /// Whether the border is so short that a stylised board may lack it.
    pub short: bool,
    /// Length of the border.
    pub border_km: Option<u16>,
    /// A remark of the file.
    pub note: Option<String>,
}

/// The provinces and what joins them. Sets of provinces are bit masks; bit `p` is province `p`.
pub struct Map {
    title: String,
    provinces: Vec<Province>,
    edges: Vec<Edge>,
    land: [u128; PROVINCES],
    sea: [u128; PROVINCES],
    next: [u128; PROVINCES],
    digest: u64,
}

impl fmt::Debug for Map {
    /// Title and digest; states are printed in test failures and a whole map would drown them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map({:?}, {:016x})", self.title, self.digest)
    }
}

/// Maps are equal if a match cannot tell them apart: same title, keys, names and edges.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Map {}

static MAPS: Registry<Map> = Registry::new(|| {
    vec![Map::read(include_str!("../data/map.toml")).expect("the map file of the crate is valid")]
});

impl Registered for Map {
    const NAME: &'static str = "map";

    fn is_same(&self, other: &Self) -> bool {
        self.plays_the_same(other) && self.provinces == other.provinces && self.edges == other.edges
    }

    /// Whether title, keys, names and edges are the same.
    fn plays_the_same(&self, other: &Self) -> bool {
        let names = |map: &Self| -> Vec<(String, String)> {
            map.provinces.iter().map(|province| (province.key.clone(), province.name.clone())).collect()
        };
        self.title == other.title
            && self.land == other.land
            && self.sea == other.sea
            && names(self) == names(other)
    }

    fn digest(&self) -> Option<u64> {
        Some(self.digest)
    }
}

impl Map {
    /// The map of the game, `data/map.toml`.
    ///
    /// # Panics
    /// Never in a build that passed its tests: the file is compiled in.
    pub fn standard() -> &'static Self {
        &MAPS.standard()[0]
    }

    /// The map of a text in the format of `data/map.toml`. The same content gives the same map, however often it is read.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the file and what is wrong with it, e.g. `land[10].a`, or with an empty field when
    /// the whole is at fault: not TOML, too long, or one map more than [`Registered::MOST`].
    pub fn parse(text: &str) -> Result<&'static Self, SetupError> {
        MAPS.register(Self::read(text)?)
    }

    /// The standard or a loaded map with this digest.
    ///
    /// # Errors
    /// [`DecodeError`] when there is none.
    pub fn by_digest(digest: u64) -> Result<&'static Self, DecodeError> {
        MAPS.by_digest(digest)
    }

    /// What the file calls the map.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// A number for title, keys, names and edges, the same on every machine; states store it to name their map.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// All provinces by number.
    pub fn provinces(&self) -> &[Province] {
        &self.provinces
    }

    /// All edges, borders first, each kind in the order of its ends.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Provinces one step away, over a border or a sea route (SW-MAP-03, SW-MAP-04).
    #[inline]
    pub fn neighbours(&self, province: u8) -> u128 {
        self.next[usize::from(province)]
    }

    /// Provinces across a border.
    #[inline]
    pub fn land(&self, province: u8) -> u128 {
        self.land[usize::from(province)]
    }

    /// Provinces across a sea route.
    #[inline]
    pub fn sea(&self, province: u8) -> u128 {
        self.sea[usize::from(province)]
    }

    /// Whether one step leads from `a` to `b`.
    #[inline]
    pub fn is_adjacent(&self, a: u8, b: u8) -> bool {
        self.neighbours(a) >> b & 1 == 1
    }

    /// Whether a sea route joins `a` and `b`, so that an attack is a naval attack (SW-MAP-05).
    #[inline]
    pub fn is_sea(&self, a: u8, b: u8) -> bool {
        self.sea(a) >> b & 1 == 1
    }

    /// The province with this key.
    pub fn find(&self, key: &str) -> Option<u8> {
        self.provinces.iter().position(|province| province.key == key).map(|at| at as u8)
    }

    /// The province as users write it.
    pub fn key(&self, province: u8) -> &str {
        &self.provinces[usize::from(province)].key
    }

    /// The name as printed; two provinces are called Awa (SW-MAP-02).
    pub fn name(&self, province: u8) -> &str {
        &self.provinces[usize::from(province)].name
    }

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
    use EdgeKind::{Land, Sea};

    const TEXT: &str = include_str!("../data/map.toml");

    fn id(key: &str) -> u8 {
        Map::standard().find(key).unwrap_or_else(|| panic!("no province {key}"))
    }

    fn on_island(island: &str) -> Vec<&'static str> {
        let all = Map::standard().provinces().iter();
        all.filter(|province| province.island == island).map(|province| province.key.as_str()).collect()
    }

    /// Steps between two provinces.
    fn steps(from: u8, to: u8) -> u32 {
        let map = Map::standard();
        let mut reached = 1_u128 << from;
        let mut count = 0;
        while reached >> to & 1 == 0 {
            count += 1;
            reached |=
                (0..68).filter(|at| reached >> at & 1 == 1).fold(0, |all, at| all | map.neighbours(at));
        }
        count
    }

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
    fn provinces_and_islands() {
        // SW-MAP-01: 68 provinces on three large islands and some small ones
        let map = Map::standard();
        assert_eq!(map.provinces().len(), PROVINCES);
        for at in 0..PROVINCES as u8 {
            assert_eq!(map.find(map.key(at)), Some(at));
        }
        assert_eq!(map.find("Kai"), None);
        assert_eq!(on_island("honshu").len(), 50);
        let kyushu = ["chikuzen", "chikugo", "buzen", "bungo", "hizen", "higo", "hyuga", "osumi", "satsuma"];
        assert_eq!(on_island("kyushu"), kyushu);
        assert_eq!(on_island("shikoku"), ["awa_shikoku", "sanuki", "iyo", "tosa"]);
        for key in [
            "nagato", "owari", "mikawa", "shinano", "hida", "echizen", "mino", "kozuke", "echigo", "etchu",
            "sagami", "kai", "noto", "musashi", "shimosa",
        ] {
            assert!(on_island("honshu").contains(&key), "{key}");
        }
        // each large island is connected by land
        for island in ["honshu", "kyushu", "shikoku"] {
            let keys = on_island(island);
            let mut reached = 1_u128 << id(keys[0]);
            for _ in &keys {
                reached |= (0..68).filter(|at| reached >> at & 1 == 1).fold(0, |all, at| all | map.land(at));
            }
            let whole = keys.iter().fold(0_u128, |all, key| all | 1 << id(key));
            assert_eq!(reached, whole, "{island}");
        }
    }

    #[test]
    fn two_awa_and_one_tsushima() {
        // SW-MAP-02
        let map = Map::standard();
        let named = |name: &str| -> Vec<&str> {
            let all = map.provinces().iter().filter(|province| province.name == name);
            all.map(|province| province.island.as_str()).collect()
        };
        assert_eq!(named("Awa"), ["honshu", "shikoku"]);
        assert_eq!(named("Tsushima"), ["tsushima"]);
        assert_eq!((map.name(16), map.key(16)), ("Awa", "awa_honshu"));
    }

    #[test]
    fn edges_are_steps_in_both_directions() {
        // SW-MAP-03, SW-MAP-04: what a border or a sea route joins is one step apart, either way, and nothing else is
        let map = Map::standard();
        let count = |kind| map.edges().iter().filter(|edge| edge.kind == kind).count();
        assert_eq!((count(Land), count(Sea)), (126, 12));
        let mut next = [0_u128; PROVINCES];
        for edge in map.edges() {
            assert!(edge.a < edge.b);
            next[usize::from(edge.a)] |= 1 << edge.b;
            next[usize::from(edge.b)] |= 1 << edge.a;
        }
        for a in 0..68 {
            assert_eq!(map.neighbours(a), next[usize::from(a)]);
            assert_eq!(map.neighbours(a), map.land(a) | map.sea(a));
            assert_eq!(map.land(a) & map.sea(a), 0);
            assert!(!map.is_adjacent(a, a));
            for b in 0..68 {
                assert_eq!(map.is_adjacent(a, b), map.is_adjacent(b, a));
                assert_eq!(map.is_adjacent(a, b), steps(a, b) == 1);
            }
        }
    }

    #[test]
    fn sea_routes() {
        // SW-MAP-05: an attack is naval exactly where a sea route is; no border is one as well
        let map = Map::standard();
        for edge in map.edges() {
            assert_eq!(map.is_sea(edge.a, edge.b), edge.kind == Sea);
            assert_eq!(map.is_sea(edge.b, edge.a), edge.kind == Sea);
        }
        assert!(!map.is_sea(id("buzen"), id("iki")));
    }

    #[test]
    fn the_facts_of_the_rulebooks() {
        // SW-R-07: the map file is the map, and it holds every fact that the rulebooks state or imply
        let map = Map::standard();
        let adjacent = [
            ("kozuke", "echigo", Some(Land)),
            ("iki", "nagato", Some(Sea)),
            ("nagato", "buzen", Some(Sea)),
            ("bungo", "iyo", Some(Sea)),
            ("chikuzen", "hizen", Some(Land)),
            ("chikugo", "higo", Some(Land)),
            ("higo", "hyuga", None),
            ("buzen", "bungo", None),
            ("satsuma", "hyuga", Some(Land)),
            ("satsuma", "osumi", Some(Land)),
            ("awa_shikoku", "sanuki", Some(Land)),
            ("awa_shikoku", "tosa", Some(Land)),
            ("awa_shikoku", "iyo", None),
            ("owari", "mikawa", None),
            ("mikawa", "shinano", None),
            ("hida", "echizen", None),
            ("echizen", "mino", None),
            ("mino", "hida", None),
            ("hida", "shinano", Some(Land)),
            ("shinano", "kozuke", None),
            ("echigo", "etchu", None),
            ("sagami", "kai", None),
            ("kai", "shinano", None),
            ("etchu", "hida", Some(Land)),
            ("etchu", "noto", Some(Land)),
            ("shinano", "musashi", Some(Land)),
        ];
        for (a, b, kind) in adjacent {
            let (low, high) = (id(a).min(id(b)), id(a).max(id(b)));
            let edge = map.edges().iter().find(|edge| (edge.a, edge.b) == (low, high));
            let edge = edge.unwrap_or_else(|| panic!("{a} - {b}"));
            assert!(kind.is_none_or(|kind| kind == edge.kind), "{a} - {b}");
            assert_eq!(edge.source, "rulebook", "{a} - {b}");
        }
        assert!(!map.is_adjacent(id("kozuke"), id("shimosa"))); // they meet in a point
        assert!(!map.is_adjacent(id("iki"), id("buzen")));
        assert!(!map.is_adjacent(id("musashi"), id("shimotsuke"))); // inferred
        assert!(steps(id("etchu"), id("musashi")) <= 3);
        assert!(map.neighbours(id("owari")) & !(1 << id("mikawa")) != 0);
        assert!(map.neighbours(id("sagami")) & !(1 << id("kai")) != 0);
    }

    #[test]
    fn the_origin_of_an_edge_can_be_read() {
        // SW-R-07: which edges are certain and which are reconstructed
        let map = Map::standard();
        let count = |is: &dyn Fn(&Edge) -> bool| map.edges().iter().filter(|edge| is(edge)).count();
        assert_eq!(count(&|edge| edge.kind == Sea && edge.source == "rulebook"), 3);
        assert_eq!(count(&|edge| edge.kind == Sea && edge.confidence.is_some()), 12);
        assert_eq!(count(&|edge| edge.kind == Land && edge.border_km.is_some()), 126);
        assert_eq!(count(&|edge| edge.short), 8);
        let awaji = map.edges().iter().find(|edge| edge.note.as_deref() == Some("Naruto strait")).unwrap();
        assert_eq!((map.key(awaji.a), map.key(awaji.b)), ("awaji", "awa_shikoku"));
        assert_eq!((awaji.confidence.as_deref(), awaji.kind.name()), (Some("required"), "sea"));
    }

    #[test]
    fn the_digest_is_what_states_were_stored_with() {
        let map = Map::standard();
        assert_eq!(format!("{map:?}"), "Map(\"Japan\", aebddc490dd7cd8a)");
        assert!(std::ptr::eq(Map::by_digest(map.digest()).unwrap(), map));
        assert!(Map::by_digest(map.digest() ^ 1).is_err());
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
        assert!(!map.is_adjacent(id("hizen"), id("tsushima")));
        let without = &TEXT[..TEXT.find("[[sea_candidate]]\na").unwrap()];
        assert!(std::ptr::eq(Map::parse(without).unwrap(), map));
    }
}
