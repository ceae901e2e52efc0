//! States as tables and bytes.

use sengoku_kernel::{DecodeError, Reader, Seat, Stored, Writer, to_hex};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::scenario::Scenario;
use crate::state::State;

const TAG: &str = "BATL";

impl Stored for State {
    fn describe(&self, seat: Option<Seat>) -> Value {
        self.table(seat)
    }

    /// A text, because a table says only how a turn begins.
    fn position(&self) -> Value {
        to_hex(&self.encode()).into()
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, RULES_VERSION);
        writer.u64(self.scenario.digest());
        writer.value(self);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, TAG, RULES_VERSION)?;
        let scenario = Scenario::by_digest(reader.u64()?)?;
        let mut state: Self = reader.value("state")?;
        reader.finish()?;
        state.scenario = scenario;
        state.index_pieces();
        state.check().map_err(|error| DecodeError::inconsistent("state", error.to_string()))?;
        if state.encode() != bytes {
            return Err(DecodeError::inconsistent("state", "not as a state is written"));
        }
        Ok(state)
    }
}
