use std::fmt::Debug;

use arrayvec::ArrayVec;

use crate::{Chance, DecodeError, MAX_SEATS, RuleError, Seat};

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rank of each seat, 1 is best; seats that share a rank share the place.
    pub ranks: ArrayVec<u8, MAX_SEATS>,
    /// Whether a rule ended the match; a host's cap on its length does not.
    pub by_rule: bool,
}

/// The contract of a game. A state is a plain value; chance comes from outside.
pub trait Game: Clone + Eq + Debug {
    /// A decision one seat can take.
    type Action: Copy + Eq + Debug;

    /// Name of the game as users write it.
    const NAME: &'static str;
    /// Changes with every change of behaviour, even one more draw in a rule.
    const RULES_VERSION: u32;
    /// Number of entries of the action table; every action has an index below it.
    const ACTION_COUNT: u32;
    /// Length of an observation in bytes.
    const OBSERVATION_SIZE: usize;

    /// Number of seats at the table.
    fn seats(&self) -> usize;
    /// Seat that decides next, or `None` once the match is over.
    fn to_act(&self) -> Option<Seat>;
    /// Fills `out` with the legal actions in table order.
    fn legal_actions(&self, out: &mut Vec<Self::Action>);
    /// Plays an action that is known to be legal.
    fn play_unchecked(&mut self, action: Self::Action, chance: &mut impl Chance);
    /// Writes what `seat` may see, and nothing else, into `out` of [`Self::OBSERVATION_SIZE`] bytes.
    fn observe(&self, seat: Seat, out: &mut [u8]);
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Place of an action in the table.
    fn index_of(action: Self::Action) -> u32;
    /// The action at a place of the table.
    fn action_at(index: u32) -> Option<Self::Action>;
    /// Number of draws made so far.
    fn draws(&self) -> u32;
    /// The state as bytes, the same bytes for equal states.
    fn encode(&self) -> Vec<u8>;
    /// The state that [`Game::encode`] wrote.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are not a valid state of this rules version.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;

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
