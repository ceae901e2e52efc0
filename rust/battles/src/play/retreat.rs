//! Units that retreat toward their baseline (RETREAT).

use crate::action::{Action, Legal};
use crate::board::HexSet;
use crate::data::Side;
use crate::event::{Event, Table, Why};
use crate::pieces::{Unit, UnitId};
use crate::play::Step;
use crate::reading::retreat_honor;
use crate::state::State;

impl State {
    /// A unit retreats so many hexes, as far as it can; its owner chooses where to.
    pub(crate) fn retreat(&mut self, unit: UnitId, hexes: u8, table: &mut impl Table) {
        if self.retreat_ends(unit, hexes).is_empty() {
            let &Unit { hex, side, .. } = self.unit(unit);
            table.tell(|| Event::Retreated { side, from: hex, to: hex, uncompleted: hexes });
            self.remove_blocks(unit, hexes, table); // BT-RETREAT-06; no honor is lost (BT-HONOR-08)
        } else {
            self.push(Step::Retreat { unit, hexes });
        }
    }

    /// Where the paths with the fewest uncompleted hexes end (BT-RETREAT-02..07); nowhere if no hex can be left for.
    /// Joining a lone leader completes the retreat.
    pub(crate) fn retreat_ends(&self, unit: UnitId, hexes: u8) -> HexSet {
        let &Unit { hex, side, kind, .. } = self.unit(unit);
        let joinable: HexSet = if self.leader_of(unit).is_some() {
            HexSet::EMPTY
        } else {
            let may_lead = |leader| self.leader(leader).kind.may_lead(kind);
            self.lone_hexes(side)
                .into_iter()
                .filter(|&hex| self.leader_at(hex).is_some_and(may_lead))
                .collect()
        };
        let free = !(self.occupied() | self.scenario.impassable) | joinable;
        let (mut reached, mut joined) = (hex.set(), HexSet::EMPTY);
        for _ in 0..hexes {
            let next = behind(reached, side) & free;
            if next.is_empty() {
                return if joined.is_empty() { reached - hex.set() } else { joined };
            }
            joined |= next & joinable;
            reached = next - joinable;
        }
        reached | joined
    }

    pub(crate) fn legal_retreats(&self, unit: UnitId, hexes: u8, out: &mut impl Legal) {
        out.add_hexes(self.retreat_ends(unit, hexes));
    }

    /// Movement, then blocks for hexes not completed, then honor (BT-RETREAT-08, BT-RETREAT-09, BT-R-41).
    pub(crate) fn play_retreat(&mut self, unit: UnitId, hexes: u8, action: Action, table: &mut impl Table) {
        let Action::Hex(to) = action else { return };
        let &Unit { hex: from, side, kind, .. } = self.unit(unit);
        let leader = self.leader_of(unit);
        let moved = from.distance(to);
        let joins = self.leader_at(to).is_some();
        let uncompleted = if joins { 0 } else { hexes - moved };
        self.move_unit(unit, leader, to);
        table.tell(|| Event::Retreated { side, from, to, uncompleted });
        self.push(Step::Settled { unit });
        self.remove_blocks(unit, uncompleted, table);
        if self.decided.is_some() {
            return;
        }
        // A leader that was joined at the end costs nothing (BT-R-43).
        let unpaid = self.lose_honor(side, retreat_honor(kind, moved, leader.is_some()), Why::Retreat, table);
        if unpaid > 0 {
            self.unit_lacks_honor(unit, kind, side, to, unpaid, table);
        }
    }

    /// A card drives a unit back by one flag that it cannot ignore (BT-DRAGON-37).
    pub(crate) fn drive_back_unit(&mut self, unit: UnitId) {
        self.push(Step::GiveWay { unit, flags: 1 });
    }

    /// The honor of a retreat is settled: what the new hex brings about (BT-SCEN-07).
    pub(crate) fn settled(&mut self, unit: UnitId, table: &mut impl Table) {
        if self.lives(unit) {
            self.arrived(unit, table);
        }
    }
}

/// The hexes of the next row toward the baseline of a side.
pub(crate) fn behind(hexes: HexSet, side: Side) -> HexSet {
    hexes.into_iter().fold(HexSet::EMPTY, |set, hex| set | hex.behind(side))
}
