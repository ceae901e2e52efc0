//! The pieces of a province: signs in rows below its name.

use sengoku_swords::data::Fort;

use super::{ATTACK, ArmyLook, INK, ProvinceLook, letter};
use crate::picture::{Point, Svg, escaped, rounded, xy};

/// One sign of a row of pieces.
#[derive(Clone, Copy)]
pub(super) enum Sign {
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
    pub(super) fn width(self) -> f64 {
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
    pub(super) fn draw(self, svg: &mut Svg, x: f64, y: f64) {
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
pub(super) fn draw_pieces(svg: &mut Svg, name: &str, province: &ProvinceLook, centre: Point) {
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
