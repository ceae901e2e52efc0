//! Board files: how one is read and checked.

use std::collections::BTreeMap;

use sengoku_kernel::{Registered, SetupError, read_setup};
use serde::Deserialize;

use super::{Board, EventCard, FavourCard, LinkEvidence, Map, Province, StartArmies, SupplyRow, Tracks};
use crate::data::{
    EVENTS, FAVOURS, FILL_ARMIES, FavourKind, IN_THE_BOX, MAX_GROUP, MAX_GROUPS, MAX_PLAYERS, MIN_PLAYERS,
    PROVINCES, ProvinceId, REGIONS,
};

/// Longest id and longest name, in characters; they are written into a cell of the picture.
const MAX_NAME: usize = 24;
/// Most of anything that a card gives or a province yields.
const MAX_AMOUNT: u8 = 50;
/// Words that stand for something else where the id of a province could stand.
const RESERVED: [&str; 8] =
    ["empty", "face_down", "tower", "treasure_0", "treasure_1", "treasure_2", "treasure_3", "treasure_4"];

/// A side of the board as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideRows {
    name: String,
    left_out_with_three: Vec<String>,
    regions_source: String,
    borders_source: String,
    #[serde(default)]
    link_evidence: Vec<LinkEvidence>,
    province: Vec<Province>,
}

/// The army groups by number of players (TW-COMP-02).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Groups {
    source: String,
    three: Vec<u8>,
    four: Vec<u8>,
    five: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct StartRow {
    players: u8,
    seat: String,
    source: String,
    armies: BTreeMap<String, u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema_version: u32,
    region_ids: Vec<String>,
    sun: SideRows,
    moon: SideRows,
    army_groups: Groups,
    start_setup: Vec<StartRow>,
    supply_table: Vec<SupplyRow>,
    tracks: Tracks,
    event: Vec<EventCard>,
    favour: Vec<FavourCard>,
}

impl Board {
    /// Reads and checks a text, and keeps nothing.
    pub(crate) fn read(text: &str) -> Result<Self, SetupError> {
        let value = Self::read_toml(text)?;
        let content = value.to_string();
        let file: File = read_setup(&value)?;
        if file.schema_version != 1 {
            let reason = format!("{} is unknown, this build reads 1", file.schema_version);
            return Err(SetupError::new("schema_version", reason));
        }
        if file.region_ids.len() != REGIONS {
            let reason = format!("{} regions instead of {REGIONS}", file.region_ids.len());
            return Err(SetupError::new("region_ids", reason));
        }
        file.region_ids.iter().try_for_each(|id| check_name("region_ids", id))?;
        let ids: Vec<String> = file.sun.province.iter().map(|province| province.id.clone()).collect();
        let sun = read_side(file.sun, &file.region_ids, &ids).map_err(|error| error.within("sun"))?;
        let moon = read_side(file.moon, &file.region_ids, &ids).map_err(|error| error.within("moon"))?;
        let groups = [file.army_groups.three, file.army_groups.four, file.army_groups.five];
        for (players, groups) in (MIN_PLAYERS as u8..).zip(&groups) {
            check_groups(groups, players, [&sun, &moon])?;
        }
        let starts = read_starts(&file.start_setup, &sun, &ids)?;
        check_supply(&file.supply_table)?;
        check_events(&file.event)?;
        check_favours(&file.favour)?;
        let digest = sengoku_kernel::digest(content.bytes());
        Ok(Self {
            regions: file.region_ids,
            sides: [sun, moon],
            groups,
            starts,
            supply: file.supply_table,
            tracks: file.tracks,
            events: file.event,
            favours: file.favour,
            content,
            digest,
        })
    }
}

/// A name that can be shown on one line.
fn check_name(field: &str, text: &str) -> Result<(), SetupError> {
    let count = text.chars().count();
    if text.trim().is_empty() || count > MAX_NAME || text.chars().any(char::is_control) {
        return Err(SetupError::new(field, format!("{text:?}, expected 1 to {MAX_NAME} plain characters")));
    }
    Ok(())
}

fn read_side(rows: SideRows, regions: &[String], ids: &[String]) -> Result<Map, SetupError> {
    let wrong = |field: String, reason: String| Err(SetupError::new(field, reason));
    if rows.province.len() != PROVINCES {
        return wrong("province".into(), format!("{} entries instead of {PROVINCES}", rows.province.len()));
    }
    check_name("name", &rows.name)?;
    let find = |field: String, id: &str| {
        let at = ids.iter().position(|known| known == id);
        at.ok_or_else(|| SetupError::new(field, format!("there is no province {id:?}")))
    };
    let mut map = Map {
        name: rows.name,
        regions_source: rows.regions_source,
        borders_source: rows.borders_source,
        link_evidence: rows.link_evidence,
        provinces: Vec::new(),
        land: [0; PROVINCES],
        sea: [0; PROVINCES],
        next: [0; PROVINCES],
        regions: [0; REGIONS],
        left_out: 0,
        tax: [0; PROVINCES],
        rice: [0; PROVINCES],
        sites: [0; PROVINCES],
    };
    for (at, row) in rows.province.iter().enumerate() {
        let field = |name: &str| format!("province[{at}].{name}");
        check_name(&field("id"), &row.id)?;
        check_name(&field("name"), &row.name)?;
        if row.id != ids[at] {
            return wrong(field("id"), format!("{:?} instead of {:?}, as on the sun side", row.id, ids[at]));
        }
        if at > 0 && row.id <= ids[at - 1] {
            return wrong(
                field("id"),
                format!("{:?} is not behind {:?} in the alphabet", row.id, ids[at - 1]),
            );
        }
        if RESERVED.contains(&row.id.as_str()) {
            return wrong(field("id"), format!("{:?} has another meaning", row.id));
        }
        let Some(region) = regions.iter().position(|region| *region == row.region) else {
            return wrong(field("region"), format!("there is no region {:?}", row.region));
        };
        map.regions[region] |= 1 << at;
        if !(1..=3).contains(&row.sites) {
            return wrong(field("sites"), format!("{}, 1 to 3 are possible", row.sites));
        }
        for (name, value) in [("tax", row.tax), ("rice", row.rice)] {
            if value > MAX_AMOUNT {
                return wrong(field(name), format!("{value}, at most {MAX_AMOUNT}"));
            }
        }
        (map.tax[at], map.rice[at], map.sites[at]) = (row.tax, row.rice, row.sites);
        for (kind, list, set) in [("land", &row.land, &mut map.land), ("sea", &row.sea, &mut map.sea)] {
            for id in list {
                let other = find(field(kind), id)?;
                if other == at {
                    return wrong(field(kind), format!("{id:?} is the province itself"));
                }
                set[at] |= 1 << other;
            }
        }
        map.left_out |= u64::from(row.left_out_with_three) << at;
    }
    let mut listed = 0;
    for (at, id) in rows.left_out_with_three.iter().enumerate() {
        listed |= 1_u64 << find(format!("left_out_with_three[{at}]"), id)?;
    }
    if listed != map.left_out {
        let at = (listed ^ map.left_out).trailing_zeros() as usize;
        let reason = format!("the list and the provinces disagree about {:?}", ids[at]);
        return wrong("left_out_with_three".into(), reason);
    }
    for at in 0..PROVINCES {
        map.next[at] = map.land[at] | map.sea[at];
        for (kind, set) in [("land", &map.land), ("sea", &map.sea)] {
            if let Some(other) = (0..PROVINCES).find(|&other| set[at] >> other & 1 != set[other] >> at & 1) {
                let reason = format!("{:?} and {:?} do not name each other", ids[at], ids[other]);
                return wrong(format!("province[{at}].{kind}"), reason);
            }
        }
    }
    map.provinces = rows.province;
    Ok(map)
}

fn check_groups(groups: &[u8], players: u8, sides: [&Map; 2]) -> Result<(), SetupError> {
    let name = ["three", "four", "five"][usize::from(players) - MIN_PLAYERS];
    let wrong = |reason: String| Err(SetupError::new(format!("army_groups.{name}"), reason));
    if groups.is_empty() || groups.len() > MAX_GROUPS {
        return wrong(format!("{} groups, 1 to {MAX_GROUPS} are possible", groups.len()));
    }
    if let Some(size) = groups.iter().find(|&&size| size == 0 || size > MAX_GROUP) {
        return wrong(format!("a group of {size}, 1 to {MAX_GROUP} are possible"));
    }
    if groups.windows(2).any(|pair| pair[0] < pair[1]) {
        return wrong("the largest group comes first".into());
    }
    let armies: u16 = groups.iter().map(|&size| u16::from(size)).sum();
    if armies + FILL_ARMIES > IN_THE_BOX[0] {
        return wrong(format!(
            "{armies} armies and {FILL_ARMIES} for the tower, there are {}",
            IN_THE_BOX[0]
        ));
    }
    // Two open cards and a deck to draw from until the last group is placed (TW-R-10).
    let cards = groups.len() * usize::from(players) + 2;
    if let Some(map) = sides.into_iter().find(|map| (map.in_play(players).count_ones() as usize) < cards) {
        return wrong(format!("{cards} province cards are needed on the {} side", map.name));
    }
    Ok(())
}

fn read_starts(rows: &[StartRow], sun: &Map, ids: &[String]) -> Result<[Vec<StartArmies>; 3], SetupError> {
    let mut starts: [Vec<StartArmies>; 3] = Default::default();
    for (at, row) in rows.iter().enumerate() {
        let field = |name: &str| format!("start_setup[{at}].{name}");
        let wrong = |name: &str, reason: String| Err(SetupError::new(field(name), reason));
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&usize::from(row.players)) {
            return wrong("players", format!("{}, 3 to 5 can play", row.players));
        }
        let table = &mut starts[usize::from(row.players) - MIN_PLAYERS];
        let next = char::from(b'A' + table.len() as u8);
        if table.len() == usize::from(row.players) || row.seat != next.to_string() {
            return wrong("seat", format!("{:?}, seats are listed in order from \"A\"", row.seat));
        }
        let mut armies = Vec::new();
        for (id, &count) in &row.armies {
            let Some(province) = ids.iter().position(|known| known == id).map(|at| ProvinceId(at as u8))
            else {
                return wrong("armies", format!("there is no province {id:?}"));
            };
            let taken = table.iter().flatten().any(|&(other, _)| other == province);
            if taken || count == 0 || sun.in_play(row.players) & province.bit() == 0 {
                return wrong("armies", format!("{count} in {id:?}, which is taken or not in play"));
            }
            armies.push((province, count));
        }
        let sum: u16 = armies.iter().map(|&(_, count)| u16::from(count)).sum();
        if sum + FILL_ARMIES > IN_THE_BOX[0] {
            return wrong("armies", format!("{sum} armies and {FILL_ARMIES} for the tower, too many"));
        }
        armies.sort_unstable();
        table.push(armies);
    }
    for (players, table) in (MIN_PLAYERS..).zip(&starts) {
        if table.len() != players {
            let reason = format!("{} seats for {players} players", table.len());
            return Err(SetupError::new("start_setup", reason));
        }
    }
    Ok(starts)
}

fn check_supply(rows: &[SupplyRow]) -> Result<(), SetupError> {
    let mut next = 1;
    for (at, row) in rows.iter().enumerate() {
        let wrong = |name: &str, reason| Err(SetupError::new(format!("supply_table[{at}].{name}"), reason));
        if row.shortage_min != next || row.shortage_max < row.shortage_min || row.shortage_max > 200 {
            let reason =
                format!("{} to {}, rows follow each other from 1", row.shortage_min, row.shortage_max);
            return wrong("shortage_min", reason);
        }
        if row.revolts > 3 || row.extra_farmers > 20 {
            let reason = format!("{} with {} farmers, at most 3 with 20", row.revolts, row.extra_farmers);
            return wrong("revolts", reason);
        }
        next = row.shortage_max + 1;
    }
    if rows.is_empty() { Err(SetupError::new("supply_table", "has no row")) } else { Ok(()) }
}

fn check_events(rows: &[EventCard]) -> Result<(), SetupError> {
    if rows.len() != EVENTS {
        return Err(SetupError::new("event", format!("{} cards instead of {EVENTS}", rows.len())));
    }
    for (at, row) in rows.iter().enumerate() {
        if usize::from(row.id) != at + 1 {
            return Err(SetupError::new(
                format!("event[{at}].id"),
                format!("{} instead of {}", row.id, at + 1),
            ));
        }
        if row.rice_loss.max(row.rice_loss_printed_card.unwrap_or(0)) > MAX_AMOUNT {
            let reason = format!("{}, at most {MAX_AMOUNT}", row.rice_loss);
            return Err(SetupError::new(format!("event[{at}].rice_loss"), reason));
        }
    }
    Ok(())
}

fn check_favours(rows: &[FavourCard]) -> Result<(), SetupError> {
    if rows.len() != FAVOURS {
        return Err(SetupError::new("favour", format!("{} cards instead of {FAVOURS}", rows.len())));
    }
    for (at, row) in rows.iter().enumerate() {
        let wrong = |name: &str, reason| Err(SetupError::new(format!("favour[{at}].{name}"), reason));
        if usize::from(row.number) != at + 1 {
            return wrong("number", format!("{} instead of {}", row.number, at + 1));
        }
        let fixed = row.kind == FavourKind::RemoveUnrest || row.kind.building().is_some();
        let least = u8::from(row.kind == FavourKind::ArmiesToProvince);
        if (fixed && row.amount != 1) || row.amount < least || row.amount > MAX_AMOUNT {
            return wrong("amount", format!("{} is not possible for this kind", row.amount));
        }
    }
    Ok(())
}
