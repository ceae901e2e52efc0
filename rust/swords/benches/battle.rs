//! Throughput of the reference battle: sampled, exact, and fought die by die.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sengoku_kernel::odds::{Question, Sampler};
use sengoku_kernel::{Cancel, InstructionSet, Purpose, Stream};
use sengoku_swords::odds::{EXACT_STATE_LIMIT, exact};
use sengoku_swords::play::combat::BattleEnd;
use sengoku_swords::{Battle, BattleSetup, Force};

fn reference_battle() -> Battle {
    let army = Force::of([2, 2, 1, 2, 0, 3]); // 2 bow, 2 gun, 1 daimyo, 2 sword, 3 spear
    let setup = BattleSetup { attacker: army, defenders: vec![army], ..BattleSetup::default() };
    Battle::new(&setup).expect("the reference battle is legal")
}

fn sampled(criterion: &mut Criterion) {
    const COUNT: u64 = 1 << 20;
    let battle = reference_battle();
    let expected = exact(&battle, EXACT_STATE_LIMIT).expect("small").probability(BattleEnd::Attacker);
    let mut group = criterion.benchmark_group("sampled");
    group.throughput(Throughput::Elements(COUNT));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    for set in InstructionSet::available() {
        let run = || {
            let mut sampler = Sampler::new(battle.plays(7, set));
            pool.install(|| sampler.play(COUNT, &Cancel::default())).expect("nobody cancels");
            sampler.odds().expect("battles were played")
        };
        let found = run().probability(BattleEnd::Attacker);
        assert!((found - expected).abs() < 0.0025, "{set}: {found} instead of {expected}");
        group.bench_function(set.to_string(), |bencher| bencher.iter(run));
    }
    group.finish();
}

fn whole(criterion: &mut Criterion) {
    let battle = reference_battle();
    criterion.bench_function("exact", |bencher| {
        bencher.iter(|| exact(black_box(&battle), EXACT_STATE_LIMIT).expect("small"));
    });
    let mut index = 0;
    criterion.bench_function("die by die", |bencher| {
        bencher.iter(|| {
            index += 1;
            battle.fight(&mut Stream::new(7, Purpose::Game, index)).rounds
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = sampled, whole
}
criterion_main!(benches);
