//! The steps of an agenda: what is to be done, and what is asked.

use serde::{Deserialize, Serialize};

use crate::board::HexId;
use crate::data::{DragonCard, Side, Symbol, Window};
use crate::pieces::{LeaderId, UnitId};

/// Something to be done, or a question to be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Step {
    // Before a battle (campaign).
    /// One side rolls for what it carries over from the first battle (BT-SCEN-20).
    CarryDice { side: Side },
    /// Dice of one side, carried over from the first battle, are worked off (BT-SCEN-20); C, T and S are `plain`.
    CarryOver { side: Side, plain: u8, swords: u8, flags: u8, honor: u8 },
    /// Which enemy unit loses a block by a die of this kind (DP-34).
    CarryLoss { side: Side, swords: bool },
    /// Which enemy unit goes back one hex (DP-34).
    CarryBack { side: Side },
    /// To which of the two rear hexes it goes (DP-34).
    CarryBackTo { side: Side, unit: UnitId },
    /// Cards are dealt, honor is taken, somebody moves first (BT-COMP-05).
    Deal,

    // T0 and T1 (turn, command, dragon).
    /// A turn begins (T0).
    #[default]
    BeginTurn,
    /// Which command card is played (DP-01).
    PlayCommand,
    /// Whether a card is played in a window (DP-02, 03, 09, 11, 13, 14, 16..19, 24, 26, 30).
    Window { window: Window, side: Side },
    /// The card of W-CMD-A takes effect (BT-DRAGON-USE-06).
    ResolveDragon,
    /// Which section Tactical Wisdom changes (DP-04).
    TacticalWisdom,
    /// The target of Ninja Assassin, Physician or Turncoats (DP-05).
    DragonTarget { card: DragonCard },
    /// Whether the unit that Turncoats won over changes sides (DP-05).
    Turncoat { unit: UnitId },
    /// Which discarded card Ninja Thief takes (DP-05).
    NinjaThief,
    /// Whether the card taken is played at once (DP-05).
    PlayStolen { card: DragonCard },
    /// Honor lost to Rice Famine (BT-DRAGON-36).
    FamineHonor { honor: u8 },
    /// Red Dragon is worked off (BT-DRAGON-37).
    RedDragon { circle: u8, triangle: u8, square: u8 },
    /// Which unit Red Dragon drives back (DP-06).
    DriveBack { side: Side, symbol: Symbol },

    // T2 and T3 (orders, movement).
    /// Orders begin: Shogun's dice are rolled (T2).
    BeginOrders,
    /// Which piece is ordered next (DP-07).
    Order,
    /// Which ordered piece moves next (DP-08).
    Move,
    /// Where the mover goes (DP-10).
    Destination,
    /// The mover has arrived and nobody called it back: what the move brings about (BT-SCEN-07, BT-LEADERS-30).
    Arrive,

    // T4 (battle, levy_charge, ranged, melee, challenge, first_strike).
    /// Which ordered unit battles next (DP-12).
    Battle,
    /// Whom the attacker attacks (DP-12).
    Target,
    /// Which other levies charge with it (DP-12, BT-LEVY-CHARGE-01).
    Charge,
    /// A shot is declared (BT-RANGED-04).
    Shoot,
    /// At whom the second shot goes (DP-29).
    SecondShot,
    /// A melee is declared: challenge, first strike, then the attack (BT-MELEE-03).
    Melee,
    /// Which of the charging leaders fights the duel (BT-R-94).
    Duellist { challenger: Side },
    /// Which attacker is struck first (DP-14, BT-R-38).
    Struck,
    /// The attackers that are left roll.
    Attack,
    /// The combat is over.
    EndCombat,

    // A combat roll (inspire, combat_cards, roll, morale).
    /// Whether a unit is inspired for the roll (DP-15).
    Inspire { unit: UnitId },
    /// For or against which charging unit a card is played (BT-R-94, BT-R-39).
    CardUnit { card: DragonCard, side: Side },
    /// The dice are thrown.
    RollDice,
    /// The result is applied: blocks, honor, checks (BT-MELEE-15).
    Results,
    /// How many flags are ignored (DP-20).
    IgnoreFlags { flags: u8 },

    // What a roll leads to (morale, retreat, leader_fate, lack_of_honor, momentum, battle_back).
    /// A unit gives way to flags that it does not ignore (BT-RETREAT-01).
    GiveWay { unit: UnitId, flags: u8 },
    /// Where a unit retreats to (DP-21).
    Retreat { unit: UnitId, hexes: u8 },
    /// A retreat is settled: what the new hex brings about (BT-SCEN-07).
    Settled { unit: UnitId },
    /// A leader left alone retreats or commits seppuku (DP-22).
    LeaderFate { leader: LeaderId },
    /// Lack of honor after a retreat that ended in a hex: dice are worked off (BT-LACK-OF-HONOR-02, 03).
    NearestLosses { side: Side, from: HexId, circle: u8, triangle: u8, square: u8 },
    /// Lack of honor by a dragon card: dice are worked off (BT-LACK-OF-HONOR-04).
    ChosenLosses { side: Side, circle: u8, triangle: u8, square: u8 },
    /// Which of the nearest units of a symbol loses a block (DP-23).
    LoseNearest { side: Side, symbol: Symbol, from: HexId },
    /// Which unit of a symbol loses a block (DP-06).
    LoseBlock { side: Side, symbol: Symbol },
    /// The attack is over: ground or battle back (BT-MELEE-14).
    AfterAttack,
    /// Whether ground is taken, and by whom (DP-25).
    TakeGround,
    /// Ground is taken unless Timid Success was played (BT-MOMENTUM-03).
    Ground,
    /// Whom the bonus melee is against (DP-27).
    BonusMelee,
    /// Whether the defender battles back, and against whom (DP-28).
    BattleBack,

    // T5 (end_of_turn).
    /// Scenario banners of the end of a turn (BT-END-OF-TURN-01 a).
    EndTurn,
    /// Which discarded command card Wise Advisor takes (DP-30).
    Advise,
    /// Cards of the turn are put away (BT-END-OF-TURN-01 c to e).
    CleanUp,
    /// The active side draws command cards (BT-END-OF-TURN-01 f).
    Draw,
    /// Which of two drawn command cards is kept (DP-31).
    KeepOne,
    /// The draws that follow (BT-SCEN-11, BT-END-OF-TURN-01 g).
    DrawMore,
    /// A dragon card or 2 honor (DP-32).
    Replenish,
    /// A dragon card may be discarded for honor (DP-33).
    DiscardForHonor,
    /// The turn passes (BT-END-OF-TURN-01 j).
    PassTurn,
}
const _: () = assert!(size_of::<Step>() <= 8);

impl Step {
    /// Whether it is a question about a hidden hand: public facts alone say whether it is asked, and it is asked even where
    /// the hand leaves one answer (BT-DRAGON-USE-10).
    pub const fn is_about_a_hand(self) -> bool {
        matches!(self, Self::PlayCommand | Self::Window { .. } | Self::KeepOne | Self::DiscardForHonor)
    }
}
