//! Sets of hexes as bit masks.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{HEXES, HexId, ROWS, width};

/// A set of hexes; bit `h` is hex `h`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct HexSet(pub u128);

impl HexSet {
    /// No hex.
    pub const EMPTY: Self = Self(0);
    /// The whole board.
    pub const ALL: Self = Self((1 << HEXES) - 1);

    /// Whether a hex is in the set.
    #[inline]
    pub const fn contains(self, hex: HexId) -> bool {
        self.0 >> hex.0 & 1 != 0
    }

    /// Whether no hex is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of hexes.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the sets have a hex in common.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every hex of this set is in the other.
    #[inline]
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with a hex more.
    #[inline]
    #[must_use]
    pub const fn with(self, hex: HexId) -> Self {
        Self(self.0 | 1 << hex.0)
    }

    /// The set without a hex.
    #[inline]
    #[must_use]
    pub const fn without(self, hex: HexId) -> Self {
        Self(self.0 & !(1 << hex.0))
    }

    /// Adds a hex.
    #[inline]
    pub const fn insert(&mut self, hex: HexId) {
        *self = self.with(hex);
    }

    /// Takes a hex out.
    #[inline]
    pub const fn remove(&mut self, hex: HexId) {
        *self = self.without(hex);
    }

    /// The first hex in row-major order.
    #[inline]
    pub const fn first(self) -> Option<HexId> {
        if self.0 == 0 { None } else { Some(HexId(self.0.trailing_zeros() as u8)) }
    }

    /// The only hex of a set of one.
    #[inline]
    pub const fn only(self) -> Option<HexId> {
        if self.0.is_power_of_two() { self.first() } else { None }
    }

    /// The hexes in row-major order.
    #[inline]
    pub const fn iter(self) -> Hexes {
        Hexes(self.0)
    }

    /// The hexes next to any hex of the set; those of the set itself are among them where they touch.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Self {
        // A step east or west is a shift by one, the four others shift by 11 or 12; steps over the edge of the
        // board would land in another row and are masked out.
        let (from_west, from_east) = (self.0 & !EAST_EDGE.0, self.0 & !WEST_EDGE.0);
        let (long, short) = (self.0 & EVEN_ROWS.0, self.0 & !EVEN_ROWS.0);
        let (long_not_east, long_not_west) = (long & !EAST_EDGE.0, long & !WEST_EDGE.0);
        Self(
            (from_west << 1
                | from_east >> 1
                | long_not_east << 12
                | long_not_west << 11
                | long_not_east >> 11
                | long_not_west >> 12
                | short << 11
                | short << 12
                | short >> 12
                | short >> 11)
                & Self::ALL.0,
        )
    }

    /// The hexes of the set that can be reached from a part of it by steps within the set; `from` is among them where
    /// it is in the set.
    #[must_use]
    pub const fn connected(self, from: Self) -> Self {
        let mut reached = Self(from.0 & self.0);
        loop {
            let next = Self((reached.0 | reached.neighbours().0) & self.0);
            if next.0 == reached.0 {
                return reached;
            }
            reached = next;
        }
    }

    /// Whether the hexes form one group, joined by steps within the set; no hex and a single hex do.
    pub const fn is_connected(self) -> bool {
        let first = Self(self.0 & self.0.wrapping_neg());
        self.connected(first).0 == self.0
    }
}

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|hex| format!("{hex}"))).finish()
    }
}

impl Serialize for HexSet {
    /// A list for people, the bits for machines.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            serializer.serialize_u128(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for HexSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Ok(Vec::<HexId>::deserialize(deserializer)?.into_iter().collect());
        }
        let bits = u128::deserialize(deserializer)?;
        let set = (bits & !Self::ALL.0 == 0).then_some(Self(bits));
        set.ok_or_else(|| D::Error::custom("a hex beyond the board"))
    }
}

impl FromIterator<HexId> for HexSet {
    fn from_iter<I: IntoIterator<Item = HexId>>(hexes: I) -> Self {
        hexes.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for HexSet {
    type Item = HexId;
    type IntoIter = Hexes;

    fn into_iter(self) -> Hexes {
        self.iter()
    }
}

/// The hexes of a set in row-major order.
#[derive(Clone, Debug)]
pub struct Hexes(u128);

impl Iterator for Hexes {
    type Item = HexId;

    #[inline]
    fn next(&mut self) -> Option<HexId> {
        let first = HexSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Hexes {}

impl BitAnd for HexSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for HexSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for HexSet {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for HexSet {
    type Output = Self;

    /// The hexes of this set that are not in the other.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for HexSet {
    type Output = Self;

    /// The rest of the board.
    fn not(self) -> Self {
        Self::ALL - self
    }
}

impl BitAndAssign for HexSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for HexSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl SubAssign for HexSet {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

/// The first hex of every row.
const WEST_EDGE: HexSet = edge(0);

/// The last hex of every row.
const EAST_EDGE: HexSet = edge(1);

/// The rows of twelve.
const EVEN_ROWS: HexSet = {
    let mut set = HexSet::EMPTY;
    let mut hex = 0;
    while hex < HEXES {
        if HexId(hex as u8).row().is_multiple_of(2) {
            set.insert(HexId(hex as u8));
        }
        hex += 1;
    }
    set
};

const fn edge(east: u8) -> HexSet {
    let mut set = HexSet::EMPTY;
    let mut row = 0;
    while row < ROWS {
        if let Some(hex) = HexId::at(row, east * (width(row) - 1)) {
            set.insert(hex);
        }
        row += 1;
    }
    set
}
