//! The result of a strike: what remains of both sides, and the recorded steps of the fight.

use super::strike::{ByRole, Role};
use crate::data::{Face, numbered};

numbered! {
    /// The fate of a leader.
    #[derive(Default)]
    pub enum LeaderEnd {
        /// There was none.
        #[default]
        None,
        /// He is with his unit, or alone where it fell.
        Stands,
        /// He was eliminated: a banner for the enemy.
        Eliminated,
        /// He retreated alone.
        Retreated,
        /// He committed seppuku.
        Seppuku,
    }
}

impl LeaderEnd {
    /// The end in one word.
    pub const fn name(self) -> &'static str {
        ["none", "stands", "eliminated", "retreated", "seppuku"][self as usize]
    }
}

/// The remains of a side after a strike. For a levy charge this is the unit that the defender strikes at, because no
/// other can lose anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Remains {
    /// Blocks of the unit.
    pub blocks: u8,
    /// Its leader, or the lone leader.
    pub leader: LeaderEnd,
    /// Hexes that the unit retreated.
    pub retreat: u8,
    /// Change of the honor of its player.
    pub honor: i8,
    /// Banners that its player gained.
    pub banners: u8,
    /// Dice of lack-of-honor rolls that hit other units of its player, as far as there are any (BT-LACK-OF-HONOR-02).
    pub others: u8,
}

/// How a strike ends: what is left of both sides.
pub type Outcome = ByRole<Remains>;

/// One line of a strike's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightStep {
    /// The kind of step.
    pub what: What,
    /// The side that rolled, or that it happened to.
    pub role: Role,
    /// Faces rolled, in order; those of re-rolls follow.
    pub faces: Vec<Face>,
    /// Hits of a combat roll; 1 for a leader that a check or a lack of honor eliminated.
    pub hits: u8,
    /// Flags of a combat roll, or ignored ones.
    pub flags: u8,
    /// Honor gained or lost; of a combat roll what the faces give.
    pub honor: i8,
    /// Blocks lost.
    pub blocks: u8,
    /// Hexes retreated.
    pub hexes: u8,
}

impl FightStep {
    pub(super) const fn new(what: What, role: Role) -> Self {
        Self { what, role, faces: Vec::new(), hits: 0, flags: 0, honor: 0, blocks: 0, hexes: 0 }
    }
}

numbered! {
    /// The kind of a step in the record of a strike.
    pub enum What {
        /// Honor paid for inspired units.
        Inspire,
        /// The roll of First Strike or Ambush.
        FirstStrike,
        /// The roll of the attack.
        Attack,
        /// The roll of the battle back.
        BattleBack,
        /// Blocks lost to hits.
        Losses,
        /// Honor collected.
        Honor,
        /// The enemy's roll for a leader whose unit lost blocks.
        LeaderCheck,
        /// A lone leader falls.
        LeaderFalls,
        /// A bodyguard without its commander surrenders.
        Surrender,
        /// Flags ignored.
        Flags,
        /// Blocks lost to flags in a castle.
        Castle,
        /// A retreat: hexes, blocks for those not completed, honor.
        Retreat,
        /// A leader retreats alone.
        LeaderRetreat,
        /// A leader commits seppuku.
        Seppuku,
        /// The roll of a player who cannot pay.
        LackOfHonor,
    }
}

impl What {
    /// It in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inspire => "inspire",
            Self::FirstStrike => "first_strike",
            Self::Attack => "attack",
            Self::BattleBack => "battle_back",
            Self::Losses => "losses",
            Self::Honor => "honor",
            Self::LeaderCheck => "leader_check",
            Self::LeaderFalls => "leader_falls",
            Self::Surrender => "surrender",
            Self::Flags => "flags",
            Self::Castle => "castle",
            Self::Retreat => "retreat",
            Self::LeaderRetreat => "leader_retreat",
            Self::Seppuku => "seppuku",
            Self::LackOfHonor => "lack_of_honor",
        }
    }
}
