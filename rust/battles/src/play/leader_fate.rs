//! A leader that is left alone or attacked alone retreats, or commits seppuku (BT-LEADERS-22, BT-RETREAT-20, SEPPUKU).

use crate::action::{Action, ActionSink};
use crate::board::HexSet;
use crate::data::{LEADER_RETREAT_HONOR, SEPPUKU_HONOR};
use crate::event::{Context, Event, Removal, Why};
use crate::pieces::{Leader, LeaderId};
use crate::play::retreat::behind;
use crate::state::State;

/// Most hexes a lone leader retreats (BT-RETREAT-20).
const LEADER_RETREAT: u8 = 3;

impl State {
    /// Where a lone leader can retreat to (BT-RETREAT-20..23).
    pub(crate) fn leader_retreat_ends(&self, leader: LeaderId) -> HexSet {
        let &Leader { hex, side, kind, .. } = self.leader(leader);
        let passable = !(self.hexes_of(side.other()) | self.scenario.impassable);
        let (mut reached, mut ends) = (hex.set(), HexSet::EMPTY);
        for _ in 0..LEADER_RETREAT {
            reached = behind(reached, side) & passable;
            ends |= reached;
        }
        let may_end = |&hex: &_| {
            self.leader_at(hex).is_none()
                && self.unit_at(hex).is_none_or(|unit| kind.may_lead(self.unit(unit).kind))
        };
        ends.into_iter().filter(may_end).collect()
    }

    pub(crate) fn legal_fates(&self, leader: LeaderId, out: &mut impl ActionSink) {
        out.add(Action::Seppuku); // compulsory where there is nothing else (BT-RETREAT-25)
        out.add_hexes(self.leader_retreat_ends(leader));
    }

    pub(crate) fn play_fate(&mut self, leader: LeaderId, action: Action, context: &mut impl Context) {
        match action {
            Action::Hex(to) => {
                let &Leader { hex: from, side, .. } = self.leader(leader);
                self.move_leader(leader, to);
                context.log(|| Event::Retreated {
                    side,
                    unit: None,
                    leader: true,
                    name: self.leader_name(leader),
                    from,
                    to,
                    uncompleted: 0,
                });
                let unpaid = self.lose_honor(side, LEADER_RETREAT_HONOR, Why::Retreat, context);
                if unpaid > 0 {
                    self.leader_lacks_honor(leader, unpaid, context);
                }
            }
            _ => self.commit_seppuku(leader, context),
        }
    }

    /// No banner; its owner gains honor and loses a command card, the enemy draws a dragon card (BT-SEPPUKU-02).
    fn commit_seppuku(&mut self, leader: LeaderId, context: &mut impl Context) {
        let side = self.leader(leader).side;
        self.remove_leader(leader, Removal::Seppuku, context);
        self.gain_honor(side, SEPPUKU_HONOR, Why::Seppuku, context);
        self.lose_command_card(side, context);
        self.draw_dragon(side.other(), context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CommandCard, Side};
    use crate::play::test_field::{TestField, at, hex};

    fn ends(field: &TestField, place: &str) -> Vec<String> {
        let leader = field.state.leader_at(at(place)).unwrap();
        field.state.leader_retreat_ends(leader).into_iter().map(|hex| hex.to_string()).collect()
    }

    #[test]
    fn lone_leaders_pass_friends() {
        // BT-RETREAT-20..23
        let field = TestField::new(&["ASp@8,5"], &["LF@6,5", "ASp@7,4", "SSpC@8,4", "ASp+LM@7,5", "LM@9,4"]);
        assert_eq!(ends(&field, "6,5"), ["7,4", "8,6", "9,3", "9,5", "9,6"]);
        let near = TestField::new(&[], &["LM@9,5", "SSpC@10,5"]);
        assert_eq!(ends(&near, "9,5"), ["10,5", "10,6"]);
    }

    #[test]
    fn seppuku() {
        // BT-SEPPUKU-01, BT-SEPPUKU-02, BT-LEADERS-22..24, BT-VICTORY-05, BT-RAND-04
        let mut field = TestField::new(&["ASp@9,5"], &["LM@10,5"]);
        field.give_commands(Side::Bottom, &[CommandCard::OneLeft, CommandCard::OneRight]);
        field.state.dragon.deck.push(crate::data::DragonCard::Panic);
        field.battle(&[hex("9,5"), hex("9,5")], "CHF 1"); // it cannot retreat; the attacker takes ground
        assert_eq!((field.banners(), field.honor(), field.blocks("10,5")), ([0, 0], [6, 10], 4));
        assert_eq!(field.state.command.discards.last(), Some(&CommandCard::OneRight));
        assert_eq!(field.state.dragon.hands[Side::Top].len(), 1);
    }

    #[test]
    fn a_leader_retreats_for_three_honor() {
        // BT-RETREAT-24, BT-EX-03, BT-LEADERS-24
        let mut field = TestField::new(&["SSpC@4,5"], &["LM@5,5", "ASp@8,5"]);
        field.battle(&[hex("4,5")], "CTSF");
        assert_eq!(field.legal()[0], Action::Seppuku);
        field.play(&[hex("8,5"), hex("4,5")], "");
        assert_eq!((field.honor(), field.has_leader("8,5"), field.blocks("5,5")), ([5, 2], true, 4));
    }
}
