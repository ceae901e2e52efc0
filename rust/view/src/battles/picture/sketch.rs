//! The board for a terminal: two lines for a row of hexes, odd rows half a hex to the right.

use crate::picture::short;
use crate::{Sketch, Span};

use super::field::{Field, Order, Stand};
use super::pieces::letter;
use super::signs::{INK, ON_SIDE, paint, tint};
use sengoku_battles::board::{HexId, ROWS, width};
use sengoku_battles::data::{LeaderKind, Side, Terrain};

/// Characters of a hex in a line.
const CELL: usize = 6;
/// Characters before the first hex of an even row.
const MARGIN: usize = 3;

/// Draws the board and its key.
pub(super) fn draw(field: &Field) -> Sketch {
    let mut sketch = Sketch::default();
    draw_columns(&mut sketch);
    for row in 0..ROWS {
        for line in 0..2 {
            sketch.line();
            let name = if line == 0 { row.to_string() } else { String::new() };
            sketch.put(format!("{name:>2} "), "bold");
            sketch.put(" ".repeat(CELL / 2 * usize::from(row % 2)), "");
            for hex in (0..width(row)).filter_map(|column| HexId::at(row, column)) {
                draw_hex(&mut sketch, field, hex, line);
            }
        }
    }
    draw_columns(&mut sketch);
    draw_key(&mut sketch, field);
    sketch
}

/// Places in a row; those of odd rows are half a hex to the right.
fn draw_columns(sketch: &mut Sketch) {
    sketch.line();
    sketch.put(" ".repeat(MARGIN), "bold");
    for column in 0..width(0) {
        sketch.put(format!("{column:^CELL$}"), "bold");
    }
}

/// One of the two lines of a hex.
fn draw_hex(sketch: &mut Sketch, field: &Field, hex: HexId, line: usize) {
    let terrain = field.terrain[hex];
    let ground = format!("{INK} on {}", tint(terrain));
    let sign = sign(terrain);
    let closed = field.scenario.impassable.contains(hex) && terrain.is_passable();
    let objective = field.scenario.objectives.iter().any(|&(_, at)| at == hex);
    let rim = match (objective, closed) {
        (true, _) => '*',
        (_, true) => 'x',
        _ => ' ',
    };
    // Sections part between two hexes of even rows (BT-BOARD-08).
    let part = if hex.x() == 6 || hex.x() == 14 { ':' } else { ' ' };
    match (&field.stands[hex], line) {
        (None, 0) if terrain == Terrain::Open => sketch.put(format!("     {part}"), ground),
        (None, 0) => sketch.put(format!(" {sign} {sign} {part}"), ground),
        (None, _) => sketch.put(format!("  {sign} {rim}{part}"), ground),
        (Some(stand), 0) => {
            sketch.put(format!("{:5}", code(stand)), on_side(stand));
            sketch.put(part, ground);
        }
        (Some(stand), _) => {
            let order = match stand.order {
                Order::None => ' ',
                Order::Open => '!',
                Order::Done => '.',
            };
            let blocks = stand.unit.map_or(' ', |(_, blocks)| char::from(b'0' + blocks));
            sketch.put(format!("{}{blocks}{order}", arrow(stand.side)), on_side(stand));
            sketch.put(format!("{sign}{rim}{part}"), ground);
        }
    }
}

fn on_side(stand: &Stand) -> String {
    format!("bold {ON_SIDE} on {}", paint(stand.side))
}

/// A unit with the letter of its leader, or a lone leader.
fn code(stand: &Stand) -> String {
    match (stand.unit, stand.leader) {
        (Some((kind, _)), leader) => {
            let mark = leader.map_or(String::new(), |leader| letter(leader.kind).to_string());
            format!("{:4}{mark}", kind.code())
        }
        (None, Some(leader)) => leader.kind.code().into(),
        (None, None) => String::new(),
    }
}

/// Where an army looks; what tells them apart without colours.
const fn arrow(side: Side) -> char {
    match side {
        Side::Top => 'v',
        Side::Bottom => '^',
    }
}

/// Terrain as deployments write it, with two more for what a rule of the battle makes of a tile.
const fn sign(terrain: Terrain) -> char {
    match terrain {
        Terrain::Open => '.',
        Terrain::Forest => 'f',
        Terrain::Hill => 'h',
        Terrain::River => 'r',
        Terrain::Ford => 'd',
        Terrain::Shallow => 's',
        Terrain::Bridge => 'b',
        Terrain::Buildings => 'B',
        Terrain::Fields => 'c',
        Terrain::Gorge => 'g',
        Terrain::Tent => 't',
        Terrain::Fence => '#',
        Terrain::Palisade => 'P',
        Terrain::Castle => 'C',
    }
}

fn draw_key(sketch: &mut Sketch, field: &Field) {
    sketch.line();
    sketch.line();
    for terrain in Terrain::ALL.into_iter().filter(|&terrain| field.has(terrain)) {
        begin(sketch, 5 + terrain.name().len());
        sketch.put(format!(" {} ", sign(terrain)), format!("{INK} on {}", tint(terrain)));
        sketch.put(format!(" {}  ", terrain.name()), "");
    }
    sketch.line();
    for side in Side::ALL {
        let name = short(&field.scenario.armies[side].name, 40);
        begin(sketch, 24 + name.chars().count());
        sketch.put(format!(" {} ", arrow(side)), format!("bold {ON_SIDE} on {}", paint(side)));
        sketch.put(format!(" {name}, number of blocks  "), "");
    }
    sketch.line();
    let leaders = LeaderKind::ALL.map(|kind| format!("{} {}", letter(kind), kind.name()));
    sketch.put(format!("behind a unit: {}", leaders.join(", ")), "");
    let mut marks = Vec::new();
    if !field.scenario.objectives.is_empty() {
        marks.push("* objective");
    }
    if field.scenario.impassable.iter().any(|hex| field.terrain[hex].is_passable()) {
        marks.push("x cannot be entered");
    }
    if field.pieces().any(|(_, stand)| stand.order != Order::None) {
        marks.push("! ordered");
        marks.push(". done with its order");
    }
    marks.push(": between sections");
    sketch.line();
    sketch.put(marks.join(", "), "");
}

/// Begins another line where this one has no room for the given number of characters.
fn begin(sketch: &mut Sketch, characters: usize) {
    let written = |Span(text, _): &Span| text.chars().count();
    let so_far: usize = sketch.0.last().map_or(0, |spans| spans.iter().map(written).sum());
    if so_far > 0 && so_far + characters > 78 {
        sketch.line();
    }
}
