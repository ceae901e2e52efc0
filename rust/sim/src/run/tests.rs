use std::cell::RefCell;

use rayon::ThreadPoolBuilder;
use serde_json::json;

use super::*;
use crate::test_game::Race;

fn request(first_match: u64, match_count: u64) -> RunRequest {
    let bots = vec!["hasty".into(), "random".into()];
    RunRequest { bots, seats: 3, setup: json!({"goal": 20}), seed: 7, first_match, match_count }
}

fn ask(request: &RunRequest, threads: usize) -> Result<Columns, RunError> {
    let pool = (threads > 0).then(|| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let run = Run {
        pool: pool.as_ref(),
        cancel: &Cancel::default(),
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    run_matches("race", request, &run)
}

#[test]
fn threads_and_splits_change_nothing() {
    let whole = ask(&request(5, 1000), 0).unwrap();
    assert_eq!(whole.len(), 1000);
    assert_eq!((whole.ranks.len(), whole.scores.len()), (3000, 3000));
    for threads in [1, 2, 5] {
        assert_eq!(ask(&request(5, 1000), threads).unwrap(), whole);
    }
    let mut parts = ask(&request(5, 1), 2).unwrap();
    parts.append(ask(&request(6, 300), 0).unwrap());
    parts.append(ask(&request(306, 699), 3).unwrap());
    assert_eq!(parts, whole);
    assert_ne!(ask(&RunRequest { seed: 8, ..request(5, 1000) }, 0).unwrap(), whole);
}

#[test]
fn the_last_numbers_can_be_run() {
    assert_eq!(ask(&request(u64::MAX - 9, 10), 2).unwrap().len(), 10);
    let beyond = RunError::Range { first: u64::MAX - 9, count: 11 };
    assert_eq!(ask(&request(u64::MAX - 9, 11), 2), Err(beyond));
}

#[test]
fn a_row_is_the_match_played_by_hand() {
    let rows = ask(&request(2, 1), 0).unwrap();
    let key = MatchKey { seats: 3, setup: json!({"goal": 20}), seed: 7, match_index: 2 };
    let mut playing = Match::<Race>::create(key, None).unwrap();
    let mut choices = Stream::new(7, Purpose::Bots, 2);
    let mut draw = 0;
    while let Some(seat) = playing.to_act() {
        let legal = playing.legal_actions();
        let mut choice = legal.len() - 1; // hasty takes the last one
        if seat.index() > 0 && legal.len() > 1 {
            choice = choices.below(draw, legal.len() as u32) as usize;
            draw += 1;
        }
        playing.play(legal[choice]).unwrap();
    }
    let outcome = playing.outcome().unwrap();
    assert_eq!(rows.digest, [playing.digest()]);
    assert_eq!(rows.ranks, outcome.ranks.as_slice());
    assert_eq!(rows.scores, outcome.scores.as_slice());
    assert_eq!(rows.decisions, [playing.history().len() as u32]);
    assert_eq!(rows.winner, [outcome.winner().map_or(-1, |seat| seat.0.cast_signed())]);
}

#[test]
fn random_takes_every_action_equally_often() {
    let random = vec!["random".into()];
    let rows = ask(&RunRequest { bots: random, setup: json!({"goal": 1}), ..request(0, 20_000) }, 2).unwrap();
    // With a goal of 1 the first decision ends the match: a step leads to 1, a roll to 1 to 6, each with 1/6.
    let steps = rows.scores.chunks(3).filter(|scores| scores[0] == 1).count() as f64;
    let expected = 20_000.0 * (0.5 + 0.5 / 6.0);
    assert!((steps - expected).abs() < 5.0 * 70.0, "{steps}"); // five standard deviations
}

#[test]
fn wrong_requests_are_refused() {
    let refusal = |request: RunRequest| ask(&request, 1).unwrap_err().to_string();
    let base = || request(0, 1);
    assert!(refusal(request(0, 0)).starts_with("match_count is 0"));
    assert!(refusal(request(0, MAX_MATCHES + 1)).starts_with("match_count is 100000001"));
    assert!(refusal(RunRequest { seats: 1, ..base() }).starts_with("seats: 1"));
    assert_eq!(refusal(RunRequest { bots: vec![], ..base() }), "0 bots for 3 seats");
    assert_eq!(refusal(RunRequest { bots: vec!["random".into(); 4], ..base() }), "4 bots for 3 seats");
    assert_eq!(refusal(RunRequest { bots: vec!["deep".into()], ..base() }), "there is no bot \"deep\"");
    let searching = |bot: &str| refusal(RunRequest { bots: vec![bot.into()], ..base() });
    assert_eq!(
        searching("mcts:iterations=0"),
        "\"mcts:iterations=0\": iterations: \"0\" is not a number from 1 to 10000000"
    );
    assert!(searching("mcts:depth=3").contains("depth: there is no such option"));
    assert_eq!(searching("hasty:iterations=3"), "there is no bot \"hasty:iterations=3\"");
    assert!(refusal(RunRequest { setup: json!({"goal": -1}), ..base() }).starts_with("goal: "));
}

#[test]
fn a_match_without_end_is_an_error_of_the_first_such_match() {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let run = Run {
        pool: Some(&pool),
        cancel: &Cancel::default(),
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    let shortest = *ask(&request(0, 500), 0).unwrap().decisions.iter().min().unwrap();
    let all = run_limited::<Race>(&request(0, 500), &run, shortest - 1);
    assert_eq!(all, Err(RunError::TooLong { match_index: 0, limit: shortest - 1 }));
}

#[test]
fn a_searching_bot_plays_the_same_match_on_any_thread() {
    let with_bots = |bots: Vec<String>| RunRequest {
        bots,
        setup: json!({"goal": 12}),
        match_count: 40,
        ..request(3, 40)
    };
    // With so few iterations it departs from the other player now and then.
    let searching = || with_bots(vec!["mcts:iterations=8,trees=2".into(), "hasty".into()]);
    let rows = ask(&searching(), 0).unwrap();
    for threads in [1, 2, 5] {
        assert_eq!(ask(&searching(), threads).unwrap(), rows);
    }
    assert_ne!(ask(&with_bots(vec!["mcts:iterations=8".into(), "hasty".into()]), 2).unwrap(), rows);
}

#[test]
fn iterations_have_a_limit_that_the_caller_sets() {
    let bots = vec!["random".into(), "mcts:iterations=101".into()];
    let run = Run {
        pool: None,
        cancel: &Cancel::default(),
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: 100,
        replays: false,
    };
    let refused = run_matches("race", &RunRequest { bots, ..request(0, 1) }, &run);
    assert_eq!(refused, Err(RunError::Iterations { iterations: 101, limit: 100 }));
}

#[test]
fn a_search_is_stopped_in_the_midst_of_a_decision() {
    let cancel = Cancel::default();
    cancel.cancel();
    let with_bots = |bots: Vec<String>| RunRequest { bots, ..request(0, 1) };
    let run = Run {
        pool: None,
        cancel: &cancel,
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    let stopped = run_matches("race", &with_bots(vec!["mcts:iterations=10000000".into()]), &run);
    assert!(matches!(stopped, Err(RunError::Cancelled(_))));
}

#[test]
fn decisions_are_counted_over_all_matches() {
    let rows = ask(&request(0, 500), 0).unwrap();
    let total = rows.decisions.iter().map(|&decisions| u64::from(decisions)).sum::<u64>();
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = |max_decisions| {
            let run = Run {
                pool: Some(&pool),
                cancel: &Cancel::default(),
                progress: &|_| {},
                max_decisions,
                max_iterations: u32::MAX,
                replays: false,
            };
            run_matches("race", &request(0, 500), &run)
        };
        assert_eq!(run(total).as_ref(), Ok(&rows));
        assert_eq!(run(total - 1), Err(RunError::TooMany { limit: total - 1 }));
    }
}

#[test]
fn work_can_be_stopped_and_is_reported() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let cancel = Cancel::default();
    let seen = RefCell::new(Vec::new());
    let stop = |done| {
        seen.borrow_mut().push(done);
        cancel.cancel();
    };
    let run = Run {
        pool: Some(&pool),
        cancel: &cancel,
        progress: &stop,
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    let stopped = run_matches("race", &request(0, 1_000_000), &run);
    assert!(matches!(stopped, Err(RunError::Cancelled(_))));
    let most = seen.borrow().last().copied();
    assert!(most.is_some_and(|done| done < 1_000_000));
}

#[test]
#[should_panic(expected = "piece 3 is broken")]
fn a_panic_of_a_piece_reaches_the_caller() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let run = Run {
        pool: Some(&pool),
        cancel: &Cancel::default(),
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    let _ = in_order(&pool, 0..100, &run, |number| {
        assert!(number != 3, "piece 3 is broken");
        Ok(Columns::default())
    });
}

#[test]
fn the_last_bot_takes_the_seats_left() {
    let bots = ["a".to_owned(), "b".to_owned()];
    assert_eq!(bots_by_seat(&bots, 4).unwrap(), ["a", "b", "b", "b"]);
    assert_eq!(bots_by_seat(&bots, 2).unwrap(), ["a", "b"]);
}
