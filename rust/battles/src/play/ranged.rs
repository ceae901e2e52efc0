//! Shots (RANGED), and the second one of Hold and Shoot (BT-CMD-70).

use crate::action::{Action, ActionSink};
use crate::combat::RollKind;
use crate::data::CommandCard;
use crate::event::Context;
use crate::play::Step;
use crate::state::State;

impl State {
    /// A shot. Units held back to shoot may shoot again directly afterwards (BT-CMD-70).
    pub(crate) fn shoot(&mut self, context: &mut impl Context) {
        self.log_attack(context);
        self.combat.shots += 1;
        if self.combat.shots == 1 && self.effective_is(CommandCard::HoldAndShoot) {
            self.push(Step::SecondShot);
        }
        self.begin_roll(RollKind::Attack);
    }

    pub(crate) fn legal_second_shot(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        out.add_hexes(self.shooting_targets(self.combat.attacker));
    }

    pub(crate) fn play_second_shot(&mut self, action: Action) {
        if let Action::Hex(target) = action {
            self.declare(self.combat.attacker, target);
            self.push(Step::Shoot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DragonCard, Side};
    use crate::play::test_field::{TestField, at, hex};

    #[test]
    fn a_shot() {
        // BT-RANGED-04..13, BT-UNITS-06
        let mut field = TestField::new(&["AA@4,5"], &["LI@6,5"]);
        field.battle(&[hex("4,5"), hex("8,4")], "XF"); // a hit, and a flag that moves levies two hexes
        assert_eq!((field.blocks("8,4"), field.honor()), (3, [5, 3]));
        let mut bow = TestField::new(&["SB@4,5"], &["LI/1@6,5"]);
        let moved = bow.unit("4,5");
        bow.state.turn.moved.insert(moved);
        bow.battle(&[hex("4,5")], "C"); // one die after moving
        assert_eq!((bow.banners(), bow.is_done()), ([1, 0], true)); // nobody takes ground
    }

    #[test]
    fn two_shots_of_units_that_hold() {
        // BT-CMD-70, DP-29, BT-RANGED-02
        let mut field = TestField::new(&["AB@4,5"], &["ASp@6,5", "ASp@6,6"]);
        field.command(CommandCard::HoldAndShoot);
        field.battle(&[hex("4,5"), hex("6,5")], "TH");
        assert_eq!(field.legal(), [Action::Pass, hex("6,5"), hex("6,6")]);
        field.play(&[hex("6,6")], "TT");
        assert_eq!((field.blocks("6,5"), field.blocks("6,6"), field.honor()), (3, 2, [6, 5]));
        assert!(field.is_done());
        // Shot at from behind, the enemy comes next to the shooter: no second shot.
        let mut close = TestField::new(&["AB@8,5"], &["ASp@6,5", "ASp@6,4"]);
        close.command(CommandCard::HoldAndShoot);
        close.battle(&[hex("8,5"), hex("6,5"), hex("7,4")], "FC");
        assert!(close.is_done());
    }

    #[test]
    fn a_lone_leader_is_shot_at_twice() {
        // BT-RANGED-14, BT-LEADERS-20..22, BT-CMD-70: the second shot is the last whatever the first was at
        let mut field = TestField::new(&["AB@4,5"], &["LM@6,5"]);
        field.command(CommandCard::HoldAndShoot);
        field.battle(&[hex("4,5"), hex("7,4")], "CH");
        assert_eq!((field.honor(), field.legal()), ([6, 2], vec![Action::Pass, hex("7,4")]));
        field.play(&[hex("7,4")], "XC");
        assert!(field.is_done() && field.banners() == [1, 0]);
    }

    #[test]
    fn armor_covers_both_shots() {
        // BT-DRAGON-39, BT-R-95
        let armor = Action::Dragon(DragonCard::BulletproofArmor);
        let mut field = TestField::new(&["AB@4,5"], &["ASp@6,5"]);
        field.command(CommandCard::HoldAndShoot);
        field.give(Side::Bottom, &[DragonCard::BulletproofArmor]);
        field.battle(&[hex("4,5"), Action::Pass], "TT"); // the window before the roll
        let mut late = TestField { state: field.state, log: Vec::new() };
        field.play(&[armor, hex("6,5")], "TT");
        assert_eq!((field.blocks("6,5"), field.honor(), field.is_done()), (4, [5, 2], true));
        // Played after the second shot it gives back what the first one took; flags count all the same.
        late.play(&[Action::Pass, hex("6,5"), Action::Pass], "TF");
        assert_eq!(late.blocks("6,5"), 2);
        late.play(&[armor, hex("7,4")], "");
        assert_eq!((late.blocks("7,4"), late.honor(), late.is_done()), (4, [5, 1], true));
        assert!(late.state.unit_at(at("6,5")).is_none());
    }

    #[test]
    fn volley_by_ranks() {
        // BT-DRAGON-25, BT-R-80, BT-RAND-01
        let mut field = TestField::new(&["AA@4,5"], &["SSp@6,5"]);
        field.state.turn.effects.volley = true;
        field.battle(&[hex("4,5")], "XCX SX"); // three dice, two of them again
        assert_eq!((field.banners(), field.is_done()), ([1, 0], true)); // 2 X + S + X
    }
}
