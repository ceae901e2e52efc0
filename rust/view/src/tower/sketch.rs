//! The board for a terminal: a map of the provinces, the players below it, tower and tray.

use sengoku_kernel::{Game, Seat};
use sengoku_tower::State;
use sengoku_tower::data::{ByColour, COLOURS, FARMER, ProvinceId, SeatId};

use super::picture::{centres, paint, title};
use super::words::seat_text;
use crate::Sketch;
use crate::grid::{CELL, put_map};
use crate::picture::short;

/// Letters of the colours: red, blue, yellow, purple, black.
const LETTERS: [&str; COLOURS] = ["R", "B", "Y", "P", "K", "F"];

/// Everything, or what a seat may see.
pub(super) fn sketch(state: &State, seat: Option<Seat>) -> Sketch {
    let seen = &seat.map_or(*state, |seat| state.seen_by(seat));
    let mut sketch = Sketch::default();
    sketch.line();
    sketch.put(title(seen), "bold");
    sketch.line();
    sketch.put(
        "A province: player (R B Y P, K is black), armies, c castle, t temple, n Nô theatre, ! unrest; a dot is neutral.",
        "dim",
    );
    let cells: Vec<(String, String)> = ProvinceId::all().map(|province| cell(seen, province)).collect();
    put_map(&mut sketch, &centres(seen), &cells);
    for seat in seen.everyone() {
        let player = &seen.players[seat];
        sketch.line();
        sketch.put(
            format!("{} {:<16}", letter(seen, Some(seat)), seat_text(seen, seat)),
            style(seen, Some(seat)),
        );
        sketch.put(
            format!(
                " {} provinces, {} chests, {} rice, {} points",
                seen.province_count(seat),
                player.chests,
                player.rice,
                player.score
            ),
            "",
        );
    }
    sketch.line();
    sketch.put(format!("in the tray: {}", cubes(seen, &seen.tray)), "");
    sketch
}

/// A province as name, owner, armies and signs, with the style of its owner.
fn cell(seen: &State, province: ProvinceId) -> (String, String) {
    let it = &seen.provinces[province];
    let name = short(seen.board.name(province), 8);
    let signs = [(it.castle, "c"), (it.temple, "t"), (it.no, "n"), (it.unrest > 0, "!")];
    let signs: String = signs.into_iter().filter(|&(there, _)| there).map(|(_, sign)| sign).collect();
    let armies = if it.armies > 0 { it.armies.to_string() } else { String::new() };
    (short(&format!("{name:<8} {} {armies}{signs}", letter(seen, it.owner)), CELL), style(seen, it.owner))
}

fn letter(seen: &State, owner: Option<SeatId>) -> &'static str {
    owner.map_or(".", |seat| LETTERS[usize::from(seen.options.colours[seat.index()]) % COLOURS])
}

fn style(seen: &State, owner: Option<SeatId>) -> String {
    owner.map_or_else(
        || "#23211d on #f2efe6".into(),
        |seat| {
            let colour = seen.options.colours[seat.index()];
            let ink = if LETTERS[usize::from(colour) % COLOURS] == "Y" { "#23211d" } else { "#ffffff" };
            format!("{ink} on {}", paint(colour))
        },
    )
}

fn cubes(seen: &State, cubes: &ByColour) -> String {
    let players = seen.everyone().filter(|&seat| cubes.of(seat) > 0);
    let mut there: Vec<String> =
        players.map(|seat| format!("{} {}", cubes.of(seat), seen.colour_name(seat))).collect();
    if cubes.farmers() > 0 {
        there.push(format!("{} {}", cubes.farmers(), sengoku_tower::data::COLOUR_NAMES[usize::from(FARMER)]));
    }
    crate::story::list(&there)
}
