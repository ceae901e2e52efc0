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

/// Why a match cannot begin as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {reason}")]
pub struct SetupError {
    /// Where the fault is, from the outside in, e.g. `position.provinces.kai.owner`.
    pub field: String,
    /// The reason, including the offending value.
    pub reason: String,
}

impl SetupError {
    /// An error at a field.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }

    /// The same error seen from one level further out.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        let Self { field, reason } = self;
        Self { field: if field.is_empty() { outer.into() } else { format!("{outer}.{field}") }, reason }
    }
}

/// Reads a table of options into a type, every field optional or named in the error that says it is missing.
///
/// # Errors
/// [`SetupError`] with the path to the field that does not fit.
pub fn read_setup<T: serde::de::DeserializeOwned>(value: &serde_json::Value) -> Result<T, SetupError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { String::new() } else { path };
        SetupError::new(field, error.inner().to_string())
    })
}

/// Why bytes could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The data ends too early.
    #[error("data ends at byte {at}, {wanted} more expected")]
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
        /// The expected tag, e.g. `SGK1`.
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
        /// The value read.
        value: u64,
        /// The largest value that makes sense.
        limit: u64,
    },
    /// A field does not go with the rest of the data.
    #[error("{field}: {reason}")]
    Inconsistent {
        /// Name of the field.
        field: &'static str,
        /// The reason, including the offending value.
        reason: String,
    },
}

impl DecodeError {
    /// An error at a field that does not go with the rest.
    pub fn inconsistent(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Inconsistent { field, reason: reason.into() }
    }
}
