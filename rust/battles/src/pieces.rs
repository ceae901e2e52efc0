//! Units and leaders by number, and sets of them.

use serde::{Deserialize, Serialize};

use crate::board::HexId;
use crate::data::{LeaderKind, MAX_LEADERS, MAX_UNITS, Side, UnitKind};

macro_rules! pieces {
    ($(#[$id_doc:meta])* $id:ident < $most:expr, $(#[$set_doc:meta])* $set:ident($bits:ty)) => {
        $(#[$id_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub struct $id(pub u8);

        impl From<$id> for u8 {
            fn from(piece: $id) -> Self {
                piece.0
            }
        }

        impl TryFrom<u8> for $id {
            type Error = String;

            fn try_from(number: u8) -> Result<Self, String> {
                let known = usize::from(number) < $most;
                if known { Ok(Self(number)) } else { Err(format!("there is no piece {number}")) }
            }
        }

        impl $id {
            /// The piece as an array index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The piece as a set of one.
            pub const fn set(self) -> $set {
                $set(1 << self.0)
            }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $set(pub $bits);

        impl $set {
            /// No piece.
            pub const EMPTY: Self = Self(0);

            /// Whether a piece is in the set.
            pub const fn contains(self, piece: $id) -> bool {
                self.0 >> piece.0 & 1 == 1
            }

            /// Adds a piece.
            pub const fn insert(&mut self, piece: $id) {
                self.0 |= 1 << piece.0;
            }

            /// Takes a piece out.
            pub const fn remove(&mut self, piece: $id) {
                self.0 &= !(1 << piece.0);
            }

            /// Number of pieces.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is no piece.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The piece with the smallest number.
            pub const fn first(self) -> Option<$id> {
                if self.0 == 0 { None } else { Some($id(self.0.trailing_zeros() as u8)) }
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = Self;

            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::ops::BitOr for $set {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::Sub for $set {
            type Output = Self;

            /// The pieces of this set that are not in the other.
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl FromIterator<$id> for $set {
            fn from_iter<I: IntoIterator<Item = $id>>(pieces: I) -> Self {
                pieces.into_iter().fold(Self::EMPTY, |set, piece| set | piece.set())
            }
        }

        #[expect(clippy::copy_iterator, reason = "a set is a value; going through a copy leaves it as it is")]
        impl Iterator for $set {
            type Item = $id;

            /// Takes the piece with the smallest number out.
            fn next(&mut self) -> Option<$id> {
                let first = self.first()?;
                self.0 &= self.0 - 1;
                Some(first)
            }
        }

        impl DoubleEndedIterator for $set {
            /// Takes the piece with the greatest number out.
            fn next_back(&mut self) -> Option<$id> {
                let last = $id(self.0.checked_ilog2()? as u8);
                self.remove(last);
                Some(last)
            }
        }
    };
}

pieces! {
    /// A unit by its number; it keeps it as long as it lives, also when it changes sides.
    UnitId < MAX_UNITS,
    /// A set of units; bit `u` is unit `u`.
    UnitSet(u64)
}

pieces! {
    /// A leader by its number.
    LeaderId < 2 * MAX_LEADERS,
    /// A set of leaders; bit `l` is leader `l`.
    LeaderSet(u32)
}

/// A group of blocks in one hex. A unit that is gone has no blocks and is otherwise the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Where it stands.
    pub hex: HexId,
    /// Whose it is.
    pub side: Side,
    /// Its kind.
    pub kind: UnitKind,
    /// Blocks left, 1 to 4.
    pub blocks: u8,
}

/// A leader block (BT-LEADERS-01). A leader that is gone is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leader {
    /// Where it stands, alone or attached.
    pub hex: HexId,
    /// Whose it is.
    pub side: Side,
    /// Its kind; an army commander without a bodyguard is a foot leader (BT-ARMY-COMMANDER-10).
    pub kind: LeaderKind,
    /// Whether it is or was the army commander (BT-ARMY-COMMANDER-10).
    pub was_commander: bool,
    /// Whether it is on the board.
    pub present: bool,
    /// Its number among the named leaders of the scenario, if it has a name there.
    pub name: Option<u8>,
}
