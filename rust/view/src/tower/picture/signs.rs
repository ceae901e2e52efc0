//! The signs of the game: cubes, buildings, markers and cards, each drawn around a middle.

use crate::picture::{Point, Svg, rounded, xy};

use sengoku_tower::data::{Building, COLOURS};

/// Colour of text, outlines and icons.
pub(super) const INK: &str = "#23211d";
/// Colour of what asks for attention.
pub(super) const ALARM: &str = "#c1121f";
/// Colours of cubes and of what is written on them, in the order of [`sengoku_tower::data::COLOUR_NAMES`].
const PAINT: [(&str, &str); COLOURS] = [
    ("#cf3a32", "#fff"),
    ("#2d6db5", "#fff"),
    ("#f2c80f", INK),
    ("#8a4fa3", "#fff"),
    ("#35322e", "#fff"),
    ("#4f9a4a", "#fff"),
];

/// The colour of a cube.
pub(super) fn paint(colour: u8) -> &'static str {
    PAINT[usize::from(colour) % COLOURS].0
}

/// One sign of a row.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    /// The letter of a player.
    Badge(u8),
    /// Armies: the colour and how many.
    Armies(u8, u16),
    /// A building.
    Building(Building),
    /// A building site that is free.
    Site,
    /// An unrest marker.
    Unrest,
    /// Chests.
    Chests(u16),
    /// Rice.
    Rice(u16),
    /// An officer of a colour.
    Officer(u8),
}

impl Sign {
    /// Room it takes in a row.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Badge(_) => 13.0,
            Self::Armies(_, count) => {
                if count < 10 {
                    17.0
                } else {
                    23.0
                }
            }
            Self::Building(_) | Self::Site => 14.0,
            Self::Unrest | Self::Officer(_) => 10.0,
            Self::Chests(count) | Self::Rice(count) => 13.0 + 6.5 * digits(count),
        }
    }

    /// Draws it with its left end at `x` and its middle at the height of `y`.
    pub(super) fn draw(self, svg: &mut Svg, x: f64, y: f64) {
        let middle = Point::new(x + self.width() / 2.0, y);
        match self {
            Self::Badge(seat) => badge(svg, middle, seat),
            Self::Armies(colour, count) => armies(svg, middle, self.width(), colour, count),
            Self::Building(kind) => building(svg, middle, kind),
            Self::Site => put(
                svg,
                middle,
                "M-5,-5h10v10h-10z",
                "fill=\"none\" stroke=\"#8a8172\" stroke-dasharray=\"2 1.6\"",
            ),
            Self::Unrest => {
                let style = format!("fill=\"{ALARM}\" stroke=\"#fff\" stroke-width=\"0.8\"");
                put(
                    svg,
                    middle,
                    "M0,-7c4,4 5,6 5,8a5,5 0 0 1 -10,0c0,-2 1,-3 2.5,-3.5c0.5,-1.5 1.5,-3 2.5,-4.5z",
                    &style,
                );
            }
            Self::Chests(count) => {
                let icon = Point::new(x + 5.5, y);
                put(
                    svg,
                    icon,
                    "M-5,-1a5,4 0 0 1 10,0v5h-10zM-5,-0.5h10",
                    "fill=\"#e0a526\" stroke=\"#6d4c08\" stroke-width=\"0.9\"",
                );
                number(svg, x, y, count);
            }
            Self::Rice(count) => {
                let icon = Point::new(x + 5.5, y);
                put(
                    svg,
                    icon,
                    "M-5,0c0,-5 10,-5 10,0c0,5 -10,5 -10,0zM-2,-3.4v6.8M2,-3.4v6.8",
                    "fill=\"#f6f1df\" stroke=\"#6d7a2a\" stroke-width=\"0.9\"",
                );
                number(svg, x, y, count);
            }
            Self::Officer(colour) => {
                let style = format!("fill=\"{}\" stroke=\"{INK}\" stroke-width=\"0.8\"", paint(colour));
                put(svg, middle, "M-4,6l2,-6a3,3 0 1 1 4,0l2,6z", &style);
            }
        }
    }
}

/// Draws a row of signs around its middle.
pub(super) fn row(svg: &mut Svg, middle: Point, signs: &[Sign], gap: f64) {
    let width = signs.iter().map(|sign| sign.width() + gap).sum::<f64>() - gap;
    let mut x = middle.x - width / 2.0;
    for sign in signs {
        sign.draw(svg, x, middle.y);
        x += sign.width() + gap;
    }
}

/// A plain cube of a heap.
pub(super) fn small_cube(svg: &mut Svg, corner: Point, colour: u8) {
    svg.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"8\" rx=\"1.5\" fill=\"{}\"/>",
        rounded(corner.x),
        rounded(corner.y),
        paint(colour)
    ));
}

/// Digits of a number, as lengths are counted.
fn digits(count: u16) -> f64 {
    f64::from(count.max(1).ilog10() + 1)
}

/// A path around a middle.
fn put(svg: &mut Svg, middle: Point, path: &str, style: &str) {
    svg.put(format_args!("<path transform=\"translate({})\" d=\"{path}\" {style}/>", xy(middle)));
}

fn number(svg: &mut Svg, x: f64, y: f64, count: u16) {
    svg.text(Point::new(x + 12.5 + 3.25 * digits(count), y + 3.8), "font-size=\"10.5\"", count);
}

fn badge(svg: &mut Svg, middle: Point, seat: u8) {
    svg.put(format_args!("<circle cx=\"{}\" cy=\"{}\" r=\"6.5\"/>", rounded(middle.x), rounded(middle.y)));
    svg.text(
        middle.plus(Point::new(0.0, 3.3)),
        "font-size=\"9\" font-weight=\"bold\" fill=\"#fff\"",
        letter(seat),
    );
}

fn armies(svg: &mut Svg, middle: Point, width: f64, colour: u8, count: u16) {
    let (fill, ink) = PAINT[usize::from(colour) % COLOURS];
    svg.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"17\" rx=\"3\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>",
        rounded(middle.x - width / 2.0),
        rounded(middle.y - 8.5),
    ));
    let style = format!("font-size=\"12.5\" font-weight=\"bold\" fill=\"{ink}\"");
    svg.text(middle.plus(Point::new(0.0, 4.5)), &style, count);
}

/// A castle has battlements, a temple two roofs; a fan stands for a theatre.
fn building(svg: &mut Svg, middle: Point, kind: Building) {
    let (path, fill) = match kind {
        Building::Castle => ("M-5.5,-6h3v2.5h1.5v-2.5h2v2.5h1.5v-2.5h3v12h-11zM-1.5,6v-4h3v4", "#dfe3e6"),
        Building::Temple => {
            ("M-6.5,-2.5L0,-7.5L6.5,-2.5zM-4,-2.5h8v2.5h-8zM-7,3L-4,0h8L7,3zM-5,3h10v3h-10z", "#f3b08a")
        }
        Building::No => ("M0,6L-7,-2A9,9 0 0 1 7,-2zM0,6L-3.5,-5M0,6L3.5,-5M0,6V-6", "#f8dbe4"),
    };
    let style = format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.9\" stroke-linejoin=\"round\"");
    put(svg, middle, path, &style);
}

/// The letter of a player, a second cue beside the colour.
pub(super) fn letter(seat: u8) -> char {
    char::from(b'A' + seat.min(25))
}
