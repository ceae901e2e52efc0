//! Exact odds: the law of the throw by cubes thrown and cubes inside, then by colours, then settled (TW-TOWER-37).
//!
//! Which of the thrown cubes come out is uniform over them, and which of those inside is uniform over these: over the given
//! contents, or over the fill, of which those that stay are uniform too. So the cubes of both sides and the farmers that
//! come out are drawn without replacement, of either heap for itself, and
//!
//! `P(a, d, f) = sum over s of ways(a, d, f; s) H(s, a + d + f - s)`
//!
//! where `s` of these cubes were thrown and the others inside, `ways` counts the choices among the cubes that matter, and
//! `H(s, t)` sums the law over what else may have come out, each divided by the choices there are in all.

use std::sync::LazyLock;

use sengoku_kernel::cube_tower::{self, Inside, Parameters, ThrowLaw};
use sengoku_kernel::{Cancel, Cancelled};

use super::EXACT_STATE_LIMIT;
use super::shelves::Heaps;
use crate::clash::{Clash, Kind, Winner};
use crate::data::{Cubes, FARMER};

/// Most cubes of one heap: all there are.
const MOST: usize = cube_tower::MAX_CUBES;

/// Binomial coefficients by row.
pub(super) static CHOOSE: LazyLock<Vec<Vec<f64>>> = LazyLock::new(|| {
    let mut rows = vec![vec![1.0]];
    for row in 1..=MOST {
        let last: &Vec<f64> = &rows[row - 1];
        let inner = last.windows(2).map(|pair| pair[0] + pair[1]);
        rows.push([1.0].into_iter().chain(inner).chain([1.0]).collect());
    }
    rows
});

/// What is in the tower before the clash, as its law needs it.
fn inside(clash: &Clash) -> Inside {
    let (setup, cubes) = (clash.setup(), clash.inside().total().into());
    match setup.shelves.as_deref() {
        Some([upper, lower]) => Inside::Known([upper, lower].map(|cubes| cubes.total() as u8)),
        None if setup.contents.is_none() => Inside::Filled(cubes),
        _ => Inside::Loaded(cubes),
    }
}

/// States that exact odds visit where the law of the throw is not known yet.
pub(super) fn states(clash: &Clash) -> u64 {
    cube_tower::throw_states(&clash.setup().parameters, inside(clash), clash.thrown().total().into())
}

/// Whether the law of the throw is known already.
pub(super) fn is_quick(clash: &Clash) -> bool {
    cube_tower::is_law_known(&clash.setup().parameters, inside(clash), clash.thrown().total().into())
}

/// Computes the laws of all throws. A larger throw has the law of the smaller ones in it, so the largest come first.
pub(super) fn prepare(clashes: &[&Clash], cancel: &Cancel) -> Result<(), Cancelled> {
    let mut throws: Vec<(usize, Inside, &Parameters)> = Vec::new();
    for clash in clashes {
        let parameters = &clash.setup().parameters;
        let throw = (usize::from(clash.thrown().total()), inside(clash), parameters);
        if parameters.shelves().len() == 2 && states(clash) <= EXACT_STATE_LIMIT && !throws.contains(&throw) {
            throws.push(throw);
        }
    }
    throws.sort_by_key(|throw| std::cmp::Reverse(throw.0));
    for (cubes, inside, parameters) in throws {
        cube_tower::throw_law(parameters, inside, cubes, cancel)?;
    }
    Ok(())
}

/// The attacker, the defender and the farmers as far as they count; cubes of no account are others.
struct Sides {
    colours: [u8; 3],
    count: [bool; 3],
}

impl Sides {
    fn of(clash: &Clash) -> Self {
        let farmers = clash.setup().kind != Kind::Attack || clash.setup().farmers_defend;
        let colours = [clash.attacker().colour, clash.defender().colour, FARMER];
        Self { colours, count: [colours[0] != FARMER, colours[1] != FARMER, farmers] }
    }

    /// Cubes of each side in a heap, and the others.
    fn heap(&self, cubes: &Cubes) -> ([usize; 3], usize) {
        let of = |side: usize| if self.count[side] { cubes[self.colours[side]].into() } else { 0 };
        let heap: [usize; 3] = std::array::from_fn(of);
        (heap, usize::from(cubes.total()) - heap.iter().sum::<usize>())
    }
}

/// Probabilities of the ends of a clash, by winner and armies left.
struct Ends<'a> {
    clash: &'a Clash,
    sides: &'a Sides,
    columns: usize,
    table: Vec<f64>,
}

impl Ends<'_> {
    /// Adds the probability that so many cubes of each side come out.
    fn add(&mut self, out: [usize; 3], probability: f64) {
        if probability > 0.0 {
            let mut tray = Cubes::NONE;
            for side in (0..3).filter(|&side| self.sides.count[side]) {
                tray[self.sides.colours[side]] = out[side] as u16;
            }
            let settled = self.clash.settle(&tray);
            self.table[settled.winner as usize * self.columns + usize::from(settled.armies_left)] +=
                probability;
        }
    }
}

/// Probabilities by winner and armies left, and what is neglected.
pub(super) fn probabilities(
    clash: &Clash,
    columns: usize,
    cancel: &Cancel,
) -> Result<(Vec<f64>, f64), Cancelled> {
    let (thrown, inside, setup) = (clash.thrown(), inside(clash), clash.setup());
    let law = cube_tower::throw_law(&setup.parameters, inside, thrown.total().into(), cancel)?;
    let sides = &Sides::of(clash);
    let mut ends = Ends { clash, sides, columns, table: vec![0.0; Winner::ALL.len() * columns] };
    match setup.shelves.as_deref() {
        Some([upper, lower]) => by_shelf(&law, [&thrown, upper, lower], sides, &mut ends),
        _ => by_heap(&law, [&thrown, &clash.inside()], sides, &mut ends),
    }
    Ok((ends.table, law.neglected()))
}

/// All ends where the cubes of each shelf are known.
fn by_shelf(law: &ThrowLaw, cubes: [&Cubes; 3], sides: &Sides, ends: &mut Ends<'_>) {
    let heaps = cubes.map(|cubes| sides.heap(cubes));
    let of = |side: usize| heaps.map(|(heap, _)| heap[side]);
    let table = Heaps::new(law.most(), law.table()).of_certain(heaps.map(|(_, others)| others));
    for (attackers, rest) in table.without(of(0)).iter().enumerate() {
        for (defenders, rest) in rest.without(of(1)).iter().enumerate() {
            for (farmers, rest) in rest.without(of(2)).iter().enumerate() {
                ends.add([attackers, defenders, farmers], rest.total());
            }
        }
    }
}

/// All ends where cubes lie anywhere inside.
fn by_heap(law: &ThrowLaw, cubes: [&Cubes; 2], sides: &Sides, ends: &mut Ends<'_>) {
    let [(fresh, fresh_others), (older, older_others)] = cubes.map(|cubes| sides.heap(cubes));
    let weights =
        Weights::new(law.table(), law.most()[1] + 1, [&fresh, &older], [fresh_others, older_others]);
    let ways: [Vec<Vec<f64>>; 3] = std::array::from_fn(|number| ways(fresh[number], older[number]));
    let mut both = Vec::new();
    for (attackers, first) in ways[0].iter().enumerate() {
        for (defenders, second) in ways[1].iter().enumerate() {
            both.clear();
            both.resize(fresh[0] + fresh[1] + 1, 0.0);
            for (one, &left) in first.iter().enumerate().filter(|&(_, &ways)| ways > 0.0) {
                for (other, &right) in second.iter().enumerate() {
                    both[one + other] += left * right;
                }
            }
            for (farmers, third) in ways[2].iter().enumerate() {
                let all = attackers + defenders + farmers;
                let mut probability = 0.0;
                for (some, &left) in both.iter().enumerate().filter(|&(_, &ways)| ways > 0.0) {
                    for (more, &right) in third.iter().enumerate() {
                        probability += left * right * weights.of(some + more, all);
                    }
                }
                ends.add([attackers, defenders, farmers], probability);
            }
        }
    }
}

/// By number of cubes of a kind that come out, then by how many of them were thrown: the choices.
fn ways(fresh: usize, older: usize) -> Vec<Vec<f64>> {
    let choices = |all: usize, some: usize| if some <= all { CHOOSE[all][some] } else { 0.0 };
    let one = |out: usize, thrown: usize| {
        if thrown <= out { choices(fresh, thrown) * choices(older, out - thrown) } else { 0.0 }
    };
    (0..=fresh + older).map(|out| (0..=fresh).map(|thrown| one(out, thrown)).collect()).collect()
}

/// `H`: by cubes that matter, those thrown and those inside.
struct Weights {
    columns: usize,
    values: Vec<f64>,
}

impl Weights {
    fn new(law: &[f64], width: usize, heaps: [&[usize; 3]; 2], others: [usize; 2]) -> Self {
        let counted = heaps.map(|heap| heap.iter().sum::<usize>());
        let all = [counted[0] + others[0], counted[1] + others[1]];
        // First what else was thrown and came out, then what else was inside.
        let mut half = vec![0.0; (counted[0] + 1) * width];
        for (out, row) in law.chunks(width).enumerate() {
            for some in out.saturating_sub(others[0])..=counted[0].min(out) {
                let share = CHOOSE[others[0]][out - some] / CHOOSE[all[0]][out];
                for (sum, probability) in half[some * width..][..width].iter_mut().zip(row) {
                    *sum += share * probability;
                }
            }
        }
        let columns = counted[1] + 1;
        let mut values = vec![0.0; (counted[0] + 1) * columns];
        for (row, half) in values.chunks_mut(columns).zip(half.chunks(width)) {
            for (out, &probability) in half.iter().enumerate().filter(|&(_, &probability)| probability > 0.0)
            {
                for some in out.saturating_sub(others[1])..=counted[1].min(out) {
                    row[some] += probability * (CHOOSE[others[1]][out - some] / CHOOSE[all[1]][out]);
                }
            }
        }
        Self { columns, values }
    }

    /// The weight where `fresh` of `all` cubes that matter were thrown.
    #[inline(always)]
    fn of(&self, fresh: usize, all: usize) -> f64 {
        match all.checked_sub(fresh) {
            Some(older) if older < self.columns => self.values[fresh * self.columns + older],
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::odds::{Answer, Question};
    use sengoku_kernel::{Cancel, InstructionSet, odds::Sampler};

    use super::super::{Odds, sample};
    use crate::clash::Winner;

    #[test]
    fn exact_odds_are_those_of_many_throws() {
        // TW-TOWER-37: chi-square over winners and armies left, for clashes of all kinds
        const COUNT: u64 = 30_000;
        for clash in sample::tests::clashes() {
            let odds = clash.exact(u64::MAX - 1, &Cancel::default()).unwrap();
            assert_eq!(odds.sample_size(), None);
            assert!(odds.neglected() < 1e-12);
            let ends: f64 = Winner::ALL.map(|winner| odds.probability(winner)).iter().sum();
            assert!((ends + odds.neglected() - 1.0).abs() < 1e-11, "{ends}");
            let mut sampler = Sampler::new(clash.plays(3, InstructionSet::best()));
            sampler.play(COUNT, &Cancel::default()).unwrap();
            let (mut chi_square, mut cells, mut rare, mut rare_seen) = (0.0, 0.0, 0.0, 0.0);
            for (&seen, probability) in sampler.tally().iter().zip(odds.table()) {
                let expected = COUNT as f64 * probability;
                assert!(seen == 0 || probability > 0.0);
                if expected < 8.0 {
                    (rare, rare_seen) = (rare + expected, rare_seen + seen as f64);
                } else {
                    chi_square += (seen as f64 - expected).powi(2) / expected;
                    cells += 1.0;
                }
            }
            chi_square += (rare_seen - rare).powi(2) / rare.max(1.0);
            let limit = cells + 4.5 * (2.0_f64 * cells).sqrt() + 8.0;
            assert!(chi_square < limit, "{clash:?}: {chi_square} of {cells} cells");
            let again = Odds::from_probabilities(&clash, odds.table(), odds.neglected());
            assert_eq!(again.as_ref(), Ok(&odds));
        }
    }
}
