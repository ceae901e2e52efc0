//! A batched environment: many matches stepped in lockstep into arrays of the caller.
//!
//! A lane is a match like any other: match number `first_match + lane + k * lanes` is the `k`-th one of its lane, and the
//! same as [`crate::Match`] of that number under the same decisions. Lanes know nothing of each other, so neither threads nor
//! the number of lanes change a byte. What is seen and legal is written into arrays of the caller.

mod error;
mod lane;
mod part;
mod rows;
mod saved;
mod typed_batch;

use rayon::ThreadPool;
use sengoku_kernel::{Cancel, Outcome, Seat};
use serde_json::Value;

pub use self::error::{BatchError, NotReady};
pub(crate) use self::lane::potential_of;
pub use self::rows::Rows;
pub use self::typed_batch::Batch;
use crate::registry::find_game;
use crate::{AnyMatch, GameEntry, MatchKey};

/// Most lanes of a batch.
pub const MAX_LANES: usize = 1 << 20;
/// Highest number of a first match; numbers do not run out in any realistic run.
pub const MAX_FIRST_MATCH: u64 = 1 << 62;

/// Handling of a lane whose match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step begins the next match; its action is not looked at.
    NextStep,
    /// The step that ends a match begins the next one.
    SameStep,
    /// Nothing: the lane takes any action and stays over until it is reset.
    Disabled,
}

/// The matches of a batch, and the bots that play in them.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRequest {
    /// How many matches side by side.
    pub lanes: usize,
    /// Bot of each seat; a learner has none.
    pub bots: Vec<Option<String>>,
    /// Inputs of all matches; the match index is that of the first lane's first match.
    pub key: MatchKey,
    /// Handling of a lane whose match is over.
    pub autoreset: Autoreset,
    /// Most decisions of a match, those of bots among them.
    pub max_decisions: Option<u32>,
    /// Whether decisions are kept, so that a lane can be had as a match.
    pub record: bool,
    /// Whether features are written too.
    pub features: bool,
    /// Whether learners are not asked where only one action is legal: the engine plays it.
    pub skip_forced: bool,
    /// What is paid for changes of the score, if anything.
    pub shaping: Option<Shaping>,
}

/// Rewards for changes of the score, which leave the best policy what it is: `weight * (discount * now - before)`, where the
/// score counts as 0 once a match is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaping {
    /// What the score is worth.
    pub weight: f32,
    /// Discount of the learner.
    pub discount: f32,
}

/// How to move lanes; nothing here changes a result.
#[derive(Clone, Copy)]
pub struct Execution<'a> {
    /// Threads to play on; without a pool the asking thread plays.
    pub pool: Option<&'a ThreadPool>,
    /// Stops the work. Lanes are then left between two decisions and must be reset.
    pub cancel: &'a Cancel,
}

/// A batch of any game. Actions are indices of the game's table. The arrays are the same in all calls: a step changes in
/// them what has changed.
pub trait AnyBatch: Send + Sync {
    /// The game that is played.
    fn game(&self) -> GameEntry;
    /// Inputs of the first match of the first lane.
    fn key(&self) -> &MatchKey;
    /// Number of lanes.
    fn lanes(&self) -> usize;
    /// Whether the batch can be stepped.
    ///
    /// # Errors
    /// [`NotReady`] when it must be reset first.
    fn ready(&self) -> Result<(), NotReady>;
    /// Begins the next match of every lane, or of those with a mark; with a seed, the first one of that seed.
    ///
    /// # Errors
    /// [`BatchError`] when the arrays do not fit, or when only some lanes are to begin a first match.
    fn reset(
        &mut self,
        marks: Option<&[bool]>,
        seed: Option<u64>,
        execution: Execution<'_>,
        rows: Rows<'_>,
    ) -> Result<(), BatchError>;
    /// Plays one action in each lane. All are looked at before any is played.
    ///
    /// # Errors
    /// [`BatchError`] when an action is not legal, with the first such lane; nothing has changed.
    fn step(&mut self, actions: &[i64], execution: Execution<'_>, rows: Rows<'_>) -> Result<(), BatchError>;
    /// Chooses a legal action for each lane, all equally likely, and -1 where the match is over. The choice is a function
    /// of the seed, or that of the lane's match, of the number of the match and of the decisions taken in it.
    ///
    /// # Errors
    /// [`BatchError`] when `out` does not fit or the batch is not ready.
    fn sample(&self, seed: Option<u64>, pool: Option<&ThreadPool>, out: &mut [i64])
    -> Result<(), BatchError>;
    /// Copies the match of a lane into others; with a seed, their chance is from now on that of their own numbers under it.
    ///
    /// # Errors
    /// [`BatchError`] when there is no such lane; nothing has changed.
    fn fork(
        &mut self,
        lane: usize,
        to: &[usize],
        seed: Option<u64>,
        rows: Rows<'_>,
    ) -> Result<(), BatchError>;
    /// Changes all chance to come of every lane, or of those with a mark.
    ///
    /// # Errors
    /// [`BatchError`] when the arrays do not fit or the batch is not ready.
    fn reseed(&mut self, seed: u64, marks: Option<&[bool]>, rows: Rows<'_>) -> Result<(), BatchError>;
    /// The match of a lane as bytes.
    ///
    /// # Errors
    /// [`BatchError`] when there is no such lane.
    fn save(&self, lane: usize) -> Result<Vec<u8>, BatchError>;
    /// Puts a match that was saved into a lane.
    ///
    /// # Errors
    /// [`BatchError`] when the bytes are not those of a lane of such a batch; nothing has changed.
    fn restore(&mut self, lane: usize, bytes: &[u8], rows: Rows<'_>) -> Result<(), BatchError>;
    /// The match of a lane with all its decisions.
    ///
    /// # Errors
    /// [`BatchError`] when decisions are not kept, or do not say how the match came about.
    fn to_match(&self, lane: usize) -> Result<Box<dyn AnyMatch>, BatchError>;
    /// 64 bits that tell the states of lanes apart, as those of a match.
    ///
    /// # Errors
    /// [`BatchError`] when there is no such lane.
    fn digest(&self, lane: usize) -> Result<u64, BatchError>;
    /// How the match of a lane ended, once it has, and how the scores came about.
    ///
    /// # Errors
    /// [`BatchError`] when there is no such lane.
    fn outcome(&self, lane: usize) -> Result<Option<(Outcome, Value)>, BatchError>;
    /// Writes what any seat may see of a lane.
    ///
    /// # Errors
    /// [`BatchError`] when there is no such lane or `out` does not fit.
    fn observe(&self, lane: usize, seat: Seat, out: &mut [u8]) -> Result<(), BatchError>;
}

/// A batch of the named game. Nothing is played before the first reset.
///
/// # Errors
/// [`BatchError`] when there is no such game or the request is wrong.
pub fn create_batch(game: &str, request: BatchRequest) -> Result<Box<dyn AnyBatch>, BatchError> {
    find_game(game)?.batch(request)
}

#[cfg(test)]
mod tests;
