//! The lanes of one game: creating, stepping, saving and restoring them.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use sengoku_kernel::features::{Encoder, Features};
use sengoku_kernel::{Cancel, Chance, DecodeError, Outcome, Purpose, Seat, Stream, digest};
use serde_json::Value;

use super::lane::{BatchConfig, GRAIN, Lane, Scratch};
use super::part::{Common, Part, Place};
use super::rows::{Rows, Widths};
use super::{AnyBatch, Autoreset, BatchRequest, Execution, MAX_FIRST_MATCH, MAX_LANES};
use crate::registry::threads;
use crate::run::{MAX_DECISIONS, find_bot};
use crate::{AnyMatch, BatchError, GameEntry, Match, MatchKey, NotReady, Playable};

/// Matches of one game side by side.
pub struct Batch<G: Playable> {
    key: MatchKey,
    config: BatchConfig<G>,
    autoreset: Autoreset,
    /// Stands for the options in saved lanes.
    setup_digest: u64,
    /// None before the first reset.
    pub(super) lanes: Vec<Lane<G>>,
    /// Legal actions of each lane, `words` to a lane; all are zero once its match is over.
    bits: Vec<u64>,
    /// Room for each thread.
    scratch: Vec<Mutex<Scratch<G>>>,
    /// Whether a panic may have left lanes between two decisions.
    broken: bool,
}

impl<G: Playable> Batch<G> {
    pub(super) const WORDS: usize = (G::ACTION_COUNT as usize).div_ceil(64);

    /// A batch before its first reset.
    ///
    /// # Errors
    /// [`BatchError`] with what is wrong with the request.
    pub fn create(request: BatchRequest) -> Result<Self, BatchError> {
        let BatchRequest {
            lanes,
            bots,
            key,
            autoreset,
            max_decisions,
            record,
            features,
            skip_forced,
            shaping,
        } = request;
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
            skip_forced,
            encoder: features.then(|| Encoder::new(&Features::of::<G>())),
            shaping,
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
        let features = self.config.encoder.as_ref().map_or(0, Encoder::width);
        Widths::of::<G>(rows, self.config.lanes, self.key.seats, keeps_ends, features)
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

    /// Runs work on every lane, on all threads of the pool.
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
        self.lanes[lane].write_seen(&self.config, &mut [], true, &mut row);
        self.lanes[lane].write_view(bits, &mut row);
        self.lanes[lane].write_end(true, &mut row);
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
