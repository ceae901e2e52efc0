//! The turn order. Every file here is one part of a year; this one says what follows what.
//!
//! [`State::run`] goes on by itself until a decision is due. A decision with one legal action is no decision: it is taken
//! at once (TW-D-00), plan entry excepted (TW-D-14).

use sengoku_kernel::{Chance, OnlyAction};

use crate::action::{Action, ActionSink};
use crate::data::SeatId;
use crate::event::Context;
use crate::state::{Point, State};

pub mod actions;
pub mod battles;
pub mod bidding;
pub mod collecting;
pub mod drafting;
pub mod filling;
pub mod moving;
pub mod planning;
pub mod scoring;
pub mod seasons;
pub mod winter;

impl State {
    /// Goes on until a decision is due or the match is over.
    pub(crate) fn run(&mut self, context: &mut impl Context) {
        loop {
            match self.point {
                Point::Over(_) | Point::Plan(_) => return,
                Point::DraftRefresh
                | Point::DraftCard
                | Point::DraftGroup
                | Point::Slot
                | Point::Favour
                | Point::FavourEvent
                | Point::FavourUnrest
                | Point::FavourArmies
                | Point::FavourBuilding
                | Point::Kept
                | Point::DeployMove
                | Point::Battle
                | Point::Revolt => {
                    let mut only = OnlyAction::default();
                    self.list(&mut only);
                    let Some(action) = only.get() else { return };
                    self.apply(action, context);
                }
                Point::Season => self.begin_season(context),
                Point::Event => self.turn_up_bids(context),
                Point::Court => self.begin_court(context),
                Point::Hall => self.advance_hall(context),
                Point::Turn => self.advance_turn(context),
                Point::Act => self.act(context),
                Point::CleanUp => self.clean_up(context),
                Point::Winter => self.begin_winter(context),
                Point::Revolts => self.advance_revolts(context),
                Point::Quell => self.quell(context),
                Point::Score => self.score_winter(context),
            }
        }
    }

    /// Lists the legal actions in table order.
    pub(crate) fn legal(&self, out: &mut Vec<Action>) {
        self.list(out);
    }

    fn list(&self, out: &mut impl ActionSink) {
        match self.point {
            Point::DraftRefresh | Point::DraftCard | Point::DraftGroup => self.legal_drafting(out),
            Point::Plan(entered) => self.legal_planning(entered, out),
            Point::Slot => self.legal_slots(out),
            Point::Favour => self.legal_favours(out),
            Point::FavourEvent => {
                out.add(Action::Pass);
                out.add(Action::RemoveEvent);
            }
            Point::FavourUnrest | Point::FavourArmies | Point::FavourBuilding => {
                out.add_provinces(self.favour_targets());
            }
            Point::Kept => {
                out.add(Action::Pass);
                out.add_provinces(self.unquiet(self.decider));
            }
            Point::DeployMove => self.legal_deploy_moves(out),
            Point::Battle => self.legal_battles(out),
            Point::Revolt => {
                out.add_provinces(self.pending.iter().fold(0, |set, province| set | province.bit()));
            }
            Point::Season
            | Point::Event
            | Point::Court
            | Point::Hall
            | Point::Turn
            | Point::Act
            | Point::CleanUp
            | Point::Winter
            | Point::Revolts
            | Point::Quell
            | Point::Score
            | Point::Over(_) => {}
        }
    }

    /// Carries a legal action out, without what follows from it by itself.
    pub(crate) fn apply(&mut self, action: Action, context: &mut impl Context) {
        match self.point {
            Point::DraftRefresh | Point::DraftCard | Point::DraftGroup => self.play_drafting(action, context),
            Point::Plan(entered) => self.play_planning(entered, action, context),
            Point::Slot => self.play_slot(action, context),
            Point::Favour => self.play_favour(action, context),
            Point::FavourEvent => self.play_favour_event(action, context),
            Point::FavourUnrest | Point::FavourArmies | Point::FavourBuilding => {
                self.play_favour_target(action, context);
            }
            Point::Kept => self.play_kept(action, context),
            Point::DeployMove => self.play_deploy_move(action, context),
            Point::Battle => self.play_battle(action, context),
            Point::Revolt => self.play_revolt(action),
            Point::Season
            | Point::Event
            | Point::Court
            | Point::Hall
            | Point::Turn
            | Point::Act
            | Point::CleanUp
            | Point::Winter
            | Point::Revolts
            | Point::Quell
            | Point::Score
            | Point::Over(_) => {}
        }
    }

    /// Moves to a point at which a player is asked.
    pub(crate) fn ask(&mut self, seat: SeatId, point: Point) {
        (self.decider, self.point) = (seat, point);
    }
}

/// The shuffle of TW-RNG-00 with dice: lots that a script can give.
pub(crate) fn draw_lots<T>(items: &mut [T], draws: &mut u32, chance: &mut impl Chance) {
    for last in (1..items.len()).rev() {
        let with = chance.rolled_lot(*draws, last as u32 + 1) as usize;
        *draws += 1;
        items.swap(last, with);
    }
}
