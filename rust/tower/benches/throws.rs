//! Throughput of the tower: 10 cubes into a filled tower, and the odds of a clash.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sengoku_kernel::cube_tower::{CubeTower, Cubes, Loader, Parameters, Reservoir, heap};
use sengoku_kernel::odds::{Question, Sampler};
use sengoku_kernel::{Cancel, InstructionSet, Purpose, Stream};
use sengoku_tower::{Clash, ClashSetup, Party, Winner, data};

const COUNT: u64 = 1 << 14;
const THROWN: [u16; 6] = [0, 4, 3, 0, 0, 3];

fn filled(parameters: &Parameters) -> CubeTower {
    let loader = Loader::new(parameters, &[7, 7, 7, 6, 0, 10]).expect("37 cubes");
    loader.load(&mut 0, &mut Stream::new(1, Purpose::Tower, 0))
}

fn throws(criterion: &mut Criterion) {
    let parameters = Parameters::default();
    let (filled, input) = (filled(&parameters), heap(&THROWN));
    let mut group = criterion.benchmark_group("throw of 10 cubes");
    group.throughput(Throughput::Elements(COUNT));
    let plain = || {
        let mut out = 0;
        for index in 0..COUNT {
            let (mut tower, mut tray) = (filled, Cubes::new());
            let mut chance = Stream::new(7, Purpose::Tower, index);
            tower.throw(&parameters, &mut input.clone(), &mut 0, &mut chance, &mut tray);
            out += tray.len();
        }
        out
    };
    for set in InstructionSet::available() {
        let fast = || {
            let mut chance = Reservoir::new(7, Purpose::Tower, 0).with_instruction_set(set);
            let mut out = 0;
            for index in 0..COUNT {
                let (mut tower, mut tray) = (filled, Cubes::new());
                chance.restart(index);
                tower.throw_fast(&parameters, &mut input.clone(), &mut 0, &mut chance, &mut tray);
                out += tray.len();
            }
            out
        };
        assert_eq!(fast(), plain(), "{set}");
        group.bench_function(set.to_string(), |bencher| bencher.iter(|| black_box(fast())));
    }
    let single = || {
        let mut out = 0;
        for index in 0..COUNT {
            let (mut tower, mut tray) = (filled, Cubes::new());
            let mut chance = Stream::new(7, Purpose::Tower, index);
            tower.throw_with(&parameters, &mut input.clone(), &mut 0, &mut chance, &mut tray);
            out += tray.len();
        }
        out
    };
    assert_eq!(single(), plain());
    group.bench_function("single", |bencher| bencher.iter(|| black_box(single())));
    group.bench_function("plain", |bencher| bencher.iter(|| black_box(plain())));
    group.finish();
}

fn odds(criterion: &mut Criterion) {
    let party = |colour, cubes| Party { colour, cubes };
    let contents = Some(data::Cubes([7, 7, 7, 6, 0, 10]));
    let fill = ClashSetup { attacker: party(1, 4), defender: Some(party(2, 3)), ..ClashSetup::default() };
    let mut group = criterion.benchmark_group("odds of a clash");
    group.throughput(Throughput::Elements(COUNT));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    for (name, setup) in [("fresh fill", fill.clone()), ("given contents", ClashSetup { contents, ..fill })] {
        let clash = Clash::new(&setup).expect("it can be");
        let run = || {
            let mut sampler = Sampler::new(clash.plays(7, InstructionSet::best()));
            pool.install(|| sampler.play(COUNT, &Cancel::default())).expect("nobody cancels");
            sampler.odds().expect("clashes were played").probability(Winner::Attacker)
        };
        assert!((0.05..0.9).contains(&run()));
        group.bench_function(name, |bencher| bencher.iter(run));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = throws, odds
}
criterion_main!(benches);
