//! The turn order. Every file here is one part of a round; this one says what follows what.
//!
//! [`State::run`] goes on by itself until a decision is due. What interrupts play comes first: daimyo who return
//! (SW-ELIM-05), a revenge (SW-NINJA-05), an open ninja window (SW-NW-01..13); then the point that play has come to.

use sengoku_kernel::Chance;

use crate::action::Action;
use crate::data::ClanId;
use crate::event::Table;
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
pub mod ronin;
pub mod rounds;
pub mod setting_up;
pub mod sword_order;

/// What an automatic part of play came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A decision is due.
    Ask,
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
    pub(crate) fn run(&mut self, table: &mut impl Table) {
        while !self.is_over() {
            let next = if self.recovery.is_some() {
                self.go_on_recovering(table)
            } else if self.revenge.is_some() {
                Next::Ask
            } else if self.window.is_some() {
                self.go_on_window()
            } else {
                self.go_on(table)
            };
            if next == Next::Ask {
                return;
            }
        }
    }

    fn go_on(&mut self, table: &mut impl Table) -> Next {
        match self.point {
            Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_) => self.go_on_setting_up(table),
            Point::Spy | Point::Plan(_) => self.go_on_planning(table),
            Point::Swords => self.go_on_swords(table),
            Point::Build => self.go_on_building(table),
            Point::Buy(_) => self.go_on_buying(table),
            Point::Levy(_) => self.go_on_levying(table),
            Point::Ronin(_) => self.go_on_placing_ronin(table),
            Point::WarTurn => self.go_on_war_turn(table),
            Point::ChooseArmy => self.go_on_choosing_army(table),
            Point::Move { .. } => self.go_on_moving(table),
            Point::Detach { .. } => self.go_on_detaching(table),
            Point::Garrison { .. } => self.go_on_garrison(table),
            Point::LeaveRonin(_) => self.go_on_leaving_ronin(table),
            Point::DivideRest(_) => self.go_on_dividing_rest(table),
            Point::Declare => self.go_on_declaring(table),
            Point::DeclareTarget(_) => self.go_on_targeting(table),
            Point::ChooseBattle => self.go_on_choosing_battle(table),
            Point::Attack(target) => self.go_on_attack(target, table),
            Point::RevealAttacker(target) => self.go_on_revealing_attacker(target, table),
            Point::RevealDefender(target) => self.go_on_revealing_defender(target, table),
            Point::FirstDie(target) => self.go_on_first_die(target, table),
            Point::Roll => self.go_on_rolling(table),
            Point::Casualties(role) => self.go_on_casualties(role, table),
            Point::CallOff => self.go_on_step_8(table),
            Point::Conquest => self.go_on_conquest(table),
            Point::NextTarget => self.go_on_next_target(table),
            Point::ChooseForce => self.go_on_choosing_force(table),
            Point::ChooseUnits { from, units } => self.go_on_choosing_units(from, &units, table),
            Point::IntoArmy(unit) => self.go_on_into_army(unit, table),
            Point::EndRound => self.end_round(table),
            Point::Over(_) => Next::Go,
        }
    }

    /// Lists the legal actions in table order.
    pub(crate) fn legal(&self, out: &mut Vec<Action>) {
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

    fn legal_at_point(&self, out: &mut Vec<Action>) {
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
            Point::CallOff => out.extend([Action::Continue, Action::CallOff]),
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
    pub(crate) fn apply(&mut self, action: Action, table: &mut impl Table) {
        if self.recovery.is_some() {
            self.play_recovering(action, table);
        } else if self.revenge.is_some() {
            self.play_revenge(action, table);
        } else if self.window.is_some() {
            self.play_window(action, table);
        } else {
            self.apply_at_point(action, table);
        }
    }

    pub(crate) fn apply_at_point(&mut self, action: Action, table: &mut impl Table) {
        match self.point {
            Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_) => {
                self.play_setting_up(action, table);
            }
            Point::Spy => self.play_spying(action, table),
            Point::Plan(place) => self.play_planning(place, action),
            Point::Swords => self.play_sword(action, table),
            Point::Build => self.play_building(action),
            Point::Buy(spent) => self.play_buying(spent, action),
            Point::Levy(place) => self.play_levying(place, action),
            Point::Ronin(place) => self.play_placing_ronin(place, action),
            Point::ChooseArmy => self.play_choosing_army(action, table),
            Point::Move { army, steps, .. } => self.play_moving(army, steps, action, table),
            Point::Detach { army, steps, to, count } => {
                self.play_detaching(army, steps, to, count, action, table);
            }
            Point::Garrison { steps, count } => self.play_garrison(steps, count, action, table),
            Point::LeaveRonin(steps) => self.play_leaving_ronin(steps, action),
            Point::DivideRest(steps) => self.play_dividing_rest(steps, action, table),
            Point::Declare => self.play_declaring(action),
            Point::DeclareTarget(force) => self.play_targeting(force, action, table),
            Point::ChooseBattle => self.play_choosing_battle(action),
            Point::RevealAttacker(target) => self.play_revealing_attacker(target, action, table),
            Point::RevealDefender(target) => self.play_revealing_defender(target, action, table),
            Point::Casualties(role) => self.play_casualties(role, action),
            Point::CallOff => self.play_step_8(action, table),
            Point::Conquest => self.play_conquest(action, table),
            Point::NextTarget => self.play_next_target(action, table),
            Point::ChooseForce => self.play_choosing_force(action, table),
            Point::ChooseUnits { from, units } => self.play_choosing_units(from, units, action, table),
            Point::IntoArmy(unit) => self.play_into_army(unit, action, table),
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
pub(crate) fn die(state: &mut State, table: &mut impl Chance) -> u8 {
    crate::draws::die(&mut state.draws, table)
}
