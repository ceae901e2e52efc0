//! The turn order. Every file here is one part of a round; this one says what follows what.
//!
//! [`State::run`] plays automatic steps until a decision is due. What interrupts play comes first: daimyo who return
//! (SW-ELIM-05), a revenge (SW-NINJA-05), an open ninja window (SW-NW-01..13); then the point that play has come to.
//!
//! A decision with one legal action is taken at once, unless asking or not asking would give a secret away: then the
//! seat is asked by public facts alone (SW-R-88). The functions `advance_*` say which of the two a point is.

use sengoku_kernel::{Chance, OnlyAction};

use crate::action::{Action, ActionSink};
use crate::data::ClanId;
use crate::event::Context;
use crate::state::{Phase, Point, State};

pub mod attacks;
pub mod building;
pub mod combat;
pub mod declaring;
pub mod elimination;
pub mod fighting;
pub mod final_movement;
pub mod levying;
pub mod marching;
pub mod ninja;
pub mod planning;
pub mod revealing;
pub mod ronin;
pub mod rounds;
pub mod series;
pub mod setting_up;
pub mod sword_order;

/// How an automatic part of play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A decision is due, even if there is only one legal action.
    Ask,
    /// A decision is due if there are at least two legal actions; otherwise the only one is taken.
    Choose,
    /// Play has moved to another point.
    Go,
}

impl State {
    /// The clan that decides next.
    pub fn deciding_clan(&self) -> Option<ClanId> {
        if self.is_over() {
            None
        } else if let Some(recovery) = self.recovery {
            Some(recovery.clan)
        } else if let Some(revenge) = self.revenge {
            Some(revenge.by)
        } else if self.window.is_some() {
            self.ninja
        } else {
            Some(self.decider)
        }
    }

    /// Goes on until a decision is due or the match is over.
    pub(crate) fn run(&mut self, context: &mut impl Context) {
        while !self.is_over() {
            let next = if let Some(recovery) = self.recovery {
                self.advance_recovering(recovery)
            } else if self.revenge.is_some() || self.window.is_some() {
                Next::Choose
            } else {
                self.advance(context)
            };
            match next {
                Next::Ask => return,
                Next::Choose => {
                    let mut only = OnlyAction::default();
                    self.list(&mut only);
                    debug_assert!(!only.is_empty(), "no legal action at {:?}", self.point);
                    let Some(action) = only.get() else { return };
                    self.apply(action, context);
                }
                Next::Go => {}
            }
        }
    }

    fn advance(&mut self, context: &mut impl Context) -> Next {
        match self.point {
            Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_) => {
                self.advance_setting_up(context)
            }
            Point::Spy | Point::Plan(_) => self.advance_planning(context),
            Point::Swords => self.advance_swords(context),
            Point::Build => self.advance_building(context),
            Point::Buy(_) => self.advance_buying(context),
            Point::Levy(_) => self.advance_levying(context),
            Point::Ronin(_) => self.advance_placing_ronin(context),
            Point::WarTurn => self.advance_war_turn(context),
            Point::ChooseArmy
            | Point::Detach { .. }
            | Point::Garrison { .. }
            | Point::LeaveRonin(_)
            | Point::Declare
            | Point::DeclareTarget(_)
            | Point::NextTarget
            | Point::ChooseForce
            | Point::IntoArmy(_) => Next::Choose,
            Point::Move { army, steps, .. } => self.advance_moving(army, steps),
            Point::DivideRest(_) => self.advance_dividing_rest(context),
            Point::ChooseBattle => self.advance_choosing_battle(),
            Point::Attack(target) => self.advance_attack(target, context),
            Point::RevealAttacker(target) => self.advance_revealing_attacker(target, context),
            Point::RevealDefender(target) => self.advance_revealing_defender(target, context),
            Point::FirstDie(target) => self.advance_first_die(target, context),
            Point::Roll => self.advance_rolling(context),
            Point::Casualties(role) => self.advance_casualties(role, context),
            Point::CallOff => self.advance_step_8(context),
            Point::Conquest => self.advance_conquest(),
            Point::ChooseUnits { units, .. } => self.advance_choosing_units(&units),
            Point::EndRound => self.end_round(context),
            Point::Over(_) => unreachable!("play goes on after the end of the match"),
        }
    }

    /// Lists the legal actions in table order.
    pub(crate) fn legal(&self, out: &mut Vec<Action>) {
        self.list(out);
    }

    fn list(&self, out: &mut impl ActionSink) {
        if self.is_over() {
        } else if let Some(recovery) = self.recovery {
            self.legal_recovering(recovery, out);
        } else if let Some(revenge) = self.revenge {
            self.legal_revenge(revenge, out);
        } else if self.window.is_some() {
            self.legal_window(out);
        } else {
            self.legal_at_point(out);
        }
    }

    fn legal_at_point(&self, out: &mut impl ActionSink) {
        match self.point {
            Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_) => self.legal_setting_up(out),
            Point::Spy | Point::Plan(_) => self.legal_planning(out),
            Point::Swords => self.legal_swords(out),
            Point::Build => self.legal_building(out),
            Point::Buy(_) => self.legal_buying(out),
            Point::Levy(place) => self.legal_levying(place, out),
            Point::Ronin(_) => self.legal_placing_ronin(out),
            Point::ChooseArmy => self.legal_choosing_army(out),
            Point::Move { army, steps, picked } => self.legal_moving(army, steps, picked, out),
            Point::Detach { army, count, .. } => self.legal_dropping(army, count, out),
            Point::Garrison { count, .. } => self.legal_dropping(self.marching_army(), count, out),
            Point::LeaveRonin(_) => self.legal_leaving_ronin(out),
            Point::DivideRest(_) => self.legal_dividing_rest(out),
            Point::Declare => self.legal_declaring(out),
            Point::DeclareTarget(force) => self.legal_targets(force, out),
            Point::ChooseBattle => self.legal_choosing_battle(out),
            Point::RevealAttacker(_) => self.legal_revealing_attacker(out),
            Point::RevealDefender(target) => self.legal_revealing_defender(target, out),
            Point::Casualties(role) => self.legal_casualties(role, out),
            Point::CallOff => out.add_all([Action::Continue, Action::CallOff]),
            Point::Conquest => self.legal_conquest(out),
            Point::NextTarget => self.legal_next_target(out),
            Point::ChooseForce => self.legal_choosing_force(out),
            Point::ChooseUnits { from, units } => self.legal_choosing_units(from, &units, out),
            Point::IntoArmy(unit) => self.legal_into_army(unit, out),
            Point::WarTurn
            | Point::Attack(_)
            | Point::FirstDie(_)
            | Point::Roll
            | Point::EndRound
            | Point::Over(_) => {}
        }
    }

    /// Carries a legal action out, without what follows from it by itself.
    pub(crate) fn apply(&mut self, action: Action, context: &mut impl Context) {
        if let Some(recovery) = self.recovery {
            self.play_recovering(recovery, action, context);
        } else if let Some(revenge) = self.revenge {
            self.play_revenge(revenge, action, context);
        } else if self.window.is_some() {
            self.play_window(action, context);
        } else {
            self.apply_at_point(action, context);
        }
    }

    pub(crate) fn apply_at_point(&mut self, action: Action, context: &mut impl Context) {
        match self.point {
            Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_) => {
                self.play_setting_up(action, context);
            }
            Point::Spy => self.play_spying(action, context),
            Point::Plan(place) => self.play_planning(place, action),
            Point::Swords => self.play_sword(action, context),
            Point::Build => self.play_building(action),
            Point::Buy(spent) => self.play_buying(spent, action),
            Point::Levy(place) => self.play_levying(place, action),
            Point::Ronin(place) => self.play_placing_ronin(place, action),
            Point::ChooseArmy => self.play_choosing_army(action, context),
            Point::Move { army, steps, .. } => self.play_moving(army, steps, action, context),
            Point::Detach { army, steps, to, count } => {
                self.play_detaching(army, steps, to, count, action, context);
            }
            Point::Garrison { steps, count } => self.play_garrison(steps, count, action, context),
            Point::LeaveRonin(steps) => self.play_leaving_ronin(steps, action),
            Point::DivideRest(steps) => self.play_dividing_rest(steps, action, context),
            Point::Declare => self.play_declaring(action, context),
            Point::DeclareTarget(force) => self.play_targeting(force, action, context),
            Point::ChooseBattle => self.play_choosing_battle(action),
            Point::RevealAttacker(target) => self.play_revealing_attacker(target, action, context),
            Point::RevealDefender(target) => self.play_revealing_defender(target, action, context),
            Point::Casualties(role) => self.play_casualties(role, action),
            Point::CallOff => self.play_step_8(action, context),
            Point::Conquest => self.play_conquest(action, context),
            Point::NextTarget => self.play_next_target(action, context),
            Point::ChooseForce => self.play_choosing_force(action, context),
            Point::ChooseUnits { from, units } => self.play_choosing_units(from, units, action, context),
            Point::IntoArmy(unit) => self.play_into_army(unit, action, context),
            Point::WarTurn
            | Point::Attack(_)
            | Point::FirstDie(_)
            | Point::Roll
            | Point::EndRound
            | Point::Over(_) => {}
        }
    }

    /// Moves to another point, asked of the active clan.
    pub(crate) fn go_to(&mut self, point: Point) {
        self.point = point;
        self.decider = self.active;
    }

    /// Moves to another phase of the war turn.
    pub(crate) fn enter_phase(&mut self, phase: Phase, point: Point) {
        self.phase = phase;
        self.go_to(point);
    }

    /// The next clan in play, in order, that has an answer to give in a simultaneous step; `None` once all have.
    pub(crate) fn next_to_answer(&self, is_asked: impl Fn(&Self, ClanId) -> bool) -> Option<ClanId> {
        self.in_play().find(|&clan| !self.clans[clan].answered && is_asked(self, clan))
    }

    /// Ends a simultaneous step: everybody can be asked again.
    pub(crate) fn forget_answers(&mut self) {
        for clan in &mut self.clans.0 {
            clan.answered = false;
        }
    }

    /// The clans in play in sword order (SW-SWORD-01).
    pub(crate) fn in_sword_order(&self) -> impl Iterator<Item = ClanId> + use<> {
        let mut order: arrayvec::ArrayVec<ClanId, { crate::data::MAX_CLANS }> = self.in_play().collect();
        order.sort_unstable_by_key(|&clan| self.clans[clan].sword);
        order.into_iter()
    }
}

/// Rolls the die of the game.
pub(crate) fn die(state: &mut State, chance: &mut impl Chance) -> u8 {
    crate::draws::die(&mut state.draws, chance)
}
