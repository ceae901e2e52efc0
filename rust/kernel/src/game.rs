use std::fmt::Debug;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::Serialize;
use serde_json::Value;

use crate::{
    AnyScenario, Chance, DecodeError, MAX_SEATS, RuleError, ScenarioFile, Seat, SetupError, Sketch, Spec,
};

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rank of each seat, 1 is best; seats that share a rank share the place.
    pub ranks: ArrayVec<u8, MAX_SEATS>,
    /// Whether a rule ended the match; a host's cap on its length does not.
    pub by_rule: bool,
    /// Why it ended, in one word, e.g. `provinces`.
    pub reason: &'static str,
    /// Rounds begun.
    pub rounds: u32,
    /// What each seat has at the end, in the game's own measure.
    pub scores: ArrayVec<i32, MAX_SEATS>,
}

impl Outcome {
    /// The seat that is first alone, if there is one and a rule made it so.
    pub fn winner(&self) -> Option<Seat> {
        let mut first = Seat::all(self.ranks.len()).filter(|seat| self.ranks[seat.index()] == 1);
        let winner = first.next().filter(|_| self.by_rule)?;
        first.next().is_none().then_some(winner)
    }
}

/// An action in the words of its game, as it stands in one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionText {
    /// Place in the action table.
    pub index: u32,
    /// Kind of the action, e.g. `step`.
    pub name: &'static str,
    /// What it names, by role, e.g. `{"to": "kai"}`.
    pub args: Value,
    /// The action as a person would say it.
    pub text: String,
}

/// The contract of a game. A state is a plain value; chance comes from outside.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// A decision one seat can take.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;
    /// What is agreed before a match, checked and ready.
    type Setup: Clone + Debug + Send + Sync;
    /// Something that happened for everybody to see.
    type Event: Clone + Debug + Send + Sync + Serialize + 'static;

    /// Name of the game as users write it.
    const NAME: &'static str;
    /// Changes with every change of behaviour, even one more draw in a rule.
    const RULES_VERSION: u32;
    /// Number of entries of the action table; every action has an index below it.
    const ACTION_COUNT: u32;
    /// Length of an observation in bytes.
    const OBSERVATION_SIZE: usize;
    /// How many can play.
    const SEATS: RangeInclusive<usize>;
    /// Every [`Outcome::reason`] there is.
    const REASONS: &'static [&'static str];
    /// How users write a scenario of their own, where they can.
    const SCENARIO_FILE: Option<ScenarioFile> = None;

    /// What an observation and the action table mean, as data.
    fn spec() -> Spec;

    /// What a match can be set up from, as it is compiled in.
    fn scenarios() -> Vec<Box<dyn AnyScenario>> {
        Vec::new()
    }
    /// What is to be said about the data of all scenarios, a sentence each.
    fn scenario_remarks() -> Vec<String> {
        Vec::new()
    }
    /// The scenario that a user wrote. Nothing of it is kept.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the text and what is wrong with it.
    fn read_scenario(_text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
        Err(SetupError::new("", format!("{} has no scenarios of one's own", Self::NAME)))
    }

    /// Reads what is agreed before a match. `setup` is a table of options, all of which have defaults.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    fn prepare(seats: usize, setup: &Value) -> Result<Self::Setup, SetupError>;
    /// A match before its first decision; the same setup serves any number of them. `log` is told what everybody sees
    /// happen before it.
    fn begin(setup: &Self::Setup, chance: &mut impl Chance, log: &mut impl FnMut(Self::Event)) -> Self;
    /// Number of seats at the table.
    fn seats(&self) -> usize;
    /// Seat that decides next, or `None` once the match is over.
    fn to_act(&self) -> Option<Seat>;
    /// Fills `out` with the legal actions in table order.
    fn legal_actions(&self, out: &mut Vec<Self::Action>);
    /// Plays an action that is known to be legal and tells `log` what everybody sees of it.
    fn play_logged(
        &mut self,
        action: Self::Action,
        chance: &mut impl Chance,
        log: &mut impl FnMut(Self::Event),
    );
    /// The state with everything taken out that `seat` may not see; what bots decide from.
    #[must_use]
    fn seen_by(&self, seat: Seat) -> Self;
    /// A state that `seat` cannot tell from this one: what it may not see is drawn anew, from what it can be after uniform
    /// play of unknown choices (the README of the crate says where that is an approximation). `chance(n)` is uniform below
    /// `n`. It depends on nothing that the seat may not know, so that equal views and equal chance give equal states; the
    /// number of draws starts again at 0 where it could tell something.
    #[must_use]
    fn resample(&self, seat: Seat, chance: &mut dyn FnMut(u32) -> u32) -> Self;
    /// Writes what `seat` may see, and nothing else, into `out` of [`Self::OBSERVATION_SIZE`] bytes.
    fn observe(&self, seat: Seat, out: &mut [u8]);
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Place of an action in the table.
    fn index_of(action: Self::Action) -> u32;
    /// The action at a place of the table.
    fn action_at(index: u32) -> Option<Self::Action>;
    /// Everything as a table of names and numbers, or only what one seat may see in the same shape.
    fn describe(&self, seat: Option<Seat>) -> Value;
    /// An action in words.
    fn describe_action(&self, action: Self::Action) -> ActionText;
    /// A picture of the board in SVG: everything, or what one seat may see.
    fn picture(&self, seat: Option<Seat>) -> String;
    /// The board for a terminal, everything or what one seat may see; nothing where a few lines would not do.
    fn sketch(&self, _seat: Option<Seat>) -> Sketch {
        Sketch::default()
    }
    /// How the scores came about, as a table of names and numbers of the game's own; null where there is nothing to tell.
    fn account(&self) -> Value {
        Value::Null
    }
    /// The state as the option `position` of a setup reads it: a match that begins so begins here.
    fn position(&self) -> Value {
        self.describe(None)
    }
    /// Number of draws made so far.
    fn draws(&self) -> u32;
    /// The state as bytes, the same bytes for equal states.
    fn encode(&self) -> Vec<u8>;
    /// The state that [`Game::encode`] wrote.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are not a valid state of this rules version.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;

    /// Prepares and begins one match.
    ///
    /// # Errors
    /// As [`Game::prepare`].
    fn create(seats: usize, setup: &Value, chance: &mut impl Chance) -> Result<Self, SetupError> {
        Ok(Self::begin(&Self::prepare(seats, setup)?, chance, &mut |_| {}))
    }

    /// Plays an action that is known to be legal.
    fn play_unchecked(&mut self, action: Self::Action, chance: &mut impl Chance) {
        self.play_logged(action, chance, &mut |_| {});
    }

    /// Plays an action, or returns why not and leaves the state untouched.
    ///
    /// # Errors
    /// [`RuleError`] when the match is over, another seat decides or the action is not legal.
    fn play(&mut self, seat: Seat, action: Self::Action, chance: &mut impl Chance) -> Result<(), RuleError> {
        let to_act = self.to_act().ok_or(RuleError::MatchOver)?;
        if seat != to_act {
            return Err(RuleError::NotYourTurn { asked: seat, to_act });
        }
        let mut legal = Vec::new();
        self.legal_actions(&mut legal);
        if !legal.contains(&action) {
            return Err(RuleError::IllegalAction { index: Self::index_of(action) });
        }
        self.play_unchecked(action, chance);
        Ok(())
    }
}
