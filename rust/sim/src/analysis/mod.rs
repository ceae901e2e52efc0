//! Analysis of a match that was played: what each decision was worth, and what luck changed.
//!
//! Every decision is analysed by itself, from seeds that are functions of the analysis seed, the decision and the seat, so
//! that threads, interruptions and the order of work change nothing.

mod luck;
mod moves;
mod playout;
mod record;

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

pub use record::{LuckRecord, MoveRecord, Record};
use sengoku_kernel::{Outcome, Seat};

use crate::{Match, Playable, Searching};

/// Most playouts of a decision.
pub const MAX_PLAYOUTS: u32 = 1_000_000;

/// How long the asking thread waits for a decision until it looks around.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What the worlds of playouts are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cards {
    /// Worlds that the deciding seat could not tell from the real one.
    Seat,
    /// The real one: all hands open. What nobody can know, as the order of decks, is still drawn anew.
    Open,
}

/// How a match is analysed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// Seed of worlds, dice and play.
    pub seed: u64,
    /// Playouts of a decision that compare its actions; 0 leaves moves out.
    pub iterations: u32,
    /// Pairs of playouts for each draw that decides something; 0 leaves luck out.
    pub luck: u32,
    /// Stretches of play until a playout is evaluated; 0 is to the end of the match, none is what the game's search has.
    pub horizon: Option<u32>,
    /// What the worlds are made of.
    pub cards: Cards,
    /// The seat for which the match is analysed: nothing that it may not know is used. None has all decisions and luck.
    pub seat: Option<Seat>,
}

/// The states of a match, to be analysed on many threads.
struct Course<'a, G: Playable> {
    /// The state before each decision, and the last one.
    states: Vec<G>,
    playing: Match<G>,
    options: AnalysisOptions,
    /// Says whether to end: playouts then end at once, and what they found is dropped.
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<G: Playable> Match<G> {
    /// Analyses some decisions, which are counted from 1; 0 is the set-up, which has luck alone. What was done when `stop`
    /// said so comes back in order. `look` hears now and then, in the asking thread, how many are done.
    pub fn analyse(
        &self,
        options: &AnalysisOptions,
        decisions: &[usize],
        searching: &Searching<'_>,
        look: &dyn Fn(usize),
    ) -> Vec<(usize, Record)> {
        let course =
            Course { states: self.states(), playing: self.clone(), options: *options, stop: searching.stop };
        let mut found: Vec<Option<(usize, Record)>> = vec![None; decisions.len()];
        let (sender, receiver) = channel();
        let mut done = 0;
        searching.pool.in_place_scope(|scope| {
            for (place, &decision) in decisions.iter().enumerate() {
                let (sender, course) = (sender.clone(), &course);
                scope.spawn(move |_| {
                    let record = if (course.stop)() { return } else { course.analyse(decision) };
                    if !(course.stop)() {
                        // The receiver waits for every decision, so nothing can be in the way of sending.
                        let _ = sender.send((place, decision, record));
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok((place, decision, record)) => {
                        found[place] = record.map(|record| (decision, record));
                        done += 1;
                        look(done);
                    }
                    Err(RecvTimeoutError::Timeout) => look(done),
                    Err(RecvTimeoutError::Disconnected) => break, // all are done, or one has panicked and is reported later
                }
            }
        });
        found.into_iter().flatten().collect()
    }

    /// Every state of the match, from the one before its first decision on.
    fn states(&self) -> Vec<G> {
        let mut playing = self.begin_again();
        let mut states = vec![playing.state().clone()];
        for &index in self.history() {
            playing.play_index(index).expect("it was played");
            states.push(playing.state().clone());
        }
        states
    }
}

impl<G: Playable> Course<'_, G> {
    /// The record of a decision; none where it has nothing to do with the seat for which the match is analysed.
    fn analyse(&self, decision: usize) -> Option<Record> {
        if decision == 0 {
            let luck = self.luck_of_setup();
            return luck.map(|luck| Record { seat: None, action: None, moves: None, luck: Some(luck) });
        }
        let index = *self.playing.history().get(decision - 1)?;
        let before = &self.states[decision - 1];
        let seat = before.to_act()?;
        if self.options.seat.is_some_and(|asked| asked != seat) {
            return None;
        }
        let action = G::action_at(index)?;
        Some(Record {
            seat: Some(seat),
            action: Some(before.describe_action(action)),
            moves: self.moves(decision, seat, action),
            luck: self.luck_of(decision, action),
        })
    }

    /// The seed of one purpose of one decision and seat.
    fn seed(&self, decision: usize, seat: Seat, purpose: playout::Stage) -> u64 {
        playout::seed(self.options.seed, decision, seat, purpose)
    }

    fn seats(&self) -> usize {
        self.states[0].seats()
    }
}

/// Shares of the victory once a match is over.
fn shares(outcome: &Outcome) -> Vec<f64> {
    let won: Vec<f64> = outcome.ranks.iter().map(|&rank| f64::from(u8::from(rank == 1))).collect();
    let first: f64 = won.iter().sum();
    won.into_iter().map(|share| share / first).collect()
}

#[cfg(test)]
mod tests;
