//! What a decision was worth: the action played against the others.
//!
//! Half of the playouts look for better actions by sequential halving: all actions that are left are tried in the same
//! worlds with the same dice, and the worse half is dropped. The other half compares the best of them with the action played
//! in new worlds, so that the best one is not chosen for its luck.

use sengoku_bots::mcts::Values;
use sengoku_kernel::{Purpose, Seat, Stream};

use super::playout::{Luck, Player, Stage, Sums, look_alike, world};
use super::{Cards, Course, MoveRecord, shares};
use crate::Playable;

/// Playouts of the first comparison for each action tried.
const FIRST_LOOK: u32 = 2;
/// Worlds in which the play of an action is compared with what came of it.
const LOOKS: u32 = 4;
/// Fewest worlds of a comparison.
const FEWEST: u32 = 4;
/// Share of the playouts that a decision gets which is not worth a search.
const SMALL_SHARE: u32 = 4;

/// The actions of a decision as they are tried.
struct Trial<'a, G: Playable> {
    course: &'a Course<'a, G>,
    decision: usize,
    seat: Seat,
    legal: Vec<G::Action>,
    player: Player<G>,
    /// Playouts for this decision.
    iterations: u32,
}

impl<G: Playable> Course<'_, G> {
    /// The record of a decision's moves.
    pub(super) fn moves(&self, decision: usize, seat: Seat, action: G::Action) -> Option<MoveRecord> {
        if self.options.iterations == 0 {
            return None;
        }
        let before = &self.states[decision - 1];
        let mut legal = Vec::new();
        before.legal_actions(&mut legal);
        let played = legal.iter().position(|&other| other == action)?;
        let mut player = Player::new(self.options.horizon);
        let favourite = player.favourite(before, seat, &legal);
        let mut trial =
            Trial { course: self, decision, seat, legal, player, iterations: self.options.iterations };
        // Where a choice has no alternative, or the search knows no better than the game's own player, that one is enough.
        let (tried, best, ahead) = if trial.legal.len() > 1 && before.is_searched() {
            trial.explore(played, favourite)
        } else {
            trial.iterations /= SMALL_SHARE;
            (1 + u32::from(favourite != played), favourite, 0)
        };
        let compared = trial.confirm(played, favourite, best);
        let [loss, loss_error] = compared.loss;
        // What does not hold in new worlds is no better action.
        let better = best != played && loss > 0.0;
        let (after, after_error) = trial.after(played, &compared);
        let own = seat.index();
        let values = |sums: &Sums| (0..self.seats()).map(|seat| sums.mean(seat)).collect::<Vec<_>>();
        let errors = |sums: &Sums| (0..self.seats()).map(|seat| sums.error(seat)).collect::<Vec<_>>();
        Some(MoveRecord {
            legal: trial.legal.len() as u32,
            tried,
            before: values(&compared.favourite),
            before_error: errors(&compared.favourite),
            expected: values(&compared.played),
            expected_error: errors(&compared.played),
            after,
            after_error,
            rank: if better { (1 + ahead).max(2) } else { 1 },
            best: before.describe_action(trial.legal[if better { best } else { played }]),
            best_value: if better { compared.best.mean(own) } else { compared.played.mean(own) },
            loss: if better { loss } else { 0.0 },
            loss_error: if better { loss_error } else { 0.0 },
        })
    }
}

/// What the second half of the playouts found.
struct Compared {
    played: Sums,
    favourite: Sums,
    best: Sums,
    /// How much better the best is than the action played, and its standard error.
    loss: [f64; 2],
}

impl<G: Playable> Trial<'_, G> {
    fn before(&self) -> &G {
        &self.course.states[self.decision - 1]
    }

    /// Plays an action in a numbered world of a stage, and on from there.
    fn try_action(&mut self, stage: Stage, number: u32, place: usize) -> Values {
        if (self.course.stop)() {
            return Values::default();
        }
        let mut luck = Luck::of(self.course.seed(self.decision, self.seat, stage), number);
        let mut world = world(self.before(), self.seat, self.course.options.cards, &mut luck.draws);
        let begun = world.stretch();
        world.play_unchecked(self.legal[place], &mut luck.dice);
        self.player.play_on(world, begun, &mut luck)
    }

    /// The places that are tried: all, or where these are too many a sample with those that must be there.
    fn candidates(&self, played: usize, favourite: usize) -> Vec<usize> {
        let most = (self.iterations / 2 / FIRST_LOOK).max(2) as usize;
        let mut rest: Vec<usize> =
            (0..self.legal.len()).filter(|&place| place != played && place != favourite).collect();
        let mut places = vec![played];
        if favourite != played {
            places.push(favourite);
        }
        let room = most.saturating_sub(places.len());
        if rest.len() > room {
            let seed = self.course.seed(self.decision, self.seat, Stage::Explore);
            let mut draws = sengoku_bots::mcts::Draws::new(Stream::new(seed, Purpose::Search, u64::MAX));
            for place in 0..room {
                let with = place + draws.below((rest.len() - place) as u32) as usize;
                rest.swap(place, with);
            }
            rest.truncate(room);
        }
        places.extend(rest);
        places
    }

    /// How many actions were tried, the most promising one, and how many were ahead of the one played.
    fn explore(&mut self, played: usize, favourite: usize) -> (u32, usize, u32) {
        let mut alive = self.candidates(played, favourite);
        let tried = alive.len();
        if tried == 1 {
            return (1, played, 0);
        }
        let budget = self.iterations / 2;
        let rounds = (tried - 1).ilog2() + 1;
        let own = self.seat.index();
        let mut leads = vec![Sums::default(); self.legal.len()];
        let mut number = 0;
        for _ in 0..rounds {
            for _ in 0..(budget / rounds / alive.len() as u32).max(1) {
                let anchor = self.try_action(Stage::Explore, number, played)[own];
                for &place in &alive[1..] {
                    let value = self.try_action(Stage::Explore, number, place)[own];
                    leads[place].add(&[f64::from(value) - f64::from(anchor)]);
                }
                number += 1;
            }
            // The action played stays in front; of the others the better half.
            let lead = |place: usize| leads[place].mean(0);
            alive[1..].sort_by(|&one, &other| lead(other).total_cmp(&lead(one)).then(one.cmp(&other)));
            alive.truncate(1 + (alive.len() - 1).div_ceil(2));
        }
        let ahead = leads.iter().filter(|sums| sums.count > 0 && sums.mean(0) > 0.0).count() as u32;
        let best = if leads[alive[1]].mean(0) > 0.0 { alive[1] } else { played };
        (tried as u32, best, ahead)
    }

    /// Compares the action played, the favourite and the best one in new worlds.
    fn confirm(&mut self, played: usize, favourite: usize, best: usize) -> Compared {
        let mut places = vec![played];
        for place in [favourite, best] {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let worlds = (self.iterations / 2 / places.len() as u32).max(FEWEST);
        let (own, mut sums, mut lead) =
            (self.seat.index(), vec![Sums::default(); places.len()], Sums::default());
        for number in 0..worlds {
            let values: Vec<[f64; _]> = places
                .iter()
                .map(|&place| self.try_action(Stage::Confirm, number, place).map(f64::from))
                .collect();
            for (sums, values) in sums.iter_mut().zip(&values) {
                sums.add(values);
            }
            let at = |wanted| places.iter().position(|&place| place == wanted).unwrap_or(0);
            lead.add(&[values[at(best)][own] - values[0][own]]);
        }
        let at = |wanted| places.iter().position(|&place| place == wanted).unwrap_or(0);
        Compared {
            played: sums[0],
            favourite: sums[at(favourite)],
            best: sums[at(best)],
            loss: [lead.mean(0), lead.error(0)],
        }
    }

    /// Values after the decision and what was drawn in it, and their errors.
    fn after(&mut self, played: usize, compared: &Compared) -> (Vec<f64>, Vec<f64>) {
        let (course, seat) = (self.course, self.seat);
        let after = &course.states[self.decision];
        let seats = 0..course.seats();
        if let Some(outcome) = after.outcome() {
            return (shares(&outcome), vec![0.0; course.seats()]);
        }
        let sums = if self.was_certain(played, after) {
            compared.played
        } else {
            let seed = course.seed(self.decision, seat, Stage::After);
            let mut sums = Sums::default();
            for number in 0..(self.iterations / 4).max(FEWEST) {
                let mut luck = Luck::of(seed, number);
                let world = world(after, seat, course.options.cards, &mut luck.draws);
                let begun = world.stretch();
                sums.add(&self.player.play_on(world, begun, &mut luck).map(f64::from));
            }
            sums
        };
        (seats.clone().map(|seat| sums.mean(seat)).collect(), seats.map(|seat| sums.error(seat)).collect())
    }

    /// Whether nothing was drawn, or learned from others, as far as the seat can tell: in other worlds it sees the same.
    fn was_certain(&self, played: usize, after: &G) -> bool {
        let course = self.course;
        let seed = course.seed(self.decision, self.seat, Stage::Confirm);
        (0..LOOKS).all(|number| {
            let mut luck = Luck::of(seed, number);
            let mut world = world(self.before(), self.seat, course.options.cards, &mut luck.draws);
            world.play_unchecked(self.legal[played], &mut luck.dice);
            let watched = match course.options.cards {
                Cards::Seat => self.seat.0..self.seat.0 + 1,
                Cards::Open => 0..course.seats() as u8,
            };
            look_alike(&world, after, watched.map(Seat))
        })
    }
}
