//! Public events, as typed entries of a match's log.

use serde::Serialize;

use crate::data::{Building, ByColour, Effect, FavourKind, Round, SeatId, Space, Special};
use crate::state::Tally;

/// Something that happened for everybody to see. Provinces are named by their id; cubes are numbers by seat, then farmers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Event {
    /// The first two open cards of the draft.
    DraftOpened { open: [&'static str; 2] },
    /// Both open cards went under the deck; two others were turned up.
    DraftRefreshed { seat: SeatId, open: [&'static str; 2] },
    /// A province card was taken, from an open position or from the deck.
    DraftTaken { seat: SeatId, province: &'static str, position: Option<u8> },
    /// An army group was placed, in the draft or as the set-up says.
    GroupPlaced { seat: SeatId, province: &'static str, armies: u8 },
    /// A taken open card was replaced.
    DraftReplaced { position: u8, province: &'static str },
    /// The tower was filled; what came out goes back to the supplies.
    TowerFilled { thrown: ByColour, out: ByColour },
    /// Officers for the armies that came out.
    OfficersGranted { seat: SeatId, officers: u8 },
    /// The event cards of a year were turned up.
    EventsOpened { year: u8, cards: Vec<u8> },
    /// A season begins.
    SeasonBegun { year: u8, round: Round },
    /// Action cards were laid out: those that are face up.
    ActionCards { cards: Vec<Space> },
    /// Special cards were laid out by slot.
    SpecialCards { cards: Vec<Special> },
    /// Favour cards were laid out, on the places for 4, 3 and 2 officers.
    FavoursLaid { cards: Vec<Option<u8>> },
    /// All plans are closed; spaces without a card are seen by all (TW-R-41).
    PlansClosed { empty: Vec<Vec<Space>> },
    /// The event of the season.
    EventDrawn { card: u8, effect: Effect },
    /// A bid was turned up and paid.
    Bid { seat: SeatId, card: String, paid: u8 },
    /// Lots among players with equal bids.
    Lots { order: Vec<SeatId> },
    /// A slot was taken with its special card.
    SlotTaken { seat: SeatId, slot: u8, special: Special },
    /// The turn order of the season.
    TurnOrder { order: Vec<SeatId> },
    /// An action card is carried out; the one that was turned up with it, if any.
    ActionBegun { place: u8, action: Space },
    /// A face-down action card was turned up.
    ActionRevealed { place: u8, action: Space },
    /// A planned card was turned up.
    CardRevealed { seat: SeatId, space: Space, card: String },
    /// A planned action could not be performed.
    Passed { seat: SeatId, action: Space, province: &'static str, reason: &'static str },
    /// A building was built.
    Built { seat: SeatId, province: &'static str, building: Building, paid: u16 },
    /// An unrest marker was added or removed; how many lie there now.
    Unrest { province: &'static str, markers: u8 },
    /// Rice or chests were collected.
    Collected { seat: SeatId, action: Space, province: &'static str, amount: u16 },
    /// Armies were placed.
    Deployed { seat: SeatId, province: &'static str, armies: u8, paid: u16 },
    /// Armies moved to an own province.
    Moved { seat: SeatId, from: &'static str, to: &'static str, armies: u8 },
    /// A player chose not to move.
    Stayed { seat: SeatId, province: &'static str },
    /// An attack; additional cubes are those of special and event cards. Farmers that fight for neutral land, and how many
    /// it should have been: the supply may have fewer.
    Attack {
        seat: SeatId,
        from: &'static str,
        to: &'static str,
        armies: u8,
        defender: Option<SeatId>,
        attacker_more: u8,
        defender_more: u8,
        farmers: u8,
        wanted: u8,
    },
    /// A revolt, with the farmers that are thrown and how many it should have been.
    Revolt { seat: SeatId, province: &'static str, farmers: u8, wanted: u8 },
    /// A throw, the old tray included, and what lies in the tray afterwards.
    Thrown { cubes: ByColour, tray: ByColour },
    /// A battle or revolt was settled: `attacker`, `defender` or `none`, the armies left, and what stays in the tray.
    Settled { province: &'static str, winner: &'static str, armies: u8, tray: ByColour },
    /// A province changed hands without becoming neutral.
    Conquered { seat: SeatId, province: &'static str, from: Option<SeatId> },
    /// A province became neutral; its buildings and markers are gone.
    Neutral { province: &'static str },
    /// A province card left its owner, from a plan space if it lay on one (TW-R-30).
    CardLost { seat: SeatId, province: &'static str, space: Option<Space> },
    /// A cube fell out of the tower by accident; 5 is a farmer.
    Bumped { cube: u8 },
    /// Armies became officers, from a province or from the tray.
    Converted { seat: SeatId, armies: u8, province: Option<&'static str> },
    /// A conversion could not be done.
    NotConverted { seat: SeatId, space: Space },
    /// The order in the audience hall.
    CourtOrder { order: Vec<SeatId> },
    /// Officers went from the entrance to the hall.
    Audience { seat: SeatId, officers: u8 },
    /// A favour was taken.
    FavourTaken { seat: SeatId, card: u8, kind: FavourKind, price: u8 },
    /// A player took no favour.
    NoFavour { seat: SeatId },
    /// Gain from a favour: chests, rice, points, or armies in the tray.
    FavourGained { seat: SeatId, kind: FavourKind, amount: u8 },
    /// A favour had no effect.
    FavourWithoutEffect { seat: SeatId, card: u8 },
    /// A favour is kept.
    FavourKept { seat: SeatId, card: u8 },
    /// A kept favour was used.
    FavourUsed { seat: SeatId, card: u8, province: &'static str },
    /// The event of the season was removed, or left as it is.
    EventRemoved { seat: SeatId, removed: bool },
    /// The court closes: officers go back to the entrance, cards not taken leave the game.
    CourtClosed { left: Vec<u8> },
    /// The season is over; cards go back to the hands.
    SeasonOver { round: Round },
    /// Winter: the card that is left, and what everybody loses.
    RiceLost { card: u8, loss: u8, rice: Vec<u16> },
    /// Winter: provinces were supplied.
    Supplied { seat: SeatId, provinces: u8, rice: u16, shortage: u8 },
    /// Winter: cards drawn by the left neighbour.
    RevoltsDrawn { seat: SeatId, by: SeatId, provinces: Vec<&'static str>, extra_farmers: u8 },
    /// Winter: points of a player.
    Scored { seat: SeatId, tally: Tally, score: u16 },
    /// A year is over.
    YearOver { year: u8 },
    /// The match is over.
    Over { reason: &'static str, winners: Vec<SeatId> },
}

/// The context that rules are played in: chance, and a log of events where one is wanted.
pub(crate) trait Context: sengoku_kernel::Context<Event> {}

impl<T: sengoku_kernel::Context<Event>> Context for T {}
