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
        if state.encode() != bytes {
            return Err(DecodeError::inconsistent("state", "not as a state is written"));
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Game, Purpose, Stream};
    use serde_json::json;

    use super::*;

    #[test]
    fn bytes_that_no_encoder_writes_are_rejected() {
        let mut chance = Stream::new(7, Purpose::Game, 0);
        let state = State::create(3, &json!({ "max_rounds": 4 }), &mut chance).unwrap();
        let bytes = state.encode();
        assert_eq!(State::decode(&bytes).unwrap(), state);
        let mut header = Writer::tagged(TAG, RULES_VERSION);
        header.u64(state.map.digest());
        // The options follow: seats, two flags, then the round limit as a variable-length integer.
        let limit = header.finish().len() + 3;
        assert_eq!(bytes[limit], 4);
        let mut padded = bytes;
        padded.splice(limit..=limit, [0x80 | 4, 0]); // the same number in two bytes
        let error = State::decode(&padded).unwrap_err();
        assert!(error.to_string().contains("not as a state is written"), "{error}");
    }
}
