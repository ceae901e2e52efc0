//! The board: 68 provinces, their land borders and sea routes (SW-MAP).
//!
//! The map file is the map (SW-R-07). `data/map.toml` is compiled in, and its header says which edges are certain; a user's own
//! file of the same format is read by [`Map::parse`]. A map lives as long as the process, so that a state holds it as a
//! plain reference.

mod file;

use std::fmt;

use sengoku_kernel::{DecodeError, Registered, Registry, SetupError};

use crate::data::PROVINCES;

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
    /// Source of the edge, e.g. `rulebook`.
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

    /// Name of the map, from its file.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use EdgeKind::{Land, Sea};

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
}
