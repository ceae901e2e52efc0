//! The current point of play: the pending decision and the procedure that it belongs to (SW-S-24..34).
//!
//! These parts of a state are public through [`crate::state`].

use serde::{Deserialize, Serialize};

use crate::data::{ByUnit, ClanId, DAIMYO, ProvinceId, Unit};
use crate::force::Losses;
use crate::pieces::PlanBox;
use crate::play::combat::{Combat, Role};

/// An attacking force of the active clan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attacker {
    /// One of its armies.
    Army(u8),
    /// The provincial force of a province.
    Force(ProvinceId),
}

/// Where a war turn stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named as in the rules")]
pub enum Phase {
    #[default]
    None,
    A,
    B,
    C,
    D,
}

/// A force on its way out of a province: what is still to be said before it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct March {
    /// The army that moves, or none for units of a provincial force.
    pub army: Option<u8>,
    /// Where it stands.
    pub from: ProvinceId,
    /// Where it goes.
    pub to: ProvinceId,
    /// Ronin taken from the hidden stack.
    pub hidden: u8,
    /// Ronin of a revealed stack that stay behind.
    pub rest: u8,
    /// Provincial units on the way, with their ronin.
    pub units: ByUnit<u8>,
    /// How many of them go into the army at the other end.
    pub into_army: ByUnit<u8>,
}

/// A battle under way (SW-S-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// The attacked province.
    pub target: ProvinceId,
    /// The clan that defends.
    pub defender: ClanId,
    /// Dice, rounds and hits.
    pub combat: Combat,
    /// Casualties chosen so far by the attacker and by the defender, hidden until both have chosen (SW-R-59).
    pub losses: [Losses; 2],
    /// Answers each side still owes.
    pub owed: [u8; 2],
}

/// The decision, or the automatic step, that play has come to (SW-S-24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// Two players divide their cards; how many are still to be named (SW-D-01).
    Divide(u8),
    /// Spearmen of the first reinforcements; how many have been placed by all (SW-D-02).
    Reinforce(u8),
    /// Army markers; how many have been placed by all (SW-D-03).
    PlaceArmies(u8),
    /// The ninja may spy (SW-D-04).
    Spy,
    /// Koku for a box (SW-D-05).
    Plan(PlanBox),
    /// A sword is chosen (SW-D-06), or wished for by tied clans (SW-D-07).
    Swords,
    /// A building (SW-D-08).
    Build,
    /// A bundle for a koku; koku spent so far (SW-D-09).
    Buy(u8),
    /// A place for a bought unit; units seen to so far (SW-D-10).
    Levy(u8),
    /// A place for a hired ronin; ronin seen to so far (SW-D-11).
    Ronin(u8),
    /// The next war turn is due.
    WarTurn,
    /// Which army moves next (SW-D-14, SW-D-28).
    ChooseArmy,
    /// An army on the move (SW-D-15): who, steps left, whether it has picked up units where it stands.
    Move {
        /// The army.
        army: u8,
        /// Steps it may still take.
        steps: u8,
        /// It has picked up units in this province, so it may take ronin over too.
        picked: bool,
    },
    /// Units detached so far into an empty province (SW-WAR-D-03).
    Detach {
        /// The army.
        army: u8,
        /// Its steps left.
        steps: u8,
        /// Where to.
        to: ProvinceId,
        /// Units sent so far.
        count: u8,
    },
    /// Units left so far as a garrison; steps left after this one (SW-WAR-A-05).
    Garrison {
        /// Steps left on arrival.
        steps: u8,
        /// Units left so far.
        count: u8,
    },
    /// How many of the army's ronin stay behind; steps left after this one (SW-R-45).
    LeaveRonin(u8),
    /// How many of a revealed stack's rest join the army that stays; steps left after this one (SW-R-45).
    DivideRest(u8),
    /// Which force declares (SW-D-16).
    Declare,
    /// Against which province (SW-D-16).
    DeclareTarget(Attacker),
    /// Which declared battle comes next (SW-D-17).
    ChooseBattle,
    /// An attack on a province is due.
    Attack(ProvinceId),
    /// The attacker of a two-force province reveals ronin (SW-D-18).
    RevealAttacker(ProvinceId),
    /// The defender divides revealed ronin (SW-D-18).
    RevealDefender(ProvinceId),
    /// All ronin are revealed, dice are due.
    FirstDie(ProvinceId),
    /// Dice are rolled.
    Roll,
    /// Casualties are chosen (SW-D-19, SW-D-20, SW-D-21).
    Casualties(Role),
    /// Step 8 (SW-D-22).
    CallOff,
    /// The series goes on, or a conquest move is possible (SW-D-23, SW-D-25).
    Conquest,
    /// The next target of a series (SW-D-24).
    NextTarget,
    /// Which provincial force moves (SW-D-29).
    ChooseForce,
    /// Which of its units, and where to (SW-D-29).
    ChooseUnits {
        /// The province they stand in.
        from: ProvinceId,
        /// Units and ronin chosen so far.
        units: ByUnit<u8>,
    },
    /// How many arriving units of a kind go into the army there (SW-D-29).
    IntoArmy(Unit),
    /// All war turns are over.
    EndRound,
    /// Nothing is to be decided any more.
    Over(End),
}

/// How a match ended (SW-S-33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A player has the provinces that win (SW-WIN-01, SW-TWO-06, SW-LONG-01).
    Provinces(u8),
    /// Only this player is left (SW-R-80).
    LastPlayer(u8),
    /// Nobody is left (SW-R-71, SW-R-80).
    NobodyLeft,
    /// The host's cap on rounds (SW-R-81).
    RoundLimit,
}

impl End {
    /// Why the match ended, in one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Provinces(_) => "provinces",
            Self::LastPlayer(_) => "last_player",
            Self::NobodyLeft => "nobody_left",
            Self::RoundLimit => "round_limit",
        }
    }
}

/// Daimyo who come back to an eliminator (SW-ELIM-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The eliminator.
    pub clan: ClanId,
    /// Armies still to come back, by number.
    pub armies: [bool; DAIMYO],
    /// The army that has just been placed and may pick up units, if any.
    pub placed: Option<u8>,
    /// It has picked up a unit, so it may take ronin over too.
    pub picked: bool,
}

/// A successful revenge that waits for its victim (SW-D-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revenge {
    /// The clan that takes revenge.
    pub by: ClanId,
    /// The clan that had sent the ninja.
    pub on: ClanId,
}
