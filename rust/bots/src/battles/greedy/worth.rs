//! Values of things, in banners.

use sengoku_battles::State;
use sengoku_battles::data::{Side, UnitKind};
use sengoku_battles::pieces::LeaderId;

use super::context::DecisionContext;

/// The blocks of a unit, none to four, besides the banner for the last one.
pub(super) const STANDING: [f64; 5] = [0.0, 0.35, 0.6, 0.8, 0.95];
/// The next banner of a side, by how many it still needs; the last one is the battle.
const BANNER: [f64; 7] = [6.0, 6.0, 1.8, 1.4, 1.25, 1.15, 1.1];
/// Future value of a unit, by kind; the last of a bodyguard opens the tent.
const POTENTIAL: [f64; UnitKind::COUNT] = [0.5, 0.5, 0.3, 0.25, 0.35, 0.15, 0.55, 0.55, 1.2];
/// Value of a leader to his units.
const LEADER: f64 = 0.35;
/// A leader that has to flee or die.
pub(super) const STRANDED: f64 = 0.4;
/// A reserve of honor, none to ten tokens; what is more is worth little.
const RESERVE: [f64; 11] = [-1.3, -0.85, -0.55, -0.3, -0.12, 0.0, 0.1, 0.18, 0.24, 0.29, 0.33];
/// A token of honor beyond these.
const PLENTY: f64 = 0.03;
/// Honor that cannot be paid: the dice for it, and each token more.
const LACKING: (f64, f64) = (0.9, 0.25);
/// A command card, by how many are left; with one left the battle is lost.
const COMMAND: [f64; 7] = [6.0, 6.0, 4.0, 0.9, 0.6, 0.45, 0.35];
/// A dragon card in the hand.
pub(super) const DRAGON: f64 = 0.16;

/// Value of a reserve of honor.
pub(in crate::battles) fn reserve(honor: u8) -> f64 {
    let place = usize::from(honor);
    let most = RESERVE.len() - 1;
    if place <= most { RESERVE[place] } else { RESERVE[most] + PLENTY * (place - most) as f64 }
}

/// Loss of a unit besides its blocks and the banner.
pub(in crate::battles) const fn potential(kind: UnitKind) -> f64 {
    POTENTIAL[kind.index()]
}

/// The next banner of a side.
pub(super) fn banner(state: &State, side: Side) -> f64 {
    let needed = state.scenario.banners_to_win[side].saturating_sub(state.banner_count(side));
    BANNER[usize::from(needed).min(BANNER.len() - 1)]
}

/// One more token of honor of a side.
pub(super) fn token(state: &State, side: Side) -> f64 {
    reserve(state.honor[side] + 1) - reserve(state.honor[side])
}

impl DecisionContext<'_> {
    /// So many banners for a side.
    pub(super) fn banners(&self, side: Side, count: u8) -> f64 {
        let needed = self.state.scenario.banners_to_win[side].saturating_sub(self.state.banner_count(side));
        if count >= needed { BANNER[0] } else { self.board.banner[side] * f64::from(count) }
    }

    /// Cost of losing honor, for a side.
    pub(super) fn honor_lost(&self, side: Side, amount: u8) -> f64 {
        let honor = self.state.honor[side];
        let paid = reserve(honor) - reserve(honor.saturating_sub(amount));
        if amount > honor { paid + LACKING.0 + LACKING.1 * f64::from(amount - honor) } else { paid }
    }

    /// Value of a number of tokens to a side.
    pub(super) fn honor_refilled(&self, side: Side, amount: u8) -> f64 {
        let honor = self.state.honor[side];
        reserve(honor + amount) - reserve(honor)
    }

    /// Cost of losing a leader to the enemy, for a side.
    pub(super) fn leader(&self, leader: LeaderId) -> f64 {
        let enemy = self.state.leader(leader).side.other();
        self.banners(enemy, self.state.leader_value(leader)) + LEADER
    }

    /// Cost of losing a command card, for a side.
    pub(super) fn command_card(&self, side: Side) -> f64 {
        let drawn = u8::from(side == self.state.active);
        let left = self.state.command.hands[side].len() as u8 + drawn;
        COMMAND[usize::from(left).min(COMMAND.len() - 1)]
    }
}
