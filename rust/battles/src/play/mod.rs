//! The order of play. Every file here is one part of a turn; this one says how they follow each other.
//!
//! `state.agenda` is a stack of [`Step`]s. [`State::run`] takes the top one and carries it out; a step changes the state
//! and pushes what follows from it, so a thing inside a thing (a retreat inside a melee inside a bonus melee) is a push. A
//! step that asks somebody stays on top until it is answered. A question without an answer falls away; one whose single
//! answer follows from public facts is answered at once; questions about a hidden hand are asked whenever public facts
//! open them (BT-DRAGON-USE-10).

use sengoku_kernel::OnlyAction;

use crate::action::{Action, ActionSink};
use crate::data::Side;
use crate::event::{Context, Loss};
use crate::state::State;

pub mod battle;
pub mod battle_back;
pub mod campaign;
pub mod card_windows;
pub mod challenge;
pub mod combat_cards;
pub mod command;
pub mod dice;
pub mod dragon;
pub mod end_of_turn;
pub mod first_strike;
pub mod hands;
pub mod inspire;
pub mod lack_of_honor;
pub mod leader_fate;
pub mod levy_charge;
pub mod melee;
pub mod momentum;
pub mod morale;
pub mod movement;
pub mod objectives;
pub mod orders;
pub mod pieces_on_board;
pub mod ranged;
pub mod retreat;
pub mod roll;
mod step;
#[cfg(test)]
mod test_field;
pub mod tokens;
pub mod turn;

pub use step::Step;

impl State {
    /// Puts a step on the agenda; the last one put there comes first.
    pub(crate) fn push(&mut self, step: Step) {
        self.agenda.push(step);
    }

    /// Goes on until a decision is due or the match is over.
    pub(crate) fn run(&mut self, context: &mut impl Context) {
        loop {
            if self.decided.is_some() && !self.next_battle(context) {
                return;
            }
            let Some(&step) = self.agenda.last() else {
                debug_assert!(false, "nothing to do");
                return;
            };
            if self.decider(step).is_none() {
                self.agenda.pop();
                self.carry_out(step, context);
            } else if step.is_about_a_hand() {
                if self.is_asked(step) {
                    return;
                }
                self.agenda.pop();
            } else {
                let mut only = OnlyAction::default();
                self.list(step, &mut only);
                match only.get() {
                    Some(action) => self.apply(action, context),
                    None if only.is_empty() => drop(self.agenda.pop()),
                    None => return,
                }
            }
        }
    }

    /// Whether a question about a hidden hand is asked, as everybody sees.
    fn is_asked(&self, step: Step) -> bool {
        match step {
            Step::Window { window, side } => self.is_open(window, side),
            Step::DiscardForHonor => self.may_discard_for_honor(),
            _ => true,
        }
    }

    /// The side that decides a step, if the step is a decision.
    pub fn decider(&self, step: Step) -> Option<Side> {
        match step {
            Step::CarryLoss { side, .. }
            | Step::CarryBack { side }
            | Step::CarryBackTo { side, .. }
            | Step::Window { side, .. }
            | Step::DriveBack { side, .. }
            | Step::LoseNearest { side, .. }
            | Step::LoseBlock { side, .. }
            | Step::CardUnit { side, .. } => Some(side),
            Step::PlayCommand
            | Step::TacticalWisdom
            | Step::DragonTarget { .. }
            | Step::Turncoat { .. }
            | Step::NinjaThief
            | Step::PlayStolen { .. }
            | Step::Order
            | Step::Move
            | Step::Destination
            | Step::Battle
            | Step::Target
            | Step::Charge
            | Step::Duellist { .. }
            | Step::TakeGround
            | Step::BonusMelee
            | Step::SecondShot
            | Step::Advise
            | Step::KeepOne
            | Step::Replenish
            | Step::DiscardForHonor => Some(self.active),
            Step::Struck | Step::BattleBack => Some(self.active.other()),
            Step::Inspire { .. } => Some(self.combat.roll.side),
            Step::IgnoreFlags { .. } => Some(self.combat.roll.side.other()),
            Step::Retreat { unit, .. } => Some(self.unit(unit).side),
            Step::LeaderFate { leader } => Some(self.leader(leader).side),
            Step::CarryDice { .. }
            | Step::CarryOver { .. }
            | Step::Deal
            | Step::BeginTurn
            | Step::ResolveDragon
            | Step::FamineHonor { .. }
            | Step::RedDragon { .. }
            | Step::BeginOrders
            | Step::Arrive
            | Step::Shoot
            | Step::Melee
            | Step::Attack
            | Step::RollDice
            | Step::Results
            | Step::GiveWay { .. }
            | Step::Settled { .. }
            | Step::NearestLosses { .. }
            | Step::ChosenLosses { .. }
            | Step::AfterAttack
            | Step::Ground
            | Step::EndCombat
            | Step::EndTurn
            | Step::CleanUp
            | Step::Draw
            | Step::DrawMore
            | Step::PassTurn => None,
        }
    }

    /// Carries out a step that asks nobody.
    fn carry_out(&mut self, step: Step, context: &mut impl Context) {
        match step {
            Step::CarryDice { side } => self.carry_dice(side, context),
            Step::CarryOver { side, plain, swords, flags, honor } => {
                self.carry_over(side, [plain, swords, flags, honor]);
            }
            Step::Deal => self.deal(context),
            Step::BeginTurn => self.begin_turn(context),
            Step::ResolveDragon => self.resolve_dragon(context),
            Step::FamineHonor { honor } => self.famine_honor(honor, context),
            Step::RedDragon { circle, triangle, square } => self.red_dragon([circle, triangle, square]),
            Step::BeginOrders => self.begin_orders(context),
            Step::Arrive => self.arrive(context),
            Step::Shoot => self.shoot(context),
            Step::Melee => self.melee(context),
            Step::Attack => self.attack(),
            Step::RollDice => self.roll_dice(context),
            Step::Results => self.results(context),
            Step::GiveWay { unit, flags } => self.give_way(unit, flags, context),
            Step::Settled { unit } => self.settled(unit, context),
            Step::NearestLosses { side, from, circle, triangle, square } => {
                self.nearest_losses(side, from, [circle, triangle, square]);
            }
            Step::ChosenLosses { side, circle, triangle, square } => {
                self.chosen_losses(side, [circle, triangle, square]);
            }
            Step::AfterAttack => self.after_attack(),
            Step::Ground => self.ground(context),
            Step::EndCombat => self.end_combat(),
            Step::EndTurn => self.end_turn(context),
            Step::CleanUp => self.clean_up(context),
            Step::Draw => self.draw(context),
            Step::DrawMore => self.draw_more(context),
            Step::PassTurn => self.pass_turn(),
            question => debug_assert!(false, "{question:?} is a question"),
        }
    }

    /// Lists the legal actions in table order.
    pub(crate) fn legal(&self, out: &mut Vec<Action>) {
        if self.decided.is_none()
            && let Some(&step) = self.agenda.last()
        {
            self.list(step, out);
        }
    }

    fn list(&self, step: Step, out: &mut impl ActionSink) {
        match step {
            Step::CarryLoss { side, swords } => out.add_hexes(self.carry_losses(side, swords)),
            Step::CarryBack { side } => out.add_hexes(self.carry_backs(side)),
            Step::CarryBackTo { unit, .. } => out.add_hexes(self.rear_hexes(unit)),
            Step::PlayCommand => self.legal_commands(out),
            Step::Window { window, side } => self.legal_in_window(window, side, out),
            Step::TacticalWisdom => self.legal_redirects(out),
            Step::DragonTarget { card } => out.add_hexes(self.dragon_targets(card)),
            Step::Inspire { .. } => self.legal_inspire(out),
            Step::Turncoat { .. } | Step::PlayStolen { .. } => {
                out.add(Action::Pass);
                out.add(Action::Yes);
            }
            Step::NinjaThief => self.legal_thefts(out),
            Step::DriveBack { side, symbol } | Step::LoseBlock { side, symbol } => {
                out.add_hexes(self.hexes_with(side, symbol));
            }
            Step::Order => self.legal_orders(out),
            Step::Move => self.legal_movers(out),
            Step::Destination => self.legal_destinations(out),
            Step::Battle => self.legal_battles(out),
            Step::Target => self.legal_targets(out),
            Step::Charge => self.legal_charge(out),
            Step::Duellist { .. } => self.legal_duellists(out),
            Step::Struck => self.legal_struck(out),
            Step::CardUnit { card, .. } => self.legal_card_units(card, out),
            Step::IgnoreFlags { flags } => self.legal_ignored(flags, out),
            Step::Retreat { unit, hexes } => self.legal_retreats(unit, hexes, out),
            Step::LeaderFate { leader } => self.legal_fates(leader, out),
            Step::LoseNearest { side, symbol, from } => out.add_hexes(self.nearest(side, symbol, from)),
            Step::TakeGround => self.legal_ground(out),
            Step::BonusMelee => self.legal_bonus(out),
            Step::BattleBack => self.legal_battle_back(out),
            Step::SecondShot => self.legal_second_shot(out),
            Step::Advise => self.legal_advice(out),
            Step::KeepOne => self.legal_keeps(out),
            Step::Replenish => self.legal_replenish(out),
            Step::DiscardForHonor => self.legal_discards(out),
            _ => {}
        }
    }

    /// Carries a legal action out, without what follows from it by itself.
    pub(crate) fn apply(&mut self, action: Action, context: &mut impl Context) {
        let Some(step) = self.agenda.pop() else { return };
        match step {
            Step::CarryLoss { .. } => self.carry_loss(action, context),
            Step::CarryBack { side } => self.carry_back(side, action),
            Step::CarryBackTo { unit, .. } => self.carry_back_to(unit, action, context),
            Step::PlayCommand => self.play_command(action, context),
            Step::Window { window, side } => self.play_in_window(window, side, action, context),
            Step::TacticalWisdom => self.play_redirect(action, context),
            Step::DragonTarget { card } => self.play_dragon_target(card, action, context),
            Step::Turncoat { unit } => self.play_turncoat(unit, action, context),
            Step::NinjaThief => self.play_theft(action, context),
            Step::PlayStolen { card } => self.play_stolen(card, action, context),
            Step::DriveBack { .. } => self.drive_back(action),
            Step::Order => self.play_order(action, context),
            Step::Move => self.play_mover(action),
            Step::Destination => self.play_destination(action, context),
            Step::Battle => self.play_battle(action),
            Step::Target => self.play_target(action),
            Step::Charge => self.play_charge(action),
            Step::Duellist { challenger } => self.play_duellist(challenger, action, context),
            Step::Struck => self.play_struck(action),
            Step::Inspire { unit } => self.play_inspire(unit, action, context),
            Step::CardUnit { card, side } => self.play_card_unit(card, side, action, context),
            Step::IgnoreFlags { flags } => self.play_ignored(flags, action, context),
            Step::Retreat { unit, hexes } => self.play_retreat(unit, hexes, action, context),
            Step::LeaderFate { leader } => self.play_fate(leader, action, context),
            Step::LoseNearest { .. } => self.play_loss(action, Loss::LackOfHonor, context),
            Step::LoseBlock { .. } => self.play_loss(action, Loss::DragonCard, context),
            Step::TakeGround => self.play_ground(action),
            Step::BonusMelee => self.play_bonus(action),
            Step::BattleBack => self.play_battle_back(action),
            Step::SecondShot => self.play_second_shot(action),
            Step::Advise => self.play_advice(action, context),
            Step::KeepOne => self.play_keep(action, context),
            Step::Replenish => self.play_replenish(action, context),
            Step::DiscardForHonor => self.play_discard(action, context),
            step => debug_assert!(false, "{step:?} is no question"),
        }
    }
}
