//! The 127 hexes: ground, water, sections, banks, objectives, and how they are named.

use std::fmt::Write as _;

use crate::picture::{Point, Svg, escaped, outline, rounded, short, xy};

use super::field::Field;
use super::signs::{GOLD, INK, draw_ground, paint, put, tint};
use sengoku_battles::board::{HexId, ROWS, width};
use sengoku_battles::data::{Side, Terrain};

/// From the middle of a hex to its upper corner.
const RADIUS: f64 = 44.0;
/// From the middle of a hex to its side; a step of the doubled coordinate.
const HALF: f64 = 38.0;
/// From row to row.
const PITCH: f64 = 66.0;
/// Width and height of all hexes.
pub(super) const SIZE: Point = Point::new(24.0 * HALF, PITCH * (ROWS as f64 - 1.0) + 2.0 * RADIUS);
/// The six sides of a hex: way to the neighbour as steps of rows and of the doubled coordinate (BT-BOARD-05).
const WAYS: [(i8, i8); 6] = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)];

/// The middle of a hex.
pub(super) fn middle(hex: HexId) -> Point {
    place(hex.row().cast_signed(), hex.x().cast_signed())
}

fn place(row: i8, x: i8) -> Point {
    Point::new(HALF * f64::from(x + 1), RADIUS + PITCH * f64::from(row))
}

/// The corners of a hex around its middle, from the upper one clockwise; `rim` is how far they are drawn in.
fn corners(middle: Point, rim: f64) -> [Point; 6] {
    let (side, up) = (HALF - rim, RADIUS - rim * RADIUS / HALF);
    [(0.0, -up), (side, -up / 2.0), (side, up / 2.0), (0.0, up), (-side, up / 2.0), (-side, -up / 2.0)]
        .map(|(x, y)| middle.plus(Point::new(x, y)))
}

/// The hex beyond a side, where the board has one.
fn beyond(hex: HexId, (rows, x): (i8, i8)) -> Option<HexId> {
    HexId::at_x(hex.row().cast_signed() + rows, hex.x().cast_signed() + x)
}

/// The middle of a side, seen from the middle of the hex.
fn to_side((rows, x): (i8, i8)) -> Point {
    Point::new(HALF * f64::from(x) / 2.0, PITCH * f64::from(rows) / 2.0)
}

impl Field<'_> {
    /// Draws the board, pieces excepted.
    pub(super) fn draw_ground(&self, svg: &mut Svg) {
        draw_half_hexes(svg);
        for hex in HexId::all() {
            let terrain = self.terrain[hex];
            svg.put(format_args!(
                "<path data-place=\"{hex}\" d=\"{}\" fill=\"{}\" stroke=\"#a5a183\" stroke-width=\"0.8\"/>\n",
                outline(&corners(middle(hex), 0.0)),
                tint(terrain)
            ));
        }
        self.draw_water(svg);
        for hex in HexId::all() {
            let tent = Side::ALL.into_iter().find(|&side| self.scenario.tents[side] == Some(hex));
            draw_ground(svg, middle(hex), self.terrain[hex], tent);
            if self.scenario.impassable.contains(hex) && self.terrain[hex].is_passable() {
                draw_bar(svg, middle(hex));
            }
        }
        svg.put(format_args!("\n"));
        self.draw_banks(svg);
        draw_sections(svg);
        draw_names(svg);
        self.draw_objectives(svg);
    }

    /// Names of the objectives, to be drawn when all else is.
    pub(super) fn draw_objective_names(&self, svg: &mut Svg) {
        for (name, hex) in &self.scenario.objectives {
            plate(svg, middle(*hex).plus(Point::new(0.0, -29.0)), &name.replace('_', " "), "#a97f0c");
        }
    }

    /// Ways to the neighbours that a river flows to. Where it has only one neighbour it leaves the board if it can, as
    /// straight as it can, and flows on straight ahead otherwise.
    fn flows(&self, hex: HexId) -> Vec<(i8, i8)> {
        let wet = |&way: &(i8, i8)| beyond(hex, way).is_some_and(|next| self.terrain[next].is_water());
        let mut ways: Vec<(i8, i8)> = WAYS.into_iter().filter(wet).collect();
        if let [(rows, x)] = ways[..] {
            let ahead = to_side((-rows, -x));
            let bend = |&way: &(i8, i8)| to_side(way).minus(ahead).length();
            let off = WAYS.into_iter().filter(|&way| beyond(hex, way).is_none());
            let off = off.filter(|&way| to_side(way).dot(ahead) > 0.0);
            ways.push(off.min_by(|a, b| bend(a).total_cmp(&bend(b))).unwrap_or((-rows, -x)));
        }
        ways
    }

    /// All water: banks first, so that no hex parts a river.
    fn draw_water(&self, svg: &mut Svg) {
        let wet: Vec<HexId> = HexId::all().filter(|&hex| self.terrain[hex].is_water()).collect();
        let paths: Vec<String> = wet.iter().map(|&hex| course(&self.flows(hex))).collect();
        svg.put(format_args!(
            "<clipPath id=\"board\"><path d=\"M0,0H{x}V{y}H0z\"/></clipPath><g clip-path=\"url(#board)\">\n",
            x = SIZE.x,
            y = SIZE.y
        ));
        for (shade, width) in [(0, 41.0), (1, 36.0)] {
            for (&hex, path) in wet.iter().zip(&paths) {
                let colour = self.water(hex)[shade];
                let style = format!(
                    "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\""
                );
                put(svg, middle(hex), path, &style);
            }
            svg.put(format_args!("\n"));
        }
        for &hex in &wet {
            let (at, ways) = (middle(hex), self.flows(hex));
            match self.terrain[hex] {
                Terrain::Bridge => draw_bridge(svg, at, ways.first().copied().unwrap_or((0, 2))),
                terrain => {
                    let places = ways.iter().map(|&way| to_side(way).times(0.55));
                    for place in places.chain([Point::new(0.0, 0.0)]) {
                        draw_ripple(svg, at.plus(place), terrain);
                    }
                }
            }
        }
        svg.put(format_args!("</g>\n"));
    }

    /// Colours of the water of a hex; under a bridge it is what the river is.
    fn water(&self, hex: HexId) -> [&'static str; 2] {
        match self.terrain[hex] {
            Terrain::Bridge if !self.has(Terrain::River) => water(Terrain::Ford),
            terrain => water(terrain),
        }
    }

    /// Banks that a rule names: lines in the colour of their army along the water or the gorge (BT-SCEN-03).
    fn draw_banks(&self, svg: &mut Svg) {
        for side in Side::ALL {
            let bank = self.scenario.banks[side];
            let mut path = String::new();
            for hex in bank {
                let rim = corners(middle(hex), 4.0);
                for (number, way) in WAYS.into_iter().enumerate() {
                    if beyond(hex, way).is_some_and(|next| !bank.contains(next)) {
                        // The side east of a hex lies between its corners 1 and 2, and so on clockwise.
                        let (from, to) = (rim[(number + 1) % 6], rim[(number + 2) % 6]);
                        write!(path, "M{}L{}", xy(from), xy(to)).expect("writing to a string cannot fail");
                    }
                }
            }
            if !path.is_empty() {
                svg.put(format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.4\" stroke-dasharray=\"5 3\" \
                     stroke-linecap=\"round\"/>\n",
                    paint(side)
                ));
            }
        }
    }

    /// Hexes that a rule of the battle names.
    fn draw_objectives(&self, svg: &mut Svg) {
        for (_, hex) in &self.scenario.objectives {
            let at = middle(*hex);
            svg.put(format_args!(
                "<path d=\"{}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"5\" stroke-linejoin=\"round\"/>\
                 <path d=\"{}\" fill=\"none\" stroke=\"{GOLD}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>",
                outline(&corners(at, 3.0)),
                outline(&corners(at, 3.0)),
            ));
        }
        svg.put(format_args!("\n"));
    }
}

/// The half hexes at both ends of odd rows, which nothing can enter (BT-BOARD-04).
fn draw_half_hexes(svg: &mut Svg) {
    for row in (1..ROWS.cast_signed()).step_by(2) {
        for (x, out) in [(-1, 1.0), (23, -1.0)] {
            let at = place(row, x);
            let half =
                [(0.0, -RADIUS), (HALF * out, -RADIUS / 2.0), (HALF * out, RADIUS / 2.0), (0.0, RADIUS)];
            svg.put(format_args!(
                "<path d=\"{}\" fill=\"#c9c6ae\" stroke=\"#a5a183\" stroke-width=\"0.8\"/>",
                outline(&half.map(|(x, y)| at.plus(Point::new(x, y))))
            ));
        }
    }
    svg.put(format_args!("\n"));
}

/// A small plate with a name, in the colour of whose it is. Of a long name only the first word is whole.
pub(super) fn plate(svg: &mut Svg, middle: Point, name: &str, colour: &str) {
    let name = if name.chars().count() > 17 { shortened(name) } else { name.into() };
    let letters = name.chars().count() as f64;
    let size = (70.0 / (0.61 * letters)).min(8.5);
    let wide = 0.61 * size * letters + 6.0;
    svg.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"11.5\" rx=\"3\" fill=\"#fffdf4\" fill-opacity=\"0.93\" stroke=\"{colour}\" \
         stroke-width=\"0.9\"/>",
        rounded(middle.x - wide / 2.0),
        rounded(middle.y - 5.8),
        rounded(wide)
    ));
    let style = format!("font-size=\"{}\"", rounded(size));
    svg.text(middle.plus(Point::new(0.0, 0.36 * size)), &style, escaped(&name));
}

/// The first word of a name, and the first letters of the others.
fn shortened(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or_default();
    let others = words.filter_map(|word| word.chars().next());
    others.fold(short(first, 14), |name, letter| format!("{name} {letter}."))
}

/// A hex that a rule of the battle closes.
fn draw_bar(svg: &mut Svg, middle: Point) {
    put(
        svg,
        middle,
        "M-8,22L8,34M8,22L-8,34",
        "fill=\"none\" stroke=\"#7d1f16\" stroke-width=\"2.6\" stroke-linecap=\"round\"",
    );
}

/// The line that water takes through a hex.
fn course(ways: &[(i8, i8)]) -> String {
    match *ways {
        [] => "M-22,0H22".into(),
        [from, to] => format!("M{}Q0,0 {}", xy(to_side(from)), xy(to_side(to))),
        _ => ways.iter().map(|&way| format!("M0,0L{}", xy(to_side(way)))).collect::<Vec<_>>().concat(),
    }
}

/// Colours of a bank and of its water.
const fn water(terrain: Terrain) -> [&'static str; 2] {
    match terrain {
        Terrain::Ford => ["#7fb2d3", "#a9d2ea"],
        Terrain::Shallow => ["#a9c6c4", "#d9e6cf"],
        _ => ["#3f7fb3", "#6fa8d4"],
    }
}

/// Waves, or stones where water can be waded through.
fn draw_ripple(svg: &mut Svg, middle: Point, terrain: Terrain) {
    let stones = "M-9,4a2.6,2 0 1 0 5.2,0a2.6,2 0 1 0 -5.2,0zM-2,-4a2.6,2 0 1 0 5.2,0a2.6,2 0 1 0 -5.2,0zM5,5a2.6,2 0 1 0 5.2,0a2.6,2 0 1 0 -5.2,0z";
    match terrain {
        Terrain::Ford => put(svg, middle, stones, "fill=\"#6f8794\""),
        Terrain::Shallow => put(svg, middle, stones, "fill=\"#b3a878\""),
        _ => put(
            svg,
            middle,
            "M-9,-3q3,-4 6,0t6,0M-3,6q3,-4 6,0t6,0",
            "fill=\"none\" stroke=\"#d4e9f7\" stroke-width=\"1.6\" stroke-linecap=\"round\"",
        ),
    }
}

/// Planks across the water that flows a way.
fn draw_bridge(svg: &mut Svg, middle: Point, way: (i8, i8)) {
    let along = to_side(way);
    let turn = along.y.atan2(along.x).to_degrees().round();
    svg.put(format_args!("<g transform=\"translate({}) rotate({turn})\">", xy(middle)));
    put(
        svg,
        Point::new(0.0, 0.0),
        "M-15,-27h30v54h-30z",
        "fill=\"#b98a55\" stroke=\"#5f3f1f\" stroke-width=\"1.4\"",
    );
    put(
        svg,
        Point::new(0.0, 0.0),
        "M-15,-20h30M-15,-13h30M-15,-6h30M-15,1h30M-15,8h30M-15,15h30M-15,22h30",
        "fill=\"none\" stroke=\"#8a6236\" stroke-width=\"1\"",
    );
    put(
        svg,
        Point::new(0.0, 0.0),
        "M-15,-30V30M15,-30V30",
        "fill=\"none\" stroke=\"#5f3f1f\" stroke-width=\"2.6\" stroke-linecap=\"round\"",
    );
    svg.put(format_args!("</g>"));
}

/// The lines between the sections (BT-BOARD-08).
fn draw_sections(svg: &mut Svg) {
    for x in [7, 15] {
        svg.put(format_args!(
            "<path d=\"M{},0V{}\" stroke=\"#6e2f74\" stroke-width=\"2.2\" stroke-dasharray=\"0.1 6\" stroke-linecap=\"round\" \
             fill=\"none\"/>",
            rounded(place(0, x).x),
            SIZE.y
        ));
    }
    svg.put(format_args!("\n"));
}

/// Rows at both sides, places in a row at top and bottom, and the name of each hex inside it (BT-BOARD-01).
fn draw_names(svg: &mut Svg) {
    for row in 0..ROWS {
        for x in [-13.0, SIZE.x + 13.0] {
            let at = Point::new(x, place(row.cast_signed(), 0).y + 5.0);
            svg.text(at, "font-size=\"14\" font-weight=\"bold\" fill=\"#6e6654\"", row);
        }
    }
    for column in 0..width(0) {
        for y in [-8.0, SIZE.y + 18.0] {
            let at = Point::new(place(0, 2 * column.cast_signed()).x, y);
            svg.text(at, "font-size=\"13\" font-weight=\"bold\" fill=\"#6e6654\"", column);
        }
    }
    svg.put(format_args!("<g font-size=\"7.5\" fill=\"#4a4536\" fill-opacity=\"0.75\">"));
    for hex in HexId::all() {
        svg.text(middle(hex).plus(Point::new(-23.0, -22.5)), "", hex);
    }
    svg.put(format_args!("</g>\n"));
}

/// A hex of the legend: so wide as a line is high.
pub(super) fn draw_sample(svg: &mut Svg, middle: Point, terrain: Terrain) {
    let zero = Point::new(0.0, 0.0);
    svg.put(format_args!(
        "<g transform=\"translate({}) scale(0.36)\"><path d=\"{}\" fill=\"{}\" stroke=\"#8f8b6e\" stroke-width=\"2\"/>",
        xy(middle),
        outline(&corners(zero, 0.0)),
        tint(terrain)
    ));
    if terrain.is_water() {
        let [_, colour] = water(terrain);
        put(svg, zero, "M-37,0H37", &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"36\""));
        if terrain == Terrain::Bridge {
            draw_bridge(svg, zero, (0, 2));
        } else {
            for x in [-20.0, 0.0, 20.0] {
                draw_ripple(svg, Point::new(x, 0.0), terrain);
            }
        }
    } else {
        draw_ground(svg, zero, terrain, None);
    }
    svg.put(format_args!("</g>"));
}
