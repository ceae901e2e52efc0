//! Values of things, in koku.

use sengoku_swords::Side;
use sengoku_swords::data::{ByUnit, ClanId, DAIMYO, ProvinceId, Unit, WIN, WIN_TWO};

use super::context::DecisionContext;

/// A unit: about what it costs. Ronin leave anyway, and what a daimyo is worth depends on how many there are.
pub(super) const fn unit_worth(unit: Unit) -> f64 {
    match unit {
        Unit::Bow => 0.9,
        Unit::Sword => 0.55,
        Unit::Gun => 0.5,
        Unit::Spear => 0.35,
        Unit::Ronin => 0.1,
        Unit::Daimyo => 0.0,
    }
}

/// Units together, daimyo not counted.
pub(in crate::swords) fn units_worth(units: &ByUnit<u8>) -> f64 {
    Unit::ALL.into_iter().map(|unit| unit_worth(unit) * f64::from(units[unit])).sum()
}

/// A side of a battle, daimyo and bonus units not counted.
pub(super) fn side_worth(side: &Side) -> f64 {
    units_worth(&side.provincial.units) + units_worth(&side.army.units)
}

/// A province taken, before the needs of its clan are considered.
const PROVINCE: f64 = 1.2;
/// A province that its owner loses and nobody takes.
const DENIED: f64 = 0.4;
/// A building that goes with a province.
const FORT: f64 = 0.4;
/// A success for a daimyo that can still learn.
const EXPERIENCE: f64 = 0.5;

impl DecisionContext<'_> {
    /// Provinces that a player needs to win.
    pub(super) fn goal(&self) -> u8 {
        if self.state.options.seats == 2 { WIN_TWO } else { WIN }
    }

    /// Provinces of the player of a clan.
    pub(super) fn provinces_of_player(&self, clan: ClanId) -> u8 {
        let allies = self.state.in_play().filter(|&other| !self.state.are_enemies(clan, other));
        allies.map(|ally| self.state.province_count(ally)).sum()
    }

    /// A further province for the own clan; the last ones before victory are worth more.
    pub(super) fn province_worth(&self) -> f64 {
        match self.missing(self.clan) {
            0..=3 => 3.0 * PROVINCE,
            4..=7 => 1.7 * PROVINCE,
            _ => PROVINCE,
        }
    }

    /// Daimyo of a clan that are not lost.
    pub(super) fn daimyo_count(&self, clan: ClanId) -> usize {
        self.state.clans[clan].armies.iter().filter(|army| !army.is_lost()).count()
    }

    /// One of the own daimyo: with the last one everything is lost.
    pub(super) fn own_daimyo_worth(&self) -> f64 {
        match self.daimyo_count(self.clan) {
            DAIMYO.. => 5.0,
            2 => 9.0,
            _ => 40.0,
        }
    }

    /// Value of killing one of a clan's daimyo; the killer of the last one gets everything.
    pub(super) fn kill_worth(&self, clan: ClanId) -> f64 {
        match self.daimyo_count(clan) {
            DAIMYO.. => 2.5,
            2 => 4.5,
            _ => 5.0 + f64::from(self.state.province_count(clan)) * self.province_worth(),
        }
    }

    /// How much of an enemy's loss is the own gain: all of it for two players, less when others profit too.
    pub(super) fn harm_share(&self) -> f64 {
        if self.rivals() == 1 { 0.9 } else { 0.5 }
    }

    /// Value of emptying an enemy province; `entered` when an own force can move in.
    pub(super) fn prize(&self, target: ProvinceId, entered: bool, by_army: bool) -> f64 {
        let province = &self.state.provinces[target];
        let Some(owner) = province.owner else { return 0.0 };
        // Whoever is about to win is everybody's enemy.
        let denied = match self.missing(owner) {
            0..=3 => 6.0,
            4..=8 => 2.5,
            _ => 1.0,
        };
        let mut worth = DENIED * denied;
        if entered {
            worth += self.province_worth();
            worth += FORT * f64::from(province.fort as u8);
        }
        if by_army {
            worth += EXPERIENCE;
        }
        if self.state.army_at(target).is_some() {
            worth += self.kill_worth(owner);
        }
        worth
    }
}
