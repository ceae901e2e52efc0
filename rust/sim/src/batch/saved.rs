//! A lane as bytes: its state, its key and how far its chance is used, so that it goes on exactly as it would have.

use sengoku_kernel::{DecodeError, Purpose, Reader, Seat, Stream, Writer};

use super::lane::{BatchConfig, End, Lane};
use crate::Playable;

const TAG: &str = "SGKL";
const FORMAT: u32 = 1;

/// Bytes behind their number.
fn part<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], DecodeError> {
    let count = reader.u32()? as usize;
    reader.bytes(count)
}

fn put(writer: &mut Writer, bytes: &[u8]) {
    writer.u32(bytes.len() as u32);
    writer.bytes(bytes);
}

impl<G: Playable> Lane<G> {
    /// The match of the lane as bytes. `setup` stands for the options of the batch.
    pub(super) fn save(&self, seats: usize, setup: u64) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, FORMAT);
        put(&mut writer, G::NAME.as_bytes());
        writer.u32(G::RULES_VERSION);
        writer.u8(seats as u8);
        writer.u64(setup);
        writer.u64(self.seed);
        writer.u64(self.match_index);
        writer.u32(self.draw);
        writer.u32(self.decisions);
        writer.u8(self.viewer.0);
        writer.u8(self.pure.into());
        writer.u8(self.history.is_some().into());
        for &index in self.history.iter().flatten() {
            writer.u32(index);
        }
        put(&mut writer, &self.state.encode());
        writer.finish()
    }

    /// The lane with the match of these bytes in place of its own. Bots have not moved yet.
    pub(super) fn restored(
        &self,
        bytes: &[u8],
        config: &BatchConfig<G>,
        setup: u64,
    ) -> Result<Self, DecodeError> {
        let seats = config.bots.len();
        let mut reader = Reader::tagged(bytes, TAG, FORMAT)?;
        let game = String::from_utf8_lossy(part(&mut reader)?);
        if game != G::NAME {
            let reason = format!("{:?} instead of {:?}", game.chars().take(60).collect::<String>(), G::NAME);
            return Err(DecodeError::inconsistent("game", reason));
        }
        let (expected, found) = (G::RULES_VERSION, reader.u32()?);
        if found != expected {
            return Err(DecodeError::WrongVersion { expected, found });
        }
        let found = usize::from(reader.u8()?);
        if found != seats {
            return Err(DecodeError::inconsistent("seats", format!("{found} instead of {seats}")));
        }
        if reader.u64()? != setup {
            return Err(DecodeError::inconsistent("setup", "other options than those of this batch"));
        }
        let (seed, match_index) = (reader.u64()?, reader.u64()?);
        let (draw, decisions) = (reader.u32()?, reader.u32()?);
        let viewer = Seat(reader.at_most("viewer", seats as u8 - 1)?);
        let pure = reader.at_most("pure", 1)? == 1;
        let history = match reader.at_most("recorded", 1)? {
            0 => None,
            _ => Some(reader.bytes((decisions as usize).saturating_mul(4))?),
        };
        let state = G::decode(part(&mut reader)?)?;
        reader.finish()?;
        if state.seats() != seats {
            return Err(DecodeError::inconsistent("state", format!("{} seats", state.seats())));
        }
        let history = history.filter(|_| config.record).map(|bytes| {
            let indices = bytes.chunks_exact(4);
            indices.map(|index| u32::from_le_bytes([index[0], index[1], index[2], index[3]])).collect()
        });
        // What a bot's seat sees is not for a learner.
        let viewer = if config.is_learner(viewer) { viewer } else { config.first_learner() };
        Ok(Self {
            potential: config.potential(&state),
            skipped: 0,
            state,
            chance: Stream::new(seed, Purpose::Game, match_index),
            choices: Stream::new(seed, Purpose::Bots, match_index),
            seed,
            match_index,
            draw,
            decisions,
            legal: 0,
            viewer,
            end: End::Playing,
            pure,
            history,
            own_seed: self.own_seed,
            before: self.before,
        })
    }
}
