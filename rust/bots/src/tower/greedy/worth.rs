//! Values of things, in points until the end of the match.

use sengoku_tower::data::{Building, Effect, ProvinceId, Provinces, SeatId, Special};

use super::chances::Prospect;
use super::context::DecisionContext;

/// A building site that is still free, for each winter.
const SITE: f64 = 0.35;
/// A chest or a bag of rice of what a province yields, for each season to come.
const YIELD: f64 = 0.04;
/// The rice that a further province eats, for each winter.
const UPKEEP: f64 = 0.25;
/// Value of another player's loss, as a share of it.
const DENIED: f64 = 0.3;
/// An army on the board while there are seasons to come, and at the end.
const ARMY: (f64, f64) = (0.1, 0.01);
/// Chance in a season that a given neighbour attacks a given province.
const ATTACK: f64 = 0.1;
/// Value of an attack in a later season, as a share of its value now.
const LATER: f64 = 0.45;
/// More than what rounding makes of a value.
const ROUNDING: f64 = 1e-9;
/// Chance that a province is kept once it is conquered, where a closer look would take too long.
const KEPT: f64 = 0.8;

/// Points for buildings of a kind in a region (TW-SCORE-02).
pub(super) fn majority(building: Building, mine: u8, others: u8) -> f64 {
    match mine.cmp(&others) {
        _ if mine == 0 => 0.0,
        std::cmp::Ordering::Greater => f64::from(building.majority()),
        std::cmp::Ordering::Equal => f64::from(building.majority() - 1),
        std::cmp::Ordering::Less => 0.0,
    }
}

/// An attack on a province.
struct Attack {
    armies: f64,
    prospect: Prospect,
    /// Value of another player's loss.
    denied: f64,
    /// Armies left if it succeeds.
    left: f64,
}

impl DecisionContext<'_> {
    /// A province as it stands in own hands.
    pub(super) fn worth_of(&self, province: ProvinceId) -> f64 {
        let it = &self.state.provinces[province];
        let is_own = self.own & province.bit() != 0;
        let mut points = 1.0 - UPKEEP;
        for building in Building::ALL.into_iter().filter(|&building| it.has(building)) {
            let (mine, others) = self.built_there(building, province);
            let (with, without) = if is_own { (mine, mine - 1) } else { (mine + 1, mine) };
            points += 1.0 + majority(building, with, others) - majority(building, without, others);
        }
        let seasons = f64::from(self.seasons_left);
        if seasons > 0.0 {
            points += SITE * f64::from(self.map.sites(province).saturating_sub(it.buildings()));
        }
        let yields = f64::from(self.map.tax(province)) + f64::from(self.map.rice(province));
        self.winters * points + YIELD * seasons * (yields - 6.0)
    }

    /// Own and most foreign buildings of a kind in the region of a province.
    pub(super) fn built_there(&self, building: Building, province: ProvinceId) -> (u8, u8) {
        self.built[building as usize][usize::from(self.region_of[province.index()])]
    }

    /// Chance that what is built in an own province stays there.
    pub(super) fn chance_to_hold(&self, province: ProvinceId) -> f64 {
        1.0 - self.danger(province, self.armies(province)).min(0.6)
    }

    /// A building in an own province that is kept with some chance, costs apart.
    pub(super) fn building_worth(
        &self,
        building: Building,
        province: ProvinceId,
        chance_to_hold: f64,
    ) -> f64 {
        let (mine, others) = self.built_there(building, province);
        let now = majority(building, mine, others);
        let then = majority(building, mine + 1, others);
        // A longer lead is safer, and catching up is a step towards the next one.
        let lead = if mine > others + 1 { 0.05 } else { 0.15 } * f64::from(building.majority());
        let site = if self.seasons_left > 0 { SITE } else { 0.0 };
        self.winters * ((1.0 + then - now + lead) * chance_to_hold - site)
    }

    /// Armies that are lost or gained.
    pub(super) fn army_worth(&self) -> f64 {
        if self.seasons_left > 0 { ARMY.0 } else { ARMY.1 }
    }

    /// Value of another player's loss of a province.
    pub(super) fn denied(&self, province: ProvinceId) -> f64 {
        let it = &self.state.provinces[province];
        DENIED * self.winters * (1.0 + f64::from(it.buildings()))
    }

    /// Chance that a province is lost, by number of armies in it.
    pub(super) fn danger(&self, province: ProvinceId, armies: f64) -> f64 {
        let unrest = self.state.provinces[province].unrest;
        let mut danger = 0.0;
        for from in Provinces(self.enemies_around(province)) {
            let enemy = &self.state.provinces[from];
            if let Some(owner) = enemy.owner
                && enemy.armies > 1
            {
                let strength = f64::from(enemy.armies - 1);
                let prospect = self.tower.attack(owner, strength, self.me, armies, unrest);
                danger += ATTACK * (prospect.win + prospect.draw);
            }
        }
        let farmers = self.extra_farmers + f64::from(unrest);
        danger + self.drawn * self.tower.revolt(self.me, armies, farmers)
    }

    /// Value of an own province with a number of armies, considering its risks.
    pub(super) fn held(&self, province: ProvinceId, armies: f64) -> f64 {
        self.worth(province) * (1.0 - self.danger(province, armies).min(0.9))
    }

    /// The same, with what could be attacked from there in a later season.
    pub(super) fn stand(&self, province: ProvinceId, armies: f64) -> f64 {
        let held = self.held(province, armies) + self.army_worth() * 0.3 * armies;
        if self.seasons_left == 0 || armies < 2.0 {
            return held;
        }
        let targets = self.state.neighbours(province) & !self.own;
        let mut best = 0.0_f64;
        for to in Provinces(targets) {
            let then = KEPT * self.worth(to);
            // No attack is worth more than the province, what others lose and the one army that a card may add.
            if then.max(0.0) + self.denied(to) + self.army_worth() + ROUNDING > best {
                best = best.max(self.gain(&self.attack_on(to, armies - 1.0), then));
            }
        }
        held + LATER * best
    }

    /// Value of an attack on a province, independent of its origin; where that is less than `least`, any number that is
    /// less, because a province and the risks of keeping it take long to look at.
    pub(super) fn conquest(&self, to: ProvinceId, armies: f64, least: f64) -> f64 {
        let attack = self.attack_on(to, armies);
        // No province is worth more than without any risk.
        let most = self.gain(&attack, self.worth(to).max(0.0));
        if most < least - ROUNDING { most } else { self.gain(&attack, self.held(to, attack.left)) }
    }

    fn attack_on(&self, to: ProvinceId, armies: f64) -> Attack {
        let state = self.state;
        let more = |seat: SeatId, special| f64::from(u8::from(state.players[seat].special == Some(special)));
        let thrown = armies + more(self.me, Special::AttackPlus1);
        let it = &state.provinces[to];
        let (prospect, denied) = if let Some(owner) = it.owner {
            let mut defenders = f64::from(it.armies) + more(owner, Special::DefencePlus1);
            if it.castle && state.effect() == Some(Effect::CastleDefence) {
                defenders += 1.0;
            }
            (self.tower.attack(self.me, thrown, owner, defenders, it.unrest), self.denied(to))
        } else {
            let two = state.effect() == Some(Effect::NeutralTwoFarmers);
            (self.tower.settle(self.me, thrown, if two { 2.0 } else { 1.0 }), 0.0)
        };
        Attack { armies, prospect, denied, left: prospect.left.min(thrown) }
    }

    /// Value of an attack if the province with the armies left is worth `then`.
    fn gain(&self, attack: &Attack, then: f64) -> f64 {
        let &Attack { armies, prospect, denied, left } = attack;
        let gain = prospect.win * (then + denied) + prospect.draw * denied;
        gain - self.army_worth() * (armies - prospect.win * left)
    }
}
