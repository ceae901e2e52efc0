//! Personal Challenge: a duel of the leaders before a melee (BT-DRAGON-31).

use std::cmp::Ordering;

use crate::action::{Action, Legal};
use crate::data::{Face, LeaderKind, Side};
use crate::event::{Gone, Roll, Table, Why};
use crate::pieces::{LeaderId, UnitSet};
use crate::play::Step;
use crate::state::State;

impl State {
    /// Attackers with a leader (BT-R-94).
    fn led_attackers(&self) -> UnitSet {
        self.combat.attackers.filter(|&unit| self.lives(unit) && self.leader_of(unit).is_some()).collect()
    }

    /// The leader of the defending unit.
    fn defending_leader(&self) -> Option<LeaderId> {
        self.combat.defender.filter(|&unit| self.lives(unit)).and_then(|unit| self.leader_of(unit))
    }

    /// Whether both sides of the melee have a leader.
    pub(crate) fn can_challenge(&self) -> bool {
        self.defending_leader().is_some() && !self.led_attackers().is_empty()
    }

    /// A challenge is made; in a levy charge with several leaders the charging player names his duellist (BT-R-94).
    pub(crate) fn challenge(&mut self, challenger: Side) {
        self.push(Step::Duellist { challenger });
    }

    pub(crate) fn legal_duellists(&self, out: &mut impl Legal) {
        out.add_hexes(self.hexes(self.led_attackers()));
    }

    pub(crate) fn play_duellist(&mut self, challenger: Side, action: Action, table: &mut impl Table) {
        if let Action::Hex(hex) = action
            && let (Some(attacker), Some(defender)) = (self.leader_at(hex), self.defending_leader())
        {
            self.duel(challenger, attacker, defender, table);
        }
    }

    /// More X wins: the other leader is gone without a banner and its owner loses a command card; each player collects
    /// his H, the active one first (BT-R-19, BT-R-75, BT-R-78).
    fn duel(&mut self, challenger: Side, attacker: LeaderId, defender: LeaderId, table: &mut impl Table) {
        let (active, other) = (self.active, self.active.other());
        let more = |of: Ordering| (u8::from(of == Ordering::Greater), u8::from(of == Ordering::Less));
        let by_honor = more(self.honor[active].cmp(&self.honor[other]));
        let by_status = more(self.status(attacker).cmp(&self.status(defender)));
        let by_challenge = if challenger == active { (2, 0) } else { (0, 2) };
        // Cards: the active player's hand and the card he played; the other's hand.
        let cards = (self.command.hands[active].len() as u8 + 1, self.command.hands[other].len() as u8);
        let dice = [by_honor, by_status, by_challenge]
            .iter()
            .fold(cards, |sum, more| (sum.0 + more.0, sum.1 + more.1));
        let faces = (
            self.roll(active, dice.0, Roll::PersonalChallenge, table),
            self.roll(other, dice.1, Roll::PersonalChallenge, table),
        );
        let fallen = match faces.0[Face::Swords].cmp(&faces.1[Face::Swords]) {
            Ordering::Greater => Some((defender, other)),
            Ordering::Less => Some((attacker, active)),
            Ordering::Equal => None,
        };
        if let Some((leader, side)) = fallen {
            self.remove_leader(leader, Gone::Duel, table);
            self.lose_command_card(side, table);
        }
        self.gain_honor(active, faces.0[Face::Honor], Why::Faces, table);
        self.gain_honor(other, faces.1[Face::Honor], Why::Faces, table);
    }

    /// Status for a duel: army commanders, present or former, above mounted above foot leaders.
    fn status(&self, leader: LeaderId) -> LeaderKind {
        let leader = self.leader(leader);
        if leader.was_commander { LeaderKind::Commander } else { leader.kind }
    }
}
