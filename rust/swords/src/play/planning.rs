//! Action 1: plan, and the spy (SW-PLAN).

use crate::action::{Action, ActionSink};
use crate::data::{BUILD_COST, ClanId};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Plan, PlanBox, Point, State};

impl State {
    /// Begins the planning of a round.
    pub(crate) fn start_planning(&mut self) {
        for clan in &mut self.clans.0 {
            (clan.plan, clan.committed) = (Plan::default(), false);
        }
        self.point = Point::Plan(PlanBox::Swords);
    }

    pub(crate) fn advance_planning(&mut self, context: &mut impl Context) -> Next {
        if self.point != Point::Plan(PlanBox::Swords) {
            return Next::Ask; // in the middle of somebody's answer
        }
        let holder = self.ninja;
        let waiting = |state: &Self, clan: ClanId| !state.clans[clan].committed;
        if let Some(clan) = self.in_play().find(|&clan| Some(clan) != holder && waiting(self, clan)) {
            self.decider = clan;
            return Next::Ask;
        }
        // The holder plans last, and may look before (SW-PLAN-04).
        if let Some(clan) = holder.filter(|&clan| waiting(self, clan)) {
            self.decider = clan;
            if !std::mem::replace(&mut self.clans[clan].answered, true) {
                self.point = Point::Spy;
            }
            return Next::Ask;
        }
        self.forget_answers();
        self.reveal_plans(context);
        Next::Go
    }

    /// All plans are public now, and the ninja goes back (SW-PLAN-03, SW-PLAN-05).
    fn reveal_plans(&mut self, context: &mut impl Context) {
        (self.ninja, self.spied) = (None, None);
        for clan in self.in_play() {
            let plan = self.clans[clan].plan;
            context.log(|| Event::Plan { clan, plan });
        }
        self.start_swords();
    }

    pub(crate) fn legal_planning(&self, out: &mut impl ActionSink) {
        let clan = self.decider;
        let left = self.clans[clan].koku - self.clans[clan].plan.total();
        match self.point {
            Point::Spy => {
                out.add(Action::Pass);
                out.add_all(self.in_play().filter(|&other| self.are_enemies(clan, other)).map(Action::Clan));
            }
            Point::Plan(PlanBox::Build) => {
                out.add(Action::Amount(0));
                out.add_all((left >= BUILD_COST).then_some(Action::Amount(BUILD_COST)));
            }
            _ => out.add_amounts(0, left),
        }
    }

    pub(crate) fn play_spying(&mut self, action: Action, context: &mut impl Context) {
        if let Action::Clan(on) = action {
            let clan = self.decider;
            self.spied = Some(on);
            context.log(|| Event::Spied { clan, on });
        }
        self.point = Point::Plan(PlanBox::Swords);
    }

    pub(crate) fn play_planning(&mut self, place: PlanBox, action: Action) {
        let Action::Amount(koku) = action else { unreachable!("{action:?} plans no koku") };
        let clan = &mut self.clans[self.decider];
        *clan.plan.get_mut(place) = koku;
        self.point = Point::Plan(match place {
            PlanBox::Swords => PlanBox::Build,
            PlanBox::Build => PlanBox::Levy,
            PlanBox::Levy => PlanBox::Ronin,
            PlanBox::Ronin | PlanBox::Ninja => {
                // Every koku must be placed, so the rest is for the ninja (SW-PLAN-01).
                clan.plan.ninja = clan.koku - clan.plan.total();
                clan.committed = true;
                PlanBox::Swords
            }
        });
    }
}
