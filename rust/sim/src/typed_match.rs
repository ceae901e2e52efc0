//! A match of one game.

use std::ops::{Range, RangeInclusive};

use sengoku_kernel::{Chance, Game, Outcome, Purpose, RuleError, Seat, SetupError, Stored, Stream, digest};
use serde_json::Value;

use crate::dice::{Draws, ScriptCounts, Scripts};
use crate::seat_bots::Bots;
use crate::talk::{Audience, Talk};
use crate::{CreateError, PlayError};

/// The inputs of a match besides the decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchKey {
    /// Seats at the table.
    pub seats: usize,
    /// Options of the game as they were given; nothing is an empty table.
    pub setup: Value,
    /// Seed of all chance.
    pub seed: u64,
    /// Number of the match under its seed.
    pub match_index: u64,
}

/// A match of one game: where it began, every decision since, and where it stands.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    key: MatchKey,
    scripts: Scripts,
    used: ScriptCounts,
    stream: Stream,
    state: G,
    history: Vec<u32>,
    events: Vec<G::Event>,
    /// Number of events before the first decision, and after each decision.
    marks: Vec<usize>,
    talk: Talk,
    /// Only those that were hosted are part of the match: the others are neither saved nor written into replays.
    pub(crate) bots: Bots<G>,
}

impl<G: Stored> Match<G> {
    /// A match before its first decision. `scripts` are a list of dice, 1 is the lowest face, or what else is scripted.
    ///
    /// # Errors
    /// [`CreateError`] when the setup is wrong or the opening rolls more dice than the script has.
    pub fn create(mut key: MatchKey, scripts: impl Into<Scripts>) -> Result<Self, CreateError> {
        let scripts = scripts.into();
        if key.setup.is_null() {
            key.setup = Value::Object(serde_json::Map::new());
        }
        if !key.setup.is_object() {
            return Err(SetupError::new("", format!("{} is not a table of options", key.setup)).into());
        }
        check_seats::<G>(key.seats)?;
        let mut stream = Stream::new(key.seed, Purpose::Game, key.match_index);
        let mut draws = Draws::new(&mut stream, &scripts, ScriptCounts::default());
        let mut events = Vec::new();
        let setup = G::prepare(key.seats, &key.setup)?;
        let state = G::begin(&setup, &mut draws, &mut |event| events.push(event));
        let used = draws.used()?;
        if state.seats() != key.seats {
            let reason = format!("{} requested, but the setup has {}", key.seats, state.seats());
            return Err(SetupError::new("seats", reason).into());
        }
        let marks = vec![events.len()];
        let talk = Talk::default();
        Ok(Self {
            key,
            scripts,
            used,
            stream,
            state,
            history: Vec::new(),
            events,
            marks,
            talk,
            bots: Bots::none(),
        })
    }

    /// The same match before its first decision.
    pub(crate) fn begin_again(&self) -> Self {
        Self::create(self.key.clone(), self.scripts.clone()).expect("it began so before")
    }

    /// The match as it stood after some decisions, or as it stands if it has fewer, without bots.
    #[must_use]
    pub fn rewound(&self, decisions: usize) -> Self {
        let mut past = self.begin_again();
        past.play_known(&self.history[..decisions.min(self.history.len())]);
        past
    }

    /// Plays decisions that are known to be possible.
    pub(crate) fn play_known(&mut self, history: &[u32]) {
        for &index in history {
            self.play_legal(G::action_at(index).expect("it was played")).expect("it was played");
        }
    }

    /// The inputs of the match.
    pub const fn key(&self) -> &MatchKey {
        &self.key
    }

    pub(crate) const fn scripts(&self) -> &Scripts {
        &self.scripts
    }

    /// How much of the scripts is used.
    pub const fn scripts_used(&self) -> ScriptCounts {
        self.used
    }

    pub(crate) const fn talk(&self) -> &Talk {
        &self.talk
    }

    pub(crate) const fn talk_mut(&mut self) -> &mut Talk {
        &mut self.talk
    }

    /// The state as it stands.
    pub const fn state(&self) -> &G {
        &self.state
    }

    /// Index of every action played.
    pub fn history(&self) -> &[u32] {
        &self.history
    }

    /// Public events so far.
    pub fn events(&self) -> &[G::Event] {
        &self.events
    }

    /// Numbers of the events of some decisions; those of decision 0 happened before the first one.
    pub(crate) fn events_of(&self, decisions: RangeInclusive<usize>) -> Range<usize> {
        let last = self.marks.len() - 1;
        let first = match *decisions.start() {
            0 => 0,
            decision => self.marks[(decision - 1).min(last)],
        };
        first..self.marks[(*decisions.end()).min(last)].max(first)
    }

    /// The decision during which an event happened, 0 for those before the first one.
    pub(crate) fn decision_of(&self, event: usize) -> usize {
        self.marks.partition_point(|&mark| mark <= event)
    }

    /// Dice of the script that are not used yet, if there is a script.
    pub fn dice_left(&self) -> Option<usize> {
        self.scripts.left(self.used)[0].1
    }

    /// What of each script is not used yet, by name; `None` for what is not scripted.
    pub fn scripts_left(&self) -> [(&'static str, Option<usize>); 4] {
        self.scripts.left(self.used)
    }

    /// Seat that decides next, or `None` once the match is over.
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// Whether nobody decides any more.
    pub fn over(&self) -> bool {
        self.to_act().is_none()
    }

    /// How the match ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    /// The legal actions in table order.
    pub fn legal_actions(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        self.state.legal_actions(&mut legal);
        legal
    }

    /// Marks the legal actions in a table of [`Game::ACTION_COUNT`] entries.
    ///
    /// # Panics
    /// When `out` is shorter than the action table.
    pub fn legal_mask(&self, out: &mut [bool]) {
        out.fill(false);
        for action in self.legal_actions() {
            out[G::index_of(action) as usize] = true;
        }
    }

    /// Plays an action of the seat to act.
    ///
    /// # Errors
    /// [`PlayError`] when the rules refuse it or the script has too few dice; the match is as it was.
    pub fn play(&mut self, action: G::Action) -> Result<(), PlayError> {
        if self.over() {
            return Err(RuleError::MatchOver.into());
        }
        if !self.legal_actions().contains(&action) {
            return Err(RuleError::IllegalAction { index: G::index_of(action) }.into());
        }
        self.play_legal(action)
    }

    /// Plays an action that is known to be legal.
    pub(crate) fn play_legal(&mut self, action: G::Action) -> Result<(), PlayError> {
        // Played on a copy: whatever goes wrong on the way, this match has not moved.
        let mut next = self.state.clone();
        let mut events = Vec::new();
        let mut draws = Draws::new(&mut self.stream, &self.scripts, self.used);
        next.play_logged(action, &mut draws, &mut |event| events.push(event));
        self.used = draws.used()?;
        self.state = next;
        self.events.append(&mut events);
        self.marks.push(self.events.len());
        self.history.push(G::index_of(action));
        Ok(())
    }

    /// Plays the action at a place of the action table.
    ///
    /// # Errors
    /// As [`Match::play`]; a place beyond the table is an illegal action.
    pub fn play_index(&mut self, index: u32) -> Result<(), PlayError> {
        if self.over() {
            return Err(RuleError::MatchOver.into());
        }
        self.play(G::action_at(index).ok_or(RuleError::IllegalAction { index })?)
    }

    /// Plays an action by its index in the name of a seat, which must be the one to act.
    ///
    /// # Errors
    /// As [`Match::play_index`], and when another seat is to act.
    pub fn play_as(&mut self, asked: Seat, index: u32) -> Result<(), PlayError> {
        let to_act = self.to_act().ok_or(RuleError::MatchOver)?;
        if asked != to_act {
            return Err(RuleError::NotYourTurn { asked, to_act }.into());
        }
        self.play_index(index)
    }

    /// Everything as a table of names and numbers, or only what one seat may see.
    ///
    /// A seat also sees the messages that it can read, once there are any: they are no part of the state.
    pub fn describe(&self, seat: Option<Seat>) -> Value {
        let mut table = self.state.describe(seat);
        if let Some(seat) = seat {
            let messages = self.talk.rows(Audience::Seat(seat), 0);
            if !messages.is_empty() {
                table["messages"] = messages.into();
            }
        }
        table
    }

    /// Writes what a seat may see into [`Game::OBSERVATION_SIZE`] bytes.
    pub fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.state.observe(seat, out);
    }

    /// A match that a seat cannot tell from this one, with what it may not see drawn anew: it begins where this one stands,
    /// through the option `position` of its setup, with chance of its own and nothing played. It is a function of the seed
    /// and of what the seat may know; where the rest of this match leads does not show. Messages that the seat can read come
    /// along, as said before the first decision.
    ///
    /// # Errors
    /// [`CreateError`] when the position is one that the game does not let a match begin from.
    ///
    /// # Panics
    /// When the seat is not at the table.
    pub fn resample(&self, seat: Seat, seed: u64) -> Result<Self, CreateError> {
        assert!(seat.index() < self.key.seats, "{seat} sits at the table");
        let mut stream = Stream::new(seed, Purpose::Search, 0);
        let mut draw = 0;
        let world = self.state.resample(seat, &mut |sides| {
            draw += 1;
            stream.below(draw - 1, sides)
        });
        let mut setup = self.key.setup.clone();
        setup["position"] = world.position();
        // Another stream of the same purpose: its future is neither that of this match nor that of one with this seed.
        let [low, high, ..] = Stream::new(seed, Purpose::Search, u64::MAX).block(0);
        let seed = u64::from(high) << 32 | u64::from(low);
        let mut world = Self::create(MatchKey { setup, seed, match_index: 0, ..self.key }, None)?;
        world.talk = self.talk.read_by(seat);
        Ok(world)
    }

    /// Counts the sequences of legal decisions of this length, shorter ones included where the match ends; `None` once
    /// there are more than `limit`. Chance falls as it would in this match.
    pub fn count_sequences(&self, length: u32, limit: u64) -> Option<u64> {
        let mut left = limit;
        count(&self.state, &mut self.stream.clone(), length, &mut left)?;
        Some(limit - left)
    }

    /// 64 bits that tell states apart, the same on every machine.
    pub fn digest(&self) -> u64 {
        digest(self.state.encode())
    }
}

/// Takes one from `left` for each sequence; `None` when it runs out.
fn count<G: Game>(state: &G, stream: &mut Stream, length: u32, left: &mut u64) -> Option<()> {
    let mut legal = Vec::new();
    if length > 0 {
        state.legal_actions(&mut legal);
    }
    if legal.is_empty() {
        *left = left.checked_sub(1)?;
        return Some(());
    }
    for action in legal {
        let mut next = state.clone();
        next.play_unchecked(action, stream);
        count(&next, stream, length - 1, left)?;
    }
    Some(())
}

/// Refuses a number of seats that the game is not played with.
pub(crate) fn check_seats<G: Game>(seats: usize) -> Result<(), SetupError> {
    let (least, most) = (*G::SEATS.start(), *G::SEATS.end());
    if (least..=most).contains(&seats) {
        return Ok(());
    }
    Err(SetupError::new("seats", format!("{seats} is not possible, {} has {least} to {most}", G::NAME)))
}

#[cfg(test)]
mod tests;
