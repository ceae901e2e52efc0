//! Action 3: build (SW-BUILD).

use crate::action::{Action, ActionSink};
use crate::data::{ClanId, Fort, Provinces};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Point, State};

impl State {
    /// Begins Action 3; the koku are spent whether or not anything is built (SW-R-20).
    pub(crate) fn start_building(&mut self) {
        for clan in &mut self.clans.0 {
            clan.koku -= clan.plan.build;
        }
        self.point = Point::Build;
    }

    /// Provinces in which a clan could put a castle or a base under one (SW-BUILD-01).
    fn sites(&self, clan: ClanId) -> impl Iterator<Item = crate::data::ProvinceId> {
        Provinces(self.owned(clan)).filter(|&province| self.provinces[province].fort != Fort::Fortress)
    }

    pub(crate) fn advance_building(&mut self, context: &mut impl Context) -> Next {
        let asked = |state: &Self, clan: ClanId| {
            state.clans[clan].plan.build > 0 && state.sites(clan).next().is_some()
        };
        if let Some(clan) = self.next_to_answer(asked) {
            self.decider = clan;
            return Next::Ask;
        }
        self.forget_answers();
        for clan in self.in_sword_order() {
            // Requests are served in sword order and stand as made (SW-BUILD-02, SW-R-21).
            let Some(province) = self.clans[clan].site.take() else { continue };
            let key = self.map.key(province.0);
            match self.pool.build(self.provinces[province].fort) {
                Some(fort) => {
                    self.provinces[province].fort = fort;
                    context.log(|| Event::Built { clan, province: key, fort });
                }
                None => context.log(|| Event::BuildRefused { clan, province: key }),
            }
        }
        self.start_buying();
        Next::Go
    }

    pub(crate) fn legal_building(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        out.add_all(self.sites(self.decider).map(Action::Province));
    }

    pub(crate) fn play_building(&mut self, action: Action) {
        let clan = &mut self.clans[self.decider];
        clan.answered = true;
        if let Action::Province(province) = action {
            clan.site = Some(province);
        }
    }
}
