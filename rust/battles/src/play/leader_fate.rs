//! A leader that is left alone or attacked alone retreats, or commits seppuku (BT-LEADERS-22, BT-RETREAT-20, SEPPUKU).

use crate::action::{Action, Legal};
use crate::board::HexSet;
use crate::data::{LEADER_RETREAT_HONOR, SEPPUKU_HONOR};
use crate::event::{Event, Gone, Table, Why};
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

    pub(crate) fn legal_fates(&self, leader: LeaderId, out: &mut impl Legal) {
        out.add(Action::Seppuku); // compulsory where there is nothing else (BT-RETREAT-25)
        out.add_hexes(self.leader_retreat_ends(leader));
    }

    pub(crate) fn play_fate(&mut self, leader: LeaderId, action: Action, table: &mut impl Table) {
        match action {
            Action::Hex(to) => {
                let &Leader { hex: from, side, .. } = self.leader(leader);
                self.move_leader(leader, to);
                table.tell(|| Event::Retreated { side, from, to, uncompleted: 0 });
                let unpaid = self.lose_honor(side, LEADER_RETREAT_HONOR, Why::Retreat, table);
                if unpaid > 0 {
                    self.leader_lacks_honor(leader, unpaid, table);
                }
            }
            _ => self.commit_seppuku(leader, table),
        }
    }

    /// No banner; its owner gains honor and loses a command card, the enemy draws a dragon card (BT-SEPPUKU-02).
    fn commit_seppuku(&mut self, leader: LeaderId, table: &mut impl Table) {
        let side = self.leader(leader).side;
        self.remove_leader(leader, Gone::Seppuku, table);
        self.gain_honor(side, SEPPUKU_HONOR, Why::Seppuku, table);
        self.lose_command_card(side, table);
        self.draw_dragon(side.other(), table);
    }
}
