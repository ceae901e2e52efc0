use sengoku_kernel::{Cancelled, DecodeError, SetupError};
use thiserror::Error;

use crate::error::{CreateError, RunError};

/// Why a batch cannot do anything now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotReady {
    /// No match has begun.
    #[error("no match has begun yet, reset the batch first")]
    New,
    /// A panic or a cancelled call has left lanes between two decisions.
    #[error("a call was stopped half way, reset the batch")]
    Broken,
}

/// Why a batch refused something. Nothing has changed, unless the work was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// The matches cannot begin, or a bot is not known.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No lane, or too many.
    #[error("lanes is {lanes}, 1 to {limit} are possible")]
    Lanes {
        /// Requested lanes.
        lanes: usize,
        /// Most lanes of a batch.
        limit: usize,
    },
    /// The machine has not enough memory.
    #[error("not enough memory for {lanes} lanes")]
    NoRoom {
        /// Requested lanes.
        lanes: usize,
    },
    /// The numbers of matches begin too high.
    #[error("first_match is {first}, 0 to {limit} are possible")]
    FirstMatch {
        /// Requested number.
        first: u64,
        /// Highest one possible.
        limit: u64,
    },
    /// A match without a decision.
    #[error("max_decisions is 0, a match has at least 1")]
    NoDecisions,
    /// A list of bots that is not one entry for each seat.
    #[error("{bots} bots for {seats} seats")]
    BotCount {
        /// Entries given.
        bots: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// Bots in all seats.
    #[error("bots play all {seats} seats, at least one seat must be left without a bot")]
    NoLearner {
        /// Seats at the table.
        seats: usize,
    },
    /// An array of the wrong length.
    #[error("{field} has {found} entries, not {expected}")]
    Length {
        /// Name of the array.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// An action that is not legal now.
    #[error("lane {lane}: action {index} is not legal now")]
    IllegalAction {
        /// The first lane with such an action.
        lane: usize,
        /// The action.
        index: i64,
    },
    /// Unknown lane.
    #[error("lane is {lane}, there are {lanes}")]
    NoSuchLane {
        /// Requested lane.
        lane: usize,
        /// Lanes of the batch.
        lanes: usize,
    },
    /// Unknown seat.
    #[error("seat is {seat}, there are {seats}")]
    NoSuchSeat {
        /// Requested seat.
        seat: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// The batch must be reset first.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// The work was stopped, and the batch must be reset.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Bytes that are not a lane of such a batch.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The decisions of a lane are not kept.
    #[error("lane {lane}: its decisions are not recorded")]
    NotRecorded {
        /// The lane.
        lane: usize,
    },
    /// A lane whose random streams were replaced on the way is not a match of one seed.
    #[error("lane {lane}: its random streams were replaced on the way, so it is not a match of one seed")]
    Reseeded {
        /// The lane.
        lane: usize,
    },
}

impl From<CreateError> for BatchError {
    fn from(error: CreateError) -> Self {
        RunError::from(error).into()
    }
}

impl From<SetupError> for BatchError {
    fn from(error: SetupError) -> Self {
        CreateError::from(error).into()
    }
}
