//! Phases A and D: armies on the move; and the conquest move of Phase C, which leaves a province in the same way
//! (SW-WAR-A, SW-WAR-D-01..03, SW-WAR-C-12, SW-R-42..45).

use crate::action::{Action, ActionSink};
use crate::data::{ByUnit, ClanId, DAIMYO, PROV_MAX, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::play::levying::LEVIED;
use crate::state::{March, Phase, Point, State};

impl State {
    /// Begins Phase A or D: nothing has moved yet.
    pub(crate) fn start_moving(&mut self, phase: Phase) {
        for clan in &mut self.clans.0 {
            for army in &mut clan.armies {
                army.moved = false;
            }
        }
        self.enter_phase(phase, Point::ChooseArmy);
    }

    /// Ends Phase A or D: what was dropped or moved in it is a force like any other (SW-S-07).
    pub(crate) fn forget_moves(&mut self) {
        for province in &mut self.provinces.0 {
            province.moved = ByUnit::default();
        }
    }

    /// Armies of the active clan that may still move (SW-WAR-A-01).
    fn movable_armies(&self) -> impl Iterator<Item = u8> + '_ {
        (0..DAIMYO as u8).filter(|&army| {
            let army = self.army(self.active, army);
            army.is_led() && !army.moved
        })
    }

    pub(crate) fn legal_choosing_army(&self, out: &mut impl ActionSink) {
        if let Some(army) = self.must_move {
            out.add(Action::Army(army));
        } else {
            out.add(Action::Done);
            out.add_all(self.movable_armies().map(Action::Army));
        }
    }

    pub(crate) fn play_choosing_army(&mut self, action: Action, context: &mut impl Context) {
        if let Action::Army(army) = action {
            self.must_move = None;
            let steps = self.army(self.active, army).level();
            self.point = Point::Move { army, steps, picked: false };
        } else if self.phase == Phase::A {
            self.check_ronin(self.active, context);
            self.forget_moves();
            self.start_declaring();
        } else {
            self.go_to(Point::ChooseForce);
        }
    }

    /// Provinces the active clan's armies may enter in this phase, as a set (SW-WAR-A-02, SW-WAR-D-02).
    fn enterable(&self) -> u128 {
        let empty = if self.phase == Phase::D { self.empty_provinces() } else { 0 };
        self.owned(self.active) | empty
    }

    /// The set of provinces within `steps` steps of a province, itself included.
    fn within(&self, from: ProvinceId, steps: u8) -> u128 {
        let enterable = self.enterable();
        let mut reached = from.bit();
        for _ in 0..steps {
            reached |=
                Provinces(reached).fold(0, |set, province| set | self.map.neighbours(province.0)) & enterable;
        }
        reached
    }

    /// Whether an army could stop in a province, as if it stood there (SW-WAR-A-03, SW-R-44).
    fn may_stop(&self, army: u8, province: ProvinceId) -> bool {
        let armies = &self.clans[self.active].armies;
        let others = || (0..DAIMYO as u8).filter(move |&other| other != army);
        let beside = others().find(|&other| armies[usize::from(other)].province == Some(province));
        let Some(other) = beside else { return true };
        let pushed = &armies[usize::from(other)];
        if pushed.moved || !pushed.is_led() {
            return false;
        }
        // It must be moved next, so it needs somewhere to go with this army standing here.
        let taken = others().filter_map(|other| armies[usize::from(other)].province);
        let taken = taken.fold(province.bit(), |set, place| set | place.bit());
        self.within(province, pushed.level()) & !taken != 0
    }

    /// Whether an army that stands in a province with `steps` steps left can end its move somewhere (SW-R-44).
    fn may_end(&self, army: u8, province: ProvinceId, steps: u8) -> bool {
        self.may_stop(army, province)
            || (steps > 0 && Provinces(self.within(province, steps)).any(|place| self.may_stop(army, place)))
    }

    /// Where an army of the active clan stands.
    fn place_of_army(&self, army: u8) -> ProvinceId {
        let Some(place) = self.army(self.active, army).province else {
            unreachable!("army {army} is not on the board at {:?}", self.point)
        };
        place
    }

    /// The move under way.
    pub(crate) fn march_under_way(&self) -> March {
        let Some(march) = self.march else { unreachable!("no move at {:?}", self.point) };
        march
    }

    /// Whether the province that an army leaves still holds a regular unit of its owner (SW-R-43).
    pub(crate) fn others_remain(&self, army: u8) -> bool {
        let place = self.place_of_army(army);
        self.provinces[place].units.regulars() > 0 || self.army_beside(self.active, army).is_some()
    }

    /// Whether the army may leave where it stands: somebody else remains, or it has a garrison to leave.
    pub(crate) fn may_leave(&self, army: u8) -> bool {
        self.others_remain(army) || self.army(self.active, army).followers() > 0
    }

    pub(crate) fn advance_moving(&self, army: u8, steps: u8) -> Next {
        // Whether a stack lies here must not show, so a single way out is taken unasked only without any card.
        if self.has_cards(self.active) && self.steps_from(army, steps) != 0 {
            Next::Ask
        } else {
            Next::Choose
        }
    }

    /// Whether an army has nothing else to do than to stop. Where it may not stop, only a position from outside leaves it
    /// without a way out.
    fn is_stuck(&self, army: u8, steps: u8, picked: bool) -> bool {
        self.pick_ups(self.active, army, picked).next().is_none()
            && self.detachments(army) == 0
            && self.steps_from(army, steps) == 0
    }

    /// Empty provinces into which an army may detach units, as a set (SW-WAR-D-03).
    fn detachments(&self, army: u8) -> u128 {
        let army = self.army(self.active, army);
        match army.province {
            Some(place) if self.phase == Phase::D && army.followers() > 0 => {
                self.map.neighbours(place.0) & self.empty_provinces()
            }
            _ => 0,
        }
    }

    /// Provinces to which an army may take its next step, as a set.
    fn steps_from(&self, army: u8, steps: u8) -> u128 {
        match self.army(self.active, army).province {
            Some(place) if steps > 0 && self.may_leave(army) => {
                let near = Provinces(self.map.neighbours(place.0) & self.enterable());
                near.filter(|&to| self.may_end(army, to, steps - 1)).fold(0, |set, to| set | to.bit())
            }
            _ => 0,
        }
    }

    pub(crate) fn legal_moving(&self, army: u8, steps: u8, picked: bool, out: &mut impl ActionSink) {
        let place = self.place_of_army(army);
        if self.may_stop(army, place) || self.is_stuck(army, steps, picked) {
            out.add(Action::Stop);
        }
        out.add_all(self.pick_ups(self.active, army, picked));
        out.add_provinces(self.detachments(army));
        let hidden = self.provinces[place].hidden;
        let ways = || Provinces(self.steps_from(army, steps));
        out.add_all(
            std::iter::once_with(ways)
                .flatten()
                .flat_map(|to| (0..=hidden).map(move |hidden| Action::Step { to, hidden })),
        );
    }

    /// Units of the provincial force that an army may take into its boxes, and its ronin once a unit has joined
    /// (SW-WAR-A-06, SW-R-45); not units that were dropped in this phase (SW-R-91).
    pub(crate) fn pick_ups(&self, clan: ClanId, army: u8, picked: bool) -> impl Iterator<Item = Action> {
        let province = self.army(clan, army).province.map(|place| &self.provinces[place]);
        Unit::ALL
            .into_iter()
            .filter(move |&unit| {
                province.is_some_and(|province| province.units[unit] > province.moved[unit])
                    && (self.has_free_box(clan, army, unit) || (unit == Unit::Ronin && picked))
            })
            .map(Action::FromProvince)
    }

    /// An army takes over one unit of the provincial force where it stands.
    pub(crate) fn pick_up(&mut self, clan: ClanId, army: u8, unit: Unit, context: &mut impl Context) {
        let Some(place) = self.army(clan, army).province else {
            unreachable!("army {army} of {clan:?} is not on the board")
        };
        self.provinces[place].units[unit] -= 1;
        self.army_mut(clan, army).units[unit] += 1;
        if self.provinces[place].units.regulars() == 0 && clan == self.active {
            self.declared_forces[place] = None; // SW-R-70
        }
        let province = self.map.key(place.0);
        context.log(|| Event::PickedUp { clan, army: army + 1, province, unit });
    }

    pub(crate) fn play_moving(&mut self, army: u8, steps: u8, action: Action, context: &mut impl Context) {
        let clan = self.active;
        match action {
            Action::Stop => {
                self.army_mut(clan, army).moved = true;
                self.must_move = self.army_beside(clan, army);
                if self.must_move.is_none() {
                    self.open_window(if self.phase == Phase::A { 3 } else { 12 });
                }
                self.go_to(Point::ChooseArmy);
            }
            Action::FromProvince(unit) => {
                self.pick_up(clan, army, unit, context);
                self.point = Point::Move { army, steps, picked: true };
            }
            Action::Province(to) => self.point = Point::Detach { army, steps, to, count: 0 },
            Action::Step { to, hidden } => self.leave(army, to, hidden, steps - 1),
            _ => unreachable!("{action:?} moves no army"),
        }
    }

    /// The army sets out; what it leaves behind is settled before it arrives.
    pub(crate) fn leave(&mut self, army: u8, to: ProvinceId, hidden: u8, steps_left: u8) {
        let from = self.place_of_army(army);
        let units = ByUnit::default();
        self.march =
            Some(March { army: Some(army), from, to, hidden, rest: 0, units, into_army: ByUnit::default() });
        self.point = if self.others_remain(army) {
            Point::LeaveRonin(steps_left)
        } else {
            Point::Garrison { steps: steps_left, count: 0 }
        };
    }

    /// The army that is about to leave.
    pub(crate) fn marching_army(&self) -> u8 {
        let Some(army) = self.march_under_way().army else {
            unreachable!("no army moves at {:?}", self.point)
        };
        army
    }

    /// One regular unit of an army stays behind in, or is sent into, a province.
    fn drop_unit(&mut self, army: u8, unit: Unit, province: ProvinceId, context: &mut impl Context) {
        let clan = self.active;
        self.army_mut(clan, army).units[unit] -= 1;
        let key = self.map.key(province.0);
        context.log(|| Event::Dropped { clan, army: army + 1, province: key, unit });
        self.provinces[province].units[unit] += 1;
        if self.phase != Phase::C {
            self.provinces[province].moved[unit] += 1; // SW-R-74, SW-R-91
        }
    }

    /// Units an army may drop one after the other: 1 to 5 regulars, never the daimyo.
    pub(crate) fn legal_dropping(&self, army: u8, count: u8, out: &mut impl ActionSink) {
        if count > 0 {
            out.add(Action::Done);
        }
        let army = self.army(self.active, army);
        let may_drop = |&unit: &Unit| count < PROV_MAX && army.units[unit] > 0;
        out.add_all(LEVIED.into_iter().filter(may_drop).map(Action::FromArmy));
    }

    pub(crate) fn play_detaching(
        &mut self,
        army: u8,
        steps: u8,
        to: ProvinceId,
        count: u8,
        action: Action,
        context: &mut impl Context,
    ) {
        if let Action::FromArmy(unit) = action {
            self.drop_unit(army, unit, to, context);
            self.point = Point::Detach { army, steps, to, count: count + 1 };
            self.conquer_if_empty(to, context);
        } else {
            self.point = Point::Move { army, steps, picked: false };
        }
    }

    pub(crate) fn play_garrison(&mut self, steps: u8, count: u8, action: Action, context: &mut impl Context) {
        if let Action::FromArmy(unit) = action {
            self.drop_unit(self.marching_army(), unit, self.march_under_way().from, context);
            self.point = Point::Garrison { steps, count: count + 1 };
        } else {
            self.point = Point::LeaveRonin(steps);
        }
    }

    /// Ronin may stay with a provincial force, never with another army (SW-R-45).
    pub(crate) fn legal_leaving_ronin(&self, out: &mut impl ActionSink) {
        let force_stays = self.provinces[self.march_under_way().from].units.regulars() > 0;
        let ronin = self.army(self.active, self.marching_army()).units[Unit::Ronin];
        out.add_amounts(0, if force_stays { ronin } else { 0 });
    }

    pub(crate) fn play_leaving_ronin(&mut self, steps: u8, action: Action) {
        let Action::Amount(ronin) = action else { unreachable!("{action:?} leaves no ronin") };
        let march = self.march_under_way();
        let army = self.marching_army();
        self.army_mut(self.active, army).units[Unit::Ronin] -= ronin;
        self.provinces[march.from].units[Unit::Ronin] += ronin;
        self.point = Point::DivideRest(steps);
    }

    /// The army that stays in a province others are leaving.
    fn staying_army(&self, march: &March) -> Option<u8> {
        let armies = &self.clans[self.active].armies;
        (0..DAIMYO as u8)
            .find(|&army| Some(army) != march.army && armies[usize::from(army)].province == Some(march.from))
    }

    pub(crate) fn advance_dividing_rest(&mut self, context: &mut impl Context) -> Next {
        let mut march = self.march_under_way();
        if march.hidden > 0 {
            // A force that takes hidden ronin along turns the card over; the rest join the units that stay (SW-R-45).
            let stack = self.turn_over(march.from, context);
            march.rest = stack - march.hidden;
            match march.army {
                Some(army) => self.army_mut(self.active, army).units[Unit::Ronin] += march.hidden,
                None => march.units[Unit::Ronin] += march.hidden,
            }
            march.hidden = 0;
            self.march = Some(march);
        }
        Next::Choose
    }

    pub(crate) fn legal_dividing_rest(&self, out: &mut impl ActionSink) {
        let march = self.march_under_way();
        let force_stays = self.provinces[march.from].units.regulars() > 0;
        match (self.staying_army(&march), force_stays) {
            (Some(_), true) => out.add_amounts(0, march.rest),
            (Some(_), false) => out.add(Action::Amount(march.rest)),
            (None, _) => out.add(Action::Amount(0)),
        }
    }

    pub(crate) fn play_dividing_rest(&mut self, steps: u8, action: Action, context: &mut impl Context) {
        let Action::Amount(to_army) = action else { unreachable!("{action:?} divides no ronin") };
        let mut march = self.march_under_way();
        if let Some(army) = self.staying_army(&march) {
            self.army_mut(self.active, army).units[Unit::Ronin] += to_army;
        }
        self.provinces[march.from].units[Unit::Ronin] += march.rest - to_army;
        march.rest = 0;
        self.march = Some(march);
        self.arrive(steps, context);
    }

    /// The marching force arrives.
    fn arrive(&mut self, steps: u8, context: &mut impl Context) {
        let march = self.march_under_way();
        let Some(army) = march.army else {
            self.go_to(Point::IntoArmy(Unit::Bow));
            return;
        };
        self.march = None;
        let (clan, map) = (self.active, self.map);
        self.army_mut(clan, army).province = Some(march.to);
        let (from, to) = (map.key(march.from.0), map.key(march.to.0));
        context.log(|| Event::Step { clan, army: army + 1, from, to });
        if self.phase == Phase::C {
            self.go_to(Point::NextTarget);
            self.conquer_if_empty(march.to, context);
            if !self.is_over() {
                self.check_ronin(clan, context);
                self.open_window(10);
            }
        } else {
            self.go_to(Point::Move { army, steps, picked: false });
            self.conquer_if_empty(march.to, context);
        }
    }

    /// The first clan to move a unit into an empty province takes its card at once (SW-GEN-10, SW-WAR-C-16).
    pub(crate) fn conquer_if_empty(&mut self, province: ProvinceId, context: &mut impl Context) {
        if self.provinces[province].owner.is_none() {
            let (clan, key) = (self.active, self.map.key(province.0));
            self.set_owner(province, Some(clan));
            context.log(|| Event::Conquered { clan, province: key });
            self.look_for_conqueror(clan, context);
        }
    }
}
