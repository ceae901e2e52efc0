//! The games there are. A game is known to every layer above once it has a line in [`GAMES`].

use std::ops::RangeInclusive;

use rayon::ThreadPool;
use sengoku_kernel::{DecodeError, Features, ScenarioFile, SetupError, Spec};
use sengoku_view::{AnyScenario, read_scenario, scenarios};

use crate::batch::{AnyBatch, Batch, BatchRequest};
use crate::replay::Replay;
use crate::run::{Columns, Run, RunRequest, check_game, find_bot, run_game};
use crate::saved::Saved;
use crate::{
    AnyMatch, BatchError, CreateError, LoadError, Match, MatchKey, Playable, ReplayError, RunError, Scripts,
};

/// Every game. To register one, implement [`Playable`] for its state and add its line.
static GAMES: &[GameEntry] = &[
    GameEntry::of::<sengoku_swords::State>(),
    GameEntry::of::<sengoku_tower::State>(),
    GameEntry::of::<sengoku_battles::State>(),
    #[cfg(test)]
    GameEntry::of::<crate::test_game::Race>(),
];

type Boxed = Box<dyn AnyMatch>;

/// A game as the layers above know it.
#[derive(Clone, Debug)]
pub struct GameEntry {
    /// Name as users write it.
    pub name: &'static str,
    /// Changes with every change of behaviour.
    pub rules_version: u32,
    /// How many can play.
    pub seats: RangeInclusive<usize>,
    /// Number of entries of the action table.
    pub action_count: u32,
    /// Length of an observation in bytes.
    pub observation_size: usize,
    /// Every reason for which a match can end.
    pub reasons: &'static [&'static str],
    /// Name of each bot, and what it is in one line.
    pub bots: &'static [(&'static str, &'static str)],
    /// How users write a scenario of their own, where they can.
    pub scenario_file: Option<ScenarioFile>,
    spec: fn() -> Spec,
    features: fn() -> Features,
    scenarios: fn() -> Vec<Box<dyn AnyScenario>>,
    scenario_remarks: fn() -> Vec<String>,
    read_scenario: fn(&str) -> Result<Box<dyn AnyScenario>, SetupError>,
    create: fn(MatchKey, Scripts) -> Result<Boxed, CreateError>,
    load: fn(Saved<'_>) -> Result<Boxed, LoadError>,
    from_replay: fn(Replay<'_>) -> Result<Boxed, ReplayError>,
    run: fn(&RunRequest, &Run<'_>) -> Result<Columns, RunError>,
    check_run: fn(&RunRequest, u32) -> Result<(), RunError>,
    iterations: fn(&str) -> Result<Option<u32>, RunError>,
    batch: fn(BatchRequest) -> Result<Box<dyn AnyBatch>, BatchError>,
}

impl GameEntry {
    /// The entry of a game.
    pub const fn of<G: Playable>() -> Self {
        Self {
            name: G::NAME,
            rules_version: G::RULES_VERSION,
            seats: G::SEATS,
            action_count: G::ACTION_COUNT,
            observation_size: G::OBSERVATION_SIZE,
            reasons: G::REASONS,
            bots: G::BOTS,
            scenario_file: G::SCENARIO_FILE,
            spec: G::spec,
            features: Features::of::<G>,
            scenarios: scenarios::<G>,
            scenario_remarks: G::scenario_remarks,
            read_scenario: read_scenario::<G>,
            create: |key, scripts| Ok(Box::new(Match::<G>::create(key, scripts)?)),
            load: |saved| Ok(Box::new(Match::<G>::from_saved(saved)?)),
            from_replay: |replay| Ok(Box::new(Match::<G>::from_parts(replay)?)),
            run: run_game::<G>,
            check_run: check_game::<G>,
            iterations: |name| Ok(find_bot::<G>(name)?.iterations()),
            batch: |request| Ok(Box::new(Batch::<G>::create(request)?)),
        }
    }

    /// Most iterations of a decision of a bot that searches, by its name.
    ///
    /// # Errors
    /// [`RunError`] when there is no such bot, or it does not have such options.
    pub fn search_iterations(&self, bot: &str) -> Result<Option<u32>, RunError> {
        (self.iterations)(bot)
    }

    /// The specification of observations and actions.
    pub fn spec(&self) -> Spec {
        (self.spec)()
    }

    /// How observations become numbers for networks.
    pub fn features(&self) -> Features {
        (self.features)()
    }

    /// The built-in scenarios of this game.
    pub fn scenarios(&self) -> Vec<Box<dyn AnyScenario>> {
        (self.scenarios)()
    }

    /// Remarks about the data of all scenarios, a sentence each.
    pub fn scenario_remarks(&self) -> Vec<String> {
        (self.scenario_remarks)()
    }

    /// The scenario that a user wrote; nothing of it is kept.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the text and what is wrong with it.
    pub fn read_scenario(&self, text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
        (self.read_scenario)(text)
    }

    /// Plays a range of matches of this game between bots.
    pub(crate) fn run(&self, request: &RunRequest, run: &Run<'_>) -> Result<Columns, RunError> {
        (self.run)(request, run)
    }

    /// Checks a request for matches of this game without playing one.
    pub(crate) fn check_run(&self, request: &RunRequest, max_iterations: u32) -> Result<(), RunError> {
        (self.check_run)(request, max_iterations)
    }

    /// Matches of this game side by side.
    pub(crate) fn batch(&self, request: BatchRequest) -> Result<Box<dyn AnyBatch>, BatchError> {
        (self.batch)(request)
    }
}

/// Every game there is.
pub fn games() -> &'static [GameEntry] {
    GAMES
}

/// The game of a name.
///
/// # Errors
/// [`CreateError::UnknownGame`] when there is none.
pub fn find_game(name: &str) -> Result<&'static GameEntry, CreateError> {
    GAMES
        .iter()
        .find(|game| game.name == name)
        .ok_or_else(|| CreateError::UnknownGame { name: name.chars().take(60).collect() })
}

/// A match of the named game before its first decision.
///
/// # Errors
/// [`CreateError`] as [`Match::create`], and when there is no such game.
pub fn create_match(game: &str, key: MatchKey, scripts: impl Into<Scripts>) -> Result<Boxed, CreateError> {
    (find_game(game)?.create)(key, scripts.into())
}

/// The match that was saved, of whatever game.
///
/// # Errors
/// As [`Match::load`].
pub fn load_match(bytes: &[u8]) -> Result<Boxed, LoadError> {
    let saved = Saved::read(bytes)?;
    let game = find_game(saved.game).map_err(|error| DecodeError::inconsistent("game", error.to_string()))?;
    (game.load)(saved)
}

/// The match of a replay, of whatever game.
///
/// # Errors
/// As [`Match::from_replay`].
pub fn match_from_replay(text: &str) -> Result<Boxed, ReplayError> {
    let replay = Replay::read(text)?;
    let game = find_game(replay.game)
        .map_err(|error| ReplayError { line: replay.game_line, reason: error.to_string() })?;
    (game.from_replay)(replay)
}

/// Threads of a pool, or one without.
pub(crate) fn threads(pool: Option<&ThreadPool>) -> usize {
    pool.map_or(1, ThreadPool::current_num_threads)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn any_match_is_the_match() {
        let key = MatchKey { seats: 2, setup: json!({}), seed: 1, match_index: 0 };
        let mut playing = create_match("race", key.clone(), None).unwrap();
        let mut typed = Match::<crate::test_game::Race>::create(key, None).unwrap();
        for index in [0, 1, 1] {
            playing.play_index(index).unwrap();
            typed.play_index(index).unwrap();
        }
        assert_eq!(playing.save(), typed.save());
        assert_eq!(playing.replay(), typed.replay());
        assert_eq!(load_match(&playing.save()).unwrap().save(), typed.save());
        assert_eq!(match_from_replay(&playing.replay()).unwrap().save(), typed.save());
        assert_eq!(playing.legal_texts()[0].text, "step ahead");
        assert_eq!(playing.events(0).as_array().unwrap().len(), 2);
        assert_eq!(playing.events(1)[0]["face"], json!(typed.state().last_face));
        assert_eq!(playing.events(9), json!([]));
        let told = |decisions| -> Vec<u64> {
            let lines = playing.story(decisions, None, false);
            lines.as_array().unwrap().iter().map(|line| line["decision"].as_u64().unwrap()).collect()
        };
        assert_eq!((told(0..=9), told(3..=3)), (vec![2, 3], vec![3]));
        assert_eq!((told(0..=1), told(4..=9)), (vec![], vec![]));
        let mut copy = playing.boxed_clone();
        copy.play_index(0).unwrap();
        assert_eq!(playing.history(), [0, 1, 1]);
        assert_ne!(copy.digest(), playing.digest());
    }

    #[test]
    fn unknown_games_are_refused_everywhere() {
        let key = MatchKey { seats: 2, setup: json!({}), seed: 1, match_index: 0 };
        let refused = create_match("chess", key.clone(), None).err().unwrap();
        assert_eq!(refused.to_string(), "there is no game \"chess\"");
        let playing = create_match("race", key, None).unwrap();
        let text = playing.replay().replace("game race", "game chess");
        assert_eq!(match_from_replay(&text).err().unwrap().to_string(), "line 2: there is no game \"chess\"");
        let mut bytes = playing.save();
        bytes[12] = b'f';
        assert_eq!(load_match(&bytes).err().unwrap().to_string(), "game: there is no game \"face\"");
    }
}
