//! Phase C before the dice: both sides reveal their ronin (SW-D-18, SW-R-28, SW-R-88).

use crate::action::{Action, ActionSink};
use crate::data::ProvinceId;
use crate::event::Context;
use crate::play::Next;
use crate::state::{Attacker, Point, State};

impl State {
    pub(crate) fn advance_revealing_attacker(
        &mut self,
        target: ProvinceId,
        context: &mut impl Context,
    ) -> Next {
        // After the window the target is judged anew (SW-R-90).
        if !self.judge(target, context) {
            return Next::Go;
        }
        let from = self.attacker_place();
        if self.is_two_force(from) {
            // Asked as long as the clan has any card anywhere, even if none lies here (SW-R-88).
            if self.has_cards(self.active) {
                self.decider = self.active;
                return Next::Ask;
            }
        } else {
            self.reveal_to_single(from, context);
        }
        self.point = Point::RevealDefender(target);
        Next::Go
    }

    /// A stack joins the only force of a province; what is over the limit goes back (SW-R-28, SW-R-31).
    fn reveal_to_single(&mut self, province: ProvinceId, context: &mut impl Context) {
        let stack = self.turn_over(province, context);
        let (army, provincial) = self.ronin_room(province);
        let (army, provincial) = (army.min(stack), provincial.min(stack)); // one of them is 0
        self.join(province, army, provincial);
        self.dismiss(province, stack - army - provincial, context);
    }

    /// How many ronin of a stack may join the army of a two-force province: least and most.
    pub(crate) fn divisions(&self, province: ProvinceId, stack: u8) -> (u8, u8) {
        let (army, provincial) = self.ronin_room(province);
        if stack >= army + provincial {
            (army, army) // it fills both up
        } else {
            (stack.saturating_sub(provincial), army.min(stack))
        }
    }

    /// Room for a hidden stack beside the force that attacks: in the other force (SW-R-28).
    fn may_keep_hidden(&self, from: ProvinceId) -> bool {
        let (army, provincial) = self.ronin_room(from);
        let other = match self.series {
            Some((Attacker::Army(_), _)) => provincial,
            _ => army,
        };
        self.provinces[from].hidden <= other
    }

    pub(crate) fn legal_revealing_attacker(&self, out: &mut impl ActionSink) {
        let from = self.attacker_place();
        let stack = self.provinces[from].hidden;
        if self.may_keep_hidden(from) {
            out.add(Action::Pass);
        }
        if stack > 0 {
            let (least, most) = self.divisions(from, stack);
            out.add_amounts(least, most);
        }
    }

    pub(crate) fn play_revealing_attacker(
        &mut self,
        target: ProvinceId,
        action: Action,
        context: &mut impl Context,
    ) {
        match action {
            Action::Pass => {}
            Action::Amount(army) => self.reveal_divided(self.attacker_place(), army, context),
            _ => unreachable!("{action:?} reveals no ronin"),
        }
        self.point = Point::RevealDefender(target);
    }

    fn reveal_divided(&mut self, province: ProvinceId, army: u8, context: &mut impl Context) {
        let stack = self.turn_over(province, context);
        let provincial = (stack - army).min(self.ronin_room(province).1);
        self.join(province, army, provincial);
        self.dismiss(province, stack - army - provincial, context);
    }

    pub(crate) fn advance_revealing_defender(
        &mut self,
        target: ProvinceId,
        context: &mut impl Context,
    ) -> Next {
        let stack = self.provinces[target].hidden;
        let Some((clan, number)) = self.army_at(target).filter(|_| stack > 0) else {
            self.reveal_to_single(target, context);
            return self.all_revealed(target);
        };
        let (army, provincial) = self.ronin_room(target);
        let two_forces = self.provinces[target].units.regulars() > 0;
        if self.army(clan, number).disrupted && stack > army + if two_forces { provincial } else { 0 } {
            // The part over the limit joins the disrupted army (SW-R-39).
            self.turn_over(target, context);
            let provincial = if two_forces { provincial } else { 0 };
            self.join(target, stack - provincial, provincial);
        } else if !two_forces {
            self.reveal_to_single(target, context);
        } else {
            self.decider = clan;
            return Next::Choose;
        }
        self.all_revealed(target)
    }

    pub(crate) fn legal_revealing_defender(&self, target: ProvinceId, out: &mut impl ActionSink) {
        let (least, most) = self.divisions(target, self.provinces[target].hidden);
        out.add_amounts(least, most);
    }

    pub(crate) fn play_revealing_defender(
        &mut self,
        target: ProvinceId,
        action: Action,
        context: &mut impl Context,
    ) {
        let Action::Amount(army) = action else { unreachable!("{action:?} divides no ronin") };
        self.reveal_divided(target, army, context);
        self.all_revealed(target);
    }

    fn all_revealed(&mut self, target: ProvinceId) -> Next {
        self.go_to(Point::FirstDie(target));
        self.open_window(6);
        Next::Go
    }
}
