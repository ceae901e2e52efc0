//! What follows from the pieces as they stand, kept as long as they do: results change no answer, only how fast it comes.

use sengoku_battles::board::{ByHex, HEXES, HexId, HexSet};
use sengoku_battles::data::{BySide, MAX_LEADERS, MAX_UNITS, Side, UnitKind};
use sengoku_battles::pieces::{Leader, Unit, UnitId};
use sengoku_battles::scenario::Scenario;
use sengoku_battles::state::Trackers;
use sengoku_battles::{Action, State};
use sengoku_kernel::List;

use super::context::{DecisionContext, Fighter, place_in};
use super::goals::{Goals, spread};
use super::orders::{Gains, Mode};
use super::worth::{banner, token};

/// Everything that is kept from one decision to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) board: Box<Board>,
    pub(super) orders: Orders,
}

/// Values of orders for the pieces as they stood.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders {
    pub(super) pieces: Option<Box<Pieces>>,
    pub(super) gains: Vec<(Mode, Box<Gains>)>,
    /// Room for a list of actions.
    pub(super) legal: Vec<Action>,
}

/// Everything that gains depend on besides the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    me: Side,
    units: List<Unit, MAX_UNITS>,
    leaders: List<Leader, { 2 * MAX_LEADERS }>,
    tents: BySide<bool>,
    honor: BySide<u8>,
    banners: BySide<u8>,
    trackers: Trackers,
}

impl Pieces {
    pub(super) const fn of(state: &State, me: Side) -> Self {
        let &State { units, leaders, tents, honor, banners, trackers, .. } = state;
        Self { me, units, leaders, tents, honor, banners, trackers }
    }
}

/// Everything that a board depends on.
#[derive(Clone, Copy, Debug)]
struct Position {
    scenario: &'static Scenario,
    pieces: Pieces,
    active: Side,
    /// Command cards in the hands.
    cards: BySide<usize>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.scenario, other.scenario)
            && (self.active, self.cards) == (other.active, other.cards)
            && self.pieces == other.pieces
    }
}

/// What follows from the pieces.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The pieces it is of.
    of: Option<Position>,
    /// Value of the next banner of each side.
    pub(super) banner: BySide<f64>,
    /// Value of one more token of honor to each side.
    pub(super) token: BySide<f64>,
    /// Values of hexes under the scenario's victory conditions.
    pub(super) goals: Goals,
    /// The enemy's units as they stand, by number.
    pub(super) foes: List<Fighter, MAX_UNITS>,
    /// Steps from each hex to the nearest enemy unit, over passable ground.
    pub(super) front: ByHex<u8>,
    /// Values of places for the own units, by number.
    places: Vec<Places>,
}

/// Values of hexes for a unit, as far as they were asked for.
#[derive(Clone, Debug)]
struct Places {
    known: HexSet,
    worth: ByHex<f64>,
}

impl Default for Board {
    fn default() -> Self {
        let nothing = BySide([0.0; 2]);
        Self {
            of: None,
            banner: nothing,
            token: nothing,
            goals: Goals::default(),
            foes: List::default(),
            front: ByHex([0; HEXES]),
            places: Vec::new(),
        }
    }
}

impl DecisionContext<'_> {
    /// Makes the board that of the state.
    pub(super) fn look(&mut self) {
        let state = self.state;
        let position = Position {
            scenario: state.scenario,
            pieces: Pieces::of(state, self.me),
            active: state.active,
            cards: BySide(Side::ALL.map(|side| state.command.hands[side].len())),
        };
        if self.board.of.as_ref() == Some(&position) {
            return;
        }
        let board = &mut *self.board;
        board.of = Some(position);
        board.banner = BySide(Side::ALL.map(|side| banner(state, side)));
        board.token = BySide(Side::ALL.map(|side| token(state, side)));
        board.goals = Goals::default();
        board.front = spread(state.unit_hexes(self.foe), !state.scenario.impassable);
        board.places.resize_with(state.units_of(self.me).len(), || Places {
            known: HexSet::EMPTY,
            worth: ByHex([0.0; HEXES]),
        });
        for places in &mut board.places {
            places.known = HexSet::EMPTY;
        }
        self.set_goals();
        self.board.foes.clear();
        for unit in state.units_of(self.foe) {
            let fighter = self.fighter_at(unit, state.unit(unit).hex);
            self.board.foes.push(fighter);
        }
    }

    /// Value of a unit in a hex at the end of the turn: that of [`Self::place`].
    pub(super) fn place_of(&mut self, unit: UnitId, hex: HexId) -> f64 {
        let units = self.state.units_of(self.me);
        if !units.contains(unit) {
            return self.place(&self.fighter_at(unit, hex));
        }
        let number = place_in(units, unit);
        let places = &self.board.places[number];
        if places.known.contains(hex) {
            return places.worth[hex];
        }
        let worth = self.place(&self.fighter_at(unit, hex));
        let places = &mut self.board.places[number];
        places.known.insert(hex);
        places.worth[hex] = worth;
        worth
    }
}

/// Steps within which a unit of a kind can attack in its next turn.
pub(super) const fn reach(kind: UnitKind) -> u8 {
    let row = kind.row();
    let battle = if kind.is_missile() && kind.range() > 1 { kind.range() } else { 1 };
    battle + row.moves_and_battles
}
