//! Title, list of the clans, and the key to the signs.

use sengoku_swords::data::Fort;

use super::signs::Sign;
use super::{
    ArmyLook, CLAN_LENGTH, KEY_SIZE, LEGEND_HEAD, LEGEND_LINE, Look, SHALLOWS, TITLE_LENGTH, colour,
};
use crate::picture::{Point, Svg, escaped, rounded, short};

/// Title and list of the clans.
pub(super) fn draw_legend(svg: &mut Svg, look: &Look, at: Point) {
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

/// The key to the signs.
pub(super) fn draw_key(svg: &mut Svg, at: Point) {
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
