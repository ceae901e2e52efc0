//! The course of a melee: challenge, first strike, attack, and what follows (BT-MELEE-03, BT-MELEE-14).

use crate::combat::RollKind;
use crate::data::Window;
use crate::event::Context;
use crate::pieces::UnitSet;
use crate::play::Step;
use crate::state::State;

impl State {
    /// A melee is declared: windows W-MELEE-START, then W-FIRST, then the attack (BT-MELEE-03).
    pub(crate) fn melee(&mut self, context: &mut impl Context) {
        self.log_attack(context);
        let (active, other) = (self.active, self.active.other());
        self.push(Step::Attack);
        self.push(Step::Window { window: Window::First, side: other });
        self.push(Step::Window { window: Window::MeleeStart, side: other });
        self.push(Step::Window { window: Window::MeleeStart, side: active });
    }

    /// The attackers that are still there roll (BT-CMD-20, BT-R-38). Where one side of the melee is gone before the
    /// attack, the melee is over and not successful (BT-R-50).
    pub(crate) fn attack(&mut self) {
        let combat = &self.combat;
        let struck = combat.struck_first.then_some((combat.attacker, combat.roll.hex));
        let left = combat.attackers.filter(|&unit| {
            self.lives(unit)
                && struck.is_none_or(|(struck, hex)| unit != struck || self.unit(unit).hex == hex)
        });
        let attackers: UnitSet = left.collect();
        self.combat.attackers = attackers;
        let defended = self.combat.defender.is_none_or(|unit| self.lives(unit));
        if let Some(first) = attackers.first()
            && defended
        {
            self.combat.attacker = first;
            self.push(Step::AfterAttack);
            self.begin_roll(RollKind::Attack);
        }
    }

    /// The attack is over: an empty hex is a success, a defender that held its hex may battle back (BT-MELEE-14,
    /// BT-BATTLEBACK-01, BT-BATTLEBACK-03, BT-R-40).
    pub(crate) fn after_attack(&mut self) {
        let target = self.combat.target;
        if !self.occupied().contains(target) {
            self.succeed();
        } else if self.unit_at(target).is_some() && self.unit_at(target) == self.combat.defender {
            self.push(Step::BattleBack);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Action;
    use crate::data::{CommandCard, DragonCard, Side};
    use crate::play::Step;
    use crate::play::test_field::{TestField, hex};

    #[test]
    fn a_melee_with_battle_back() {
        // BT-MELEE-02..08, BT-MELEE-11, BT-MELEE-13, BT-BATTLEBACK-01, BT-BATTLEBACK-02
        let mut field = TestField::new(&["SSp@4,5"], &["ASp@5,5", "ASp@5,6", "LI@6,5"]);
        field.battle(&[hex("4,5")], "TXHF"); // two hits, one honor, one flag
        assert_eq!((field.blocks("5,5"), field.honor()), (2, [6, 5]));
        assert_eq!(field.legal(), [0, 1].map(Action::Number)); // supported from two hexes
        field.play(&[Action::Number(1)], "");
        assert_eq!(field.legal(), [Action::Pass, hex("4,5")]);
        field.play(&[hex("4,5")], "XXH"); // S ignores one X of T
        assert_eq!((field.blocks("4,5"), field.honor()), (3, [6, 6]));
        assert!(field.is_done());
    }

    #[test]
    fn who_retreats_does_not_battle_back() {
        // BT-BATTLEBACK-03, BT-MOMENTUM-01, BT-RETREAT-06
        let mut field = TestField::new(&["ASp@4,5"], &["ASp@5,5"]);
        field.battle(&[hex("4,5"), hex("6,5"), hex("4,5")], "FSS"); // takes ground
        assert_eq!((field.blocks("6,5"), field.blocks("5,5"), field.honor()), (4, 4, [5, 4]));
        assert!(field.is_done()); // infantry without leader has no bonus melee
        // With no hex to go to it loses a block and stands.
        let mut penned = TestField::new(&["ASp@9,5"], &["ASp@10,5"]);
        penned.battle(&[hex("9,5"), hex("9,5")], "FSS TTC");
        assert_eq!((penned.blocks("10,5"), penned.blocks("9,5"), penned.honor()), (3, 2, [5, 5]));
    }

    #[test]
    fn a_leader_that_stays_holds_the_hex() {
        // BT-LEADER-LOSS-08, BT-R-40
        let mut field = TestField::new(&["ASp@9,5"], &["ASp/1+LF@10,5"]);
        field.battle(&[hex("9,5"), Action::Number(0)], "FSS");
        assert!(field.has_leader("10,5") && field.blocks("10,5") == 0 && field.is_done());
        assert_eq!(field.banners(), [1, 0]);
    }

    #[test]
    fn the_battle_ends_at_the_instant() {
        // BT-VICTORY-01, BT-VICTORY-04, BT-MELEE-15
        let mut field = TestField::new(&["ASp@4,5"], &["ASp/1+LF@5,5"]);
        field.state.banners[Side::Top] = 8;
        field.battle(&[hex("4,5")], "TXH"); // neither honor nor leader check any more
        assert_eq!((field.honor(), field.has_leader("5,5")), ([5, 5], true));
        assert_eq!(field.state.decided.and_then(|decided| decided.winner), Some(Side::Top));
    }

    #[test]
    fn windows_of_a_melee_come_in_order() {
        // BT-MELEE-03, BT-DRAGON-USE-04, BT-DRAGON-USE-10, BT-R-70
        let mut field = TestField::new(&["SSp+LF@4,5"], &["ASp+LF@5,5"]);
        field.give(Side::Top, &[DragonCard::TerrorStrike]);
        field.give(Side::Bottom, &[DragonCard::TerrorStrike]);
        field.give_commands(Side::Bottom, &[CommandCard::OneLeft]);
        field.battle(&[hex("4,5")], "");
        // Leaders and honor open every window of the roll, whatever the hands hold.
        let expected = [
            "Window { window: MeleeStart, side: Top }",
            "Window { window: MeleeStart, side: Bottom }",
            "Window { window: First, side: Bottom }",
            "Inspire { unit: UnitId(0) }",
            "Window { window: PreRoller, side: Top }",
            "Window { window: PreOpponent, side: Bottom }",
            "Window { window: PostRoller, side: Top }",
            "Window { window: PostOpponent, side: Bottom }",
        ];
        for step in expected {
            assert_eq!(format!("{:?}", field.state.agenda.last().unwrap()), step);
            field.play(&[Action::Pass], if step.contains("PreOpponent") { "CCCC" } else { "" });
        }
        assert_eq!(field.state.agenda.last(), Some(&Step::BattleBack));
    }
}
