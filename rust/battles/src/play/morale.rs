//! Flags that are ignored, and those that are not (MORALE).

use std::ops::RangeInclusive;

use crate::action::{Action, ActionSink};
use crate::combat_roll::Stand;
use crate::event::{Context, Event, Loss};
use crate::pieces::{Unit, UnitId};
use crate::state::{FlagRule, State};

impl State {
    /// The conditions that currently help a unit to ignore flags (BT-MORALE-02, BT-MORALE-03).
    pub fn stand(&self, unit: UnitId) -> Stand {
        let &Unit { hex, side, kind, .. } = self.unit(unit);
        Stand {
            kind,
            terrain: self.terrain(hex),
            led: self.leader_of(unit).is_some(),
            supported: (hex.neighbours() & self.hexes_of(side)).len() >= 2,
        }
    }

    /// How many flags of the roll the unit rolled against may ignore (BT-MORALE-01, BT-MORALE-08, DP-20).
    fn ignorable(&self, unit: UnitId, flags: u8) -> RangeInclusive<u8> {
        let (roll, stand) = (&self.combat.roll, self.stand(unit));
        if stand.kind.is_bodyguard() {
            return flags..=flags; // BT-ARMY-COMMANDER-03, BT-MORALE-09: whatever the cards say
        }
        // Cards of the turn are for the side that is not active; the later one holds (BT-DRAGON-USE-07, BT-DRAGON-50).
        let rule = if roll.side == self.active { self.turn.effects.flags } else { FlagRule::Usual };
        let allowance = if roll.cowards {
            0
        } else if roll.courage || rule == FlagRule::MayIgnoreAll {
            flags
        } else if rule == FlagRule::CannotIgnore {
            0
        } else {
            stand.allowance(self.combat_roll().by)
        };
        let most = allowance.min(flags);
        u8::from(stand.holds_a_castle()).min(most)..=most
    }

    pub(crate) fn legal_ignored(&self, flags: u8, out: &mut impl ActionSink) {
        let Some(unit) = self.combat.roll.against else { return };
        for ignored in self.ignorable(unit, flags) {
            out.add(Action::Number(ignored));
        }
    }

    pub(crate) fn play_ignored(&mut self, flags: u8, action: Action, context: &mut impl Context) {
        let (Action::Number(ignored), Some(unit)) = (action, self.combat.roll.against) else { return };
        let &Unit { hex, side, .. } = self.unit(unit);
        context.log(|| Event::Flags { side, hex, flags, ignored });
        self.give_way(unit, flags - ignored, context);
    }

    /// Flags that a unit does not ignore: it retreats, or takes hits in a castle (BT-RETREAT-01, BT-TERRAIN-09, BT-R-42).
    pub(crate) fn give_way(&mut self, unit: UnitId, flags: u8, context: &mut impl Context) {
        let stand = self.stand(unit);
        if flags == 0 || stand.kind.is_bodyguard() {
            return;
        }
        if stand.holds_a_castle() {
            self.remove_blocks(unit, flags, Loss::NoRoom, context);
        } else {
            self.retreat(unit, flags * stand.kind.row().hexes_per_flag, context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DragonCard::{
        self, Courage, CourageousLeaderAfter, CourageousLeaderBefore, Cowards, TerrorStrike,
    };
    use crate::data::Side;
    use crate::play::test_field::{TestField, hex};

    /// Flags that a defender may ignore of two rolled against it, with a card of each side.
    fn ignorable(defender: &str, rule: FlagRule, top: &[DragonCard], bottom: &[DragonCard]) -> Vec<Action> {
        let mut field = TestField::new(&["ASp@6,5"], &[defender]);
        field.state.turn.effects.flags = rule;
        field.give(Side::Top, top);
        field.give(Side::Bottom, bottom);
        let mut actions = vec![hex("6,5")];
        actions.extend(top.iter().chain(bottom).copied().map(Action::Dragon));
        field.state.push(crate::play::Step::Battle);
        field.play_through(&actions, if defender.ends_with("7,5") { "FF" } else { "FFH" });
        field.legal()
    }

    fn numbers(range: RangeInclusive<u8>) -> Vec<Action> {
        range.map(Action::Number).collect()
    }

    #[test]
    fn the_later_card_prevails() {
        // BT-DRAGON-50, BT-DRAGON-USE-07, BT-MORALE-08, BT-R-68, BT-R-72, BT-DRAGON-11, BT-DRAGON-23, BT-DRAGON-24
        let led = |rule, top: &[_], bottom: &[_]| ignorable("ASp+LF@7,4", rule, top, bottom);
        let none = led(FlagRule::CannotIgnore, &[], &[]); // nothing is asked but where to go
        assert_eq!(none, [hex("9,3"), hex("9,4"), hex("9,5")]);
        assert_eq!(led(FlagRule::Usual, &[], &[]), numbers(0..=1));
        assert_eq!(led(FlagRule::MayIgnoreAll, &[], &[]), numbers(0..=2));
        assert_eq!(led(FlagRule::MayIgnoreAll, &[Cowards], &[]), none);
        assert_eq!(led(FlagRule::CannotIgnore, &[], &[Courage]), numbers(0..=2));
        assert_eq!(led(FlagRule::Usual, &[], &[CourageousLeaderBefore]), numbers(0..=2));
        assert_eq!(led(FlagRule::Usual, &[], &[CourageousLeaderAfter]), numbers(0..=2));
        assert_eq!(led(FlagRule::Usual, &[Cowards], &[Courage]), none);
        assert_eq!(led(FlagRule::Usual, &[Cowards], &[CourageousLeaderAfter]), none);
        assert_eq!(led(FlagRule::Usual, &[TerrorStrike], &[Courage]), numbers(0..=4));
        assert_eq!(led(FlagRule::Usual, &[TerrorStrike], &[]), numbers(0..=1));
    }

    #[test]
    fn panic_is_for_the_side_that_is_not_active() {
        // BT-DRAGON-35, BT-MORALE-05
        let mut field = TestField::new(&["SSp@4,5"], &["ASp@5,5"]);
        field.state.turn.effects.flags = FlagRule::CannotIgnore;
        field.battle(&[hex("4,5"), hex("4,5")], "CCCC FCC");
        assert_eq!(field.legal(), numbers(0..=1));
    }

    #[test]
    fn castles_ignore_a_flag_by_themselves() {
        // BT-MORALE-07, BT-TERRAIN-09, BT-R-42, DP-20
        let hold = |rule, bottom: &[_]| ignorable("SSp@7,5", rule, &[], bottom);
        assert_eq!(hold(FlagRule::Usual, &[]), numbers(1..=2)); // the castle and the square
        assert_eq!(hold(FlagRule::MayIgnoreAll, &[]), numbers(1..=2));
        let mut panic = TestField::new(&["ASp@6,5"], &["LI@7,5"]);
        panic.state.turn.effects.flags = FlagRule::CannotIgnore;
        panic.battle(&[hex("6,5"), Action::Pass], "FF");
        assert_eq!((panic.blocks("7,5"), panic.honor()), (2, [5, 5]));
        let mut horse = TestField::new(&["ASp@6,5"], &["SBC@7,5"]);
        horse.battle(&[hex("6,5"), Action::Number(1), hex("8,5")], "FF");
        assert_eq!(horse.honor(), [5, 3]); // cavalry retreats
    }
}
