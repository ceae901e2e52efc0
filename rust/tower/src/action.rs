//! Every decision of the game, and its place in one table.

use crate::data::{MAX_GROUP, PRICES, PROVINCES, ProvinceId, SLOTS, TREASURES};

/// Most armies that can move at once: all of a colour but the one that stays.
pub const MAX_MOVE: u8 = 61;

/// A decision one seat can take. What it does depends on the point that play has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Declines: no move, no favour, the event stays, the kept favour is kept.
    Pass,
    /// Draft: both open cards go under the deck (TW-D-02).
    Refresh,
    /// Draft: the open cards stay (TW-D-02).
    Keep,
    /// Draft: an open card, by position (TW-D-03).
    Open(u8),
    /// Draft: the top card of the deck (TW-D-03).
    Deck,
    /// Draft: an army group of this size (TW-D-04).
    Group(u8),
    /// Plan: the space stays empty (TW-D-14).
    Empty,
    /// Plan: a treasure card, by value.
    Treasure(u8),
    /// Plan: a tower card.
    TowerCard,
    /// A turn-order slot, 1 to 5 (TW-D-06).
    Slot(u8),
    /// The favour on the place for this many officers (CT-D-01).
    Favour(u8),
    /// The event of the season is removed (CT-D-02).
    RemoveEvent,
    /// A province: its card for a plan space, the next revolt, or the target of a favour.
    Province(ProvinceId),
    /// Armies go to a province: a move, or an attack (TW-D-07, TW-D-08, TW-D-09).
    Move {
        /// Where to.
        to: ProvinceId,
        /// How many.
        armies: u8,
    },
}
const _: () = assert!(size_of::<Action>() <= 4); // replays store millions of these

const OPEN: u32 = 3;
const DECK: u32 = OPEN + 2;
const GROUP: u32 = DECK + 1;
const EMPTY: u32 = GROUP + MAX_GROUP as u32;
const TREASURE: u32 = EMPTY + 1;
const TOWER_CARD: u32 = TREASURE + TREASURES as u32;
const SLOT: u32 = TOWER_CARD + 1;
const FAVOUR: u32 = SLOT + SLOTS as u32;
const REMOVE_EVENT: u32 = FAVOUR + PRICES.len() as u32;
const PROVINCE: u32 = REMOVE_EVENT + 1;
const MOVE: u32 = PROVINCE + PROVINCES as u32;
/// Entries of the action table.
pub const ACTION_COUNT: u32 = MOVE + PROVINCES as u32 * MAX_MOVE as u32;

impl Action {
    /// Place in the action table.
    pub const fn index(self) -> u32 {
        match self {
            Self::Pass => 0,
            Self::Refresh => 1,
            Self::Keep => 2,
            Self::Open(position) => OPEN + position as u32,
            Self::Deck => DECK,
            Self::Group(size) => GROUP + size as u32 - 1,
            Self::Empty => EMPTY,
            Self::Treasure(value) => TREASURE + value as u32,
            Self::TowerCard => TOWER_CARD,
            Self::Slot(slot) => SLOT + slot as u32 - 1,
            Self::Favour(price) => FAVOUR + PRICES[0] as u32 - price as u32,
            Self::RemoveEvent => REMOVE_EVENT,
            Self::Province(province) => PROVINCE + province.0 as u32,
            Self::Move { to, armies } => MOVE + to.0 as u32 * MAX_MOVE as u32 + armies as u32 - 1,
        }
    }

    /// The action at a place of the table.
    pub const fn at(index: u32) -> Option<Self> {
        Some(match index {
            0 => Self::Pass,
            1 => Self::Refresh,
            2 => Self::Keep,
            OPEN..DECK => Self::Open((index - OPEN) as u8),
            DECK => Self::Deck,
            GROUP..EMPTY => Self::Group((index - GROUP) as u8 + 1),
            EMPTY => Self::Empty,
            TREASURE..TOWER_CARD => Self::Treasure((index - TREASURE) as u8),
            TOWER_CARD => Self::TowerCard,
            SLOT..FAVOUR => Self::Slot((index - SLOT) as u8 + 1),
            FAVOUR..REMOVE_EVENT => Self::Favour(PRICES[0] - (index - FAVOUR) as u8),
            REMOVE_EVENT => Self::RemoveEvent,
            PROVINCE..MOVE => Self::Province(ProvinceId((index - PROVINCE) as u8)),
            MOVE..ACTION_COUNT => {
                let place = index - MOVE;
                let to = ProvinceId((place / MAX_MOVE as u32) as u8);
                Self::Move { to, armies: (place % MAX_MOVE as u32) as u8 + 1 }
            }
            _ => return None,
        })
    }

    /// The kind of the action, in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Refresh => "refresh",
            Self::Keep => "keep",
            Self::Open(_) => "open",
            Self::Deck => "deck",
            Self::Group(_) => "group",
            Self::Empty => "empty",
            Self::Treasure(_) => "treasure",
            Self::TowerCard => "tower_card",
            Self::Slot(_) => "slot",
            Self::Favour(_) => "favour",
            Self::RemoveEvent => "remove_event",
            Self::Province(_) => "province",
            Self::Move { .. } => "move",
        }
    }
}

/// Receives legal actions: a list, or [`sengoku_kernel::OnlyAction`].
pub(crate) trait ActionSink: sengoku_kernel::ActionSink<Action> {
    /// Adds a province for each of a set.
    fn add_provinces(&mut self, set: u64) {
        for province in crate::data::Provinces(set) {
            self.add(Action::Province(province));
        }
    }
}

impl<L: sengoku_kernel::ActionSink<Action>> ActionSink for L {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_dense() {
        assert_eq!(ACTION_COUNT, 2821);
        for index in 0..ACTION_COUNT {
            assert_eq!(Action::at(index).map(Action::index), Some(index));
        }
        assert_eq!(Action::at(ACTION_COUNT), None);
    }
}
