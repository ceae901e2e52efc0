use sengoku_bots::OptionError;
use sengoku_bots::{BotError, HasBots};
use sengoku_kernel::{Cancelled, DecodeError, RuleError, SetupError};
use thiserror::Error;

use crate::TextFault;

/// Why scripted dice, throws, lots or cards do not fit a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiceError {
    /// The rules roll a die that the script does not have.
    #[error("{given} dice given, at least {needed} needed")]
    TooFew {
        /// Dice in the script.
        given: usize,
        /// Least number of dice needed.
        needed: usize,
    },
    /// A die that does not exist.
    #[error("die {place} is {value}, a die shows 1 to {sides}")]
    NoSuchFace {
        /// Place in the script, counted from 0.
        place: usize,
        /// The value.
        value: u8,
        /// Sides of the die that the rules roll.
        sides: u32,
    },
    /// The rules draw more than a script has.
    #[error("{script}: {given} given, at least {} needed", given + 1)]
    RunOut {
        /// `throws`, `lots` or `cards`.
        script: &'static str,
        /// Entries of the script.
        given: usize,
    },
    /// A lot for which there is no candidate.
    #[error("lot {place} is {value}, there are 1 to {count}")]
    NoSuchLot {
        /// Place in the script, counted from 0.
        place: usize,
        /// The value.
        value: u8,
        /// Candidates.
        count: u32,
    },
    /// A card that is not in the pile, or not as often.
    #[error("cards of shuffle {shuffle}: {card:?} is not in the pile so often")]
    NoSuchCard {
        /// Number of the shuffle, counted from 0.
        shuffle: usize,
        /// The card.
        card: String,
    },
    /// A throw that cannot be.
    #[error("throw {throw}: {}", throw_fault(*.colour))]
    Throw {
        /// Number of the throw, counted from 0.
        throw: usize,
        /// The colour of which there are not enough cubes; `None` when the tower has no room for what stays.
        colour: Option<u8>,
    },
}

fn throw_fault(colour: Option<u8>) -> String {
    match colour {
        Some(5) => "there are not so many farmers in tower and throw".into(),
        Some(seat) => format!("there are not so many cubes of seat {seat} in tower and throw"),
        None => "the shelves of the tower have no room for what stays inside".into(),
    }
}

/// Why a message was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TalkError {
    /// Nobody talks after the end.
    #[error("the match is over")]
    MatchOver,
    /// A message without content.
    #[error("text is empty: needed without a proposal or an answer")]
    Empty,
    /// A message that is too long.
    #[error("text has {length} characters, at most {limit} are possible")]
    TooLong {
        /// Its characters.
        length: usize,
        /// Most characters.
        limit: usize,
    },
    /// A character that messages cannot contain.
    #[error("text has U+{:04X} at place {place}: {fault}", u32::from(*.sign))]
    Character {
        /// Place of the character, counted from 0.
        place: usize,
        /// The character.
        sign: char,
        /// What is wrong with it.
        fault: TextFault,
    },
    /// A seat that is not at the table.
    #[error("{field} is {seat}, there are {seats} seats")]
    NoSuchSeat {
        /// The field with the seat.
        field: &'static str,
        /// The seat.
        seat: u8,
        /// Seats at the table.
        seats: usize,
    },
    /// A place that is not on the board.
    #[error("place is {place:?}, which is not on the board")]
    NoSuchPlace {
        /// The place.
        place: String,
    },
    /// A proposal for no round, or too many.
    #[error("rounds is {rounds}, 1 to {limit} are possible")]
    Rounds {
        /// Its rounds.
        rounds: u32,
        /// Most rounds.
        limit: u32,
    },
    /// A number that no message has which this seat can read.
    #[error("answers is {number}, this seat cannot read such a message")]
    NoSuchMessage {
        /// The number.
        number: usize,
    },
    /// Fields that do not fit together.
    #[error("{field}: {reason}")]
    Unclear {
        /// The field at fault.
        field: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A seat has said enough.
    #[error("{field}: a seat has at most {limit}")]
    TooMany {
        /// `messages` of the match, or `messages_between` two decisions.
        field: &'static str,
        /// Most messages.
        limit: usize,
    },
}

/// Why a match cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CreateError {
    /// Unknown game.
    #[error("there is no game {name:?}")]
    UnknownGame {
        /// The requested name.
        name: String,
    },
    /// The setup is wrong.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The dice of the opening are not there.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// Why an action was refused. The match is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The rules refuse it.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The scripted dice do not go so far.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// Errors of reading a saved match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LoadError {
    /// The bytes cannot be read, or contradict each other.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The setup they hold is wrong.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// An error in the text of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct ReplayError {
    /// The line at fault, counted from 1.
    pub line: usize,
    /// The reason, including the offending value.
    pub reason: String,
}

/// Why matches were not run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// The matches cannot begin.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The game has no such bot.
    #[error("there is no bot {name:?}")]
    UnknownBot {
        /// The requested name.
        name: String,
        /// Names that are known.
        known: Vec<&'static str>,
    },
    /// A bot does not have such options.
    #[error("{name:?}: {error}")]
    BotOption {
        /// The bot as it was named, with its options.
        name: String,
        /// The option, and what is wrong with it.
        error: OptionError,
    },
    /// A bot is to search longer than the caller allows.
    #[error("search_iterations is {iterations}, at most {limit} are allowed")]
    Iterations {
        /// Requested iterations of a decision.
        iterations: u32,
        /// Most iterations of a decision.
        limit: u32,
    },
    /// No bot, or more than seats.
    #[error("{bots} bots for {seats} seats")]
    BotCount {
        /// Bots named.
        bots: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// A bot for a seat that is not at the table.
    #[error("a bot for seat {seat}, seats are 0 to {}", seats - 1)]
    NoSuchSeat {
        /// The requested seat.
        seat: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// Bots at all seats of a match that others play.
    #[error("bots play all {seats} seats, at least one seat must be left without a bot")]
    NoSeatLeft {
        /// Seats at the table.
        seats: usize,
    },
    /// No match, or more than one call runs.
    #[error("match_count is {count}, 1 to {limit} are possible")]
    MatchCount {
        /// Requested number of matches.
        count: u64,
        /// Most matches of one call.
        limit: u64,
    },
    /// The range of matches goes beyond the last number.
    #[error("{count} matches from number {first} go beyond the last number")]
    Range {
        /// The requested first match.
        first: u64,
        /// Requested number of matches.
        count: u64,
    },
    /// A match does not end.
    #[error("match {match_index} has not ended after {limit} decisions")]
    TooLong {
        /// Number of the match.
        match_index: u64,
        /// Most decisions of a match.
        limit: u32,
    },
    /// The matches together take more decisions than the caller allows.
    #[error("the matches take more than {limit} decisions together")]
    TooMany {
        /// Most decisions of all matches.
        limit: u64,
    },
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl RunError {
    /// Unknown bot of a game.
    pub(crate) fn bot<G: HasBots>(name: &str, error: BotError) -> Self {
        let name = name.chars().take(60).collect();
        match error {
            BotError::Unknown => {
                Self::UnknownBot { name, known: G::BOTS.iter().map(|&(name, _)| name).collect() }
            }
            BotError::Option(error) => Self::BotOption { name, error },
        }
    }
}

/// Why a bot suggests nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SuggestError {
    /// There is no such bot.
    #[error(transparent)]
    Bot(#[from] RunError),
    /// There is nothing to decide.
    #[error(transparent)]
    Rule(#[from] RuleError),
}
