//! States as tables and bytes.

use sengoku_kernel::{DecodeError, Reader, Seat, Stored, Writer};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::map::Map;
use crate::state::State;

const TAG: &str = "SWRD";

impl Stored for State {
    fn describe(&self, seat: Option<Seat>) -> Value {
        self.table(seat)
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, RULES_VERSION);
        writer.u64(self.map.digest());
        writer.value(self);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, TAG, RULES_VERSION)?;
        let map = Map::by_digest(reader.u64()?)?;
        let mut state: Self = reader.value("state")?;
        reader.finish()?;
        state.map = map;
        state.index_owners();
        state.check().map_err(|error| DecodeError::inconsistent("state", error.to_string()))?;
        Ok(state)
    }
}
