//! What is printed: both sides of the board, set-ups, supply table, event and favour cards (TW-BOARD, TW-EVENT, CT-CARD).
//!
//! `data/tower_boards.toml` is compiled in, and its header says what is certain and what is reconstructed; a user's own
//! file of the same format is read by [`Board::parse`]. A board lives as long as the process, so that a state holds it as
//! a plain reference.

use std::collections::BTreeMap;
use std::fmt;

use sengoku_kernel::{DecodeError, Registered, Registry, SetupError, read_setup};
use serde::Deserialize;

use crate::data::{
    ALL_PROVINCES, EVENTS, Effect, FAVOURS, FILL_ARMIES, FavourKind, IN_THE_BOX, MAX_GROUP, MAX_GROUPS,
    MAX_PLAYERS, MIN_PLAYERS, PROVINCES, ProvinceId, REGIONS, Side,
};

/// Longest id and longest name, in characters; they are written into a cell of the picture.
const MAX_NAME: usize = 24;
/// Most of anything that a card gives or a province yields.
const MAX_AMOUNT: u8 = 50;
/// Words that stand for something else where the id of a province could stand.
const RESERVED: [&str; 8] =
    ["empty", "face_down", "tower", "treasure_0", "treasure_1", "treasure_2", "treasure_3", "treasure_4"];

/// Where each part of a row comes from: `rulebook`, `board-knowledge` or `reconstructed`.
pub type Sources = BTreeMap<String, String>;

/// A province as it is printed (TW-BOARD-02, TW-COMP-04).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Province {
    /// The province as users write it.
    pub id: String,
    /// The name as printed.
    pub name: String,
    /// The region it lies in, by colour.
    pub region: String,
    /// Chests.
    pub tax: u8,
    /// Rice.
    pub rice: u8,
    /// Building sites.
    pub sites: u8,
    /// Neighbours across a border.
    pub land: Vec<String>,
    /// Neighbours across a sea line.
    pub sea: Vec<String>,
    /// Whether it is out of the game with three players.
    pub left_out_with_three: bool,
    /// The sides its card is for.
    pub card: String,
    /// What each value rests on.
    pub source: Sources,
}

/// A link that the rulebook itself attests.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkEvidence {
    /// One end.
    pub a: String,
    /// The other end.
    pub b: String,
    /// `land` or `sea`.
    pub kind: String,
    /// What it rests on.
    pub source: String,
}

/// A side of the board as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideRows {
    name: String,
    left_out_with_three: Vec<String>,
    regions_source: String,
    borders_source: String,
    #[serde(default)]
    link_evidence: Vec<LinkEvidence>,
    province: Vec<Province>,
}

/// A side of the board. Sets of provinces are bit masks; bit `p` is province `p`.
#[derive(Debug)]
pub struct Map {
    /// What the file calls the side.
    pub name: String,
    /// What the regions rest on.
    pub regions_source: String,
    /// What the borders rest on.
    pub borders_source: String,
    /// Single links that rest on more than that.
    pub link_evidence: Vec<LinkEvidence>,
    provinces: Vec<Province>,
    land: [u64; PROVINCES],
    sea: [u64; PROVINCES],
    next: [u64; PROVINCES],
    regions: [u64; REGIONS],
    left_out: u64,
    tax: [u8; PROVINCES],
    rice: [u8; PROVINCES],
    sites: [u8; PROVINCES],
}

impl Map {
    /// All provinces in canonical order.
    pub fn provinces(&self) -> &[Province] {
        &self.provinces
    }

    /// A province as it is printed.
    pub fn province(&self, province: ProvinceId) -> &Province {
        &self.provinces[province.index()]
    }

    /// Neighbours by land or sea (TW-BOARD-03).
    #[inline]
    pub fn neighbours(&self, province: ProvinceId) -> u64 {
        self.next[province.index()]
    }

    /// Neighbours across a border.
    pub fn land(&self, province: ProvinceId) -> u64 {
        self.land[province.index()]
    }

    /// Neighbours across a sea line.
    pub fn sea(&self, province: ProvinceId) -> u64 {
        self.sea[province.index()]
    }

    /// The provinces of a region.
    pub fn region(&self, region: usize) -> u64 {
        self.regions[region]
    }

    /// The provinces that are out of the game with three players (TW-BOARD-04).
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The provinces in play for a number of players.
    pub const fn in_play(&self, players: u8) -> u64 {
        if players == 3 { ALL_PROVINCES & !self.left_out } else { ALL_PROVINCES }
    }

    /// Printed tax of a province.
    #[inline]
    pub fn tax(&self, province: ProvinceId) -> u8 {
        self.tax[province.index()]
    }

    /// Printed rice of a province.
    #[inline]
    pub fn rice(&self, province: ProvinceId) -> u8 {
        self.rice[province.index()]
    }

    /// Building sites of a province.
    #[inline]
    pub fn sites(&self, province: ProvinceId) -> u8 {
        self.sites[province.index()]
    }
}

/// An event card (TW-EVENT-02).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventCard {
    /// Its number, 1 to 12.
    pub id: u8,
    /// What it does in a season.
    pub effect: Effect,
    /// Rice every player loses when it is left over in winter.
    pub rice_loss: u8,
    /// Another value, where the printed card and the text disagree (TW-R-21).
    #[serde(default)]
    pub rice_loss_printed_card: Option<u8>,
    /// What it rests on.
    pub source: String,
}

/// A favour card (CT-CARD-01).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FavourCard {
    /// Its number, 1 to 21.
    pub number: u8,
    /// Its class, and what it depicts.
    pub kind: FavourKind,
    /// What the kind rests on.
    pub kind_source: String,
    /// How much of it.
    #[serde(default)]
    pub amount: u8,
    /// What the amount rests on.
    #[serde(default)]
    pub amount_source: Option<String>,
}

/// A row of the supply table (TW-WINTER-04).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupplyRow {
    /// Smallest shortage of the row.
    pub shortage_min: u8,
    /// Largest shortage of the row.
    pub shortage_max: u8,
    /// Provinces with a revolt.
    pub revolts: u8,
    /// Farmers besides the unrest markers.
    pub extra_farmers: u8,
    /// What it rests on.
    pub source: String,
}

/// The army groups by number of players (TW-COMP-02).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Groups {
    source: String,
    three: Vec<u8>,
    four: Vec<u8>,
    five: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct StartRow {
    players: u8,
    seat: String,
    source: String,
    armies: BTreeMap<String, u8>,
}

/// The printed ends of the tracks; counters have none (TW-COMP-08, TW-R-04).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracks {
    /// What it rests on.
    pub source: String,
    /// Last number of the score track.
    pub score_printed_max: u16,
    /// Last number of the rice track.
    pub rice_printed_max: u16,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema_version: u32,
    region_ids: Vec<String>,
    sun: SideRows,
    moon: SideRows,
    army_groups: Groups,
    start_setup: Vec<StartRow>,
    supply_table: Vec<SupplyRow>,
    tracks: Tracks,
    event: Vec<EventCard>,
    favour: Vec<FavourCard>,
}

/// Armies by province, for one seat of a fixed set-up (TW-SETUP-09).
pub type StartArmies = Vec<(ProvinceId, u8)>;

/// Everything that is printed, both sides of the board.
pub struct Board {
    regions: Vec<String>,
    sides: [Map; 2],
    groups: [Vec<u8>; 3],
    starts: [Vec<StartArmies>; 3],
    supply: Vec<SupplyRow>,
    tracks: Tracks,
    events: Vec<EventCard>,
    favours: Vec<FavourCard>,
    content: String,
    digest: u64,
}

impl fmt::Debug for Board {
    /// The digest; states are printed in test failures and a whole board would drown them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({:016x})", self.digest)
    }
}

static BOARDS: Registry<Board> = Registry::new(|| {
    let text = include_str!("../data/tower_boards.toml");
    vec![Board::read(text).expect("the board file of the crate is valid")]
});

impl Registered for Board {
    const NAME: &'static str = "board";

    fn is_same(&self, other: &Self) -> bool {
        self.content == other.content
    }

    fn digest(&self) -> Option<u64> {
        Some(self.digest)
    }
}

impl Board {
    /// The board of the game, `data/tower_boards.toml`.
    ///
    /// # Panics
    /// Never in a build that passed its tests: the file is compiled in.
    pub fn standard() -> &'static Self {
        &BOARDS.standard()[0]
    }

    /// The board of a text in the format of `data/tower_boards.toml`. The same content gives the same board, however
    /// often it is read.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the file and what is wrong with it, e.g. `sun.province[10].land`, or with an
    /// empty field when the whole is at fault: not TOML, too long, or one board more than [`Registered::MOST`].
    pub fn parse(text: &str) -> Result<&'static Self, SetupError> {
        BOARDS.register(Self::read(text)?)
    }

    /// The standard or a loaded board with this digest.
    ///
    /// # Errors
    /// [`DecodeError`] when there is none.
    pub fn by_digest(digest: u64) -> Result<&'static Self, DecodeError> {
        BOARDS.by_digest(digest)
    }

    /// A number for the content, the same on every machine; states store it to name their board.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// A side.
    #[inline]
    pub const fn side(&self, side: Side) -> &Map {
        &self.sides[side as usize]
    }

    /// Names of the regions.
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// The army groups of a player at a table of so many, the largest first (TW-COMP-02).
    pub fn groups(&self, players: u8) -> &[u8] {
        &self.groups[usize::from(players) - MIN_PLAYERS]
    }

    /// The fixed set-up of a seat at a table of so many (TW-SETUP-09).
    pub fn start(&self, players: u8, seat: u8) -> &[(ProvinceId, u8)] {
        &self.starts[usize::from(players) - MIN_PLAYERS][usize::from(seat)]
    }

    /// The supply table.
    pub fn supply_table(&self) -> &[SupplyRow] {
        &self.supply
    }

    /// Revolts and extra farmers for a shortage (TW-WINTER-04).
    pub fn revolts(&self, shortage: u8) -> (u8, u8) {
        let row = self.supply.iter().rfind(|row| row.shortage_min <= shortage && shortage > 0);
        row.map_or((0, 0), |row| (row.revolts, row.extra_farmers))
    }

    /// The printed tracks.
    pub const fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// The event cards by number.
    pub fn events(&self) -> &[EventCard] {
        &self.events
    }

    /// The event card of a number from 1.
    pub fn event(&self, id: u8) -> &EventCard {
        &self.events[usize::from(id) - 1]
    }

    /// The favour cards by number.
    pub fn favours(&self) -> &[FavourCard] {
        &self.favours
    }

    /// The favour card of a number from 1.
    pub fn favour(&self, number: u8) -> &FavourCard {
        &self.favours[usize::from(number) - 1]
    }

    /// The province of an id.
    pub fn find(&self, id: &str) -> Option<ProvinceId> {
        let at = self.sides[0].provinces.iter().position(|province| province.id == id);
        at.map(|at| ProvinceId(at as u8))
    }

    /// The province as users write it.
    pub fn key(&self, province: ProvinceId) -> &str {
        &self.sides[0].provinces[province.index()].id
    }

    /// The name as printed.
    pub fn name(&self, province: ProvinceId) -> &str {
        &self.sides[0].provinces[province.index()].name
    }

    /// Reads and checks a text, and keeps nothing.
    pub(crate) fn read(text: &str) -> Result<Self, SetupError> {
        let value = Self::read_toml(text)?;
        let content = value.to_string();
        let file: File = read_setup(&value)?;
        if file.schema_version != 1 {
            let reason = format!("{} is unknown, this build reads 1", file.schema_version);
            return Err(SetupError::new("schema_version", reason));
        }
        if file.region_ids.len() != REGIONS {
            let reason = format!("{} regions instead of {REGIONS}", file.region_ids.len());
            return Err(SetupError::new("region_ids", reason));
        }
        file.region_ids.iter().try_for_each(|id| check_name("region_ids", id))?;
        let ids: Vec<String> = file.sun.province.iter().map(|province| province.id.clone()).collect();
        let sun = read_side(file.sun, &file.region_ids, &ids).map_err(|error| error.within("sun"))?;
        let moon = read_side(file.moon, &file.region_ids, &ids).map_err(|error| error.within("moon"))?;
        let groups = [file.army_groups.three, file.army_groups.four, file.army_groups.five];
        for (players, groups) in (MIN_PLAYERS as u8..).zip(&groups) {
            check_groups(groups, players, [&sun, &moon])?;
        }
        let starts = read_starts(&file.start_setup, &sun, &ids)?;
        check_supply(&file.supply_table)?;
        check_events(&file.event)?;
        check_favours(&file.favour)?;
        let digest = sengoku_kernel::digest(content.bytes());
        Ok(Self {
            regions: file.region_ids,
            sides: [sun, moon],
            groups,
            starts,
            supply: file.supply_table,
            tracks: file.tracks,
            events: file.event,
            favours: file.favour,
            content,
            digest,
        })
    }
}

/// A name that can be shown on one line.
fn check_name(field: &str, text: &str) -> Result<(), SetupError> {
    let count = text.chars().count();
    if text.trim().is_empty() || count > MAX_NAME || text.chars().any(char::is_control) {
        return Err(SetupError::new(field, format!("{text:?}, 1 to {MAX_NAME} plain characters wanted")));
    }
    Ok(())
}

fn read_side(rows: SideRows, regions: &[String], ids: &[String]) -> Result<Map, SetupError> {
    let wrong = |field: String, reason: String| Err(SetupError::new(field, reason));
    if rows.province.len() != PROVINCES {
        return wrong("province".into(), format!("{} entries instead of {PROVINCES}", rows.province.len()));
    }
    check_name("name", &rows.name)?;
    let find = |field: String, id: &str| {
        let at = ids.iter().position(|known| known == id);
        at.ok_or_else(|| SetupError::new(field, format!("there is no province {id:?}")))
    };
    let mut map = Map {
        name: rows.name,
        regions_source: rows.regions_source,
        borders_source: rows.borders_source,
        link_evidence: rows.link_evidence,
        provinces: Vec::new(),
        land: [0; PROVINCES],
        sea: [0; PROVINCES],
        next: [0; PROVINCES],
        regions: [0; REGIONS],
        left_out: 0,
        tax: [0; PROVINCES],
        rice: [0; PROVINCES],
        sites: [0; PROVINCES],
    };
    for (at, row) in rows.province.iter().enumerate() {
        let field = |name: &str| format!("province[{at}].{name}");
        check_name(&field("id"), &row.id)?;
        check_name(&field("name"), &row.name)?;
        if row.id != ids[at] {
            return wrong(field("id"), format!("{:?} instead of {:?}, as on the sun side", row.id, ids[at]));
        }
        if at > 0 && row.id <= ids[at - 1] {
            return wrong(
                field("id"),
                format!("{:?} is not behind {:?} in the alphabet", row.id, ids[at - 1]),
            );
        }
        if RESERVED.contains(&row.id.as_str()) {
            return wrong(field("id"), format!("{:?} has another meaning", row.id));
        }
        let Some(region) = regions.iter().position(|region| *region == row.region) else {
            return wrong(field("region"), format!("there is no region {:?}", row.region));
        };
        map.regions[region] |= 1 << at;
        if !(1..=3).contains(&row.sites) {
            return wrong(field("sites"), format!("{}, 1 to 3 are possible", row.sites));
        }
        for (name, value) in [("tax", row.tax), ("rice", row.rice)] {
            if value > MAX_AMOUNT {
                return wrong(field(name), format!("{value}, at most {MAX_AMOUNT}"));
            }
        }
        (map.tax[at], map.rice[at], map.sites[at]) = (row.tax, row.rice, row.sites);
        for (kind, list, set) in [("land", &row.land, &mut map.land), ("sea", &row.sea, &mut map.sea)] {
            for id in list {
                let other = find(field(kind), id)?;
                if other == at {
                    return wrong(field(kind), format!("{id:?} is the province itself"));
                }
                set[at] |= 1 << other;
            }
        }
        map.left_out |= u64::from(row.left_out_with_three) << at;
    }
    let mut listed = 0;
    for (at, id) in rows.left_out_with_three.iter().enumerate() {
        listed |= 1_u64 << find(format!("left_out_with_three[{at}]"), id)?;
    }
    if listed != map.left_out {
        let at = (listed ^ map.left_out).trailing_zeros() as usize;
        let reason = format!("the list and the provinces disagree about {:?}", ids[at]);
        return wrong("left_out_with_three".into(), reason);
    }
    for at in 0..PROVINCES {
        map.next[at] = map.land[at] | map.sea[at];
        for (kind, set) in [("land", &map.land), ("sea", &map.sea)] {
            if let Some(other) = (0..PROVINCES).find(|&other| set[at] >> other & 1 != set[other] >> at & 1) {
                let reason = format!("{:?} and {:?} do not name each other", ids[at], ids[other]);
                return wrong(format!("province[{at}].{kind}"), reason);
            }
        }
    }
    map.provinces = rows.province;
    Ok(map)
}

fn check_groups(groups: &[u8], players: u8, sides: [&Map; 2]) -> Result<(), SetupError> {
    let name = ["three", "four", "five"][usize::from(players) - MIN_PLAYERS];
    let wrong = |reason: String| Err(SetupError::new(format!("army_groups.{name}"), reason));
    if groups.is_empty() || groups.len() > MAX_GROUPS {
        return wrong(format!("{} groups, 1 to {MAX_GROUPS} are possible", groups.len()));
    }
    if let Some(size) = groups.iter().find(|&&size| size == 0 || size > MAX_GROUP) {
        return wrong(format!("a group of {size}, 1 to {MAX_GROUP} are possible"));
    }
    if groups.windows(2).any(|pair| pair[0] < pair[1]) {
        return wrong("the largest group comes first".into());
    }
    let armies: u16 = groups.iter().map(|&size| u16::from(size)).sum();
    if armies + FILL_ARMIES > IN_THE_BOX[0] {
        return wrong(format!(
            "{armies} armies and {FILL_ARMIES} for the tower, there are {}",
            IN_THE_BOX[0]
        ));
    }
    // Two open cards and a deck to draw from until the last group is placed (TW-R-10).
    let cards = groups.len() * usize::from(players) + 2;
    if let Some(map) = sides.into_iter().find(|map| (map.in_play(players).count_ones() as usize) < cards) {
        return wrong(format!("{cards} province cards are needed on the {} side", map.name));
    }
    Ok(())
}

fn read_starts(rows: &[StartRow], sun: &Map, ids: &[String]) -> Result<[Vec<StartArmies>; 3], SetupError> {
    let mut starts: [Vec<StartArmies>; 3] = Default::default();
    for (at, row) in rows.iter().enumerate() {
        let field = |name: &str| format!("start_setup[{at}].{name}");
        let wrong = |name: &str, reason: String| Err(SetupError::new(field(name), reason));
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&usize::from(row.players)) {
            return wrong("players", format!("{}, 3 to 5 can play", row.players));
        }
        let table = &mut starts[usize::from(row.players) - MIN_PLAYERS];
        let next = char::from(b'A' + table.len() as u8);
        if table.len() == usize::from(row.players) || row.seat != next.to_string() {
            return wrong("seat", format!("{:?}, seats are listed in order from \"A\"", row.seat));
        }
        let mut armies = Vec::new();
        for (id, &count) in &row.armies {
            let Some(province) = ids.iter().position(|known| known == id).map(|at| ProvinceId(at as u8))
            else {
                return wrong("armies", format!("there is no province {id:?}"));
            };
            let taken = table.iter().flatten().any(|&(other, _)| other == province);
            if taken || count == 0 || sun.in_play(row.players) & province.bit() == 0 {
                return wrong("armies", format!("{count} in {id:?}, which is taken or not in play"));
            }
            armies.push((province, count));
        }
        let sum: u16 = armies.iter().map(|&(_, count)| u16::from(count)).sum();
        if sum + FILL_ARMIES > IN_THE_BOX[0] {
            return wrong("armies", format!("{sum} armies and {FILL_ARMIES} for the tower, too many"));
        }
        armies.sort_unstable();
        table.push(armies);
    }
    for (players, table) in (MIN_PLAYERS..).zip(&starts) {
        if table.len() != players {
            let reason = format!("{} seats for {players} players", table.len());
            return Err(SetupError::new("start_setup", reason));
        }
    }
    Ok(starts)
}

fn check_supply(rows: &[SupplyRow]) -> Result<(), SetupError> {
    let mut next = 1;
    for (at, row) in rows.iter().enumerate() {
        let wrong = |name: &str, reason| Err(SetupError::new(format!("supply_table[{at}].{name}"), reason));
        if row.shortage_min != next || row.shortage_max < row.shortage_min || row.shortage_max > 200 {
            let reason =
                format!("{} to {}, rows follow each other from 1", row.shortage_min, row.shortage_max);
            return wrong("shortage_min", reason);
        }
        if row.revolts > 3 || row.extra_farmers > 20 {
            let reason = format!("{} with {} farmers, at most 3 with 20", row.revolts, row.extra_farmers);
            return wrong("revolts", reason);
        }
        next = row.shortage_max + 1;
    }
    if rows.is_empty() { Err(SetupError::new("supply_table", "has no row")) } else { Ok(()) }
}

fn check_events(rows: &[EventCard]) -> Result<(), SetupError> {
    if rows.len() != EVENTS {
        return Err(SetupError::new("event", format!("{} cards instead of {EVENTS}", rows.len())));
    }
    for (at, row) in rows.iter().enumerate() {
        if usize::from(row.id) != at + 1 {
            return Err(SetupError::new(
                format!("event[{at}].id"),
                format!("{} instead of {}", row.id, at + 1),
            ));
        }
        if row.rice_loss.max(row.rice_loss_printed_card.unwrap_or(0)) > MAX_AMOUNT {
            let reason = format!("{}, at most {MAX_AMOUNT}", row.rice_loss);
            return Err(SetupError::new(format!("event[{at}].rice_loss"), reason));
        }
    }
    Ok(())
}

fn check_favours(rows: &[FavourCard]) -> Result<(), SetupError> {
    if rows.len() != FAVOURS {
        return Err(SetupError::new("favour", format!("{} cards instead of {FAVOURS}", rows.len())));
    }
    for (at, row) in rows.iter().enumerate() {
        let wrong = |name: &str, reason| Err(SetupError::new(format!("favour[{at}].{name}"), reason));
        if usize::from(row.number) != at + 1 {
            return wrong("number", format!("{} instead of {}", row.number, at + 1));
        }
        let fixed = row.kind == FavourKind::RemoveUnrest || row.kind.building().is_some();
        let least = u8::from(row.kind == FavourKind::ArmiesToProvince);
        if (fixed && row.amount != 1) || row.amount < least || row.amount > MAX_AMOUNT {
            return wrong("amount", format!("{} is not possible for this kind", row.amount));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Provinces;

    fn standard() -> &'static Board {
        Board::standard()
    }

    fn id(name: &str) -> ProvinceId {
        standard().find(name).unwrap()
    }

    #[test]
    fn both_sides_are_complete() {
        // TW-BOARD-01, TW-BOARD-02, TW-FACT-01, TW-FACT-03, TW-FACT-04, TW-FACT-05, TW-GEN-08
        for side in [Side::Sun, Side::Moon] {
            let map = standard().side(side);
            assert_eq!(map.provinces().len(), 45);
            for region in 0..REGIONS {
                assert_eq!(map.region(region).count_ones(), 9);
            }
            let sum = |of: fn(&Map, ProvinceId) -> u8| -> u32 {
                ProvinceId::all().map(|province| u32::from(of(map, province))).sum()
            };
            assert_eq!((sum(Map::tax), sum(Map::rice), sum(Map::sites)), (220, 140, 87));
            assert_eq!(
                (map.in_play(3).count_ones(), map.in_play(4), map.in_play(5)),
                (37, ALL_PROVINCES, ALL_PROVINCES)
            );
            let edges: u32 = ProvinceId::all().map(|province| map.land(province).count_ones()).sum();
            let lines: u32 = ProvinceId::all().map(|province| map.sea(province).count_ones()).sum();
            assert_eq!((edges / 2, lines / 2), (91, 6)); // TW-FACT-06
        }
        let moved = ProvinceId::all().filter(|&p| {
            standard().side(Side::Sun).province(p).region != standard().side(Side::Moon).province(p).region
        });
        let moved: Vec<&str> = moved.map(|province| standard().key(province)).collect();
        // TW-COMP-03
        assert_eq!(moved, ["echizen", "hitachi", "kai", "mimasaka", "owari", "sanuki", "shinano", "wakasa"]);
    }

    #[test]
    fn attested_facts() {
        // TW-FACT-02, TW-BOARD-03, TW-EX-08, TW-COMP-04
        let map = standard().side(Side::Sun);
        assert_eq!((map.tax(id("settsu")), map.sites(id("aki"))), (7, 2));
        assert!(map.neighbours(id("shima")) & id("izu").bit() != 0);
        assert!(map.neighbours(id("izu")) & id("shima").bit() != 0);
        assert!(map.land(id("shinano")) & id("kozuke").bit() != 0);
    }

    #[test]
    fn provinces_left_out_with_three() {
        // TW-BOARD-04, TW-R-05, TW-SETUP-02
        let left_out = |side| -> Vec<&str> {
            Provinces(standard().side(side).left_out()).map(|province| standard().key(province)).collect()
        };
        assert_eq!(
            left_out(Side::Sun),
            ["awa-boso", "echigo", "iwami", "izumo", "kazusa", "mutsu", "sanuki", "tosa"]
        );
        assert_eq!(
            left_out(Side::Moon),
            ["aki", "hitachi", "iwami", "iyo", "mutsu", "shimosa", "shimotsuke", "tosa"]
        );
        // TW-R-06: the moon side has the borders of the sun side
        for province in ProvinceId::all() {
            let [sun, moon] = [Side::Sun, Side::Moon].map(|side| standard().side(side).neighbours(province));
            assert_eq!(sun, moon);
        }
        assert_eq!(standard().side(Side::Moon).borders_source, "reconstructed");
    }

    #[test]
    fn numbers_by_players() {
        // TW-COMP-02, TW-SETUP-04, TW-SETUP-09
        for (players, groups, armies, neutral) in [(3, 9, 27, 10), (4, 8, 25, 13), (5, 7, 23, 10)] {
            let sizes = standard().groups(players);
            assert_eq!(sizes.len(), groups);
            assert_eq!(sizes.iter().sum::<u8>(), armies);
            let in_play = standard().side(Side::Sun).in_play(players).count_ones() as usize;
            assert_eq!(in_play - groups * usize::from(players), neutral);
            for seat in 0..players {
                let mut start: Vec<u8> =
                    standard().start(players, seat).iter().map(|&(_, armies)| armies).collect();
                start.sort_unstable();
                start.reverse();
                assert_eq!(start, sizes);
            }
        }
    }

    #[test]
    fn the_supply_table() {
        // TW-WINTER-04, TW-R-33
        let rows = [
            (0, 0, 0),
            (1, 1, 1),
            (2, 1, 2),
            (3, 2, 2),
            (4, 2, 2),
            (5, 2, 3),
            (6, 2, 3),
            (7, 3, 3),
            (45, 3, 3),
        ];
        for (shortage, revolts, farmers) in rows {
            assert_eq!(standard().revolts(shortage), (revolts, farmers), "shortage {shortage}");
        }
    }

    #[test]
    fn event_cards() {
        // TW-EVENT-02, TW-R-21
        let losses: Vec<u8> = standard().events().iter().map(|event| event.rice_loss).collect();
        assert_eq!(losses, [5, 7, 3, 2, 6, 3, 0, 2, 4, 3, 4, 4]);
        assert_eq!(standard().event(12).rice_loss_printed_card, Some(1));
        assert_eq!(standard().event(9).effect, Effect::TempleShield);
    }

    #[test]
    fn favour_cards() {
        // CT-CARD-01, CT-R-06, CT-R-07
        let amounts = |kind| -> Vec<(u8, u8)> {
            let cards = standard().favours().iter().filter(|card| card.kind == kind);
            cards.map(|card| (card.number, card.amount)).collect()
        };
        assert_eq!(amounts(FavourKind::Chests), [(2, 2), (9, 4), (16, 6)]);
        assert_eq!(amounts(FavourKind::ArmiesToTray), [(3, 2), (8, 3), (14, 4)]);
        assert_eq!(amounts(FavourKind::Rice), [(5, 2), (15, 3), (20, 4)]);
        assert_eq!(amounts(FavourKind::Points), [(6, 1), (13, 2), (19, 3)]);
        assert_eq!(amounts(FavourKind::ArmiesToProvince), [(12, 3)]);
        assert_eq!(standard().favour(18).kind, FavourKind::ImmuneAb);
        assert_eq!(standard().favour(7).amount_source.as_deref(), Some("rulebook"));
        assert_eq!(standard().favour(2).amount_source.as_deref(), Some("reconstructed"));
    }

    #[test]
    fn a_file_of_ones_own() {
        let text = include_str!("../data/tower_boards.toml");
        assert!(std::ptr::eq(Board::parse(text).unwrap(), standard()));
        let other = Board::parse(&text.replacen("amount = 6", "amount = 7", 1)).unwrap();
        assert_eq!(other.favour(16).amount, 7);
        assert!(std::ptr::eq(Board::by_digest(other.digest()).unwrap(), other));
        let wrong = |from: &str, to: &str| Board::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(
            wrong("land = [\"bingo\", \"iwami\"]", "land = [\"bingo\"]")
                .starts_with("sun.province[0].land: ")
        );
        assert!(wrong("sites = 2", "sites = 4").starts_with("sun.province[0].sites: 4"));
        assert!(wrong("region = \"green\"", "region = \"blue\"").starts_with("sun.province[0].region: "));
        assert!(wrong("three = [5, 4", "three = [4, 5").starts_with("army_groups.three: "));
        assert!(wrong("effect = \"tax_max_5\"", "effect = \"tax\"").starts_with("event[6].effect: "));
        assert!(wrong("suruga = 5", "edo = 5").starts_with("start_setup[0].armies: "));
        assert!(wrong("schema_version = 1", "schema_version = 2").starts_with("schema_version: 2"));
    }
}
