use std::sync::Arc;

use super::cache::Known;
use super::*;
use crate::cube_tower::{Colour, CubeTower, Cubes, Loader, Reservoir};
use crate::{Purpose, Stream};

fn law_of(parameters: &Parameters, inside: Inside, cubes: usize) -> Arc<ThrowLaw> {
    throw_law(parameters, inside, cubes, &Cancel::default()).unwrap()
}

/// The law by the chain for one tower.
fn one_by_one(parameters: &Parameters, start: &Start, cubes: usize) -> ThrowLaw {
    Chain::new(parameters, start, cubes, &Cancel::default()).run(start).unwrap()
}

fn shelf(capacity: u8, stick_per_mille: u16, dislodge: u16, burst: u16, jam: (u16, u16)) -> ShelfParameters {
    let (jam_per_mille, jam_half_tenths) = jam;
    ShelfParameters { capacity, stick_per_mille, dislodge, burst, jam_per_mille, jam_half_tenths }
}

fn sets() -> Vec<Parameters> {
    let jammed = [shelf(20, 500, 900, 4000, (400, 25)), shelf(15, 300, 2000, 9000, (700, 0))];
    let small = [shelf(4, 700, 9000, 20_000, (0, 0)), shelf(3, 900, 20_000, 0, (500, 10))];
    let ledger = Parameters::named("ledger").unwrap();
    [vec![ledger], [jammed, small].iter().map(|shelves| Parameters::new(shelves).unwrap()).collect()].concat()
}

#[test]
fn the_law_is_that_of_throws() {
    // TW-TOWER-36, TW-TOWER-37: thrown and older cubes that come out, against many throws: chi-square over all pairs
    const COUNT: u64 = 30_000;
    for (number, parameters) in sets().iter().enumerate() {
        let capacity = parameters.capacity();
        let content = capacity.min(37) / 2;
        let cases =
            [(Inside::Loaded(content), 5), (Inside::Loaded(0), 3), (Inside::Filled(31.min(2 * capacity)), 4)];
        for (inside, cubes) in cases {
            let law = law_of(parameters, inside, cubes);
            assert!(law.neglected() < 1e-12, "{}", law.neglected());
            let sum: f64 = law.table().iter().sum();
            assert!((sum + law.neglected() - 1.0).abs() < 1e-12, "{sum}");
            let mut seen = vec![0_u64; law.table().len()];
            for index in 0..COUNT {
                let mut chance = Reservoir::new(number as u64, Purpose::Tower, index);
                let (mut draws, mut tower, mut tray) = (0, CubeTower::EMPTY, Cubes::new());
                match inside {
                    Inside::Loaded(content) => {
                        let loader = Loader::new(parameters, &[content as u16]).unwrap();
                        tower = loader.load(&mut draws, &mut chance);
                    }
                    Inside::Known(_) => unreachable!(),
                    Inside::Filled(fill) => {
                        let fill = &mut vec![Colour(0); fill];
                        tower.throw_fast(parameters, fill, &mut draws, &mut chance, &mut tray);
                        tray.clear();
                    }
                }
                tower.throw_fast(parameters, &mut vec![Colour(1); cubes], &mut draws, &mut chance, &mut tray);
                let fresh = tray.iter().filter(|cube| cube.0 == 1).count();
                seen[fresh * (law.most()[1] + 1) + tray.len() - fresh] += 1;
            }
            assert_fits(&seen, law.table(), &format!("{number} {inside:?} {cubes}"));
        }
    }
}

#[test]
fn the_law_is_that_of_a_program_in_fractions() {
    // TW-TOWER-36, TW-TOWER-37: another program followed single cubes on ordered shelves of tiny towers through all that
    // can happen, in exact fractions; rows by thrown cubes that come out, columns by others
    let small = [shelf(4, 700, 9000, 20_000, (0, 0)), shelf(3, 900, 20_000, 0, (500, 10))];
    let jams = [shelf(2, 500, 20_000, 9000, (400, 15)), shelf(3, 300, 9000, 30_000, (900, 0))];
    let two_into_two = [
        [0.423_075_577_143_035_96, 0.196_137_784_124_613_94, 0.022_800_444_738_493_89],
        [0.232_893_503_084_299_3, 0.101_281_694_568_222_52, 0.006_640_026_447_316_218],
        [0.012_696_060_672_005_743, 0.004_474_802_394_212_477, 1.068_277_999_718_260_5e-7],
    ];
    let two_into_three = [
        [
            0.041_531_165_652_065_41,
            0.067_965_447_419_330_89,
            0.039_750_714_145_367_225,
            0.012_143_251_059_033_022,
        ],
        [
            0.414_093_916_827_648_7,
            0.227_383_735_678_774_68,
            0.133_933_322_738_964_16,
            0.024_633_660_592_707_007,
        ],
        [
            0.022_451_758_518_427_983,
            0.010_583_160_839_478_332,
            0.005_529_630_422_407_32,
            2.361_057_952_640_657e-7,
        ],
    ];
    let three_into_one = [
        [0.160_606_466_617_905_56, 0.043_203_591_576_336_27],
        [0.604_392_494_409_958, 0.145_898_544_008_378_48],
        [0.033_502_319_188_351_56, 0.010_418_622_164_040_46],
        [0.001_977_772_911_589_634_5, 1.891_234_400_018_795_7e-7],
    ];
    let cases = [
        (small, 2, 2, two_into_two.concat()),
        (jams, 3, 2, two_into_three.concat()),
        (jams, 1, 3, three_into_one.concat()),
    ];
    for (shelves, content, cubes, expected) in cases {
        let parameters = Parameters::new(&shelves).unwrap();
        let alone = one_by_one(&parameters, &Start::loaded(&parameters, content), cubes);
        for law in [&*law_of(&parameters, Inside::Loaded(content), cubes), &alone] {
            assert_eq!(law.most(), [cubes, content, 0]);
            for (found, wanted) in law.table().iter().zip(&expected) {
                assert!((found - wanted).abs() < 1e-14, "{found} instead of {wanted}");
            }
        }
    }
}

#[test]
fn cubes_of_known_shelves_are_told_apart() {
    // TW-TOWER-37: with a known tower the law is conditional on the shelf of each cube
    const COUNT: u64 = 30_000;
    for (number, parameters) in sets().iter().enumerate() {
        let held = [0, 1].map(|shelf| parameters.shelves()[shelf].capacity / 2);
        let law = law_of(parameters, Inside::Known(held), 3);
        assert!(law.neglected() < 1e-12);
        let [_, upper, lower] = law.most();
        let filled = [vec![Colour(1); upper], vec![Colour(2); lower]];
        let filled = CubeTower::from_shelves(&[&filled[0], &filled[1]]);
        let mut seen = vec![0_u64; law.table().len()];
        for index in 0..COUNT {
            let (mut tower, mut tray) = (filled, Cubes::new());
            let mut chance = Stream::new(number as u64, Purpose::Tower, index);
            tower.throw_with(parameters, &mut [Colour(0); 3], &mut 0, &mut chance, &mut tray);
            let out: [u16; 3] = crate::cube_tower::count(tray);
            seen[(usize::from(out[0]) * (upper + 1) + usize::from(out[1])) * (lower + 1)
                + usize::from(out[2])] += 1;
        }
        assert_fits(&seen, law.table(), &format!("{number}"));
    }
}

fn assert_fits(seen: &[u64], law: &[f64], name: &str) {
    let count = seen.iter().sum::<u64>() as f64;
    let (mut chi_square, mut cells, mut rare, mut rare_seen) = (0.0, 0.0, 0.0, 0.0);
    for (&seen, &probability) in seen.iter().zip(law) {
        assert!(seen == 0 || probability > 0.0, "{name}: what cannot be came up");
        let expected = count * probability;
        if expected < 8.0 {
            (rare, rare_seen) = (rare + expected, rare_seen + seen as f64);
        } else {
            chi_square += (seen as f64 - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    chi_square += (rare_seen - rare).powi(2) / rare.max(1.0);
    let limit = cells + 4.5 * (2.0_f64 * cells).sqrt() + 8.0;
    assert!(chi_square < limit, "{name}: {chi_square} of {cells} cells");
}

#[test]
fn contents_side_by_side_are_those_one_by_one() {
    // TW-TOWER-37: both chains, with and without jams, for all contents and throws of up to four
    for parameters in sets() {
        for content in 0..=parameters.capacity() {
            if content % 5 > 0 && content + 3 < parameters.capacity() {
                continue;
            }
            for cubes in [0, 1, 4] {
                let law = law_of(&parameters, Inside::Loaded(content), cubes);
                let alone = one_by_one(&parameters, &Start::loaded(&parameters, content), cubes);
                assert_eq!(law.most(), alone.most());
                for (found, wanted) in law.table().iter().zip(alone.table()) {
                    assert!((found - wanted).abs() < 1e-12, "{content} {cubes}: {found} instead of {wanted}");
                }
            }
        }
    }
}

#[test]
fn a_fill_is_a_throw_into_the_empty_tower() {
    for parameters in sets() {
        let fill = 31.min(2 * parameters.capacity());
        let chances = Chances::new(&parameters, fill);
        let (shelves, neglected) = Fill::new(&parameters, &chances).run(fill, &Cancel::default()).unwrap();
        assert!(neglected < 1e-12);
        let throw = one_by_one(&parameters, &Start::known(0, 0), fill);
        for (out, wanted) in throw.table().iter().enumerate() {
            let inside = |held: &[u8; 2]| usize::from(held[0]) + usize::from(held[1]) == fill - out;
            let found: f64 = shelves.iter().filter(|(held, _)| inside(held)).map(|(_, share)| share).sum();
            assert!((found - wanted).abs() < 1e-12, "{out}: {found} instead of {wanted}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let parameters = Parameters::named("ledger").unwrap();
    let law = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| compute(&parameters, Inside::Filled(31), 3, &Cancel::default()).unwrap())
    };
    assert_eq!(law(1), law(3));
}

#[test]
fn what_is_kept_is_bounded() {
    let parameters = Parameters::named("ledger").unwrap();
    let mut known = Known::default();
    for content in 0..4 {
        let laws = (0..3).map(|cubes| ThrowLaw::nothing(cubes, content, 0.0)).collect();
        known.keep(&parameters, Inside::Loaded(content), laws);
    }
    let has = |known: &mut Known, content| known.find(&parameters, Inside::Loaded(content), 2).is_some();
    assert!(known.find(&parameters, Inside::Loaded(0), 3).is_none());
    let size = known.size();
    known.forget(size);
    assert!((0..4).all(|content| has(&mut known, content)));
    // the first is asked for again, so the second is the oldest
    assert!(has(&mut known, 0));
    known.forget(size - 1);
    assert!(has(&mut known, 0) && !has(&mut known, 1) && has(&mut known, 2));
    known.forget(0);
    assert_eq!(known.size(), 0);
}

#[test]
fn a_law_is_computed_once_and_holds_smaller_throws() {
    let shelf = |capacity| shelf(capacity, 700, 3000, 9000, (0, 0));
    let parameters = Parameters::new(&[shelf(11), shelf(13)]).unwrap();
    let law = law_of(&parameters, Inside::Loaded(9), 4);
    let threads: Vec<Arc<ThrowLaw>> = std::thread::scope(|scope| {
        let ask = || law_of(&parameters, Inside::Filled(21), 5);
        let asked: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(threads.iter().all(|law| Arc::ptr_eq(law, &threads[0])));
    assert!(Arc::ptr_eq(&law, &law_of(&parameters, Inside::Loaded(9), 4)));
    // what came along is what it would be by itself
    let again = compute(&parameters, Inside::Loaded(9), 2, &Cancel::default()).unwrap();
    let (_, laws) = again.iter().find(|(inside, _)| *inside == Inside::Loaded(9)).unwrap();
    assert_eq!(*law_of(&parameters, Inside::Loaded(9), 2), laws[2]);
    assert_eq!(law_of(&parameters, Inside::Loaded(12), 3).most(), [3, 12, 0]);
}

#[test]
fn a_raised_flag_ends_the_work() {
    let shelf = |capacity| shelf(capacity, 700, 3001, 9000, (0, 0));
    let parameters = Parameters::new(&[shelf(11), shelf(13)]).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    for inside in [Inside::Loaded(9), Inside::Filled(30), Inside::Known([4, 5])] {
        assert_eq!(compute(&parameters, inside, 3, &cancel), Err(Cancelled));
        assert_eq!(throw_law(&parameters, inside, 3, &cancel), Err(Cancelled));
        // who asks next begins anew
        assert_eq!(law_of(&parameters, inside, 1).most()[0], 1);
    }
}

#[test]
fn three_shelves_have_no_chain_on_counts() {
    let shelf = Parameters::named("ledger").unwrap().shelves()[0];
    let three = Parameters::new(&[shelf; 3]).unwrap();
    assert_eq!(throw_states(&three, Inside::Loaded(3), 3), u64::MAX);
}
