//! The pieces of a deployment: how they are written, read and checked.

use sengoku_kernel::SetupError;

use super::Piece;
use super::deployment::Map;
use super::header::check_name;
use crate::data::{HexId, LEADERS, LeaderKind, MAX_UNITS, Side, UNITS, UnitKind};

/// Fewest units of an army.
const MIN_UNITS: usize = 4;

/// Reads the pieces of an army and checks them by themselves.
pub(super) fn read_pieces(
    side: Side,
    list: &[String],
    flags_to_win: u8,
    map: &mut Map,
) -> Result<(), SetupError> {
    let mut units = [0_u8; UnitKind::COUNT];
    let mut leaders = [0_u8; LeaderKind::COUNT];
    for (at, text) in list.iter().enumerate() {
        let wrong =
            |reason: String| SetupError::new(format!("{}[{at}]", side.name()), format!("{text:?}: {reason}"));
        let (mut piece, name) = read_piece(side, text).map_err(wrong)?;
        check_piece(&piece, map).map_err(wrong)?;
        if let Some(kind) = piece.unit {
            units[kind.index()] += 1;
            if units[kind.index()] > UNITS[kind.index()].in_the_box[side] {
                let most = UNITS[kind.index()].in_the_box[side];
                return Err(wrong(format!("the {} army has only {most} units {}", side.name(), kind.code())));
            }
        }
        if let Some(kind) = piece.leader {
            leaders[kind.index()] += 1;
            if leaders[kind.index()] > LEADERS[kind.index()].in_the_box[side] {
                let most = LEADERS[kind.index()].in_the_box[side];
                return Err(wrong(format!(
                    "the {} army has only {most} leaders {}",
                    side.name(),
                    kind.code()
                )));
            }
        }
        if let Some(name) = name {
            check_name("", name).map_err(|error| wrong(error.reason))?;
            if map.leader_named(side, name).is_some() {
                return Err(wrong("another leader of the army has this name".into()));
            }
            piece.name = Some(map.leader_names.len() as u8);
            map.leader_names.push(name.into());
        }
        map.pieces.push(piece);
    }
    let count: usize = units.iter().map(|&count| usize::from(count)).sum();
    let count = count - usize::from(units[UnitKind::Bodyguard.index()]);
    if count < MIN_UNITS.max(usize::from(flags_to_win)) {
        let reason =
            format!("{count} units, expected at least {MIN_UNITS} and at least flags_to_win, {flags_to_win}");
        return Err(SetupError::new(side.name(), reason));
    }
    Ok(())
}

/// Reads a piece like `SSp+LF(name)@1,4`.
fn read_piece(side: Side, text: &str) -> Result<(Piece, Option<&str>), String> {
    let (what, place) = text.rsplit_once('@').ok_or("write it like ASp@1,3 or SSp+LF(name)@1,4")?;
    let hex = HexId::parse(place)?;
    let (what, name) = match what.strip_suffix(')').and_then(|inner| inner.split_once('(')) {
        Some((what, name)) => (what, Some(name)),
        None => (what, None),
    };
    let (unit, leader) = match what.split_once('+') {
        Some(("AC", "BG")) => (Some(UnitKind::Bodyguard), Some(LeaderKind::Commander)),
        Some((unit, leader)) => (Some(read_unit(unit)?), Some(read_leader(leader)?)),
        None => match LeaderKind::of_code(what) {
            Some(leader) => (None, Some(leader)),
            None => (Some(read_unit(what)?), None),
        },
    };
    if name.is_some() && leader.is_none() {
        return Err("only leaders have names".into());
    }
    Ok((Piece { side, hex, unit, leader, name: None }, name))
}

fn read_unit(code: &str) -> Result<UnitKind, String> {
    let codes = || UNITS.each_ref().map(|row| row.code).join(", ");
    UnitKind::of_code(code).ok_or_else(|| format!("unknown unit {code:?}, expected one of {}", codes()))
}

fn read_leader(code: &str) -> Result<LeaderKind, String> {
    LeaderKind::of_code(code).ok_or_else(|| format!("unknown leader {code:?}, expected LF, LM or AC+BG"))
}

/// Whether a piece may stand where it does.
fn check_piece(piece: &Piece, map: &Map) -> Result<(), String> {
    let hex = piece.hex;
    let together = piece.unit == Some(UnitKind::Bodyguard) && piece.leader == Some(LeaderKind::Commander);
    if !together && (piece.unit == Some(UnitKind::Bodyguard) || piece.leader == Some(LeaderKind::Commander)) {
        return Err("commander and bodyguard stand together, write AC+BG".into());
    }
    if let (Some(unit), Some(leader)) = (piece.unit, piece.leader)
        && !leader.may_lead(unit)
    {
        return Err(format!("a {} cannot be with {} (BT-LEADERS-03)", leader.name(), unit.name()));
    }
    if let Some(other) = map.pieces.iter().find(|other| other.hex == hex) {
        return Err(format!("{hex} is taken by {} of the {} army", short(other), other.side.name()));
    }
    if map.impassable.contains(hex) {
        return Err(format!("{hex} is {} that no piece can enter", map.terrain[hex].name()));
    }
    if together && map.tents[piece.side] != Some(hex) {
        return Err(format!("the commander stands in his tent, and {hex} is not it (BT-ARMY-COMMANDER-01)"));
    }
    Ok(())
}

/// Checks that concern both armies together.
pub(super) fn check_pieces(map: &Map) -> Result<(), SetupError> {
    let units = map.pieces.iter().filter(|piece| piece.unit.is_some()).count();
    if units > MAX_UNITS {
        return Err(SetupError::new(
            "bottom",
            format!("{units} units of both armies, at most {MAX_UNITS} fit"),
        ));
    }
    for (at, piece) in map.pieces.iter().filter(|piece| piece.side == Side::Bottom).enumerate() {
        let near = |other: &&Piece| other.side == Side::Top && other.hex.is_next_to(piece.hex);
        if let Some(other) = map.pieces.iter().find(near) {
            let reason = format!(
                "{} at {} stands next to the enemy {} at {} before the battle begins",
                short(piece),
                piece.hex,
                short(other),
                other.hex
            );
            return Err(SetupError::new(format!("bottom[{at}]"), reason));
        }
    }
    Ok(())
}

/// A piece by its codes, e.g. `SSp+LF`.
pub fn short(piece: &Piece) -> String {
    match (piece.unit, piece.leader) {
        (Some(UnitKind::Bodyguard), _) => "AC+BG".into(),
        (Some(unit), Some(leader)) => format!("{}+{}", unit.code(), leader.code()),
        (Some(unit), None) => unit.code().into(),
        (None, leader) => leader.map_or("", LeaderKind::code).into(),
    }
}
