use super::*;
use crate::Geometry;

fn check(grid: &Measured, run: &Measured) {
    for row in &grid.rows {
        assert!(CONTENTS.contains(&row.content.into()));
        assert_eq!(row.first + row.second, row.output);
        assert!(row.fresh <= row.thrown.min(row.output));
    }
    let cell = |content, size| {
        grid.rows.iter().filter(|row| (row.content, row.thrown) == (content, size)).count() as u64
    };
    assert_eq!([cell(15, 2), cell(20, 16), cell(25, 6)], [REPEATS; 3]);
    assert_eq!((run.rows.len(), run.residence.len()), (LONG_RUN, FOLLOWED + 1));
    for pair in run.rows.windows(2) {
        assert_eq!(pair[0].content + pair[0].thrown - pair[0].output, pair[1].content);
    }
    let stayed = |row: &Row| u32::from(row.thrown - row.fresh);
    let followed: u32 = run.rows[..LONG_RUN - FOLLOWED].iter().map(stayed).sum();
    assert_eq!(run.residence.iter().sum::<u32>(), followed);
}

#[test]
fn trials_of_the_fast_model_count_what_they_throw() {
    // TW-TOWER-44: every cell gets its throws, every cube that stayed is accounted for
    let parameters = Parameters::named("ledger").unwrap();
    let empty = Shelves::new(&parameters);
    let run = |trial: Trial| trial.run(&empty, 1, 0, &Cancel::default()).unwrap();
    check(&run(Trial::Grid), &run(Trial::LongRun));
    assert_eq!(run(Trial::Grid), run(Trial::Grid));
}

#[test]
#[ignore = "takes a minute"]
fn trials_of_the_rigid_tower_count_what_they_throw() {
    let empty = RigidTower::new(Geometry::standard(), 0, 0);
    let run = |trial: Trial| trial.run(&empty, 1, 0, &Cancel::default()).unwrap();
    check(&run(Trial::Grid), &run(Trial::LongRun));
}

#[test]
fn trials_are_functions_of_their_number() {
    // TW-TOWER-08
    let empty = RigidTower::new(Geometry::standard(), 0, 0);
    let run = |number| Trial::Fill.run(&empty, 3, number, &Cancel::default()).unwrap();
    let (first, second) = (run(0), run(1));
    assert_eq!(run(0), first);
    assert_ne!(first, second);
    let thrown: Vec<usize> = first.rows.iter().map(|row| row.thrown.into()).collect();
    assert_eq!(thrown, FILLS);
    for row in first.rows {
        assert_eq!((row.content, row.fresh, row.first + row.second), (0, row.output, row.output));
    }
}

#[test]
fn a_trial_that_is_stopped() {
    let cancel = Cancel::default();
    cancel.cancel();
    let empty = RigidTower::new(Geometry::standard(), 0, 0);
    for (_, trial) in Trial::NAMES {
        assert_eq!(trial.run(&empty, 1, 1, &cancel), Err(Cancelled));
    }
}
