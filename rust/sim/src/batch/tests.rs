use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::ThreadPoolBuilder;
use sengoku_kernel::Game;
use serde_json::json;

use super::lane::reward_of;
use super::*;
use crate::test_game::{Move, Race};
use crate::{Match, RunError};

const ACTIONS: usize = 3;

/// Arrays of a caller.
#[derive(Clone, Debug, PartialEq)]
struct Arrays {
    observation: Vec<u8>,
    legal_bits: Vec<u8>,
    legal: Vec<u8>,
    seat: Vec<i8>,
    reward: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    match_index: Vec<u64>,
    decisions: Vec<u32>,
    skipped: Vec<u32>,
    features: Vec<f32>,
    final_features: Vec<f32>,
    final_observation: Vec<u8>,
    final_match_index: Vec<u64>,
    final_decisions: Vec<u32>,
}

impl Arrays {
    fn new(lanes: usize, seats: usize, ends: usize) -> Self {
        let size = Race::OBSERVATION_SIZE;
        Self {
            observation: vec![9; lanes * size],
            legal_bits: vec![9; lanes],
            legal: vec![9; lanes * ACTIONS],
            seat: vec![9; lanes],
            reward: vec![9.0; lanes * seats],
            terminated: vec![9; lanes],
            truncated: vec![9; lanes],
            match_index: vec![9; lanes],
            decisions: vec![9; lanes],
            skipped: vec![9; lanes],
            features: Vec::new(),
            final_features: Vec::new(),
            final_observation: vec![9; lanes * ends * size],
            final_match_index: vec![9; lanes * ends],
            final_decisions: vec![9; lanes * ends],
        }
    }

    fn rows(&mut self) -> Rows<'_> {
        Rows {
            observation: &mut self.observation,
            legal_bits: &mut self.legal_bits,
            legal: &mut self.legal,
            seat: &mut self.seat,
            reward: &mut self.reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            match_index: &mut self.match_index,
            decisions: &mut self.decisions,
            skipped: &mut self.skipped,
            features: &mut self.features,
            final_features: &mut self.final_features,
            final_observation: &mut self.final_observation,
            final_match_index: &mut self.final_match_index,
            final_decisions: &mut self.final_decisions,
        }
    }
}

fn request(lanes: usize, bots: [Option<&str>; 3], autoreset: Autoreset) -> BatchRequest {
    BatchRequest {
        lanes,
        bots: bots.map(|name| name.map(Into::into)).to_vec(),
        key: MatchKey { seats: 3, setup: json!({"goal": 20}), seed: 7, match_index: 5 },
        autoreset,
        max_decisions: None,
        record: true,
        features: false,
        skip_forced: false,
        shaping: None,
    }
}

fn begun(request: BatchRequest) -> (Batch<Race>, Arrays) {
    let ends = usize::from(request.autoreset == Autoreset::SameStep);
    let mut arrays = Arrays::new(request.lanes, 3, ends);
    let mut batch = Batch::<Race>::create(request).unwrap();
    batch.reset(None, None, alone(&Cancel::default()), arrays.rows()).unwrap();
    (batch, arrays)
}

fn alone(cancel: &Cancel) -> Execution<'_> {
    Execution { pool: None, cancel }
}

fn sampled(batch: &Batch<Race>) -> Vec<i64> {
    let mut actions = vec![9; batch.lanes()];
    batch.sample(None, None, &mut actions).unwrap();
    actions
}

fn step(batch: &mut Batch<Race>, arrays: &mut Arrays, actions: &[i64]) {
    batch.step(actions, alone(&Cancel::default()), arrays.rows()).unwrap();
}

/// A row as a match gives it.
fn compare(playing: &Match<Race>, arrays: &Arrays, lane: usize) {
    let size = Race::OBSERVATION_SIZE;
    let (mut seen, mut mask) = (vec![0; size], [false; ACTIONS]);
    playing.legal_mask(&mut mask);
    assert_eq!(arrays.legal[lane * ACTIONS..][..ACTIONS], mask.map(u8::from));
    assert_eq!(
        arrays.legal_bits[lane],
        mask.iter().rev().fold(0, |bits, &legal| bits << 1 | u8::from(legal))
    );
    assert_eq!(arrays.seat[lane], playing.to_act().map_or(-1, |seat| seat.0.cast_signed()));
    assert_eq!(arrays.match_index[lane], playing.key().match_index);
    assert_eq!(arrays.decisions[lane], playing.history().len() as u32);
    if let Some(seat) = playing.to_act() {
        playing.observe(seat, &mut seen);
        assert_eq!(arrays.observation[lane * size..][..size], seen);
    }
    let done = arrays.terminated[lane] + arrays.truncated[lane];
    assert_eq!(done, u8::from(playing.over()));
    assert_eq!(arrays.terminated[lane] == 1, playing.outcome().is_some_and(|outcome| outcome.by_rule));
}

#[test]
fn lanes_are_matches() {
    let lanes = 7;
    let (mut batch, mut arrays) = begun(request(lanes, [None; 3], Autoreset::NextStep));
    let of = |match_index| {
        let key = MatchKey { seats: 3, setup: json!({"goal": 20}), seed: 7, match_index };
        Match::<Race>::create(key, None).unwrap()
    };
    let mut matches: Vec<_> = (0..lanes as u64).map(|lane| of(5 + lane)).collect();
    for number in 0..200 {
        let actions = sampled(&batch);
        for (lane, playing) in matches.iter_mut().enumerate() {
            compare(playing, &arrays, lane);
            assert_eq!(batch.digest(lane).unwrap(), playing.digest());
            assert_eq!(batch.to_match(lane).unwrap().save(), playing.save());
            match u32::try_from(actions[lane]) {
                Ok(action) => playing.play_index(action).unwrap(),
                Err(_) => *playing = of(playing.key().match_index + lanes as u64),
            }
        }
        step(&mut batch, &mut arrays, &actions);
        if number == 100 {
            assert!(arrays.match_index.iter().all(|&index| index >= 12));
        }
    }
}

#[test]
fn the_same_step_keeps_the_end() {
    let (mut next, mut at_once) = (
        begun(request(4, [None; 3], Autoreset::NextStep)),
        begun(request(4, [None; 3], Autoreset::SameStep)),
    );
    let mut ends = 0;
    for _ in 0..300 {
        let actions = sampled(&at_once.0);
        step(&mut at_once.0, &mut at_once.1, &actions);
        step(&mut next.0, &mut next.1, &actions);
        let over: Vec<bool> = next.1.seat.iter().map(|&seat| seat < 0).collect();
        for lane in (0..4).filter(|&lane| over[lane]) {
            let size = Race::OBSERVATION_SIZE;
            assert_eq!(
                at_once.1.final_observation[lane * size..][..size],
                next.1.observation[lane * size..][..size]
            );
            assert_eq!(at_once.1.final_match_index[lane], next.1.match_index[lane]);
            assert_eq!(at_once.1.final_decisions[lane], next.1.decisions[lane]);
            ends += 1;
        }
        let (one, other) = (&at_once.1, &next.1);
        assert_eq!((&one.reward, &one.terminated), (&other.reward, &other.terminated));
        if over.contains(&true) {
            next.0.reset(Some(&over), None, alone(&Cancel::default()), next.1.rows()).unwrap();
        }
        assert_eq!((&at_once.1.observation, &at_once.1.seat), (&next.1.observation, &next.1.seat));
        assert_eq!(at_once.1.match_index, next.1.match_index);
    }
    assert!(ends > 10);
}

#[test]
fn a_lane_that_is_over_stays_so_without_pay() {
    let (mut batch, mut arrays) = begun(request(3, [None; 3], Autoreset::Disabled));
    while arrays.seat.iter().any(|&seat| seat >= 0) {
        let before = arrays.clone();
        let actions: Vec<i64> =
            sampled(&batch).iter().map(|&action| if action < 0 { 77 } else { action }).collect();
        step(&mut batch, &mut arrays, &actions);
        for lane in (0..3).filter(|&lane| before.seat[lane] < 0) {
            assert_eq!(arrays.reward[3 * lane..][..3], [0.0; 3]);
            assert_eq!(arrays.terminated[lane], 1);
            assert_eq!(arrays.match_index[lane], before.match_index[lane]);
        }
    }
    assert!(batch.outcome(0).unwrap().is_some());
}

#[test]
fn threads_change_nothing() {
    for bots in [[None; 3], [None, Some("random"), Some("hasty")]] {
        let play = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().unwrap();
            let cancel = Cancel::default();
            let execution = Execution { pool: (threads > 0).then_some(&pool), cancel: &cancel };
            let mut arrays = Arrays::new(333, 3, 1);
            let mut batch = Batch::<Race>::create(request(333, bots, Autoreset::SameStep)).unwrap();
            batch.reset(None, None, execution, arrays.rows()).unwrap();
            let mut all = Vec::new();
            for _ in 0..60 {
                let mut actions = vec![0; 333];
                batch.sample(None, execution.pool, &mut actions).unwrap();
                batch.step(&actions, execution, arrays.rows()).unwrap();
                all.push(arrays.clone());
            }
            all
        };
        let plain = play(0);
        assert_eq!(play(1), plain);
        assert_eq!(play(5), plain);
    }
}

#[test]
fn bots_play_as_in_a_run() {
    // The learner does what hasty does, which draws nothing, so the matches are those of the run.
    let bots = vec!["hasty".to_owned(), "random".into(), "hasty".into()];
    let (mut batch, mut arrays) =
        begun(request(50, [None, Some("random"), Some("hasty")], Autoreset::Disabled));
    while arrays.seat.iter().any(|&seat| seat >= 0) {
        assert!(arrays.seat.iter().all(|&seat| seat <= 0));
        step(&mut batch, &mut arrays, &[Move::Roll as i64; 50]);
    }
    let cancel = Cancel::default();
    let run = crate::Run {
        pool: None,
        cancel: &cancel,
        progress: &|_| {},
        max_decisions: u64::MAX,
        max_iterations: u32::MAX,
        replays: false,
    };
    let request = crate::RunRequest {
        bots,
        seats: 3,
        setup: json!({"goal": 20}),
        seed: 7,
        first_match: 5,
        match_count: 50,
    };
    let rows = crate::run_matches("race", &request, &run).unwrap();
    let digests: Vec<u64> = (0..50).map(|lane| batch.digest(lane).unwrap()).collect();
    assert_eq!((digests, arrays.decisions), (rows.digest, rows.decisions));
}

#[test]
fn one_illegal_action_changes_nothing() {
    let (mut batch, mut arrays) = begun(request(40, [None; 3], Autoreset::NextStep));
    step(&mut batch, &mut arrays, &[1; 40]);
    let before = (arrays.clone(), batch.save(0).unwrap());
    for wrong in [2, 3, 64, -1, i64::MIN, i64::MAX] {
        let mut actions = [1; 40];
        (actions[17], actions[30]) = (wrong, wrong);
        let refused = batch.step(&actions, alone(&Cancel::default()), arrays.rows());
        assert_eq!(refused, Err(BatchError::IllegalAction { lane: 17, index: wrong }));
        assert_eq!((arrays.clone(), batch.save(0).unwrap()), before);
    }
    let short = batch.step(&[1; 39], alone(&Cancel::default()), arrays.rows());
    assert_eq!(short, Err(BatchError::Length { field: "actions", found: 39, expected: 40 }));
    arrays.seat.pop();
    let narrow = batch.step(&[1; 40], alone(&Cancel::default()), arrays.rows());
    assert_eq!(narrow, Err(BatchError::Length { field: "seat", found: 39, expected: 40 }));
}

#[test]
fn saved_and_forked_lanes_go_the_same_way() {
    let (mut batch, mut arrays) = begun(request(6, [None, Some("random"), None], Autoreset::NextStep));
    for _ in 0..2 {
        step(&mut batch, &mut arrays, &[1; 6]);
    }
    let saved = batch.save(2).unwrap();
    batch.fork(2, &[0, 5], None, arrays.rows()).unwrap();
    batch.fork(2, &[1], Some(99), arrays.rows()).unwrap();
    assert_eq!(arrays.match_index, [7, 6, 7, 8, 9, 7]);
    let ends = |batch: &mut Batch<Race>, arrays: &mut Arrays| {
        let mut digests = vec![0; 6];
        while arrays.seat.iter().any(|&seat| seat >= 0) {
            for lane in (0..6).filter(|&lane| arrays.seat[lane] >= 0) {
                digests[lane] = batch.digest(lane).unwrap();
            }
            let actions: Vec<i64> = arrays.seat.iter().map(|&seat| i64::from(seat >= 0)).collect();
            step(batch, arrays, &actions);
            if arrays.seat[2] < 0 {
                break;
            }
        }
        digests
    };
    let digests = ends(&mut batch, &mut arrays);
    assert_eq!((digests[0], digests[5]), (digests[2], digests[2]));
    assert_ne!(digests[1], digests[2]);
    assert_eq!(batch.to_match(1).err(), Some(BatchError::Reseeded { lane: 1 }));
    assert_eq!(batch.to_match(5).unwrap().key().match_index, 7);
    // In another batch, and whatever was played there before.
    let (mut other, mut rows) = begun(request(6, [None, Some("random"), None], Autoreset::NextStep));
    other.restore(2, &saved, rows.rows()).unwrap();
    assert_eq!(other.save(2).unwrap(), saved);
    assert_eq!(ends(&mut other, &mut rows)[2], digests[2]);
    step(&mut other, &mut rows, &[0; 6]);
    assert_eq!(rows.match_index[2], 7 + 6); // and on with its own
}

#[test]
fn damaged_bytes_are_refused() {
    let (mut batch, mut arrays) = begun(request(2, [None; 3], Autoreset::NextStep));
    let saved = batch.save(1).unwrap();
    let before = arrays.clone();
    for cut in 0..saved.len() {
        assert!(batch.restore(0, &saved[..cut], arrays.rows()).is_err());
    }
    let mut other = request(2, [None; 3], Autoreset::NextStep);
    other.key.setup = json!({"goal": 21});
    let (mut other, mut rows) = begun(other);
    let refused = other.restore(0, &saved, rows.rows()).unwrap_err().to_string();
    assert_eq!(refused, "setup: other options than those of this batch");
    assert_eq!(arrays, before);
}

#[test]
fn chance_can_be_changed_on_the_way() {
    let (mut batch, mut arrays) = begun(request(3, [None; 3], Autoreset::NextStep));
    let (mut plain, mut rows) = begun(request(3, [None; 3], Autoreset::NextStep));
    batch.reseed(8, Some(&[false, true, false]), arrays.rows()).unwrap();
    for _ in 0..3 {
        step(&mut batch, &mut arrays, &[1; 3]);
        step(&mut plain, &mut rows, &[1; 3]);
    }
    assert_eq!(batch.digest(0), plain.digest(0));
    assert_ne!(batch.digest(1), plain.digest(1));
    // With a seed a reset begins from the first match.
    batch.reset(None, Some(7), alone(&Cancel::default()), arrays.rows()).unwrap();
    assert_eq!(arrays.match_index, [5, 6, 7]);
    plain.reset(None, Some(7), alone(&Cancel::default()), rows.rows()).unwrap();
    assert_eq!(arrays, rows);
}

#[test]
fn caps_end_matches() {
    let mut capped = request(2, [None, Some("random"), None], Autoreset::NextStep);
    capped.max_decisions = Some(4);
    let (mut batch, mut arrays) = begun(capped);
    for _ in 0..3 {
        step(&mut batch, &mut arrays, &[0; 2]);
    }
    assert_eq!((&arrays.truncated[..], &arrays.terminated[..]), (&[1, 1][..], &[0, 0][..]));
    assert_eq!((&arrays.decisions[..], &arrays.seat[..]), (&[4, 4][..], &[-1, -1][..]));
    assert_eq!((arrays.reward, batch.outcome(0)), (vec![0.0; 6], Ok(None)));
    let mut rounds = request(1, [None; 3], Autoreset::NextStep);
    rounds.key.setup = json!({"max_rounds": 1, "goal": 100});
    let (mut batch, mut arrays) = begun(rounds);
    for _ in 0..3 {
        step(&mut batch, &mut arrays, &[1]);
    }
    assert_eq!((arrays.truncated[0], arrays.terminated[0]), (1, 0));
    assert!((arrays.reward.iter().sum::<f32>()).abs() < 1e-6 && arrays.reward.contains(&1.0));
}

#[test]
fn ranks_are_paid_in_equal_steps() {
    let paid = |ranks: &[u8]| ranks.iter().map(|&rank| reward_of(rank, ranks)).collect::<Vec<_>>();
    assert_eq!(paid(&[1, 2]), [1.0, -1.0]);
    assert_eq!(paid(&[1, 1]), [0.0, 0.0]);
    assert_eq!(paid(&[2, 1, 3]), [0.0, 1.0, -1.0]);
    assert_eq!(paid(&[1, 1, 3]), [0.5, 0.5, -1.0]);
    assert_eq!(paid(&[5, 1, 2, 2, 4]), [-1.0, 1.0, 0.25, 0.25, -0.5]);
}

#[test]
fn wrong_requests_are_refused() {
    let base = || request(2, [None; 3], Autoreset::NextStep);
    let refusal = |request| Batch::<Race>::create(request).err().unwrap().to_string();
    assert_eq!(refusal(BatchRequest { lanes: 0, ..base() }), "lanes is 0, 1 to 1048576 are possible");
    assert!(refusal(BatchRequest { lanes: MAX_LANES + 1, ..base() }).starts_with("lanes is 1048577"));
    assert!(refusal(BatchRequest { max_decisions: Some(0), ..base() }).starts_with("max_decisions is 0"));
    let all = request(2, [Some("random"); 3], Autoreset::NextStep);
    assert_eq!(refusal(all), "bots play all 3 seats, at least one seat must be left without a bot");
    assert_eq!(refusal(BatchRequest { bots: vec![None], ..base() }), "1 bots for 3 seats");
    let unknown = Batch::<Race>::create(request(2, [None, Some("deep"), None], Autoreset::NextStep));
    assert!(matches!(unknown.err(), Some(BatchError::Run(RunError::UnknownBot { .. }))));
    let key = MatchKey { setup: json!({"goal": -1}), ..base().key };
    assert!(refusal(BatchRequest { key, ..base() }).starts_with("goal: "));
    let key = MatchKey { match_index: u64::MAX, ..base().key };
    assert!(refusal(BatchRequest { key, ..base() }).starts_with("first_match is 18446744073709551615"));
}

#[test]
fn a_batch_that_was_stopped_must_be_reset() {
    let mut batch = Batch::<Race>::create(request(40, [None; 3], Autoreset::NextStep)).unwrap();
    let mut arrays = Arrays::new(40, 3, 0);
    assert_eq!(batch.save(0), Err(NotReady::New.into()));
    let cancel = Cancel::default();
    let marked = batch.reset(Some(&[true; 40]), None, alone(&cancel), arrays.rows());
    assert_eq!(marked, Err(NotReady::New.into()));
    batch.reset(None, None, alone(&cancel), arrays.rows()).unwrap();
    let good = arrays.clone();

    // A state that cannot be: a bug, so to say.
    batch.lanes[20].state.turn = 9;
    let stopped = catch_unwind(AssertUnwindSafe(|| batch.step(&[1; 40], alone(&cancel), arrays.rows())));
    assert!(stopped.is_err());
    assert_eq!(batch.step(&[1; 40], alone(&cancel), arrays.rows()), Err(NotReady::Broken.into()));
    batch.reset(None, Some(7), alone(&cancel), arrays.rows()).unwrap();
    assert_eq!(arrays, good);

    let stop = Cancel::default();
    stop.cancel();
    assert!(matches!(batch.step(&[1; 40], alone(&stop), arrays.rows()), Err(BatchError::Cancelled(_))));
    assert_eq!(batch.digest(0), Err(NotReady::Broken.into()));
    batch.reset(None, Some(7), alone(&cancel), arrays.rows()).unwrap();
    assert_eq!(arrays, good);
    assert_eq!(batch.digest(40), Err(BatchError::NoSuchLane { lane: 40, lanes: 40 }));
}

#[test]
fn samples_are_legal_and_uniform() {
    let (batch, _) = begun(request(20_000, [None; 3], Autoreset::NextStep));
    let actions = sampled(&batch);
    let rolls = actions.iter().filter(|&&action| action == 1).count() as f64;
    assert!(actions.iter().all(|action| [0, 1].contains(action)));
    assert!((rolls - 10_000.0).abs() < 5.0 * 70.7, "{rolls}"); // five standard deviations
    let mut others = vec![0; 20_000];
    batch.sample(Some(8), None, &mut others).unwrap();
    assert_ne!(actions, others);
}
