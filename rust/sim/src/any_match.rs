//! A match of any game, behind one object.

use std::ops::RangeInclusive;

use sengoku_bots::mcts::Options;
use sengoku_kernel::{Cancel, Outcome, Seat};
use sengoku_view::{ActionText, Sketch, StoryLine, View};
use serde_json::{Value, json};

use crate::batch::potential_of;
use crate::{
    AnalysisOptions, AnyGuided, Audience, CreateError, Found, GameEntry, Hosted, Match, MatchKey, PlayError,
    Playable, RunError, Said, Searching, SuggestError, TalkError, Thinking, Thought,
};

/// A match of any game. The methods are those of [`Match`], actions are indices of the game's table.
pub trait AnyMatch: Send + Sync {
    /// The game that is played.
    fn game(&self) -> GameEntry;
    /// The inputs of the match besides the decisions.
    fn key(&self) -> &MatchKey;
    /// Index of every action played.
    fn history(&self) -> &[u32];
    /// Dice of the script that are not used yet, if there is a script.
    fn dice_left(&self) -> Option<usize>;
    /// What of each script is not used yet, as [`Match::scripts_left`].
    fn scripts_left(&self) -> [(&'static str, Option<usize>); 4];
    /// Seat that decides next, or `None` once the match is over.
    fn to_act(&self) -> Option<Seat>;
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// How the scores came about, as [`sengoku_kernel::Stored::account`].
    fn account(&self) -> Value;
    /// Indices of the legal actions, ascending.
    fn legal_indices(&self) -> Vec<u32>;
    /// The legal actions in words.
    fn legal_texts(&self) -> Vec<ActionText>;
    /// Marks the legal actions in a table with an entry for each action.
    fn legal_mask(&self, out: &mut [bool]);
    /// Plays an action of the seat to act.
    ///
    /// # Errors
    /// As [`Match::play_index`].
    fn play_index(&mut self, index: u32) -> Result<(), PlayError>;
    /// Plays an action in the name of a seat.
    ///
    /// # Errors
    /// As [`Match::play_as`].
    fn play_as(&mut self, seat: Seat, index: u32) -> Result<(), PlayError>;
    /// Assigns a built-in bot to a seat from now on, or none.
    ///
    /// # Errors
    /// As [`Match::seat_bot`].
    fn seat_bot(&mut self, seat: Seat, name: Option<&str>) -> Result<(), RunError>;
    /// Plays what these bots decide, until another seat is to act.
    ///
    /// # Errors
    /// As [`Match::play_bots`].
    fn play_bots(&mut self, most: usize, cancel: &Cancel) -> Result<usize, PlayError>;
    /// The bots that belong to the match.
    fn hosted(&self) -> &Hosted;
    /// Seats bots that belong to the match.
    ///
    /// # Errors
    /// As [`Match::host_bots`].
    fn host_bots(&mut self, hosted: Hosted) -> Result<(), RunError>;
    /// Whether the seat to act has a bot.
    fn bot_to_act(&self) -> bool;
    /// The thinking of the bot that is to act if it takes long, as [`Match::think`].
    fn think(&self) -> Option<Thinking>;
    /// Plays what a bot has thought of, as [`Match::accept`].
    ///
    /// # Errors
    /// As [`Match::accept`].
    fn accept(&mut self, thought: Thought) -> Result<bool, PlayError>;
    /// The action that a bot would take, as [`Match::suggest`].
    ///
    /// # Errors
    /// As [`Match::suggest`].
    fn suggest(&self, name: &str, seed: u64, cancel: &Cancel) -> Result<Option<u32>, SuggestError>;
    /// The match as it stood after some decisions, as [`Match::rewound`].
    fn rewound(&self, decisions: usize) -> Box<dyn AnyMatch>;
    /// Everything as a table of names and numbers, or only what one seat may see.
    fn describe(&self, seat: Option<Seat>) -> Value;
    /// Writes what a seat may see into a buffer of the game's observation size.
    fn observe(&self, seat: Seat, out: &mut [u8]);
    /// Writes how far the score of each seat is ahead of the mean of all others, as far as everybody knows it; 0 once the match
    /// is over.
    fn leads(&self, leads: &mut [f32]);
    /// A picture of the board in SVG: everything, or what one seat may see.
    fn picture(&self, seat: Option<Seat>) -> String;
    /// The board for a terminal, as [`View::sketch`].
    fn sketch(&self, seat: Option<Seat>) -> Sketch;
    /// The events from number `first` on, as JSON.
    fn events(&self, first: usize) -> Value;
    /// The events of some decisions, each as JSON; those of decision 0 happened before the first one.
    fn events_of(&self, decisions: RangeInclusive<usize>) -> Vec<Value>;
    /// The story of some decisions as [`View::stories`] tells it, with what happened before the first one as decision 0:
    /// JSON tables with `decision`, `level` and `text`.
    fn story(&self, decisions: RangeInclusive<usize>, seat: Option<Seat>, long: bool) -> Value;
    /// The story of each of some decisions by itself, as [`AnyMatch::story`].
    fn stories(&self, decisions: RangeInclusive<usize>, seat: Option<Seat>, long: bool) -> Vec<Value>;
    /// Counts the sequences of legal decisions of this length, as [`Match::count_sequences`].
    fn count_sequences(&self, length: u32, limit: u64) -> Option<u64>;
    /// Says something in the name of a seat, as [`Match::say`].
    ///
    /// # Errors
    /// As [`Match::say`].
    fn say(&mut self, said: Said) -> Result<usize, TalkError>;
    /// The readable messages behind a number, as [`Match::messages`].
    fn messages(&self, audience: Audience, since: usize) -> Value;
    /// How many messages a seat has said, and how many of them since the last decision.
    fn messages_said(&self, seat: Seat) -> (usize, usize);
    /// 64 bits that tell states apart.
    fn digest(&self) -> u64;
    /// The match as bytes.
    fn save(&self) -> Vec<u8>;
    /// The match as a text.
    fn replay(&self) -> String;
    /// Analyses decisions, as [`Match::analyse`]; their records as tables.
    fn analyse(
        &self,
        options: &AnalysisOptions,
        decisions: &[usize],
        searching: &Searching<'_>,
        look: &dyn Fn(usize),
    ) -> Vec<(usize, Value)>;
    /// Playouts of a decision where nothing else is said, as [`sengoku_bots::HasBots::PLAYOUTS`].
    fn playouts(&self) -> u32;
    /// What a hit and what a loss is, where draws are counted.
    fn counted(&self) -> [&'static str; 2];
    /// A match that a seat cannot tell from this one, as [`Match::resample`].
    ///
    /// # Errors
    /// As [`Match::resample`].
    fn resample(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyMatch>, CreateError>;
    /// A copy that goes its own way.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
    /// Searches for the decision of the seat to act, as [`Match::search`].
    ///
    /// # Errors
    /// As [`Match::search`].
    fn search(&self, options: &Options, seed: u64, searching: &Searching<'_>) -> Result<Found, PlayError>;
    /// A search that is guided from outside, as [`Match::guided`].
    ///
    /// # Errors
    /// As [`Match::guided`].
    fn guided(&self, iterations: u32, seed: u64) -> Result<Box<dyn AnyGuided>, PlayError>;
}

impl<G: Playable> AnyMatch for Match<G> {
    fn game(&self) -> GameEntry {
        GameEntry::of::<G>()
    }

    fn key(&self) -> &MatchKey {
        self.key()
    }

    fn history(&self) -> &[u32] {
        self.history()
    }

    fn dice_left(&self) -> Option<usize> {
        self.dice_left()
    }

    fn scripts_left(&self) -> [(&'static str, Option<usize>); 4] {
        self.scripts_left()
    }

    fn to_act(&self) -> Option<Seat> {
        self.to_act()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn account(&self) -> Value {
        self.state().account()
    }

    fn legal_indices(&self) -> Vec<u32> {
        self.legal_actions().into_iter().map(G::index_of).collect()
    }

    fn legal_texts(&self) -> Vec<ActionText> {
        self.legal_actions().into_iter().map(|action| self.state().describe_action(action)).collect()
    }

    fn legal_mask(&self, out: &mut [bool]) {
        self.legal_mask(out);
    }

    fn play_index(&mut self, index: u32) -> Result<(), PlayError> {
        self.play_index(index)
    }

    fn play_as(&mut self, seat: Seat, index: u32) -> Result<(), PlayError> {
        self.play_as(seat, index)
    }

    fn seat_bot(&mut self, seat: Seat, name: Option<&str>) -> Result<(), RunError> {
        self.seat_bot(seat, name)
    }

    fn play_bots(&mut self, most: usize, cancel: &Cancel) -> Result<usize, PlayError> {
        self.play_bots(most, cancel)
    }

    fn hosted(&self) -> &Hosted {
        self.hosted()
    }

    fn host_bots(&mut self, hosted: Hosted) -> Result<(), RunError> {
        self.host_bots(hosted)
    }

    fn bot_to_act(&self) -> bool {
        self.bot_to_act()
    }

    fn think(&self) -> Option<Thinking> {
        self.think()
    }

    fn accept(&mut self, thought: Thought) -> Result<bool, PlayError> {
        self.accept(thought)
    }

    fn suggest(&self, name: &str, seed: u64, cancel: &Cancel) -> Result<Option<u32>, SuggestError> {
        self.suggest(name, seed, cancel)
    }

    fn leads(&self, leads: &mut [f32]) {
        leads.fill(0.0);
        if !self.over() {
            potential_of(self.state(), leads);
        }
    }

    fn rewound(&self, decisions: usize) -> Box<dyn AnyMatch> {
        Box::new(self.rewound(decisions))
    }

    fn describe(&self, seat: Option<Seat>) -> Value {
        self.describe(seat)
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.observe(seat, out);
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        View::picture(self.state(), seat)
    }

    fn sketch(&self, seat: Option<Seat>) -> Sketch {
        self.state().sketch(seat)
    }

    fn events(&self, first: usize) -> Value {
        let events = self.events().get(first..).unwrap_or_default();
        serde_json::to_value(events).expect("events are tables of names and numbers")
    }

    fn events_of(&self, decisions: RangeInclusive<usize>) -> Vec<Value> {
        let events = &self.events()[self.events_of(decisions)];
        let table = |event| serde_json::to_value(event).expect("events are tables of names and numbers");
        events.iter().map(table).collect()
    }

    fn story(&self, decisions: RangeInclusive<usize>, seat: Option<Seat>, long: bool) -> Value {
        stories(self, &[decisions], seat, long).pop().unwrap_or_default()
    }

    fn stories(&self, decisions: RangeInclusive<usize>, seat: Option<Seat>, long: bool) -> Vec<Value> {
        let single: Vec<_> = decisions.map(|decision| decision..=decision).collect();
        stories(self, &single, seat, long)
    }

    fn count_sequences(&self, length: u32, limit: u64) -> Option<u64> {
        self.count_sequences(length, limit)
    }

    fn say(&mut self, said: Said) -> Result<usize, TalkError> {
        self.say(said)
    }

    fn messages(&self, audience: Audience, since: usize) -> Value {
        self.messages(audience, since).into()
    }

    fn messages_said(&self, seat: Seat) -> (usize, usize) {
        self.messages_said(seat)
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn save(&self) -> Vec<u8> {
        self.save()
    }

    fn replay(&self) -> String {
        self.replay()
    }

    fn analyse(
        &self,
        options: &AnalysisOptions,
        decisions: &[usize],
        searching: &Searching<'_>,
        look: &dyn Fn(usize),
    ) -> Vec<(usize, Value)> {
        let found = self.analyse(options, decisions, searching, look);
        found.into_iter().map(|(decision, record)| (decision, record.to_json(decision))).collect()
    }

    fn playouts(&self) -> u32 {
        G::PLAYOUTS
    }

    fn counted(&self) -> [&'static str; 2] {
        [G::HITS, G::LOSSES]
    }

    fn resample(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyMatch>, CreateError> {
        Ok(Box::new(self.resample(seat, seed)?))
    }

    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }

    fn search(&self, options: &Options, seed: u64, searching: &Searching<'_>) -> Result<Found, PlayError> {
        Ok(self.search(options, seed, searching)?)
    }

    fn guided(&self, iterations: u32, seed: u64) -> Result<Box<dyn AnyGuided>, PlayError> {
        Ok(self.guided(iterations, seed)?)
    }
}

/// The stories of some ranges of decisions, with the messages that a viewer can read.
fn stories<G: Playable>(
    playing: &Match<G>,
    ranges: &[RangeInclusive<usize>],
    seat: Option<Seat>,
    long: bool,
) -> Vec<Value> {
    let audience = seat.map_or(Audience::Everything, Audience::Seat);
    let messages: Vec<_> = playing.told(audience).into_iter().collect();
    let events: Vec<_> = ranges.iter().map(|decisions| playing.events_of(decisions.clone())).collect();
    let stories = playing.state().stories(playing.events(), &events, seat, long);
    let rows = |(decisions, lines): (&RangeInclusive<usize>, Vec<StoryLine>)| {
        let mut told: Vec<_> =
            messages.iter().filter(|(decision, _)| decisions.contains(decision)).rev().collect();
        let mut rows = Vec::new();
        for line in lines {
            let decision = playing.decision_of(line.event);
            while let Some((before, text)) = told.pop_if(|(before, _)| *before <= decision) {
                rows.push(json!({ "decision": before, "level": 0, "text": text }));
            }
            rows.push(json!({ "decision": decision, "level": line.level, "text": line.text }));
        }
        let rest = told.into_iter().rev();
        rows.extend(rest.map(|(before, text)| json!({ "decision": before, "level": 0, "text": text })));
        Value::from(rows)
    };
    ranges.iter().zip(stories).map(rows).collect()
}
