//! Meaning of the bytes of an observation (`observe.rs`) and of the entries of the action table (`action.rs`).

use sengoku_kernel::spec::{ActionKind, Axis, Field, Layout, Spec, label};

use crate::action::MAX_MOVE;
use crate::board::Board;
use crate::data::{
    ACTIONS, Building, COLOUR_NAMES, EVENTS, EVENTS_A_YEAR, FARMER, FAVOURS, FavourDeck, IN_THE_BOX,
    MAX_GROUP, MAX_GROUPS, MAX_PLAYERS, Mode, OFFICERS, PRICES, PROVINCES, ProvinceId, Reveal, Round, SLOTS,
    Side, Space, Special, TREASURES, YEARS,
};
use crate::invariants::{MAX_COUNT, MAX_UNREST};
use crate::observe::{HEADER, PER_PLAYER, PER_PROVINCE};
use crate::state::State;

/// Points of play by their code.
pub(crate) const POINTS: [&str; 26] = [
    "draft_refresh",
    "draft_card",
    "draft_group",
    "season",
    "plan",
    "event",
    "slot",
    "court",
    "hall",
    "favour",
    "favour_event",
    "favour_unrest",
    "favour_armies",
    "favour_building",
    "turn",
    "kept",
    "act",
    "deploy_move",
    "battle",
    "clean_up",
    "winter",
    "revolts",
    "revolt",
    "quell",
    "score",
    "over",
];
/// At `battle`: pass, and any number of armies to any province.
const MAX_LEGAL: u32 = 1 + PROVINCES as u32 * MAX_MOVE as u32;
const ARMIES: u32 = IN_THE_BOX.0[0] as u32;
const FARMERS: u32 = IN_THE_BOX.0[FARMER as usize] as u32;

fn provinces() -> impl Iterator<Item = String> {
    ProvinceId::all().map(|province| Board::standard().key(province).to_owned())
}

/// A province by its number.
fn province(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, provinces(), meaning).or_none()
}

fn seat(name: &str, meaning: &'static str) -> Field {
    Field::byte(name, 0, MAX_PLAYERS as u32 - 1, meaning).category().or_none()
}

fn favour(name: &str, meaning: &'static str) -> Field {
    Field::byte(name, 1, FAVOURS as u32, meaning).category().or_none()
}

fn event(name: &str, meaning: &'static str) -> Field {
    Field::byte(name, 1, EVENTS as u32, meaning).category().or_none()
}

fn special(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, Special::ALL.map(Special::name), meaning).or_none()
}

fn buildings() -> Axis {
    Axis::named("building", Building::ALL.map(Building::name))
}

fn header(layout: &mut Layout) {
    let order = || Axis::new("place", MAX_PLAYERS);
    let rounds = [Round::Setup, Round::Spring, Round::Summer, Round::Autumn, Round::Winter];
    let either = |name, labels: [String; 2], meaning| Field::new(1, name, 0, 1, meaning).named(labels);
    layout.put_all([
        Field::byte("seats", 3, 5, "Players at the table."),
        Field::byte("seat", 0, 4, "The seat that looks.").category(),
        either("options.side", [Side::Sun, Side::Moon].map(|side| label(&side)), "Side of the board."),
        either(
            "options.mode",
            [Mode::Fixed, Mode::Draft].map(|mode| label(&mode)),
            "How provinces are given out.",
        ),
        Field::new(1, "options.court", 0, 1, "Whether the expansion is played with."),
        Field::padding(5),
        either(
            "options.reveal",
            [Reveal::Sequential, Reveal::PerAction].map(|reveal| label(&reveal)),
            "When planned cards are turned up.",
        ),
        Field::new(
            1,
            "options.allow_zero_move",
            0,
            1,
            "Whether a player may choose not to move in a battle action.",
        ),
        either(
            "options.favour_deck",
            [FavourDeck::OpenTop, FavourDeck::Hidden].map(|deck| label(&deck)),
            "What is seen of the favour deck.",
        ),
        Field::padding(5),
        Field::byte("options.event12_rice_loss", 0, 255, "Rice lost to event 12.").in_units_of(10),
        Field::flag("options.bump", "Whether cubes may fall out of the tower after a battle."),
        Field::byte("year", 1, YEARS as u32, "The year."),
        Field::one_of("round", rounds.map(Round::name), "Season or winter; setup during the draft."),
        Field::one_of("point", POINTS, "What play has come to."),
        Field::byte(
            "detail",
            0,
            Space::ALL.len() as u32 - 1,
            "plan: spaces entered before; over: 1 at the cap on rounds; otherwise 0.",
        ),
        seat("decider", "The seat that is asked, nobody once the match is over."),
        Field::byte("place", 0, ACTIONS as u32, "The place that is carried out, 0 outside the ten actions.")
            .category(),
        Field::byte("turn", 0, MAX_PLAYERS as u32, "Place in the turn order of whose turn it is.").category(),
        Field::byte("action_revealed", 0, ACTIONS as u32, "Action cards that are face up."),
        event("event", "The event of the season."),
        Field::flag("event_removed", "Whether a favour has removed it."),
        Field::byte(
            "extra_farmers",
            0,
            FARMERS,
            "Farmers besides the unrest markers in the revolts under way.",
        ),
        province("revolt", "The revolt that comes next."),
        favour("court.taken", "The favour just taken, while something about it is to be decided."),
        Field::byte(
            "court.turn",
            0,
            MAX_PLAYERS as u32,
            "Place in the order of the hall of whose turn it is.",
        )
        .category(),
        Field::one_of(
            "action_order",
            Space::ALL[..ACTIONS].iter().map(|space| space.name()),
            "Action cards by place, those that are face up.",
        )
        .or_none()
        .along(Axis::new("place", ACTIONS).from(1)),
        special("special_on_slot", "Special cards by slot, while they lie there.")
            .along(Axis::new("slot", SLOTS).from(1)),
        seat("bid_order", "Seats that are to choose a slot, in this order.").along(order()),
        seat("turn_order", "Seats in turn order.").along(order()),
        event("open_events", "Open event cards of the year, ascending.")
            .along(Axis::new("card", EVENTS_A_YEAR)),
        Field::padding(1),
        Field::set(
            "used_events",
            "event",
            (1..=EVENTS).map(|card| card.to_string()),
            "Event cards that acted or were left over.",
        ),
        Field::padding(3),
        favour("court.laid", "Favours in the hall by the officers that they cost.")
            .along(Axis::new("price", PRICES.len()).from(PRICES[0].into()).falling()),
        seat("court.order", "Seats in the order of the hall.").along(order()),
        favour("court.top", "Top card of the favour deck, where it is open."),
        province("pending", "Revolts of the player on turn that are still to come.")
            .along(Axis::new("revolt", 3)),
        province("draft.open", "Open cards of the draft.").along(Axis::new("position", 2)),
        province("draft.taken", "The card taken and not placed yet."),
        Field::byte("farmers", 0, FARMERS, "Farmers by where they are.")
            .along(Axis::named("where", ["supply", "tray", "tower"])),
        Field::byte("tiles", 0, Building::Castle.tiles().into(), "Building tiles left.").along(buildings()),
        Field::byte("options.max_rounds", 0, 255, "Cap on rounds, 255 for all beyond.").in_units_of(8),
    ]);
}

fn player_record(layout: &mut Layout) {
    let count = u32::from(MAX_COUNT);
    let treasures = (0..TREASURES).map(|value| format!("treasure_{value}"));
    let cards = provinces().chain(treasures).chain(["tower".into(), "face_down".into()]);
    let spaces = || Space::ALL.map(Space::name);
    layout.put_all([
        Field::word("chests", 0, count, "Chests.").in_units_of(20),
        Field::word("rice", 0, count, "Rice of this year.").in_units_of(20),
        Field::word("score", 0, count, "Points.").in_units_of(50),
        Field::byte("armies", 0, ARMIES, "Armies by where they are; the others are in provinces.")
            .along(Axis::named("where", ["supply", "tray", "tower"])),
        Field::byte("provinces", 0, PROVINCES as u32, "Provinces that the player owns."),
        Field::byte("slot", 0, SLOTS as u32, "Turn-order slot, 0 for none.").category(),
        special("special", "Special card of this season."),
        Field::byte("shortage", 0, PROVINCES as u32, "Provinces without rice this winter."),
        Field::byte("officers", 0, OFFICERS.into(), "Officers by where they are.")
            .along(Axis::named("where", ["supply", "entrance", "hall"])),
        Field::one_of(
            "colour",
            COLOUR_NAMES.into_iter().take(MAX_PLAYERS),
            "Colour of the seat; it changes only how things look.",
        ),
        Field::padding(1),
        Field::set("kept", "favour", (1..=FAVOURS).map(|card| card.to_string()), "Favour cards that the player keeps."),
        Field::padding(2),
        Field::byte(
            "groups",
            0,
            MAX_GROUP.into(),
            "Army groups of the draft that are not placed yet, the largest first; 0 for a seat that is not taken.",
        )
        .or_none()
        .along(Axis::new("group", MAX_GROUPS)),
        province("last_pair", "Open cards that the player chose from on the previous draft turn.")
            .along(Axis::new("position", 2)),
        Field::one_of(
            "plan",
            cards,
            "The card on each plan space, none where it is empty; of others none while plans are entered, and face_down until it is turned up.",
        )
        .or_none()
        .along(Axis::named("space", spaces())),
        Field::set("revealed", "space", spaces(), "Plan spaces whose card has been turned up."),
        Field::padding(2),
    ]);
    let regions = Axis::named("region", Board::standard().regions().iter().cloned());
    layout.put_records("tally", &Axis::new("year", YEARS).from(1), |year| {
        year.put_all([
            Field::byte("provinces", 0, 255, "Points for provinces, in winter.").in_units_of(20),
            Field::byte("buildings", 0, 255, "Points for buildings, in winter.").in_units_of(20),
            Field::byte("favours", 0, 255, "Points by favour cards, during the year.").in_units_of(20),
            Field::new(2, "majorities", 0, 3, "Points for majorities, in winter.")
                .along(buildings())
                .along(regions),
            Field::padding(2),
        ]);
    });
    layout.fill(PER_PLAYER);
}

fn province_record(layout: &mut Layout) {
    layout.put_all([
        Field::flag("in_play", "Whether the province is in the game."),
        seat("owner", "Who has armies there, nobody in a neutral province."),
        Field::byte("armies", 0, ARMIES, "Armies of the owner.").in_units_of(10),
        Field::set("buildings", "building", Building::ALL.map(Building::name), "Buildings that stand there."),
        Field::padding(5),
        Field::byte("unrest", 0, MAX_UNREST.into(), "Unrest markers."),
    ]);
    layout.fill(PER_PROVINCE);
}

fn actions() -> Vec<ActionKind> {
    vec![
        ActionKind::new("pass", "Declines: no move, no favour, the event stays, the kept favour is kept."),
        ActionKind::new("refresh", "Draft: both open cards go under the deck."),
        ActionKind::new("keep", "Draft: the open cards stay."),
        ActionKind::new("open", "Draft: an open card.").of(Axis::new("position", 2)),
        ActionKind::new("deck", "Draft: the top card of the deck."),
        ActionKind::new("group", "Draft: an army group of this size.").of(Axis::new(
            "armies",
            MAX_GROUP.into(),
        )
        .from(1)),
        ActionKind::new("empty", "Plan: the space stays empty."),
        ActionKind::new("treasure", "Plan: a treasure card.").of(Axis::new("value", TREASURES.into())),
        ActionKind::new("tower_card", "Plan: a tower card."),
        ActionKind::new("slot", "A turn-order slot.").of(Axis::new("slot", SLOTS).from(1)),
        ActionKind::new("favour", "The favour on the place for this many officers.").of(Axis::new(
            "price",
            PRICES.len(),
        )
        .from(PRICES[0].into())
        .falling()),
        ActionKind::new("remove_event", "The event of the season is removed."),
        ActionKind::new(
            "province",
            "A province: its card for a plan space, the next revolt, or the target of a favour.",
        )
        .of(Axis::named("province", provinces())),
        ActionKind::new("move", "Armies go to a province: a move, or an attack.")
            .of(Axis::named("to", provinces()))
            .of(Axis::new("armies", MAX_MOVE.into()).from(1)),
    ]
}

/// The specification of the game, with and without the expansion; the names of the provinces and regions are those of the board that is
/// compiled in.
pub(crate) fn spec() -> Spec {
    let mut layout = Layout::default();
    header(&mut layout);
    layout.fill(HEADER);
    layout.put_records("players", &Axis::new("seat", MAX_PLAYERS), player_record);
    layout.put_records("provinces", &Axis::named("province", provinces()), province_record);
    Spec::new::<State>(layout, actions(), MAX_LEGAL)
}
