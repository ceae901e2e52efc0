//! Taking ground and bonus melee (MOMENTUM).

use crate::action::{Action, ActionSink};
use crate::combat::Combat;
use crate::data::Window;
use crate::event::{Context, Event};
use crate::pieces::{Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

/// Honor lost by Timid Success (BT-DRAGON-43).
const TIMID_HONOR: u8 = 2;

impl State {
    /// The attackers that may take the empty hex; a bodyguard never does (BT-MOMENTUM-01, BT-MOMENTUM-02).
    fn advancing(&self) -> UnitSet {
        self.combat
            .attackers
            .filter(|&unit| self.lives(unit) && !self.unit(unit).kind.is_bodyguard())
            .collect()
    }

    /// Whether somebody won a melee and may take ground, for Legendary Combat (BT-DRAGON-28).
    pub(crate) fn has_success(&self) -> bool {
        !self.advancing().is_empty()
    }

    /// A melee was successful: W-SUCCESS-A, then the choice (BT-MOMENTUM-03).
    pub(crate) fn succeed(&mut self) {
        self.push(Step::TakeGround);
        self.push(Step::Window { window: Window::Success, side: self.active });
    }

    pub(crate) fn legal_ground(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        out.add_hexes(self.hexes(self.advancing()));
    }

    /// Ground is about to be taken: W-GROUND-D (BT-MOMENTUM-03).
    pub(crate) fn play_ground(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.combat.attacker = unit;
            self.push(Step::Ground);
            self.push(Step::Window { window: Window::Ground, side: self.active.other() });
        }
    }

    /// Timid Success: no ground, no bonus, two honor (BT-DRAGON-43).
    pub(crate) fn be_timid(&mut self, context: &mut impl Context) {
        self.combat.timid = true;
        self.lose_honor_to_card(self.active, TIMID_HONOR, context);
    }

    /// The unit advances with its leader, unless Timid Success stopped it.
    pub(crate) fn ground(&mut self, context: &mut impl Context) {
        let Combat { attacker, target, timid, .. } = self.combat;
        if timid {
            return;
        }
        let &Unit { hex: from, side, .. } = self.unit(attacker);
        self.move_unit(attacker, self.leader_of(attacker), target);
        context.log(|| Event::TookGround { side, from, to: target });
        self.push(Step::BonusMelee);
        self.arrived(attacker, context);
    }

    /// Whether a unit that took ground may make a bonus melee (BT-MOMENTUM-04, BT-MOMENTUM-05, BT-MOMENTUM-07,
    /// BT-DRAGON-28).
    fn may_battle_on(&self, unit: UnitId) -> bool {
        if !self.lives(unit) {
            return false; // it may have left the board across the river (BT-SCEN-18)
        }
        let &Unit { hex, kind, .. } = self.unit(unit);
        let eager = kind.is_cavalry() || self.leader_of(unit).is_some();
        (self.combat.legendary || eager && !self.combat.bonus)
            && self.terrain(hex).allows_battle_after_entry(kind.arm())
    }

    pub(crate) fn legal_bonus(&self, out: &mut impl ActionSink) {
        let attacker = self.combat.attacker;
        if self.may_battle_on(attacker) {
            out.add(Action::Pass);
            out.add_hexes(self.melee_targets(attacker));
        }
    }

    pub(crate) fn play_bonus(&mut self, action: Action) {
        if let Action::Hex(target) = action {
            self.combat = Combat { attacker: self.combat.attacker, bonus: true, ..Combat::default() };
            self.declare(self.combat.attacker, target);
            self.push(Step::Melee);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DragonCard, Side};
    use crate::play::test_field::{TestField, hex};

    #[test]
    fn cavalry_battles_on_once() {
        // BT-MOMENTUM-01, BT-MOMENTUM-04, BT-MOMENTUM-06, BT-MOMENTUM-07, BT-R-49
        let mut field = TestField::new(&["SSpC@4,5"], &["LI/1@5,5", "LI/1@6,5", "LI@7,4"]);
        field.battle(&[hex("4,5"), hex("4,5")], "CTTT");
        assert_eq!(field.legal(), [Action::Pass, hex("6,5")]);
        field.play(&[hex("6,5"), hex("5,5")], "CTTT"); // takes ground again, but does not battle again
        assert_eq!((field.blocks("6,5"), field.banners(), field.is_done()), (4, [2, 0], true));
    }

    #[test]
    fn terrain_can_end_it() {
        // BT-MOMENTUM-05, BT-TERRAIN-13
        let mut field = TestField::new(&["SSpC@6,9"], &["LI/1@7,9", "LI@8,9"]);
        field.battle(&[hex("6,9"), hex("6,9")], "CT");
        assert!(field.is_done() && field.blocks("7,9") == 4); // a fence stops horses
        let mut foot = TestField::new(&["SSp+LF@6,9"], &["LI/1@7,9", "LI@8,9"]);
        foot.battle(&[hex("6,9"), Action::Pass, hex("6,9")], "CT");
        assert_eq!(foot.legal(), [Action::Pass, hex("8,9")]);
    }

    #[test]
    fn legendary_combat() {
        // BT-DRAGON-28, BT-MOMENTUM-03, DP-24
        let legendary = Action::Dragon(DragonCard::LegendaryCombat);
        let mut foot = TestField::new(&["ASp@4,5"], &["LI/1@5,5", "LI@6,5"]);
        foot.give(Side::Top, &[DragonCard::LegendaryCombat]);
        foot.battle(&[hex("4,5"), legendary, hex("4,5")], "CTT");
        assert_eq!(foot.legal(), [Action::Pass, hex("6,5")]);
        let mut horse = TestField::new(&["SSpC@4,5"], &["LI/1@5,5", "LI/1@6,5", "LI@7,5", "LI@7,4"]);
        horse.give(Side::Top, &[DragonCard::LegendaryCombat]);
        horse.battle(&[hex("4,5"), hex("4,5"), hex("6,5"), legendary, hex("5,5")], "CTTT CTTT");
        assert_eq!(horse.legal(), [Action::Pass, hex("7,4")]); // one more, but not against the castle
    }

    #[test]
    fn timid_success() {
        // BT-DRAGON-43, BT-DRAGON-50, BT-LACK-OF-HONOR-04, DP-26
        let mut field = TestField::new(&["SSpC@4,5"], &["LI/1@5,5", "LI@6,5"]);
        field.give(Side::Top, &[DragonCard::LegendaryCombat]);
        field.give(Side::Bottom, &[DragonCard::TimidSuccess]);
        field.state.honor[Side::Top] = 3;
        let cards = [DragonCard::LegendaryCombat, DragonCard::TimidSuccess].map(Action::Dragon);
        field.battle(&[hex("4,5"), cards[0], hex("4,5"), cards[1]], "CTTT SFFTX");
        assert_eq!((field.blocks("4,5"), field.blocks("5,5"), field.honor()), (3, 0, [0, 4]));
        assert!(field.is_done());
    }
}
