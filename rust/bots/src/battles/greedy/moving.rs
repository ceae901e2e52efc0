//! Moves: where a piece goes, and which goes first (T3).

use sengoku_battles::Action;
use sengoku_battles::board::{HexId, HexSet};
use sengoku_battles::pieces::{Leader, LeaderId, Unit, UnitId};

use super::context::{DecisionContext, Fighter};
use super::exchange::Manner;
use super::orders::Mode;
use crate::{best, place_of};

/// Most steps of any move.
const MAX_STEPS: usize = 6;
/// Value of a second shot as a share of the first.
const SECOND_SHOT: f64 = 0.9;

/// The best use of an order by a piece, and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) to: HexId,
    pub(super) gain: f64,
}

impl DecisionContext<'_> {
    /// Hexes that a unit can reach, by steps.
    fn reach(&self, unit: UnitId, moves: u8) -> [HexSet; MAX_STEPS] {
        let state = self.state;
        let &Unit { hex, side, kind, .. } = state.unit(unit);
        let free = !(state.occupied() | state.scenario.impassable);
        let joins = |&hex: &HexId| {
            state.leader_at(hex).is_some_and(|leader| state.leader(leader).kind.may_lead(kind))
        };
        let lone = state.lone_hexes(side) - state.scenario.impassable;
        let joined: HexSet = if state.leader_of(unit).is_some() {
            HexSet::EMPTY
        } else {
            lone.into_iter().filter(joins).collect()
        };
        let enter = free | joined;
        let stops = state.stops() | lone;
        let mut rings = [HexSet::EMPTY; MAX_STEPS];
        rings[0] = hex.set();
        let (mut reached, mut front) = (hex.set(), hex.set());
        for ring in rings.iter_mut().skip(1).take(moves.into()) {
            let next = (front.neighbours() & enter) - reached;
            reached |= next;
            front = next - stops;
            *ring = next;
        }
        rings
    }

    /// The best that a unit could do with an order.
    pub(super) fn plan(&mut self, unit: UnitId, mode: &Mode) -> Plan {
        let &Unit { hex, kind, .. } = self.state.unit(unit);
        let stay = self.place_of(unit, hex);
        let mut found = Plan { to: hex, gain: f64::NEG_INFINITY };
        let (moves, _) = mode.moves[kind.index()];
        let moves = if kind.is_bodyguard() { 0 } else { moves };
        for (steps, ring) in self.reach(unit, moves).into_iter().enumerate() {
            for to in ring {
                let gain = self.worth_there(unit, to, steps as u8, mode) - stay;
                if gain > found.gain {
                    found = Plan { to, gain };
                }
            }
        }
        found
    }

    /// Value of a unit's move to a hex, with an attack from there if possible.
    fn worth_there(&mut self, unit: UnitId, to: HexId, steps: u8, mode: &Mode) -> f64 {
        let kind = self.state.unit(unit).kind;
        let (_, battles) = mode.moves[kind.index()];
        let may_battle = mode.barred >> kind.index() & 1 == 0
            && (steps == 0
                || steps <= battles && self.state.terrain(to).allows_battle_after_entry(kind.arm()));
        let attack = if may_battle { self.best_attack(unit, to, mode, steps > 0) } else { 0.0 };
        self.place_of(unit, to) + attack
    }

    /// The best attack of a unit from where it stands, or would stand; nothing if none is good.
    fn best_attack(&self, unit: UnitId, from: HexId, mode: &Mode, moved: bool) -> f64 {
        let (foes, kind) = (self.state.hexes_of(self.foe), self.state.unit(unit).kind);
        if from.neighbours().meets(foes) {
            return self.best_melee(&self.fighter_at(unit, from), mode);
        }
        if kind.is_missile() && (2..=kind.range()).any(|distance| from.ring(distance).meets(foes)) {
            return self.best_shot(&self.fighter_at(unit, from), mode, moved);
        }
        0.0
    }

    /// The best melee of a unit; nothing if none is good.
    pub(super) fn best_melee(&self, by: &Fighter, mode: &Mode) -> f64 {
        let beside = by.hex.neighbours() & self.state.hexes_of(self.foe);
        let (extra, _) = mode.extra[by.kind.index()];
        let manner = Manner { extra, flags: mode.flags, ..Manner::default() };
        beside.into_iter().map(|target| self.attack_on(by, target, manner)).fold(0.0, f64::max)
    }

    fn best_shot(&self, by: &Fighter, mode: &Mode, moved: bool) -> f64 {
        if !by.kind.is_missile() || mode.no_shots >> by.kind.index() & 1 == 1 {
            return 0.0;
        }
        let (_, extra) = mode.extra[by.kind.index()];
        let manner = Manner { ranged: true, moved, extra, flags: mode.flags };
        let mut found = 0.0_f64;
        for distance in 2..=by.kind.range() {
            for target in by.hex.ring(distance) & self.state.hexes_of(self.foe) {
                let worth = self.shot_at(by, target, manner);
                if worth > found && self.state.sees(by.hex, target) {
                    found = worth;
                }
            }
        }
        if mode.holds { found * (1.0 + SECOND_SHOT) } else { found }
    }

    fn shot_at(&self, by: &Fighter, target: HexId, manner: Manner) -> f64 {
        let guarded = |unit| self.state.unit(unit).kind.is_bodyguard();
        if self.state.unit_at(target).is_some_and(guarded) { 0.0 } else { self.attack_on(by, target, manner) }
    }

    /// Where a leader by himself would go.
    pub(super) fn leader_plan(&self, leader: LeaderId) -> Plan {
        let state = self.state;
        let &Leader { hex, kind, .. } = state.leader(leader);
        let ends = state.leader_ends(self.me, kind);
        let (worth, moves) = (self.leader(leader), kind.moves());
        let stay = self.leader_place(kind, worth, hex);
        let mut found = Plan { to: hex, gain: 0.0 };
        for distance in 1..=moves {
            for to in hex.ring(distance) & ends {
                let gain = self.leader_place(kind, worth, to) - stay;
                if gain > found.gain {
                    found = Plan { to, gain };
                }
            }
        }
        found
    }

    /// The piece whose move gains most (DP-08).
    pub(super) fn choose_mover(&mut self, legal: &[Action]) -> usize {
        let mode = Mode::of(self.state);
        best(legal, |action| match action {
            Action::Hex(hex) => {
                let plan = match (self.state.unit_at(hex), self.state.leader_at(hex)) {
                    (Some(unit), _) => Some(self.plan(unit, &mode)),
                    (None, leader) => leader.map(|leader| self.leader_plan(leader)),
                };
                plan.filter(|plan| plan.to != hex).map_or(-1.0, |plan| plan.gain)
            }
            Action::Pass => 1e-3,
            _ => -1.0,
        })
    }

    /// The best hex for the mover (DP-10).
    pub(super) fn choose_destination(&mut self, legal: &[Action]) -> usize {
        let mover = &self.state.mover;
        if let Some(unit) = mover.unit {
            let mode = Mode::of(self.state);
            let (moves, _) = mode.moves[self.state.unit(unit).kind.index()];
            let rings = self.reach(unit, moves);
            let steps = |to: HexId| {
                let steps = rings.iter().position(|ring| ring.contains(to));
                steps.map_or_else(|| mover.from.distance(to), |steps| steps as u8)
            };
            return best(legal, |action| match action {
                Action::Hex(to) => self.worth_there(unit, to, steps(to), &mode),
                _ => f64::NEG_INFINITY,
            });
        }
        let Some(leader) = mover.leader else { return 0 };
        let Plan { to, .. } = self.leader_plan(leader);
        place_of(legal, Action::Hex(to)).or_else(|| place_of(legal, Action::Hex(mover.from))).unwrap_or(0)
    }
}
