//! The whole match as one plain value (TW-ST-01..20, CT-ST-01..04).

use sengoku_kernel::cube_tower::{CubeTower, Parameters};
use sengoku_kernel::{List, Seat};
use serde::{Deserialize, Serialize};

use crate::board::{Board, Map};
use crate::data::{
    ACTIONS, BASE_SPACES, Building, ByColour, ByProvince, BySeat, COLOUR_NAMES, COURT_SPACES, EVENTS,
    EVENTS_A_YEAR, Effect, MAX_PLAYERS, ProvinceId, Provinces, Round, SLOTS, SeatId, Space, Special,
    TOWER_CARDS, TREASURES,
};
pub use crate::pieces::{
    Court, Draft, Favours, Majorities, Officers, Options, Plan, Player, Province, Spaces, Tally,
};
pub use crate::point::{End, Point};

/// A match of the game: everything there is, in one plain value.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The printed data of board and cards.
    #[serde(skip, default = "Board::standard")]
    pub board: &'static Board,
    /// Numbers of the cube tower.
    #[serde(skip, default = "crate::setup::standard_tower")]
    pub parameters: &'static Parameters,
    /// Options fixed before the match.
    pub options: Options,
    /// 1 or 2.
    pub year: u8,
    /// Season or winter; `setup` during the draft.
    pub round: Round,
    /// The current point of play.
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
    /// Index in the turn order of the player whose turn it is.
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

    /// Effect of the season's event, unless a favour has removed it.
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
