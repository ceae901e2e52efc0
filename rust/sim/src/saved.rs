//! A match as bytes. Loading plays the decisions again, so a match that was loaded is one that can have been played.

use sengoku_kernel::{DecodeError, Reader, Writer};
use serde_json::{Map, Value, json};

use crate::hosted::{hosted_from, hosted_table};
use crate::talk::Message;
use crate::{CreateError, Hosted, LoadError, Match, MatchKey, Playable, Scripts};

const TAG: &str = "SGKM";
const FORMAT: u32 = 1;
/// The format of matches with more than their decisions: a table of what else belongs to them follows.
const FORMAT_WITH_MORE: u32 = 2;

/// Content of a saved match, of any game.
#[derive(Debug)]
pub(crate) struct Saved<'a> {
    pub(crate) game: &'a str,
    rules_version: u32,
    key: MatchKey,
    dice: Option<(Vec<u8>, usize)>,
    history: Vec<u32>,
    state: &'a [u8],
    more: More,
}

/// Bytes behind their number.
fn part<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], DecodeError> {
    let count = reader.u32()? as usize;
    reader.bytes(count)
}

fn text<'a>(field: &'static str, reader: &mut Reader<'a>) -> Result<&'a str, DecodeError> {
    std::str::from_utf8(part(reader)?).map_err(|error| DecodeError::inconsistent(field, error.to_string()))
}

impl<'a> Saved<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let more = bytes.get(4..8) == Some(&FORMAT_WITH_MORE.to_le_bytes()[..]);
        let mut reader = Reader::tagged(bytes, TAG, if more { FORMAT_WITH_MORE } else { FORMAT })?;
        let game = text("game", &mut reader)?;
        let rules_version = reader.u32()?;
        let seats = reader.u8()?.into();
        let (seed, match_index) = (reader.u64()?, reader.u64()?);
        let setup = serde_json::from_str(text("setup", &mut reader)?)
            .map_err(|error| DecodeError::inconsistent("setup", error.to_string()))?;
        let dice = match reader.at_most("scripted", 1)? {
            0 => None,
            _ => Some((part(&mut reader)?.to_vec(), reader.u32()? as usize)),
        };
        let count = reader.u32()? as usize;
        let history = reader.bytes(count.saturating_mul(4))?.chunks_exact(4);
        let history = history.map(|index| u32::from_le_bytes([index[0], index[1], index[2], index[3]]));
        let history = history.collect();
        let state = part(&mut reader)?;
        let table = if more { text("more", &mut reader)? } else { "{}" };
        reader.finish()?;
        let more = More::read(table).map_err(|reason| DecodeError::inconsistent("more", reason))?;
        let key = MatchKey { seats, setup, seed, match_index };
        Ok(Self { game, rules_version, key, dice, history, state, more })
    }
}

/// What belongs to a match besides its decisions.
#[derive(Debug, Default)]
struct More {
    bots: Hosted,
    /// Random draws that the bots have made.
    choices: u32,
    messages: Vec<Message>,
    /// All but dice.
    scripts: Scripts,
}

impl More {
    fn read(table: &str) -> Result<Self, String> {
        let mut table: Value = serde_json::from_str(table).map_err(|error| error.to_string())?;
        let bots = table.get("bots").map_or_else(|| Ok(Hosted::new()), hosted_from)?;
        let choices =
            table.get("choices").map_or(Some(0), Value::as_u64).and_then(|number| number.try_into().ok());
        let messages = match table.get_mut("messages") {
            Some(rows) => {
                serde_json::from_value(rows.take()).map_err(|error| format!("messages: {error}"))?
            }
            None => Vec::new(),
        };
        let scripts = match table.get_mut("scripts") {
            Some(scripts) => {
                serde_json::from_value(scripts.take()).map_err(|error| format!("scripts: {error}"))?
            }
            None => Scripts::default(),
        };
        Ok(Self { bots, choices: choices.ok_or("choices is not a number of draws")?, messages, scripts })
    }

    /// The table for a match; `None` where nothing belongs to it.
    fn write<G: Playable>(playing: &Match<G>) -> Option<String> {
        let mut table = Map::new();
        if !playing.hosted().is_empty() {
            table.insert("bots".into(), hosted_table(playing.hosted()));
            table.insert("choices".into(), playing.bots.draws().into());
        }
        if !playing.talk().0.is_empty() {
            table.insert("messages".into(), json!(playing.talk().0));
        }
        if playing.scripts().more() {
            table.insert("scripts".into(), json!(playing.scripts()));
        }
        (!table.is_empty()).then(|| Value::from(table).to_string())
    }
}

impl<G: Playable> Match<G> {
    /// The match as bytes.
    pub fn save(&self) -> Vec<u8> {
        fn part(writer: &mut Writer, bytes: &[u8]) {
            writer.u32(bytes.len() as u32);
            writer.bytes(bytes);
        }
        let more = More::write(self);
        let mut writer = Writer::tagged(TAG, if more.is_some() { FORMAT_WITH_MORE } else { FORMAT });
        part(&mut writer, G::NAME.as_bytes());
        writer.u32(G::RULES_VERSION);
        writer.u8(self.key().seats as u8);
        writer.u64(self.key().seed);
        writer.u64(self.key().match_index);
        part(&mut writer, self.key().setup.to_string().as_bytes());
        writer.u8(self.scripts().dice.is_some().into());
        if let Some(dice) = &self.scripts().dice {
            part(&mut writer, dice);
            writer.u32(self.scripts_used().dice as u32);
        }
        writer.u32(self.history().len() as u32);
        for &index in self.history() {
            writer.u32(index);
        }
        part(&mut writer, &self.state().encode());
        if let Some(table) = more {
            part(&mut writer, table.as_bytes());
        }
        writer.finish()
    }

    /// The match that [`Match::save`] wrote.
    ///
    /// # Errors
    /// [`LoadError`] when the bytes are not a match of these rules, or one that cannot have come about.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_saved(Saved::read(bytes)?)
    }

    pub(crate) fn from_saved(saved: Saved<'_>) -> Result<Self, LoadError> {
        if saved.game != G::NAME {
            return Err(DecodeError::inconsistent(
                "game",
                format!("{:?} instead of {:?}", saved.game, G::NAME),
            )
            .into());
        }
        if saved.rules_version != G::RULES_VERSION {
            let (expected, found) = (G::RULES_VERSION, saved.rules_version);
            return Err(DecodeError::WrongVersion { expected, found }.into());
        }
        let state = G::decode(saved.state)?;
        let (faces, used) = saved.dice.unzip();
        let More { bots, choices, messages, scripts } = saved.more;
        let mut playing =
            Self::create(saved.key, Scripts { dice: faces, ..scripts }).map_err(|error| match error {
                CreateError::Setup(error) => LoadError::Setup(error),
                other => DecodeError::inconsistent("dice", other.to_string()).into(),
            })?;
        if !bots.is_empty() {
            playing.host_bots(bots).map_err(|error| DecodeError::inconsistent("bots", error.to_string()))?;
            playing.bots.skip_to(choices);
        }
        let mut messages = messages.into_iter().peekable();
        for (place, &index) in saved.history.iter().enumerate() {
            while let Some(message) = messages.next_if(|message| message.decision == place) {
                restore(&mut playing, message)?;
            }
            playing.play_index(index).map_err(|error| {
                DecodeError::inconsistent("history", format!("decision {}: {error}", place + 1))
            })?;
        }
        for message in messages {
            restore(&mut playing, message)?;
        }
        if *playing.state() != state {
            return Err(DecodeError::inconsistent("state", "not where the decisions lead").into());
        }
        if used.is_some_and(|used| used != playing.scripts_used().dice) {
            return Err(DecodeError::inconsistent("dice", "not as many used as the decisions roll").into());
        }
        Ok(playing)
    }
}

fn restore<G: Playable>(playing: &mut Match<G>, message: Message) -> Result<(), DecodeError> {
    if message.decision != playing.history().len() {
        let reason = format!("one after {} decisions is out of order", message.decision);
        return Err(DecodeError::inconsistent("messages", reason));
    }
    playing.write_down(message.said).map_err(|error| DecodeError::inconsistent("messages", error.to_string()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::test_game::{Move, Race};

    fn saved() -> Vec<u8> {
        let key = MatchKey { seats: 2, setup: json!({"goal": 9}), seed: 5, match_index: 0 };
        let mut playing = Match::<Race>::create(key, Some(vec![3, 4, 5])).unwrap();
        playing.play(Move::Roll).unwrap();
        playing.play(Move::Step).unwrap();
        playing.save()
    }

    fn refusal(bytes: &[u8]) -> String {
        Match::<Race>::load(bytes).unwrap_err().to_string()
    }

    #[test]
    fn bytes_that_contradict_each_other_are_refused() {
        let good = saved();
        assert!(Match::<Race>::load(&good).is_ok());
        let mut other_rules = good.clone();
        other_rules[16] = 9; // tag, format, length of the name, four letters of it
        assert_eq!(refusal(&other_rules), "written by version 9, this is version 1");
        let mut other_game = good.clone();
        other_game[12] = b'f';
        assert_eq!(refusal(&other_game), "game: \"face\" instead of \"race\"");
        let mut other_seed = good.clone();
        other_seed[21] ^= 1; // deals other secrets
        assert_eq!(refusal(&other_seed), "state: not where the decisions lead");
        assert!(refusal(&good[..good.len() - 1]).contains("more expected"));
    }

    proptest! {
        #[test]
        fn damaged_bytes_never_panic(place: prop::sample::Index, value: u8, cut: prop::sample::Index) {
            let mut bytes = saved();
            let place = place.index(bytes.len());
            bytes[place] = value;
            let _ = Match::<Race>::load(&bytes);
            bytes.truncate(cut.index(bytes.len()));
            prop_assert!(Match::<Race>::load(&bytes).is_err());
        }
    }
}
