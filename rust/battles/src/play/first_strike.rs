//! The defender fights first: First Strike and Ambush (BT-CMD-20, BT-CMD-21, BT-DRAGON-16).

use crate::action::{Action, ActionSink};
use crate::combat::RollKind;
use crate::play::Step;
use crate::state::State;

impl State {
    /// Whether the defender can fight first: a unit that terrain lets battle back against an attacker, once in a combat.
    pub(crate) fn can_strike_first(&self) -> bool {
        !self.combat.struck_first && !self.attackers_in_reach().is_empty()
    }

    /// The defender fights first; against a levy charge its player says whom it strikes (BT-R-38).
    pub(crate) fn strike_first(&mut self, ambush: bool) {
        self.combat.struck_first = true;
        self.combat.ambush = ambush;
        self.push(Step::Struck);
    }

    pub(crate) fn legal_struck(&self, out: &mut impl ActionSink) {
        out.add_hexes(self.hexes(self.attackers_in_reach()));
    }

    pub(crate) fn play_struck(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(attacker) = self.unit_at(hex)
        {
            self.combat.attacker = attacker;
            self.begin_roll(RollKind::FirstStrike);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CommandCard, DragonCard, Side};
    use crate::play::test_field::{TestField, hex};

    #[test]
    fn first_strike_then_the_attack() {
        // BT-CMD-20, BT-CMD-21, BT-BATTLEBACK-07
        let mut field = TestField::new(&["ASp@4,5"], &["SSp@5,5"]);
        field.give_commands(Side::Bottom, &[CommandCard::FirstStrike]);
        field.give(Side::Bottom, &[DragonCard::Ambush]);
        field.battle(&[hex("4,5")], "");
        let (strike, ambush) =
            (Action::Command(CommandCard::FirstStrike), Action::Dragon(DragonCard::Ambush));
        assert_eq!(field.legal(), [Action::Pass, strike, ambush]);
        let mut ambushed = TestField { state: field.state, log: Vec::new() };
        field.play(&[strike, Action::Pass, Action::Pass, Action::Pass], "TCCC SSC");
        assert_eq!((field.blocks("4,5"), field.blocks("5,5")), (3, 2));
        assert_eq!((field.state.turn.first_strikes, field.is_done()), (1, true));
        ambushed.play(&[ambush], "TTTTH"); // one die more (BT-DRAGON-16)
        assert_eq!((ambushed.blocks("4,5"), ambushed.banners(), ambushed.honor()), (0, [0, 1], [5, 4]));
        assert!(ambushed.is_done()); // the attacker has used its battle
    }

    #[test]
    fn an_attacker_that_retreats_has_used_its_battle() {
        // BT-CMD-20, BT-MOMENTUM-02
        let mut field = TestField::new(&["ASp@4,5"], &["SSp@5,5"]);
        field.give_commands(Side::Bottom, &[CommandCard::FirstStrike]);
        field.battle(&[hex("4,5"), Action::Command(CommandCard::FirstStrike), hex("3,4")], "FCCC");
        assert!(field.is_done() && field.blocks("5,5") == 4);
    }

    #[test]
    fn castles_and_lone_leaders() {
        // BT-CMD-20, BT-BATTLEBACK-06
        let mut horse = TestField::new(&["ASp@4,5"], &["SSpC@3,5"]);
        horse.give_commands(Side::Bottom, &[CommandCard::FirstStrike]);
        horse.battle(&[hex("4,5")], "CC");
        assert!(horse.is_done()); // cavalry in a castle neither strikes first nor battles back
        let mut leader = TestField::new(&["ASp@4,5"], &["LM@5,5"]);
        leader.give_commands(Side::Bottom, &[CommandCard::FirstStrike]);
        leader.battle(&[hex("4,5"), Action::Pass], "XCC");
        assert!(leader.is_done());
    }
}
