//! Targets of matches: saves, replays, setups, scenarios, names of bots.

use sengoku_kernel::digest;
use sengoku_sim::{
    AnyMatch, MatchKey, RunRequest, check_run, create_match, find_game, load_match, match_from_replay,
};

/// Decisions that are played from a position that was read.
const PLAYED: u64 = 6;

/// The bytes of a saved match.
pub(crate) fn save(data: &[u8]) -> bool {
    let Ok(found) = load_match(data) else { return false };
    let again = load_match(&found.save()).expect("what was saved can be loaded");
    assert_eq!(again.digest(), found.digest(), "a loaded match is the saved one");
    assert_eq!(again.save(), found.save(), "and has the same bytes");
    play(found, digest(data.iter().copied()));
    true
}

/// The text of a replay.
pub(crate) fn replay(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else { return false };
    let Ok(found) = match_from_replay(text) else { return false };
    let again = match_from_replay(&found.replay()).expect("a replay that was written can be read");
    assert_eq!(again.digest(), found.digest(), "a replay leads to the same state");
    play(found, digest(data.iter().copied()));
    true
}

/// A byte for the game, one for the seats, and the setup in JSON.
pub(crate) fn setup(data: &[u8]) -> bool {
    let [game, seats, text @ ..] = data else { return false };
    let Ok(setup) = serde_json::from_slice(text) else { return false };
    let game = ["swords", "tower", "battles"][usize::from(game % 3)];
    let seed = digest(data.iter().copied());
    let key = MatchKey { seats: usize::from(seats % 8), setup, seed, match_index: 0 };
    let Ok(created) = create_match(game, key, None) else { return false };
    play(created, seed);
    true
}

/// A scenario, map or board that a user wrote.
pub(crate) fn scenario(game: &str, data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else { return false };
    let game = find_game(game).expect("a game");
    let Ok(found) = game.read_scenario(text) else { return false };
    found.sheet();
    found.sketch();
    let _ = found.picture();
    true
}

/// The name of a bot with its options, after a byte for the game.
pub(crate) fn bots(data: &[u8]) -> bool {
    let [game, name @ ..] = data else { return false };
    let Ok(name) = str::from_utf8(name) else { return false };
    let game = ["swords", "tower", "battles"][usize::from(game % 3)];
    let request = RunRequest {
        bots: name.split('\n').map(str::to_owned).collect(),
        seats: 3 - usize::from(game == "battles"),
        setup: serde_json::Value::Null,
        seed: 1,
        first_match: u64::from(*data.first().unwrap_or(&0)),
        match_count: 1,
    };
    let checked = check_run(game, &request, 10_000);
    if let Some(first) = request.bots.first() {
        let _ = find_game(game).expect("a game").search_iterations(first);
    }
    checked.is_ok()
}

/// Use a match in every way that a caller can, and play a few decisions.
fn play(mut found: Box<dyn AnyMatch>, mut choice: u64) {
    let mut seen = vec![0; found.game().observation_size];
    for round in 0..=PLAYED {
        let Some(seat) = found.to_act() else { break };
        found.observe(seat, &mut seen);
        let legal = found.legal_indices();
        assert!(!legal.is_empty(), "a seat that is to act can act");
        if round == PLAYED {
            break;
        }
        choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = legal[(choice >> 33) as usize % legal.len()];
        // A script of dice may end here.
        if found.play_index(index).is_err() {
            break;
        }
    }
    found.describe(None);
    found.describe(found.to_act());
    found.picture(found.to_act());
    found.sketch(found.to_act());
    found.events(0);
    found.legal_texts();
    found.account();
    let again = load_match(&found.save()).expect("a match that was played can be saved");
    assert_eq!(again.digest(), found.digest());
}
