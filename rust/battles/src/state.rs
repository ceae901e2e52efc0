//! The whole match as one plain value (State section of the ledger).

use sengoku_kernel::List;
use serde::{Deserialize, Serialize};

use crate::board::{ByHex, HEXES, HexId, HexSet};
use crate::cards::{Deck, Effective};
use crate::combat::Combat;
use crate::data::{
    BySide, COMMAND_CARDS, CommandCard, DRAGON_CARDS, DragonCard, MAX_LEADERS, MAX_UNITS, Side,
};
use crate::pieces::{Leader, LeaderId, LeaderSet, Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::scenario::{MAX_HELD, Scenario};

/// Dragon cards that can be played in one turn: one a side, and the one Ninja Thief took (BT-DRAGON-USE-01).
pub const MAX_PLAYED: usize = 3;
/// Steps that can be under way inside each other.
pub const MAX_AGENDA: usize = 24;
/// Options that are fixed before the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Whether the battle is the first of two linked ones that are both played (BT-SCEN-20, DP-35).
    pub campaign: bool,
    /// The host's cap: the match ends after this many rounds without a result (BT-R-21).
    pub max_rounds: u16,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A side has its banners (BT-VICTORY-01).
    Banners,
    /// A side had at most one command card at the start of its turn (BT-VICTORY-03).
    Surrender,
    /// A unit entered the tent that decides the battle (BT-SCEN-12).
    Tent,
    /// The host's cap on rounds (BT-R-21).
    RoundLimit,
}

impl End {
    /// The reason in one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Banners => "banners",
            Self::Surrender => "surrender",
            Self::Tent => "tent",
            Self::RoundLimit => "round_limit",
        }
    }
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The winner; none at the round limit.
    pub winner: Option<Side>,
    /// Why.
    pub end: End,
}

/// How dragon cards change flags of the non-active side for the rest of the turn (BT-DRAGON-USE-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FlagRule {
    /// Nothing; MORALE holds.
    #[default]
    Usual,
    /// Panic (BT-DRAGON-35).
    CannotIgnore,
    /// Followers of Bishamon (BT-DRAGON-29).
    MayIgnoreAll,
}

/// Effects of cards that last for the rest of the turn.
#[expect(clippy::struct_excessive_bools, reason = "each is a card that was played or not")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    /// Ashigaru Attack: T units of the active side roll one die more in melee (BT-DRAGON-10).
    pub ashigaru_attack: bool,
    /// Fire Arrows: ordered bow units roll one die more in ranged combat (BT-DRAGON-21).
    pub fire_arrows: bool,
    /// Volley by Ranks: ordered arquebuses roll one die more and re-roll X (BT-DRAGON-25).
    pub volley: bool,
    /// Move Like the Wind: ordered infantry moves one hex more (BT-DRAGON-32).
    pub wind: bool,
    /// White Fox Spirit: only one order (BT-DRAGON-46).
    pub white_fox: bool,
    /// Extra orders of Brave Messenger (BT-DRAGON-22).
    pub extra_orders: u8,
    /// Panic or Followers of Bishamon, whichever was played later.
    pub flags: FlagRule,
    /// The command card ordered one unit of choice because there was none of its kind: no bonuses, no restrictions of
    /// the card (BT-R-65).
    pub fallback: bool,
}

/// The part of the state that lasts for one turn of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The card on the table, by what is printed on it.
    pub command: Option<CommandCard>,
    /// The card as it counts (BT-CMD-11).
    pub effective: Option<Effective>,
    /// Dragon cards played this turn, in order; they lie open until T5.
    pub played: List<DragonCard, MAX_PLAYED>,
    /// The W-CMD-A card that is still to be resolved.
    pub declared: Option<DragonCard>,
    /// The card taken by Ninja Thief that may still be played this turn (BT-DRAGON-33).
    pub stolen: Option<DragonCard>,
    /// Whether a side has used its dragon play of the turn (BT-DRAGON-USE-01).
    pub dragon_used: BySide<bool>,
    /// First Strikes used by the non-active side; they are replaced at T5 (BT-CMD-20).
    pub first_strikes: u8,
    /// Effects of cards on the turn.
    pub effects: Effects,
    /// Slots that Shogun's dice gave, for C, T, S and for any piece (BT-CMD-60).
    pub shogun: [u8; 4],
    /// Units that have an order (BT-ORDERS-01).
    pub ordered: UnitSet,
    /// Leaders that have an order of their own, alone or to detach (BT-ORDERS-02, BT-ORDERS-10).
    pub ordered_leaders: LeaderSet,
    /// Units whose move is used up (BT-TURN-06).
    pub chosen: UnitSet,
    /// Leaders whose move is used up.
    pub chosen_leaders: LeaderSet,
    /// Units that moved at least one hex (BT-R-10).
    pub moved: UnitSet,
    /// Ordered units that may not battle any more this turn: they moved too far, entered terrain that forbids it,
    /// were called back by Insult, or their order forbids it.
    pub barred: UnitSet,
    /// Units that have battled (BT-TURN-07).
    pub battled: UnitSet,
    /// Dragon cards drawn in T5 (g) and (h): the last of the hand, not to be discarded in (i).
    pub drawn: u8,
    /// Whether Wise Advisor replaces a command draw (BT-DRAGON-18).
    pub advised: bool,
    /// Command cards that are drawn without a choice (BT-END-OF-TURN-01 f).
    pub plain_draws: u8,
}

/// The piece that is being moved (T3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    /// The unit, if one moves.
    pub unit: Option<UnitId>,
    /// The leader, if one moves, with the unit or by itself.
    pub leader: Option<LeaderId>,
    /// Where it started from.
    pub from: HexId,
    /// Katchu Keiba Winner: two hexes more (BT-DRAGON-27).
    pub katchu_keiba: bool,
    /// Spirit of Haya-ji: one hex more, through everything (BT-DRAGON-40).
    pub haya_ji: bool,
    /// Whether the leader left the board (BT-LEADERS-30).
    pub left: bool,
}

/// Markers that scenarios keep (BT-SCEN).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trackers {
    /// Objectives that have given their banner, by number of the victory record (BT-SCEN-05).
    pub captured: u16,
    /// Units marked for a temporary banner (BT-SCEN-06, BT-SCEN-19).
    pub marked: UnitSet,
    /// The side that has a banner for holding more hills (BT-SCEN-17).
    pub hill_majority: Option<Side>,
    /// Units held back, by number of the special rule (BT-SCEN-16).
    pub held: [UnitSet; MAX_HELD],
    /// Turns each side has begun (BT-SCEN-11, BT-SCEN-15).
    pub turns: BySide<u16>,
}

/// Everything about a match but the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The battle that is fought.
    #[serde(skip, default = "Scenario::standard")]
    pub scenario: &'static Scenario,
    /// Options fixed before the match.
    pub options: Options,
    /// Whose turn it is.
    pub active: Side,
    /// The side that had the first turn of the battle.
    pub first: Side,
    /// Rounds begun, in both battles of a campaign; a round begins with the turn of the side that moved first.
    pub round: u16,
    /// Pending steps as a stack: the last one is next.
    pub agenda: List<Step, MAX_AGENDA>,
    /// How the battle ended, once it has.
    pub decided: Option<Decided>,
    /// Units by number.
    pub units: List<Unit, MAX_UNITS>,
    /// Leaders by number.
    pub leaders: List<Leader, { 2 * MAX_LEADERS }>,
    /// Command tents that stand (BT-ARMY-COMMANDER-13).
    pub tents: BySide<bool>,
    /// The command deck, hands and discards.
    pub command: Deck<CommandCard, COMMAND_CARDS>,
    /// The dragon deck, hands and discards.
    pub dragon: Deck<DragonCard, DRAGON_CARDS>,
    /// Honor of each side.
    pub honor: BySide<u8>,
    /// Tokens on the dragon cards of this turn; the rest of the thirty are in the pool.
    pub tokens: u8,
    /// Permanent banners.
    pub banners: BySide<u8>,
    /// Effective card of each side's last turn (BT-CMD-10).
    pub last: BySide<Option<Effective>>,
    /// The turn.
    pub turn: Turn,
    /// The piece that is being moved.
    pub mover: Mover,
    /// The combat under way.
    pub combat: Combat,
    /// Markers that the scenario keeps.
    pub trackers: Trackers,
    /// Banners of both sides in the first battle of a campaign, and who won it (BT-SCEN-20).
    pub first_battle: Option<FirstBattle>,
    /// Draws made so far.
    pub draws: u32,
    /// Cached values derived from the pieces.
    #[serde(skip)]
    pub(crate) index: Index,
}

/// Results of a campaign's first battle that carry over to the second (BT-SCEN-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstBattle {
    /// The winner of the first battle.
    pub winner: Side,
    /// Banners of each side at its end.
    pub banners: BySide<u8>,
    /// Honor that each side lacks at the start of the second.
    pub honor_lost: BySide<u8>,
}

/// Where pieces are, as sets and by hex: what `units` and `leaders` say, ready for use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    /// Living units of each side.
    pub(crate) units: BySide<UnitSet>,
    /// Living leaders of each side.
    pub(crate) leaders: BySide<LeaderSet>,
    /// Hexes with a unit of each side.
    pub(crate) unit_hexes: BySide<HexSet>,
    /// Hexes with a leader of each side, alone or attached.
    pub(crate) leader_hexes: BySide<HexSet>,
    /// Number of the unit in a hex, plus one; 0 for none.
    pub(crate) unit_at: ByHex<u8>,
    /// Number of the leader in a hex, plus one; 0 for none.
    pub(crate) leader_at: ByHex<u8>,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            units: BySide::default(),
            leaders: BySide::default(),
            unit_hexes: BySide::default(),
            leader_hexes: BySide::default(),
            unit_at: ByHex([0; HEXES]),
            leader_at: ByHex([0; HEXES]),
        }
    }
}

const _: () = assert!(size_of::<State>() <= 1536); // a match is copied as a whole
