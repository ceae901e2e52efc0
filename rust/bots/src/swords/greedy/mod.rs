//! A heuristic player: it gives everything a worth in koku and takes the decision that is worth most now.
//!
//! It plans nothing beyond the decision at hand and remembers nothing; the odds of battles are kept for all matches. Decisions that belong together, such as
//! the steps of an army, fit together because each of them is derived anew from the board by the same rule.

mod battles;
mod building;
mod chances;
mod context;
mod declaring;
mod levying;
mod marching;
mod ninja;
mod planning;
mod ronin;
mod setting_up;
mod spreading;
mod threats;
mod worth;

use sengoku_swords::state::Point;
use sengoku_swords::{Action, State};

use self::context::DecisionContext;
pub(super) use self::worth::units_worth;
use crate::{Bot, Seen, best};

/// Takes the decision that looks best now.
#[derive(Clone, Debug, Default)]
pub struct Greedy;

impl Bot<State> for Greedy {
    fn decide(
        &mut self,
        seen: &Seen<'_, State>,
        legal: &[Action],
        _chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        if legal.len() == 1 {
            return 0;
        }
        let state = seen.look();
        let Some(clan) = state.deciding_clan() else { return 0 };
        DecisionContext::new(&state, clan).choose(legal)
    }
}

impl DecisionContext<'_> {
    fn choose(&self, legal: &[Action]) -> usize {
        let state = self.state;
        if state.recovery.is_some() {
            return self.recover(legal);
        }
        if state.revenge.is_some() {
            return self.take_revenge(legal);
        }
        if let Some(window) = state.window {
            return self.send_ninja(window, legal);
        }
        match state.point {
            Point::Divide(_) => self.divide(legal),
            Point::Reinforce(_) => self.reinforce(legal),
            Point::PlaceArmies(_) => self.place_army(legal),
            Point::Spy => self.spy(legal),
            Point::Plan(place) => self.plan(place, legal),
            Point::Swords => self.take_sword(legal),
            Point::Build => self.build(legal),
            Point::Buy(spent) => self.buy(spent, legal),
            Point::Levy(_) => self.levy(legal),
            Point::Ronin(_) => self.place_ronin(legal),
            Point::ChooseArmy => self.choose_army(legal),
            Point::Move { army, steps, .. } => self.march(army, steps, legal),
            Point::Detach { army, to, count, .. } => self.detach(army, to, count, legal),
            Point::Garrison { count, .. } => self.leave_garrison(count, legal),
            Point::LeaveRonin(_) => self.leave_ronin(legal),
            Point::Declare => self.declare(legal),
            Point::DeclareTarget(force) => self.declare_target(force, legal),
            Point::ChooseBattle => self.choose_battle(legal),
            Point::RevealAttacker(_) => self.reveal_attackers(legal),
            Point::Casualties(_) => Self::lose(legal),
            Point::CallOff => self.call_off(legal),
            Point::Conquest => self.conquer(legal),
            Point::NextTarget => self.next_target(legal),
            Point::ChooseForce => self.choose_force(legal),
            Point::ChooseUnits { from, units } => self.choose_units(from, &units, legal),
            // The army leads more ronin, so they last longer with it; and arriving units make it stronger.
            Point::RevealDefender(_) | Point::DivideRest(_) | Point::IntoArmy(_) => legal.len() - 1,
            Point::WarTurn
            | Point::Attack(_)
            | Point::FirstDie(_)
            | Point::Roll
            | Point::EndRound
            | Point::Over(_) => 0, // nobody is asked here
        }
    }
}

/// The place of the number next to the wanted one.
fn nearest(legal: &[Action], wanted: u8) -> usize {
    best(legal, |action| match action {
        Action::Amount(amount) => -f64::from(amount.abs_diff(wanted)),
        _ => -1000.0,
    })
}
