//! Phases A and D: where armies go, and which units they take along or leave.

use sengoku_swords::data::{ARMY_ASHIGARU, ARMY_SAMURAI, ProvinceId, Provinces, Unit};
use sengoku_swords::state::Phase;
use sengoku_swords::{Action, Force};

use super::context::{CHEAPEST, DecisionContext, cheapest};
use super::nearest;
use super::worth::unit_worth;
use crate::{best, place_of};

/// Followers an army keeps when it hands out units.
const ESCORT: u8 = 4;

impl DecisionContext<'_> {
    /// Any army that may move; the order hardly matters because each looks at where the others stand.
    pub(super) fn choose_army(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Army(army) => f64::from(self.state.army(self.clan, army).level()),
            _ => 0.0,
        })
    }

    /// Units of a province that an army there may still take up, the dearest first, leaving some behind.
    fn pick_up(&self, army: &mut Force, province: ProvinceId, leave: u8) {
        let place = &self.state.provinces[province];
        let mut there = place.units;
        for unit in CHEAPEST.into_iter().rev() {
            let mut free = place.units[unit].saturating_sub(place.moved[unit]);
            while free > 0 && there.regulars() > leave && has_box(army, unit) {
                army.units[unit] += 1;
                there[unit] -= 1;
                free -= 1;
            }
        }
        if there.regulars() < place.units.regulars() {
            army.units[Unit::Ronin] += there[Unit::Ronin];
        }
    }

    /// An army as it would leave a province: a cheap unit stays behind where no other does.
    pub(super) fn after_leaving(&self, army: u8, from: ProvinceId) -> Force {
        let mut force = self.with_stack(self.state.army(self.clan, army).force(), from);
        self.pick_up(&mut force, from, 1);
        let held = self.state.provinces[from].units.regulars() > 0
            || self.state.army_beside(self.clan, army).is_some();
        if !held && let Some(unit) = cheapest(&force.units) {
            force.units[unit] -= 1;
            force.units[Unit::Ronin] = force.units[Unit::Ronin].min(force.ronin_limit());
        }
        force
    }

    /// Value of ending an army's move in a province, as the force it would be on arrival.
    fn standing_worth(&self, mut force: Force, place: ProvinceId) -> f64 {
        if place.bit() & self.own != 0 {
            let leave = leave_behind(&force);
            self.pick_up(&mut force, place, leave);
        }
        let far = -0.05 * f64::from(self.steps_to_enemy(place));
        let open = self.open_targets();
        let (_, first, second) = self.best_target(force, place, open);
        if self.state.phase == Phase::A {
            // A place to attack from; there is still Phase D to get into safety.
            return first + 0.1 * second + far;
        }
        let taken = if place.bit() & self.empty == 0 { 0.0 } else { 0.5 * self.province_worth() };
        let danger = self.danger_to(force, place) * (self.own_daimyo_worth() + 2.0);
        far + taken + 0.25 * first - danger
    }

    /// Provinces where an army may end its move from here, as a set.
    fn ends_from(&self, place: ProvinceId, steps: u8) -> u128 {
        let empty = if self.state.phase == Phase::D { self.empty } else { 0 };
        let mut reached = place.bit();
        for _ in 0..steps {
            reached |= self.grown(reached) & (self.own | empty);
        }
        reached & !(self.state.army_provinces(self.clan) & !place.bit())
    }

    /// One decision of an army on the move: hand out units, pick up, go on or stop.
    pub(super) fn march(&self, army: u8, steps: u8, legal: &[Action]) -> usize {
        let Some(here) = self.state.army(self.clan, army).province else { return 0 };
        if let Some(place) = self.occupy(army, legal) {
            return place;
        }
        let stops = place_of(legal, Action::Stop);
        let leaving = self.after_leaving(army, here);
        let staying = self.with_stack(self.state.army(self.clan, army).force(), here);
        let mut found = (None, f64::NEG_INFINITY);
        if stops.is_some() {
            found.1 = self.standing_worth(staying, here) + 0.02; // moving about for nothing looks foolish
        }
        let mut seen = here.bit();
        for &action in legal {
            let Action::Step { to, hidden: 0 } = action else { continue };
            let ends = self.ends_from(to, steps - 1) & !seen;
            seen |= ends;
            for end in Provinces(ends) {
                let worth = self.standing_worth(leaving, end);
                if worth > found.1 {
                    found = (Some(to), worth);
                }
            }
        }
        let leave = match found.0 {
            Some(_) => 1,
            None => leave_behind(&staying),
        };
        if let Some(place) = self.next_pick_up(here, leave, legal) {
            return place;
        }
        match found.0 {
            Some(to) => step_to(to, &leaving, legal),
            // No step leads to a good end, but the army may not stay: any way out.
            None => stops.unwrap_or_else(|| best(legal, |action| f64::from(u8::from(is_step(action))))),
        }
    }

    /// The next unit to pick up, the dearest first, so that some stay behind.
    fn next_pick_up(&self, here: ProvinceId, leave: u8, legal: &[Action]) -> Option<usize> {
        let ronin = place_of(legal, Action::FromProvince(Unit::Ronin));
        if ronin.is_some() {
            return ronin;
        }
        if self.state.provinces[here].units.regulars() <= leave {
            return None;
        }
        CHEAPEST.into_iter().rev().find_map(|unit| place_of(legal, Action::FromProvince(unit)))
    }

    /// Phase D: an empty province for which the army has units to give, or which nobody else can enter.
    fn occupy(&self, army: u8, legal: &[Action]) -> Option<usize> {
        let followers = self.state.army(self.clan, army).followers();
        let about_to_win = self.missing(self.clan) <= 2;
        legal.iter().position(|&action| {
            let Action::Province(to) = action else { return false };
            let mut neighbours = Provinces(self.around(to) & self.own);
            if neighbours.any(|place| self.unmoved_spare(place) > 0) {
                return followers > 2 * ESCORT || about_to_win;
            }
            // Away from enemies one follower is enough to keep the daimyo from standing alone.
            followers > if self.is_front(to) { ESCORT } else { 1 } || about_to_win
        })
    }

    /// Units for a province that is taken.
    pub(super) fn detach(&self, army: u8, to: ProvinceId, count: u8, legal: &[Action]) -> usize {
        self.drop_cheap(army, to, count, legal)
    }

    /// Units for a province that is left.
    pub(super) fn leave_garrison(&self, count: u8, legal: &[Action]) -> usize {
        let Some(march) = self.state.march else { return 0 };
        self.drop_cheap(march.army.unwrap_or(0), march.from, count, legal)
    }

    /// One cheap unit after the other; a second one where an enemy is near and the army has many.
    fn drop_cheap(&self, army: u8, province: ProvinceId, count: u8, legal: &[Action]) -> usize {
        let many = self.state.army(self.clan, army).followers() > 2 * ESCORT && self.is_front(province);
        let wanted = if many { 2 } else { 1 };
        best(legal, |action| match action {
            Action::Done if count >= wanted => 0.0,
            Action::FromArmy(unit) => -unit_worth(unit),
            _ => -100.0,
        })
    }

    /// Ronin go with the army, as many as it leads.
    pub(super) fn leave_ronin(&self, legal: &[Action]) -> usize {
        let army = self.state.march.and_then(|march| march.army).unwrap_or(0);
        let force = self.state.army(self.clan, army).force();
        nearest(legal, force.units[Unit::Ronin].saturating_sub(force.ronin_limit()))
    }
}

/// Units that stay in a province when an army stops there: one, once the army is strong.
fn leave_behind(army: &Force) -> u8 {
    u8::from(army.units.regulars() > 2 * ESCORT)
}

/// A step, with as many of the hidden ronin as the army can lead.
pub(super) fn step_to(to: ProvinceId, force: &Force, legal: &[Action]) -> usize {
    let most = force.ronin_limit();
    best(legal, |action| match action {
        Action::Step { to: there, hidden } if there == to && hidden <= most => f64::from(hidden) + 1.0,
        Action::Step { to: there, .. } if there == to => 0.0,
        _ => -1.0,
    })
}

fn is_step(action: Action) -> bool {
    matches!(action, Action::Step { .. })
}

/// Whether a unit fits into an army (SW-COMP-03).
fn has_box(army: &Force, unit: Unit) -> bool {
    match unit {
        Unit::Bow | Unit::Sword => army.units[Unit::Bow] + army.units[Unit::Sword] < ARMY_SAMURAI,
        Unit::Gun | Unit::Spear => army.units[Unit::Gun] + army.units[Unit::Spear] < ARMY_ASHIGARU,
        Unit::Daimyo | Unit::Ronin => false,
    }
}
