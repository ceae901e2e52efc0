//! T3: ordered pieces move one at a time (MOVE, TURN-06, LEADERS-30).

use crate::action::{Action, ActionSink};
use crate::board::{HexId, HexSet};
use crate::data::{CommandCard, LEADER_RETREAT_HONOR, LeaderKind, Side, UnitKind, Window};
use crate::event::{Context, Event, Removal, Why};
use crate::pieces::{LeaderId, Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::state::{Mover, State};

/// Hexes that a piece can reach by steps, nearest first.
struct Reach {
    /// Where it can be at all.
    enter: HexSet,
    /// Where it has to stop.
    stop: HexSet,
    /// Hexes reached so far.
    reached: HexSet,
    /// Hexes of the last step from which it can go on.
    front: HexSet,
}

impl Reach {
    fn from(hex: HexId, enter: HexSet, stop: HexSet) -> Self {
        Self { enter, stop, reached: hex.set(), front: hex.set() }
    }

    /// One step further; a forced stop ends the move in that hex (BT-MOVE-04).
    fn step(&mut self) {
        let next = (self.front.neighbours() & self.enter) - self.reached;
        self.reached |= next;
        self.front = next - self.stop;
    }
}

impl State {
    /// Ordered pieces that have not been chosen yet (DP-08); bodyguards and units under Hold and Shoot cannot move
    /// (BT-TURN-06).
    pub(crate) fn legal_movers(&self, out: &mut impl ActionSink) {
        let holds = self.effective_card() == Some(CommandCard::HoldAndShoot);
        let units = if holds { UnitSet::EMPTY } else { self.turn.ordered - self.turn.chosen };
        let moving = units.filter(|&unit| !self.unit(unit).kind.is_bodyguard());
        let leaders = self.turn.ordered_leaders - self.turn.chosen_leaders;
        let leaders: HexSet = leaders.map(|leader| self.leader(leader).hex).collect();
        let lone = leaders & self.lone_hexes(self.active);
        out.add(Action::Pass);
        out.add_hexes(moving.map(|unit| self.unit(unit).hex).collect::<HexSet>() | lone);
        out.add_leaders(leaders - lone);
    }

    pub(crate) fn play_mover(&mut self, action: Action) {
        let (hex, by_itself) = match action {
            Action::Hex(hex) => (hex, false),
            Action::Leader(hex) => (hex, true),
            _ => return,
        };
        self.push(Step::Move);
        self.push(Step::Destination);
        let unit = self.unit_at(hex).filter(|_| !by_itself);
        let leader = unit.map_or_else(|| self.leader_at(hex), |unit| self.goes_along(unit));
        self.mover = Mover { unit, leader, from: hex, ..Mover::default() };
        if let Some(unit) = unit {
            self.turn.chosen.insert(unit);
            self.push(Step::Window { window: Window::MoveActive, side: self.active });
        } else if let Some(leader) = leader {
            self.turn.chosen_leaders.insert(leader);
        }
    }

    /// Most hexes of the moving unit, and most after which it may still battle (BT-UNITS-01, BT-R-26): first what the card
    /// says, then bonuses.
    pub fn moves_of(&self, kind: UnitKind) -> (u8, u8) {
        let (mut moves, mut battles) = (kind.row().moves, kind.row().moves_and_battles);
        match self.effective_card() {
            Some(CommandCard::CavalryCharge) if kind.is_cavalry() => (moves, battles) = (3, 3),
            Some(CommandCard::InfantryAssault) => match kind {
                UnitKind::SamuraiSpear | UnitKind::AshigaruSpear => (moves, battles) = (2, 2), // BT-CMD-30
                UnitKind::SamuraiBow => moves = 2,
                _ => {}
            },
            Some(CommandCard::SnakeCommand) => (moves, battles) = (moves.min(1), battles.min(1)), // BT-CMD-50
            _ => {}
        }
        let bonus = u8::from(self.turn.effects.wind && kind.is_infantry())
            + 2 * u8::from(self.mover.katchu_keiba)
            + u8::from(self.mover.haya_ji);
        (moves + bonus, battles + bonus)
    }

    /// Reachable hexes, the own one to stay, or off the board (DP-10).
    pub(crate) fn legal_destinations(&self, out: &mut impl ActionSink) {
        let Mover { unit, leader, from, .. } = self.mover;
        if let Some(unit) = unit {
            out.add_hexes(self.unit_reach(unit).with(from));
        } else if let Some(leader) = leader {
            let (hexes, leave) = self.leader_reach(leader);
            if leave {
                out.add(Action::Leave);
            }
            out.add_hexes(hexes.with(from));
        }
    }

    /// Hexes in which an ordered move ends (BT-TERRAIN-02): those of the map, but not where a tent was removed.
    pub fn stops(&self) -> HexSet {
        let mut stops = self.scenario.stops();
        for side in Side::ALL {
            if let Some(hex) = self.scenario.tents[side]
                && !self.tents[side]
            {
                stops.remove(hex);
            }
        }
        stops
    }

    /// Hexes in which the moving unit could end (BT-MOVE-01..05).
    fn unit_reach(&self, unit: UnitId) -> HexSet {
        let mut reach = self.unit_steps(unit);
        let (moves, _) = self.moves_of(self.unit(unit).kind);
        for _ in 0..moves {
            reach.step();
        }
        reach.reached & self.unit_ends(unit)
    }

    /// Hexes that the moving unit has used up when it stands in one of its reach: the length of the shortest legal path
    /// (BT-R-25).
    fn unit_distance(&self, unit: UnitId, to: HexId) -> u8 {
        let mut reach = self.unit_steps(unit);
        let mut distance = 0;
        while !reach.reached.contains(to) && !reach.front.is_empty() {
            reach.step();
            distance += 1;
        }
        distance
    }

    fn unit_steps(&self, unit: UnitId) -> Reach {
        let from = self.mover.from;
        if self.mover.haya_ji {
            // Through any pieces and without stops, but never through what is impassable (BT-DRAGON-40).
            return Reach::from(from, !self.scenario.impassable, HexSet::EMPTY);
        }
        let ends = self.unit_ends(unit);
        Reach::from(from, ends, self.stops() | self.lone_hexes(self.active)) // a unit stops where it joins a leader
    }

    /// Hexes in which a unit may be: empty ones, and those of a lone leader that it may have (BT-MOVE-02, BT-MOVE-03).
    fn unit_ends(&self, unit: UnitId) -> HexSet {
        let Unit { side, kind, .. } = *self.unit(unit);
        let empty = !(self.occupied() | self.scenario.impassable);
        if self.mover.leader.is_some() {
            return empty;
        }
        let joins =
            |hex: &HexId| self.leader_at(*hex).is_some_and(|leader| self.leader(leader).kind.may_lead(kind));
        let joined: HexSet =
            (self.lone_hexes(side) - self.scenario.impassable).into_iter().filter(joins).collect();
        empty | joined
    }

    /// Hexes in which the moving leader could end, and whether it could leave the board (BT-MOVE-06..08, BT-LEADERS-30).
    fn leader_reach(&self, leader: LeaderId) -> (HexSet, bool) {
        let kind = self.leader(leader).kind;
        let ends = self.leader_ends(self.active, kind);
        let stops = self.stops();
        let enemies = self.hexes_of(self.active.other());
        let enter = !(self.scenario.impassable | enemies) - (stops - ends);
        let mut moves = kind.moves();
        if self.effective_card() == Some(CommandCard::SnakeCommand) {
            moves = moves.min(1); // BT-R-63
        }
        let mut reach = Reach::from(self.mover.from, enter, stops);
        let mut leave = false;
        for _ in 0..moves {
            leave |= reach.front.meets(self.active.baseline()); // the step off the board costs one hex
            reach.step();
        }
        (reach.reached & ends, leave)
    }

    /// Hexes in which a leader of a kind may end: empty ones, and those of a unit without leader that it may lead
    /// (BT-MOVE-07).
    pub fn leader_ends(&self, side: Side, kind: LeaderKind) -> HexSet {
        let joins = |hex: &HexId| self.unit_at(*hex).is_some_and(|unit| kind.may_lead(self.unit(unit).kind));
        let without = self.unit_hexes(side) - self.leader_hexes(side);
        let joined: HexSet = without.into_iter().filter(joins).collect();
        (!self.occupied() | joined) - self.scenario.impassable
    }

    pub(crate) fn play_destination(&mut self, action: Action, context: &mut impl Context) {
        let (side, Mover { unit, leader, from, .. }) = (self.active, self.mover);
        let to = match action {
            Action::Hex(to) => to,
            Action::Leave => {
                self.mover.left = true;
                self.push(Step::Arrive);
                self.push(Step::Window { window: Window::MoveOther, side: side.other() });
                return;
            }
            _ => return,
        };
        let kind = unit.map(|unit| self.unit(unit).kind);
        context.log(|| {
            let name = leader.and_then(|leader| self.leader_name(leader));
            let leader = leader.is_some();
            if from == to {
                Event::Stayed { side, unit: kind, leader, name, hex: from }
            } else {
                Event::Moved { side, unit: kind, leader, name, from, to }
            }
        });
        if from == to {
            self.mover = Mover::default();
            return;
        }
        if let Some(unit) = unit {
            self.enter(unit, to);
            self.move_unit(unit, leader, to);
        } else if let Some(leader) = leader {
            self.move_leader(leader, to);
        }
        self.push(Step::Arrive);
        if leader.is_some() {
            self.push(Step::Window { window: Window::MoveOther, side: side.other() });
        }
    }

    /// Whether a unit that goes to a hex may still battle (BT-MOVE-04, BT-UNITS-03, BT-UNITS-04).
    fn enter(&mut self, unit: UnitId, to: HexId) {
        let kind = self.unit(unit).kind;
        let (_, battles) = self.moves_of(kind);
        self.turn.moved.insert(unit);
        if self.unit_distance(unit, to) > battles || !self.terrain(to).allows_battle_after_entry(kind.arm()) {
            self.turn.barred.insert(unit);
        }
    }

    /// Insult: the move is undone before it brings anything about; a unit that moved with its leader may not battle
    /// (BT-DRAGON-30).
    pub(crate) fn call_back(&mut self, context: &mut impl Context) {
        let (side, Mover { unit, leader, from, left, .. }) = (self.active, std::mem::take(&mut self.mover));
        let arrive = self.agenda.pop();
        debug_assert_eq!(arrive, Some(Step::Arrive));
        let Some(leader) = leader else { return };
        let at = self.leader(leader).hex;
        context.log(|| Event::CalledBack { side, from: at, to: from });
        if let Some(unit) = unit {
            self.move_unit(unit, Some(leader), from);
            self.turn.barred.insert(unit);
        } else if !left {
            self.move_leader(leader, from);
        }
    }

    /// Completes a move that was not cancelled.
    pub(crate) fn arrive(&mut self, context: &mut impl Context) {
        let (side, mover) = (self.active, std::mem::take(&mut self.mover));
        if let Some(unit) = mover.unit {
            self.arrived(unit, context);
        } else if let Some(leader) = mover.leader
            && mover.left
        {
            // Less where there is less; nobody dices for it (BT-R-12).
            self.lose_honor(side, LEADER_RETREAT_HONOR, Why::Left, context);
            self.remove_leader(leader, Removal::Left, context);
        }
    }
}
