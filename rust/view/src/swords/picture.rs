//! The board as a picture in SVG.
//!
//! [`draw`] knows no match: it draws a [`Look`], so the code that fills the look decides what may be seen. Equal looks
//! give equal bytes on every machine.

mod legend;
mod look;
mod signs;

use std::fmt::Write;

use sengoku_swords::data::{Fort, MAX_CLANS, PROVINCES};
use sengoku_swords::map::{EdgeKind, Map};

use self::legend::{draw_key, draw_legend};
pub use self::look::{ArmyLook, ClanLook, Look, ProvinceLook};
use self::signs::draw_pieces;
use super::names::province_name;
use crate::picture::{Ground, Layout, Point, Svg, escaped, layout_of, on_globe, outline, rounded, short, xy};

/// Colours of the clans, safe for colour-blind readers; each carries the clan's letter as a second cue.
pub(super) const CLAN_COLOURS: [&str; MAX_CLANS] = ["#e69f00", "#56b4e9", "#2bb38a", "#f0e442", "#d98cb3"];
/// Colour of an empty province.
pub(super) const NOBODY: &str = "#e4e0d5";
/// Colour of text, outlines and icons.
pub(super) const INK: &str = "#23211d";
/// Colour of the sea; the picture brings its own background, so that it can be read on a dark page too.
const SEA: &str = "#d3e3ec";
/// Colour of the water along the coasts.
const SHALLOWS: &str = "#b9d3e0";
/// Colour of an attack.
const ATTACK: &str = "#c1121f";

/// Units of the picture for a degree of latitude, before provinces are moved apart.
const DEGREE: f64 = 1130.0 / 9.65;
/// Space around the map.
const MARGIN: f64 = 24.0;
/// Width of the list of clans.
const LEGEND_WIDTH: f64 = 370.0;
/// Height of a line of the list of clans.
const LEGEND_LINE: f64 = 26.0;
/// Height of the title and the head of the list.
const LEGEND_HEAD: f64 = 66.0;
/// Height of the title.
const TITLE_HEIGHT: f64 = 30.0;
/// Width and height of the key to the symbols.
const KEY_SIZE: Point = Point::new(292.0, 216.0);
/// Longest title, in characters.
const TITLE_LENGTH: usize = 64;
/// Longest name of a clan, in characters.
const CLAN_LENGTH: usize = 20;

/// Draws the board as a self-contained SVG document.
///
/// ```
/// use sengoku_swords::map::Map;
/// use sengoku_view::swords::picture::{Look, draw};
///
/// let mut look = Look::empty(Map::standard());
/// look.provinces[13].owner = Some(2);
/// assert!(draw(&look).starts_with("<svg "));
/// ```
pub fn draw(look: &Look) -> String {
    let layout = &*layout_of(&ground(look.map));
    let title_width = 12.0 * short(&look.title, TITLE_LENGTH).chars().count() as f64;
    let legend = Point::new(LEGEND_WIDTH, LEGEND_HEAD + LEGEND_LINE * look.clans.len() as f64);
    // List and key stand in open sea; a map that leaves no room for them is moved aside.
    let corner = Point::new(0.0, 0.0);
    let title = Point::new(title_width, TITLE_HEIGHT);
    let mut origin = Point::new(MARGIN, MARGIN);
    if layout.is_taken(corner, legend) || layout.is_taken(corner, title) {
        origin.y += legend.y + MARGIN;
    }
    let mut size = layout.size.plus(origin).plus(Point::new(MARGIN, MARGIN));
    size = Point::new(
        size.x.max(legend.x.max(title.x) + 2.0 * MARGIN),
        size.y.max(legend.y + KEY_SIZE.y + 3.0 * MARGIN),
    );
    if layout.is_taken(layout.size.minus(KEY_SIZE), layout.size) {
        size.y += KEY_SIZE.y + MARGIN;
    }

    let mut svg = Svg::default();
    svg.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\" fill=\"{INK}\" text-anchor=\"middle\">\n\
         <title>{title}</title>\n\
         <rect width=\"{w}\" height=\"{h}\" rx=\"14\" fill=\"{SEA}\"/>\n",
        w = size.x.ceil(),
        h = size.y.ceil(),
        title = escaped(&look.title),
    ));
    svg.put(format_args!("<g transform=\"translate({},{})\">\n", rounded(origin.x), rounded(origin.y)));
    draw_ground(&mut svg, look, layout);
    draw_ways(&mut svg, look, layout);
    for (at, province) in look.provinces.iter().enumerate() {
        draw_pieces(&mut svg, look.map.name(at as u8), province, layout.centres[at]);
    }
    svg.put(format_args!("</g>\n"));
    draw_legend(&mut svg, look, Point::new(MARGIN, MARGIN));
    draw_key(&mut svg, size.minus(KEY_SIZE).minus(Point::new(MARGIN, MARGIN)));
    svg.put(format_args!("</svg>\n"));
    svg.finish()
}

/// Where the provinces lie in the picture.
pub(super) fn centres(map: &Map) -> Vec<Point> {
    layout_of(&ground(map)).centres.clone()
}

/// Input of the layout: borders and true places.
fn ground(map: &Map) -> Ground {
    let places = map.provinces().iter().map(|province| on_globe(province.geo.map(f64::from), DEGREE));
    let sea = map.edges().iter().filter(|edge| edge.kind == EdgeKind::Sea);
    Ground {
        places: places.collect(),
        land: (0..PROVINCES as u8).map(|province| map.land(province)).collect(),
        sea: sea.map(|edge| (edge.a, edge.b)).collect(),
        scale: 1.0,
    }
}

/// The cells in the colours of their owners.
fn draw_ground(svg: &mut Svg, look: &Look, layout: &Layout) {
    let outlines: Vec<String> = layout.cells.iter().map(|cell| outline(cell)).collect();
    svg.put(format_args!(
        "<path d=\"{}\" fill=\"{SHALLOWS}\" stroke=\"{SHALLOWS}\" stroke-width=\"14\" stroke-linejoin=\"round\"/>\n",
        outlines.concat()
    ));
    svg.put(format_args!("<g stroke=\"#6b6457\" stroke-width=\"1.2\" stroke-linejoin=\"round\">\n"));
    for (at, province) in look.provinces.iter().enumerate() {
        svg.put(format_args!(
            "<path data-place=\"{}\" d=\"{}\" fill=\"{}\"><title>{}</title></path>\n",
            escaped(look.map.key(at as u8)),
            outlines[at],
            colour(province.owner),
            escaped(&spoken(look, at))
        ));
    }
    svg.put(format_args!("</g>\n"));
    if let Some((_, target)) = look.highlight {
        let outline = &outlines[usize::from(target)];
        svg.put(format_args!(
            "<path d=\"{outline}\" fill=\"none\" stroke=\"{ATTACK}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>\n"
        ));
    }
}

/// Sea routes, borders that the cells do not show, and the attack.
fn draw_ways(svg: &mut Svg, look: &Look, layout: &Layout) {
    svg.put(format_args!(
        "<g fill=\"none\" stroke=\"#6b6457\" stroke-width=\"3\" stroke-linecap=\"round\">\n"
    ));
    for &(a, b) in &layout.links {
        let (from, to) = layout.shore_to_shore(a, b, [8.0; 2]);
        svg.put(format_args!("<path d=\"M{} {}\"/>\n", xy(from), xy(to)));
    }
    svg.put(format_args!(
        "</g>\n<g fill=\"#1d4e6b\" stroke=\"#1d4e6b\" stroke-width=\"2\" stroke-dasharray=\"5 3\">\n"
    ));
    for edge in look.map.edges().iter().filter(|edge| edge.kind == EdgeKind::Sea) {
        let (from, to) = layout.shore_to_shore(edge.a, edge.b, [5.0; 2]);
        svg.put(format_args!("<path d=\"M{} {}\"/>\n", xy(from), xy(to)));
        for end in [from, to] {
            svg.put(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"2.5\" stroke=\"none\"/>\n",
                rounded(end.x),
                rounded(end.y)
            ));
        }
    }
    svg.put(format_args!("</g>\n"));
    if let Some((from, to)) = look.highlight {
        let (tail, tip) = layout.shore_to_shore(from, to, [10.0, 20.0]);
        let way = tip.minus(tail);
        let ahead = way.times(1.0 / way.length().max(1e-6));
        let aside = Point::new(-ahead.y, ahead.x);
        let neck = tip.minus(ahead.times(14.0));
        let corner = |base: Point, width: f64| xy(base.plus(aside.times(width)));
        svg.put(format_args!(
            "<path d=\"M{} {} {} {} {} {} {}z\" fill=\"{ATTACK}\" stroke=\"#fff\" stroke-width=\"1.5\" \
             stroke-linejoin=\"round\"/>\n",
            corner(tail, 3.0),
            corner(neck, 3.0),
            corner(neck, 9.0),
            xy(tip),
            corner(neck, -9.0),
            corner(neck, -3.0),
            corner(tail, -3.0),
        ));
    }
}

/// The tooltip of a province.
fn spoken(look: &Look, at: usize) -> String {
    let province = &look.provinces[at];
    let mut text = province_name(look.map, at as u8);
    if let Some(clan) = province.owner {
        let _ = match look.clans.get(usize::from(clan)) {
            Some(entry) => write!(text, ", {}", entry.name),
            None => write!(text, ", clan {clan}"),
        };
    }
    for (count, what) in
        [(province.regulars, "regular"), (province.ronin, "ronin"), (province.hidden, "hidden ronin")]
    {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    if province.fort != Fort::None {
        let _ = write!(text, ", {}", province.fort.name());
    }
    if let Some(ArmyLook { number, units, level, disrupted }) = province.army {
        let _ = write!(text, ", army {number} with {units} units, level {level}");
        text.push_str(if disrupted { ", disrupted" } else { "" });
    }
    text
}

/// The colour of a clan's provinces.
fn colour(owner: Option<u8>) -> &'static str {
    owner.and_then(|clan| CLAN_COLOURS.get(usize::from(clan)).copied()).unwrap_or(NOBODY)
}

/// The letter of a clan.
fn letter(clan: u8) -> char {
    char::from(b'A' + clan.min(25))
}

#[cfg(test)]
mod tests;
