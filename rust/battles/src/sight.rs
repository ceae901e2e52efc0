//! Line of sight (BT-LOS).
//!
//! The index of a hex is `(23 r + x) / 2`, so that the hexes along a line have the same distance in index from its start
//! wherever on the board it lies. One small table by offset therefore holds all lines, as sets that are rotated to
//! where the line starts; two hexes see each other or not in a few operations on bits.

use crate::data::{ByHex, HexId, HexSet, MAX_RANGE};

/// The hexes that matter to a line, without its ends (BT-LOS-02, BT-LOS-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The line passes through their interior.
    pub inside: HexSet,
    /// The line runs along their edge, on its one side.
    pub left: HexSet,
    /// The line runs along their edge, on its other side.
    pub right: HexSet,
    /// A half hex at the edge of the board is on the left (BT-BOARD-04).
    pub left_half: bool,
    /// A half hex is on the right.
    pub right_half: bool,
}

impl Line {
    /// The line between two hexes at a distance of 2 to 4. Which side is called left is of no matter.
    #[inline]
    pub const fn between(a: HexId, b: HexId) -> Self {
        let (from, to) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let rows = to.row() - from.row();
        let offset = &OFFSETS[rows as usize][(to.x() + LONGEST - from.x()) as usize];
        // Only a line down the edge of the board has half hexes at its side. In the sets they stand for other hexes,
        // because a row has no room for them.
        let upright = to.x() == from.x();
        let (west, east) = (upright && from.x() == 0, upright && from.x() == 22);
        Self {
            inside: HexSet(offset.inside.rotate_left(from.0 as u32)),
            left: if west { HexSet::EMPTY } else { HexSet(offset.left.rotate_left(from.0 as u32)) },
            right: if east { HexSet::EMPTY } else { HexSet(offset.right.rotate_left(from.0 as u32)) },
            left_half: west,
            right_half: east,
        }
    }

    /// Whether obstructions block the line: one on it, or one on each side of it (BT-LOS-04, BT-R-31).
    #[inline]
    pub const fn is_blocked(&self, obstructions: HexSet) -> bool {
        let left = self.left_half | self.left.meets(obstructions);
        let right = self.right_half | self.right.meets(obstructions);
        self.inside.meets(obstructions) | (left & right)
    }
}

/// The features of a map that affect line of sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Forest, buildings, castle and hills; tents are left out, because they can be removed (BT-LOS-05).
    blocking: HexSet,
    /// The connected group of hill hexes that a hex belongs to (BT-LOS-07).
    plateau: ByHex<HexSet>,
}

impl Sight {
    /// The sight over a map with such hills and other blocking terrain.
    pub fn new(blocking: HexSet, hills: HexSet) -> Self {
        let mut plateau = ByHex([HexSet::EMPTY; crate::data::HEXES]);
        for hex in hills {
            plateau[hex] = hills.connected(hex.set());
        }
        Self { blocking: blocking | hills, plateau }
    }

    /// Whether two hexes at a distance of 2 to 4 see each other; `standing` are the hexes with any unit or leader and those
    /// of command tents (BT-LOS-05, BT-LOS-06). Neighbours always do, what is farther never.
    #[inline]
    pub fn sees(&self, from: HexId, to: HexId, standing: HexSet) -> bool {
        match from.distance(to) {
            0 | 1 => true,
            2..=MAX_RANGE => {
                // On a plateau its own hexes do not rise above each other, but who stands there does (BT-R-33).
                let plateau = self.plateau[from];
                let level = if plateau.contains(to) { plateau } else { HexSet::EMPTY };
                !Line::between(from, to).is_blocked((self.blocking - level) | standing)
            }
            _ => false,
        }
    }
}

/// Largest difference of the doubled coordinate within range.
const LONGEST: u8 = 2 * MAX_RANGE;

/// A line by its offset; bit `i`, modulo 128, is the hex whose index is that of the start plus `i`.
#[derive(Clone, Copy)]
struct Offset {
    inside: u128,
    left: u128,
    right: u128,
}

/// The lines by rows down and by doubled coordinate, counted from [`LONGEST`] to the west.
static OFFSETS: [[Offset; 2 * LONGEST as usize + 1]; MAX_RANGE as usize + 1] = {
    let mut table =
        [[Offset { inside: 0, left: 0, right: 0 }; 2 * LONGEST as usize + 1]; MAX_RANGE as usize + 1];
    let reach = MAX_RANGE as i32;
    let mut row = 0;
    while row <= reach {
        let mut x = -2 * reach;
        while x <= 2 * reach {
            if (x + row) % 2 == 0 && steps(x, row) >= 2 && steps(x, row) <= reach {
                table[row as usize][(x + 2 * reach) as usize] = trace(x, row);
            }
            x += 1;
        }
        row += 1;
    }
    table
};

/// Steps between hexes that lie so far apart (BT-BOARD-06).
const fn steps(x: i32, row: i32) -> i32 {
    let (x, row) = (x.abs(), row.abs());
    let half = i32::midpoint(x, row);
    if row > half { row } else { half }
}

/// Finds the hexes along the line to a hex at an offset, by the definition of BT-LOS-01..03.
const fn trace(to_x: i32, to_row: i32) -> Offset {
    const CORNERS: [(i32, i32); 6] = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut found = Offset { inside: 0, left: 0, right: 0 };
    let reach = MAX_RANGE as i32;
    let mut row = -reach;
    while row <= reach {
        let mut x = -2 * reach;
        while x <= 2 * reach {
            let from_start = steps(x, row);
            let to_end = steps(to_x - x, to_row - row);
            let on_the_way = from_start > 0 && to_end > 0 && from_start + to_end == steps(to_x, to_row);
            if (x + row) % 2 == 0 && on_the_way {
                let (mut positive, mut negative) = (0, 0);
                let mut corner = 0;
                while corner < CORNERS.len() {
                    let (corner_x, corner_y) = (x + CORNERS[corner].0, 3 * row + CORNERS[corner].1);
                    let cross = to_x * corner_y - 3 * to_row * corner_x;
                    positive += (cross > 0) as u8;
                    negative += (cross < 0) as u8;
                    corner += 1;
                }
                let bit = 1_u128.rotate_left(((23 * row + x) >> 1).rem_euclid(128) as u32);
                if positive > 0 && negative > 0 {
                    found.inside |= bit;
                } else if positive == 4 {
                    found.left |= bit;
                } else if negative == 4 {
                    found.right |= bit;
                }
            }
            x += 1;
        }
        row += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hex or half hex by row and doubled coordinate.
    type Place = (i32, i32);

    fn place(hex: HexId) -> Place {
        (i32::from(hex.row()), i32::from(hex.x()))
    }

    fn distance(a: Place, b: Place) -> i32 {
        let (rows, columns) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        rows.max(i32::midpoint(rows, columns))
    }

    /// All hexes of the board and the half hexes (BT-BOARD-04).
    fn places() -> Vec<Place> {
        let halves = (1..11).step_by(2).flat_map(|row| [(row, -1), (row, 23)]);
        HexId::all().map(place).chain(halves).collect()
    }

    /// In-line, left and right places of a line, word by word after BT-LOS-01..03.
    fn reference(a: Place, b: Place) -> [Vec<Place>; 3] {
        let centre = |(row, x): Place| (x, 3 * row);
        let [mut inside, mut left, mut right] = [vec![], vec![], vec![]];
        for hex in places() {
            if hex == a || hex == b || distance(a, hex) + distance(hex, b) != distance(a, b) {
                continue;
            }
            let ((ax, ay), (bx, by), (x, y)) = (centre(a), centre(b), centre(hex));
            let corners =
                [(x, y + 2), (x, y - 2), (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)];
            let crosses = corners.map(|(px, py)| (bx - ax) * (py - ay) - (by - ay) * (px - ax));
            let (above, below) =
                (crosses.iter().any(|&cross| cross > 0), crosses.iter().any(|&cross| cross < 0));
            let zeros = crosses.iter().filter(|&&cross| cross == 0).count();
            match (above, below, zeros) {
                (true, true, _) => inside.push(hex),
                (true, false, 2) => left.push(hex),
                (false, true, 2) => right.push(hex),
                _ => {} // a corner is touched: not passed through (BT-R-32)
            }
        }
        [inside, left, right]
    }

    fn pairs() -> impl Iterator<Item = (HexId, HexId)> {
        let all = |from: HexId| HexId::all().map(move |to| (from, to));
        HexId::all().flat_map(all).filter(|(from, to)| (2..=4).contains(&from.distance(*to)))
    }

    #[test]
    fn the_table_is_the_geometric_definition() {
        // BT-LOS-01, BT-LOS-02, BT-LOS-03, BT-BOARD-04, BT-R-32
        for (from, to) in pairs() {
            let [inside, mut left, mut right] = reference(place(from), place(to));
            if from > to {
                std::mem::swap(&mut left, &mut right); // seen from the other end
            }
            let line = Line::between(from, to);
            let full = |places: &[Place]| -> HexSet {
                places.iter().filter_map(|&(row, x)| HexId::at_x(row as i8, x as i8)).collect()
            };
            let half = |places: &[Place]| places.iter().any(|&(_, x)| !(0..=22).contains(&x));
            assert_eq!(line.inside, full(&inside), "{from} to {to}");
            assert_eq!((line.left, line.right), (full(&left), full(&right)), "{from} to {to}");
            assert!(!half(&inside));
            assert_eq!((line.left_half, line.right_half), (half(&left), half(&right)), "{from} to {to}");
        }
    }

    #[test]
    fn the_normative_table() {
        // BT-LOS-09 with all mirror images: offset, in-line hexes, the two sides, each as (dx, dr)
        type Row = (Place, &'static [Place], [&'static [Place]; 2]);
        const NONE: [&[Place]; 2] = [&[], &[]];
        const TABLE: [Row; 16] = [
            ((4, 0), &[(2, 0)], NONE),
            ((3, 1), &[], [&[(1, 1)], &[(2, 0)]]),
            ((2, 2), &[(1, 1)], NONE),
            ((0, 2), &[], [&[(-1, 1)], &[(1, 1)]]),
            ((6, 0), &[(2, 0), (4, 0)], NONE),
            ((5, 1), &[(2, 0), (3, 1)], NONE),
            ((4, 2), &[(1, 1), (3, 1)], NONE),
            ((3, 3), &[(1, 1), (2, 2)], NONE),
            ((1, 3), &[(1, 1), (0, 2)], NONE),
            ((8, 0), &[(2, 0), (4, 0), (6, 0)], NONE),
            ((7, 1), &[(2, 0), (4, 0), (3, 1), (5, 1)], NONE),
            ((6, 2), &[(3, 1)], [&[(1, 1), (4, 2)], &[(2, 0), (5, 1)]]),
            ((5, 3), &[(1, 1), (3, 1), (2, 2), (4, 2)], NONE),
            ((4, 4), &[(1, 1), (2, 2), (3, 3)], NONE),
            ((2, 4), &[(1, 1), (0, 2), (2, 2), (1, 3)], NONE),
            ((0, 4), &[(0, 2)], [&[(-1, 1), (-1, 3)], &[(1, 1), (1, 3)]]),
        ];
        let mut checked = std::collections::BTreeSet::new();
        for from in HexId::all() {
            for (offset, inside, sides) in TABLE {
                for (mirror_x, mirror_row) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
                    let (row, x) = place(from);
                    let at = |&(dx, dr): &Place| {
                        HexId::at_x((row + mirror_row * dr) as i8, (x + mirror_x * dx) as i8)
                    };
                    let Some(to) = at(&offset) else { continue };
                    let set = |places: &[Place]| -> HexSet { places.iter().filter_map(at).collect() };
                    let line = Line::between(from, to);
                    assert_eq!(line.inside, set(inside));
                    let expected = sides.map(set);
                    let found = [line.left, line.right];
                    assert!(found == expected || found == [expected[1], expected[0]], "{from} to {to}");
                    checked.insert((from, to));
                }
            }
        }
        assert_eq!(checked.len(), pairs().count()); // the table has every offset
    }

    #[test]
    fn blocked_as_the_definition_says() {
        // BT-LOS-04, BT-LOS-05, BT-LOS-06, BT-R-31: random obstructions, and half hexes always obstruct
        let mut seed = 7_u128;
        let mut random = || {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
            seed ^ (seed >> 64)
        };
        for (from, to) in pairs() {
            for density in 1..4 {
                let bits = (0..density).fold(u128::MAX, |bits, _| bits & random());
                let obstructions = HexSet(bits) & HexSet::ALL;
                let obstructs = |&(row, x): &Place| {
                    HexId::at_x(row as i8, x as i8).is_none_or(|hex| obstructions.contains(hex))
                };
                let [inside, left, right] = reference(place(from), place(to));
                let blocked = inside.iter().any(obstructs)
                    || (left.iter().any(obstructs) && right.iter().any(obstructs));
                let sight = Sight::new(HexSet::EMPTY, HexSet::EMPTY);
                assert_eq!(sight.sees(from, to, obstructions), !blocked, "{from} to {to}");
                assert_eq!(sight.sees(to, from, obstructions), !blocked);
            }
        }
    }

    fn hexes(list: &[(u8, u8)]) -> HexSet {
        list.iter().map(|&(row, column)| HexId::at(row, column).unwrap()).collect()
    }

    #[test]
    fn hills() {
        // BT-LOS-07, BT-R-33, BT-R-59
        let [a, b, c, d] = [2, 3, 4, 5].map(|column| HexId::at(4, column).unwrap());
        let sees = |hills: &[(u8, u8)], standing| {
            let sight = Sight::new(HexSet::EMPTY, hexes(hills));
            [sight.sees(a, c, standing), sight.sees(a, d, standing)]
        };
        assert_eq!(sees(&[], HexSet::EMPTY), [true, true]);
        // the first hill hex is seen, and sees; nothing behind it
        assert_eq!(sees(&[(4, 4)], HexSet::EMPTY), [true, false]);
        assert_eq!(sees(&[(4, 2)], HexSet::EMPTY), [true, true]);
        assert_eq!(sees(&[(4, 4), (4, 5)], HexSet::EMPTY), [true, false]);
        // over the plateau, unless somebody stands on it
        let plateau = [(4, 2), (4, 3), (4, 4), (4, 5)];
        assert_eq!(sees(&plateau, HexSet::EMPTY), [true, true]);
        assert_eq!(sees(&plateau, b.set()), [false, false]);
        // a group that joins both ends around the line; a hill of another group on it obstructs
        let mut around = vec![(4, 2), (5, 2), (6, 3), (6, 4), (6, 5), (5, 5), (4, 6)];
        let across = |hills: &[(u8, u8)]| {
            let far = HexId::at(4, 6).unwrap();
            Sight::new(HexSet::EMPTY, hexes(hills)).sees(a, far, HexSet::EMPTY)
        };
        assert!(across(&around));
        around.push((4, 4));
        assert!(!across(&around));
        around.push((5, 4));
        assert!(across(&around)); // now it is one group
        let [from, to] = [(2, 4), (4, 4)].map(|(row, column)| HexId::at(row, column).unwrap());
        let sees_down =
            |hills: &[(u8, u8)]| Sight::new(HexSet::EMPTY, hexes(hills)).sees(from, to, HexSet::EMPTY);
        assert!(sees_down(&[(2, 4), (4, 4), (3, 3)])); // on one side of the line only
        assert!(!sees_down(&[(2, 4), (3, 3), (3, 4)]));
        assert!(sees_down(&[(2, 4), (3, 3), (3, 4), (4, 4)]));
        assert!(!sees(&[(4, 2), (4, 4), (4, 5)], HexSet::EMPTY)[1]);
    }

    #[test]
    fn neighbours_and_far_hexes() {
        let sight = Sight::new(HexSet::ALL, HexSet::EMPTY);
        let [a, b, f] = [0, 1, 5].map(|column| HexId::at(4, column).unwrap());
        assert!(sight.sees(a, b, HexSet::ALL));
        assert!(!Sight::new(HexSet::EMPTY, HexSet::EMPTY).sees(a, f, HexSet::EMPTY));
    }
}
