//! Units, buildings and plans as words.

use sengoku_swords::data::{ByUnit, ClanId, Fort, Unit};
use sengoku_swords::state::Plan;

use crate::story::{count, list};

pub(super) fn clan_text(clan: ClanId) -> String {
    format!("clan {}", clan.0)
}

pub(super) const fn unit_text(unit: Unit) -> &'static str {
    match unit {
        Unit::Bow => "bowman",
        Unit::Gun => "gunner",
        Unit::Daimyo => "daimyo",
        Unit::Sword => "swordsman",
        Unit::Ronin => "ronin",
        Unit::Spear => "spearman",
    }
}

pub(super) fn units_text(units: ByUnit<u8>) -> String {
    let many = |unit| match unit {
        Unit::Bow => "bowmen",
        Unit::Gun => "gunners",
        Unit::Daimyo => "daimyo",
        Unit::Sword => "swordsmen",
        Unit::Ronin => "ronin",
        Unit::Spear => "spearmen",
    };
    let there = Unit::ALL.into_iter().filter(|&unit| units[unit] > 0);
    list(&there.map(|unit| count(units[unit], unit_text(unit), many(unit))).collect::<Vec<_>>())
}

/// Units lost; bonus units of a building are nobody's.
pub(super) fn losses_text(bonus: u8, units: ByUnit<u8>) -> String {
    let bonus = (bonus > 0).then(|| count(bonus, "bonus unit", "bonus units"));
    let regular = (units.total() > 0).then(|| units_text(units));
    list(&bonus.into_iter().chain(regular).collect::<Vec<_>>())
}

pub(super) const fn fort_text(fort: Fort) -> &'static str {
    match fort {
        Fort::None => "building",
        Fort::Castle => "castle",
        Fort::Fortress => "fortress",
    }
}

/// Who rolls in a combat step (SW-WAR-C-04).
pub(super) const fn step_text(step: u8) -> &'static str {
    match step {
        1 => "bows",
        2 => "guns",
        4 => "daimyo",
        5 => "swords and ronin",
        _ => "spears",
    }
}

pub(super) fn plan_text(plan: Plan) -> String {
    let Plan { swords, build, levy, ronin, ninja } = plan;
    let boxes =
        [(swords, "swords"), (build, "building"), (levy, "levies"), (ronin, "ronin"), (ninja, "the ninja")];
    let paid: Vec<String> = boxes
        .into_iter()
        .filter(|&(koku, _)| koku > 0)
        .map(|(koku, what)| format!("{koku} koku for {what}"))
        .collect();
    list(&paid)
}
