//! Terrain and pieces on the board, of a match or of a battle before it begins.

use sengoku_battles::board::{ByHex, HEXES, HexId};
use sengoku_battles::data::{FULL_BLOCKS, LeaderKind, Side, Terrain, UnitKind};
use sengoku_battles::scenario::{Scenario, Special};
use sengoku_battles::state::State;

/// The board as it is drawn.
pub(super) struct Field<'a> {
    /// The battle.
    pub(super) scenario: &'a Scenario,
    /// The ground; a tent that was captured is gone.
    pub(super) terrain: ByHex<Terrain>,
    /// Pieces by hex.
    pub(super) stands: ByHex<Option<Stand<'a>>>,
}

/// A unit with or without leader, or a lone leader.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    /// Whose it is.
    pub(super) side: Side,
    /// The unit and its blocks.
    pub(super) unit: Option<(UnitKind, u8)>,
    /// The leader.
    pub(super) leader: Option<Shown<'a>>,
    /// Its order of this turn.
    pub(super) order: Order,
    /// Whether a scenario rule holds it back (BT-SCEN-16).
    pub(super) held: bool,
}

/// A leader as it is drawn.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Its kind.
    pub(super) kind: LeaderKind,
    /// Its name, where the battle gives one.
    pub(super) name: Option<&'a str>,
}

/// Whether a piece has an order this turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// None.
    None,
    /// It may still do something.
    Open,
    /// It has moved and battled, as far as it may.
    Done,
}

impl<'a> Field<'a> {
    /// The battle as it is deployed.
    pub(super) fn deployed(scenario: &'a Scenario) -> Self {
        let mut stands = ByHex([None; HEXES]);
        for piece in &scenario.pieces {
            let name = piece.name.map(|name| scenario.leader_names[usize::from(name)].as_str());
            let held = piece.unit.is_some()
                && scenario.special.iter().any(|rule| {
                    matches!(rule, Special::Held { side, hexes, .. } if *side == piece.side && hexes.contains(piece.hex))
                });
            stands[piece.hex] = Some(Stand {
                side: piece.side,
                unit: piece.unit.map(|kind| (kind, FULL_BLOCKS)),
                leader: piece.leader.map(|kind| Shown { kind, name }),
                order: Order::None,
                held,
            });
        }
        Self { scenario, terrain: scenario.terrain, stands }
    }

    /// A match as it stands.
    pub(super) fn of(state: &State) -> Field<'static> {
        let mut terrain = ByHex([Terrain::Open; HEXES]);
        let mut stands = ByHex([None; HEXES]);
        for hex in HexId::all() {
            terrain[hex] = state.terrain(hex);
            stands[hex] = stand(state, hex);
        }
        Field { scenario: state.scenario, terrain, stands }
    }

    /// Hexes with terrain of a kind.
    pub(super) fn has(&self, terrain: Terrain) -> bool {
        HexId::all().any(|hex| self.terrain[hex] == terrain)
    }

    /// Pieces on the board, in row-major order.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (HexId, &Stand<'a>)> {
        HexId::all().filter_map(|hex| Some((hex, self.stands[hex].as_ref()?)))
    }
}

fn stand(state: &State, hex: HexId) -> Option<Stand<'static>> {
    let (unit, leader) = (state.unit_at(hex), state.leader_at(hex));
    let side = match (unit, leader) {
        (Some(unit), _) => state.unit(unit).side,
        (None, Some(leader)) => state.leader(leader).side,
        (None, None) => return None,
    };
    let turn = &state.turn;
    let order = match (unit, leader) {
        (Some(unit), _) if turn.ordered.contains(unit) => {
            if turn.battled.contains(unit) || turn.barred.contains(unit) { Order::Done } else { Order::Open }
        }
        (_, Some(leader)) if turn.ordered_leaders.contains(leader) => {
            if turn.chosen_leaders.contains(leader) { Order::Done } else { Order::Open }
        }
        _ => Order::None,
    };
    Some(Stand {
        side,
        unit: unit.map(|unit| (state.unit(unit).kind, state.unit(unit).blocks)),
        leader: leader
            .map(|leader| Shown { kind: state.leader(leader).kind, name: state.leader_name(leader) }),
        order,
        held: unit.is_some_and(|unit| state.trackers.held.iter().any(|held| held.contains(unit))),
    })
}
