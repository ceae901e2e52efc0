//! Whole matches of every game: play, save, replay, and runs of many.
//!
//! [`Match`] is a match of one game. [`AnyMatch`] is one of any game, and [`games`] lists what there is, so that the
//! layers above know no game. [`run_matches`] lets bots play a range of matches; a [`Batch`] plays many side by side, one
//! decision of each at a time.

mod analysis;
mod any_match;
mod batch;
mod dice;
mod error;
mod hosted;
mod playable;
mod registry;
mod replay;
mod run;
mod saved;
mod search;
mod seat_bots;
mod talk;
#[cfg(test)]
pub mod test_game;
mod typed_match;

pub use analysis::{AnalysisOptions, Cards, LuckRecord, MAX_PLAYOUTS, MoveRecord, Record};
pub use any_match::AnyMatch;
pub use batch::{
    AnyBatch, Autoreset, Batch, BatchError, BatchRequest, Execution, MAX_FIRST_MATCH, MAX_LANES, NotReady,
    Rows, Shaping, create_batch,
};
pub use dice::{ScriptCounts, Scripts, THROW_COLOURS};
pub use error::{
    CreateError, DiceError, LoadError, PlayError, ReplayError, RunError, SuggestError, TalkError,
};
pub use hosted::Hosted;
pub use playable::Playable;
pub use registry::{GameEntry, create_match, find_game, games, load_match, match_from_replay};
pub use run::{Columns, MAX_DECISIONS, MAX_MATCHES, Run, RunRequest, bots_by_seat, check_run, run_matches};
pub use search::{AnyGuided, Found, Searching};
pub use seat_bots::{Thinking, Thought};
pub use sengoku_view::{ActionText, AnyScenario};
pub use talk::{
    Audience, MAX_MESSAGE_LENGTH, MAX_MESSAGES, MAX_MESSAGES_BETWEEN, MAX_PROPOSED_ROUNDS, Proposal,
    ProposalKind, Said, TextFault,
};
pub use typed_match::{Match, MatchKey};
