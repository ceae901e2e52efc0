//! States as tables and bytes.

use sengoku_kernel::cube_tower::Parameters;
use sengoku_kernel::{DecodeError, Reader, Seat, Stored, Writer};
use serde_json::{Value, json};

use crate::RULES_VERSION;
use crate::board::Board;
use crate::position::on_board;
use crate::setup::keep_tower;
use crate::state::State;

const TAG: &str = "TOWR";

impl Stored for State {
    fn describe(&self, seat: Option<Seat>) -> Value {
        self.table(seat)
    }

    /// Points by source and year, seat by seat.
    fn account(&self) -> Value {
        let seats = self.everyone().map(|seat| {
            let player = &self.players[seat];
            let years = player.tally.iter().take(self.year.into()).map(|tally| {
                let mut table = serde_json::to_value(tally).unwrap_or(Value::Null);
                table["total"] = tally.total().into();
                table
            });
            let years: Vec<Value> = years.collect();
            json!({ "score": player.score, "chests": player.chests, "years": years })
        });
        on_board(self.board, || seats.collect())
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, RULES_VERSION);
        writer.u64(self.board.digest());
        self.parameters.encode(&mut writer);
        writer.value(self);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, TAG, RULES_VERSION)?;
        let board = Board::by_digest(reader.u64()?)?;
        let parameters = keep_tower(Parameters::decode(&mut reader)?)
            .map_err(|error| DecodeError::inconsistent("parameters", error.to_string()))?;
        let mut state: Self = reader.value("state")?;
        reader.finish()?;
        (state.board, state.parameters) = (board, parameters);
        state.index_owners();
        state.check().map_err(|error| DecodeError::inconsistent("state", error.to_string()))?;
        if state.encode() != bytes {
            return Err(DecodeError::inconsistent("state", "not as a state is written"));
        }
        Ok(state)
    }
}
