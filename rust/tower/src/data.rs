//! Constants, ids and cards of the game (TW-COMP, CT-COMP). What is printed on the board is in [`crate::board`].

use std::ops::{Add, AddAssign, Index, IndexMut, Sub};

use sengoku_kernel::cube_tower::{self, Colour};
use sengoku_kernel::{by_id, id};
use serde::{Deserialize, Serialize};

/// Provinces of a side of the board, and province cards of it (TW-BOARD-01).
pub const PROVINCES: usize = 45;
/// Regions of a side of the board.
pub const REGIONS: usize = 5;
/// Most players (TW-GEN-01).
pub const MAX_PLAYERS: usize = 5;
/// Fewest players.
pub const MIN_PLAYERS: usize = 3;
/// Turn-order slots, and special cards (TW-ROUND-04).
pub const SLOTS: usize = 5;
/// Values of the treasure cards are below this (TW-COMP-01).
pub const TREASURES: u8 = 5;
/// Tower cards of a player with the expansion (CT-COMP-01).
pub const TOWER_CARDS: u8 = 3;
/// Officers of a player (CT-COMP-01).
pub const OFFICERS: u8 = 7;
/// Event cards (TW-COMP-01).
pub const EVENTS: usize = 12;
/// Event cards of a year (TW-SETUP-12).
pub const EVENTS_A_YEAR: usize = 4;
/// Favour cards (CT-COMP-01).
pub const FAVOURS: usize = 21;
/// Officers that the places of the audience hall ask for (CT-COMP-01).
pub const PRICES: [u8; 3] = [4, 3, 2];
/// Unrest markers (TW-COMP-01).
pub const UNREST_MARKERS: u16 = 42;
/// Most army groups of a player (TW-COMP-02).
pub const MAX_GROUPS: usize = 9;
/// Largest army group that a board file may have.
pub const MAX_GROUP: u8 = 9;
/// Chests of each player at the start, by number of players from 3 (TW-COMP-02).
pub const START_CHESTS: [u16; 3] = [18, 15, 12];
/// Rounds of a match: six seasons and two winters (TW-GEN-02).
pub const ROUNDS: u16 = 8;
/// Years of a match.
pub const YEARS: usize = 2;

/// Colours of cubes: five of players, and the farmers'.
pub const COLOURS: usize = 6;
/// Number of the farmers' colour: behind all seats (TW-TOWER-08).
pub const FARMER: u8 = 5;
/// Names of the colours. The order of the players' colours is ours; it is that of the seats where nobody says otherwise.
pub const COLOUR_NAMES: [&str; COLOURS] = ["red", "blue", "yellow", "purple", "black", "farmer"];
/// Cubes of each player colour, and farmers (TW-COMP-01).
pub const IN_THE_BOX: Cubes = Cubes([62, 62, 62, 62, 62, 20]);
/// Armies of every player in the fill of the tower (TW-FILL-01).
pub const FILL_ARMIES: u16 = 7;
/// Farmers in the fill of the tower (TW-FILL-01).
pub const FILL_FARMERS: u16 = 10;

/// Numbers of cubes by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cubes(pub [u16; COLOURS]);

impl Cubes {
    /// No cubes.
    pub const NONE: Self = Self([0; COLOURS]);

    /// Cubes of one colour.
    pub fn of(colour: u8, count: u16) -> Self {
        let mut cubes = Self::NONE;
        cubes[colour] = count;
        cubes
    }

    /// Counts a heap.
    pub fn count(heap: &[Colour]) -> Self {
        Self(cube_tower::count(heap.iter().copied()))
    }

    /// Number of all cubes.
    pub fn total(&self) -> u16 {
        self.0.iter().sum()
    }

    /// Takes all cubes of a colour away and says how many they were.
    pub fn take(&mut self, colour: u8) -> u16 {
        std::mem::take(&mut self[colour])
    }

    /// The cubes in the order of TW-TOWER-08: seats ascending, farmers last.
    pub fn heap(&self) -> cube_tower::Cubes {
        cube_tower::heap(&self.0)
    }
}

impl Index<u8> for Cubes {
    type Output = u16;

    fn index(&self, colour: u8) -> &u16 {
        &self.0[usize::from(colour)]
    }
}

impl IndexMut<u8> for Cubes {
    fn index_mut(&mut self, colour: u8) -> &mut u16 {
        &mut self.0[usize::from(colour)]
    }
}

impl Add for Cubes {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Cubes {
    fn add_assign(&mut self, other: Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}

impl Sub for Cubes {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (rest, count) in self.0.iter_mut().zip(other.0) {
            *rest -= count;
        }
        self
    }
}

id! {
    /// A province by its place in the canonical order (TW-GEN-08).
    #[derive(Default)]
    pub struct ProvinceId < PROVINCES;
    /// The provinces of a set in canonical order.
    pub struct Provinces(u64);
}

/// The set of all provinces of a side.
pub const ALL_PROVINCES: u64 = (1 << PROVINCES) - 1;

id! {
    /// A player by the number of the seat (TW-GEN-01).
    #[derive(Default, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct SeatId < MAX_PLAYERS;
}

by_id! {
    /// A value for each province.
    pub struct ByProvince<T>([T; PROVINCES]) by ProvinceId;
}

by_id! {
    /// A value for each player.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct BySeat<T>([T; MAX_PLAYERS]) by SeatId;
}

/// Numbers of cubes by colour: the seats, then the farmers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByColour(pub [u8; COLOURS]);

impl ByColour {
    /// Cubes of a player.
    pub const fn of(&self, seat: SeatId) -> u8 {
        self.0[seat.index()]
    }

    /// Cubes of a player, to be changed.
    pub const fn of_mut(&mut self, seat: SeatId) -> &mut u8 {
        &mut self.0[seat.index()]
    }

    /// Farmers.
    pub const fn farmers(&self) -> u8 {
        self.0[FARMER as usize]
    }

    /// Farmers, to be changed.
    pub const fn farmers_mut(&mut self) -> &mut u8 {
        &mut self.0[FARMER as usize]
    }

    /// Number of all cubes.
    pub fn total(&self) -> u16 {
        self.0.iter().map(|&count| u16::from(count)).sum()
    }
}

impl From<ByColour> for Cubes {
    fn from(cubes: ByColour) -> Self {
        Self(cubes.0.map(u16::from))
    }
}

/// The three kinds of buildings, the most valuable first (TW-COMP-05, TW-COMP-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Building {
    /// Castle.
    Castle,
    /// Temple.
    Temple,
    /// Nô theatre.
    No,
}

impl Building {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Castle, Self::Temple, Self::No];

    /// Chests it costs (TW-COMP-05).
    pub const fn price(self) -> u16 {
        3 - self as u16
    }

    /// Points for most of them in a region (TW-COMP-06, TW-SCORE-02).
    pub const fn majority(self) -> u8 {
        3 - self as u8
    }

    /// Tiles there are (TW-COMP-01).
    pub const fn tiles(self) -> u8 {
        match self {
            Self::Castle => 28,
            Self::Temple | Self::No => 26,
        }
    }

    /// The kind as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Castle => "castle",
            Self::Temple => "temple",
            Self::No => "no",
        }
    }
}

/// The spaces of a plan: ten actions, the bid, and three conversions with the expansion (TW-COMP-07, CT-COMP-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Space {
    /// Build a castle.
    #[default]
    Castle,
    /// Build a temple.
    Temple,
    /// Build a Nô theatre.
    No,
    /// Collect rice.
    Rice,
    /// Collect taxes.
    Tax,
    /// Place five armies.
    Deploy5,
    /// Place three armies.
    Deploy3,
    /// Place one army and move.
    Deploy1,
    /// Move or attack, first action.
    BattleA,
    /// Move or attack, second action.
    BattleB,
    /// The bid for turn order.
    Bid,
    /// Convert one army.
    Convert1,
    /// Convert two armies.
    Convert2,
    /// Convert three armies.
    Convert3,
}

/// Spaces with an action card.
pub const ACTIONS: usize = 10;
/// Spaces of a plan in the base game (TW-PLAN-01).
pub const BASE_SPACES: usize = 11;
/// Spaces of a plan with the expansion (CT-PLAN-01).
pub const COURT_SPACES: usize = 14;

impl Space {
    /// All spaces by code.
    pub const ALL: [Self; COURT_SPACES] = [
        Self::Castle,
        Self::Temple,
        Self::No,
        Self::Rice,
        Self::Tax,
        Self::Deploy5,
        Self::Deploy3,
        Self::Deploy1,
        Self::BattleA,
        Self::BattleB,
        Self::Bid,
        Self::Convert1,
        Self::Convert2,
        Self::Convert3,
    ];

    /// The spaces in the order in which a plan is entered (TW-D-14).
    pub const ENTRY: [Self; COURT_SPACES] = [
        Self::Bid,
        Self::Castle,
        Self::Temple,
        Self::No,
        Self::Rice,
        Self::Tax,
        Self::Deploy5,
        Self::Deploy3,
        Self::Deploy1,
        Self::BattleA,
        Self::BattleB,
        Self::Convert1,
        Self::Convert2,
        Self::Convert3,
    ];

    /// The code as an array index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The space as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Castle => "castle",
            Self::Temple => "temple",
            Self::No => "no",
            Self::Rice => "rice",
            Self::Tax => "tax",
            Self::Deploy5 => "deploy5",
            Self::Deploy3 => "deploy3",
            Self::Deploy1 => "deploy1",
            Self::BattleA => "battle_a",
            Self::BattleB => "battle_b",
            Self::Bid => "bid",
            Self::Convert1 => "convert1",
            Self::Convert2 => "convert2",
            Self::Convert3 => "convert3",
        }
    }

    /// The space of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|space| space.name() == name)
    }
}

/// The card on a plan space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Card {
    /// Nothing.
    #[default]
    Empty,
    /// A province card.
    Province(ProvinceId),
    /// A treasure card, by its value.
    Treasure(u8),
    /// A tower card of the expansion; the three of a player are alike.
    Tower,
    /// A card whose face the looking seat may not see; only in what a seat sees, never in a match.
    FaceDown,
}

/// The five special cards (TW-SPECIAL-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Special {
    /// TAX gives 1 chest more.
    #[default]
    #[serde(rename = "chest_plus_1")]
    ChestPlus1,
    /// RICE gives 1 rice more.
    #[serde(rename = "rice_plus_1")]
    RicePlus1,
    /// DEPLOY5 gives 6 armies.
    SixArmies,
    /// One army more is thrown as attacker.
    #[serde(rename = "attack_plus_1")]
    AttackPlus1,
    /// One army more is thrown as defender.
    #[serde(rename = "defence_plus_1")]
    DefencePlus1,
}

impl Special {
    /// All cards in table order.
    pub const ALL: [Self; SLOTS] =
        [Self::ChestPlus1, Self::RicePlus1, Self::SixArmies, Self::AttackPlus1, Self::DefencePlus1];

    /// The card as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChestPlus1 => "chest_plus_1",
            Self::RicePlus1 => "rice_plus_1",
            Self::SixArmies => "six_armies",
            Self::AttackPlus1 => "attack_plus_1",
            Self::DefencePlus1 => "defence_plus_1",
        }
    }
}

/// Effect of an event card in its season (TW-EVENT-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Building a Nô theatre removes an unrest marker.
    NoRemovesUnrest,
    /// A neutral province is defended by two farmers.
    NeutralTwoFarmers,
    /// A castle gives its attacked owner an army.
    CastleDefence,
    /// Provinces with a temple cannot be attacked.
    TempleShield,
    /// TAX yields at most 5.
    #[serde(rename = "tax_max_5")]
    TaxMax5,
    /// TAX yields at least 6.
    #[serde(rename = "tax_min_6")]
    TaxMin6,
    /// RICE yields at least 4.
    #[serde(rename = "rice_min_4")]
    RiceMin4,
    /// RICE yields at most 3.
    #[serde(rename = "rice_max_3")]
    RiceMax3,
    /// DEPLOY5 gives 3 armies, DEPLOY3 gives 2.
    FewRecruits,
}

/// The class of a favour card (CT-CARD-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FavourKind {
    /// The event of the season may be removed.
    CancelEvent,
    /// Chests from the bank.
    Chests,
    /// Own armies from the supply into the tray.
    ArmiesToTray,
    /// An unrest marker is removed, at once or later.
    RemoveUnrest,
    /// Rice.
    Rice,
    /// Points.
    Points,
    /// A Nô theatre free of charge.
    BuildNo,
    /// A temple free of charge.
    BuildTemple,
    /// A castle free of charge.
    BuildCastle,
    /// Not attacked in `BATTLE_A`.
    ImmuneA,
    /// Not attacked in `BATTLE_B`.
    ImmuneB,
    /// Not attacked in either.
    ImmuneAb,
    /// Armies into an own or a neutral province.
    ArmiesToProvince,
}

impl FavourKind {
    /// The building it gives.
    pub const fn building(self) -> Option<Building> {
        match self {
            Self::BuildNo => Some(Building::No),
            Self::BuildTemple => Some(Building::Temple),
            Self::BuildCastle => Some(Building::Castle),
            _ => None,
        }
    }

    /// Whether its holder cannot be attacked in a battle action.
    pub const fn protects_in(self, action: Space) -> bool {
        match self {
            Self::ImmuneA => matches!(action, Space::BattleA),
            Self::ImmuneB => matches!(action, Space::BattleB),
            Self::ImmuneAb => matches!(action, Space::BattleA | Space::BattleB),
            _ => false,
        }
    }

    /// Whether it is kept until the end of the season.
    pub const fn is_protection(self) -> bool {
        matches!(self, Self::ImmuneA | Self::ImmuneB | Self::ImmuneAb)
    }
}

/// The sides of the board (TW-BOARD-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side with fixed set-ups.
    #[default]
    Sun,
    /// The other side.
    Moon,
}

/// How provinces are given out (TW-SETUP-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As the set-up says (TW-SETUP-09).
    #[default]
    Fixed,
    /// Card by card (TW-SETUP-05..08).
    Draft,
}

/// When planned cards are turned up (TW-R-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    /// Each player his own, when it is his turn in the action.
    #[default]
    Sequential,
    /// All together at the start of the action.
    PerAction,
}

/// The visible part of the favour deck (CT-R-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FavourDeck {
    /// Its top card.
    #[default]
    OpenTop,
    /// Nothing.
    Hidden,
}

/// The rounds of a year, and the time before the first (TW-GEN-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Round {
    /// The draft.
    #[default]
    Setup,
    /// First season.
    Spring,
    /// Second season.
    Summer,
    /// Third season.
    Autumn,
    /// The round without actions.
    Winter,
}

impl Round {
    /// The round after this one within a year.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Setup | Self::Winter => Self::Spring,
            Self::Spring => Self::Summer,
            Self::Summer => Self::Autumn,
            Self::Autumn => Self::Winter,
        }
    }

    /// The round as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
        }
    }
}
