//! The whole match as one plain value (TW-ST-01..20, CT-ST-01..04).

use sengoku_kernel::cube_tower::{CubeTower, Parameters};
use sengoku_kernel::{List, Seat};
use serde::{Deserialize, Serialize};

use crate::board::{Board, Map};
use crate::data::{
    ACTIONS, BASE_SPACES, Building, ByColour, ByProvince, BySeat, COLOUR_NAMES, COURT_SPACES, Card, EVENTS,
    EVENTS_A_YEAR, Effect, FAVOURS, FavourDeck, MAX_GROUPS, MAX_PLAYERS, Mode, PRICES, PROVINCES, ProvinceId,
    Provinces, REGIONS, Reveal, Round, SLOTS, SeatId, Side, Space, Special, TOWER_CARDS, TREASURES, YEARS,
};

/// What is agreed before the match (TW-ST-01).
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
    /// What is seen of the favour deck (CT-R-01).
    pub favour_deck: FavourDeck,
    /// The host's cap: the match ends after this many rounds, winters included, without a result.
    pub max_rounds: u16,
}

/// One province (TW-ST-03..06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Province {
    /// Who has armies there; nobody in a neutral province.
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

/// What lies on a player's plan spaces, by code (TW-ST-12).
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

/// What is there only while provinces are drafted (TW-ST-16).
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
    /// Place in that order of whose turn it is.
    pub turn: u8,
    /// The card just taken, while something about it is still to be decided.
    pub taken: Option<u8>,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The second winter was scored (TW-END-01).
    SecondWinter,
    /// The host's cap on rounds.
    RoundLimit,
}

impl End {
    /// The reason in one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::SecondWinter => "second_winter",
            Self::RoundLimit => "round_limit",
        }
    }
}

/// The decision, or the automatic step, that play has come to (TW-ST-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// The open cards may be put away (TW-D-02).
    DraftRefresh,
    /// A province card is taken (TW-D-03).
    DraftCard,
    /// An army group goes into the province (TW-D-04).
    DraftGroup,
    /// A season is to begin.
    Season,
    /// A card for a plan space; how many spaces have been entered before (TW-D-05, TW-D-14).
    Plan(u8),
    /// All plans are closed; the event and the bids come next.
    Event,
    /// A slot and its special card are chosen (TW-D-06).
    Slot,
    /// The court actions are to begin (CT-COURT).
    Court,
    /// The next player's turn in the audience hall.
    Hall,
    /// A favour is chosen (CT-D-01).
    Favour,
    /// The event may be removed (CT-D-02).
    FavourEvent,
    /// An unrest marker is removed (CT-D-03).
    FavourUnrest,
    /// Armies for a province (CT-D-05).
    FavourArmies,
    /// A building for a province (CT-D-06).
    FavourBuilding,
    /// The next player's turn in an action is due, or the next action.
    Turn,
    /// The kept favour may be used (CT-D-04).
    Kept,
    /// The planned action of the player on turn is due.
    Act,
    /// Armies may move after DEPLOY1 (TW-D-07).
    DeployMove,
    /// Target and number of armies in `BATTLE_A` or `BATTLE_B` (TW-D-08, TW-D-09).
    Battle,
    /// The season is over.
    CleanUp,
    /// Winter is to begin.
    Winter,
    /// The next player's revolts are due, or the scoring.
    Revolts,
    /// Which of several revolts comes next (TW-D-10).
    Revolt,
    /// The chosen revolt is due.
    Quell,
    /// Winter is scored.
    Score,
    /// The match is over.
    Over(End),
}

/// A match of the game: everything there is, in one plain value.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// What is printed on board and cards.
    #[serde(skip, default = "Board::standard")]
    pub board: &'static Board,
    /// Numbers of the cube tower.
    #[serde(skip, default = "crate::setup::standard_tower")]
    pub parameters: &'static Parameters,
    /// What was agreed before.
    pub options: Options,
    /// 1 or 2.
    pub year: u8,
    /// Season or winter; `setup` during the draft.
    pub round: Round,
    /// What play has come to.
    pub point: Point,
    /// The player who is asked at this point.
    pub decider: SeatId,
    /// The players.
    pub players: BySeat<Player>,
    /// The provinces.
    pub provinces: ByProvince<Province>,
    /// Cubes in stock: seats, then farmers (TW-ST-07).
    pub supply: ByColour,
    /// Cubes in the tray: seats, then farmers (TW-ST-09).
    pub tray: ByColour,
    /// Cubes in the tower (TW-ST-08).
    #[serde(with = "crate::position::tower")]
    pub tower: CubeTower,
    /// The draft.
    pub draft: Draft,
    /// Order of the action cards (TW-ST-14).
    pub action_order: List<Space, ACTIONS>,
    /// How many of them are face up.
    pub action_revealed: u8,
    /// The place that is carried out, 1 to 10; 0 outside the ten actions.
    pub place: u8,
    /// Place in the turn order of whose turn it is.
    pub turn: u8,
    /// Special cards by slot, while they lie there (TW-ST-13).
    pub special_on_slot: List<Special, SLOTS>,
    /// Players in the order in which they choose slots (TW-ST-17).
    pub bid_order: List<SeatId, MAX_PLAYERS>,
    /// Players in turn order (TW-BID-05).
    pub turn_order: List<SeatId, MAX_PLAYERS>,
    /// The event deck, the top card first (TW-ST-15).
    pub event_deck: List<u8, EVENTS>,
    /// Open event cards of the year, ascending.
    pub open_events: List<u8, EVENTS_A_YEAR>,
    /// The event of the season.
    pub event: Option<u8>,
    /// Whether a favour has removed it (CT-R-08).
    pub event_removed: bool,
    /// The court.
    pub court: Court,
    /// Drawn provinces of the player on turn whose revolt is still to come (TW-ST-18).
    pub pending: List<ProvinceId, 3>,
    /// Farmers besides the unrest markers in those revolts.
    pub extra_farmers: u8,
    /// The revolt that comes next.
    pub revolt: Option<ProvinceId>,
    /// Draws of the game made so far (TW-ST-19).
    pub draws: u32,
    /// Draws of the tower made so far, in halves of words.
    pub tower_draws: u32,
    /// The provinces of each player as sets: what `provinces` says, ready for use.
    #[serde(skip)]
    pub(crate) owned: BySeat<u64>,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        // Everything but `owned`, which follows from `provinces`.
        std::ptr::eq(self.board, other.board)
            && (std::ptr::eq(self.parameters, other.parameters) || self.parameters == other.parameters)
            && self.options == other.options
            && (self.year, self.round, self.point, self.decider)
                == (other.year, other.round, other.point, other.decider)
            && self.players == other.players
            && self.provinces == other.provinces
            && (self.supply, self.tray, self.tower) == (other.supply, other.tray, other.tower)
            && self.draft == other.draft
            && self.action_order == other.action_order
            && (self.action_revealed, self.place, self.turn)
                == (other.action_revealed, other.place, other.turn)
            && self.special_on_slot == other.special_on_slot
            && self.bid_order == other.bid_order
            && self.turn_order == other.turn_order
            && self.event_deck == other.event_deck
            && self.open_events == other.open_events
            && (self.event, self.event_removed) == (other.event, other.event_removed)
            && self.court == other.court
            && self.pending == other.pending
            && (self.extra_farmers, self.revolt) == (other.extra_farmers, other.revolt)
            && (self.draws, self.tower_draws) == (other.draws, other.tower_draws)
    }
}

impl Eq for State {}

impl State {
    /// The side of the board in use.
    #[inline]
    pub const fn map(&self) -> &'static Map {
        self.board.side(self.options.side)
    }

    /// All players in order.
    pub fn everyone(&self) -> impl DoubleEndedIterator<Item = SeatId> + use<> {
        (0..self.options.seats).map(SeatId)
    }

    /// The colour of a player, by name.
    pub fn colour_name(&self, seat: SeatId) -> &'static str {
        COLOUR_NAMES[usize::from(self.options.colours[seat.index()])]
    }

    /// The provinces in play (TW-BOARD-04).
    pub const fn in_play(&self) -> u64 {
        self.map().in_play(self.options.seats)
    }

    /// The provinces of a player, as a set.
    pub fn owned(&self, seat: SeatId) -> u64 {
        self.owned[seat]
    }

    /// Number of provinces of a player.
    pub fn province_count(&self, seat: SeatId) -> u8 {
        self.owned[seat].count_ones() as u8
    }

    /// The provinces of all players, as a set.
    pub fn all_owned(&self) -> u64 {
        self.owned.0.iter().fold(0, |set, owned| set | owned)
    }

    /// The neutral provinces in play, as a set (TW-GEN-06).
    pub fn neutral(&self) -> u64 {
        self.in_play() & !self.all_owned()
    }

    /// Neighbours in play of a province.
    pub fn neighbours(&self, province: ProvinceId) -> u64 {
        self.map().neighbours(province) & self.in_play()
    }

    /// The own provinces of a player in which unrest markers lie, as a set.
    pub fn unquiet(&self, seat: SeatId) -> u64 {
        Provinces(self.owned[seat])
            .filter(|&province| self.provinces[province].unrest > 0)
            .fold(0, |set, province| set | province.bit())
    }

    /// Tiles of a kind in supply (TW-ST-11): those that stand nowhere.
    pub fn tiles(&self, building: Building) -> u8 {
        let built = Provinces(self.all_owned()).filter(|&province| self.provinces[province].has(building));
        building.tiles().saturating_sub(built.count() as u8)
    }

    /// Unrest markers on the board.
    pub fn unrest_markers(&self) -> u16 {
        self.provinces.0.iter().map(|province| u16::from(province.unrest)).sum()
    }

    /// Number of spaces of a plan (TW-PLAN-01, CT-PLAN-01).
    pub const fn spaces(&self) -> usize {
        if self.options.court { COURT_SPACES } else { BASE_SPACES }
    }

    /// Number of cards a player can plan with (TW-PLAN-02, CT-PLAN-02).
    pub fn card_count(&self, seat: SeatId) -> usize {
        let more = if self.options.court { TOWER_CARDS } else { 0 };
        usize::from(self.province_count(seat)) + usize::from(TREASURES) + usize::from(more)
    }

    /// What the event of the season does, unless a favour has removed it.
    pub fn effect(&self) -> Option<Effect> {
        let event = self.event.filter(|_| !self.event_removed)?;
        Some(self.board.event(event).effect)
    }

    /// Rice lost to an event card that is left over (TW-EVENT-02, TW-R-21).
    pub fn rice_loss(&self, event: u8) -> u8 {
        if event == EVENTS as u8 { self.options.event12_rice_loss } else { self.board.event(event).rice_loss }
    }

    /// The action that is carried out.
    pub fn action(&self) -> Option<Space> {
        let place = usize::from(self.place).checked_sub(1)?;
        self.action_order.get(place).copied()
    }

    /// The player on turn in the ten actions and in winter.
    pub fn on_turn(&self) -> Option<SeatId> {
        self.turn_order.get(usize::from(self.turn)).copied()
    }

    /// The kept card that removes an unrest marker, if a player has one (CT-R-12).
    pub fn kept_calm(&self, seat: SeatId) -> Option<u8> {
        let kept = self.players[seat].kept;
        kept.iter().find(|&number| !self.board.favour(number).kind.is_protection())
    }

    /// Whether the provinces of a player are no targets in an action (CT-CARD-02).
    pub fn is_protected(&self, seat: SeatId, action: Space) -> bool {
        let kept = self.players[seat].kept;
        kept.0 != 0 && kept.iter().any(|number| self.board.favour(number).kind.protects_in(action))
    }

    /// Rounds begun, winters included.
    pub const fn rounds(&self) -> u16 {
        let years = if self.year > 0 { self.year as u16 - 1 } else { 0 };
        years * 4 + self.round as u16
    }

    /// Phase of the season by its number in TW-ROUND-02 or CT-ROUND-01; 0 outside seasons.
    pub const fn phase(&self) -> u8 {
        let phase: (u8, u8) = match self.point {
            Point::Season => (1, 1),
            Point::Plan(_) => (3, 4),
            Point::Event => (4, 5),
            Point::Slot => (5, 6),
            Point::Court
            | Point::Hall
            | Point::Favour
            | Point::FavourEvent
            | Point::FavourUnrest
            | Point::FavourArmies
            | Point::FavourBuilding => (0, 7),
            Point::Kept if matches!(self.round, Round::Winter) => (0, 0),
            Point::Turn | Point::Kept | Point::Act | Point::DeployMove | Point::Battle => (6, 8),
            Point::CleanUp => (7, 9),
            _ => (0, 0),
        };
        if self.options.court { phase.1 } else { phase.0 }
    }

    /// Whether the match is over.
    pub const fn is_over(&self) -> bool {
        matches!(self.point, Point::Over(_))
    }

    /// The seat that decides next.
    pub const fn deciding_seat(&self) -> Option<Seat> {
        if self.is_over() { None } else { Some(Seat(self.decider.0)) }
    }

    /// Hands a province over; the only place where owners change.
    pub(crate) fn set_owner(&mut self, province: ProvinceId, owner: Option<SeatId>) {
        if let Some(old) = self.provinces[province].owner {
            self.owned[old] &= !province.bit();
        }
        if let Some(new) = owner {
            self.owned[new] |= province.bit();
        }
        self.provinces[province].owner = owner;
    }

    /// Makes the sets follow the owners after a state was written from outside.
    pub(crate) fn index_owners(&mut self) {
        self.owned = BySeat::default();
        for province in ProvinceId::all() {
            if let Some(owner) = self.provinces[province].owner
                && let Some(set) = self.owned.0.get_mut(owner.index())
            {
                *set |= province.bit();
            }
        }
    }
}

const _: () = assert!(size_of::<State>() <= 1152); // a match is copied as a whole
