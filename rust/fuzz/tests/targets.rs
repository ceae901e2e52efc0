//! Every target on real values, on what was once found, and on mutations, for a share of `SENGOKU_FUZZ_SECONDS`.
#![expect(clippy::disallowed_types, reason = "the time that is spent on fuzzing is given in seconds")]
#![expect(clippy::print_stdout, reason = "cargo shows it with --nocapture")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use sengoku_fuzz::{Mutator, TARGETS, Target, seeds};

/// Share of all fuzzing that is spent here; the rest is spent on servers, in `tests/fuzz`.
const SHARE: f64 = 1.0 / 3.0;

fn number(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Run a target, and return whether it accepted the input; a panic shows it.
fn run(target: Target, data: &[u8], origin: &str) -> bool {
    catch_unwind(AssertUnwindSafe(|| (target.run)(data))).unwrap_or_else(|_| {
        let file = std::env::temp_dir().join(format!("sengoku-fuzz-{}", target.name));
        fs::write(&file, data).expect("a temporary file");
        let shown = String::from_utf8_lossy(&data[..data.len().min(2_000)]);
        panic!("{}: {origin} of {} bytes, kept in {}: {shown:?}", target.name, data.len(), file.display())
    })
}

#[test]
fn real_values_are_accepted() {
    for target in TARGETS {
        let values = seeds(target.name);
        assert!(!values.is_empty(), "{}", target.name);
        for value in values {
            assert!(run(*target, &value, "a real value"), "{}: a real value is refused", target.name);
        }
    }
}

#[test]
fn what_was_found_does_no_harm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let target = name.split('.').next().and_then(sengoku_fuzz::target).expect("TARGET.NAME");
        run(target, &fs::read(entry.path()).expect("a file"), &name);
    }
}

#[test]
fn mutations_do_no_harm() {
    let seconds = number("SENGOKU_FUZZ_SECONDS", 60.0) * SHARE / TARGETS.len() as f64;
    let seed = number("SENGOKU_FUZZ_SEED", 1.0) as u64;
    for target in TARGETS {
        let values = seeds(target.name);
        let begun = Instant::now();
        let (mut count, mut accepted) = (0_u64, 0_u64);
        while begun.elapsed() < Duration::from_secs_f64(seconds) {
            let mut mutator = Mutator::new(seed, count);
            let mut data = values[mutator.below(values.len())].clone();
            let other = &values[mutator.below(values.len())];
            mutator.mutate(&mut data, other);
            let started = Instant::now();
            accepted += u64::from(run(*target, &data, &format!("mutation {count} of seed {seed}")));
            let taken = started.elapsed();
            assert!(taken < Duration::from_secs(20), "{}: mutation {count} took {taken:?}", target.name);
            count += 1;
        }
        println!("{}: {accepted} of {count} mutations accepted", target.name);
    }
}
