//! The 127 hexes of the board: places, sets, neighbours, distances, sections (BT-BOARD).
//!
//! Everything is a table that the compiler computes from the coordinates of BT-BOARD-02.

mod hex_set;

use std::fmt;

use sengoku_kernel::{by_id, id, serde_by_name};

use crate::data::{Section, Side};

pub use hex_set::{HexSet, Hexes};

/// Rows of the board (BT-BOARD-01).
pub const ROWS: u8 = 11;
/// Hexes of the board (BT-BOARD-01).
pub const HEXES: usize = 127;

id! {
    /// A hex by its canonical index: row by row from the top edge, west to east (BT-BOARD-03).
    #[derive(Default)]
    pub struct HexId < HEXES;
}

impl HexId {
    /// The hex of a row and its place in the row, if the board has one there (BT-BOARD-01).
    pub const fn at(row: u8, column: u8) -> Option<Self> {
        if row < ROWS && column < width(row) {
            Some(Self(23 * (row / 2) + 12 * (row % 2) + column))
        } else {
            None
        }
    }

    /// The hex of a row and a doubled coordinate, if it is a full hex of the board (BT-BOARD-02).
    pub const fn at_x(row: i8, x: i8) -> Option<Self> {
        if row < 0 || x < 0 || (x - row) % 2 != 0 { None } else { Self::at(row as u8, (x / 2) as u8) }
    }

    /// Its row, 0 at the top edge.
    pub const fn row(self) -> u8 {
        2 * (self.0 / 23) + (self.0 % 23 >= 12) as u8
    }

    /// Its place in the row, 0 in the west.
    pub const fn column(self) -> u8 {
        self.0 % 23 % 12
    }

    /// Its doubled coordinate (BT-BOARD-02).
    pub const fn x(self) -> u8 {
        2 * self.column() + self.row() % 2
    }

    /// The hex as a set of one.
    pub const fn set(self) -> HexSet {
        HexSet(1 << self.0)
    }

    /// The hexes next to it (BT-BOARD-05).
    #[inline]
    pub const fn neighbours(self) -> HexSet {
        NEIGHBOURS[self.index()]
    }

    /// Whether two hexes touch.
    #[inline]
    pub const fn is_next_to(self, other: Self) -> bool {
        NEIGHBOURS[self.index()].contains(other)
    }

    /// Steps from one hex to another (BT-BOARD-06).
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        DISTANCES[self.index()][other.index()]
    }

    /// The up to two hexes of the next row toward the baseline of an army (BT-BOARD-07, BT-RETREAT-02).
    #[inline]
    pub const fn behind(self, side: Side) -> HexSet {
        BEHIND[side as usize][self.index()]
    }

    /// The hexes at a distance of up to 4.
    #[inline]
    pub const fn ring(self, distance: u8) -> HexSet {
        RINGS[distance as usize][self.index()]
    }

    /// The hex as users write it, e.g. `3,4` for row 3, place 4.
    ///
    /// # Errors
    /// A description of what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(',').and_then(|(row, column)| {
            let number =
                |part: &str| part.bytes().all(|digit| digit.is_ascii_digit()).then(|| part.parse().ok());
            Some((number(row)??, number(column)??))
        });
        let (row, column) =
            numbers.ok_or_else(|| format!("{text:?} is not a hex, write row,place like 3,4"))?;
        Self::at(row, column).ok_or_else(|| off_board(row, column))
    }
}

/// Error message for a place that is not on the board.
pub(crate) fn off_board(row: u8, column: u8) -> String {
    if row < ROWS {
        format!("{row},{column} is off the board, row {row} has the hexes 0 to {}", width(row) - 1)
    } else {
        format!("{row},{column} is off the board, which has the rows 0 to {}", ROWS - 1)
    }
}

/// Hexes of a row (BT-BOARD-01).
pub const fn width(row: u8) -> u8 {
    12 - row % 2
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row(), self.column())
    }
}

by_id! {
    /// A value for each hex.
    pub struct ByHex<T>([T; HEXES]) by HexId;
}

serde_by_name! { "hex": HexId, ByHex; |hex: HexId| hex; HexId::parse }

impl Section {
    /// The hexes of the section, those it shares with another included (BT-BOARD-08).
    #[inline]
    pub const fn hexes(self) -> HexSet {
        SECTIONS[self as usize]
    }

    /// The hexes of the section where shared ones count as the middle only (BT-R-05, BT-SCEN-13).
    pub const fn hexes_shared_to_middle(self) -> HexSet {
        match self {
            Self::West => HexSet(SECTIONS[0].0 & !SECTIONS[1].0),
            Self::Middle => SECTIONS[1],
            Self::East => HexSet(SECTIONS[2].0 & !SECTIONS[1].0),
        }
    }
}

impl Side {
    /// The row at the edge of the army (BT-BOARD-07).
    #[inline]
    pub const fn baseline(self) -> HexSet {
        match self {
            Self::Top => HexSet((1 << 12) - 1),
            Self::Bottom => HexSet(((1 << 12) - 1) << 115),
        }
    }
}

/// The six steps as differences of row and doubled coordinate (BT-BOARD-05).
const STEPS: [(i8, i8); 6] = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)];

static NEIGHBOURS: [HexSet; HEXES] = {
    let mut table = [HexSet::EMPTY; HEXES];
    let mut hex = 0;
    while hex < HEXES {
        let here = HexId(hex as u8);
        let mut step = 0;
        while step < STEPS.len() {
            let (row, x) = STEPS[step];
            if let Some(next) = HexId::at_x(here.row().cast_signed() + row, here.x().cast_signed() + x) {
                table[hex].insert(next);
            }
            step += 1;
        }
        hex += 1;
    }
    table
};

static DISTANCES: [[u8; HEXES]; HEXES] = {
    let mut table = [[0; HEXES]; HEXES];
    let mut from = 0;
    while from < HEXES {
        let mut to = 0;
        while to < HEXES {
            let (a, b) = (HexId(from as u8), HexId(to as u8));
            let rows = a.row().abs_diff(b.row());
            let half_steps = u8::midpoint(a.x().abs_diff(b.x()), rows);
            table[from][to] = if rows > half_steps { rows } else { half_steps };
            to += 1;
        }
        from += 1;
    }
    table
};

static RINGS: [[HexSet; HEXES]; 5] = {
    let mut table = [[HexSet::EMPTY; HEXES]; 5];
    let mut from = 0;
    while from < HEXES {
        let mut to = 0;
        while to < HEXES {
            let distance = DISTANCES[from][to] as usize;
            if distance < 5 {
                table[distance][from].insert(HexId(to as u8));
            }
            to += 1;
        }
        from += 1;
    }
    table
};

static BEHIND: [[HexSet; HEXES]; 2] = {
    let mut table = [[HexSet::EMPTY; HEXES]; 2];
    let mut hex = 0;
    while hex < HEXES {
        // In row-major order everything nearer to the top comes before the hex and its row, nearer to the bottom after.
        let here = HexId(hex as u8);
        let row_start = here.0 - here.column();
        let above = (1_u128 << row_start) - 1;
        let through_row = (1_u128 << (row_start + width(here.row()))) - 1;
        table[Side::Top as usize][hex] = HexSet(NEIGHBOURS[hex].0 & above);
        table[Side::Bottom as usize][hex] = HexSet(NEIGHBOURS[hex].0 & !through_row);
        hex += 1;
    }
    table
};

static SECTIONS: [HexSet; 3] = {
    let mut table = [HexSet::EMPTY; 3];
    let mut hex = 0;
    while hex < HEXES {
        let here = HexId(hex as u8);
        let x = here.x();
        if x <= 7 {
            table[Section::West as usize].insert(here);
        }
        if 7 <= x && x <= 15 {
            table[Section::Middle as usize].insert(here);
        }
        if 15 <= x {
            table[Section::East as usize].insert(here);
        }
        hex += 1;
    }
    table
};

#[cfg(test)]
mod tests;
