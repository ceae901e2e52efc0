//! Battles: attackers, targets and follow-up decisions (T4).

use sengoku_battles::Action;
use sengoku_battles::board::HexId;
use sengoku_battles::data::UnitKind;
use sengoku_battles::pieces::UnitId;
use sengoku_battles::state::FlagRule;

use super::context::{DecisionContext, Fighter};
use super::exchange::Manner;
use super::orders::Mode;
use crate::{best, place_of};

/// Shots come first: they risk nothing, and what they hit is easier to beat.
const SHOTS_FIRST: f64 = 10.0;

impl DecisionContext<'_> {
    /// The unit with the best attack; shots before melees (DP-12).
    pub(super) fn choose_battle(&self, legal: &[Action]) -> usize {
        let mode = Mode::of(self.state);
        best(legal, |action| match action {
            Action::Hex(hex) => self.state.unit_at(hex).map_or(-1.0, |unit| {
                let targets = self.state.targets(unit).into_iter();
                let worth = |target| self.battle_worth(unit, target, &mode) + comes_first(hex, target);
                targets.map(worth).fold(-1.0, f64::max)
            }),
            Action::Pass => 0.0,
            _ => -1.0,
        })
    }

    /// The best target (DP-12).
    pub(super) fn choose_target(&self, legal: &[Action]) -> usize {
        let mode = Mode::of(self.state);
        let attacker = self.state.combat.attacker;
        best(legal, |action| match action {
            Action::Hex(target) => self.battle_worth(attacker, target, &mode),
            _ => f64::NEG_INFINITY,
        })
    }

    /// The best target of a second shot or a bonus melee, if one is worth it (DP-27, DP-29).
    pub(super) fn choose_next_target(&self, legal: &[Action]) -> usize {
        let mode = Mode::of(self.state);
        let attacker = self.state.combat.attacker;
        best(legal, |action| match action {
            Action::Hex(target) => self.battle_worth(attacker, target, &mode),
            Action::Pass => 0.0,
            _ => f64::NEG_INFINITY,
        })
    }

    /// Value of an attack by a unit on the piece in a hex, now.
    fn battle_worth(&self, unit: UnitId, target: HexId, mode: &Mode) -> f64 {
        let by = self.fighter(unit);
        let ranged = !by.hex.is_next_to(target);
        let (in_melee, from_afar) = mode.extra[by.kind.index()];
        let moved = self.state.turn.moved.contains(unit);
        let extra = if ranged { from_afar } else { in_melee + self.charging(unit, target) };
        let manner = Manner { ranged, moved, extra, flags: mode.flags };
        let worth = self.attack_on(&by, target, manner);
        if ranged || self.state.honor[self.me] == 0 || !self.can_inspire(&by) {
            return worth;
        }
        let inspired = self.attack_on(&by, target, Manner { extra: extra + 1, ..manner });
        worth.max(inspired - self.honor_lost(self.me, 1))
    }

    /// Dice of other levies that could charge with a unit.
    fn charging(&self, unit: UnitId, target: HexId) -> u8 {
        let state = self.state;
        if state.unit(unit).kind != UnitKind::Levy || state.unit_at(target).is_none() {
            return 0;
        }
        let ready = state.turn.ordered - state.turn.barred - state.turn.battled;
        let joins = |&other: &UnitId| {
            let other_unit = state.unit(other);
            other != unit && other_unit.kind == UnitKind::Levy && other_unit.hex.is_next_to(target)
        };
        2 * ready.filter(joins).count() as u8
    }

    /// All levies charge together: the enemy battles back against one of them only (DP-12).
    pub(super) fn join_charge(legal: &[Action]) -> usize {
        legal.iter().position(|action| matches!(action, Action::Hex(_))).unwrap_or(0)
    }

    /// Whether one more die is worth a token of honor (DP-15).
    pub(super) fn inspire(&self, unit: UnitId, legal: &[Action]) -> usize {
        let state = self.state;
        let dice = state.combat_dice();
        let (more, less) = match state.combat.roll.against {
            Some(against) => {
                let (by, against) = (self.fighter(unit), self.fighter(against));
                let ignores = against.ignores(by.kind, self.flag_rule());
                let worth = |dice| {
                    let hit = self.roll(&by, &against, dice, false, ignores);
                    hit.worth - hit.hold * self.back_to_come(&by, &against)
                };
                (worth(dice + 1), worth(dice))
            }
            None => match state.combat.lone {
                Some(leader) => (self.hunt_with(dice + 1, leader), self.hunt_with(dice, leader)),
                None => (0.0, 0.0),
            },
        };
        let wanted = if more - less > self.honor_lost(self.me, 1) { Action::Yes } else { Action::Pass };
        place_of(legal, wanted).unwrap_or(0)
    }

    /// Effects of the turn's cards on flags of the roll under way.
    pub(super) fn flag_rule(&self) -> FlagRule {
        let state = self.state;
        if state.combat.roll.side == state.active { state.turn.effects.flags } else { FlagRule::Usual }
    }

    /// Value of a battle back that may follow the roll under way.
    pub(super) fn back_to_come(&self, by: &Fighter, against: &Fighter) -> f64 {
        let combat = &self.state.combat;
        let attack = combat.roll.side == self.state.active && !combat.ranged;
        if attack && !combat.struck_first { self.back(against, by) } else { 0.0 }
    }

    /// A battle back costs nothing: against the attacker it hurts most (DP-28). The same for a first strike (DP-14).
    pub(super) fn strike(&self, legal: &[Action]) -> usize {
        let Some(defender) = self.state.combat.defender else { return 0 };
        let by = self.fighter(defender);
        best(legal, |action| match action {
            Action::Hex(hex) => {
                self.state.unit_at(hex).map_or(0.0, |unit| self.back(&by, &self.fighter(unit)))
            }
            _ => -1.0,
        })
    }

    /// Whether ground is taken, and by which piece (DP-25).
    pub(super) fn take_ground(&self, legal: &[Action]) -> usize {
        let target = self.state.combat.target;
        best(legal, |action| match action {
            Action::Hex(hex) => {
                self.state.unit_at(hex).map_or(-1.0, |unit| self.ground_worth(unit, target, false))
            }
            Action::Pass => 0.0,
            _ => -1.0,
        })
    }

    /// Value of a unit's advance into a hex that it has fought free.
    pub(super) fn ground_worth(&self, unit: UnitId, target: HexId, legendary: bool) -> f64 {
        let there = self.fighter_at(unit, target);
        let combat = &self.state.combat;
        let eager = (there.kind.is_cavalry() || there.led > 0.0) && !combat.bonus;
        let goes_on = (eager || legendary || combat.legendary)
            && there.terrain.allows_battle_after_entry(there.kind.arm());
        let melee = if goes_on { self.best_melee(&there, &Mode::of(self.state)) } else { 0.0 };
        self.place(&there) - self.place(&self.fighter(unit)) + melee
    }
}

fn comes_first(hex: HexId, target: HexId) -> f64 {
    if hex.is_next_to(target) { 0.0 } else { SHOTS_FIRST }
}
