//! Action 5: ronin, and what happens to them later (SW-RONIN, SW-R-31).

use crate::action::{Action, ActionSink};
use crate::data::{ClanId, ProvinceId, Provinces, Unit};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Point, State};

impl State {
    /// Begins Action 5: hiring in sword order (SW-RONIN-01, SW-RONIN-02).
    pub(crate) fn start_ronin(&mut self, context: &mut impl Context) {
        for clan in self.in_sword_order() {
            let koku = self.clans[clan].plan.ronin;
            let ronin = koku.saturating_mul(2).min(self.pool.ronin);
            self.pool.ronin -= ronin;
            self.clans[clan].koku -= koku;
            self.clans[clan].hired = ronin;
            if koku > 0 {
                context.log(|| Event::Hired { clan, ronin });
            }
        }
        self.point = Point::Ronin(0);
    }

    /// Most ronin a province can have (SW-RONIN-04).
    pub(crate) fn ronin_limit(&self, province: ProvinceId) -> u8 {
        self.forces_at(province).ronin_limit()
    }

    pub(crate) fn advance_placing_ronin(&mut self, context: &mut impl Context) -> Next {
        if self.point != Point::Ronin(0) {
            return Next::Ask; // in the middle of somebody's answer
        }
        // Forces are public, so a clan without a force to lead ronin is not asked.
        let asked = |state: &Self, clan: ClanId| {
            state.clans[clan].hired > 0
                && Provinces(state.owned(clan)).any(|province| state.ronin_limit(province) > 0)
        };
        if let Some(clan) = self.next_to_answer(asked) {
            self.decider = clan;
            return Next::Ask;
        }
        self.forget_answers();
        for clan in self.in_play() {
            let hired = std::mem::take(&mut self.clans[clan].hired);
            if hired == 0 {
                continue;
            }
            // Ronin that were not placed go back at once (SW-R-30).
            self.pool.ronin += hired - self.cards(clan).sum::<u8>();
            let cards = self.cards(clan);
            context.log(|| Event::Cards { clan, sizes: cards.collect() });
        }
        self.start_ninja(context);
        Next::Go
    }

    pub(crate) fn legal_placing_ronin(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        let room = |&province: &ProvinceId| self.provinces[province].hidden < self.ronin_limit(province);
        out.add_all(Provinces(self.owned(self.decider)).filter(room).map(Action::Province));
    }

    pub(crate) fn play_placing_ronin(&mut self, place: u8, action: Action) {
        if let Action::Province(province) = action {
            self.provinces[province].hidden += 1;
        }
        let clan = &mut self.clans[self.decider];
        clan.answered = place + 1 == clan.hired;
        self.point = Point::Ronin(if clan.answered { 0 } else { place + 1 });
    }

    /// Room for further ronin in the army and in the provincial force of a province.
    pub(crate) fn ronin_room(&self, province: ProvinceId) -> (u8, u8) {
        let forces = self.forces_at(province);
        let room = |force: crate::Force| force.ronin_limit().saturating_sub(force.units[Unit::Ronin]);
        (room(forces.army), room(forces.provincial))
    }

    /// Turns a hidden stack over and says how large it was.
    pub(crate) fn turn_over(&mut self, province: ProvinceId, context: &mut impl Context) -> u8 {
        let ronin = std::mem::take(&mut self.provinces[province].hidden);
        if let Some(clan) = self.provinces[province].owner.filter(|_| ronin > 0) {
            let key = self.map.key(province.0);
            context.log(|| Event::Revealed { clan, province: key, ronin });
        }
        ronin
    }

    /// Revealed ronin join the forces of a province.
    pub(crate) fn join(&mut self, province: ProvinceId, army: u8, provincial: u8) {
        self.provinces[province].units[Unit::Ronin] += provincial;
        if let Some((clan, number)) = self.army_at(province) {
            self.army_mut(clan, number).units[Unit::Ronin] += army;
        }
    }

    /// Ronin of a province go back to the pool.
    pub(crate) fn dismiss(&mut self, province: ProvinceId, ronin: u8, context: &mut impl Context) {
        if ronin > 0 {
            self.pool.ronin += ronin;
            let (map, owner) = (self.map, self.provinces[province].owner);
            if let Some(clan) = owner {
                context.log(|| Event::Dismissed { clan, province: map.key(province.0), ronin });
            }
        }
    }

    /// The check of SW-R-31 in all provinces of a clan: ronin over the limit are given up.
    pub(crate) fn check_ronin(&mut self, clan: ClanId, context: &mut impl Context) {
        if self.pool.ronin == crate::data::RONIN {
            return; // nobody has any
        }
        for province in Provinces(self.owned(clan)) {
            let forces = self.forces_at(province);
            let excess = |force: crate::Force| force.units[Unit::Ronin].saturating_sub(force.ronin_limit());
            let (army, provincial) = (excess(forces.army), excess(forces.provincial));
            if army + provincial > 0 {
                self.provinces[province].units[Unit::Ronin] -= provincial;
                if let Some((clan, number)) = self.army_at(province) {
                    self.army_mut(clan, number).units[Unit::Ronin] -= army;
                }
                self.dismiss(province, army + provincial, context);
            }
            let (army, provincial) = self.ronin_room(province);
            let hidden = self.provinces[province].hidden;
            if hidden > army + provincial {
                // Larger than both rooms together: it fills both up (SW-D-30).
                self.turn_over(province, context);
                self.join(province, army, provincial);
                self.dismiss(province, hidden - army - provincial, context);
            }
        }
    }

    /// Whether a clan has a face-down card anywhere: a public fact.
    pub(crate) fn has_cards(&self, clan: ClanId) -> bool {
        self.pool.ronin < crate::data::RONIN
            && Provinces(self.owned(clan)).any(|province| self.provinces[province].hidden > 0)
    }
}
