//! Levies that attack together (LEVY-CHARGE).

use crate::action::{Action, ActionSink};
use crate::board::HexSet;
use crate::data::UnitKind;
use crate::pieces::{UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

impl State {
    /// Levies that may join the charge: ordered, not yet in battle, next to the same enemy unit now that it is declared
    /// (BT-LEVY-CHARGE-01, BT-R-36, BT-R-37).
    fn joining(&self) -> HexSet {
        if self.combat.defender.is_none() {
            return HexSet::EMPTY;
        }
        let levies = self.ready().filter(|&unit| self.unit(unit).kind == UnitKind::Levy);
        self.hexes(levies.collect()) & self.combat.target.neighbours()
    }

    pub(crate) fn legal_charge(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        out.add_hexes(self.joining());
    }

    pub(crate) fn play_charge(&mut self, action: Action) {
        let Action::Hex(hex) = action else { return };
        let Some(levy) = self.unit_at(hex) else { return };
        self.turn.battled.insert(levy); // BT-LEVY-CHARGE-04
        self.combat.attackers.insert(levy);
        self.push(Step::Charge);
    }

    /// Where units stand.
    pub(crate) fn hexes(&self, units: UnitSet) -> HexSet {
        units.map(|unit| self.unit(unit).hex).collect()
    }

    /// Attackers that terrain lets the defender fight (BT-LEVY-CHARGE-03, BT-R-38, BT-BATTLEBACK-06).
    pub(crate) fn attackers_in_reach(&self) -> UnitSet {
        let Some(defender) = self.combat.defender.filter(|&unit| self.lives(unit)) else {
            return UnitSet::EMPTY;
        };
        let reaches = |&unit: &UnitId| self.lives(unit) && self.may_melee(defender, self.unit(unit).hex);
        self.combat.attackers.filter(reaches).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Action;
    use crate::data::{CommandCard, DragonCard, Side};
    use crate::play::test_field::{TestField, hex};

    const LEVIES: [&str; 3] = ["LI@4,5", "LI+LM@4,6", "LI@5,4"];

    #[test]
    fn any_set_charges_as_one() {
        // BT-LEVY-CHARGE-01..04, BT-R-35, BT-R-36, BT-INSPIRE-02
        let mut field = TestField::new(&LEVIES, &["SSpC@5,5"]);
        field.battle(&[hex("4,5")], "");
        assert_eq!(field.legal(), [Action::Pass, hex("4,6"), hex("5,4")]);
        field.play(&[hex("4,6"), hex("5,4")], "");
        // Two of them are beside or with the mounted leader; each is inspired for one honor.
        field.play(&[Action::Yes, Action::Yes], "XXXX HHH T");
        assert_eq!((field.blocks("5,5"), field.honor()), (3, [4, 5])); // three X are ignored once; 5 - 2 + (3 - 2)
        assert_eq!(field.legal(), [Action::Pass, hex("4,5"), hex("4,6"), hex("5,4")]); // battle back against one
        field.play(&[hex("5,4")], "CCXH");
        assert_eq!((field.blocks("5,4"), field.honor()), (1, [4, 5]));
        assert!(field.is_done()); // all have battled
    }

    #[test]
    fn one_of_them_takes_the_ground() {
        // BT-LEVY-CHARGE-04, BT-MOMENTUM-04
        let mut field = TestField::new(&LEVIES, &["ASp/1@5,5", "ASp@6,6"]);
        field.battle(&[hex("4,5"), hex("4,6"), Action::Pass], "");
        field.play(&[Action::Pass, Action::Pass], "TCCC");
        assert_eq!(field.legal(), [Action::Pass, hex("4,5"), hex("4,6")]);
        field.play(&[hex("4,6")], "");
        assert_eq!(field.legal(), [Action::Pass, hex("6,6")]); // it has a leader
        field.play(&[Action::Pass], ""); // the third may still battle, but has nobody to attack
        assert!(field.has_leader("5,5") && field.is_done());
    }

    #[test]
    fn lone_leaders_are_not_charged() {
        // BT-R-37
        let mut field = TestField::new(&["LI@4,5", "LI@4,6"], &["LM@5,5"]);
        field.battle(&[hex("4,5")], "XC");
        assert_eq!((field.banners(), field.legal()), ([1, 0], vec![Action::Pass, hex("4,5")]));
    }

    #[test]
    fn a_struck_levy_drops_out() {
        // BT-R-38, BT-CMD-20, BT-BATTLEBACK-07
        let mut field = TestField::new(&LEVIES, &["SSp@5,5"]);
        field.give_commands(Side::Bottom, &[CommandCard::FirstStrike]);
        field.battle(&[hex("4,5"), hex("5,4"), Action::Pass], "");
        field.play(&[Action::Command(CommandCard::FirstStrike)], "");
        assert_eq!(field.legal(), [hex("4,5"), hex("5,4")]);
        field.play(&[hex("4,5")], "FTTT");
        field.play(&[Action::Number(0), hex("2,5")], "XX"); // one is left and rolls its two dice
        assert_eq!((field.blocks("2,5"), field.blocks("5,5"), field.honor()), (4, 4, [3, 5]));
        assert_eq!(field.legal(), [Action::Pass, hex("4,6")]); // no battle back; the third levy is next
    }

    #[test]
    fn cards_name_a_participant() {
        // BT-R-39, BT-R-94
        let mut field = TestField::new(&["LI/1@4,5", "LI/1@4,6"], &["SSp@5,5"]);
        field.give(Side::Top, &[DragonCard::DesperateCharge]);
        field.give(Side::Bottom, &[DragonCard::AikidoTraining]);
        field.battle(&[hex("4,5"), hex("4,6"), Action::Pass], "");
        field.play(&[Action::Dragon(DragonCard::DesperateCharge), hex("4,5")], "");
        field.play(&[Action::Dragon(DragonCard::AikidoTraining)], "");
        assert_eq!(field.legal(), [hex("4,5"), hex("4,6")]);
        let mut other = TestField { state: field.state, log: Vec::new() };
        field.play(&[hex("4,5")], "CCCC");
        other.play(&[hex("4,6")], "CCCCCC");
    }
}
