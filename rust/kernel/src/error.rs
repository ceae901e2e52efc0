use thiserror::Error;

use crate::Seat;

/// Why an action was refused. The state is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// The action is not in the legal list.
    #[error("action {index} is not legal now")]
    IllegalAction {
        /// Place of the action in the game's action table.
        index: u32,
    },
    /// Another seat decides.
    #[error("{asked} may not act, {to_act} is to act")]
    NotYourTurn {
        /// The seat that tried.
        asked: Seat,
        /// The seat whose turn it is.
        to_act: Seat,
    },
    /// Nobody decides any more.
    #[error("the match is over")]
    MatchOver,
}

/// Why bytes could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The data ends too early.
    #[error("data ends at byte {at}, {wanted} more wanted")]
    Truncated {
        /// Where reading stopped.
        at: usize,
        /// How many bytes are missing.
        wanted: usize,
    },
    /// Something follows the end.
    #[error("{count} bytes left over at byte {at}")]
    TrailingBytes {
        /// Where the value ended.
        at: usize,
        /// How many bytes follow.
        count: usize,
    },
    /// The data begins with something else.
    #[error("not {expected} data: begins with {found:02x?}")]
    WrongTag {
        /// What was wanted, e.g. `SGK1`.
        expected: &'static str,
        /// The first bytes found.
        found: [u8; 4],
    },
    /// The data was written by other rules.
    #[error("written by version {found}, this is version {expected}")]
    WrongVersion {
        /// The version of this build.
        expected: u32,
        /// The version in the data.
        found: u32,
    },
    /// A field holds what it cannot hold.
    #[error("{field} is {value}, at most {limit} is possible")]
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// What was read.
        value: u64,
        /// The largest value that makes sense.
        limit: u64,
    },
}
