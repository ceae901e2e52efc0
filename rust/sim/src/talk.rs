//! Table talk: messages between seats, said between decisions. They bind nobody and are no part of the state.

mod text;

use sengoku_kernel::Seat;
use sengoku_view::{Spoken, message_text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use text::{MAX_MESSAGE_LENGTH, TextFault};

use crate::{Match, Playable, TalkError};

/// Most messages of a seat in a match.
pub const MAX_MESSAGES: usize = 200;
/// Most messages of a seat between two decisions.
pub const MAX_MESSAGES_BETWEEN: usize = 10;
/// Most rounds that a proposal can name.
pub const MAX_PROPOSED_ROUNDS: u32 = 1_000;

/// Whose eyes messages are read with. Everybody numbers the messages that they can read from 1 on, so that the number of a
/// message does not tell that others exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The owner of the match, who reads everything.
    Everything,
    /// A seat, or [`Seat::SPECTATOR`] for somebody without one, who reads messages to everybody.
    Seat(Seat),
}

/// What is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// Not to attack each other.
    Truce,
    /// Not to attack a place.
    NoAttack,
    /// Support, in a place if one is named.
    Support,
}

impl ProposalKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Truce => "truce",
            Self::NoAttack => "no_attack",
            Self::Support => "support",
        }
    }
}

/// A proposal. Nothing follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// What is proposed.
    pub kind: ProposalKind,
    /// Key of the place that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// For how many rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
}

/// Something that a seat says, as it is written down: in replays with numbers that count all messages, in requests with the
/// numbers of the seat that speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The seat that speaks.
    pub seat: u8,
    /// The seats that it is for; `None` is everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec<u8>>,
    /// The text; it can be empty where something is proposed or answered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What it proposes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// Number of the proposal that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<usize>,
    /// Whether it accepts that proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepts: Option<bool>,
}

/// A message, with the number of decisions before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) decision: usize,
    /// Its numbers count all messages.
    pub(crate) said: Said,
}

impl Message {
    /// Whether it is readable; speakers read what they say.
    fn is_for(&self, audience: Audience) -> bool {
        match (audience, &self.said.to) {
            (Audience::Everything, _) | (_, None) => true,
            (Audience::Seat(seat), Some(to)) => self.said.seat == seat.0 || to.contains(&seat.0),
        }
    }
}

/// All messages of a match, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Talk(pub(crate) Vec<Message>);

impl Talk {
    /// Places of the messages that are readable.
    fn readable(&self, audience: Audience) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(move |&place| self.0[place].is_for(audience))
    }

    /// The number of a message in an audience's list.
    fn number(&self, place: usize, audience: Audience) -> Option<usize> {
        self.readable(audience).position(|readable| readable == place).map(|before| before + 1)
    }

    /// How many messages a seat has said, and how many of them after a number of decisions.
    pub(crate) fn count(&self, seat: Seat, decision: usize) -> (usize, usize) {
        let own = || self.0.iter().filter(|message| message.said.seat == seat.0);
        (own().count(), own().filter(|message| message.decision == decision).count())
    }

    /// What a seat has read, as said before the first decision.
    pub(crate) fn read_by(&self, seat: Seat) -> Self {
        let audience = Audience::Seat(seat);
        let carried = self.readable(audience).map(|place| {
            let mut said = self.0[place].said.clone();
            said.answers = said.answers.and_then(|number| self.number(number - 1, audience));
            Message { decision: 0, said }
        });
        Self(carried.collect())
    }

    /// A message as a table of names and numbers.
    fn row(&self, place: usize, audience: Audience) -> Value {
        let Message { decision, said } = &self.0[place];
        json!({
            "number": self.number(place, audience),
            "decision": decision,
            "seat": said.seat,
            "to": said.to,
            "text": said.text,
            "proposal": said.proposal,
            "answers": said.answers.and_then(|number| self.number(number - 1, audience)),
            "accepts": said.accepts,
        })
    }

    /// The readable messages behind a number.
    pub(crate) fn rows(&self, audience: Audience, since: usize) -> Vec<Value> {
        self.readable(audience).skip(since).map(|place| self.row(place, audience)).collect()
    }
}

impl<G: Playable> Match<G> {
    /// Says something in the name of a seat; the number of a proposal that it answers is that of this seat. Returns the number
    /// of the message in the list of this seat.
    ///
    /// # Errors
    /// [`TalkError`] when the message is refused; nothing has changed.
    pub fn say(&mut self, mut said: Said) -> Result<usize, TalkError> {
        if self.over() {
            return Err(TalkError::MatchOver);
        }
        let seat = self.at_table("seat", said.seat)?;
        let audience = Audience::Seat(seat);
        if let Some(number) = said.answers {
            let mut readable = self.talk().readable(audience);
            let place = number.checked_sub(1).and_then(|before| readable.nth(before));
            said.answers = Some(1 + place.ok_or(TalkError::NoSuchMessage { number })?);
        }
        let (_, between) = self.talk().count(seat, self.history().len());
        if between >= MAX_MESSAGES_BETWEEN {
            return Err(TalkError::TooMany { field: "messages_between", limit: MAX_MESSAGES_BETWEEN });
        }
        self.write_down(said)?;
        Ok(self.talk().readable(audience).count())
    }

    /// Adds a message whose numbers count all messages, as [`Match::say`] and replays do.
    pub(crate) fn write_down(&mut self, mut said: Said) -> Result<(), TalkError> {
        let seat = self.at_table("seat", said.seat)?;
        text::check(&said.text)?;
        if said.text.is_empty() && said.proposal.is_none() && said.answers.is_none() {
            return Err(TalkError::Empty);
        }
        if let Some(proposal) = &said.proposal {
            self.check_proposal(proposal)?;
        }
        if said.answers.is_some() != said.accepts.is_some() {
            return Err(TalkError::Unclear {
                field: "accepts",
                reason: "needed with `answers`, and only then",
            });
        }
        if said.answers.is_some() && said.proposal.is_some() {
            let reason = "a message that answers a proposal cannot propose something";
            return Err(TalkError::Unclear { field: "proposal", reason });
        }
        self.fill_in_listeners(&mut said)?;
        if self.talk().count(seat, 0).0 >= MAX_MESSAGES {
            return Err(TalkError::TooMany { field: "messages", limit: MAX_MESSAGES });
        }
        let decision = self.history().len();
        self.talk_mut().0.push(Message { decision, said });
        Ok(())
    }

    fn at_table(&self, field: &'static str, seat: u8) -> Result<Seat, TalkError> {
        let seats = self.key().seats;
        if usize::from(seat) >= seats {
            return Err(TalkError::NoSuchSeat { field, seat, seats });
        }
        Ok(Seat(seat))
    }

    fn check_proposal(&self, proposal: &Proposal) -> Result<(), TalkError> {
        match &proposal.place {
            Some(place) if self.state().place_name(place).is_none() => {
                return Err(TalkError::NoSuchPlace { place: place.chars().take(60).collect() });
            }
            None if proposal.kind == ProposalKind::NoAttack => {
                return Err(TalkError::Unclear { field: "place", reason: "no_attack needs a place" });
            }
            _ => {}
        }
        match proposal.rounds {
            Some(rounds) if !(1..=MAX_PROPOSED_ROUNDS).contains(&rounds) => {
                Err(TalkError::Rounds { rounds, limit: MAX_PROPOSED_ROUNDS })
            }
            _ => Ok(()),
        }
    }

    /// Checks for whom a message is, in ascending order. An answer is for those who can read the proposal, or some of them.
    fn fill_in_listeners(&self, said: &mut Said) -> Result<(), TalkError> {
        if let Some(to) = &mut said.to {
            to.sort_unstable();
            to.dedup();
            to.retain(|&seat| seat != said.seat);
            if to.is_empty() {
                return Err(TalkError::Unclear { field: "to", reason: "at least one other seat is needed" });
            }
            for &seat in &*to {
                self.at_table("to", seat)?;
            }
        }
        let Some(number) = said.answers else { return Ok(()) };
        let proposal = self.talk().0.get(number.wrapping_sub(1));
        let proposal = proposal.filter(|message| message.is_for(Audience::Seat(Seat(said.seat))));
        let proposal = proposal.ok_or(TalkError::NoSuchMessage { number })?;
        if proposal.said.proposal.is_none() {
            return Err(TalkError::Unclear {
                field: "answers",
                reason: "that message does not propose anything",
            });
        }
        if proposal.said.seat == said.seat {
            return Err(TalkError::Unclear {
                field: "answers",
                reason: "a seat cannot answer its own proposal",
            });
        }
        let Some(readers) = &proposal.said.to else { return Ok(()) };
        let mut readers = [&[proposal.said.seat], readers.as_slice()].concat();
        readers.retain(|&seat| seat != said.seat);
        readers.sort_unstable();
        match &said.to {
            None => said.to = Some(readers),
            Some(to) => {
                if !to.iter().all(|seat| readers.contains(seat)) {
                    let reason = "an answer is only for seats that have read the proposal";
                    return Err(TalkError::Unclear { field: "to", reason });
                }
            }
        }
        Ok(())
    }

    /// The readable messages behind a number, as tables of names and numbers.
    pub fn messages(&self, audience: Audience, since: usize) -> Vec<Value> {
        self.talk().rows(audience, since)
    }

    /// How many messages a seat has said, and how many of them since the last decision.
    pub fn messages_said(&self, seat: Seat) -> (usize, usize) {
        self.talk().count(seat, self.history().len())
    }

    /// Sentences for the messages that are told with some decisions, those before each of them; with the decision.
    pub(crate) fn told(&self, audience: Audience) -> Vec<(usize, String)> {
        let decided = self.history().len();
        let told = self.talk().readable(audience).filter(|&place| self.talk().0[place].decision < decided);
        told.map(|place| (self.talk().0[place].decision + 1, self.sentence(place))).collect()
    }

    fn sentence(&self, place: usize) -> String {
        let said = &self.talk().0[place].said;
        let name = |seat: u8| self.state().seat_name(Seat(seat));
        let to: Option<Vec<String>> =
            said.to.as_ref().map(|seats| seats.iter().map(|&seat| name(seat)).collect());
        let proposer = said.answers.map(|number| name(self.talk().0[number - 1].said.seat));
        let proposal = said.proposal.as_ref();
        let place = proposal.and_then(|proposal| self.state().place_name(proposal.place.as_ref()?));
        let spoken = match (proposal, &proposer) {
            (Some(proposal), _) => Spoken::Proposal {
                kind: proposal.kind.name(),
                place: place.as_deref(),
                rounds: proposal.rounds,
            },
            (None, Some(proposer)) => Spoken::Answer { accepts: said.accepts == Some(true), proposer },
            (None, None) => Spoken::Words,
        };
        message_text(&name(said.seat), to.as_deref(), &spoken, &said.text)
    }
}

#[cfg(test)]
mod tests;
