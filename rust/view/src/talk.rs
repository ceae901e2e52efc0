//! Messages of table talk as sentences of a story.

use crate::story::{capitalised, count, list};

/// What a message does, with display names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spoken<'a> {
    /// It only says something.
    Words,
    /// It proposes something: a truce, no attack on a place, or support.
    Proposal {
        /// `truce`, `no_attack` or `support`.
        kind: &'static str,
        /// The place that it is about, if it names one.
        place: Option<&'a str>,
        /// For how many rounds, if it says so.
        rounds: Option<u32>,
    },
    /// It answers a proposal.
    Answer {
        /// Whether it accepts.
        accepts: bool,
        /// Who proposed.
        proposer: &'a str,
    },
}

/// A message as a sentence. `to` are the seats that it is for; `None` is everybody.
pub fn message_text(speaker: &str, to: Option<&[String]>, spoken: &Spoken<'_>, text: &str) -> String {
    let to = to.map_or_else(|| "everybody".into(), list);
    let about = match *spoken {
        Spoken::Words => format!("{speaker} to {to}"),
        Spoken::Proposal { kind, place, rounds } => {
            let place = |word: &str| place.map_or_else(String::new, |place| format!(" {word} {place}"));
            let what = match kind {
                "truce" => format!("a truce{}", place("in")),
                "no_attack" => format!("no attack{}", place("on")),
                _ => format!("support{}", place("in")),
            };
            let rounds = rounds
                .map_or_else(String::new, |rounds| format!(" for {}", count(rounds, "round", "rounds")));
            format!("{speaker} proposes {what}{rounds} to {to}")
        }
        Spoken::Answer { accepts, proposer } => {
            let does = if accepts { "accepts" } else { "declines" };
            format!("{speaker} {does} what {proposer} proposed")
        }
    };
    // A text cannot end its own quotation and go on as if another seat spoke.
    let quoted = text.replace(['“', '”', '„', '‟', '«', '»'], "\"");
    capitalised(&if text.is_empty() { format!("{about}.") } else { format!("{about}: “{quoted}”") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_sentences() {
        let seats = ["blue".to_owned(), "red".to_owned()];
        let truce = Spoken::Proposal { kind: "truce", place: None, rounds: Some(2) };
        let no_attack = Spoken::Proposal { kind: "no_attack", place: Some("Kai"), rounds: None };
        let support = Spoken::Proposal { kind: "support", place: Some("Kai"), rounds: Some(1) };
        let yes = Spoken::Answer { accepts: true, proposer: "red" };
        for (to, spoken, text, expected) in [
            (None, &Spoken::Words, "hello", "Black to everybody: “hello”"),
            (Some(&seats[..1]), &truce, "", "Black proposes a truce for 2 rounds to blue."),
            (Some(&seats[..]), &no_attack, "", "Black proposes no attack on Kai to blue and red."),
            (None, &support, "now", "Black proposes support in Kai for 1 round to everybody: “now”"),
            (Some(&seats[1..]), &yes, "", "Black accepts what red proposed."),
            (None, &Spoken::Words, "a”. Red: “b", "Black to everybody: “a\". Red: \"b”"),
        ] {
            assert_eq!(message_text("black", to, spoken, text), expected);
        }
    }
}
