//! The account of a fought strike as text.

use std::fmt::Write;

use sengoku_battles::data::Terrain;
use sengoku_battles::odds::{
    Event, Fight, FightStep, LeaderEnd, Outcome, Piece, PieceKind, Role, Strike, What,
};

fn counted(number: u8, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// `3 ASp with LF in forest`.
pub(super) fn piece(piece: &Piece) -> String {
    let mut text = match piece.kind {
        PieceKind::Unit(kind) => format!("{} {}", piece.blocks, kind.code()),
        PieceKind::Leader(kind) => format!("lone {}", kind.code()),
    };
    if let Some(leader) = piece.leader {
        let _ = write!(text, " with {}", leader.code());
    }
    let place = match piece.terrain {
        Terrain::Open | Terrain::Tent => return text,
        Terrain::Hill | Terrain::Bridge => "on a",
        _ => "in",
    };
    let _ = write!(text, " {place} {}", piece.terrain.code());
    text
}

fn faces(step: &FightStep) -> String {
    let letters: Vec<String> = step.faces.iter().map(|face| face.letter().to_string()).collect();
    letters.join(" ")
}

fn line(step: &FightStep) -> String {
    let side = step.role.name();
    let blocks = || counted(step.blocks, "block");
    match step.what {
        What::Inspire => format!("{side} pays {} honor to inspire", -step.honor),
        What::FirstStrike | What::Attack | What::BattleBack => {
            let does = match step.what {
                What::FirstStrike => "strikes first",
                What::Attack => "attacks",
                _ => "battles back",
            };
            let (hits, flags) = (counted(step.hits, "hit"), counted(step.flags, "flag"));
            format!("{side} {does}, {}: {hits}, {flags}, {} honor", faces(step), step.honor)
        }
        What::Losses => format!("{side} loses {}", blocks()),
        What::Honor => format!("{side} gains {} honor", step.honor),
        What::LeaderCheck => {
            let falls = if step.hits > 0 { "who falls" } else { "who lives" };
            format!("{side} rolls for the enemy leader, {}: {falls}", faces(step))
        }
        What::LeaderFalls => format!("{side}'s leader falls"),
        What::Surrender => format!("{side}'s bodyguard surrenders, {}", blocks()),
        What::Flags => format!("{side} ignores {}", counted(step.flags, "flag")),
        What::Castle => format!("{side} holds the castle and loses {}", blocks()),
        What::Retreat => {
            let mut text = match step.hexes {
                0 => format!("{side} cannot retreat"),
                1 => format!("{side} retreats 1 hex"),
                hexes => format!("{side} retreats {hexes} hexes"),
            };
            if step.blocks > 0 {
                let _ = write!(text, ", loses {}", blocks());
            }
            if step.hexes > 0 {
                let _ = write!(text, ", pays {} honor", -step.honor);
            }
            text
        }
        What::LeaderRetreat => format!("{side}'s leader retreats alone, pays {} honor", -step.honor),
        What::Seppuku => format!("{side}'s leader commits seppuku, {} honor", step.honor),
        What::LackOfHonor => format!("{side} lacks honor, {}", faces(step)),
    }
}

fn left(strike: &Strike, outcome: &Outcome, role: Role) -> String {
    let (before, after) = (strike.piece(role), &outcome[role]);
    let mut parts = Vec::new();
    if after.blocks > 0 {
        parts.push(format!("{} {}", after.blocks, before.kind.code()));
    }
    match after.leader {
        LeaderEnd::None | LeaderEnd::Eliminated | LeaderEnd::Seppuku => {}
        LeaderEnd::Stands | LeaderEnd::Retreated => {
            let code = before.leader.map_or(before.kind.code(), |leader| leader.code());
            parts.push(code.into());
        }
    }
    let left = if parts.is_empty() { "nobody".into() } else { parts.join(" with ") };
    let banners = match after.banners {
        0 => String::new(),
        banners => format!(" and {}", counted(banners, "banner")),
    };
    format!("the {} has {left}{banners}", role.name())
}

/// The account of a strike: the pieces, every roll and its effect, and what is left.
pub(super) fn account(strike: &Strike, fight: &Fight) -> String {
    let setup = strike.setup();
    let attackers: Vec<String> = setup.attackers.iter().map(piece).collect();
    let kind = if strike.is_ranged() { "shot" } else { "melee" };
    let mut text = format!("{kind} of {}\nagainst {}\n", attackers.join(" and "), piece(&setup.defender));
    for step in &fight.steps {
        let _ = writeln!(text, "  {}", line(step));
    }
    let [attacker, defender] = Role::ALL.map(|role| left(strike, &fight.outcome, role));
    let _ = write!(text, "{attacker}, {defender}");
    if strike.came(Event::TakesGround, &fight.outcome) {
        text.push_str("; ground may be taken");
    }
    text
}
