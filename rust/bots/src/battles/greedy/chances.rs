//! How one roll against a unit ends, in tables that are filled once from `CombatRoll`.

use std::sync::LazyLock;

use sengoku_battles::combat_roll::{CombatRoll, rolls_swords_again};
use sengoku_battles::data::{Face, Faces, UnitKind, Weapon, ignored_swords};

use super::worth::STANDING;

/// Most dice that the tables tell apart.
const MAX_DICE: usize = 10;
/// Blocks that the tables tell apart.
const BLOCKS: usize = STANDING.len() - 1;
/// Stands for all flags, where a unit may ignore any number of them.
pub(super) const ALL_FLAGS: u8 = 3;

/// Effect of a roll on a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Prospect {
    /// Worth of the blocks lost, on average.
    pub(super) loss: f64,
    /// Chance that no block is left.
    pub(super) fall: f64,
    /// Chance that some block is lost.
    pub(super) hurt: f64,
    /// Chance that it stands where it stood.
    pub(super) hold: f64,
    /// Flags that it cannot ignore while it lives, on average.
    pub(super) flags: f64,
}

/// Kinds of rolls that differ in what hits: one example of each, with roller and target.
const EXAMPLES: [(UnitKind, UnitKind, bool); 8] = [
    (UnitKind::SamuraiSpear, UnitKind::SamuraiSpear, false), // no swords are ignored
    (UnitKind::AshigaruSpear, UnitKind::SamuraiSpear, false), // one is
    (UnitKind::Levy, UnitKind::SamuraiSpear, false),         // two are
    (UnitKind::Levy, UnitKind::SpearCavalry, false),         // three are
    (UnitKind::SamuraiSpear, UnitKind::Bodyguard, false),    // nothing but swords counts
    (UnitKind::SamuraiBow, UnitKind::SamuraiSpear, true),    // swords do not count
    (UnitKind::Bodyguard, UnitKind::SamuraiSpear, false),    // swords are rolled again
    (UnitKind::Bodyguard, UnitKind::Bodyguard, false),       // both
];

/// The place of a roll among the examples.
fn example(by: UnitKind, against: UnitKind, ranged: bool) -> usize {
    match (ranged, by.is_bodyguard(), against.is_bodyguard()) {
        (true, ..) if by.weapon() == Weapon::Arquebus => 0,
        (true, ..) => 5,
        (false, true, _) => 6 + usize::from(against.is_bodyguard()),
        (false, false, true) => 4,
        (false, false, false) => usize::from(ignored_swords(against, by)),
    }
}

/// By dice, blocks and flags that may be ignored.
type Table = [[[Prospect; ALL_FLAGS as usize + 1]; BLOCKS]; MAX_DICE + 1];

/// The examples' tables, and which of them a roll is like.
struct Tables {
    /// By kinds of the roller and the target, and whether it is a shot.
    example: [[[u8; 2]; UnitKind::COUNT]; UnitKind::COUNT],
    tables: [Table; EXAMPLES.len()],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let kinds = UnitKind::ALL;
    let example =
        kinds.map(|by| kinds.map(|against| [false, true].map(|ranged| example(by, against, ranged) as u8)));
    Box::new(Tables { example, tables: EXAMPLES.map(fill) })
});

/// Effect of a roll on a unit, by numbers of dice, of blocks and of flags that may be ignored.
#[inline]
pub(super) fn prospect(
    (by, against, ranged): (UnitKind, UnitKind, bool),
    dice: u8,
    blocks: u8,
    ignores: u8,
) -> &'static Prospect {
    let Tables { example, tables } = &**TABLES;
    let table = &tables[usize::from(example[by.index()][against.index()][usize::from(ranged)])];
    let dice = usize::from(dice).min(MAX_DICE);
    &table[dice][(usize::from(blocks).max(1) - 1).min(BLOCKS - 1)][usize::from(ignores.min(ALL_FLAGS))]
}

/// Chance that at least one of several dice shows a given face.
pub(super) fn any_of(dice: u8) -> f64 {
    1.0 - (0..dice).fold(1.0, |none: f64, _| none * 5.0 / 6.0)
}

fn fill((by, against, ranged): (UnitKind, UnitKind, bool)) -> Table {
    let combat_roll = CombatRoll { by, against: Some(against), ranged, inspired: 0, terror: false };
    let mut table = Table::default();
    for (dice, by_blocks) in table.iter_mut().enumerate() {
        each_roll(dice as u8, &mut |faces, chance| {
            let again = if rolls_swords_again(by, ranged, false) { faces[Face::Swords] } else { 0 };
            each_roll(again, &mut |more, again| {
                let faces = *faces + *more;
                add(by_blocks, combat_roll.hits(&faces), combat_roll.flags(&faces), chance * again);
            });
        });
    }
    table
}

fn add(by_blocks: &mut [[Prospect; ALL_FLAGS as usize + 1]; BLOCKS], hits: u8, flags: u8, chance: f64) {
    for (place, by_flags) in by_blocks.iter_mut().enumerate() {
        let blocks = place + 1;
        let left = blocks - usize::from(hits).min(blocks);
        for (ignores, prospect) in by_flags.iter_mut().enumerate() {
            let retreats =
                if ignores == usize::from(ALL_FLAGS) { 0 } else { flags.saturating_sub(ignores as u8) };
            prospect.loss += chance * (STANDING[blocks] - STANDING[left]);
            if left < blocks {
                prospect.hurt += chance;
            }
            if left == 0 {
                prospect.fall += chance;
            } else if retreats == 0 {
                prospect.hold += chance;
            } else {
                prospect.flags += chance * f64::from(retreats);
            }
        }
    }
}

/// Calls back with every roll of a number of dice and its chance.
fn each_roll(dice: u8, back: &mut impl FnMut(&Faces, f64)) {
    fn go(faces: &mut Faces, face: usize, left: u8, chance: f64, back: &mut impl FnMut(&Faces, f64)) {
        if face + 1 == Face::COUNT {
            faces.0[face] = left;
            back(faces, chance);
            return;
        }
        // The ways to choose the dice of this face among those that are left.
        let mut ways = 1.0;
        for count in 0..=left {
            faces.0[face] = count;
            go(faces, face + 1, left - count, chance * ways, back);
            ways = ways * f64::from(left - count) / f64::from(count + 1);
        }
    }
    let each = 1.0 / Face::COUNT as f64;
    let mut faces = Faces::NONE;
    go(&mut faces, 0, dice, (0..dice).fold(1.0, |chance, _| chance * each), back);
}
