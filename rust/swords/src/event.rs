//! Public events, as typed entries of a match's log.

use serde::Serialize;

use crate::data::{ByUnit, ClanId, Fort, Unit};
use crate::play::combat::{BattleEnd, Role};
use crate::state::Plan;

/// Something that happened for everybody to see. Provinces are named by their key, armies numbered 1 to 3 (SW-R-13).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Event {
    /// Cards were dealt and a spearman stands in each province.
    Claimed { clan: ClanId, provinces: Vec<&'static str> },
    /// Two spearmen of the first reinforcements.
    Reinforced { clan: ClanId, province: &'static str },
    /// An army marker was placed during setup.
    ArmyPlaced { clan: ClanId, army: u8, province: &'static str },
    /// A round begins.
    Round { round: u16 },
    /// The holder of the ninja looked at a plan.
    Spied { clan: ClanId, on: ClanId },
    /// A plan was revealed.
    Plan { clan: ClanId, plan: Plan },
    /// A sword was chosen, won in a tie, or drawn.
    Sword { clan: ClanId, sword: u8, drawn: bool },
    /// A castle or fortress was built.
    Built { clan: ClanId, province: &'static str, fort: Fort },
    /// The pool had no piece left for a building.
    BuildRefused { clan: ClanId, province: &'static str },
    /// A clan bought units.
    Bought { clan: ClanId, units: ByUnit<u8> },
    /// A levied unit was placed.
    Levied { clan: ClanId, unit: Unit, province: &'static str, into_army: bool },
    /// Bought units that were not placed went back to the tray.
    GivenUp { clan: ClanId, units: ByUnit<u8> },
    /// Ronin were hired.
    Hired { clan: ClanId, ronin: u8 },
    /// Face-down cards with ronin, by size.
    Cards { clan: ClanId, sizes: Vec<u8> },
    /// The clan that hired the ninja, if any did.
    Ninja { clan: Option<ClanId> },
    /// An attempt on a daimyo.
    Assassination { clan: ClanId, on: ClanId, army: u8, die: u8, success: bool },
    /// The die of revenge.
    Revenge { clan: ClanId, on: ClanId, die: u8, success: bool },
    /// A daimyo was assassinated; his army is disrupted.
    Disrupted { clan: ClanId, army: u8 },
    /// A daimyo is lost.
    DaimyoLost { clan: ClanId, army: u8 },
    /// A clan is out of the game.
    Eliminated { clan: ClanId, by: Option<ClanId> },
    /// A lost daimyo came back.
    Recovered { clan: ClanId, army: u8, province: &'static str },
    /// A war turn begins.
    WarTurn { clan: ClanId },
    /// An army took a step, or made a conquest move.
    Step { clan: ClanId, army: u8, from: &'static str, to: &'static str },
    /// An army took over a unit of the provincial force.
    PickedUp { clan: ClanId, army: u8, province: &'static str, unit: Unit },
    /// An army left a unit as garrison, or detached it.
    Dropped { clan: ClanId, army: u8, province: &'static str, unit: Unit },
    /// Units of a provincial force moved.
    Moved { clan: ClanId, from: &'static str, to: &'static str, units: ByUnit<u8> },
    /// Hidden ronin were turned over.
    Revealed { clan: ClanId, province: &'static str, ronin: u8 },
    /// Ronin beyond the limit went back to the pool.
    Dismissed { clan: ClanId, province: &'static str, ronin: u8 },
    /// A battle was declared by an army (its number) or a provincial force.
    Declared { clan: ClanId, army: Option<u8>, from: &'static str, target: &'static str },
    /// A clan that could declare more battles declares no more; how many it has declared.
    Declarations { clan: ClanId, battles: u8 },
    /// A declared or further attack found nobody to fight.
    Lapsed { clan: ClanId, target: &'static str },
    /// A battle begins.
    Battle {
        clan: ClanId,
        army: Option<u8>,
        from: &'static str,
        target: &'static str,
        defender: ClanId,
        naval: bool,
    },
    /// Dice of one side in one step.
    Dice { role: Role, round: u32, step: u8, dice: Vec<u8>, hits: u8 },
    /// Units removed by one side.
    Casualties { role: Role, clan: ClanId, bonus: u8, provincial: ByUnit<u8>, army: ByUnit<u8> },
    /// A battle ended by its dice or was called off.
    BattleOver { target: &'static str, end: BattleEnd },
    /// A battle ended otherwise than by its dice (SW-R-36, SW-R-90).
    BattleBroken { target: &'static str },
    /// A province has no unit left.
    Emptied { province: &'static str },
    /// A clan moved into an empty province.
    Conquered { clan: ClanId, province: &'static str },
    /// An experience marker moved.
    Experience { clan: ClanId, army: u8, hole: u8, level: u8 },
    /// Action 9.
    Income { clan: ClanId, provinces: u8, koku: u8 },
    /// A successor took over a disrupted army.
    Successor { clan: ClanId, army: u8 },
    /// The match is over.
    Over { reason: &'static str, winner: Option<u8> },
}

/// The context that rules are played in: chance, and a log of events where one is wanted.
pub(crate) trait Context: sengoku_kernel::Context<Event> {}

impl<T: sengoku_kernel::Context<Event>> Context for T {}
