//! The battles: maps, pieces, cards, and what each of them changes about the rules (BT-SCEN).

use std::fmt;

use crate::board::{ByHex, HexId, HexSet};
use crate::data::{BySide, CommandCard, LeaderKind, Side, Terrain, UnitKind};

/// Header of an army (BT-SCEN-01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Army {
    /// Its name.
    pub name: String,
    /// Command cards it starts with.
    pub command_cards: u8,
    /// Dragon cards it starts with.
    pub dragon_cards: u8,
    /// Honor it starts with.
    pub honor: u8,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// An army.
    Army(Side),
    /// Dice decide (BT-SCEN-10).
    DiceOff,
}

/// A unit, with its leader, or a lone leader, as it is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Where.
    pub hex: HexId,
    /// The unit.
    pub unit: Option<UnitKind>,
    /// The leader.
    pub leader: Option<LeaderKind>,
    /// Number of the leader's name in `leader_names`.
    pub name: Option<u8>,
}

/// Banners besides the standard ones (BT-SCEN-02). `side` is who gains them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the file format")]
pub enum Victory {
    /// Every leader eliminated is worth so many (scenario 2).
    LeaderValue { banners: u8 },
    /// A named leader is worth so many (scenario 3); `name` is its number in `leader_names`.
    NamedLeaderValue { leader_side: Side, name: u8, banners: u8 },
    /// BT-ARMY-COMMANDER-12, said again.
    CaptureTent,
    /// The tent decides the battle when entered (BT-SCEN-12).
    EnterTent { side: Side },
    /// Temporary banners for units on a bank (BT-SCEN-06).
    UnitsAcross { side: Side, bank: Side, banners_per_unit: u8 },
    /// Units of these kinds that reach the bank go off (BT-SCEN-18).
    Exit { side: Side, kinds: u16, bank: Side, banners: u8 },
    /// A hex, once (BT-SCEN-05, BT-SCEN-07).
    Occupy { side: Side, hex: HexId, banners: u8, cards_lost: u8 },
    /// A section without enemies (BT-SCEN-13).
    EmptySection { side: Side, banners: u8 },
    /// Order One cards (BT-SCEN-14).
    OrderOne { side: Side, banners: u8 },
    /// No enemy on the own bank (BT-SCEN-15).
    NoEnemyOnBank { side: Side, bank: Side, banners: u8, from_turn: u16 },
    /// Enough units on a bank (BT-SCEN-15).
    UnitsOnBank { side: Side, bank: Side, at_least: u8, banners: u8 },
    /// Units at the rim of the gorge (BT-SCEN-19).
    GorgeRim { side: Side, bank: Side, banners_per_unit: u8 },
    /// More hills (BT-SCEN-17).
    HillMajority { banners: u8 },
}

/// What changes the flow of play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the file format")]
pub enum Special {
    /// More draws in the first turns (BT-SCEN-11).
    GrowingHand { side: Side, draws: u8, turns: u16 },
    /// No command draw unless enough units are on a bank (BT-SCEN-15).
    ConditionalDraw { side: Side, bank: Side, at_least: u8 },
    /// Units that only a card releases (BT-SCEN-16); `hexes` is where they start.
    Held { side: Side, hexes: HexSet, card: CommandCard },
}

/// A battle.
#[expect(missing_docs, reason = "the fields are those of the file format")]
pub struct Scenario {
    pub number: u16,
    pub key: String,
    pub name: String,
    pub armies: BySide<Army>,
    pub first: First,
    pub banners_to_win: BySide<u8>,
    pub terrain: ByHex<Terrain>,
    pub sight: crate::sight::Sight,
    pub impassable: HexSet,
    pub pieces: Vec<Piece>,
    pub leader_names: Vec<String>,
    pub tents: BySide<Option<HexId>>,
    pub banks: BySide<HexSet>,
    pub victory: Vec<Victory>,
    pub special: Vec<Special>,
    /// The second battle, where this one is the first of a campaign (BT-SCEN-20).
    pub second: Option<u16>,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scenario({} {})", self.number, self.key)
    }
}

impl Scenario {
    /// Parses.
    pub fn parse(text: &str) -> Result<&'static Self, crate::SetupError> {
        let _ = text;
        todo!()
    }
    /// Water hexes.
    pub fn water(&self) -> HexSet {
        todo!()
    }
    /// Stops.
    pub fn stops(&self) -> HexSet {
        todo!()
    }
    /// Terrain.
    pub fn hexes_of(&self, terrain: Terrain) -> HexSet {
        let _ = terrain;
        todo!()
    }
    /// By number.
    pub fn by_number(number: u16) -> Option<&'static Self> {
        let _ = number;
        todo!()
    }
    /// Second.
    pub fn second(&self) -> Option<u16> {
        todo!()
    }
    /// The first of the compiled-in battles.
    pub fn standard() -> &'static Self {
        todo!()
    }
}
