//! The contract of the tower (TW-TOWER-01..37) on the model `shelves`.

use proptest::prelude::*;

use super::*;
use crate::{InstructionSet, Purpose, Scripted, Stream};

const FARMER: Colour = Colour(5);

fn ledger() -> Parameters {
    Parameters::named("ledger").unwrap()
}

fn stream(index: u64) -> Stream {
    Stream::new(11, Purpose::Tower, index)
}

fn colours(numbers: &[u8]) -> Vec<Colour> {
    numbers.iter().copied().map(Colour).collect()
}

fn three_shelves() -> Parameters {
    let shelf = |capacity, dislodge, jam_per_mille| ShelfParameters {
        capacity,
        stick_per_mille: 900,
        dislodge,
        burst: 9000,
        jam_per_mille,
        jam_half_tenths: 35,
    };
    Parameters::new(&[shelf(64, 300, 0), shelf(9, 4000, 250), shelf(33, 900, 100)]).unwrap()
}

/// Throws with the plain version and gives the tray.
fn thrown(tower: &mut CubeTower, input: &[u8], draws: &mut u32, chance: &mut impl Chance) -> Vec<u8> {
    let mut tray = Cubes::new();
    tower.throw(&ledger(), &mut colours(input), draws, chance, &mut tray);
    tray.iter().map(|colour| colour.0).collect()
}

const NEVER: u32 = 65_535;

#[test]
fn a_cube_stays_or_falls_through() {
    // TW-TOWER-32: one number for each test, and none for a shelf that is empty
    let mut tower = CubeTower::EMPTY;
    let mut chance = Scripted::new(&[57_670]); // the highest that is below P[0][0] = 57671
    assert!(thrown(&mut tower, &[3], &mut 0, &mut chance).is_empty());
    assert!(chance.is_exhausted());
    assert_eq!(tower.shelf(0), [Colour(3)]);
    // past the upper shelf (a test of the cube there, then its own) and past the empty lower one
    let mut chance = Scripted::new(&[524, 57_671, 53_739]);
    assert_eq!(thrown(&mut tower, &[1], &mut 0, &mut chance), [1]);
    assert!(chance.is_exhausted());
    assert_eq!((tower.shelf(0).len(), tower.shelf(1).len()), (1, 0));
}

#[test]
fn a_slip_drags_others_along() {
    // TW-TOWER-32: the second of four slips, the last is dragged along, the new cube stays; then the two that fell go
    // on in their order: 1 stays on the lower shelf, 3 slips through and pushes 1 out
    let mut tower = CubeTower::from_shelves(&[&colours(&[0, 1, 2, 3])]);
    let script = [
        [NEVER, 523, NEVER, NEVER].as_slice(), // the second slips
        &[1966, 1966, 1965],                   // of the other three the last goes along
        &[0],                                  // the new cube stays
        &[0],                                  // 1 stays on the empty lower shelf
        &[589],                                // 3 comes: 1 slips, nobody is left to be dragged
        &[NEVER],                              // 3 does not stay and falls out before 1
    ]
    .concat();
    let mut chance = Scripted::new(&script);
    assert_eq!(thrown(&mut tower, &[4], &mut 0, &mut chance), [3, 1]);
    assert!(chance.is_exhausted());
    assert_eq!(tower.shelf(0), colours(&[0, 2, 4]));
    assert!(tower.shelf(1).is_empty());
}

#[test]
fn the_new_cube_falls_before_those_it_dislodged() {
    // TW-TOWER-32: next[0] is processed first
    let mut tower = CubeTower::from_shelves(&[&colours(&[0, 1])]);
    let mut chance = Scripted::new(&[0, 0, NEVER, NEVER, NEVER, NEVER]); // all gone, none stays anywhere
    assert_eq!(thrown(&mut tower, &[2], &mut 0, &mut chance), [2, 0, 1]);
    assert!(chance.is_exhausted());
    assert!(tower.is_empty());
}

#[test]
fn cubes_of_a_throw_jam() {
    // TW-TOWER-36: cubes of the throw that reached the shelf before count, whether they stayed or not; older ones do not
    let shelf = ShelfParameters {
        capacity: 10,
        stick_per_mille: 100,
        dislodge: 1000,
        burst: 0,
        jam_per_mille: 500,
        jam_half_tenths: 20,
    };
    let parameters = Parameters::new(&[shelf, shelf]).unwrap();
    let mut tower = CubeTower::from_shelves(&[&colours(&[7])]);
    let mut draws = 0;
    let mut tray = Cubes::new();
    let script = [
        [0].as_slice(),       // below(2): the second cube falls first
        &[0, 6553],           // 7 slips; the first cube passes the empty shelf: 65536 / 10 rounded down
        &[6553],              // it passes the lower one
        &[6553 + 10_922 - 1], // 7 comes behind one of the throw and stays: 500/1000 x 1/3 more
        &[6553 + 10_922 - 1], // the second cube comes behind one on the upper shelf and stays
    ]
    .concat();
    let mut chance = Scripted::new(&script);
    tower.throw(&parameters, &mut colours(&[1, 2]), &mut draws, &mut chance, &mut tray);
    assert!(chance.is_exhausted());
    assert_eq!((tower.shelf(0), tower.shelf(1)), (&colours(&[1])[..], &colours(&[7])[..]));
    assert_eq!(tray.as_slice(), [Colour(2)]);
    // the next throw begins anew
    let mut chance = Scripted::new(&[NEVER, 5898, NEVER, 5898]);
    assert_eq!(tower.shelf(0).len(), 1);
    tower.throw(&parameters, &mut colours(&[3]), &mut draws, &mut chance, &mut tray);
    assert!(chance.is_exhausted());
    assert_eq!(tray.as_slice(), [Colour(2), Colour(3)]);
}

#[test]
fn the_input_is_shuffled_first() {
    // TW-RNG-00, TW-TOWER-08: below(3), below(2) from whole words, then halves
    let mut tower = CubeTower::EMPTY;
    let mut chance = Scripted::new(&[0, 0, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER]);
    let mut draws = 1;
    assert_eq!(thrown(&mut tower, &[7, 8, 9], &mut draws, &mut chance), [8, 9, 7]);
    assert!(chance.is_exhausted());
    assert_eq!(draws, 12); // half 1 is skipped, two words are halves 2 to 5, six halves follow
}

#[test]
fn chance_streams_are_apart() {
    // TW-RNG-00, TW-RNG-08: the tower has its own stream, and its draws are where the documentation says
    let mut tower = CubeTower::EMPTY;
    let mut draws = 0;
    let tray = thrown(&mut tower, &[0, 1, 2, 3], &mut draws, &mut stream(0));
    let mut numbers = stream(0);
    let mut order = [0, 1, 2, 3];
    for (word, last) in [(0, 3), (1, 2), (2, 1)] {
        order.swap(last, numbers.below(word, last as u32 + 1) as usize);
    }
    let first = u32::from(numbers.r16(6)) < 57_671;
    assert_eq!(tower.shelf(0).first() == Some(&Colour(order[0])), first);
    assert_eq!(tray.len() + tower.len(), 4);
}

#[test]
fn the_fill() {
    // TW-FILL-01, TW-RNG-02: 7 armies of every player and 10 farmers, in one throw into the empty tower
    for (players, cubes) in [(3_u16, 31), (4, 38), (5, 45)] {
        let mut counts = [0; 6];
        counts[..usize::from(players)].fill(7);
        counts[5] = 10;
        let mut input = heap(&counts);
        assert_eq!(input.len(), cubes);
        assert!(input.is_sorted()); // TW-TOWER-08: seats ascending, farmers last
        assert_eq!(input.last(), Some(&FARMER));
        let (mut tower, mut tray) = (CubeTower::EMPTY, Cubes::new());
        tower.throw(&ledger(), &mut input, &mut 0, &mut stream(1), &mut tray);
        // TW-FILL-02: what comes out goes back to the supplies, by colour
        let back: [u16; 6] = count(tray);
        let inside: [u16; 6] = tower.contents();
        assert!((0..6).all(|colour| back[colour] + inside[colour] == counts[colour]));
    }
}

#[test]
fn accidental_falls() {
    // TW-R-31, TW-TUSE-04, TW-RNG-11: a chance that rounds down to 0 is tested all the same
    let full = CubeTower::from_shelves(&[&colours(&[0, 1]), &colours(&[2, 3])]);
    let mut tower = full;
    let (mut chance, mut draws) = (Scripted::new(&[0]), 0);
    assert_eq!((tower.bump(0, &mut draws, &mut chance), draws), (None, 1));
    // one test; the cube is counted through shelf 0, then shelf 1, each oldest first
    for (place, fallen) in [(0, 0), (1, 1), (2, 2), (3, 3)] {
        let script = [99, place];
        let (mut tower, mut chance, mut draws) = (full, Scripted::new(&script), 0);
        let found = tower.bump(100, &mut draws, &mut chance);
        assert!(chance.is_exhausted());
        assert_eq!((found, draws), (Some(Colour(fallen)), 4)); // half 0, then the whole word of halves 2 and 3
        assert_eq!(tower.len(), 3);
        assert!(tower.cubes().all(|cube| cube != Colour(fallen)));
    }
    let mut chance = Scripted::new(&[100]);
    assert_eq!(tower.bump(100, &mut 0, &mut chance), None);
    assert!(chance.is_exhausted());
    let mut chance = Scripted::new(&[99]); // the test is made, but nothing can fall
    assert_eq!(CubeTower::default().bump(100, &mut 0, &mut chance), None);
    assert!(chance.is_exhausted());
    assert_eq!(tower, full); // TW-TOWER-01
    assert!(tower.bump(1 << 16, &mut 0, &mut stream(4)).is_some());
}

#[test]
fn any_cube_can_come_out_and_any_can_stay() {
    // TW-TOWER-07: over many throws every place of the tower lets go, and cubes stay as long as there is room
    let parameters = ledger();
    let tags: Vec<Colour> = (0..40).map(Colour).collect();
    let filled = CubeTower::from_shelves(&[&tags[..20], &tags[20..]]);
    let (mut came_out, mut stayed) = ([0_u32; 256], 0);
    for index in 0..4_000 {
        let (mut tower, mut tray) = (filled, Cubes::new());
        tower.throw(&parameters, &mut [Colour(100); 4], &mut 0, &mut stream(index), &mut tray);
        tray.iter().for_each(|cube| came_out[usize::from(cube.0)] += 1);
        stayed += tower.cubes().filter(|&cube| cube == Colour(100)).count();
    }
    assert!(came_out[..40].iter().all(|&count| count > 10));
    assert!(stayed > 100);
    // TW-TOWER-11: more can come out than was thrown, and nothing at all
    let outputs: Vec<usize> = (0..4_000)
        .map(|index| {
            let (mut tower, mut tray) = (filled, Cubes::new());
            tower.throw(&parameters, &mut [Colour(100)], &mut 0, &mut stream(index), &mut tray);
            tray.len()
        })
        .collect();
    assert!(outputs.contains(&0) && outputs.iter().any(|&count| count > 1));
    // a full shelf takes nothing: P = 0
    let full = CubeTower::from_shelves(&[&[Colour(1); 26], &[Colour(1); 24]]);
    assert_eq!(ledger().stick_threshold(0, full.shelf(0).len()), 0);
}

/// Parameters of any kind: from towers that hold nothing for long to such that never let go.
fn any_parameters() -> impl Strategy<Value = Parameters> {
    let capacity = prop_oneof![1..=64_u8, 30..=34_u8, Just(64)];
    let chance = || prop_oneof![1..3_000_u16, any::<u16>().prop_map(|chance| chance.max(1))];
    let jam = prop_oneof![Just((0, 0)), (0..=1000_u16, 0..=100_u16)];
    let shelf =
        (capacity, 1..=1000_u16, chance(), prop_oneof![Just(0), chance()], jam).prop_map(
            |(capacity, stick_per_mille, dislodge, burst, (jam_per_mille, jam_half_tenths))| {
                ShelfParameters { capacity, stick_per_mille, dislodge, burst, jam_per_mille, jam_half_tenths }
            },
        );
    prop::collection::vec(shelf, SHELVES).prop_map(|shelves| Parameters::new(&shelves).unwrap())
}

/// Any tower with these parameters, any cubes, any place in the stream.
fn cases() -> impl Strategy<Value = (Parameters, CubeTower, Vec<Colour>, u32, u64)> {
    let parameters = prop_oneof![Just(ledger()), Just(three_shelves()), any_parameters()];
    parameters.prop_flat_map(|parameters| {
        let shelf = |number: usize| {
            let capacity = parameters.shelves().get(number).map_or(0, |shelf| usize::from(shelf.capacity));
            let cubes = prop::collection::vec(any::<u8>().prop_map(Colour), capacity);
            (cubes, prop_oneof![Just(0), 0..=capacity]).prop_map(|(mut cubes, free)| {
                cubes.drain(..free); // full towers are among them
                cubes
            })
        };
        let tower = (shelf(0), shelf(1), shelf(2))
            .prop_map(|(upper, middle, lower)| CubeTower::from_shelves(&[&upper, &middle, &lower]));
        let input = prop::collection::vec(any::<u8>().prop_map(Colour), 1..60);
        (Just(parameters), tower, input, 0..100_000_u32, any::<u64>())
    })
}

proptest! {
    #[test]
    fn no_cube_is_lost((parameters, mut tower, input, mut draws, index) in cases()) {
        // TW-TOWER-02, TW-TOWER-03: colour by colour
        let before: [u16; 256] = count(tower.cubes().chain(input.iter().copied()));
        let mut tray = Cubes::new();
        tower.throw(&parameters, &mut input.clone(), &mut draws, &mut stream(index), &mut tray);
        let after: [u16; 256] = count(tower.cubes().chain(tray));
        prop_assert_eq!(before, after);
        prop_assert!(tower.fits(&parameters));
    }

    #[test]
    fn the_tower_is_blind_to_colours((parameters, tower, input, draws, index) in cases(), seed: u64) {
        // TW-TOWER-06, TW-R-32: new labels inside and in the input list are new labels outside, and nothing else
        let mut labels: Vec<u8> = (0..=255).collect();
        crate::shuffle(&mut labels, &mut 0, &mut Stream::new(seed, Purpose::Game, 0));
        let relabel = |cubes: &[Colour]| -> Vec<Colour> {
            cubes.iter().map(|cube| Colour(labels[usize::from(cube.0)])).collect()
        };
        let painted: [Vec<Colour>; 3] = [0, 1, 2].map(|number| relabel(tower.shelf(number)));
        let mut other = CubeTower::from_shelves(&[&painted[0], &painted[1], &painted[2]]);
        let (mut tower, mut tray, mut other_tray) = (tower, Cubes::new(), Cubes::new());
        let (mut used, mut other_used) = (draws, draws);
        tower.throw(&parameters, &mut input.clone(), &mut used, &mut stream(index), &mut tray);
        other.throw(&parameters, &mut relabel(&input), &mut other_used, &mut stream(index), &mut other_tray);
        prop_assert_eq!(used, other_used);
        prop_assert_eq!(relabel(&tray), other_tray.to_vec());
        for number in 0..3 {
            prop_assert_eq!(relabel(tower.shelf(number)), other.shelf(number));
        }
    }

    #[test]
    fn the_fast_throw_is_the_plain_one((parameters, tower, input, draws, index) in cases()) {
        // TW-TOWER-08, TW-TOWER-32: the same tower, tray and draws on every instruction set, throw after throw
        let (mut plain, mut plain_draws) = (tower, draws);
        let mut trays = Vec::new();
        for _ in 0..4 {
            let mut tray = Cubes::new();
            plain.throw(&parameters, &mut input.clone(), &mut plain_draws, &mut stream(index), &mut tray);
            trays.push(tray);
        }
        for set in InstructionSet::available() {
            let (mut fast, mut fast_draws, mut fast_trays) = (tower, draws, Vec::new());
            let reservoir = Reservoir::starting_at(11, Purpose::Tower, index, draws);
            let mut reservoir = reservoir.with_instruction_set(set);
            for _ in 0..4 {
                let (mut cubes, mut tray) = (input.clone(), Cubes::new());
                fast.throw_fast(&parameters, &mut cubes, &mut fast_draws, &mut reservoir, &mut tray);
                fast_trays.push(tray);
            }
            prop_assert_eq!((&fast, fast_draws, &fast_trays), (&plain, plain_draws, &trays), "{}", set);
        }
    }

    #[test]
    fn single_throws_are_the_plain_ones((parameters, tower, input, draws, index) in cases()) {
        // TW-TOWER-32: whatever the chance allows
        let throw = |single: bool| {
            let (mut tower, mut cubes, mut used, mut tray) = (tower, input.clone(), draws, Cubes::new());
            let mut chance = stream(index);
            for _ in 0..2 {
                if single {
                    tower.throw_with(&parameters, &mut cubes, &mut used, &mut chance, &mut tray);
                } else {
                    tower.throw(&parameters, &mut cubes, &mut used, &mut chance, &mut tray);
                }
            }
            (tower, cubes, used, tray)
        };
        prop_assert_eq!(throw(true), throw(false));
    }

    #[test]
    fn a_reservoir_is_its_stream(
        first: u64,
        second: u64,
        halves in prop::collection::vec(prop_oneof![0..3_000_u32, any::<u32>()], 1..40),
        steps in prop::collection::vec(0..40_u32, 1..80),
        sides in prop_oneof![1..10_u32, any::<u32>().prop_map(|sides| sides.max(1))],
    ) {
        // TW-RNG-00: in order, with gaps, in any order, and from the beginning of another match
        for set in InstructionSet::available() {
            let mut reservoir = Reservoir::new(11, Purpose::Tower, first).with_instruction_set(set);
            for index in [first, second] {
                reservoir.restart(index);
                let mut stream = stream(index);
                let in_order = steps.iter().scan(0, |half, step| { *half += step; Some(*half) });
                for half in in_order.chain(halves.iter().copied()) {
                    prop_assert_eq!(reservoir.r16(half), stream.r16(half));
                    prop_assert_eq!(reservoir.below(half / 2, sides), stream.below(half / 2, sides));
                }
            }
        }
    }

    #[test]
    fn written_and_read((_, tower, _, _, _) in cases()) {
        // TW-TOWER-01: what is inside survives being written down
        let mut writer = Writer::default();
        tower.encode(&mut writer);
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        prop_assert_eq!(CubeTower::decode(&mut reader, u8::MAX).ok(), (!tower.cubes().any(|cube| cube.0 == 255)).then_some(tower));
    }

    #[test]
    fn any_bytes_give_a_tower_or_an_error(bytes: Vec<u8>) {
        let _ = CubeTower::decode(&mut Reader::new(&bytes), 6);
        let _ = Parameters::decode(&mut Reader::new(&bytes));
    }
}

/// Mean and variance.
#[derive(Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn variance(&self) -> f64 {
        self.squares / self.count - self.mean().powi(2)
    }

    /// The tolerances of TW-TOWER-34.
    fn assert(&self, name: &str, mean: f64, variance: f64) {
        let (found, spread) = (self.mean(), self.variance());
        assert!((found - mean).abs() <= (0.03 * mean).max(0.1), "{name}: mean {found:.3} instead of {mean}");
        assert!(
            (spread - variance).abs() <= 0.12 * variance,
            "{name}: variance {spread:.3} instead of {variance}"
        );
    }
}

const SAMPLES: u64 = 20_000;

#[test]
fn statistics_of_the_fill() {
    // TW-TOWER-34, TW-TOWER-21: most of the fill stays inside
    for (cubes, mean, deviation) in [(31, 24.51, 2.06), (38, 27.79, 2.40), (45, 30.28, 2.67_f64)] {
        let mut held = Moments::default();
        for index in 0..SAMPLES {
            let (mut tower, mut tray) = (CubeTower::EMPTY, Cubes::new());
            let mut chance = Reservoir::new(1, Purpose::Tower, index);
            tower.throw_fast(&ledger(), &mut vec![FARMER; cubes], &mut 0, &mut chance, &mut tray);
            held.add(tower.len() as f64);
        }
        held.assert(&format!("fill of {cubes}"), mean, deviation.powi(2));
    }
}

#[test]
fn statistics_by_content() {
    // TW-TOWER-34: means and variances of the output by content and cubes thrown; TW-TOWER-33: it grows with both and
    // crosses the input near 37
    let table = [
        (20, [(1.07, 1.02), (2.31, 2.04), (3.72, 3.03), (5.28, 3.98)]),
        (26, [(1.64, 1.58), (3.42, 2.99), (5.35, 4.25), (7.40, 5.32)]),
        (32, [(2.33, 2.27), (4.75, 4.08), (7.26, 5.57), (9.82, 6.71)]),
        (38, [(3.15, 3.08), (6.29, 5.32), (9.41, 6.98), (12.52, 8.15)]),
    ];
    let mut means = Vec::new();
    for (content, row) in table {
        let loader = Loader::new(&ledger(), &[content]).unwrap();
        for (cubes, (mean, variance)) in [3, 6, 9, 12].into_iter().zip(row) {
            let mut output = Moments::default();
            for index in 0..SAMPLES {
                let mut chance = Reservoir::new(2, Purpose::Tower, index);
                let mut draws = 0;
                let mut tower = loader.load(&mut draws, &mut chance);
                let mut tray = Cubes::new();
                tower.throw_fast(&ledger(), &mut vec![FARMER; cubes], &mut draws, &mut chance, &mut tray);
                output.add(tray.len() as f64);
            }
            output.assert(&format!("{cubes} cubes into {content}"), mean, variance);
            means.push(output.mean() / cubes as f64);
        }
    }
    // TW-TOWER-21: an emptier tower swallows more, a fuller one gives more back
    assert!(means.chunks(4).map(|row| row[0]).is_sorted());
    assert!(means[8..12].iter().all(|&share| share < 1.0) && means[12..].iter().all(|&share| share > 1.0));
}

#[test]
fn statistics_of_the_long_run() {
    // TW-TOWER-34, TW-TOWER-21: throws of 3 to 10 and 12 cubes, everything that comes out removed each time
    const THROWS: u64 = 200_000;
    let sizes = [3, 4, 5, 6, 7, 8, 9, 10, 12];
    let mut choice = Stream::new(3, Purpose::Game, 0);
    let mut chance = Reservoir::new(3, Purpose::Tower, 0);
    let (mut tower, mut draws, mut content) = (CubeTower::EMPTY, 0, Moments::default());
    let mut by_size: [Moments; 13] = Default::default();
    let (mut fresh, mut at_once) = (0_u64, 0_u64);
    let mut stays = [0_u64; 255];
    for throw in 0..THROWS {
        let size = sizes[choice.below(throw as u32, 9) as usize];
        let tag = Colour((throw % 255) as u8); // no cube stays for so long, or hardly one
        let mut tray = Cubes::new();
        tower.throw_fast(&ledger(), &mut vec![tag; size], &mut draws, &mut chance, &mut tray);
        if throw < 200 {
            continue; // until it has settled
        }
        content.add(tower.len() as f64);
        by_size[size].add(tray.len() as f64);
        fresh += size as u64;
        for cube in tray {
            match (throw + 255 - u64::from(cube.0)) % 255 {
                0 => at_once += 1,
                age => stays[age as usize] += 1,
            }
        }
    }
    content.assert("content", 36.8, 3.4 * 3.4);
    for (size, variance) in [(3, 3.19), (6, 5.92), (9, 8.28), (12, 10.30)] {
        by_size[size].assert(&format!("output of {size}"), size as f64, variance);
    }
    let share = at_once as f64 / fresh as f64;
    assert!((share - 0.61).abs() < 0.61 * 0.03, "{share}");
    let total: u64 = stays.iter().sum();
    let mean = stays.iter().zip(0_u64..).map(|(count, age)| count * age).sum::<u64>() as f64 / total as f64;
    assert!((mean - 13.0).abs() < 0.6, "{mean}");
    let mut below = 0;
    let median = stays.iter().position(|count| {
        below += count;
        2 * below >= total
    });
    assert!(matches!(median, Some(8..=10)), "{median:?}");
}
