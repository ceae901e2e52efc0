//! Which exception and which details each Rust error becomes.

use sengoku_battles::odds::FaceScriptError;
use sengoku_kernel::odds::{AskError, TableError};
use sengoku_kernel::{DecodeError, RuleError};
use sengoku_sim::{
    BatchError, CreateError, DiceError, LoadError, NotReady, PlayError, ReplayError, RunError, SuggestError,
    TalkError, games,
};
use sengoku_swords::{DiceScriptError, ForceError, SetupError};

use super::{CoreError, Details, shortened};

fn force_details(side: &'static str, error: &ForceError) -> Details {
    let (field, value, limit) = match *error {
        ForceError::Daimyo(count) => ("daimyo", count, Some(1)),
        ForceError::DisruptedDaimyo(count) => ("daimyo", count, Some(0)),
        ForceError::Samurai(count) => ("bow + sword", count, Some(sengoku_swords::data::ARMY_SAMURAI)),
        ForceError::Ashigaru(count) => ("gun + spear", count, Some(sengoku_swords::data::ARMY_ASHIGARU)),
        ForceError::Provincial(count) => {
            ("bow + gun + sword + spear", count, Some(sengoku_swords::data::PROV_MAX))
        }
        ForceError::Empty => ("regular units", 0, None),
        ForceError::Ronin { ronin, limit } => ("ronin", ronin, Some(limit)),
    };
    let mut details = vec![("field", format!("{side}.{field}")), ("value", value.to_string())];
    details.extend(limit.map(|limit| ("limit", limit.to_string())));
    details
}

impl From<SetupError> for CoreError {
    fn from(error: SetupError) -> Self {
        let field =
            |name: &str, value: &dyn ToString| vec![("field", name.into()), ("value", value.to_string())];
        let details = match &error {
            SetupError::Attacker(force) => force_details("attacker", force),
            SetupError::Defender(force) => force_details("defender", force),
            SetupError::DisruptedAttacker => field("attacker.disrupted", &"true"),
            SetupError::DefenderCount(count) => field("defender", count),
            SetupError::DefenderKinds(kinds) => field("defender", &format!("two {kinds}")),
            SetupError::RoninPool(ronin) => field("ronin", ronin),
            SetupError::FortLost { lost, fort, bonus } => vec![
                ("field", "fort_lost".into()),
                ("value", lost.to_string()),
                ("fort", (*fort).into()),
                ("limit", bonus.to_string()),
            ],
            SetupError::BreakOffBelow(below) => field("break_off_below", below),
            SetupError::BreakOffAfter(after) => field("break_off_after", after),
        };
        Self::new("SetupError", &error, details)
    }
}

impl From<DiceScriptError> for CoreError {
    fn from(error: DiceScriptError) -> Self {
        let details = match error {
            DiceScriptError::TooFew { given, needed } => {
                vec![("given", given.to_string()), ("needed", needed.to_string())]
            }
            DiceScriptError::TooMany { given, used } => vec![
                ("given", given.to_string()),
                ("needed", used.to_string()),
                ("left_over", (given - used).to_string()),
            ],
            DiceScriptError::NoSuchFace { place, value } => {
                vec![("place", place.to_string()), ("value", value.to_string())]
            }
        };
        Self::new("DiceScriptError", &error, details)
    }
}

impl From<FaceScriptError> for CoreError {
    fn from(error: FaceScriptError) -> Self {
        let details = match error {
            FaceScriptError::TooFew { given, needed } => {
                vec![("given", given.to_string()), ("needed", needed.to_string())]
            }
            FaceScriptError::TooMany { given, used } => vec![
                ("given", given.to_string()),
                ("needed", used.to_string()),
                ("left_over", (given - used).to_string()),
            ],
        };
        Self::new("DiceScriptError", &error, details)
    }
}

impl From<AskError> for CoreError {
    fn from(error: AskError) -> Self {
        let of = |field: &str, value: String| vec![("field", field.into()), ("value", value)];
        let (class, details) = match &error {
            AskError::StateSpace(space) => (
                "StateSpaceError",
                vec![("states", space.states.to_string()), ("limit", space.limit.to_string())],
            ),
            AskError::Samples(samples) => ("ArgumentError", of("samples", samples.to_string())),
            AskError::MaxSamples(samples) => ("ArgumentError", of("max_samples", samples.to_string())),
            AskError::MaxError(max_error) => ("ArgumentError", of("max_error", format!("{max_error:e}"))),
            AskError::MaxErrorTooSmall { max_error, samples, limit } => {
                let mut details = of("max_error", format!("{max_error:e}"));
                details.extend([("samples", samples.to_string()), ("limit", limit.to_string())]);
                ("ArgumentError", details)
            }
            AskError::Cancelled(_) => ("CancelledError", vec![]),
        };
        Self::new(class, &error, details)
    }
}

impl From<TableError> for CoreError {
    fn from(error: TableError) -> Self {
        let details = match &error {
            TableError::Size { expected, found } => {
                vec![("expected", expected.to_string()), ("found", found.to_string())]
            }
            TableError::Value { field, value } => vec![("field", (*field).into()), ("value", value.clone())],
            TableError::Sum { expected, found } => {
                vec![("expected", expected.clone()), ("found", found.clone())]
            }
        };
        Self::new("DecodeError", &error, details)
    }
}

impl From<sengoku_kernel::Cancelled> for CoreError {
    fn from(error: sengoku_kernel::Cancelled) -> Self {
        Self::new("CancelledError", &error, vec![])
    }
}

impl From<sengoku_kernel::SetupError> for CoreError {
    fn from(error: sengoku_kernel::SetupError) -> Self {
        // What is wrong with the setup as a whole is in no field of it.
        let error = if error.field.is_empty() { error.within("setup") } else { error };
        let reason = shortened(error.reason);
        let message = format!("{}: {reason}", error.field);
        Self::new("SetupError", &message, vec![("field", error.field), ("reason", reason)])
    }
}

impl From<DiceError> for CoreError {
    fn from(error: DiceError) -> Self {
        let details = match error {
            DiceError::TooFew { given, needed } => {
                vec![("given", given.to_string()), ("needed", needed.to_string())]
            }
            DiceError::NoSuchFace { place, value, sides } => {
                vec![("place", place.to_string()), ("value", value.to_string()), ("limit", sides.to_string())]
            }
            DiceError::RunOut { script, given } => vec![
                ("field", script.into()),
                ("given", given.to_string()),
                ("needed", (given + 1).to_string()),
            ],
            DiceError::NoSuchLot { place, value, count } => vec![
                ("field", "lots".into()),
                ("place", place.to_string()),
                ("value", value.to_string()),
                ("limit", count.to_string()),
            ],
            DiceError::NoSuchCard { shuffle, ref card } => {
                vec![("field", "cards".into()), ("place", shuffle.to_string()), ("value", card.clone())]
            }
            DiceError::Throw { throw, .. } => {
                vec![("field", "throws".into()), ("place", throw.to_string())]
            }
        };
        Self::new("DiceScriptError", &error, details)
    }
}

impl From<CreateError> for CoreError {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::UnknownGame { name } => {
                let known: Vec<&str> = games().iter().map(|game| game.name).collect();
                let wanted = format!("there is {}", known.join(", "));
                Self::refused("ArgumentError", "game", &format!("{name:?}"), &wanted)
            }
            CreateError::Setup(error) => error.into(),
            CreateError::Dice(error) => error.into(),
        }
    }
}

impl From<PlayError> for CoreError {
    fn from(error: PlayError) -> Self {
        let (class, details) = match error {
            PlayError::Rule(RuleError::IllegalAction { index }) => {
                ("IllegalActionError", vec![("index", index.to_string())])
            }
            PlayError::Rule(RuleError::NotYourTurn { asked, to_act }) => (
                "NotYourTurnError",
                vec![("asked", asked.index().to_string()), ("to_act", to_act.index().to_string())],
            ),
            PlayError::Rule(RuleError::MatchOver) => ("MatchOverError", vec![]),
            PlayError::Dice(error) => return error.into(),
        };
        Self::new(class, &error, details)
    }
}

impl From<TalkError> for CoreError {
    fn from(error: TalkError) -> Self {
        let of =
            |field: &str, value: &dyn ToString| vec![("field", field.into()), ("value", value.to_string())];
        let limited = |mut details: Details, limit: &dyn ToString| {
            details.push(("limit", limit.to_string()));
            details
        };
        let (class, details) = match &error {
            TalkError::MatchOver => ("MatchOverError", vec![]),
            TalkError::Empty => ("ArgumentError", of("text", &"")),
            TalkError::TooLong { length, limit } => ("LimitError", limited(of("text", length), limit)),
            TalkError::Character { place, sign, .. } => {
                let mut details = of("text", &format!("U+{:04X}", u32::from(*sign)));
                details.push(("place", place.to_string()));
                ("ArgumentError", details)
            }
            TalkError::NoSuchSeat { field, seat, seats } => {
                let mut details = of(field, seat);
                details.push(("seats", seats.to_string()));
                ("ArgumentError", details)
            }
            TalkError::NoSuchPlace { place } => ("ArgumentError", of("place", place)),
            TalkError::Rounds { rounds, limit } => ("ArgumentError", limited(of("rounds", rounds), limit)),
            TalkError::NoSuchMessage { number } => ("ArgumentError", of("answers", number)),
            TalkError::Unclear { field, reason } => {
                ("ArgumentError", vec![("field", (*field).into()), ("reason", (*reason).into())])
            }
            TalkError::TooMany { field, limit } => ("LimitError", limited(of(field, limit), limit)),
        };
        Self::new(class, &error, details)
    }
}

impl From<DecodeError> for CoreError {
    fn from(error: DecodeError) -> Self {
        let details = match &error {
            DecodeError::Truncated { at, wanted } => {
                vec![("at", at.to_string()), ("wanted", wanted.to_string())]
            }
            DecodeError::TrailingBytes { at, count } => {
                vec![("at", at.to_string()), ("count", count.to_string())]
            }
            DecodeError::WrongTag { expected, found } => {
                vec![("expected", (*expected).into()), ("found", format!("{found:02x?}"))]
            }
            DecodeError::WrongVersion { expected, found } => {
                vec![("expected", expected.to_string()), ("found", found.to_string())]
            }
            DecodeError::OutOfRange { field, value, limit } => {
                vec![("field", (*field).into()), ("value", value.to_string()), ("limit", limit.to_string())]
            }
            DecodeError::Inconsistent { field, reason } => {
                vec![("field", (*field).into()), ("reason", shortened(reason.clone()))]
            }
        };
        Self::new("DecodeError", &error, details)
    }
}

impl From<LoadError> for CoreError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Decode(error) => error.into(),
            LoadError::Setup(error) => error.into(),
        }
    }
}

impl From<ReplayError> for CoreError {
    fn from(error: ReplayError) -> Self {
        let details = vec![("line", error.line.to_string()), ("reason", shortened(error.reason.clone()))];
        Self::new("DecodeError", &error, details)
    }
}

impl From<RunError> for CoreError {
    fn from(error: RunError) -> Self {
        let (class, details) = match &error {
            RunError::Create(error) => return error.clone().into(),
            RunError::UnknownBot { name, known } => {
                let wanted = format!("there is {}", known.join(", "));
                return Self::refused("ArgumentError", "bots", &format!("{name:?}"), &wanted);
            }
            RunError::BotOption { name, error } => (
                "ArgumentError",
                vec![
                    ("field", "bots".into()),
                    ("value", name.clone()),
                    ("option", error.option.clone()),
                    ("reason", error.reason.clone()),
                ],
            ),
            RunError::Iterations { iterations, limit } => (
                "LimitError",
                vec![
                    ("field", "search_iterations".into()),
                    ("value", iterations.to_string()),
                    ("limit", limit.to_string()),
                ],
            ),
            RunError::BotCount { bots, seats } => (
                "ArgumentError",
                vec![("field", "bots".into()), ("value", bots.to_string()), ("seats", seats.to_string())],
            ),
            RunError::NoSuchSeat { seat, seats } => (
                "ArgumentError",
                vec![("field", "bots".into()), ("value", seat.to_string()), ("seats", seats.to_string())],
            ),
            RunError::NoSeatLeft { seats } => {
                ("ArgumentError", vec![("field", "bots".into()), ("value", seats.to_string())])
            }
            RunError::MatchCount { count, limit } => (
                "ArgumentError",
                vec![
                    ("field", "match_count".into()),
                    ("value", count.to_string()),
                    ("limit", limit.to_string()),
                ],
            ),
            RunError::Range { first, count } => (
                "ArgumentError",
                vec![
                    ("field", "first_match".into()),
                    ("value", first.to_string()),
                    ("match_count", count.to_string()),
                ],
            ),
            RunError::TooLong { match_index, limit } => {
                ("LimitError", vec![("match_index", match_index.to_string()), ("limit", limit.to_string())])
            }
            RunError::TooMany { limit } => {
                ("LimitError", vec![("field", "decisions".into()), ("limit", limit.to_string())])
            }
            RunError::Cancelled(_) => ("CancelledError", vec![]),
        };
        Self::new(class, &error, details)
    }
}

impl From<SuggestError> for CoreError {
    fn from(error: SuggestError) -> Self {
        match error {
            SuggestError::Bot(error) => error.into(),
            SuggestError::Rule(error) => PlayError::from(error).into(),
        }
    }
}

impl From<BatchError> for CoreError {
    fn from(error: BatchError) -> Self {
        let of =
            |field: &str, value: &dyn ToString| vec![("field", field.into()), ("value", value.to_string())];
        let lane = |lane: usize| ("lane", lane.to_string());
        let (class, details) = match &error {
            BatchError::Run(error) => return error.clone().into(),
            BatchError::Decode(error) => return error.clone().into(),
            BatchError::NotReady(NotReady::New) => ("NotReadyError", vec![("state", "new".into())]),
            BatchError::NotReady(NotReady::Broken) => ("NotReadyError", vec![("state", "broken".into())]),
            BatchError::Cancelled(_) => ("CancelledError", vec![]),
            BatchError::Lanes { lanes, .. } => ("ArgumentError", of("lanes", lanes)),
            BatchError::NoRoom { lanes } => ("LimitError", of("lanes", lanes)),
            BatchError::FirstMatch { first, .. } => ("ArgumentError", of("first_match", first)),
            BatchError::NoDecisions => ("ArgumentError", of("max_decisions", &0)),
            BatchError::BotCount { bots, seats } => {
                ("ArgumentError", [of("bots", bots), vec![("seats", seats.to_string())]].concat())
            }
            BatchError::NoLearner { seats } => ("ArgumentError", of("bots", seats)),
            BatchError::Length { field, found, expected } => {
                ("ArgumentError", [of(field, found), vec![("expected", expected.to_string())]].concat())
            }
            &BatchError::IllegalAction { lane: at, index } => {
                ("IllegalActionError", vec![lane(at), ("index", index.to_string())])
            }
            BatchError::NoSuchLane { lane, .. } => ("ArgumentError", of("lane", lane)),
            BatchError::NoSuchSeat { seat, .. } => ("ArgumentError", of("seat", seat)),
            &(BatchError::NotRecorded { lane: at } | BatchError::Reseeded { lane: at }) => {
                ("NotReadyError", vec![lane(at)])
            }
        };
        Self::new(class, &error, details)
    }
}
