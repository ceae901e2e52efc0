//! How many hits a side scores in one half: the distribution, and a table to draw from it.

use crate::data::DIE;
use crate::force::Side;
use crate::play::combat::{Half, Role};

use super::Roster;

/// Probability of each number of hits, from 0 to the number of dice.
///
/// Needless dice (SW-R-51) are among them: they are skipped only when further hits are lost anyway.
pub(super) fn distribution(half: Half, role: Role, side: &Side) -> Vec<f64> {
    let side = half.rolling(role, side);
    let dice: u32 = half.steps().iter().map(|step| u32::from(step.dice(&side))).sum();
    let mut hits = Vec::with_capacity(dice as usize + 1);
    hits.push(1.0);
    for step in half.steps() {
        let chance = f64::from(step.combat_value()) / f64::from(DIE);
        for _ in 0..step.dice(&side) {
            hits.resize(hits.len() + 1, 0.0);
            let (first, more) = hits.split_at_mut(1);
            let mut fewer = first[0];
            first[0] *= 1.0 - chance;
            for hit in more {
                (*hit, fewer) = (*hit * (1.0 - chance) + fewer * chance, *hit);
            }
        }
    }
    hits
}

/// Draws numbers of hits with one random word each, for all rows of a roster: Walker's alias method.
///
/// A row has `2^BITS` cells of equal width; the top bits of a word choose the cell, whose number is itself a number of
/// hits. A cell holds a threshold in its upper bits and another number of hits in its lower `ALIAS_BITS`: below the
/// threshold the rest of the word means the first number, else the other. Thresholds keep 26 bits, so a cell is off by at
/// most `2^-(26 + BITS)`; a number of hits collects the errors of the cells that mean it, a few 1e-9 in all.
#[derive(Clone, Debug)]
pub(super) struct HitTable<const BITS: u32> {
    cells: Vec<u32>,
}

const ALIAS_BITS: u32 = 6;
const ALIAS: u32 = (1 << ALIAS_BITS) - 1;

impl<const BITS: u32> HitTable<BITS> {
    /// The table of all rows, padded to `rows` so that a masked index is always inside.
    pub(super) fn new(half: Half, role: Role, roster: &Roster, rows: usize) -> Self {
        let mut cells = vec![0; rows << BITS];
        for (row, side) in roster.sides().iter().enumerate() {
            fill_row(&mut cells[row << BITS..][..1 << BITS], &distribution(half, role, side));
        }
        Self { cells }
    }

    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Where the row of a side with this many losses has the cell for a word.
    #[inline(always)]
    pub(super) const fn place(lost: u32, word: u32) -> usize {
        (lost << BITS | word >> (32 - BITS)) as usize
    }

    /// The number of hits a word means in a cell.
    #[inline(always)]
    pub(super) const fn hits(cell: u32, word: u32) -> u32 {
        if word << BITS < cell & !ALIAS { word >> (32 - BITS) } else { cell & ALIAS }
    }
}

/// Fills one row so that every number of hits has its share of the words.
fn fill_row(cells: &mut [u32], distribution: &[f64]) {
    let mut shares: Vec<f64> = distribution.iter().map(|p| p * cells.len() as f64).collect();
    shares.resize(cells.len(), 0.0);
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..cells.len()).partition(|&at| shares[at] < 1.0);
    while let (Some(&needy), Some(&rich)) = (small.last(), large.last()) {
        small.pop();
        cells[needy] = threshold(shares[needy]) | rich as u32;
        shares[rich] -= 1.0 - shares[needy];
        if shares[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    // What is left is full but for rounding.
    for full in small.into_iter().chain(large) {
        cells[full] = full as u32;
    }
}

/// The share of a cell as its upper bits.
fn threshold(share: f64) -> u32 {
    let scale = f64::from(1_u32 << (32 - ALIAS_BITS));
    ((share * scale).round().clamp(0.0, scale - 1.0) as u32) << ALIAS_BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Fort, Unit};
    use crate::force::Force;

    #[test]
    fn dice_of_a_half_add_up() {
        let side = Side::single(Force::of([2, 1, 1, 1, 1, 2])); // two bows, a gun | daimyo, sword, ronin, two spears
        let missile = distribution(Half::Missile, Role::Attacker, &side);
        let expected = [2.0 / 12.0, 5.0 / 12.0, 4.0 / 12.0, 1.0 / 12.0];
        for (found, expected) in missile.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(distribution(Half::Melee, Role::Attacker, &side).len(), 6);
        assert_eq!(distribution(Half::FirstStrike, Role::Attacker, &side), [1.0]);
        let castle = Side { fort: Fort::Castle, bonus: 4, ..side };
        assert_eq!(castle.fighting(Unit::Spear), 6);
        assert_eq!(distribution(Half::FirstStrike, Role::Defender, &castle).len(), 9); // SW-NAVAL-03
    }

    /// The share of all words that a row gives to each number of hits, counted from its thresholds.
    fn shares(cells: &[u32], bits: u32) -> Vec<f64> {
        let mut shares = vec![0.0; cells.len()];
        for (at, &cell) in cells.iter().enumerate() {
            let below = f64::from(cell & !ALIAS) / 2_f64.powi(32);
            shares[at] += below / f64::from(1 << bits);
            shares[(cell & ALIAS) as usize] += (1.0 - below) / f64::from(1 << bits);
        }
        shares
    }

    #[test]
    fn tables_hold_the_distribution() {
        for (force, bits) in [([2, 2, 1, 2, 0, 3], 4), ([4, 0, 1, 0, 14, 10], 6), ([0, 0, 0, 0, 0, 1], 4)] {
            let side = Side::single(Force::of(force));
            for half in [Half::Missile, Half::Melee] {
                let expected = distribution(half, Role::Attacker, &side);
                let mut cells = vec![0; 1 << bits];
                fill_row(&mut cells, &expected);
                for (hits, share) in shares(&cells, bits).into_iter().enumerate() {
                    let expected = expected.get(hits).copied().unwrap_or(0.0);
                    assert!((share - expected).abs() < 4e-9, "{hits} hits: {share} instead of {expected}");
                }
            }
        }
    }

    #[test]
    fn a_word_finds_its_hits() {
        type Table = HitTable<4>;
        let cell = 0x8000_0000 | 3; // the lower half of the cell means its own number, the upper half three hits
        assert_eq!(Table::place(2, 0x5fff_ffff), 2 * 16 + 5);
        assert_eq!(Table::hits(cell, 0x5000_0000), 5);
        assert_eq!(Table::hits(cell, 0x57ff_ffff), 5);
        assert_eq!(Table::hits(cell, 0x5800_0000), 3);
    }
}
