//! Personal Challenge: a duel of the leaders before a melee (BT-DRAGON-31).

use std::cmp::Ordering;

use crate::action::{Action, ActionSink};
use crate::data::{Face, Side};
use crate::event::{Context, Removal, Roll, Why};
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

    pub(crate) fn legal_duellists(&self, out: &mut impl ActionSink) {
        out.add_hexes(self.hexes(self.led_attackers()));
    }

    pub(crate) fn play_duellist(&mut self, challenger: Side, action: Action, context: &mut impl Context) {
        if let Action::Hex(hex) = action
            && let (Some(attacker), Some(defender)) = (self.leader_at(hex), self.defending_leader())
        {
            self.duel(challenger, attacker, defender, context);
        }
    }

    /// More X wins: the other leader is gone without a banner and its owner loses a command card; each player collects
    /// his H, the active one first (BT-R-19, BT-R-75, BT-R-78).
    fn duel(&mut self, challenger: Side, attacker: LeaderId, defender: LeaderId, context: &mut impl Context) {
        let (active, other) = (self.active, self.active.other());
        let more = |of: Ordering| (u8::from(of == Ordering::Greater), u8::from(of == Ordering::Less));
        let by_honor = more(self.honor[active].cmp(&self.honor[other]));
        // A former army commander is a foot leader here too (BT-ARMY-COMMANDER-10).
        let by_status = more(self.leader(attacker).kind.cmp(&self.leader(defender).kind));
        let by_challenge = if challenger == active { (2, 0) } else { (0, 2) };
        // Cards: the active player's hand and the card he played; the other's hand.
        let cards = (self.command.hands[active].len() as u8 + 1, self.command.hands[other].len() as u8);
        let dice = [by_honor, by_status, by_challenge]
            .iter()
            .fold(cards, |sum, more| (sum.0 + more.0, sum.1 + more.1));
        let faces = (
            self.roll(active, dice.0, Roll::PersonalChallenge, context),
            self.roll(other, dice.1, Roll::PersonalChallenge, context),
        );
        let fallen = match faces.0[Face::Swords].cmp(&faces.1[Face::Swords]) {
            Ordering::Greater => Some((defender, other)),
            Ordering::Less => Some((attacker, active)),
            Ordering::Equal => None,
        };
        if let Some((leader, side)) = fallen {
            self.remove_leader(leader, Removal::Duel, context);
            self.lose_command_card(side, context);
        }
        self.gain_honor(active, faces.0[Face::Honor], Why::Faces, context);
        self.gain_honor(other, faces.1[Face::Honor], Why::Faces, context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CommandCard, DragonCard};
    use crate::play::test_field::{TestField, at, hex};

    const CHALLENGE: Action = Action::Dragon(DragonCard::PersonalChallenge);

    fn field(top: &[&str], bottom: &[&str]) -> TestField {
        let mut field = TestField::new(top, bottom);
        for side in Side::ALL {
            field.give(side, &[DragonCard::PersonalChallenge]);
            field.give_commands(side, &[CommandCard::OneLeft]);
        }
        field
    }

    #[test]
    fn a_duel_and_another() {
        // BT-DRAGON-31, BT-R-75, BT-R-78, BT-RAND-05, DP-13
        let mut field = field(&["SSpC+LM@4,5"], &["ASp+LF@5,5"]);
        field.state.honor[Side::Bottom] = 6;
        field.battle(&[hex("4,5")], "");
        // Active: hand and card 2 + challenger 2 + status 1; the other: hand 1 + honor 1.
        field.play(&[CHALLENGE], "XHFFF XH");
        assert_eq!((field.honor(), field.has_leader("4,5"), field.has_leader("5,5")), ([6, 7], true, true));
        // The other challenges in his turn of the window and wins: no banner, a card is lost.
        field.play(&[CHALLENGE], "FFF XFFF 0");
        assert_eq!((field.banners(), field.has_leader("4,5")), ([0, 0], false));
        assert!(field.state.command.hands[Side::Top].is_empty());
    }

    #[test]
    fn a_commander_that_falls_ends_the_melee() {
        // BT-R-19, BT-R-50, BT-ARMY-COMMANDER-09
        let mut field = field(&["SSp+LF@9,5"], &["AC+BG@10,6"]);
        field.battle(&[hex("9,5"), CHALLENGE], "XXFF FF 0");
        assert_eq!((field.banners(), field.blocks("10,6"), field.has_leader("10,6")), ([0, 0], 0, false));
        assert!(field.is_done()); // not successful: no ground
    }

    #[test]
    fn a_commander_that_attacks_and_falls() {
        // BT-R-50
        let mut field = field(&["AC+BG@0,5"], &["ASp+LF@1,5"]);
        field.battle(&[hex("0,5"), CHALLENGE], "FFFFF X 0");
        assert!(field.blocks("0,5") == 0 && field.blocks("1,5") == 4 && field.is_done());
    }

    #[test]
    fn a_former_commander_is_a_foot_leader() {
        // BT-ARMY-COMMANDER-10: the mounted leader gets the die for status, and both may have 1 for honor
        let mut field = field(&["ASp+LF@4,5"], &["ASp+LM@5,5"]);
        let leader = field.state.leader_at(at("4,5")).unwrap();
        field.state.leaders[leader.index()].was_commander = true;
        field.battle(&[hex("4,5"), CHALLENGE], "FFFFF F");
    }

    #[test]
    fn a_charge_names_its_duellist() {
        // BT-R-94
        let mut field = field(&["LI+LF@4,5", "LI+LM@4,6"], &["ASp+LF@5,5"]);
        field.battle(&[hex("4,5"), hex("4,6"), Action::Pass, CHALLENGE], "");
        assert_eq!(field.legal(), [hex("4,5"), hex("4,6")]);
        field.play(&[hex("4,6")], "FFFFF X 0");
        assert!(field.has_leader("4,5") && !field.has_leader("4,6"));
    }
}
