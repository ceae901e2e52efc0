//! The account of a fought battle as text.

use std::fmt::Write;

use sengoku_swords::data::Unit;
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{Battle, Fight, FightStep, Force, Losses, Side};

/// The order in which people name units.
pub(super) const NAMED: [Unit; 6] =
    [Unit::Daimyo, Unit::Bow, Unit::Gun, Unit::Sword, Unit::Spear, Unit::Ronin];

/// `1 daimyo, 2 bow, 3 spear`; the empty force is `nobody`.
pub(super) fn units(count: impl Fn(Unit) -> u8) -> String {
    let parts: Vec<String> = NAMED
        .into_iter()
        .filter(|&unit| count(unit) > 0)
        .map(|unit| format!("{} {}", count(unit), unit.name()))
        .collect();
    if parts.is_empty() { "nobody".into() } else { parts.join(", ") }
}

fn force(force: &Force) -> String {
    let units = units(|unit| force.units[unit]);
    if force.disrupted { format!("{units} (disrupted)") } else { units }
}

fn side(side: &Side) -> String {
    let mut parts: Vec<String> =
        [&side.army, &side.provincial].into_iter().filter(|f| !f.is_empty()).map(force).collect();
    if side.bonus > 0 {
        parts.push(format!("{} of the {}", side.bonus, side.fort.name()));
    }
    if parts.is_empty() { "nobody".into() } else { parts.join(" and ") }
}

fn lost(losses: &Losses) -> String {
    let mut parts = Vec::new();
    if losses.bonus > 0 {
        parts.push(format!("{} bonus", losses.bonus));
    }
    if losses.total() > losses.bonus {
        parts.push(units(|unit| losses.of(unit)));
    }
    parts.join(", ")
}

const fn step_name(step: u8) -> &'static str {
    match step {
        1 => "bowmen",
        2 => "gunners",
        4 => "daimyo",
        5 => "swordsmen and ronin",
        _ => "spearmen",
    }
}

fn line(step: &FightStep) -> String {
    let side = step.role.name();
    match step.step {
        3 | 7 => {
            let wasted = step.hits - step.losses.total();
            let wasted = if wasted > 0 { format!(" ({wasted} more than needed)") } else { String::new() };
            format!("{side} loses {}{wasted}", lost(&step.losses))
        }
        8 => format!("{side} calls the battle off"),
        number => {
            let dice: Vec<String> = step.dice.iter().map(ToString::to_string).collect();
            let hits = match step.hits {
                0 => "no hit".into(),
                1 => "1 hit".into(),
                hits => format!("{hits} hits"),
            };
            format!("{side}'s {} roll {}: {hits}", step_name(number), dice.join(" "))
        }
    }
}

/// The account of a battle: the forces, every roll and every loss, and what is left.
pub(super) fn account(battle: &Battle, fight: &Fight) -> String {
    let kind = if battle.naval() { "naval attack" } else { "attack" };
    let mut text = format!(
        "{kind} by {}\nagainst {}\n",
        side(battle.side(Role::Attacker)),
        side(battle.side(Role::Defender))
    );
    let mut round = None;
    for step in &fight.steps {
        if round != Some(step.round) {
            round = Some(step.round);
            let title = if step.round == 0 { "first strike".into() } else { format!("round {}", step.round) };
            let _ = writeln!(text, "{title}");
        }
        let _ = writeln!(text, "  step {}  {}", step.step, line(step));
    }
    let _ = match fight.end {
        BattleEnd::Attacker => write!(text, "the attacker wins with {} left", side(&fight.attacker)),
        BattleEnd::Defender => write!(text, "the defender holds with {} left", side(&fight.defender)),
        BattleEnd::Nobody => write!(text, "nobody is left"),
        BattleEnd::CalledOff => {
            write!(text, "called off: {} against {}", side(&fight.attacker), side(&fight.defender))
        }
    };
    text
}
