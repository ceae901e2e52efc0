//! Putting pieces on the board, moving them and taking them off: the only places where any of that happens.

use crate::board::{HexId, HexSet};
use crate::data::{Side, Symbol, Terrain};
use crate::event::{Context, Event, Loss, Removal, Why};
use crate::pieces::{Leader, LeaderId, LeaderSet, Unit, UnitId, UnitSet};
use crate::state::{Index, State};

/// Looking.
impl State {
    /// A unit.
    #[inline]
    pub fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    /// A leader.
    #[inline]
    pub fn leader(&self, leader: LeaderId) -> &Leader {
        &self.leaders[leader.index()]
    }

    /// The unit in a hex.
    #[inline]
    pub fn unit_at(&self, hex: HexId) -> Option<UnitId> {
        self.index.unit_at[hex].checked_sub(1).map(UnitId)
    }

    /// The leader in a hex, alone or attached.
    #[inline]
    pub fn leader_at(&self, hex: HexId) -> Option<LeaderId> {
        self.index.leader_at[hex].checked_sub(1).map(LeaderId)
    }

    /// The leader attached to a unit (BT-LEADERS-02).
    #[inline]
    pub fn leader_of(&self, unit: UnitId) -> Option<LeaderId> {
        self.leader_at(self.unit(unit).hex)
    }

    /// Whether a unit is on the board.
    #[inline]
    pub fn lives(&self, unit: UnitId) -> bool {
        self.unit(unit).blocks > 0
    }

    /// The units of a side.
    #[inline]
    pub fn units_of(&self, side: Side) -> UnitSet {
        self.index.units[side]
    }

    /// The leaders of a side.
    #[inline]
    pub fn leaders_of(&self, side: Side) -> LeaderSet {
        self.index.leaders[side]
    }

    /// Whether a leader is on the board.
    #[inline]
    pub fn leader_lives(&self, leader: LeaderId) -> bool {
        (self.index.leaders[Side::Top] | self.index.leaders[Side::Bottom]).contains(leader)
    }

    /// Whether no unit of its own is with a leader (BT-LEADERS-02).
    #[inline]
    pub fn is_alone(&self, leader: LeaderId) -> bool {
        self.unit_at(self.leader(leader).hex).is_none()
    }

    /// The hexes with units of a side.
    #[inline]
    pub fn unit_hexes(&self, side: Side) -> HexSet {
        self.index.unit_hexes[side]
    }

    /// The hexes with leaders of a side, alone or attached.
    #[inline]
    pub fn leader_hexes(&self, side: Side) -> HexSet {
        self.index.leader_hexes[side]
    }

    /// The hexes with lone leaders of a side.
    #[inline]
    pub fn lone_hexes(&self, side: Side) -> HexSet {
        self.index.leader_hexes[side] - self.index.unit_hexes[side]
    }

    /// The hexes with a unit or a leader of a side.
    #[inline]
    pub fn hexes_of(&self, side: Side) -> HexSet {
        self.index.unit_hexes[side] | self.index.leader_hexes[side]
    }

    /// The hexes with any piece.
    #[inline]
    pub fn occupied(&self) -> HexSet {
        self.hexes_of(Side::Top) | self.hexes_of(Side::Bottom)
    }

    /// The hexes with units of a side that have a symbol.
    pub fn hexes_with(&self, side: Side, symbol: Symbol) -> HexSet {
        self.units_of(side)
            .map(|unit| self.unit(unit))
            .filter(|unit| unit.kind.symbol() == symbol)
            .map(|unit| unit.hex)
            .collect()
    }

    /// The terrain of a hex; where a tent was removed it is open ground (BT-ARMY-COMMANDER-12).
    #[inline]
    pub fn terrain(&self, hex: HexId) -> Terrain {
        match self.scenario.terrain[hex] {
            Terrain::Tent if !self.tent_stands(hex) => Terrain::Open,
            terrain => terrain,
        }
    }

    fn tent_stands(&self, hex: HexId) -> bool {
        Side::ALL.into_iter().any(|side| self.tents[side] && self.scenario.tents[side] == Some(hex))
    }

    /// Whether two hexes within range see each other past pieces, tents and terrain (BT-LOS-05).
    pub fn sees(&self, from: HexId, to: HexId) -> bool {
        let tents = Side::ALL.into_iter().filter_map(|side| self.tent(side)).collect();
        self.scenario.sight.sees(from, to, self.occupied() | tents)
    }

    /// The hex of a command tent that stands (BT-ARMY-COMMANDER-13).
    pub fn tent(&self, side: Side) -> Option<HexId> {
        self.scenario.tents[side].filter(|_| self.tents[side])
    }
}

/// Changing.
impl State {
    /// Puts a new unit on the board.
    pub(crate) fn place_unit(&mut self, unit: Unit) -> UnitId {
        let id = UnitId(self.units.len() as u8);
        self.units.push(unit);
        self.index.put_unit(id, &unit);
        id
    }

    /// Puts a new leader on the board.
    pub(crate) fn place_leader(&mut self, leader: Leader) -> LeaderId {
        let id = LeaderId(self.leaders.len() as u8);
        self.leaders.push(leader);
        self.index.put_leader(id, &leader);
        id
    }

    /// Moves a unit, and a leader with it, to a hex without a unit; what the place brings about is left to
    /// [`State::arrived`].
    pub(crate) fn move_unit(&mut self, unit: UnitId, leader: Option<LeaderId>, to: HexId) {
        let piece = self.units[unit.index()];
        self.index.lift_unit(&piece);
        if let Some(leader) = leader {
            self.index.lift_leader(&self.leaders[leader.index()]);
        }
        self.units[unit.index()].hex = to;
        self.index.put_unit(unit, &self.units[unit.index()]);
        if let Some(leader) = leader {
            self.leaders[leader.index()].hex = to;
            self.index.put_leader(leader, &self.leaders[leader.index()]);
        }
    }

    /// Moves a leader by itself.
    pub(crate) fn move_leader(&mut self, leader: LeaderId, to: HexId) {
        self.index.lift_leader(&self.leaders[leader.index()]);
        self.leaders[leader.index()].hex = to;
        self.index.put_leader(leader, &self.leaders[leader.index()]);
    }

    /// Removes at most this number of blocks of a unit and returns how many were removed. The last block is worth a
    /// banner to the enemy, except for a bodyguard (BT-MELEE-07, BT-RANGED-09, BT-ARMY-COMMANDER-09).
    pub(crate) fn remove_blocks(
        &mut self,
        unit: UnitId,
        blocks: u8,
        why: Loss,
        context: &mut impl Context,
    ) -> u8 {
        let Unit { hex, side, kind, blocks: had } = *self.unit(unit);
        let lost = blocks.min(had);
        if lost == 0 {
            return 0;
        }
        self.units[unit.index()].blocks -= lost;
        context.log(|| Event::BlocksLost { side, hex, unit: kind, lost, left: had - lost, why });
        if lost == had {
            self.remove_unit(unit, Removal::Eliminated, context);
            if !kind.is_bodyguard() {
                self.award_banners(side.other(), 1, Why::Unit, context);
            }
        }
        lost
    }

    /// Takes a unit off the board, without any banner. A leader with it stays in its hex.
    pub(crate) fn remove_unit(&mut self, unit: UnitId, why: Removal, context: &mut impl Context) {
        self.unmark(unit, context);
        let piece @ Unit { hex, side, kind, .. } = *self.unit(unit);
        self.index.lift_unit(&piece);
        self.index.units[side].remove(unit);
        self.units[unit.index()] = Unit::default();
        self.forget_unit(unit);
        context.log(|| Event::UnitGone { side, hex, unit: kind, why });
        self.review_temporary(context);
    }

    /// Eliminates a leader: banners for the enemy (BT-LEADERS-09, BT-LEADER-LOSS-05); the bodyguard of an army
    /// commander surrenders (BT-ARMY-COMMANDER-09).
    pub(crate) fn eliminate_leader(&mut self, leader: LeaderId, context: &mut impl Context) {
        let Leader { side, .. } = *self.leader(leader);
        let banners = self.leader_value(leader);
        self.remove_leader(leader, Removal::Eliminated, context);
        self.award_banners(side.other(), banners, Why::Leader, context);
    }

    /// Takes a leader off the board, without any banner. The bodyguard of an army commander surrenders.
    pub(crate) fn remove_leader(&mut self, leader: LeaderId, why: Removal, context: &mut impl Context) {
        let piece = self.leaders[leader.index()];
        let name = self.leader_name(leader);
        self.index.lift_leader(&piece);
        self.index.leaders[piece.side].remove(leader);
        self.leaders[leader.index()] = Leader::default();
        self.turn.ordered_leaders.remove(leader);
        self.turn.chosen_leaders.remove(leader);
        context.log(|| Event::LeaderGone { side: piece.side, hex: piece.hex, leader: piece.kind, name, why });
        if let Some(unit) = self.unit_at(piece.hex)
            && self.unit(unit).kind.is_bodyguard()
        {
            self.remove_unit(unit, Removal::Surrendered, context);
        }
    }

    /// The name of a leader, where the scenario gives one.
    pub fn leader_name(&self, leader: LeaderId) -> Option<&'static str> {
        let name = self.leader(leader).name?;
        self.scenario.leader_names.get(usize::from(name)).map(String::as_str)
    }

    /// A unit changes sides in its hex (BT-DRAGON-20).
    pub(crate) fn turn_unit(&mut self, unit: UnitId, context: &mut impl Context) {
        self.unmark(unit, context);
        let piece = *self.unit(unit);
        self.index.lift_unit(&piece);
        self.index.units[piece.side].remove(unit);
        self.forget_unit(unit);
        self.units[unit.index()].side = piece.side.other();
        self.index.put_unit(unit, &self.units[unit.index()]);
        self.review_temporary(context);
    }

    /// A unit that is gone or has changed sides has no order and is not held any more (BT-SCEN-16).
    fn forget_unit(&mut self, unit: UnitId) {
        let turn = &mut self.turn;
        for set in [&mut turn.ordered, &mut turn.chosen, &mut turn.moved, &mut turn.barred, &mut turn.battled]
        {
            set.remove(unit);
        }
        for held in &mut self.trackers.held {
            held.remove(unit);
        }
    }

    /// Makes the index follow the pieces after a state was written from outside.
    pub(crate) fn index_pieces(&mut self) {
        self.index = Index::default();
        for (place, unit) in self.units.iter().enumerate() {
            if unit.blocks > 0 {
                self.index.put_unit(UnitId(place as u8), unit);
            }
        }
        for (place, leader) in self.leaders.iter().enumerate() {
            if leader.present {
                self.index.put_leader(LeaderId(place as u8), leader);
            }
        }
    }
}

impl Index {
    fn put_unit(&mut self, id: UnitId, unit: &Unit) {
        self.units[unit.side].insert(id);
        self.unit_hexes[unit.side].insert(unit.hex);
        self.unit_at[unit.hex] = id.0 + 1;
    }

    /// Takes a unit off its hex; it stays among the living.
    fn lift_unit(&mut self, unit: &Unit) {
        self.unit_hexes[unit.side].remove(unit.hex);
        self.unit_at[unit.hex] = 0;
    }

    fn put_leader(&mut self, id: LeaderId, leader: &Leader) {
        self.leaders[leader.side].insert(id);
        self.leader_hexes[leader.side].insert(leader.hex);
        self.leader_at[leader.hex] = id.0 + 1;
    }

    fn lift_leader(&mut self, leader: &Leader) {
        self.leader_hexes[leader.side].remove(leader.hex);
        self.leader_at[leader.hex] = 0;
    }
}
