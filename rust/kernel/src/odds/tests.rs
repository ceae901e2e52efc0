use super::*;
use crate::{Chance, Purpose, Stream};

/// One die with `sides` sides: it shows the last one, or not.
#[derive(Clone, Debug)]
struct Die {
    sides: u32,
    states: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Shown {
    counts: Vec<u64>,
    samples: Option<u64>,
}

struct Rolls {
    sides: u32,
    seed: u64,
}

impl Question for Die {
    type Plays = Rolls;
    const EXACT_STATE_LIMIT: u64 = 100;

    fn states(&self) -> u64 {
        self.states
    }

    fn exact(&self, limit: u64, _cancel: &Cancel) -> Result<Shown, AskError> {
        if self.states > limit {
            return Err(StateSpaceError { states: self.states, limit }.into());
        }
        Ok(Shown { counts: vec![u64::from(self.sides) - 1, 1], samples: None })
    }

    fn plays(&self, seed: u64, _instruction_set: InstructionSet) -> Rolls {
        Rolls { sides: self.sides, seed }
    }
}

impl Plays for Rolls {
    type Tally = Vec<u64>;
    type Odds = Shown;
    const CHUNK: u64 = 100;
    const SLICE: u64 = 4;

    fn chunk(&self, indices: Range<u64>) -> Vec<u64> {
        let mut counts = vec![0; 2];
        for index in indices {
            let die = Stream::new(self.seed, Purpose::Odds, index).below(0, self.sides);
            counts[usize::from(die + 1 == self.sides)] += 1;
        }
        counts
    }

    fn odds(&self, counts: Vec<u64>, samples: u64) -> Shown {
        Shown { counts, samples: Some(samples) }
    }
}

impl Answer for Shown {
    fn ends(&self) -> Vec<f64> {
        let sum: u64 = self.counts.iter().sum();
        self.counts.iter().map(|&count| count as f64 / sum as f64).collect()
    }

    fn sample_size(&self) -> Option<u64> {
        self.samples
    }
}

fn die(states: u64) -> Die {
    Die { sides: 5, states }
}

fn run(cancel: &Cancel) -> Run<'_> {
    Run { seed: 1, instruction_set: InstructionSet::best(), cancel, pool: None }
}

fn answer(ask: Ask, states: u64) -> Result<Shown, AskError> {
    ask.evaluate(&die(states), &run(&Cancel::default()), |_, _| {})
}

fn auto(max_error: f64) -> Ask {
    Ask::Auto { max_error, max_samples: MAX_SAMPLES }
}

#[test]
fn auto_is_exact_where_that_is_affordable() {
    assert_eq!(answer(auto(1e-4), 100).unwrap().samples, None);
    let sampled = answer(auto(1e-2), 101).unwrap();
    assert!(sampled.standard_error() <= 1e-2);
    let samples = sampled.samples.unwrap();
    assert_eq!(answer(Ask::Sampled { samples }, 0).unwrap(), sampled);
    assert!((sampled.ends()[1] - 0.2).abs() < 0.04);
}

#[test]
fn questions_without_an_answer() {
    assert_eq!(answer(Ask::Sampled { samples: 0 }, 0), Err(AskError::Samples(0)));
    let too_many = MAX_SAMPLES + 1;
    assert_eq!(answer(Ask::Sampled { samples: too_many }, 0), Err(AskError::Samples(too_many)));
    assert_eq!(Ask::Sampled { samples: MAX_SAMPLES }.validate(), Ok(()));
    assert_eq!(answer(auto(0.0), 0), Err(AskError::MaxError(0.0)));
    assert!(matches!(answer(auto(f64::NAN), 0), Err(AskError::MaxError(_))));
    assert!(matches!(answer(auto(1e-9), 101), Err(AskError::MaxErrorTooSmall { .. })));
    let space = StateSpaceError { states: 4, limit: 3 };
    assert_eq!(answer(Ask::Exact { max_states: 3 }, 4), Err(AskError::StateSpace(space)));
    let none = Ask::Auto { max_error: 0.1, max_samples: 0 };
    assert_eq!(answer(none, 0), Err(AskError::MaxSamples(0)));
}

#[test]
fn progress_reaches_the_total() {
    let mut seen = Vec::new();
    let ask = Ask::Sampled { samples: 10_001 };
    ask.evaluate(&die(0), &run(&Cancel::default()), |done, total| seen.push((done, total))).unwrap();
    assert_eq!(seen.last(), Some(&(10_001, 10_001)));
    assert!(seen.is_sorted());
}

#[test]
fn rows_of_a_batch_are_single_answers() {
    let dice = [die(1), die(1000), die(3)];
    let cancel = Cancel::default();
    for ask in [Ask::Sampled { samples: 10 }, Ask::Sampled { samples: 2_000 }, auto(1e-2)] {
        let rows = ask.evaluate_all(&dice, &run(&cancel), || {}).unwrap();
        let single = dice.each_ref().map(|die| ask.evaluate(die, &run(&cancel), |_, _| {}).unwrap());
        assert_eq!(rows, single);
    }
    let exact = Ask::Exact { max_states: 100 };
    assert!(matches!(exact.evaluate_all(&dice, &run(&cancel), || {}), Err((1, AskError::StateSpace(_)))));
    cancel.cancel();
    let stopped = Err((0, AskError::Cancelled(Cancelled)));
    assert_eq!(Ask::Sampled { samples: 10 }.evaluate_all(&dice[..1], &run(&cancel), || {}), stopped);
}

#[test]
fn parts_and_threads_change_nothing() {
    let played = |parts: &[u64]| {
        let mut sampler = Sampler::new(die(0).plays(7, InstructionSet::best()));
        for &part in parts {
            sampler.play(part, &Cancel::default()).unwrap();
        }
        sampler.tally().clone()
    };
    let whole = played(&[2_001]);
    assert_eq!(whole, played(&[1, 99, 1, 900, 1_000]));
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(whole, pool.install(|| played(&[2_001])));
    }
}

#[test]
fn a_raised_flag_stops_the_work() {
    let mut sampler = Sampler::new(die(0).plays(7, InstructionSet::best()));
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(sampler.play(MAX_SAMPLES, &cancel), Err(Cancelled));
    assert_eq!((sampler.samples(), sampler.odds()), (0, None));
}

#[test]
fn the_standard_error_is_that_of_the_least_certain_end() {
    let shown = |counts: Vec<u64>| Shown { samples: Some(counts.iter().sum()), counts };
    // 40, 30 and 30 of 100: the widest is (40.5 / 101) (60.5 / 101) / 100
    let expected = (40.5 * 60.5_f64).sqrt() / 1010.0;
    assert!((shown(vec![40, 30, 30]).standard_error() - expected).abs() < 1e-15);
    // what never came up is not called impossible
    let certain = (0.5 * 100.5_f64).sqrt() / 1010.0;
    assert!((shown(vec![100, 0]).standard_error() - certain).abs() < 1e-15);
    assert!((249_000..=250_001).contains(&shown(vec![50, 50]).samples_for(1e-3)));
    // a certain end: the error falls like 0.7 / n, not like the root of n
    assert!((600_000..=800_000).contains(&shown(vec![65_536, 0]).samples_for(1e-6)));
    assert_eq!(shown(vec![65_536, 0]).samples_for(1e-30), 1 << 62);
}

#[test]
fn percentiles_count_what_is_exactly_reached() {
    let left = [0.7, 0.2, 0.1, 0.0];
    assert_eq!(percentiles(&left, &[0.0, 70.0, 71.0, 90.0, 91.0, 100.0]), [0, 0, 1, 1, 2, 2]);
    // the last one is the largest number there can be, however small its chance
    assert_eq!(percentiles(&[1.0 - 1e-14, 1e-14], &[99.999, 100.0]), [0, 1]);
}

#[test]
fn counts_that_cannot_be() {
    let check = |counts: &[u64], samples| TableError::check_counts(counts, 2, samples);
    assert_eq!(check(&[4, 6], 10), Ok(()));
    assert_eq!(check(&[10], 10), Err(TableError::Size { expected: 2, found: 1 }));
    let empty = TableError::Value { field: "samples", value: "0".into() };
    assert_eq!(check(&[0, 0], 0), Err(empty));
    assert!(matches!(check(&[4, 6], 9), Err(TableError::Sum { .. })));
}

#[test]
fn a_child_flag_hears_its_parent() {
    let parent = std::sync::Arc::new(Cancel::default());
    let child = Cancel::child(std::sync::Arc::clone(&parent));
    let other = Cancel::child(std::sync::Arc::clone(&parent));
    child.cancel();
    assert!(child.is_cancelled() && !parent.is_cancelled() && !other.is_cancelled());
    parent.cancel();
    assert!(other.is_cancelled());
}
