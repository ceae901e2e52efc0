//! A heuristic player: it gives everything a worth in banners and takes the decision that is worth most now.
//!
//! It plans nothing beyond the decision at hand. Decisions that belong together, such as a card, its orders, moves and
//! attacks, fit together because each of them is derived anew from the board by the same worths.

mod board;
mod chances;
mod commanding;
mod context;
mod dragons;
mod ending;
mod exchange;
mod fighting;
mod goals;
mod hand;
mod moving;
mod orders;
mod standing;
mod worth;
mod yielding;

use sengoku_battles::data::Side;
use sengoku_battles::play::Step;
use sengoku_battles::{Action, State};

use self::board::Memory;
use self::context::DecisionContext;
pub(super) use self::orders::prospects;
pub(super) use self::worth::{potential, reserve};
use crate::{Bot, Seen, place_of};

/// Takes the decision that looks best now.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    memory: Memory,
}

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
        let (Some(me), Some(&step)) = (Side::of_seat(seen.seat()), state.agenda.last()) else { return 0 };
        DecisionContext::new(&state, me, &mut self.memory).choose(step, legal)
    }
}

impl DecisionContext<'_> {
    fn choose(&mut self, step: Step, legal: &[Action]) -> usize {
        match step {
            Step::PlayCommand => self.choose_command(legal),
            Step::Window { .. } => self.choose_in_window(legal),
            Step::TacticalWisdom => self.choose_redirect(legal),
            Step::DragonTarget { card } => self.choose_dragon_target(card, legal),
            Step::NinjaThief => Self::choose_theft(legal),
            Step::PlayStolen { card } => self.play_stolen(card, legal),
            Step::Turncoat { .. } => place_of(legal, Action::Yes).unwrap_or(0),
            Step::Order => self.choose_order(legal),
            Step::Move => self.choose_mover(legal),
            Step::Destination => self.choose_destination(legal),
            Step::Battle => self.choose_battle(legal),
            Step::Target => self.choose_target(legal),
            Step::Charge => Self::join_charge(legal),
            Step::SecondShot | Step::BonusMelee => self.choose_next_target(legal),
            Step::Inspire { unit } => self.inspire(unit, legal),
            Step::BattleBack | Step::Struck => self.strike(legal),
            Step::TakeGround => self.take_ground(legal),
            Step::IgnoreFlags { flags } => self.ignore_flags(flags, legal),
            Step::Retreat { unit, hexes } => self.retreat(unit, hexes, legal),
            Step::LeaderFate { leader } => self.leader_fate(leader, legal),
            Step::LoseNearest { .. } | Step::LoseBlock { .. } => self.lose_block(legal),
            Step::DriveBack { .. } => self.drive_back(legal),
            Step::Advise | Step::KeepOne => Self::choose_card(legal),
            Step::Replenish => self.replenish(legal),
            Step::DiscardForHonor => self.discard(legal),
            Step::CarryLoss { .. } | Step::CarryBack { .. } => self.carry_over(legal),
            // Whichever unit or leader it is, little depends on it; the other steps ask nobody.
            _ => 0,
        }
    }
}
