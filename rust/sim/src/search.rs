//! Searches for the decision that a match has come to, from what the seat to act may see.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rayon::ThreadPool;
use sengoku_bots::Seen;
use sengoku_bots::mcts::{self, Analysis, Candidate, Guided, Options, Rows};
use sengoku_kernel::{RuleError, Seat};

use crate::{Match, Playable};

/// How long the asking thread waits for a tree until it looks around.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Result of a search, one entry for each legal action in table order.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The seat that decides.
    pub seat: Seat,
    /// Indices of the legal actions.
    pub actions: Vec<u32>,
    /// How often each was tried.
    pub visits: Vec<u32>,
    /// The share of the victory that each seat got on average, action by action; nothing that was not tried has one.
    pub values: Vec<f32>,
    /// Place of the action to take.
    pub choice: usize,
}

/// How a search is run; nothing here changes a result, unless it is stopped.
#[derive(Clone, Copy)]
pub struct Searching<'a> {
    /// Threads to grow trees on.
    pub pool: &'a ThreadPool,
    /// Asked now and then, on any thread, whether to end with what has been found.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called now and then by the asking thread.
    pub look: &'a dyn Fn(),
}

/// A search that is guided from outside, of any game.
pub trait AnyGuided: Send {
    /// Goes on until the rows are full or the iterations are over; how many leaves wait for their values.
    fn gather(&mut self, rows: &mut Rows<'_>) -> usize;
    /// Takes logits over the action table and shares by seat for the leaves gathered last, row by row.
    fn scatter(&mut self, policy: &[f32], values: &[f32]);
    /// Whether all iterations are done.
    fn is_done(&self) -> bool;
    /// The result so far.
    fn found(&self) -> Found;
}

impl<G: Playable> Match<G> {
    /// Searches for the decision of the seat to act.
    ///
    /// # Errors
    /// [`RuleError::MatchOver`] when there is none.
    pub fn search(
        &self,
        options: &Options,
        seed: u64,
        searching: &Searching<'_>,
    ) -> Result<Found, RuleError> {
        let seat = self.to_act().ok_or(RuleError::MatchOver)?;
        let legal = self.legal_actions();
        let seen = Seen::new(self.state(), seat);
        let analysis = Analysis { seen: &seen, legal: &legal, options: *options, seed };
        let favourite = analysis.favourite(&mut G::Greedy::default());
        let candidates = if legal.len() == 1 {
            vec![Candidate::default()] // a choice of one is none
        } else {
            grow(&analysis, favourite, searching)
        };
        let seats = self.state().seats();
        let mean = |candidate: &Candidate| candidate.sums.map(|sum| sum / candidate.visits as f32);
        Ok(Found {
            seat,
            actions: legal.iter().map(|&action| G::index_of(action)).collect(),
            visits: candidates.iter().map(|candidate| candidate.visits).collect(),
            values: candidates.iter().flat_map(|candidate| mean(candidate).into_iter().take(seats)).collect(),
            choice: mcts::choose(&candidates, favourite),
        })
    }

    /// A search for the decision of the seat to act that is guided from outside.
    ///
    /// # Errors
    /// [`RuleError::MatchOver`] when there is none.
    pub fn guided(&self, iterations: u32, seed: u64) -> Result<Box<dyn AnyGuided>, RuleError> {
        let seat = self.to_act().ok_or(RuleError::MatchOver)?;
        let search = Guided::new(&Seen::new(self.state(), seat), iterations, seed);
        let legal = self.legal_actions().into_iter().map(G::index_of).collect();
        Ok(Box::new(GuidedMatch { search, seat, legal, seats: self.state().seats() }))
    }
}

/// Grows trees on a pool and puts them together in their order.
fn grow<G: Playable>(
    analysis: &Analysis<'_, G>,
    favourite: usize,
    searching: &Searching<'_>,
) -> Vec<Candidate> {
    let trees = analysis.options.trees;
    let mut found: Vec<Option<Vec<Candidate>>> = vec![None; trees as usize];
    let (sender, receiver) = channel();
    searching.pool.in_place_scope(|scope| {
        for tree in 0..trees {
            let sender = sender.clone();
            let stop = searching.stop;
            scope.spawn(move |_| {
                // The receiver waits for every tree, so nothing can be in the way of sending.
                let _ = sender.send((tree, analysis.tree(tree, favourite, &stop)));
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok((tree, candidates)) => found[tree as usize] = Some(candidates),
                Err(RecvTimeoutError::Timeout) => (searching.look)(),
                Err(RecvTimeoutError::Disconnected) => break, // all are done, or one has panicked and is reported later
            }
        }
    });
    mcts::merge(found.into_iter().flatten())
}

/// A search that is guided from outside, with what it is about.
struct GuidedMatch<G: Playable> {
    search: Guided<G>,
    seat: Seat,
    legal: Vec<u32>,
    seats: usize,
}

impl<G: Playable> AnyGuided for GuidedMatch<G> {
    fn gather(&mut self, rows: &mut Rows<'_>) -> usize {
        self.search.gather(rows)
    }

    fn scatter(&mut self, policy: &[f32], values: &[f32]) {
        self.search.scatter(policy, values);
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }

    fn found(&self) -> Found {
        let tried = self.search.tried();
        let mut found = Found {
            seat: self.seat,
            actions: self.legal.clone(),
            visits: vec![0; self.legal.len()],
            values: vec![f32::NAN; self.legal.len() * self.seats],
            choice: 0,
        };
        for (action, visits, sums) in tried {
            let Ok(place) = self.legal.binary_search(&action) else { continue };
            found.visits[place] = visits;
            for (value, sum) in found.values[place * self.seats..].iter_mut().zip(&sums[..self.seats]) {
                *value = sum / visits as f32;
            }
        }
        // The action that was tried most; of equals the first.
        let most = found.visits.iter().copied().max().unwrap_or(0);
        found.choice = found.visits.iter().position(|&visits| visits == most).unwrap_or(0);
        found
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;
    use serde_json::json;

    use super::*;
    use crate::MatchKey;
    use crate::test_game::{Move, Race};

    fn race(goal: u8) -> Match<Race> {
        let key = MatchKey { seats: 2, setup: json!({ "goal": goal }), seed: 7, match_index: 2 };
        Match::create(key, None).unwrap()
    }

    fn search(race: &Match<Race>, threads: usize, seed: u64, stop: bool) -> Found {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let searching = Searching { pool: &pool, stop: &|| stop, look: &|| {} };
        race.search(&Options::new(400, 4), seed, &searching).unwrap()
    }

    #[test]
    fn threads_change_nothing() {
        let race = race(12);
        let found = search(&race, 1, 7, false);
        for threads in [2, 5] {
            assert_eq!(search(&race, threads, 7, false), found);
        }
        assert_eq!(found.actions, [0, 1]);
        assert_eq!(found.values.len(), 4);
        assert!(found.visits.iter().sum::<u32>() <= 400);
        assert_ne!(search(&race, 2, 8, false).values, found.values);
    }

    #[test]
    fn a_roll_is_better_than_a_step() {
        let found = search(&race(12), 2, 7, false);
        assert_eq!(found.actions[found.choice], Move::Roll as u32);
        assert!(found.values[2] > found.values[0]);
    }

    #[test]
    fn a_search_that_is_stopped_answers_as_the_player_of_the_game() {
        let found = search(&race(12), 2, 7, true);
        assert_eq!((found.choice, found.visits), (1, vec![0, 0])); // hasty takes the last one
    }

    #[test]
    fn a_match_that_is_over_has_no_decision() {
        let mut race = race(1);
        race.play(Move::Step).unwrap();
        assert_eq!(race.guided(3, 0).err(), Some(RuleError::MatchOver));
    }

    /// Guides a search by logits of the two actions and by even values.
    fn guide(race: &Match<Race>, iterations: u32, batch: usize, logits: [f32; 3]) -> Found {
        let mut search = race.guided(iterations, 0).unwrap();
        while !search.is_done() {
            let (mut observations, mut legal) = (vec![0; 6 * batch], vec![false; 3 * batch]);
            let mut seats = vec![0; batch];
            let rows = &mut Rows { observations: &mut observations, legal: &mut legal, seats: &mut seats };
            let count = search.gather(rows);
            assert!(count <= batch);
            assert!(legal[..3 * count].chunks(3).all(|mask| mask == [true, true, false]));
            search.scatter(&logits.repeat(count), &[0.5, 0.5].repeat(count));
        }
        search.found()
    }

    #[test]
    fn a_guided_search_is_what_one_computes_by_hand() {
        // Every action ends the race and wins it. The prior of a step is 1/4, that of a roll 3/4; an action that was not
        // tried is worth 0.1 less than the node. Roll leads with 0.9375 - 0.1 to 0.3125 - 0.1, then with 1 + 1.25 * 0.75 / 2
        // to 0.9 + 1.25 / 4, and with 1 + 1.25 * sqrt(2) / 4 to 0.9 + 1.25 * sqrt(2) / 4; then step leads with
        // 0.9 + 1.25 * sqrt(3) / 4 = 1.441 to 1 + 1.25 * sqrt(3) * 0.75 / 4 = 1.406.
        let found = guide(&race(1), 4, 1, [0.0, 3.0_f32.ln(), 9.0]);
        assert_eq!(found.visits, [1, 3]);
        assert_eq!(found.values, [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(found.choice, 1);
    }

    #[test]
    fn guided_searches_repeat_and_know_their_budget() {
        for batch in [1, 7, 64] {
            let found = guide(&race(30), 100, batch, [0.0; 3]);
            assert_eq!(found.visits.iter().sum::<u32>(), 100);
            assert_eq!(found, guide(&race(30), 100, batch, [0.0; 3]));
            assert!(found.values.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }
}
