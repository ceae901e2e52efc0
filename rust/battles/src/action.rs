//! Every decision of the game, and its place in one table.

use crate::board::{HEXES, HexId, HexSet};
use crate::data::{CommandCard, DragonCard, Flank};

/// Most that a number can be: flags of one roll that are ignored.
pub const MAX_NUMBER: u8 = 63;

/// A decision one seat can take. What it does depends on the question that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Declines, or ends what could go on: no card, no more orders, no move, no battle, no battle back.
    Pass,
    /// Does what is asked: inspires, turns the unit, plays the card taken.
    Yes,
    /// The leader commits seppuku (DP-22).
    Seppuku,
    /// The leader leaves the board (BT-LEADERS-30).
    Leave,
    /// Draws a dragon card (DP-32).
    DrawDragon,
    /// Takes 2 honor (DP-32).
    TakeHonor,
    /// A command card: played, kept, or taken from the discards; First Strike in its window.
    Command(CommandCard),
    /// A dragon card: played in a window, taken from the discards, or discarded for honor.
    Dragon(DragonCard),
    /// Tactical Wisdom: the orders of one section go to another (DP-04).
    Redirect {
        /// Section of the card.
        from: Flank,
        /// The section that takes its place.
        to: Flank,
    },
    /// A number: flags ignored (DP-20).
    Number(u8),
    /// A hex: the unit there with its leader, the lone leader there, or a place to go to.
    Hex(HexId),
    /// The leader in a hex by itself, away from its unit (BT-ORDERS-10).
    Leader(HexId),
}
const _: () = assert!(size_of::<Action>() <= 4); // replays store millions of these

const COMMAND: u32 = 6;
const DRAGON: u32 = COMMAND + CommandCard::COUNT as u32;
const REDIRECT: u32 = DRAGON + DragonCard::COUNT as u32;
const NUMBER: u32 = REDIRECT + 6;
const HEX: u32 = NUMBER + MAX_NUMBER as u32 + 1;
const LEADER: u32 = HEX + HEXES as u32;
/// Entries of the action table.
pub const ACTION_COUNT: u32 = LEADER + HEXES as u32;

impl Action {
    /// Place in the action table.
    pub const fn index(self) -> u32 {
        match self {
            Self::Pass => 0,
            Self::Yes => 1,
            Self::Seppuku => 2,
            Self::Leave => 3,
            Self::DrawDragon => 4,
            Self::TakeHonor => 5,
            Self::Command(card) => COMMAND + card as u32,
            Self::Dragon(card) => DRAGON + card as u32,
            // The two other sections in order.
            Self::Redirect { from, to } => {
                REDIRECT + 2 * from as u32 + to as u32 - (to as u32 > from as u32) as u32
            }
            Self::Number(number) => NUMBER + number as u32,
            Self::Hex(hex) => HEX + hex.0 as u32,
            Self::Leader(hex) => LEADER + hex.0 as u32,
        }
    }

    /// The action at a place of the table.
    pub const fn at(index: u32) -> Option<Self> {
        Some(match index {
            0 => Self::Pass,
            1 => Self::Yes,
            2 => Self::Seppuku,
            3 => Self::Leave,
            4 => Self::DrawDragon,
            5 => Self::TakeHonor,
            COMMAND..DRAGON => Self::Command(CommandCard::ALL[(index - COMMAND) as usize]),
            DRAGON..REDIRECT => Self::Dragon(DragonCard::ALL[(index - DRAGON) as usize]),
            REDIRECT..NUMBER => {
                let (from, other) = ((index - REDIRECT) / 2, (index - REDIRECT) % 2);
                let to = other + (other >= from) as u32;
                Self::Redirect { from: Flank::ALL[from as usize], to: Flank::ALL[to as usize] }
            }
            NUMBER..HEX => Self::Number((index - NUMBER) as u8),
            HEX..LEADER => Self::Hex(HexId((index - HEX) as u8)),
            LEADER..ACTION_COUNT => Self::Leader(HexId((index - LEADER) as u8)),
            _ => return None,
        })
    }

    /// The kind of the action, in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Yes => "yes",
            Self::Seppuku => "seppuku",
            Self::Leave => "leave",
            Self::DrawDragon => "draw_dragon",
            Self::TakeHonor => "take_honor",
            Self::Command(_) => "command",
            Self::Dragon(_) => "dragon",
            Self::Redirect { .. } => "redirect",
            Self::Number(_) => "number",
            Self::Hex(_) => "hex",
            Self::Leader(_) => "leader",
        }
    }
}

/// Receives legal actions: a list, or [`sengoku_kernel::OnlyAction`]. They come in table order.
pub(crate) trait ActionSink: sengoku_kernel::ActionSink<Action> {
    /// Adds each hex of a set.
    fn add_hexes(&mut self, hexes: HexSet) {
        for hex in hexes {
            self.add(Action::Hex(hex));
        }
    }

    /// Adds each hex of a set for the leader there.
    fn add_leaders(&mut self, hexes: HexSet) {
        for hex in hexes {
            self.add(Action::Leader(hex));
        }
    }
}

impl<L: sengoku_kernel::ActionSink<Action>> ActionSink for L {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_dense() {
        assert_eq!(ACTION_COUNT, 396);
        for index in 0..ACTION_COUNT {
            assert_eq!(Action::at(index).map(Action::index), Some(index));
        }
        assert_eq!(Action::at(ACTION_COUNT), None);
    }
}
