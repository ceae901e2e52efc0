//! The context of a decision: the state as the seat sees it, and what every part needs of it.

use sengoku_battles::State;
use sengoku_battles::board::{HexId, HexSet};
use sengoku_battles::combat_roll::Stand;
use sengoku_battles::data::{LeaderKind, Side, Terrain, UnitKind};
use sengoku_battles::pieces::{Unit, UnitId, UnitSet};

use super::board::{Board, Memory, Orders};
use super::chances::ALL_FLAGS;

/// One decision of one side.
pub(super) struct DecisionContext<'a> {
    /// The state as the seat sees it.
    pub(super) state: &'a State,
    /// Values of orders found earlier in the turn.
    pub(super) memory: &'a mut Orders,
    /// What follows from the pieces as they stand.
    pub(super) board: &'a mut Board,
    /// The side that decides.
    pub(super) me: Side,
    /// Its enemy.
    pub(super) foe: Side,
}

/// A unit in a hex, with what counts in a combat; the hex may be one it could go to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fighter {
    pub(super) side: Side,
    pub(super) kind: UnitKind,
    pub(super) blocks: u8,
    pub(super) hex: HexId,
    pub(super) terrain: Terrain,
    /// Value of its leader; nothing without one.
    pub(super) led: f64,
    /// Friends in the hexes next to it.
    pub(super) friends: u8,
    /// Flags it may ignore, by the arm that it is attacked by.
    pub(super) ignores: [u8; 3],
    /// Cost of a flag that it does not ignore.
    pub(super) flag: f64,
    /// Value of its hex under the scenario's victory conditions.
    pub(super) goal: f64,
}

/// Friends beside a unit that give it support (BT-MORALE-03).
const SUPPORT: u8 = 2;
/// A unit of each arm, to ask what may be ignored.
const ARMS: [UnitKind; 3] = [UnitKind::SamuraiSpear, UnitKind::SpearCavalry, UnitKind::Bodyguard];

impl<'a> DecisionContext<'a> {
    pub(super) fn new(state: &'a State, me: Side, memory: &'a mut Memory) -> Self {
        let Memory { board, orders } = memory;
        let mut context = Self { state, memory: orders, board, me, foe: me.other() };
        context.look();
        context
    }

    /// A unit as it stands.
    pub(super) fn fighter(&self, unit: UnitId) -> Fighter {
        let it = self.state.unit(unit);
        if it.side == self.foe && it.blocks > 0 {
            return self.board.foes[place_in(self.state.units_of(self.foe), unit)];
        }
        self.fighter_at(unit, it.hex)
    }

    /// A unit as it would stand in a hex, with its leader or the one it would join there.
    pub(super) fn fighter_at(&self, unit: UnitId, hex: HexId) -> Fighter {
        let state = self.state;
        let &Unit { hex: from, side, kind, blocks } = state.unit(unit);
        let leader = state.leader_at(from).or_else(|| state.leader_at(hex));
        let own = state.hexes_of(side).without(from);
        let free = !(state.occupied().without(from) | state.scenario.impassable);
        let friends = (hex.neighbours() & own).len() as u8;
        let stand =
            Stand { kind, terrain: state.terrain(hex), led: leader.is_some(), supported: friends >= SUPPORT };
        let ignores = if kind.is_bodyguard() { [ALL_FLAGS; 3] } else { ARMS.map(|by| stand.allowance(by)) };
        Fighter {
            side,
            kind,
            blocks,
            hex,
            terrain: stand.terrain,
            led: leader.map_or(0.0, |leader| self.leader(leader)),
            friends,
            ignores,
            flag: self.flag(side, &stand, !hex.behind(side).meets(free)),
            goal: self.goal(side, kind, hex),
        }
    }

    /// Whether a leader could inspire a unit in a hex: its own, or a mounted one or a commander beside it.
    pub(super) fn can_inspire(&self, fighter: &Fighter) -> bool {
        let state = self.state;
        let beside = |hex| {
            let leader = state.leader_at(hex).map(|leader| state.leader(leader).kind);
            matches!(leader, Some(LeaderKind::Mounted | LeaderKind::Commander))
        };
        let near: HexSet = fighter.hex.neighbours() & state.leader_hexes(fighter.side);
        fighter.terrain != Terrain::Buildings && (fighter.led > 0.0 || near.into_iter().any(beside))
    }
}

/// The place of a unit in a set, counted from the unit with the smallest number.
pub(super) const fn place_in(units: UnitSet, unit: UnitId) -> usize {
    (units.0 & ((1 << unit.0) - 1)).count_ones() as usize
}
