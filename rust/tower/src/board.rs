//! Printed data: both sides of the board, set-ups, supply table, event and favour cards (TW-BOARD, TW-EVENT, CT-CARD).
//!
//! `data/tower_boards.toml` is compiled in, and its header says what is certain and what is reconstructed; a custom
//! file of the same format is read by [`Board::parse`]. A board lives as long as the process, so that a state holds it as
//! a plain reference.

mod file;

use std::collections::BTreeMap;
use std::fmt;

use sengoku_kernel::{DecodeError, Registered, Registry, SetupError};
use serde::Deserialize;

use crate::data::{ALL_PROVINCES, Effect, FavourKind, MIN_PLAYERS, PROVINCES, ProvinceId, REGIONS, Side};

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
    /// Source of each value.
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
    /// Where the data come from.
    pub source: String,
}

/// A side of the board. Sets of provinces are bit masks; bit `p` is province `p`.
#[derive(Debug)]
pub struct Map {
    /// Name of the side, from the file.
    pub name: String,
    /// Source of the regions.
    pub regions_source: String,
    /// Source of the borders.
    pub borders_source: String,
    /// Single links with a better source than that.
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
    /// Its effect in a season.
    pub effect: Effect,
    /// Rice every player loses when it is left over in winter.
    pub rice_loss: u8,
    /// Another value, where the printed card and the text disagree (TW-R-21).
    #[serde(default)]
    pub rice_loss_printed_card: Option<u8>,
    /// Where the data come from.
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
    /// Source of the kind.
    pub kind_source: String,
    /// How much of it.
    #[serde(default)]
    pub amount: u8,
    /// Source of the amount.
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
    /// Where the data come from.
    pub source: String,
}

/// The printed ends of the tracks; counters have none (TW-COMP-08, TW-R-04).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracks {
    /// Where the data come from.
    pub source: String,
    /// Last number of the score track.
    pub score_printed_max: u16,
    /// Last number of the rice track.
    pub rice_printed_max: u16,
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

    /// The army groups of each player with this number of players, the largest first (TW-COMP-02).
    pub fn groups(&self, players: u8) -> &[u8] {
        &self.groups[usize::from(players) - MIN_PLAYERS]
    }

    /// The fixed set-up of a seat with this number of players (TW-SETUP-09).
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
}

#[cfg(test)]
mod tests;
