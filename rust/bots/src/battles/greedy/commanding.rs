//! Choice of the command card and of the pieces that get its orders (T1, T2).

use sengoku_battles::board::{HexId, HexSet};
use sengoku_battles::data::{CommandCard, Flank};
use sengoku_battles::play::Step;
use sengoku_battles::scenario::{Special, Victory};
use sengoku_battles::{Action, State};
use sengoku_kernel::Game;

use super::context::DecisionContext;
use super::hand::command_card_worth;
use super::orders::Gains;
use super::worth::DRAGON;
use crate::best;

/// Least gain of an order.
const LEAST: f64 = 0.01;
/// The choice between two cards.
const CHOICE: f64 = 0.05;
/// Slots that the dice of Shogun give on average, for C, T, S and any, by command cards.
const SHOGUN: [[u8; 4]; 7] =
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]];
/// Hexes that Leadership orders besides the leader's, and units of Infantry Assault.
const LEADERSHIP: u32 = 5;
const ASSAULT: u32 = 4;

impl DecisionContext<'_> {
    /// The card whose orders gain most, less what it would be worth later (DP-01).
    pub(super) fn choose_command(&mut self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Command(card) => self.command_worth(card),
            _ => f64::NEG_INFINITY,
        })
    }

    fn command_worth(&mut self, card: CommandCard) -> f64 {
        let trial = self.with_command(card);
        self.give_orders(trial) - command_card_worth(card) + self.card_extras(&trial)
    }

    /// The state with a card of the hand on the table, as if nobody answered.
    fn with_command(&self, card: CommandCard) -> State {
        let mut trial = *self.state;
        let hand = &mut trial.command.hands[self.me];
        if let Some(place) = hand.iter().position(|&held| held == card) {
            hand.remove(place);
        }
        trial.turn.command = Some(card);
        trial.turn.effective = self.state.read_command(card);
        self.prepare(&mut trial);
        trial
    }

    /// Results of the rules before orders are given, with average dice.
    pub(super) fn prepare(&self, trial: &mut State) {
        trial.turn.effects.fallback =
            trial.turn.effective.is_some_and(|effective| trial.falls_back(effective.card));
        if trial.turn.effective.is_some_and(|effective| effective.card == CommandCard::Shogun) {
            let command = usize::from(trial.command_of(self.me));
            trial.turn.shogun = SHOGUN[command.min(SHOGUN.len() - 1)];
        }
    }

    /// Value of a card besides its orders.
    fn card_extras(&self, trial: &State) -> f64 {
        let Some(effective) = trial.turn.effective else { return 0.0 };
        let mut worth = 0.0;
        if effective.card == CommandCard::Shogun {
            worth += self.board.token[self.me] * (f64::from(trial.command_of(self.me)) / 6.0);
        }
        if effective.card.is_order_one() {
            worth += DRAGON + CHOICE;
            for victory in &self.state.scenario.victory {
                if let Victory::OrderOne { side, banners } = *victory
                    && side == self.me
                    && self.state.banner_count(side) + banners < self.state.scenario.banners_to_win[side]
                {
                    worth += self.banners(side, banners);
                }
            }
            worth += self.released(&effective.slots.0);
        }
        worth
    }

    /// Value of releasing a unit that waits for this card (BT-SCEN-16).
    fn released(&self, slots: &[u8; Flank::COUNT]) -> f64 {
        let rules = self.state.scenario.special.iter().filter_map(|special| match *special {
            Special::Held { side, card, .. } => Some((side, card)),
            _ => None,
        });
        let waiting = rules.zip(&self.state.trackers.held).any(|((side, card), held)| {
            let same = |flank: Flank| slots[flank.index()] > 0 && card.slots().0[flank.index()] > 0;
            side == self.me && !held.is_empty() && Flank::ALL.into_iter().any(same)
        });
        if waiting { 0.4 } else { 0.0 }
    }

    /// Assigns orders in a state with a command card, each to the piece that gains most by it; returns the total gain.
    pub(super) fn give_orders(&mut self, mut trial: State) -> f64 {
        let gains = self.gains(&trial);
        let mut legal = std::mem::take(&mut self.memory.legal);
        trial.agenda.push(Step::Order);
        let mut worth = 0.0;
        loop {
            trial.legal_actions(&mut legal);
            let Action::Hex(hex) = legal[best_order(&trial, &gains, &legal)] else { break };
            worth += gains[hex];
            match (trial.unit_at(hex), trial.leader_at(hex)) {
                (Some(unit), _) => trial.turn.ordered.insert(unit),
                (None, Some(leader)) => trial.turn.ordered_leaders.insert(leader),
                (None, None) => break,
            }
            if leads(&trial) && trial.leader_at(hex).is_none() {
                break; // the one unit of choice
            }
        }
        self.memory.legal = legal;
        worth
    }

    /// The piece that gains most by an order (DP-07).
    pub(super) fn choose_order(&mut self, legal: &[Action]) -> usize {
        let gains = self.gains(self.state);
        best_order(self.state, &gains, legal)
    }
}

/// The place of the piece that gains most by an order; of a group that has to be connected, the one it begins with.
fn best_order(state: &State, gains: &Gains, legal: &[Action]) -> usize {
    let first = state.turn.ordered.is_empty() && state.turn.ordered_leaders.is_empty();
    let most = match state.effective_card() {
        Some(CommandCard::Leadership) => LEADERSHIP,
        Some(CommandCard::InfantryAssault) => ASSAULT,
        Some(CommandCard::SnakeCommand) => u32::MAX,
        _ => 1,
    };
    let grouped = first && most > 1;
    let pool: HexSet = legal.iter().filter_map(|&action| hex_of(action)).collect();
    let needs_leader = leads(state);
    best(legal, |action| match action {
        Action::Hex(hex) if grouped => {
            let most = if needs_leader && state.leader_at(hex).is_none() { 1 } else { most };
            grow(hex.set(), pool, most, gains)
        }
        Action::Hex(hex) => gains[hex],
        Action::Pass => LEAST,
        _ => f64::NEG_INFINITY,
    })
}

/// Whether the card of the turn is Leadership.
fn leads(state: &State) -> bool {
    state.effective_card() == Some(CommandCard::Leadership)
}

fn hex_of(action: Action) -> Option<HexId> {
    if let Action::Hex(hex) = action { Some(hex) } else { None }
}

/// Value of a connected group that starts at a piece and adds every neighbour that gains.
fn grow(mut group: HexSet, pool: HexSet, most: u32, gain: &Gains) -> f64 {
    let mut worth: f64 = group.into_iter().map(|hex| gain[hex]).sum();
    while group.len() < most {
        let next = (group.neighbours() & pool) - group;
        let better = |a: &_, b: &_| gain[*a].total_cmp(&gain[*b]);
        let Some(hex) = next.into_iter().max_by(better).filter(|&hex| gain[hex] > LEAST) else { break };
        worth += gain[hex];
        group.insert(hex);
    }
    worth
}

/// Cards that come later in the turn.
impl DecisionContext<'_> {
    /// The card to keep or take, by what it is worth in the hand (DP-30, DP-31).
    pub(super) fn choose_card(legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Command(card) => command_card_worth(card),
            _ => f64::NEG_INFINITY,
        })
    }
}
