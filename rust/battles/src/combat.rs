//! The combat under way and its roll, as parts of the state.

use serde::{Deserialize, Serialize};

use crate::board::HexId;
use crate::data::{Faces, Side};
use crate::pieces::{LeaderId, UnitId, UnitSet};

/// The role of a roll in its combat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollKind {
    /// The attack itself, a shot included.
    #[default]
    Attack,
    /// First Strike or Ambush of the defender (BT-CMD-20, BT-DRAGON-16).
    FirstStrike,
    /// The defender battles back (BATTLEBACK).
    BattleBack,
}

/// One combat roll with everything that changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a card that was played or not, or a fact of the combat"
)]
pub struct Roll {
    /// Its role in the combat.
    pub kind: RollKind,
    /// The side whose units roll.
    pub side: Side,
    /// Units that roll: one, or those of a levy charge.
    pub units: UnitSet,
    /// The unit rolled against; nothing where it is a lone leader.
    pub against: Option<UnitId>,
    /// Hex of the piece rolled against, before the roll.
    pub hex: HexId,
    /// Dice of the roll, re-rolls not counted.
    pub dice: u8,
    /// Faces rolled, re-rolls added.
    pub faces: Faces,
    /// Rolling units that are inspired (BT-INSPIRE-01).
    pub inspired: UnitSet,
    /// Desperate Charge of this unit: two dice more (BT-DRAGON-19).
    pub desperate: Option<UnitId>,
    /// Aikido Training against this unit: at most two dice (BT-DRAGON-34).
    pub aikido: Option<UnitId>,
    /// Terror Strike: each F counts twice (BT-DRAGON-15).
    pub terror: bool,
    /// Cowards: no flag may be ignored (BT-DRAGON-23).
    pub cowards: bool,
    /// Courage or Courageous Leader: any number of flags may be ignored (BT-DRAGON-11, BT-DRAGON-24).
    pub courage: bool,
    /// Head Collector: two honor for each block removed (BT-DRAGON-26).
    pub head_collector: bool,
    /// Vengeance: as many dice as were rolled against it (BT-DRAGON-38).
    pub vengeance: bool,
}

/// The combat under way (T4). Attackers are of the active side, the defender is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a card that was played or not, or a fact of the combat"
)]
pub struct Combat {
    /// Whether it is fought from afar.
    pub ranged: bool,
    /// Units that attack: one, or those of a levy charge that are still in it (BT-LEVY-CHARGE-01); none while no combat
    /// is under way.
    pub attackers: UnitSet,
    /// The attacker; in a levy charge the one that is struck, struck back or takes ground.
    pub attacker: UnitId,
    /// Hex that is attacked.
    pub target: HexId,
    /// The unit attacked, if it is one.
    pub defender: Option<UnitId>,
    /// The lone leader attacked, if it is one.
    pub lone: Option<LeaderId>,
    /// Whether it is a bonus melee (BT-MOMENTUM-04).
    pub bonus: bool,
    /// Legendary Combat allows a bonus melee after taking ground (BT-DRAGON-28).
    pub legendary: bool,
    /// Timid Success: no ground is taken (BT-DRAGON-43).
    pub timid: bool,
    /// Whether the defender used First Strike or Ambush (BT-BATTLEBACK-07, BT-CMD-21).
    pub struck_first: bool,
    /// Ambush: the first strike has one die more (BT-DRAGON-16).
    pub ambush: bool,
    /// Shots fired by the attacker (BT-CMD-70).
    pub shots: u8,
    /// Unit that the first of two shots was at (BT-DRAGON-39).
    pub first_shot: Option<UnitId>,
    /// Blocks of that target removed by hits of the first shot (BT-DRAGON-39).
    pub first_losses: u8,
    /// Unit that Bulletproof Armor covers against this shooter (BT-DRAGON-39).
    pub armored: Option<UnitId>,
    /// Dice rolled against the defender, re-rolls not counted (BT-DRAGON-38).
    pub dice_against: u8,
    /// The roll under way.
    pub roll: Roll,
}
