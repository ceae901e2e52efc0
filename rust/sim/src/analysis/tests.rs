use rayon::ThreadPoolBuilder;
use serde_json::json;

use super::*;
use crate::MatchKey;
use crate::test_game::{Move, Race};

const OPTIONS: AnalysisOptions =
    AnalysisOptions { seed: 5, iterations: 64, luck: 16, horizon: Some(0), cards: Cards::Seat, seat: None };

/// A race in which a roll is better than a step, because only a die goes further than one.
fn race(moves: &[Move]) -> Match<Race> {
    let key = MatchKey { seats: 2, setup: json!({ "goal": 12 }), seed: 7, match_index: 2 };
    let mut playing = Match::create(key, None).unwrap();
    for &action in moves {
        playing.play(action).unwrap();
    }
    playing
}

fn analyse(playing: &Match<Race>, options: &AnalysisOptions, threads: usize) -> Vec<(usize, Record)> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let searching = Searching { pool: &pool, stop: &|| false, look: &|| {} };
    let all: Vec<usize> = (0..=playing.history().len()).collect();
    playing.analyse(options, &all, &searching, &|_| {})
}

#[test]
fn threads_and_the_order_of_work_change_nothing() {
    let playing = race(&[Move::Roll, Move::Step, Move::Roll]);
    let found = analyse(&playing, &OPTIONS, 1);
    // The set-up has luck, too: the secrets.
    assert_eq!(found.iter().map(|&(decision, _)| decision).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(analyse(&playing, &OPTIONS, 3), found);
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let searching = Searching { pool: &pool, stop: &|| false, look: &|| {} };
    assert_eq!(playing.analyse(&OPTIONS, &[3], &searching, &|_| {}), found[3..]);
    let other = AnalysisOptions { seed: 6, ..OPTIONS };
    assert_ne!(analyse(&playing, &other, 1), found);
}

#[test]
fn a_step_is_a_mistake_and_a_roll_is_not() {
    let options = AnalysisOptions { iterations: 1000, ..OPTIONS };
    let found = analyse(&race(&[Move::Step, Move::Roll]), &options, 2);
    let step = found[1].1.moves.as_ref().unwrap();
    assert_eq!((step.rank, step.legal, step.tried, step.best.text.as_str()), (2, 2, 2, "roll a die"));
    assert!(step.loss > 2.0 * step.loss_error && step.loss > 0.05, "{step:?}");
    // With a roll instead it would be as good as before.
    assert!((step.before[0] - step.best_value).abs() < f64::EPSILON);
    let roll = found[2].1.moves.as_ref().unwrap();
    assert_eq!(roll.rank, 1);
    assert!(roll.loss.abs() < f64::EPSILON);
    for values in [&step.before, &step.expected, &step.after, &roll.after] {
        assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn luck_is_in_rolls_and_follows_the_face() {
    let playing = race(&[Move::Roll, Move::Step, Move::Roll, Move::Roll]);
    let found = analyse(&playing, &OPTIONS, 2);
    let deal = found[0].1.luck.as_ref().unwrap();
    assert_eq!(
        (deal.change.as_slice(), deal.hits.as_slice()),
        (&[0.0; 2][..], &[0; 2][..]),
        "secrets decide nothing"
    );
    for (decision, record) in found.into_iter().skip(1) {
        let Some(luck) = record.luck else {
            assert_eq!(decision, 2, "only a roll has luck");
            continue;
        };
        let rolled = playing.events_of(decision..=decision).start;
        let face = playing.events()[rolled]["face"].as_u64().unwrap() as u32;
        let own = (decision + 1) % 2;
        assert_eq!(luck.hits[own], face);
        assert!((luck.hits_expected[own] - 3.5).abs() < 1.5);
        assert!((luck.change[0] + luck.change[1]).abs() < 1e-9);
        if face >= 5 {
            assert!(luck.change[own] > 0.0, "a {face} is luck: {luck:?}");
        } else if face <= 2 {
            assert!(luck.change[own] < 0.0, "a {face} is no luck: {luck:?}");
        }
    }
}

#[test]
fn the_mean_of_luck_is_zero() {
    // Over many races, the sum of what was drawn is within five standard errors of zero.
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    for seed in 0..200 {
        let key = MatchKey { seats: 2, setup: json!({ "goal": 12 }), seed, match_index: 0 };
        let mut playing = Match::<Race>::create(key, None).unwrap();
        while !playing.over() {
            playing.play(Move::Roll).unwrap();
        }
        let options = AnalysisOptions { iterations: 0, luck: 4, ..OPTIONS };
        let found = analyse(&playing, &options, 2);
        let luck: f64 = found.iter().filter_map(|(_, record)| Some(record.luck.as_ref()?.change[0])).sum();
        (sum, squares, count) = (sum + luck, squares + luck * luck, count + 1.0);
    }
    let (mean, variance) = (sum / count, squares / count);
    assert!(variance > 0.01, "there is luck in a race");
    assert!(mean.abs() < 5.0 * (variance / count).sqrt(), "{mean}");
}

#[test]
fn what_a_seat_cannot_see_changes_nothing_for_it() {
    let mut playing = race(&[Move::Roll, Move::Step]);
    let options = AnalysisOptions { seat: Some(Seat(0)), ..OPTIONS };
    let found = analyse(&playing, &options, 2);
    assert_eq!(found.len(), 1, "only its own decision");
    assert!(found[0].1.luck.is_none());
    playing = race(&[]);
    let mut setup = playing.key().setup.clone();
    for secret in 0..3 {
        // The same race with another secret of the other seat.
        let mut state = *playing.state();
        state.secrets[1] = secret;
        setup["position"] = sengoku_kernel::Stored::position(&state);
        let key = MatchKey { setup: setup.clone(), ..playing.key().clone() };
        let mut other = Match::<Race>::create(key, None).unwrap();
        other.play(Move::Step).unwrap();
        let one = analyse(&other, &options, 1);
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].1.moves.as_ref().unwrap().before.len(), 2);
        if secret > 0 {
            setup["position"] = {
                let mut first = *playing.state();
                first.secrets[1] = 0;
                sengoku_kernel::Stored::position(&first)
            };
            let key = MatchKey { setup: setup.clone(), ..playing.key().clone() };
            let mut first = Match::<Race>::create(key, None).unwrap();
            first.play(Move::Step).unwrap();
            assert_eq!(analyse(&first, &options, 1), one);
        }
    }
}

#[test]
fn an_analysis_that_is_stopped_has_what_is_done() {
    let playing = race(&[Move::Roll, Move::Step]);
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let searching = Searching { pool: &pool, stop: &|| true, look: &|| {} };
    assert_eq!(playing.analyse(&OPTIONS, &[0, 1, 2], &searching, &|_| {}), []);
}
