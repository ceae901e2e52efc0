//! The parts of a state: options, provinces, plans, players, draft, court.
//!
//! They are public through [`crate::state`].

use sengoku_kernel::List;
use serde::{Deserialize, Serialize};

use crate::data::{
    Building, COURT_SPACES, Card, FAVOURS, FavourDeck, MAX_GROUPS, MAX_PLAYERS, Mode, PRICES, PROVINCES,
    ProvinceId, REGIONS, Reveal, SeatId, Side, Space, Special, YEARS,
};

/// Options that are fixed before the match (TW-ST-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Players at the table.
    pub seats: u8,
    /// Colour of each seat, by name; they change only how things look.
    #[serde(with = "crate::position::colours")]
    pub colours: [u8; MAX_PLAYERS],
    /// Side of the board.
    pub side: Side,
    /// How provinces are given out.
    pub mode: Mode,
    /// Whether the expansion is played with.
    pub court: bool,
    /// When planned cards are turned up (TW-R-11).
    pub reveal: Reveal,
    /// Whether a player may choose not to move in `BATTLE_A` and `BATTLE_B` (TW-R-17).
    pub allow_zero_move: bool,
    /// Rice lost to event 12 (TW-R-21).
    pub event12_rice_loss: u8,
    /// Chance in 1/65536 that a cube falls out of the tower after a battle (TW-R-31); nothing where none is drawn for.
    pub bump_65536: Option<u32>,
    /// Which part of the favour deck is visible (CT-R-01).
    pub favour_deck: FavourDeck,
    /// The host's cap: the match ends after this many rounds, winters included, without a result.
    pub max_rounds: u16,
}

/// One province (TW-ST-03..06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Province {
    /// The player with armies there; none in a neutral province.
    pub owner: Option<SeatId>,
    /// Armies of the owner.
    pub armies: u8,
    /// Whether it has a castle.
    pub castle: bool,
    /// Whether it has a temple.
    pub temple: bool,
    /// Whether it has a Nô theatre.
    pub no: bool,
    /// Unrest markers.
    pub unrest: u8,
}

impl Province {
    /// Whether a building of this kind stands there.
    pub const fn has(&self, building: Building) -> bool {
        match building {
            Building::Castle => self.castle,
            Building::Temple => self.temple,
            Building::No => self.no,
        }
    }

    /// The place of a building, to be changed.
    pub const fn building_mut(&mut self, building: Building) -> &mut bool {
        match building {
            Building::Castle => &mut self.castle,
            Building::Temple => &mut self.temple,
            Building::No => &mut self.no,
        }
    }

    /// Number of buildings.
    pub const fn buildings(&self) -> u8 {
        self.castle as u8 + self.temple as u8 + self.no as u8
    }
}

/// A set of plan spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spaces(pub u16);

impl Spaces {
    /// Whether a space is in the set.
    pub const fn has(self, space: Space) -> bool {
        self.0 >> space as u16 & 1 == 1
    }

    /// Adds a space.
    pub const fn add(&mut self, space: Space) {
        self.0 |= 1 << space as u16;
    }

    /// The spaces in order.
    pub fn iter(self) -> impl Iterator<Item = Space> {
        Space::ALL.into_iter().filter(move |&space| self.has(space))
    }
}

/// The cards on a player's plan spaces, by code (TW-ST-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan(pub [Card; COURT_SPACES]);

impl Plan {
    /// The card on a space.
    pub const fn card(&self, space: Space) -> Card {
        self.0[space as usize]
    }

    /// The space on which a province card lies.
    pub fn space_of(&self, province: ProvinceId) -> Option<Space> {
        let at = self.0.iter().position(|&card| card == Card::Province(province))?;
        Some(Space::ALL[at])
    }

    /// Number of cards of all kinds.
    pub fn covered(&self) -> usize {
        self.0.iter().filter(|&&card| card != Card::Empty).count()
    }

    /// The province cards on it, as a set.
    pub fn provinces(&self) -> u64 {
        self.0.iter().fold(0, |set, card| match card {
            Card::Province(province) => set | province.bit(),
            _ => set,
        })
    }

    /// Whether a treasure card lies on it.
    pub fn has_treasure(&self, value: u8) -> bool {
        self.0.contains(&Card::Treasure(value))
    }

    /// Number of tower cards on it.
    pub fn tower_cards(&self) -> u8 {
        self.0.iter().filter(|&&card| card == Card::Tower).count() as u8
    }
}

/// Officers of a player (CT-ST-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Officers {
    /// In the player's own stock.
    pub supply: u8,
    /// In the entrance of the court.
    pub entrance: u8,
    /// In the audience hall.
    pub hall: u8,
}

/// A set of favour cards by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Favours(pub u32);

impl Favours {
    /// Whether a card is in the set.
    pub const fn has(self, number: u8) -> bool {
        self.0 >> number & 1 == 1
    }

    /// Adds a card.
    pub const fn add(&mut self, number: u8) {
        self.0 |= 1 << number;
    }

    /// Takes a card out.
    pub const fn remove(&mut self, number: u8) {
        self.0 &= !(1 << number);
    }

    /// The cards in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=FAVOURS as u8).filter(move |&number| self.has(number))
    }
}

/// Points for majorities, by kind of building and region: two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Majorities(pub u32);

impl Majorities {
    const fn shift(building: Building, region: usize) -> usize {
        2 * (building as usize * REGIONS + region)
    }

    /// Points for one of them.
    pub const fn points(self, building: Building, region: usize) -> u8 {
        (self.0 >> Self::shift(building, region) & 3) as u8
    }

    /// Notes the points for one of them, 0 to 3.
    pub const fn set(&mut self, building: Building, region: usize, points: u8) {
        self.0 = self.0 & !(3 << Self::shift(building, region))
            | (points as u32 & 3) << Self::shift(building, region);
    }

    /// Points for all of them.
    pub fn total(self) -> u16 {
        let regions =
            move |building| (0..REGIONS).map(move |region| u16::from(self.points(building, region)));
        Building::ALL.into_iter().flat_map(regions).sum()
    }
}

/// The points of a player in one year by where they come from (TW-SCORE-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tally {
    /// For provinces, in winter.
    pub provinces: u8,
    /// For buildings, in winter.
    pub buildings: u8,
    /// For majorities, in winter.
    pub majorities: Majorities,
    /// By favour cards, during the year.
    pub favours: u8,
}

impl Tally {
    /// All points of the year.
    pub fn total(&self) -> u16 {
        u16::from(self.provinces)
            + u16::from(self.buildings)
            + self.majorities.total()
            + u16::from(self.favours)
    }
}

/// One player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Player {
    /// Chests (TW-ST-10).
    pub chests: u16,
    /// Rice of this year.
    pub rice: u16,
    /// Points.
    pub score: u16,
    /// Points by year and source.
    pub tally: [Tally; YEARS],
    /// Army groups that are not placed yet, the largest first (TW-ST-16).
    pub groups: List<u8, MAX_GROUPS>,
    /// The open cards that the player chose from on the previous draft turn, the smaller first (TW-R-08).
    pub last_pair: Option<[ProvinceId; 2]>,
    /// The plan of this season.
    pub plan: Plan,
    /// Spaces whose card has been turned up.
    pub revealed: Spaces,
    /// Turn-order slot, 0 when none is taken (TW-ST-13).
    pub slot: u8,
    /// Special card of this season.
    pub special: Option<Special>,
    /// Officers (CT-ST-01).
    pub officers: Officers,
    /// Kept favour cards (CT-ST-03).
    pub kept: Favours,
    /// Provinces without rice this winter (TW-ST-18).
    pub shortage: u8,
}

/// The part of the state that exists only while provinces are drafted (TW-ST-16).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    /// The face-down deck, the top card first.
    pub deck: List<ProvinceId, PROVINCES>,
    /// The two open cards.
    pub open: [Option<ProvinceId>; 2],
    /// The card taken and not placed yet.
    pub taken: Option<ProvinceId>,
}

/// The court (CT-ST-02, CT-ST-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Court {
    /// The favour deck, the top card first.
    pub deck: List<u8, FAVOURS>,
    /// The cards in the hall, on the places for 4, 3 and 2 officers.
    pub laid: [Option<u8>; PRICES.len()],
    /// Order of part 2.
    pub order: List<SeatId, MAX_PLAYERS>,
    /// Index in that order of the player whose turn it is.
    pub turn: u8,
    /// The card just taken, while something about it is still to be decided.
    pub taken: Option<u8>,
}
