//! The 127 hexes of the board: places, sets, neighbours, distances, sections (BT-BOARD).
//!
//! Everything is a table that the compiler computes from the coordinates of BT-BOARD-02.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

use sengoku_kernel::{by_id, id, serde_by_name};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{Section, Side};

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
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(',').and_then(|(row, column)| {
            let number =
                |part: &str| part.bytes().all(|digit| digit.is_ascii_digit()).then(|| part.parse().ok());
            Some((number(row)??, number(column)??))
        });
        let (row, column) = numbers.ok_or_else(|| format!("{text:?} is no hex, write row,place like 3,4"))?;
        Self::at(row, column).ok_or_else(|| off_board(row, column))
    }
}

/// What to say of a place that the board does not have.
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

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Reader, Writer};

    use super::*;

    fn hex(row: u8, column: u8) -> HexId {
        HexId::at(row, column).unwrap()
    }

    #[test]
    fn rows_of_twelve_and_eleven() {
        // BT-BOARD-01, BT-BOARD-02, BT-BOARD-03, BT-R-04
        let places: Vec<(u8, u8)> =
            (0..ROWS).flat_map(|row| (0..width(row)).map(move |column| (row, column))).collect();
        assert_eq!(places.len(), 127);
        for (index, &(row, column)) in places.iter().enumerate() {
            let here = hex(row, column);
            assert_eq!(here.index(), index);
            assert_eq!(usize::from(23 * (row / 2) + if row % 2 == 1 { 12 } else { 0 } + column), index);
            assert_eq!((here.row(), here.column(), here.x()), (row, column, 2 * column + row % 2));
            assert!(here.x() <= 22);
            assert_eq!(HexId::at_x(row.cast_signed(), here.x().cast_signed()), Some(here));
        }
        // BT-BOARD-04: the half hexes at the ends of odd rows are no hexes
        assert_eq!((HexId::at_x(1, -1), HexId::at_x(1, 23)), (None, None));
        assert_eq!((HexId::at(1, 11), HexId::at(11, 0), HexId::at(0, 12)), (None, None, None));
    }

    #[test]
    fn neighbours_are_one_step_away() {
        // BT-BOARD-05, BT-BOARD-06
        for from in HexId::all() {
            for to in HexId::all() {
                let rows = from.row().abs_diff(to.row());
                let columns = from.x().abs_diff(to.x());
                assert_eq!(from.distance(to), rows.max(u8::midpoint(columns, rows)));
                assert_eq!(from.is_next_to(to), from.distance(to) == 1);
                if from.distance(to) <= 4 {
                    assert!(from.ring(from.distance(to)).contains(to));
                }
            }
            assert_eq!((from.ring(0), from.ring(1)), (from.set(), from.neighbours()));
            assert_eq!(from.set().neighbours(), from.neighbours(), "{from}");
        }
        assert_eq!(hex(0, 0).neighbours().into_iter().collect::<Vec<_>>(), [hex(0, 1), hex(1, 0)]);
        assert_eq!(hex(5, 5).neighbours().len(), 6);
        assert_eq!(hex(0, 0).distance(hex(10, 11)), 16);
    }

    #[test]
    fn behind_is_toward_the_own_baseline() {
        // BT-BOARD-07, BT-RETREAT-02
        for side in [Side::Top, Side::Bottom] {
            for from in HexId::all() {
                let rear = if side == Side::Top { from.row().checked_sub(1) } else { Some(from.row() + 1) };
                let expected: HexSet =
                    from.neighbours().into_iter().filter(|next| Some(next.row()) == rear).collect();
                assert_eq!(from.behind(side), expected);
                assert_eq!(from.behind(side).is_empty(), side.baseline().contains(from));
            }
            assert_eq!(side.baseline().len(), 12);
        }
        assert_eq!(hex(10, 0).behind(Side::Top).only(), Some(hex(9, 0)));
    }

    #[test]
    fn sections_share_their_border_hexes() {
        // BT-BOARD-08, BT-BOARD-09, BT-R-05
        let [west, middle, east] = [Section::West, Section::Middle, Section::East].map(Section::hexes);
        assert_eq!(west | middle | east, HexSet::ALL);
        assert!((west & east).is_empty());
        for here in HexId::all() {
            assert_eq!((west & middle).contains(here), here.row() % 2 == 1 && here.column() == 3);
            assert_eq!((middle & east).contains(here), here.row() % 2 == 1 && here.column() == 7);
        }
        let whole = Section::ALL.map(Section::hexes_shared_to_middle);
        assert_eq!(whole.map(HexSet::len).iter().sum::<u32>(), 127);
        assert_eq!(whole[1], middle);
    }

    #[test]
    fn sets_of_hexes() {
        let set: HexSet = [hex(3, 4), hex(0, 0), hex(10, 11)].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [hex(0, 0), hex(3, 4), hex(10, 11)]);
        assert_eq!((set.len(), set.first(), (!set).len()), (3, Some(hex(0, 0)), 124));
        assert_eq!((set - hex(0, 0).set()).iter().len(), 2);
        assert!(!set.is_connected());
        assert!(HexSet::ALL.is_connected() && HexSet::EMPTY.is_connected() && hex(1, 1).set().is_connected());
        let row: HexSet = (0..12).map(|column| hex(4, column)).collect();
        assert!(row.is_connected());
        assert_eq!((!row).connected(hex(0, 0).set()).len(), 46);
    }

    #[test]
    fn hexes_are_written_as_row_and_place() {
        assert_eq!(HexId::parse("3,10"), Ok(hex(3, 10)));
        assert_eq!(hex(3, 10).to_string(), "3,10");
        for wrong in ["", "3", "3,11", "11,0", "3,x", "+3,1", "3, 1", "3,1,1", "300,1"] {
            assert!(HexId::parse(wrong).is_err(), "{wrong}");
        }
        let json = serde_json::to_string(&HexSet::from_iter([hex(0, 1), hex(9, 9)])).unwrap();
        assert_eq!(json, r#"["0,1","9,9"]"#);
        assert_eq!(serde_json::from_str::<HexSet>(&json).unwrap().len(), 2);
        let mut bytes = Writer::default();
        bytes.value(&hex(0, 5));
        assert_eq!(bytes.finish(), [5]);
        assert!(Reader::new(&[127]).value::<HexId>("hex").is_err());
    }
}
