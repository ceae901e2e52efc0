use std::fmt;

/// Most seats any game has.
pub const MAX_SEATS: usize = 5;

/// A place at the table, counted from 0. Seats decide; what they command (clans, sides) is the game's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// Nobody at the table, as a viewer: it sees what everybody may see, and it never decides.
    pub const SPECTATOR: Self = Self(u8::MAX);

    /// The seat as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table of `count`.
    pub fn all(count: usize) -> impl Iterator<Item = Self> {
        (0..count.min(MAX_SEATS)).map(|index| Self(index as u8))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "seat {}", self.0)
    }
}
