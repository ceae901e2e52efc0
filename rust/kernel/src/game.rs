use std::fmt::Debug;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::Serialize;
use serde_json::Value;

use crate::{Chance, MAX_SEATS, RuleError, Seat, SetupError};

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
    /// Score of each seat at the end, in the game's own measure.
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

/// The contract of a game. A state is a plain value; chance comes from outside.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// A decision one seat can take.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;
    /// The options of a match, checked and ready.
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

    /// Reads what is agreed before a match. `setup` is a table of options, all of which have defaults.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    fn prepare(seats: usize, setup: &Value) -> Result<Self::Setup, SetupError>;
    /// A match before its first decision; the same setup serves any number of them. `log` receives what everybody sees
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
    /// The state with everything drawn anew that no seat knows and that is not decided yet: the order of decks and of cards
    /// that lie face down for everybody. What any seat knows stays. Games that draw only when a rule says so have nothing
    /// of the kind.
    #[must_use]
    fn redraw(&self, _chance: &mut dyn FnMut(u32) -> u32) -> Self {
        self.clone()
    }
    /// Writes what `seat` may see, and nothing else, into `out` of [`Self::OBSERVATION_SIZE`] bytes.
    fn observe(&self, seat: Seat, out: &mut [u8]);
    /// Writes the score of each seat as far as everybody knows it, in units in which 1 is about what wins a match.
    fn public_scores(&self, scores: &mut [f32]) {
        scores.fill(0.0);
    }
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Place of an action in the table.
    fn index_of(action: Self::Action) -> u32;
    /// The action at a place of the table.
    fn action_at(index: u32) -> Option<Self::Action>;

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
