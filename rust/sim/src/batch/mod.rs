//! Many matches side by side, one decision of each at a time, for whoever trains or searches.
//!
//! A lane is a match like any other: match number `first_match + lane + k * lanes` is the `k`-th one of its lane, and the
//! same as [`Match`] of that number under the same decisions. Lanes know nothing of each other, so neither threads nor
//! the number of lanes change a byte. What is seen and legal is written into arrays of the caller.

mod lane;
mod rows;
mod saved;

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use sengoku_kernel::{Cancel, Chance, DecodeError, Outcome, Purpose, Seat, Stream, digest};
use serde_json::Value;

use self::lane::{BatchConfig, End, Lane, Scratch, mark};
pub use self::rows::Rows;
use self::rows::Widths;
use crate::registry::{find_game, threads};
use crate::run::{MAX_DECISIONS, find_bot};
use crate::{AnyMatch, BatchError, GameEntry, Match, MatchKey, NotReady, Playable};

/// Most lanes of a batch.
pub const MAX_LANES: usize = 1 << 20;
/// Highest number of a first match; lanes can play on for longer than anybody waits before numbers run out.
pub const MAX_FIRST_MATCH: u64 = 1 << 62;
/// Lanes that a thread moves before others can have their turn.
const GRAIN: usize = 32;

/// What becomes of a lane whose match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step begins the next match; its action is not looked at.
    NextStep,
    /// The step that ends a match begins the next one.
    SameStep,
    /// Nothing: the lane takes any action and stays over until it is reset.
    Disabled,
}

/// Which matches to play, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRequest {
    /// How many matches side by side.
    pub lanes: usize,
    /// Bot of each seat; a learner has none.
    pub bots: Vec<Option<String>>,
    /// What all matches are functions of; the match index is that of the first lane's first match.
    pub key: MatchKey,
    /// What becomes of a lane whose match is over.
    pub autoreset: Autoreset,
    /// Most decisions of a match, those of bots among them.
    pub max_decisions: Option<u32>,
    /// Whether decisions are kept, so that a lane can be had as a match.
    pub record: bool,
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
    /// What the first match of the first lane is a function of.
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

/// Matches of one game side by side.
pub struct Batch<G: Playable> {
    key: MatchKey,
    config: BatchConfig<G>,
    autoreset: Autoreset,
    /// Stands for the options in saved lanes.
    setup_digest: u64,
    /// None before the first reset.
    lanes: Vec<Lane<G>>,
    /// Legal actions of each lane, `words` to a lane; all are zero once its match is over.
    bits: Vec<u64>,
    /// Room for each thread.
    scratch: Vec<Mutex<Scratch<G>>>,
    /// Whether a panic may have left lanes between two decisions.
    broken: bool,
}

impl<G: Playable> Batch<G> {
    const WORDS: usize = (G::ACTION_COUNT as usize).div_ceil(64);

    /// A batch before its first reset.
    ///
    /// # Errors
    /// [`BatchError`] with what is wrong with the request.
    pub fn create(request: BatchRequest) -> Result<Self, BatchError> {
        let BatchRequest { lanes, bots, key, autoreset, max_decisions, record } = request;
        if lanes == 0 || lanes > MAX_LANES {
            return Err(BatchError::Lanes { lanes, limit: MAX_LANES });
        }
        if key.match_index > MAX_FIRST_MATCH {
            return Err(BatchError::FirstMatch { first: key.match_index, limit: MAX_FIRST_MATCH });
        }
        if max_decisions == Some(0) {
            return Err(BatchError::NoDecisions);
        }
        // What is wrong with the setup is said at once, and it is read once for all matches.
        let key = Match::<G>::create(key, None)?.key().clone();
        if bots.len() != key.seats {
            return Err(BatchError::BotCount { bots: bots.len(), seats: key.seats });
        }
        if bots.iter().all(Option::is_some) {
            return Err(BatchError::NoLearner { seats: key.seats });
        }
        let bots = bots.iter().map(|name| name.as_deref().map(find_bot::<G>).transpose());
        let config = BatchConfig {
            setup: G::prepare(key.seats, &key.setup)?,
            bots: bots.collect::<Result<Vec<_>, _>>()?,
            lanes,
            first_match: key.match_index,
            limit: max_decisions.unwrap_or(MAX_DECISIONS).min(MAX_DECISIONS),
            record,
        };
        let mut batch = Self {
            setup_digest: digest(key.setup.to_string().into_bytes()),
            key,
            config,
            autoreset,
            lanes: Vec::new(),
            bits: Vec::new(),
            scratch: Vec::new(),
            broken: false,
        };
        let room =
            batch.lanes.try_reserve_exact(lanes).and(batch.bits.try_reserve_exact(lanes * Self::WORDS));
        room.map_err(|_| BatchError::NoRoom { lanes })?;
        Ok(batch)
    }

    fn check_ready(&self) -> Result<(), BatchError> {
        Ok(self.ready()?)
    }

    fn lane(&self, lane: usize) -> Result<&Lane<G>, BatchError> {
        self.check_ready()?;
        self.lanes.get(lane).ok_or(BatchError::NoSuchLane { lane, lanes: self.config.lanes })
    }

    fn widths(&self, rows: &Rows<'_>) -> Result<Widths, BatchError> {
        let keeps_ends = self.autoreset == Autoreset::SameStep;
        Widths::of::<G>(rows, self.config.lanes, self.key.seats, keeps_ends)
    }

    fn check_length(&self, field: &'static str, found: usize) -> Result<(), BatchError> {
        let expected = self.config.lanes;
        if found == expected { Ok(()) } else { Err(BatchError::Length { field, found, expected }) }
    }

    fn bits_of(&mut self, lane: usize) -> &mut [u64] {
        &mut self.bits[lane * Self::WORDS..][..Self::WORDS]
    }

    /// Makes room for every thread of a pool.
    fn make_room(&mut self, pool: Option<&ThreadPool>) {
        let config = &self.config;
        let wanted = threads(pool).max(self.scratch.len());
        self.scratch.resize_with(wanted, || Mutex::new(Scratch::new(config)));
    }

    /// Does something to every lane, on all threads of the pool.
    fn each(
        &mut self,
        execution: Execution<'_>,
        widths: Widths,
        rows: Rows<'_>,
        work: impl Fn(Place<'_, G>) + Sync,
    ) -> Result<(), BatchError> {
        self.make_room(execution.pool);
        self.broken = true; // until it is done
        let Self { config, lanes, bits, scratch, .. } = self;
        let part = Part { first: 0, lanes, bits, rows };
        let common = &Common { config, scratch, widths, cancel: execution.cancel };
        match execution.pool {
            Some(pool) => pool.install(|| part.run(common, &work)),
            None => part.run(common, &work),
        }
        execution.cancel.check()?;
        self.broken = false;
        Ok(())
    }

    /// The first lane whose action is not legal.
    fn first_illegal(&self, actions: &[i64], pool: Option<&ThreadPool>) -> Option<usize> {
        let legal = |(&action, bits): (&i64, &[u64])| {
            // Where nothing is legal the match is over, and any action will do.
            let word =
                usize::try_from(action / 64).ok().filter(|_| action >= 0).and_then(|word| bits.get(word));
            word.is_some_and(|word| word >> (action % 64) & 1 == 1) || bits.iter().all(|&word| word == 0)
        };
        let look = || {
            let lanes = actions.par_iter().zip(self.bits.par_chunks_exact(Self::WORDS));
            lanes.with_min_len(GRAIN).position_first(|lane| !legal(lane))
        };
        match pool {
            Some(pool) => pool.install(look),
            None => actions.iter().zip(self.bits.chunks_exact(Self::WORDS)).position(|lane| !legal(lane)),
        }
    }

    /// Writes everything about a lane.
    fn write(&self, lane: usize, widths: Widths, rows: &mut Rows<'_>) {
        let mut row = rows.row(lane, widths);
        row.legal.fill(0);
        let bits = &self.bits[lane * Self::WORDS..][..Self::WORDS];
        self.lanes[lane].write_view(bits, &mut row);
        self.lanes[lane].write_end(true, &mut row);
    }
}

/// One lane, and everything that is needed to move it.
struct Place<'a, G: Playable> {
    number: usize,
    lane: &'a mut Lane<G>,
    bits: &'a mut [u64],
    row: Rows<'a>,
    config: &'a BatchConfig<G>,
    scratch: &'a mut Scratch<G>,
    cancel: &'a Cancel,
}

impl<G: Playable> Place<'_, G> {
    fn advance(&mut self) {
        self.lane.advance(self.config, self.scratch, self.bits, self.cancel);
    }

    fn begin(&mut self, before: u64) {
        self.lane.begin(self.config, self.number, before);
        self.advance();
    }

    fn write(&mut self) {
        self.lane.write_view(self.bits, &mut self.row);
        self.lane.write_end(true, &mut self.row);
    }

    /// Writes into a row in which anything may stand.
    fn write_anew(&mut self) {
        self.row.legal.fill(0);
        self.write();
    }

    /// Plays an action that is legal, if one is asked for.
    fn step(&mut self, action: i64, autoreset: Autoreset) {
        // What was legal is taken back one by one: rows are long, and a few of their bytes are set.
        mark(self.bits, 0, self.row.legal);
        match (self.lane.end, autoreset) {
            (End::Playing, _) => {
                let action = u32::try_from(action).ok().and_then(G::action_at);
                self.lane.play(action.expect("legal actions are in the table"));
                self.advance();
            }
            (End::Over | End::Cut, Autoreset::Disabled) => {
                // Nothing happens, so nothing is paid for it.
                self.lane.write_view(self.bits, &mut self.row);
                self.lane.write_end(false, &mut self.row);
                return;
            }
            (End::Over | End::Cut, _) => self.begin(self.lane.before + 1),
        }
        if self.lane.end != End::Playing && autoreset == Autoreset::SameStep {
            self.lane.write_end(true, &mut self.row);
            self.lane.write_last(&mut self.row);
            self.begin(self.lane.before + 1);
            self.lane.write_view(self.bits, &mut self.row);
        } else {
            self.write();
        }
    }
}

/// What all parts of the work share.
struct Common<'a, G: Playable> {
    config: &'a BatchConfig<G>,
    scratch: &'a [Mutex<Scratch<G>>],
    widths: Widths,
    cancel: &'a Cancel,
}

/// Lanes next to each other.
struct Part<'a, G> {
    first: usize,
    lanes: &'a mut [Lane<G>],
    bits: &'a mut [u64],
    rows: Rows<'a>,
}

impl<G: Playable> Part<'_, G> {
    fn run(mut self, common: &Common<'_, G>, work: &(impl Fn(Place<'_, G>) + Sync)) {
        let (words, &Common { config, scratch, widths, cancel }) = (Batch::<G>::WORDS, common);
        if self.lanes.len() > config.grain() && scratch.len() > 1 {
            let half = self.lanes.len() / 2;
            let (lanes, other_lanes) = self.lanes.split_at_mut(half);
            let (bits, other_bits) = self.bits.split_at_mut(half * words);
            let (rows, other_rows) = self.rows.halves(half, widths);
            let one = Part { first: self.first, lanes, bits, rows };
            let other =
                Part { first: self.first + half, lanes: other_lanes, bits: other_bits, rows: other_rows };
            rayon::join(|| one.run(common, work), || other.run(common, work));
            return;
        }
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
        // What a panic leaves in it is room, and nothing else.
        let mut scratch = scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let lanes = self.lanes.iter_mut().zip(self.bits.chunks_exact_mut(words));
        for (place, (lane, bits)) in lanes.enumerate() {
            let row = self.rows.row(place, widths);
            if cancel.is_cancelled() {
                return;
            }
            let number = self.first + place;
            work(Place { number, lane, bits, row, config, scratch: &mut scratch, cancel });
        }
    }
}

impl<G: Playable> AnyBatch for Batch<G> {
    fn game(&self) -> GameEntry {
        GameEntry::of::<G>()
    }

    fn key(&self) -> &MatchKey {
        &self.key
    }

    fn lanes(&self) -> usize {
        self.config.lanes
    }

    fn ready(&self) -> Result<(), NotReady> {
        match (self.broken, self.lanes.is_empty()) {
            (true, _) => Err(NotReady::Broken),
            (false, true) => Err(NotReady::New),
            (false, false) => Ok(()),
        }
    }

    fn reset(
        &mut self,
        marks: Option<&[bool]>,
        seed: Option<u64>,
        execution: Execution<'_>,
        rows: Rows<'_>,
    ) -> Result<(), BatchError> {
        let widths = self.widths(&rows)?;
        if let Some(marks) = marks {
            self.check_length("mask", marks.len())?;
            self.check_ready()?;
        }
        let new = self.lanes.is_empty();
        if new {
            let (config, seed) = (&self.config, seed.unwrap_or(self.key.seed));
            let mut lanes = std::mem::take(&mut self.lanes); // stays empty if a lane cannot begin
            lanes.extend((0..config.lanes).map(|lane| Lane::new(config, lane, seed)));
            self.lanes = lanes;
            self.bits.resize(config.lanes * Self::WORDS, 0);
        }
        self.each(execution, widths, rows, |mut place| {
            if marks.is_some_and(|marks| !marks[place.number]) {
                return;
            }
            if new {
                place.advance();
            } else {
                place.lane.own_seed = seed.unwrap_or(place.lane.own_seed);
                place.begin(if seed.is_some() { 0 } else { place.lane.before + 1 });
            }
            place.write_anew();
        })
    }

    fn step(&mut self, actions: &[i64], execution: Execution<'_>, rows: Rows<'_>) -> Result<(), BatchError> {
        self.check_ready()?;
        let widths = self.widths(&rows)?;
        self.check_length("actions", actions.len())?;
        if let Some(lane) = self.first_illegal(actions, execution.pool) {
            return Err(BatchError::IllegalAction { lane, index: actions[lane] });
        }
        let autoreset = self.autoreset;
        self.each(execution, widths, rows, |mut place| place.step(actions[place.number], autoreset))
    }

    fn sample(
        &self,
        seed: Option<u64>,
        pool: Option<&ThreadPool>,
        out: &mut [i64],
    ) -> Result<(), BatchError> {
        self.check_ready()?;
        self.check_length("out", out.len())?;
        let choose = |lane: &Lane<G>, bits: &[u64]| {
            if lane.legal == 0 {
                return -1;
            }
            let seed = seed.unwrap_or(lane.seed);
            let mut chance = Stream::without_block(seed, Purpose::Sample, lane.match_index);
            let mut left = chance.below(lane.decisions, lane.legal);
            for (number, &word) in bits.iter().enumerate().filter(|&(_, &word)| word != 0) {
                let Some(beyond) = left.checked_sub(word.count_ones()) else {
                    let rest = (0..left).fold(word, |word, _| word & (word - 1));
                    return (64 * number as u32 + rest.trailing_zeros()).into();
                };
                left = beyond;
            }
            unreachable!("as many bits are set as actions are legal")
        };
        if let Some(pool) = pool {
            pool.install(|| {
                let lanes = self.lanes.par_iter().zip(self.bits.par_chunks_exact(Self::WORDS));
                let lanes = out.par_iter_mut().zip(lanes).with_min_len(GRAIN);
                lanes.for_each(|(out, (lane, bits))| *out = choose(lane, bits));
            });
        } else {
            let lanes = self.lanes.iter().zip(self.bits.chunks_exact(Self::WORDS));
            out.iter_mut().zip(lanes).for_each(|(out, (lane, bits))| *out = choose(lane, bits));
        }
        Ok(())
    }

    fn fork(
        &mut self,
        lane: usize,
        to: &[usize],
        seed: Option<u64>,
        mut rows: Rows<'_>,
    ) -> Result<(), BatchError> {
        let widths = self.widths(&rows)?;
        for &lane in to.iter().chain([&lane]) {
            self.lane(lane)?;
        }
        for &target in to.iter().filter(|&&target| target != lane || seed.is_some()) {
            let Lane { own_seed, before, .. } = self.lanes[target];
            let mut copy = Lane { own_seed, before, ..self.lanes[lane].clone() };
            if let Some(seed) = seed {
                copy.set_key(seed, self.config.match_index(target, before));
            }
            self.lanes[target] = copy;
            self.bits.copy_within(lane * Self::WORDS..(lane + 1) * Self::WORDS, target * Self::WORDS);
            self.write(target, widths, &mut rows);
        }
        Ok(())
    }

    fn reseed(&mut self, seed: u64, marks: Option<&[bool]>, rows: Rows<'_>) -> Result<(), BatchError> {
        self.check_ready()?;
        self.widths(&rows)?;
        if let Some(marks) = marks {
            self.check_length("mask", marks.len())?;
        }
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if marks.is_none_or(|marks| marks[number]) {
                lane.own_seed = seed;
                lane.set_key(seed, self.config.match_index(number, lane.before));
                rows.match_index[number] = lane.match_index;
            }
        }
        Ok(())
    }

    fn save(&self, lane: usize) -> Result<Vec<u8>, BatchError> {
        Ok(self.lane(lane)?.save(self.key.seats, self.setup_digest))
    }

    fn restore(&mut self, lane: usize, bytes: &[u8], mut rows: Rows<'_>) -> Result<(), BatchError> {
        let widths = self.widths(&rows)?;
        let mut restored = self.lane(lane)?.restored(bytes, &self.config, self.setup_digest)?;
        self.make_room(None);
        let mut bits = vec![0; Self::WORDS];
        let mut scratch = self.scratch[0].lock().unwrap_or_else(PoisonError::into_inner);
        restored.advance(&self.config, &mut scratch, &mut bits, &Cancel::default());
        drop(scratch);
        self.lanes[lane] = restored;
        self.bits_of(lane).copy_from_slice(&bits);
        self.write(lane, widths, &mut rows);
        Ok(())
    }

    fn to_match(&self, number: usize) -> Result<Box<dyn AnyMatch>, BatchError> {
        let lane = self.lane(number)?;
        if !lane.pure {
            return Err(BatchError::Reseeded { lane: number });
        }
        let Some(history) = &lane.history else { return Err(BatchError::NotRecorded { lane: number }) };
        let key = MatchKey { seed: lane.seed, match_index: lane.match_index, ..self.key.clone() };
        let mut playing = Match::<G>::create(key, None)?;
        let played = history.iter().try_for_each(|&index| playing.play_index(index));
        // Only bytes that a lane was restored from can contradict themselves.
        if played.is_err() || *playing.state() != lane.state {
            return Err(DecodeError::inconsistent("history", "does not lead to the state").into());
        }
        Ok(Box::new(playing))
    }

    fn digest(&self, lane: usize) -> Result<u64, BatchError> {
        Ok(digest(self.lane(lane)?.state.encode()))
    }

    fn outcome(&self, lane: usize) -> Result<Option<(Outcome, Value)>, BatchError> {
        let lane = self.lane(lane)?;
        Ok(lane.outcome().map(|outcome| (outcome, lane.state.account())))
    }

    fn observe(&self, lane: usize, seat: Seat, out: &mut [u8]) -> Result<(), BatchError> {
        let lane = self.lane(lane)?;
        if out.len() != G::OBSERVATION_SIZE {
            return Err(BatchError::Length { field: "out", found: out.len(), expected: G::OBSERVATION_SIZE });
        }
        if seat.index() >= self.key.seats {
            return Err(BatchError::NoSuchSeat { seat: seat.index(), seats: self.key.seats });
        }
        lane.state.observe(seat, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
