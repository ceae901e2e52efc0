//! Bots play a range of matches; one row for each, in the order of the matches.
//!
//! A match is a function of seed and match number alone: it has streams of its own and bots cloned for it. So neither
//! threads nor the way a range is split can change a row.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rayon::ThreadPool;
use sengoku_bots::{Bot, Policy, Seen};
use sengoku_kernel::{Cancel, Chance, Outcome, Purpose, Stream, digest};
use serde_json::Value;

use crate::registry::{find_game, threads};
use crate::typed_match::check_seats;
use crate::{CreateError, Match, MatchKey, Playable, RunError};

/// Most decisions of a match in a run; far more than a match of any game takes.
pub const MAX_DECISIONS: u32 = 50_000_000;
/// Most matches of one call.
pub const MAX_MATCHES: u64 = 100_000_000;
/// Most matches that a thread plays before others have their turn; few, so that a short run does not wait for long ones.
const CHUNK: u64 = 4;
/// Chunks between two reports of the asking thread, which may have to wait to make one.
const CHUNKS_PER_REPORT: u64 = 16;
/// Decisions between two looks at the flag that stops the work; a bot that thinks takes some milliseconds for them.
const DECISIONS_PER_LOOK: u32 = 64;
/// Decisions that are counted together.
const DECISIONS_PER_COUNT: u32 = 4096;
/// How long the asking thread waits for a chunk until it reports anyway.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// Which matches to run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRequest {
    /// Bots by seat; the last one also takes the seats that are left.
    pub bots: Vec<String>,
    /// Seats at the table.
    pub seats: usize,
    /// Options of the game.
    pub setup: Value,
    /// Seed of all chance.
    pub seed: u64,
    /// Number of the first match.
    pub first_match: u64,
    /// How many matches.
    pub match_count: u64,
}

/// How to run matches; nothing here changes a result.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Threads to play on; without a pool the asking thread plays.
    pub pool: Option<&'a ThreadPool>,
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// Told how many matches are done, by the asking thread.
    pub progress: &'a dyn Fn(u64),
    /// Most decisions of all matches together.
    pub max_decisions: u64,
    /// Most iterations of a decision that a bot searches for.
    pub max_iterations: u32,
    /// Whether the replay of each match is written.
    pub replays: bool,
}

/// Results of matches as columns, one row each, in the order of the matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Seat that won, or -1 when the first place is shared or no rule gave it.
    pub winner: Vec<i8>,
    /// Whether a rule ended the match.
    pub by_rule: Vec<bool>,
    /// Rank of each seat, row by row.
    pub ranks: Vec<u8>,
    /// Rounds begun.
    pub rounds: Vec<u32>,
    /// Decisions taken.
    pub decisions: Vec<u32>,
    /// Why the match ended, by its place in the game's reasons.
    pub reason: Vec<u8>,
    /// Score of each seat at the end, row by row.
    pub scores: Vec<i32>,
    /// Digest of the last state.
    pub digest: Vec<u64>,
    /// The replay of each match, if they are written.
    pub replays: Vec<String>,
}

impl Columns {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.winner.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.winner.is_empty()
    }

    /// Adds the rows of later matches.
    pub fn append(&mut self, mut later: Self) {
        self.winner.append(&mut later.winner);
        self.by_rule.append(&mut later.by_rule);
        self.ranks.append(&mut later.ranks);
        self.rounds.append(&mut later.rounds);
        self.decisions.append(&mut later.decisions);
        self.reason.append(&mut later.reason);
        self.scores.append(&mut later.scores);
        self.digest.append(&mut later.digest);
        self.replays.append(&mut later.replays);
    }

    fn push<G: Playable>(&mut self, outcome: &Outcome, decisions: u32, state: &G) {
        let reason = G::REASONS.iter().position(|&reason| reason == outcome.reason);
        self.winner.push(outcome.winner().map_or(-1, |seat| seat.0.cast_signed()));
        self.by_rule.push(outcome.by_rule);
        self.ranks.extend_from_slice(&outcome.ranks);
        self.rounds.push(outcome.rounds);
        self.decisions.push(decisions);
        self.reason.push(reason.expect("a match ends for one of the game's reasons") as u8);
        self.scores.extend_from_slice(&outcome.scores);
        self.digest.push(digest(state.encode()));
    }
}

/// The bot of each seat: bot `i` for seat `i`, and the last one for the seats that are left.
///
/// # Errors
/// [`RunError::BotCount`] when there is no bot or more than seats.
pub fn bots_by_seat(bots: &[String], seats: usize) -> Result<Vec<&str>, RunError> {
    let Some(last) = bots.last().filter(|_| bots.len() <= seats) else {
        return Err(RunError::BotCount { bots: bots.len(), seats });
    };
    Ok((0..seats).map(|seat| bots.get(seat).unwrap_or(last).as_str()).collect())
}

/// Plays a range of matches of the named game between bots.
///
/// # Errors
/// [`RunError`] when the request is invalid, a match does not end, or the work was cancelled.
pub fn run_matches(game: &str, request: &RunRequest, run: &Run<'_>) -> Result<Columns, RunError> {
    find_game(game)?.run(request, run)
}

/// Checks a request as [`run_matches`] does, without playing a match.
///
/// # Errors
/// [`RunError`] when the request is invalid.
pub fn check_run(game: &str, request: &RunRequest, max_iterations: u32) -> Result<(), RunError> {
    find_game(game)?.check_run(request, max_iterations)
}

/// The bot of a name.
pub(crate) fn find_bot<G: Playable>(name: &str) -> Result<Policy<G::Greedy>, RunError> {
    G::bot(name).map_err(|error| RunError::bot::<G>(name, error))
}

/// A checked request, ready to play.
struct PreparedRun<G: Playable> {
    /// Of the first match.
    key: MatchKey,
    seed: u64,
    first_match: u64,
    last_match: u64,
    setup: G::Setup,
    bots: Vec<Policy<G::Greedy>>,
}

impl<G: Playable> PreparedRun<G> {
    /// Checks a request and reads its setup, once for all matches.
    fn new(request: &RunRequest, max_iterations: u32) -> Result<Self, RunError> {
        let &RunRequest { seats, seed, first_match, match_count, .. } = request;
        if match_count == 0 || match_count > MAX_MATCHES {
            return Err(RunError::MatchCount { count: match_count, limit: MAX_MATCHES });
        }
        let Some(last_match) = first_match.checked_add(match_count - 1) else {
            return Err(RunError::Range { first: first_match, count: match_count });
        };
        check_seats::<G>(seats).map_err(CreateError::from)?;
        let bots = bots_by_seat(&request.bots, seats)?.into_iter().map(|name| {
            let bot = find_bot::<G>(name)?;
            match bot.iterations() {
                Some(iterations) if iterations > max_iterations => {
                    Err(RunError::Iterations { iterations, limit: max_iterations })
                }
                _ => Ok(bot),
            }
        });
        let bots = bots.collect::<Result<Vec<_>, _>>()?;
        let key = MatchKey { seats, setup: request.setup.clone(), seed, match_index: first_match };
        let key = Match::<G>::create(key, None)?.key().clone();
        let setup = G::prepare(seats, &key.setup).map_err(CreateError::from)?;
        Ok(Self { key, seed, first_match, last_match, setup, bots })
    }
}

/// A run in progress.
struct Running<'a, G: Playable> {
    run: PreparedRun<G>,
    cancel: &'a Cancel,
    /// Most decisions of one match.
    limit: u32,
    /// Decisions of all matches so far.
    decisions: AtomicU64,
    /// Most decisions of all matches together.
    max_decisions: u64,
    /// Whether the replay of each match is written.
    replays: bool,
}

pub(crate) fn check_game<G: Playable>(request: &RunRequest, max_iterations: u32) -> Result<(), RunError> {
    PreparedRun::<G>::new(request, max_iterations).map(|_| ())
}

pub(crate) fn run_game<G: Playable>(request: &RunRequest, run: &Run<'_>) -> Result<Columns, RunError> {
    run_limited::<G>(request, run, MAX_DECISIONS)
}

fn run_limited<G: Playable>(request: &RunRequest, run: &Run<'_>, limit: u32) -> Result<Columns, RunError> {
    let prepared = PreparedRun::<G>::new(request, run.max_iterations)?;
    let PreparedRun { first_match, last_match, .. } = prepared;
    let (decisions, max_decisions) = (AtomicU64::new(0), run.max_decisions);
    let (cancel, replays) = (run.cancel, run.replays);
    let running = Running { run: prepared, cancel, limit, decisions, max_decisions, replays };

    let size = (request.match_count / (threads(run.pool) as u64 * 16)).clamp(1, CHUNK);
    let chunk = |number: u64| {
        let first = number * size;
        first_match + first..=first_match + (first + size - 1).min(last_match - first_match)
    };
    let chunks = request.match_count.div_ceil(size);
    let Some(pool) = run.pool else {
        let mut all = Columns::default();
        for number in 0..chunks {
            let (first, last) = chunk(number).into_inner();
            all.append(running.play(first, last - first + 1)?);
            (run.progress)(all.len() as u64);
        }
        return Ok(all);
    };
    in_order(pool, 0..chunks, run, |number| {
        let (first, last) = chunk(number).into_inner();
        running.play(first, last - first + 1)
    })
}

/// Plays numbered pieces of work on a pool and puts their rows together in order.
///
/// Only a few pieces are with the pool at a time, so that several callers share it fairly. Of several errors the one of
/// the first piece is reported: pieces are handed out in order, so it is the same one every time.
fn in_order(
    pool: &ThreadPool,
    pieces: Range<u64>,
    run: &Run<'_>,
    work: impl Fn(u64) -> Result<Columns, RunError> + Sync,
) -> Result<Columns, RunError> {
    let work = &work;
    let mut all = Columns::default();
    let mut next_row = pieces.start;
    let mut waiting: BTreeMap<u64, Columns> = BTreeMap::new();
    let mut failed: Option<(u64, RunError)> = None;
    let mut panic = None;
    let (mut done, mut received) = (0, 0);
    let (sender, receiver) = channel();
    pool.in_place_scope(|scope| {
        let mut to_give = pieces;
        let mut under_way = 0;
        loop {
            while under_way < 2 * pool.current_num_threads()
                && failed.is_none()
                && panic.is_none()
                && let Some(number) = to_give.next()
            {
                let sender = sender.clone();
                under_way += 1;
                scope.spawn(move |_| {
                    // The receiver waits for every piece, so nothing can be in the way of sending.
                    let _ = sender.send((number, catch_unwind(AssertUnwindSafe(|| work(number)))));
                });
            }
            if under_way == 0 {
                break;
            }
            let mut late = false;
            match receiver.recv_timeout(REPORT_EVERY) {
                Ok((number, result)) => {
                    under_way -= 1;
                    received += 1;
                    match result {
                        Ok(Ok(rows)) => {
                            done += rows.len() as u64;
                            waiting.insert(number, rows);
                        }
                        Ok(Err(error)) => {
                            if failed.as_ref().is_none_or(|&(first, _)| number < first) {
                                failed = Some((number, error));
                            }
                        }
                        Err(payload) => panic = Some(payload),
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => late = true,
            }
            while let Some(rows) = waiting.remove(&next_row) {
                all.append(rows);
                next_row += 1;
            }
            if late || received % CHUNKS_PER_REPORT == 0 || under_way == 0 {
                (run.progress)(done);
            }
        }
    });
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
    failed.map_or(Ok(all), |(_, error)| Err(error))
}

impl<G: Playable> Running<'_, G> {
    /// Plays matches one after the other.
    fn play(&self, first: u64, count: u64) -> Result<Columns, RunError> {
        let mut columns = Columns::default();
        let mut legal = Vec::new();
        for offset in 0..count {
            self.cancel.check()?;
            self.play_one(first + offset, &mut legal, &mut columns)?;
        }
        Ok(columns)
    }

    /// Counts decisions. Whether there are too many in all does not depend on which thread counts first.
    fn count(&self, decisions: u32) -> Result<(), RunError> {
        let before = self.decisions.fetch_add(decisions.into(), Ordering::Relaxed);
        if before + u64::from(decisions) > self.max_decisions {
            return Err(RunError::TooMany { limit: self.max_decisions });
        }
        Ok(())
    }

    fn play_one(
        &self,
        match_index: u64,
        legal: &mut Vec<G::Action>,
        columns: &mut Columns,
    ) -> Result<(), RunError> {
        let PreparedRun { seed, setup, bots, .. } = &self.run;
        let mut chance = Stream::new(*seed, Purpose::Game, match_index);
        let mut choices = Stream::new(*seed, Purpose::Bots, match_index);
        let mut bots = bots.clone();
        let mut state = G::begin(setup, &mut chance, &mut |_| {});
        let (mut draw, mut decisions) = (0_u32, 0_u32);
        let mut history = Vec::new();
        let stop = || self.cancel.is_cancelled();
        while let Some(seat) = state.to_act() {
            if decisions == self.limit {
                return Err(RunError::TooLong { match_index, limit: self.limit });
            }
            if decisions % DECISIONS_PER_LOOK == DECISIONS_PER_LOOK - 1 {
                self.cancel.check()?;
                if decisions % DECISIONS_PER_COUNT == DECISIONS_PER_COUNT - 1 {
                    self.count(DECISIONS_PER_COUNT)?;
                }
            }
            state.legal_actions(legal);
            let mut below = |sides| {
                let value = choices.below(draw, sides);
                draw = draw.wrapping_add(1);
                value
            };
            let choice = bots[seat.index()].decide_until(&Seen::new(&state, seat), legal, &mut below, &stop);
            if self.replays {
                history.push(G::index_of(legal[choice]));
            }
            state.play_unchecked(legal[choice], &mut chance);
            decisions += 1;
        }
        // A bot that was stopped in its thoughts has given any answer: no row comes of that.
        self.cancel.check()?;
        self.count(decisions % DECISIONS_PER_COUNT)?;
        let outcome = state.outcome().expect("a match that is over has an outcome");
        columns.push(&outcome, decisions, &state);
        if self.replays {
            let mut played = Match::<G>::create(MatchKey { match_index, ..self.run.key.clone() }, None)?;
            played.play_known(&history);
            columns.replays.push(played.replay());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
