//! A match as a text that a person can read: where it began, then one line for each decision.
//!
//! ```text
//! sengoku replay 1
//! game swords
//! rules 1
//! seats 4
//! seed 7
//! match 0
//! setup {"max_rounds":30}
//! bots {"1":"greedy"}
//! dice 9 2 3
//! say {"seat":2,"to":[0],"text":"We could leave Kai alone."}
//! 1 0 17 # what the action is in words
//! choices 12
//! digest 8c1f5a0e3b2d4c69
//! ```
//!
//! `scripts` has throws, lots and cards that were scripted. A message stands where it was said, with numbers that count all messages.
//! A decision is its number, the seat and the index of the action. `bots` is there when bots belong to the match, and
//! `choices`, the number of random draws that they have made, so that they go on as they would have. `dice` is there when
//! dice were scripted. `digest` is of the last state; a text written by hand need not have it. What follows a `#` behind a decision is for people.

use std::fmt::Write;
use std::str::FromStr;

use sengoku_kernel::Seat;
use serde_json::Value;

use crate::hosted::{hosted_from, hosted_table};
use crate::talk::Message;
use crate::{CreateError, Hosted, Match, MatchKey, Playable, ReplayError, Scripts};

const TITLE: &str = "sengoku replay 1";

/// A line of a replay with its number.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn fault(&self, reason: impl Into<String>) -> ReplayError {
        ReplayError { line: self.number, reason: reason.into() }
    }

    /// The rest of a line after its keyword.
    fn after(&self, keyword: &str) -> Result<&'a str, ReplayError> {
        let rest = self.text.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.fault(format!("{:?}, expected a line with {keyword}", shortened(self.text))))
    }

    fn number<T: FromStr>(&self, name: &str, text: &str) -> Result<T, ReplayError> {
        text.parse()
            .map_err(|_| self.fault(format!("{name} is {:?}, which is not a valid number", shortened(text))))
    }
}

/// The beginning of a long text, enough to know it by.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

/// Content of a replay, of any game.
#[derive(Debug)]
pub(crate) struct Replay<'a> {
    pub(crate) game: &'a str,
    pub(crate) game_line: usize,
    rules: (Line<'a>, u32),
    begin: (Line<'a>, MatchKey),
    bots: Option<(Line<'a>, Hosted)>,
    choices: u32,
    scripts: Scripts,
    /// Decisions, and messages between them.
    played: Vec<Line<'a>>,
    digest: Option<(Line<'a>, u64)>,
}

impl<'a> Replay<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, ReplayError> {
        let mut lines =
            text.lines().enumerate().map(|(place, text)| Line { number: place + 1, text: text.trim_end() });
        let mut last = 0;
        let mut next = || {
            let line =
                lines.next().ok_or(ReplayError { line: last + 1, reason: "the replay ends".into() })?;
            last = line.number;
            Ok::<_, ReplayError>(line)
        };
        let title = next()?;
        if title.text != TITLE {
            return Err(title.fault(format!("{:?} instead of {TITLE:?}", shortened(title.text))));
        }
        let game = next()?;
        let (game_line, game) = (game.number, game.after("game")?);
        let line = next()?;
        let rules = (line, line.number("rules", line.after("rules")?)?);
        let line = next()?;
        let seats = line.number("seats", line.after("seats")?)?;
        let line = next()?;
        let seed = line.number("seed", line.after("seed")?)?;
        let line = next()?;
        let match_index = line.number("match", line.after("match")?)?;
        let line = next()?;
        let setup: Value = serde_json::from_str(line.after("setup")?)
            .map_err(|error| line.fault(format!("setup is not valid JSON: {error}")))?;
        let begin = (line, MatchKey { seats, setup, seed, match_index });

        let mut replay = Self {
            game,
            game_line,
            rules,
            begin,
            bots: None,
            choices: 0,
            scripts: Scripts::default(),
            played: Vec::new(),
            digest: None,
        };
        for line in lines.filter(|line| !line.text.is_empty()) {
            if replay.digest.is_some() {
                return Err(line.fault("something follows the digest"));
            }
            if line.text == "dice" || line.text.starts_with("dice ") {
                if replay.scripts.dice.is_some() || !replay.played.is_empty() {
                    return Err(line.fault("dice are named once and before the first decision"));
                }
                let faces = line.text.split_whitespace().skip(1);
                replay.scripts.dice =
                    Some(faces.map(|face| line.number("die", face)).collect::<Result<_, _>>()?);
            } else if line.text.starts_with("bots ") {
                if replay.bots.is_some() || !replay.played.is_empty() {
                    return Err(line.fault("bots are named once and before the first decision"));
                }
                let table = serde_json::from_str(line.after("bots")?)
                    .map_err(|error| line.fault(format!("bots is not valid JSON: {error}")))?;
                let hosted = hosted_from(&table).map_err(|reason| line.fault(format!("bots: {reason}")))?;
                replay.bots = Some((line, hosted));
            } else if line.text.starts_with("choices ") {
                replay.choices = line.number("choices", line.after("choices")?)?;
            } else if line.text.starts_with("scripts ") {
                if replay.scripts.more() || !replay.played.is_empty() {
                    return Err(line.fault("scripts are named once and before the first decision"));
                }
                let scripts: Scripts = serde_json::from_str(line.after("scripts")?)
                    .map_err(|error| line.fault(format!("the scripts are not readable: {error}")))?;
                replay.scripts = Scripts { dice: replay.scripts.dice.take(), ..scripts };
            } else if line.text.starts_with("digest ") {
                let text = line.after("digest")?;
                let digest = u64::from_str_radix(text, 16).map_err(|_| {
                    line.fault(format!("digest is {:?}, expected 16 hexadecimal digits", shortened(text)))
                })?;
                replay.digest = Some((line, digest));
            } else {
                replay.played.push(line);
            }
        }
        Ok(replay)
    }
}

impl<G: Playable> Match<G> {
    /// The match as a text: setup, seed, and every decision in words.
    pub fn replay(&self) -> String {
        let mut text = String::new();
        let _ = self.write_replay(&mut text); // a string takes everything
        text
    }

    fn write_replay(&self, out: &mut String) -> std::fmt::Result {
        let key = self.key();
        writeln!(out, "{TITLE}\ngame {}\nrules {}\nseats {}", G::NAME, G::RULES_VERSION, key.seats)?;
        writeln!(out, "seed {}\nmatch {}\nsetup {}", key.seed, key.match_index, key.setup)?;
        if !self.hosted().is_empty() {
            writeln!(out, "bots {}", hosted_table(self.hosted()))?;
        }
        if let Some(dice) = &self.scripts().dice {
            out.push_str("dice");
            for face in dice {
                write!(out, " {face}")?;
            }
            out.push('\n');
        }
        if self.scripts().more() {
            let scripts = serde_json::to_string(self.scripts()).expect("scripts are names and numbers");
            writeln!(out, "scripts {scripts}")?;
        }
        // Words belong to a state, so the match is played once more.
        let mut playing = self.begin_again();
        let mut messages = self.talk().0.iter().peekable();
        for (place, &index) in self.history().iter().enumerate() {
            while let Some(message) = messages.next_if(|message| message.decision <= place) {
                write_message(out, message)?;
            }
            let action = G::action_at(index).expect("it was played");
            let words = playing.state().describe_action(action).text.replace(['\n', '\r'], " ");
            let seat = playing.to_act().map_or(0, Seat::index);
            writeln!(out, "{} {seat} {index} # {words}", place + 1)?;
            playing.play(action).expect("it was played");
        }
        for message in messages {
            write_message(out, message)?;
        }
        if !self.hosted().is_empty() {
            writeln!(out, "choices {}", self.bots.draws())?;
        }
        writeln!(out, "digest {:016x}", self.digest())
    }

    /// The match of a replay.
    ///
    /// # Errors
    /// [`ReplayError`] with the line that cannot be read, or that the rules refuse.
    pub fn from_replay(text: &str) -> Result<Self, ReplayError> {
        Self::from_parts(Replay::read(text)?)
    }

    pub(crate) fn from_parts(replay: Replay<'_>) -> Result<Self, ReplayError> {
        if replay.game != G::NAME {
            let reason = format!("game {:?} instead of {:?}", shortened(replay.game), G::NAME);
            return Err(ReplayError { line: replay.game_line, reason });
        }
        let (line, rules) = replay.rules;
        if rules != G::RULES_VERSION {
            return Err(line.fault(format!("written by rules {rules}, these are rules {}", G::RULES_VERSION)));
        }
        let (line, key) = replay.begin;
        let mut playing = Self::create(key, replay.scripts).map_err(|error| match error {
            CreateError::Setup(error) => line.fault(error.to_string()),
            other => line.fault(other.to_string()),
        })?;
        if let Some((line, hosted)) = replay.bots {
            playing.host_bots(hosted).map_err(|error| line.fault(error.to_string()))?;
            playing.bots.skip_to(replay.choices);
        }
        for line in &replay.played {
            if line.text.starts_with("say ") {
                let said = serde_json::from_str(line.after("say")?)
                    .map_err(|error| line.fault(format!("the message is not readable: {error}")))?;
                playing.write_down(said).map_err(|error| line.fault(error.to_string()))?;
                continue;
            }
            let place = playing.history().len();
            let words = line.text.split_once('#').map_or(line.text, |(decision, _)| decision);
            let words: Vec<&str> = words.split_whitespace().collect();
            let &[number, seat, index] = words.as_slice() else {
                let found = shortened(line.text);
                return Err(line.fault(format!("{found:?}, expected a number, a seat and an action")));
            };
            if line.number::<usize>("number", number)? != place + 1 {
                return Err(line.fault(format!("decision {number} instead of {}", place + 1)));
            }
            let (seat, index) = (line.number("seat", seat)?, line.number("action", index)?);
            playing.play_as(Seat(seat), index).map_err(|error| line.fault(error.to_string()))?;
        }
        if let Some((line, digest)) = replay.digest
            && digest != playing.digest()
        {
            return Err(line.fault(format!("the decisions lead to {:016x}", playing.digest())));
        }
        Ok(playing)
    }
}

fn write_message(out: &mut String, message: &Message) -> std::fmt::Result {
    let said = serde_json::to_string(&message.said).expect("a message is names and numbers");
    writeln!(out, "say {said}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test_game::{Move, Race};

    fn replay() -> String {
        let key = MatchKey { seats: 2, setup: json!({"goal": 9, "note": "# 1"}), seed: 5, match_index: 3 };
        let mut playing = Match::<Race>::create(key, Some(vec![3])).unwrap();
        playing.play(Move::Roll).unwrap();
        playing.play(Move::Step).unwrap();
        playing.replay()
    }

    #[test]
    fn a_replay_reads_well() {
        let text = replay();
        let expected = "sengoku replay 1\ngame race\nrules 1\nseats 2\nseed 5\nmatch 3\n\
            setup {\"goal\":9,\"note\":\"# 1\"}\ndice 3\n1 0 1 # roll a die\n2 1 0 # step ahead\ndigest ";
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(Match::<Race>::from_replay(&text).unwrap().replay(), text);
        let by_hand =
            text.lines().filter(|line| !line.starts_with("digest")).collect::<Vec<_>>().join("\r\n");
        assert_eq!(Match::<Race>::from_replay(&by_hand).unwrap().replay(), text);
    }

    #[test]
    fn an_error_names_its_line() {
        for (from, to, line, reason) in [
            ("replay 1", "replay 2", 1, "instead of"),
            ("game race", "game face", 2, "\"face\""),
            ("rules 1", "rules 7", 3, "written by rules 7"),
            ("seats 2", "seats two", 4, "not a valid number"),
            ("seats 2", "seats 5", 7, "2 to 4"),
            ("seed 5", "speed 5", 5, "expected a line with seed"),
            ("match 3", "match -3", 6, "not a valid number"),
            ("\"goal\":9", "\"goal\":", 7, "not valid JSON"),
            ("\"goal\":9", "\"goal\":\"x\"", 7, "goal: "),
            ("dice 3", "dice 300", 8, "die is \"300\""),
            ("dice 3", "dice 7", 9, "a die shows 1 to 6"),
            ("dice 3", "dice", 9, "at least 1 needed"),
            ("1 0 1 #", "1 1 1 #", 9, "seat 0 is to act"),
            ("1 0 1 #", "2 0 1 #", 9, "decision 2 instead of 1"),
            ("1 0 1 #", "1 0 #", 9, "expected a number, a seat"),
            ("2 1 0 #", "2 1 2 #", 10, "action 2 is not legal"),
            ("2 1 0 #", "2 1 1 #", 10, "at least 2 needed"),
            ("digest ", "digest f", 11, "expected 16 hexadecimal digits"),
            ("seed 5", "seed 6", 11, "the decisions lead to"),
        ] {
            let text = replay().replacen(from, to, 1);
            let error = Match::<Race>::from_replay(&text).expect_err(&text);
            assert_eq!(error.line, line, "{error}");
            assert!(error.reason.contains(reason), "{error}");
        }
        assert_eq!(Match::<Race>::from_replay("").unwrap_err().line, 1);
        assert_eq!(Match::<Race>::from_replay("sengoku replay 1\n").unwrap_err().line, 2);
    }
}
