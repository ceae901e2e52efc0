//! How a state is written down: as a table for people and setups, as bytes for machines.

use serde_json::Value;

use crate::{DecodeError, Game, Seat};

/// A game whose states can be written down and read back.
pub trait Stored: Game {
    /// The state as a table of names and numbers: everything, or only what one seat may see in the same shape.
    fn describe(&self, seat: Option<Seat>) -> Value;
    /// How the scores came about, as a table whose shape depends on the game; null if there is nothing to add.
    fn account(&self) -> Value {
        Value::Null
    }
    /// The state as the option `position` of a setup reads it: a match that begins so begins here.
    fn position(&self) -> Value {
        self.describe(None)
    }
    /// Number of draws made so far.
    fn draws(&self) -> u32;
    /// The state as bytes, the same bytes for equal states.
    fn encode(&self) -> Vec<u8>;
    /// The state that [`Stored::encode`] wrote.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are not a valid state of this rules version.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
}
