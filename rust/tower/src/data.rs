//! Constants of the game that a clash needs (TW-COMP-01, TW-FILL-01).

use std::ops::{Add, AddAssign, Index, IndexMut, Sub};

use sengoku_kernel::cube_tower::{self, Colour};

/// Colours of cubes: five of players, and the farmers'.
pub const COLOURS: usize = 6;
/// Number of the farmers' colour: behind all seats (TW-TOWER-08).
pub const FARMER: u8 = 5;
/// Names of the colours. The order of the players' colours is ours; it is that of the seats where nobody says otherwise.
pub const COLOUR_NAMES: [&str; COLOURS] = ["red", "blue", "yellow", "purple", "black", "farmer"];
/// Cubes of each player colour, and farmers (TW-COMP-01).
pub const IN_THE_BOX: Cubes = Cubes([62, 62, 62, 62, 62, 20]);
/// Armies of every player in the fill of the tower (TW-FILL-01).
pub const FILL_ARMIES: u16 = 7;
/// Farmers in the fill of the tower (TW-FILL-01).
pub const FILL_FARMERS: u16 = 10;

/// Numbers of cubes by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cubes(pub [u16; COLOURS]);

impl Cubes {
    /// No cubes.
    pub const NONE: Self = Self([0; COLOURS]);

    /// Cubes of one colour.
    pub fn of(colour: u8, count: u16) -> Self {
        let mut cubes = Self::NONE;
        cubes[colour] = count;
        cubes
    }

    /// Counts a heap.
    pub fn count(heap: &[Colour]) -> Self {
        Self(cube_tower::count(heap.iter().copied()))
    }

    /// Number of all cubes.
    pub fn total(&self) -> u16 {
        self.0.iter().sum()
    }

    /// Takes all cubes of a colour away and says how many they were.
    pub fn take(&mut self, colour: u8) -> u16 {
        std::mem::take(&mut self[colour])
    }

    /// The cubes in the order of TW-TOWER-08: seats ascending, farmers last.
    pub fn heap(&self) -> cube_tower::Cubes {
        cube_tower::heap(&self.0)
    }
}

impl Index<u8> for Cubes {
    type Output = u16;

    fn index(&self, colour: u8) -> &u16 {
        &self.0[usize::from(colour)]
    }
}

impl IndexMut<u8> for Cubes {
    fn index_mut(&mut self, colour: u8) -> &mut u16 {
        &mut self.0[usize::from(colour)]
    }
}

impl Add for Cubes {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Cubes {
    fn add_assign(&mut self, other: Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}

impl Sub for Cubes {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (rest, count) in self.0.iter_mut().zip(other.0) {
            *rest -= count;
        }
        self
    }
}
