//! Public events, as typed entries of a match's log.

use serde::Serialize;

use crate::board::HexId;
use crate::data::{CommandCard, DragonCard, Face, Flank, LeaderKind, Side, UnitKind};

/// The purpose of a roll of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Roll {
    /// Decides which side moves first (BT-SCEN-10).
    DiceOff,
    /// Decides what carries over to the second battle of a campaign (BT-SCEN-20).
    CarryOver,
    /// Orders of Shogun (BT-CMD-60).
    Shogun,
    /// Ranged combat.
    Ranged,
    /// An attack in melee.
    Melee,
    /// Battling back.
    BattleBack,
    /// First Strike or Ambush.
    FirstStrike,
    /// X rolled again for more (BT-ARMY-COMMANDER-05, BT-DRAGON-25).
    Again,
    /// A leader-loss check.
    LeaderLoss,
    /// Lack of honor.
    LackOfHonor,
    /// Ninja Assassin.
    NinjaAssassin,
    /// Blue Dragon.
    BlueDragon,
    /// Turncoats.
    Turncoats,
    /// Personal Challenge.
    PersonalChallenge,
    /// Rice Famine.
    RiceFamine,
    /// Red Dragon.
    RedDragon,
    /// Tea Ceremony.
    TeaCeremony,
}

/// Why honor or banners changed hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Cost of a dragon card.
    Cost,
    /// Inspiring.
    Inspire,
    /// Honor faces.
    Faces,
    /// A retreat.
    Retreat,
    /// A leader left the board.
    Left,
    /// Seppuku.
    Seppuku,
    /// The choice at the end of the turn.
    Replenish,
    /// A dragon card was discarded.
    Discard,
    /// A dragon card says so.
    Card,
    /// An enemy unit was eliminated.
    Unit,
    /// An enemy leader was eliminated.
    Leader,
    /// The enemy command tent was captured.
    Tent,
    /// An objective was taken.
    Objective,
    /// Units across the river or at the gorge.
    Across,
    /// Most hills.
    Hills,
    /// A section without enemies.
    EmptySection,
    /// An Order One card.
    OrderOne,
    /// Nobody or enough units on a bank.
    Bank,
    /// A unit went off across the river.
    Exit,
    /// Cards carried over from the first battle.
    CarryOver,
}

/// Why a unit lost blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Hits of a shot, a melee or a first strike.
    Hits,
    /// Hexes of a retreat that it could not complete.
    NoRoom,
    /// Honor that its retreat cost and that was not there.
    LackOfHonor,
    /// A dragon card, or honor that a dragon card cost and that was not there.
    DragonCard,
    /// What carries over from the first battle of a campaign.
    CarryOver,
}

/// Why a unit or leader was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Removal {
    /// Eliminated by the enemy.
    Eliminated,
    /// Seppuku.
    Seppuku,
    /// Left the board.
    Left,
    /// The bodyguard surrendered (BT-ARMY-COMMANDER-09).
    Surrendered,
    /// Fell in a duel (BT-DRAGON-31).
    Duel,
    /// Went off across the river (BT-SCEN-18).
    Exit,
}

/// Something that happened for everybody to see. What only one side sees is not written with the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Event {
    /// A battle begins; who moves first.
    BattleBegun { scenario: &'static str, first: Side },
    /// Cards were dealt and honor taken.
    Dealt { side: Side, command: u8, dragon: u8, honor: u8 },
    /// Dice in the order in which they fell; whether they replace the last roll of this kind (BT-DRAGON-41).
    Rolled { side: Side, roll: Roll, faces: Vec<Face>, replaces: bool },
    /// A turn begins.
    TurnBegun { side: Side, round: u16 },
    /// A command card was played.
    CommandPlayed { side: Side, card: CommandCard },
    /// The card that the command card counts as, with its orders by flank; none if it gives no orders.
    CommandCounts { side: Side, card: Option<CommandCard>, left: u8, center: u8, right: u8 },
    /// A dragon card was played.
    DragonPlayed { side: Side, card: DragonCard, cost: u8 },
    /// Wild Winds: another card of the hand takes the place of the command card.
    CommandReplaced { side: Side, from: CommandCard, to: CommandCard },
    /// Tactical Wisdom changed a section.
    Redirected { side: Side, from: Flank, to: Flank },
    /// A dragon card found nothing to do.
    NoEffect { side: Side, card: DragonCard },
    /// The target of a dragon card.
    Targeted { side: Side, card: DragonCard, hex: HexId },
    /// Physician healed a unit.
    Healed { hex: HexId, unit: UnitKind, blocks: u8 },
    /// Turncoats: a unit changed sides, or was left alone.
    Turned { side: Side, hex: HexId, unit: UnitKind, turned: bool },
    /// Ninja Thief took a card from the discards.
    DragonTaken { side: Side, card: DragonCard },
    /// A unit with its leader, or a leader by itself, got an order.
    Ordered { side: Side, hex: HexId, unit: Option<UnitKind>, leader: bool },
    /// All orders are given.
    OrdersGiven { side: Side },
    /// A unit, with its leader or without, or a leader alone moved.
    Moved {
        side: Side,
        unit: Option<UnitKind>,
        leader: bool,
        name: Option<&'static str>,
        from: HexId,
        to: HexId,
    },
    /// A piece that could move stayed where it is.
    Stayed { side: Side, unit: Option<UnitKind>, leader: bool, name: Option<&'static str>, hex: HexId },
    /// Insult: the move is undone.
    CalledBack { side: Side, from: HexId, to: HexId },
    /// Units attack a unit, or a leader alone; `name` is that of the leader there.
    Attack {
        side: Side,
        from: Vec<HexId>,
        units: Vec<UnitKind>,
        target: HexId,
        defender: Option<UnitKind>,
        name: Option<&'static str>,
        ranged: bool,
        bonus: bool,
    },
    /// A unit lost blocks; how many it has left, and why.
    BlocksLost { side: Side, hex: HexId, unit: UnitKind, lost: u8, left: u8, why: Loss },
    /// A unit is gone.
    UnitGone { side: Side, hex: HexId, unit: UnitKind, why: Removal },
    /// A leader is gone.
    LeaderGone { side: Side, hex: HexId, leader: LeaderKind, name: Option<&'static str>, why: Removal },
    /// How many flags hit a unit, and how many of them it ignored.
    Flags { side: Side, hex: HexId, flags: u8, ignored: u8 },
    /// A unit with its leader, or a leader alone, retreated; hexes that it could not complete.
    Retreated {
        side: Side,
        unit: Option<UnitKind>,
        leader: bool,
        name: Option<&'static str>,
        from: HexId,
        to: HexId,
        uncompleted: u8,
    },
    /// A unit took ground.
    TookGround { side: Side, from: HexId, to: HexId },
    /// Honor changed; what the side has now.
    Honor { side: Side, change: i8, now: u8, why: Why },
    /// Banners changed; what the side has now, temporary ones included.
    Banners { side: Side, change: i8, now: u8, why: Why },
    /// A command tent was removed.
    TentRemoved { side: Side, hex: HexId },
    /// A command card was lost at random.
    CommandLost { side: Side, card: CommandCard },
    /// A command card was drawn face down: the log does not name it.
    CommandDrawn {
        side: Side,
        #[serde(skip)]
        card: CommandCard,
    },
    /// One of two drawn command cards was discarded.
    CommandDiscarded { side: Side, card: CommandCard },
    /// Wise Advisor took a command card from the discards.
    CommandTaken { side: Side, card: CommandCard },
    /// A dragon card was drawn face down: the log does not name it.
    DragonDrawn {
        side: Side,
        #[serde(skip)]
        card: DragonCard,
    },
    /// A dragon card was discarded for honor.
    DragonDiscarded { side: Side, card: DragonCard },
    /// Both decks were shuffled with their discards.
    Reshuffled,
    /// Campaign: a unit was moved back.
    MovedBack { side: Side, from: HexId, to: HexId },
    /// The battle is over.
    BattleOver { winner: Option<Side>, reason: &'static str, top: u8, bottom: u8 },
    /// The match is over.
    Over { winner: Option<Side>, reason: &'static str },
}

/// The context that rules are played in: chance, and a log of events where one is wanted.
pub(crate) trait Context: sengoku_kernel::Context<Event> {}

impl<T: sengoku_kernel::Context<Event>> Context for T {}
