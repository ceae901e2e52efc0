//! Decisions about losses: flags, retreats, leaders left alone, blocks (DP-06, DP-20..23).

use sengoku_battles::Action;
use sengoku_battles::board::HexId;
use sengoku_battles::combat_roll::{lack_of_honor_dice, retreat_honor};
use sengoku_battles::data::{LEADER_RETREAT_HONOR, SEPPUKU_HONOR};
use sengoku_battles::pieces::{Leader, LeaderId, Unit, UnitId};

use super::chances::any_of;
use super::context::DecisionContext;
use super::worth::{DRAGON, STANDING, STRANDED, potential};
use crate::best;

impl DecisionContext<'_> {
    /// As many flags as is best: to stand and battle back, or to get away (DP-20).
    pub(super) fn ignore_flags(&self, flags: u8, legal: &[Action]) -> usize {
        let Some(unit) = self.state.combat.roll.against else { return 0 };
        best(legal, |action| match action {
            Action::Number(ignored) => {
                self.worth_of_giving_way(unit, flags - ignored) + 0.01 * f64::from(ignored)
            }
            _ => f64::NEG_INFINITY,
        })
    }

    fn worth_of_giving_way(&self, unit: UnitId, flags: u8) -> f64 {
        let state = self.state;
        let fighter = self.fighter(unit);
        if flags == 0 {
            let attackers = state.combat.roll.units;
            let by = attackers.first().map(|by| self.fighter(by));
            let back = by.map_or(0.0, |by| self.back_to_come(&by, &fighter));
            return self.place(&fighter) + back;
        }
        let hexes = flags * fighter.kind.row().hexes_per_flag;
        let ends = state.retreat_ends(unit, hexes);
        if ends.is_empty() || state.stand(unit).holds_a_castle() {
            let lost = if ends.is_empty() { hexes } else { flags };
            return self.place(&fighter) - self.blocks_lost(unit, lost);
        }
        ends.into_iter().map(|end| self.retreat_worth(unit, hexes, end)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Cost of losing blocks of a unit.
    fn blocks_lost(&self, unit: UnitId, lost: u8) -> f64 {
        let &Unit { side, kind, blocks, .. } = self.state.unit(unit);
        let left = blocks.saturating_sub(lost);
        let gone = if left > 0 {
            0.0
        } else {
            let stranded = if self.state.leader_of(unit).is_some() { STRANDED } else { 0.0 };
            self.board.banner[side.other()] + potential(kind) + stranded
        };
        STANDING[usize::from(blocks)] - STANDING[usize::from(left)] + gone
    }

    fn retreat_worth(&self, unit: UnitId, hexes: u8, end: HexId) -> f64 {
        let state = self.state;
        let &Unit { hex, kind, .. } = state.unit(unit);
        let moved = hex.distance(end);
        let led = state.leader_of(unit).is_some();
        let uncompleted =
            if state.leader_at(end).is_some() && !led { 0 } else { hexes.saturating_sub(moved) };
        let lost = if uncompleted > 0 { self.blocks_lost(unit, uncompleted) } else { 0.0 };
        self.place(&self.fighter_at(unit, end))
            - self.honor_lost(self.me, retreat_honor(kind, moved, led))
            - lost
    }

    /// Where it is best to stand afterwards (DP-21).
    pub(super) fn retreat(&self, unit: UnitId, hexes: u8, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Hex(end) => self.retreat_worth(unit, hexes, end),
            _ => f64::NEG_INFINITY,
        })
    }

    /// A leader flees while there is honor for it, and dies where fleeing costs more (DP-22).
    pub(super) fn leader_fate(&self, leader: LeaderId, legal: &[Action]) -> usize {
        let me = self.me;
        let honor = self.state.honor[me];
        let &Leader { kind, .. } = self.state.leader(leader);
        let worth = self.leader(leader);
        let unpaid = LEADER_RETREAT_HONOR.saturating_sub(honor);
        let risk = if unpaid > 0 { any_of(lack_of_honor_dice(unpaid)) * worth } else { 0.0 };
        let fleeing = self.honor_lost(me, LEADER_RETREAT_HONOR) + risk;
        let dying = STRANDED + self.command_card(me) + DRAGON - self.honor_refilled(me, SEPPUKU_HONOR);
        best(legal, |action| match action {
            Action::Hex(end) => self.leader_place(kind, worth, end) - fleeing,
            Action::Seppuku => -dying,
            _ => f64::NEG_INFINITY,
        })
    }

    /// The block that is missed least (DP-06, DP-23).
    pub(super) fn lose_block(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Hex(hex) => self.state.unit_at(hex).map_or(0.0, |unit| -self.blocks_lost(unit, 1)),
            _ => f64::NEG_INFINITY,
        })
    }

    /// The unit that is driven back at the least cost (DP-06).
    pub(super) fn drive_back(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Hex(hex) => self
                .state
                .unit_at(hex)
                .map_or(0.0, |unit| self.worth_of_giving_way(unit, 1) - self.place(&self.fighter(unit))),
            _ => f64::NEG_INFINITY,
        })
    }

    /// The enemy unit that is hurt most by what is carried over (DP-34).
    pub(super) fn carry_over(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Hex(hex) => {
                self.state.unit_at(hex).map_or(0.0, |unit| potential(self.state.unit(unit).kind))
            }
            _ => f64::NEG_INFINITY,
        })
    }
}
