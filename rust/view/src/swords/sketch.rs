//! The board for a terminal: a map of the provinces, and the clans below it.

use sengoku_kernel::{Game, Seat};
use sengoku_swords::State;
use sengoku_swords::data::{ClanId, Fort, ProvinceId, Unit};

use super::look::title;
use super::names::clan_name;
use super::picture::{CLAN_COLOURS, INK, NOBODY, centres};
use crate::Sketch;
use crate::grid::{CELL, put_map};
use crate::picture::short;

/// Everything, or what a seat may see.
pub(super) fn sketch(state: &State, seat: Option<Seat>) -> Sketch {
    let seen = &seat.map_or(*state, |seat| state.seen_by(seat));
    let mut sketch = Sketch::default();
    sketch.line();
    sketch.put(title(state), "bold");
    sketch.line();
    sketch.put(
        "A province: clan, regular units, + ronin, * army, c castle, f fortress; a dot is nobody's.",
        "dim",
    );
    let cells: Vec<(String, String)> = ProvinceId::all().map(|province| cell(seen, province)).collect();
    put_map(&mut sketch, &centres(state.map), &cells);
    for clan in (0..state.clan_count() as u8).map(ClanId) {
        let it = &seen.clans[clan];
        sketch.line();
        sketch.put(format!("{:<18}", clan_name(state, clan)), style(Some(clan)));
        let out = if it.out > 0 { ", eliminated" } else { "" };
        let sword = if it.sword > 0 { format!(", sword {}", it.sword) } else { String::new() };
        let provinces = seen.province_count(clan);
        sketch.put(format!(" {provinces} provinces, {} koku{sword}{out}", it.koku), "");
    }
    sketch
}

/// A province as name, owner and pieces, with the style of its owner.
fn cell(seen: &State, province: ProvinceId) -> (String, String) {
    let it = &seen.provinces[province];
    let name = short(&seen.map.provinces()[province.index()].name, 8);
    let army = seen.army_at(province).map(|(clan, number)| seen.army(clan, number).units);
    let units = it.units.regulars() + army.map_or(0, |units| units.regulars());
    let ronin = it.units[Unit::Ronin] + it.hidden + army.map_or(0, |units| units[Unit::Ronin]);
    let fort = match it.fort {
        Fort::None => "",
        Fort::Castle => "c",
        Fort::Fortress => "f",
    };
    let owner = it.owner.map_or_else(|| ".".into(), |clan| clan.0.to_string());
    let pieces = match (units, ronin) {
        (0, 0) => String::new(),
        (units, 0) => units.to_string(),
        (units, ronin) => format!("{units}+{ronin}"),
    };
    let army = if army.is_some() { "*" } else { "" };
    (short(&format!("{name:<8} {owner} {pieces}{army}{fort}"), CELL), style(it.owner))
}

fn style(owner: Option<ClanId>) -> String {
    format!("{INK} on {}", owner.map_or(NOBODY, |clan| CLAN_COLOURS[clan.index()]))
}
