//! Meaning of the bytes of an observation (`observe.rs`) and of the entries of the action table (`action.rs`).

use sengoku_kernel::spec::{ActionKind, Axis, Field, Layout, Spec, label};

use crate::action::MAX_NUMBER;
use crate::board::{HEXES, HexId};
use crate::combat::RollKind;
use crate::data::{
    COMMAND_CARDS, CommandCard, DRAGON_CARDS, DragonCard, FULL_BLOCKS, Face, Flank, HONOR_TOKENS, LeaderKind,
    Side, Symbol, Terrain, UnitKind, Window,
};
use crate::observe::HEADER;
use crate::state::{End, MAX_PLAYED, State};

/// Questions by their code, from 1.
pub(crate) const QUESTIONS: [&str; 34] = [
    "play_command",
    "window",
    "tactical_wisdom",
    "dragon_target",
    "turncoat",
    "ninja_thief",
    "play_stolen",
    "drive_back",
    "order",
    "move",
    "destination",
    "battle",
    "target",
    "charge",
    "second_shot",
    "duellist",
    "struck",
    "inspire",
    "card_unit",
    "ignore_flags",
    "retreat",
    "leader_fate",
    "lose_nearest",
    "lose_block",
    "take_ground",
    "bonus_melee",
    "battle_back",
    "advise",
    "keep_one",
    "replenish",
    "discard_for_honor",
    "carry_loss",
    "carry_back",
    "carry_back_to",
];
/// At `order`: pass, a unit in any hex, a leader away from it.
const MAX_LEGAL: u32 = 1 + 2 * HEXES as u32;

fn sides() -> Axis {
    Axis::named("side", Side::ALL.map(Side::name))
}

fn side(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, Side::ALL.map(Side::name), meaning)
}

fn hexes() -> impl Iterator<Item = String> {
    HexId::all().map(|hex| hex.to_string())
}

fn hex(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, hexes(), meaning).or_none()
}

fn commands() -> [String; CommandCard::COUNT] {
    CommandCard::ALL.map(|card| label(&card))
}

fn dragons() -> [String; DragonCard::COUNT] {
    DragonCard::ALL.map(|card| label(&card))
}

fn command(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, commands(), meaning).or_none()
}

fn dragon(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, dragons(), meaning).or_none()
}

fn slots(name: &str, meaning: &'static str) -> Field {
    let flanks = Axis::named("flank", Flank::ALL.map(Flank::name));
    Field::byte(name, 0, 254, meaning).in_units_of(5).or_none().along(flanks)
}

fn header(layout: &mut Layout) {
    let ends = [End::Banners, End::Surrender, End::Tent, End::RoundLimit];
    let counts = |name, high: usize, meaning| Field::byte(name, 0, high as u32, meaning);
    layout.put_all([
        side("side", "The army of the seat that looks."),
        side("active", "Whose turn it is."),
        side("first", "Who had the first turn of the battle."),
        side("decider", "Who is asked, nobody once the match is over.").or_none(),
        Field::byte("question", 1, 1, "The question that is open.").named(QUESTIONS).or_none(),
        Field::byte(
            "question.about",
            0,
            2 * u32::from(MAX_NUMBER),
            "What it is about: window, card (dragon_target, play_stolen, card_unit), symbol (drive_back, lose_nearest, lose_block), \
             side of the challenger (duellist), flags (ignore_flags), hexes (retreat), swords or not (carry_loss).",
        )
        .category()
        .or_none(),
        hex("question.hex", "Hex of the piece that it is about."),
        Field::one_of("end", ends.map(End::reason), "Why the match ended.").or_none(),
        side("winner", "Who won.").or_none(),
        Field::word("scenario", 0, 65_535, "Number of the battle.").in_units_of(40),
        Field::word("round", 0, 65_535, "Rounds begun.").in_units_of(20),
        counts("turns", 255, "Turns begun, 255 for all beyond.").along(sides()).in_units_of(20),
        counts("honor", HONOR_TOKENS.into(), "Honor of each army.").along(sides()),
        counts("pool", HONOR_TOKENS.into(), "Honor tokens in the pool."),
        counts("tokens", HONOR_TOKENS.into(), "Honor tokens on the dragon cards of this turn."),
        counts("banners", 255, "Permanent banners.").along(sides()).in_units_of(10),
        counts("temporary_banners", 255, "Temporary banners.").along(sides()).in_units_of(10),
        counts("banners_to_win", 255, "Banners that win.").along(sides()).in_units_of(10),
        Field::flag("tents", "Whether the command tent stands.").along(sides()),
        counts("command.hands", COMMAND_CARDS, "Command cards in hand.").along(sides()),
        counts("dragon.hands", DRAGON_CARDS, "Dragon cards in hand.").along(sides()),
        counts("command.deck", COMMAND_CARDS, "Command cards in the deck."),
        counts("dragon.deck", DRAGON_CARDS, "Dragon cards in the deck."),
        command("turn.command", "The command card on the table."),
        command("turn.effective", "The command card as it counts."),
        slots("turn.slots", "Its orders by flank; none is as many as the command."),
    ]);
    layout.put_records("last", &sides(), |last| {
        last.put(command("effective", "The card of the last turn as it counted."));
        last.put(slots("slots", "Its orders by flank; none is as many as the command."));
    });
    let marks =
        ["ashigaru_attack", "fire_arrows", "volley", "wind", "white_fox", "panic", "bishamon", "fallback"];
    let combat =
        ["ranged", "bonus", "legendary", "struck_first", "terror", "cowards", "courage", "head_collector"];
    let rolls = [RollKind::Attack, RollKind::FirstStrike, RollKind::BattleBack];
    layout.put_all([
        dragon("turn.played", "Dragon cards played in this turn, in order.")
            .along(Axis::new("place", MAX_PLAYED)),
        dragon("turn.stolen", "The card that Ninja Thief took and that may still be played."),
        Field::flag("turn.dragon_used", "Whether the dragon play of the turn is used.").along(sides()),
        counts("turn.first_strikes", COMMAND_CARDS, "First Strikes used by the other army."),
        Field::set("turn.effects", "effect", marks, "What holds for the rest of the turn."),
        counts("turn.extra_orders", COMMAND_CARDS, "Extra orders of Brave Messenger."),
        counts("turn.shogun", COMMAND_CARDS, "Orders that the dice of Shogun gave.")
            .along(Axis::named("face", ["circle", "triangle", "square", "any"])),
        Field::set(
            "captured",
            "objective",
            (0..16).map(|number| number.to_string()),
            "Objectives that have given their banner.",
        ),
        side("hill_majority", "Who has more hills and a banner for it.").or_none(),
        hex("mover.from", "Where the piece that is moved came from."),
        Field::set(
            "mover.marks",
            "mark",
            ["katchu_keiba", "haya_ji", "unit"],
            "Cards played on it, and whether a unit moves.",
        ),
        Field::padding(5),
        hex("combat.target", "The hex that is attacked."),
        hex("combat.against", "The hex that is rolled against."),
        Field::set("combat.marks", "mark", combat, "What is true of the combat and of its roll."),
        Field::one_of("combat.roll", rolls.map(|kind| label(&kind)), "What the roll is in its combat."),
        side("combat.roller", "The army that rolls."),
        counts("combat.dice", MAX_NUMBER.into(), "Dice of the roll."),
        counts("combat.dice_against", MAX_NUMBER.into(), "Dice rolled against the defender."),
        counts("combat.faces", MAX_NUMBER.into(), "Faces rolled.")
            .along(Axis::named("face", Face::ALL.map(|face| label(&face)))),
    ]);
    debug_assert_eq!((Window::COUNT, Symbol::COUNT), (13, 4)); // what `question.about` tells apart
}

fn hex_record(layout: &mut Layout) {
    let unit_marks = ["ordered", "chosen", "moved", "barred", "battled", "banner", "held", "attacking"];
    layout.put_all([
        Field::new(7, "terrain", 0, 0, "Its terrain.").named(Terrain::ALL.map(|terrain| label(&terrain))),
        Field::new(1, "impassable", 0, 1, "Whether nobody can enter it."),
        Field::new(4, "unit.kind", 0, 0, "Kind of the unit there.")
            .named(UnitKind::ALL.map(UnitKind::code))
            .or_none(),
        Field::new(1, "unit.side", 0, 1, "Its army; bottom also where there is no unit.")
            .named(Side::ALL.map(Side::name)),
        Field::new(3, "unit.blocks", 0, u32::from(FULL_BLOCKS) - 1, "Its blocks less one.").or_none(),
        Field::set("unit.marks", "mark", unit_marks, "What is true of the unit in this turn."),
        Field::new(4, "leader.kind", 0, 0, "Kind of the leader there.")
            .named(LeaderKind::ALL.map(LeaderKind::code))
            .or_none(),
        Field::new(4, "leader.side", 0, 0, "Its army.").named(Side::ALL.map(Side::name)).or_none(),
        Field::set(
            "leader.marks",
            "mark",
            ["ordered", "chosen", "was_commander", "precious"],
            "What is true of the leader; precious: worth more than one banner.",
        ),
        Field::padding(4),
    ]);
}

fn actions() -> Vec<ActionKind> {
    let redirects = Flank::ALL.map(|from| {
        let others = Flank::ALL.into_iter().filter(|&to| to != from);
        ActionKind::new("redirect", "Tactical Wisdom: the orders of one section go to another.")
            .of(Axis::named("from", [from.name()]))
            .of(Axis::named("to", others.map(Flank::name)))
    });
    let mut kinds = vec![
        ActionKind::new(
            "pass",
            "Declines, or ends what could go on: no card, no more orders, no move, no battle, no battle back.",
        ),
        ActionKind::new("yes", "Does what is asked: inspires, turns the unit, plays the card taken."),
        ActionKind::new("seppuku", "The leader commits seppuku."),
        ActionKind::new("leave", "The leader leaves the board."),
        ActionKind::new("draw_dragon", "Draws a dragon card."),
        ActionKind::new("take_honor", "Takes 2 honor."),
        ActionKind::new(
            "command",
            "A command card: played, kept, or taken from the discards; First Strike in its window.",
        )
        .of(Axis::named("card", commands())),
        ActionKind::new(
            "dragon",
            "A dragon card: played in a window, taken from the discards, or discarded for honor.",
        )
        .of(Axis::named("card", dragons())),
    ];
    kinds.extend(redirects);
    kinds.extend([
        ActionKind::new("number", "Flags that are ignored.")
            .of(Axis::new("number", usize::from(MAX_NUMBER) + 1)),
        ActionKind::new(
            "hex",
            "A hex: the unit there with its leader, the lone leader there, or a place to go to.",
        )
        .of(Axis::named("hex", hexes())),
        ActionKind::new("leader", "The leader in a hex by itself, away from its unit.")
            .of(Axis::named("hex", hexes())),
    ]);
    kinds
}

/// The specification of the game.
pub(crate) fn spec() -> Spec {
    let mut layout = Layout::default();
    header(&mut layout);
    layout.fill(HEADER);
    let cards = |name, labels: Vec<String>, high: usize, meaning| {
        Field::byte(name, 0, high as u32, meaning).along(Axis::named("card", labels))
    };
    layout.put_all([
        cards("command.own", commands().into(), COMMAND_CARDS, "Own command cards by kind."),
        cards(
            "command.discards",
            commands().into(),
            COMMAND_CARDS,
            "Command cards in the open pile by kind.",
        ),
        cards("dragon.own", dragons().into(), DRAGON_CARDS, "Own dragon cards by kind."),
        cards("dragon.discards", dragons().into(), DRAGON_CARDS, "Dragon cards in the open pile by kind."),
    ]);
    layout.put_records("hexes", &Axis::named("hex", hexes()), hex_record);
    Spec::new::<State>(layout, actions(), MAX_LEGAL)
}
