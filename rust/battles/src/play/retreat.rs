//! Units that retreat toward their baseline (RETREAT).

use crate::action::{Action, ActionSink};
use crate::board::HexSet;
use crate::combat_roll::retreat_honor;
use crate::data::Side;
use crate::event::{Context, Event, Loss, Why};
use crate::pieces::{Unit, UnitId};
use crate::play::Step;
use crate::state::State;

impl State {
    /// A unit retreats this number of hexes, or as far as it can; its owner chooses the way.
    pub(crate) fn retreat(&mut self, unit: UnitId, hexes: u8, context: &mut impl Context) {
        if self.retreat_ends(unit, hexes).is_empty() {
            let &Unit { hex, side, kind, .. } = self.unit(unit);
            let leader = self.leader_of(unit);
            context.log(|| Event::Retreated {
                side,
                unit: Some(kind),
                leader: leader.is_some(),
                name: leader.and_then(|leader| self.leader_name(leader)),
                from: hex,
                to: hex,
                uncompleted: hexes,
            });
            self.remove_blocks(unit, hexes, Loss::NoRoom, context); // BT-RETREAT-06; no honor is lost (BT-HONOR-08)
        } else {
            self.push(Step::Retreat { unit, hexes });
        }
    }

    /// Where the paths with the fewest uncompleted hexes end (BT-RETREAT-02..07); nowhere if no hex can be left for.
    /// Joining a lone leader completes the retreat.
    pub fn retreat_ends(&self, unit: UnitId, hexes: u8) -> HexSet {
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

    pub(crate) fn legal_retreats(&self, unit: UnitId, hexes: u8, out: &mut impl ActionSink) {
        out.add_hexes(self.retreat_ends(unit, hexes));
    }

    /// Movement, then blocks for hexes not completed, then honor (BT-RETREAT-08, BT-RETREAT-09, BT-R-41).
    pub(crate) fn play_retreat(
        &mut self,
        unit: UnitId,
        hexes: u8,
        action: Action,
        context: &mut impl Context,
    ) {
        let Action::Hex(to) = action else { return };
        let &Unit { hex: from, side, kind, .. } = self.unit(unit);
        let leader = self.leader_of(unit);
        let moved = from.distance(to);
        let joins = self.leader_at(to).is_some();
        let uncompleted = if joins { 0 } else { hexes - moved };
        self.move_unit(unit, leader, to);
        context.log(|| Event::Retreated {
            side,
            unit: Some(kind),
            leader: leader.is_some(),
            name: leader.and_then(|leader| self.leader_name(leader)),
            from,
            to,
            uncompleted,
        });
        self.left_its_place(unit, context);
        self.push(Step::Settled { unit });
        self.remove_blocks(unit, uncompleted, Loss::NoRoom, context);
        if self.decided.is_some() {
            return;
        }
        // A leader that was joined at the end costs nothing (BT-R-43).
        let unpaid =
            self.lose_honor(side, retreat_honor(kind, moved, leader.is_some()), Why::Retreat, context);
        if unpaid > 0 {
            self.unit_lacks_honor(unit, kind, side, to, unpaid, context);
        }
    }

    /// A card drives a unit back by one flag that it cannot ignore (BT-DRAGON-37).
    pub(crate) fn drive_back_unit(&mut self, unit: UnitId) {
        self.push(Step::GiveWay { unit, flags: 1 });
    }

    /// The honor of a retreat is settled: what the new hex brings about (BT-SCEN-07).
    pub(crate) fn settled(&mut self, unit: UnitId, context: &mut impl Context) {
        if self.lives(unit) {
            self.arrived(unit, context);
        }
    }
}

/// The hexes of the next row toward the baseline of a side.
pub(crate) fn behind(hexes: HexSet, side: Side) -> HexSet {
    hexes.into_iter().fold(HexSet::EMPTY, |set, hex| set | hex.behind(side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::test_field::{TestField, at, hex};

    fn ends(field: &TestField, unit: &str, hexes: u8) -> Vec<String> {
        field.state.retreat_ends(field.unit(unit), hexes).into_iter().map(|hex| hex.to_string()).collect()
    }

    #[test]
    fn retreats_go_back_by_the_fewest_uncompleted_hexes() {
        // BT-RETREAT-02, BT-RETREAT-03, BT-RETREAT-06, BT-RETREAT-07
        let field = TestField::new(&[], &["ASp@6,5"]);
        assert_eq!(ends(&field, "6,5", 1), ["7,4", "7,5"]);
        assert_eq!(ends(&field, "6,5", 2), ["8,4", "8,5", "8,6"]);
        assert_eq!(ends(&field, "6,5", 4), ["10,3", "10,4", "10,5", "10,6", "10,7"]);
        assert_eq!(ends(&field, "6,5", 6), ends(&field, "6,5", 4));
        // Only one path of two hexes is free; the river is not (9,0).
        let blocked = TestField::new(&["LF@9,1"], &["ASp@8,1", "LI@7,0"]);
        assert!(ends(&blocked, "8,1", 1).is_empty());
        let narrow = TestField::new(&["ASp@8,3"], &["ASp@6,3", "LI@8,2", "SSp@8,4"]);
        assert_eq!(ends(&narrow, "6,3", 2), ["7,2", "7,3"]);
    }

    #[test]
    fn joining_a_leader_completes_a_retreat() {
        // BT-RETREAT-05, BT-RETREAT-07, BT-LEADERS-03
        let field = TestField::new(&[], &["ASp@6,5", "LF@7,4"]);
        assert_eq!(ends(&field, "6,5", 3), ["7,4", "9,4", "9,5", "9,6"]);
        let cut_off = TestField::new(&["SSp@8,5", "SSp@8,6"], &["ASp@6,5", "LM@7,4"]);
        assert_eq!(ends(&cut_off, "6,5", 3), ["7,4"]);
        // Cavalry cannot join a foot leader, and a unit with a leader joins nobody: the hex is blocked.
        let horse = TestField::new(&[], &["SSpC@6,5", "LF@7,4"]);
        assert_eq!(ends(&horse, "6,5", 1), ["7,5"]);
        let led = TestField::new(&[], &["ASp+LF@6,5", "LM@7,4"]);
        assert_eq!(ends(&led, "6,5", 1), ["7,5"]);
    }

    #[test]
    fn a_retreat_costs_blocks_and_honor() {
        // BT-RETREAT-08, BT-RETREAT-09, BT-R-41, BT-HONOR-07, BT-EX-02
        let mut field = TestField::new(&[], &["ASp+LF@9,5"]);
        let unit = field.unit("9,5");
        field.state.push(Step::Retreat { unit, hexes: 2 });
        field.play(&[hex("10,5")], "");
        assert_eq!((field.blocks("10,5"), field.has_leader("10,5"), field.honor()), (3, true, [5, 3]));
        assert!(field.is_done());
    }

    #[test]
    fn a_leader_that_is_joined_costs_nothing() {
        // BT-R-43, BT-RETREAT-05
        let mut field = TestField::new(&[], &["SSp@6,5", "LF@7,5"]);
        let unit = field.unit("6,5");
        field.state.push(Step::Retreat { unit, hexes: 2 });
        field.play(&[hex("7,5")], "");
        assert_eq!((field.blocks("7,5"), field.honor()), (4, [5, 3]));
        assert_eq!(field.state.leader_of(unit), field.state.leader_at(at("7,5")));
    }

    #[test]
    fn levies_pay_once() {
        // BT-EX-04, BT-HONOR-06
        for (piece, cost) in [("LI@6,5", 2), ("LI+LF@6,5", 4)] {
            let mut field = TestField::new(&[], &[piece]);
            let unit = field.unit("6,5");
            field.state.push(Step::GiveWay { unit, flags: 1 });
            field.play(&[hex("8,5")], "");
            assert_eq!(field.honor(), [5, 5 - cost]);
        }
        let mut penned = TestField::new(&[], &["LI@10,5"]);
        let unit = penned.unit("10,5");
        penned.state.push(Step::GiveWay { unit, flags: 1 });
        penned.play(&[], "");
        assert_eq!((penned.blocks("10,5"), penned.honor()), (2, [5, 5]));
    }

    #[test]
    fn red_dragon_hits_castles() {
        // BT-DRAGON-37, BT-R-42, BT-ARMY-COMMANDER-03
        let mut field = TestField::new(&[], &["LI@7,5", "AC+BG@10,6"]);
        for place in ["7,5", "10,6"] {
            let unit = field.unit(place);
            field.state.drive_back_unit(unit);
            field.play(&[], "");
        }
        assert_eq!((field.blocks("7,5"), field.blocks("10,6"), field.honor()), (3, 4, [5, 5]));
    }
}
