//! Constants and ids of the game (BT-COMP); units, terrain and cards are in the files beside.

mod cards;
mod terrain;
mod units;

use std::ops::{Add, AddAssign, Index, IndexMut};

use sengoku_kernel::{Seat, by_id};
use serde::{Deserialize, Serialize};

pub use crate::board::{ByHex, HEXES, HexId, HexSet, Hexes};
pub use cards::{
    CARDS, CardKind, Cards, CombatKind, CommandCard, CommandRow, CostSource, DragonCard, DragonRow, Draw,
    Helmet, PlayableBy, Slots, Window,
};
pub use terrain::{NO_CAP, TERRAINS, Terrain, TerrainRow, melee_cap, ranged_cap};
pub use units::{Arm, LEADERS, LeaderKind, LeaderRow, UNITS, UnitKind, UnitRow, Weapon, ignored_swords};

/// Honor tokens in the game: both reserves, the pool and the tokens on dragon cards (BT-COMP-03).
pub const HONOR_TOKENS: u8 = 30;
/// Command cards (BT-COMP-03).
pub const COMMAND_CARDS: usize = 60;
/// Dragon cards (BT-COMP-03).
pub const DRAGON_CARDS: usize = 40;
/// Blocks of a full unit (BT-COMP-03).
pub const FULL_BLOCKS: u8 = 4;
/// Flags a unit may ignore in one combat roll, unless a card says more (BT-COMP-03, BT-MORALE-02).
pub const MAX_IGNORED_FLAGS: u8 = 2;
/// Banners for an enemy command tent (BT-ARMY-COMMANDER-12).
pub const TENT_BANNERS: u8 = 3;
/// Honor that a retreating lone leader costs, and one that leaves the board (BT-HONOR-09).
pub const LEADER_RETREAT_HONOR: u8 = 3;
/// Honor gained by seppuku (BT-SEPPUKU-02).
pub const SEPPUKU_HONOR: u8 = 5;
/// Farthest shot (BT-UNITS-01).
pub const MAX_RANGE: u8 = 4;
/// Most units on the board (State section of the ledger).
pub const MAX_UNITS: usize = 40;
/// Most leaders of an army (State section of the ledger).
pub const MAX_LEADERS: usize = 10;

/// Makes an enum whose variants are numbered in the order of a table.
macro_rules! numbered {
    ($(#[$about:meta])* $visible:vis enum $Name:ident { $($(#[$note:meta])* $Variant:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $visible enum $Name { $($(#[$note])* $Variant,)* }

        impl $Name {
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();
            /// All of them in order.
            pub const ALL: [Self; [$(stringify!($Variant)),*].len()] = [$(Self::$Variant),*];

            /// The number as an array index.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with a number.
            #[inline]
            pub const fn of_index(index: usize) -> Option<Self> {
                if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
            }
        }
    };
}
pub(crate) use numbered;

numbered! {
    /// The two armies, and the seats that command them (BT-COMP-01, BT-R-81).
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Side {
        /// The first-listed army, red, at the top edge; seat 0.
        #[default]
        Top,
        /// The second-listed army, blue, at the bottom edge; seat 1.
        Bottom,
    }
}

impl Side {
    /// The enemy.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

    /// The seat that commands the army.
    #[inline]
    pub const fn seat(self) -> Seat {
        Seat(self as u8)
    }

    /// The army that a seat commands.
    #[inline]
    pub const fn of_seat(seat: Seat) -> Option<Self> {
        Self::of_index(seat.index())
    }

    /// The army as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}

by_id! {
    /// A value for each army.
    #[derive(Default, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub struct BySide<T>([T; 2]) by Side;
}

numbered! {
    /// The faces of the battle die in canonical order (BT-COMP-02).
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Face {
        /// `C`, green circle.
        Circle,
        /// `T`, blue triangle.
        Triangle,
        /// `S`, red square.
        Square,
        /// `F`, flag.
        Flag,
        /// `H`, honor.
        Honor,
        /// `X`, crossed swords.
        Swords,
    }
}

impl Face {
    /// The letter of the ledger.
    pub const fn letter(self) -> char {
        ['C', 'T', 'S', 'F', 'H', 'X'][self as usize]
    }

    /// The face of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.letter() == letter)
    }
}

/// A roll: how many dice show each face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Faces(pub [u8; Face::COUNT]);

impl Faces {
    /// No dice.
    pub const NONE: Self = Self([0; Face::COUNT]);

    /// Number of dice.
    pub fn total(&self) -> u8 {
        self.0.iter().sum()
    }
}

impl Index<Face> for Faces {
    type Output = u8;

    fn index(&self, face: Face) -> &u8 {
        &self.0[face.index()]
    }
}

impl IndexMut<Face> for Faces {
    fn index_mut(&mut self, face: Face) -> &mut u8 {
        &mut self.0[face.index()]
    }
}

impl AddAssign for Faces {
    fn add_assign(&mut self, other: Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}

impl Add for Faces {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl FromIterator<Face> for Faces {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> Self {
        let mut counts = Self::NONE;
        for face in faces {
            counts[face] += 1;
        }
        counts
    }
}

numbered! {
    /// The symbol on a unit, whose die face hits it. Rank falls from square to circle; swords have none (BT-UNITS-08).
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Symbol {
        /// `C`.
        Circle,
        /// `T`.
        Triangle,
        /// `S`.
        Square,
        /// `X`, of the bodyguard.
        Swords,
    }
}

impl Symbol {
    /// The face with the symbol.
    #[inline]
    pub const fn face(self) -> Face {
        [Face::Circle, Face::Triangle, Face::Square, Face::Swords][self as usize]
    }

    /// The symbol on a face.
    #[inline]
    pub const fn of_face(face: Face) -> Option<Self> {
        match face {
            Face::Circle => Some(Self::Circle),
            Face::Triangle => Some(Self::Triangle),
            Face::Square => Some(Self::Square),
            Face::Swords => Some(Self::Swords),
            Face::Flag | Face::Honor => None,
        }
    }
}

numbered! {
    /// The parts of the board as it lies (BT-BOARD-08).
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Section {
        /// `x` up to 7.
        West,
        /// `x` from 7 to 15.
        Middle,
        /// `x` from 15.
        East,
    }
}

numbered! {
    /// The parts of the board as the owner of a card sees them (BT-BOARD-09).
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Flank {
        /// Left of the owner.
        Left,
        /// Centre.
        Center,
        /// Right of the owner.
        Right,
    }
}

impl Flank {
    /// The part of the board that an army calls so (BT-BOARD-09).
    #[inline]
    pub const fn section(self, side: Side) -> Section {
        match (self, side) {
            (Self::Center, _) => Section::Middle,
            (Self::Left, Side::Bottom) | (Self::Right, Side::Top) => Section::West,
            (Self::Right, Side::Bottom) | (Self::Left, Side::Top) => Section::East,
        }
    }

    /// The hexes that an army calls so, shared ones included.
    #[inline]
    pub const fn hexes(self, side: Side) -> HexSet {
        self.section(side).hexes()
    }

    /// Left for right and right for left (BT-CMD-10).
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Center => Self::Center,
            Self::Right => Self::Left,
        }
    }

    /// The flank as users write it.
    pub const fn name(self) -> &'static str {
        ["left", "center", "right"][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_die() {
        // BT-COMP-02
        assert_eq!(Face::ALL.map(Face::letter), ['C', 'T', 'S', 'F', 'H', 'X']);
        assert_eq!(Face::of_index(5), Some(Face::Swords));
        assert_eq!(Face::of_index(6), None);
        for symbol in Symbol::ALL {
            assert_eq!(Symbol::of_face(symbol.face()), Some(symbol));
        }
        let roll: Faces = [Face::Flag, Face::Swords, Face::Flag].into_iter().collect();
        assert_eq!((roll[Face::Flag], roll.total(), (roll + roll).total()), (2, 3, 6));
    }

    #[test]
    fn the_armies() {
        // BT-COMP-01, BT-R-81
        assert_eq!((Side::Top.seat(), Side::Bottom.seat()), (Seat(0), Seat(1)));
        assert_eq!(
            (Side::Top.other(), Side::of_seat(Seat(1)), Side::of_seat(Seat(2))),
            (Side::Bottom, Some(Side::Bottom), None)
        );
    }

    #[test]
    fn left_and_right_are_seen_by_the_owner() {
        // BT-BOARD-09
        assert_eq!(Flank::ALL.map(|flank| flank.section(Side::Bottom)), Section::ALL);
        assert_eq!(Flank::ALL.map(|flank| flank.mirrored().section(Side::Top)), Section::ALL);
    }
}
