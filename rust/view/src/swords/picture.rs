//! The board as a picture in SVG.
//!
//! [`draw`] knows no match: it draws what a [`Look`] says, so whoever fills the look decides what may be seen. Equal looks
//! give equal bytes on every machine.

use std::fmt::Write;

use sengoku_swords::data::{Fort, MAX_CLANS, PROVINCES};
use sengoku_swords::map::{EdgeKind, Map};

use crate::picture::{Ground, Layout, Point, Svg, escaped, layout_of, on_globe, outline, rounded, short, xy};

/// Colours of the clans, told apart by colour-blind eyes too; each carries the clan's letter as a second cue.
const CLAN_COLOURS: [&str; MAX_CLANS] = ["#e69f00", "#56b4e9", "#2bb38a", "#f0e442", "#d98cb3"];
/// Colour of an empty province.
const NOBODY: &str = "#e4e0d5";
/// Colour of text, outlines and icons.
const INK: &str = "#23211d";
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

/// An army as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArmyLook {
    /// Its number as players say it, from 1.
    pub number: u8,
    /// Units on its section of the army card, the daimyo included.
    pub units: u8,
    /// Level of its daimyo.
    pub level: u8,
    /// Whether it is disrupted.
    pub disrupted: bool,
}

/// A province as it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProvinceLook {
    /// The clan that owns it.
    pub owner: Option<u8>,
    /// Regular units of the provincial force.
    pub regulars: u8,
    /// Ronin in the open.
    pub ronin: u8,
    /// Hidden ronin, if who looks may know of them.
    pub hidden: u8,
    /// The building.
    pub fort: Fort,
    /// The army whose marker stands here.
    pub army: Option<ArmyLook>,
}

/// A clan as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClanLook {
    /// What to call it.
    pub name: String,
    /// Provinces it owns.
    pub provinces: u8,
    /// Koku it has.
    pub koku: u8,
    /// Its sword, once it has one.
    pub sword: Option<u8>,
    /// Whether it is out of the match.
    pub out: bool,
}

/// All that a picture shows.
#[derive(Clone, Debug)]
pub struct Look<'a> {
    /// The board.
    pub map: &'a Map,
    /// What stands in each province.
    pub provinces: [ProvinceLook; PROVINCES],
    /// The clans by number.
    pub clans: Vec<ClanLook>,
    /// A line at the top.
    pub title: String,
    /// An attack under way: from where, and on what.
    pub highlight: Option<(u8, u8)>,
}

impl<'a> Look<'a> {
    /// The board with nothing on it.
    pub fn empty(map: &'a Map) -> Self {
        Self {
            map,
            provinces: [ProvinceLook::default(); PROVINCES],
            clans: Vec::new(),
            title: map.title().into(),
            highlight: None,
        }
    }
}

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

/// What the layout is made from: borders and true places.
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
            "<path d=\"{}\" fill=\"{}\"><title>{}</title></path>\n",
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

/// One sign of a row of pieces.
#[derive(Clone, Copy)]
enum Sign {
    /// The letter of a clan.
    Badge(u8),
    /// Regular units of a provincial force.
    Regulars(u8),
    /// Ronin, a stack that is hidden or one in the open.
    Ronin { count: u8, hidden: bool },
    /// A building.
    Building(Fort),
    /// Marker, units and level of an army.
    Army(ArmyLook),
}

impl Sign {
    /// Room it takes in a row.
    fn width(self) -> f64 {
        let digits = |count: u8| if count < 10 { 1.0 } else { 2.0 };
        match self {
            Self::Badge(_) => 13.0,
            Self::Regulars(count) => 8.5 * digits(count),
            Self::Ronin { count, .. } => {
                if count < 10 {
                    13.0
                } else {
                    19.0
                }
            }
            Self::Building(_) => 14.0,
            Self::Army(army) => {
                18.0 + 7.5 * digits(army.units) + 3.0 + if army.level > 2 { 9.0 } else { 4.0 }
            }
        }
    }

    /// Draws it with its left end at `x` and its middle at the height of `y`.
    fn draw(self, svg: &mut Svg, x: f64, y: f64) {
        let middle = x + self.width() / 2.0;
        match self {
            Self::Badge(clan) => {
                svg.put(format_args!("<circle cx=\"{}\" cy=\"{}\" r=\"6.5\"/>", rounded(middle), rounded(y)));
                svg.text(
                    Point::new(middle, y + 3.3),
                    "font-size=\"9\" font-weight=\"bold\" fill=\"#fff\"",
                    letter(clan),
                );
            }
            Self::Regulars(count) => {
                svg.text(Point::new(middle, y + 4.8), "font-size=\"13\" font-weight=\"bold\"", count);
            }
            Self::Ronin { count, hidden } => {
                let half = self.width() / 2.0;
                let (fill, ink, dash) =
                    if hidden { ("#fff", INK, " stroke-dasharray=\"2 1.5\"") } else { (INK, "#fff", "") };
                svg.put(format_args!(
                    "<path d=\"M{} {} {} {}z\" fill=\"{fill}\" stroke=\"{INK}\"{dash}/>",
                    xy(Point::new(middle - half, y)),
                    xy(Point::new(middle, y - 7.5)),
                    xy(Point::new(middle + half, y)),
                    xy(Point::new(middle, y + 7.5)),
                ));
                let style = format!("font-size=\"8.5\" font-weight=\"bold\" fill=\"{ink}\"");
                svg.text(Point::new(middle, y + 3.1), &style, count);
            }
            Self::Building(fort) => draw_building(svg, fort, middle, y),
            Self::Army(army) => draw_army(svg, army, x, y),
        }
    }
}

/// Name and pieces of a province, in up to three rows.
fn draw_pieces(svg: &mut Svg, name: &str, province: &ProvinceLook, centre: Point) {
    let mut row = Vec::new();
    if let Some(clan) = province.owner {
        row.push(Sign::Badge(clan));
    }
    if province.regulars > 0 {
        row.push(Sign::Regulars(province.regulars));
    }
    for (count, hidden) in [(province.ronin, false), (province.hidden, true)] {
        if count > 0 {
            row.push(Sign::Ronin { count, hidden });
        }
    }
    if province.fort != Fort::None {
        row.push(Sign::Building(province.fort));
    }
    let rows = [row, province.army.map(Sign::Army).into_iter().collect()];
    let count = rows.iter().filter(|row| !row.is_empty()).count();

    let mut y = centre.y - 8.5 * count as f64;
    let size = if name.chars().count() > 9 { 9.5 } else { 10.5 };
    svg.text(Point::new(centre.x, y + 3.8), &format!("font-size=\"{size}\""), escaped(name));
    for row in rows.iter().filter(|row| !row.is_empty()) {
        y += 16.5;
        let width: f64 = row.iter().map(|sign| sign.width() + 2.5).sum::<f64>() - 2.5;
        let mut x = centre.x - width / 2.0;
        for sign in row {
            sign.draw(svg, x, y);
            x += sign.width() + 2.5;
        }
        svg.put(format_args!("\n"));
    }
}

/// Title and list of the clans.
fn draw_legend(svg: &mut Svg, look: &Look, at: Point) {
    svg.put(format_args!(
        "<g transform=\"translate({},{})\" font-size=\"13\">\n",
        rounded(at.x),
        rounded(at.y)
    ));
    let left = "text-anchor=\"start\"";
    let title = short(&look.title, TITLE_LENGTH);
    svg.text(
        Point::new(0.0, 20.0),
        &format!("{left} font-size=\"18\" font-weight=\"bold\""),
        escaped(&title),
    );
    if !look.clans.is_empty() {
        for (x, head) in [(222.0, "provinces"), (287.0, "koku"), (338.0, "sword")] {
            svg.text(Point::new(x, 50.0), "font-size=\"11\"", head);
        }
    }
    for (clan, entry) in look.clans.iter().enumerate() {
        let y = LEGEND_HEAD + LEGEND_LINE * clan as f64;
        let fade = if entry.out { " opacity=\"0.5\"" } else { "" };
        svg.put(format_args!(
            "<g{fade}><rect y=\"{}\" width=\"26\" height=\"20\" rx=\"4\" fill=\"{}\" stroke=\"#6b6457\"/>",
            rounded(y - 10.0),
            colour(Some(clan as u8))
        ));
        Sign::Badge(clan as u8).draw(svg, 6.5, y);
        svg.text(Point::new(34.0, y + 4.5), left, escaped(&short(&entry.name, CLAN_LENGTH)));
        if entry.out {
            svg.text(Point::new(222.0, y + 4.5), "font-style=\"italic\"", "out");
        } else {
            svg.text(Point::new(222.0, y + 4.5), "font-weight=\"bold\"", entry.provinces);
            svg.text(Point::new(287.0, y + 4.5), "", entry.koku);
            if let Some(sword) = entry.sword {
                svg.text(Point::new(338.0, y + 4.5), "", sword);
            }
        }
        svg.put(format_args!("</g>\n"));
    }
    svg.put(format_args!("</g>\n"));
}

/// What the signs mean.
fn draw_key(svg: &mut Svg, at: Point) {
    svg.put(format_args!(
        "<g transform=\"translate({},{})\" font-size=\"11\">\n",
        rounded(at.x),
        rounded(at.y)
    ));
    svg.put(format_args!(
        "<rect width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#fff\" fill-opacity=\"0.55\"/>\n",
        KEY_SIZE.x, KEY_SIZE.y
    ));
    let army = ArmyLook { number: 1, units: 9, level: 2, disrupted: false };
    let signs = [
        (Sign::Regulars(3), "regular units in the province"),
        (Sign::Ronin { count: 2, hidden: false }, "ronin"),
        (Sign::Ronin { count: 2, hidden: true }, "hidden ronin"),
        (Sign::Building(Fort::Castle), "castle"),
        (Sign::Building(Fort::Fortress), "fortress"),
        (Sign::Army(army), "army 1: units, dots are the level"),
        (Sign::Army(ArmyLook { disrupted: true, ..army }), "army that is disrupted"),
    ];
    let line = |row: usize| 18.0 + 20.0 * row as f64;
    for (row, (sign, meaning)) in signs.into_iter().enumerate() {
        sign.draw(svg, 26.0 - sign.width() / 2.0, line(row));
        svg.text(Point::new(56.0, line(row) + 4.0), "text-anchor=\"start\"", meaning);
        svg.put(format_args!("\n"));
    }
    let y = line(signs.len());
    svg.put(format_args!(
        "<path d=\"M8,{y} 44,{y}\" stroke=\"#1d4e6b\" stroke-width=\"2\" stroke-dasharray=\"5 3\"/>"
    ));
    svg.text(Point::new(56.0, y + 4.0), "text-anchor=\"start\"", "sea route");
    let y = line(signs.len() + 1);
    svg.put(format_args!("<path d=\"M8,{y} 44,{y}\" stroke=\"{SHALLOWS}\" stroke-width=\"6\"/>"));
    svg.text(Point::new(56.0, y + 4.0), "text-anchor=\"start\"", "water between provinces: not adjacent");
    let y = line(signs.len() + 2);
    svg.put(format_args!("<path d=\"M16,{y} 36,{y}\" stroke=\"#6b6457\" stroke-width=\"3\"/>"));
    svg.text(Point::new(56.0, y + 4.0), "text-anchor=\"start\"", "short border: adjacent by land");
    svg.put(format_args!("\n</g>\n"));
}

/// A province in words, for who points at it.
fn spoken(look: &Look, at: usize) -> String {
    let province = &look.provinces[at];
    let mut text = look.map.name(at as u8).to_owned();
    if let Some(clan) = province.owner {
        let _ = write!(text, ", clan {}", letter(clan));
        if let Some(entry) = look.clans.get(usize::from(clan)) {
            let _ = write!(text, " {}", entry.name);
        }
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

/// A tower with battlements, on a plinth when it is a fortress.
fn draw_building(svg: &mut Svg, fort: Fort, x: f64, y: f64) {
    let (left, top) = (rounded(x - 5.0), rounded(y - 6.5));
    svg.put(format_args!(
        "<path d=\"M{left},{top}h2.5v2.5h1.5v-2.5h2v2.5h1.5v-2.5h2.5v10h-10z\" fill=\"#fff\" stroke=\"{INK}\"/>"
    ));
    if fort == Fort::Fortress {
        svg.put(format_args!("<path d=\"M{},{}h14v3.5h-14z\"/>", rounded(x - 7.0), rounded(y + 3.5)));
    }
}

/// A flag with the number, the units and dots for the level; the flag of a disrupted army is struck out.
fn draw_army(svg: &mut Svg, army: ArmyLook, x: f64, y: f64) {
    svg.put(format_args!(
        "<path d=\"M{},{}v15\" stroke=\"{INK}\" stroke-width=\"1.5\"/><path d=\"M{},{}h13v11h-13z\" fill=\"#fff\" stroke=\"{INK}\"/>",
        rounded(x + 1.0),
        rounded(y - 7.0),
        rounded(x + 1.5),
        rounded(y - 6.5),
    ));
    svg.text(Point::new(x + 8.2, y + 2.2), "font-size=\"9\" font-weight=\"bold\"", army.number);
    if army.disrupted {
        svg.put(format_args!(
            "<path d=\"M{},{}l15,-13\" stroke=\"{ATTACK}\" stroke-width=\"2\"/>",
            rounded(x + 0.5),
            rounded(y + 5.5)
        ));
    }
    let digits = if army.units < 10 { 1.0 } else { 2.0 };
    svg.text(Point::new(x + 18.0 + 3.75 * digits, y + 4.2), "font-size=\"12\"", army.units);
    let dots = x + 18.0 + 7.5 * digits + 4.5;
    for dot in 0..army.level.min(4) {
        svg.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"1.7\"/>",
            rounded(dots + 4.8 * f64::from(dot / 2)),
            rounded(y + 2.4 - 4.8 * f64::from(dot % 2))
        ));
    }
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
