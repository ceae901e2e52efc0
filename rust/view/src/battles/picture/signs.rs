//! The signs of terrain, units and leaders, drawn by us. Lengths are those of the board.

use crate::picture::{Point, Svg, rounded, xy};

use sengoku_battles::data::{Side, Symbol, Terrain, UnitKind, Weapon};

/// Colour of letters and lines.
pub(super) const INK: &str = "#2b2620";
/// Colour of text and signs on the colour of a side.
pub(super) const ON_SIDE: &str = "#fff8e6";
/// Leaders, orders and objectives.
pub(super) const GOLD: &str = "#f2c230";

/// The colour of an army (BT-COMP-01).
pub(super) const fn paint(side: Side) -> &'static str {
    match side {
        Side::Top => "#b3362c",
        Side::Bottom => "#2b5c99",
    }
}

/// The colour of the ground.
pub(super) const fn tint(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Open | Terrain::Tent | Terrain::Fence | Terrain::Palisade => "#e4e3b8",
        Terrain::Forest => "#b4cb94",
        Terrain::Hill => "#dcc08a",
        Terrain::River | Terrain::Ford | Terrain::Shallow | Terrain::Bridge => "#cfe0d8",
        Terrain::Buildings => "#e8d3b0",
        Terrain::Fields => "#d9dc8e",
        Terrain::Gorge => "#b3a491",
        Terrain::Castle => "#d8d4cb",
    }
}

/// A path around a middle.
pub(super) fn put(svg: &mut Svg, middle: Point, path: &str, style: &str) {
    svg.put(format_args!("<path transform=\"translate({})\" d=\"{path}\" {style}/>", xy(middle)));
}

/// The same shape at several places.
fn at(places: &[(i8, i8)], shape: &str) -> String {
    places.iter().map(|(x, y)| format!("M{x},{y}{shape}")).collect::<Vec<_>>().concat()
}

/// Signs on the ground of a hex beside its colour; water, which flows from hex to hex, is drawn elsewhere. Most
/// of it is at the rim, where it can be seen around a unit.
pub(super) fn draw_ground(svg: &mut Svg, middle: Point, terrain: Terrain, tent: Option<Side>) {
    match terrain {
        Terrain::Open | Terrain::River | Terrain::Ford | Terrain::Shallow | Terrain::Bridge => {}
        Terrain::Forest => {
            let trees = at(
                &[
                    (2, -40),
                    (22, -31),
                    (-31, -12),
                    (31, -9),
                    (-29, 11),
                    (30, 13),
                    (-13, 19),
                    (14, 20),
                    (0, -14),
                    (-14, -6),
                    (15, -5),
                ],
                "l5.5,9h-2.5l4,7h-5.5v4h-3v-4h-5.5l4,-7h-2.5z",
            );
            put(svg, middle, &trees, "fill=\"#4d7a3f\"");
        }
        Terrain::Hill => {
            let style = "fill=\"none\" stroke=\"#9a6f33\" stroke-linecap=\"round\"";
            put(
                svg,
                middle,
                "M-33,20C-30,-16 -18,-34 0,-36C18,-34 30,-16 33,20M-24,26C-20,-2 -10,-20 2,-22C12,-20 20,-4 24,26",
                &format!("{style} stroke-width=\"1.8\""),
            );
            let lines = at(&[(-27, -6), (-17, -22), (28, -2), (20, -19), (-31, 8), (32, 12)], "l-2.5,7");
            put(svg, middle, &lines, &format!("{style} stroke-width=\"1.2\""));
        }
        Terrain::Buildings => {
            let houses = [(-33, -11), (-10, -25), (13, -10), (-31, 22), (-9, 31), (12, 23)];
            put(
                svg,
                middle,
                &at(&houses, "m2,0h14v9h-14z"),
                "fill=\"#f6ead0\" stroke=\"#6b4a2b\" stroke-width=\"0.8\"",
            );
            put(
                svg,
                middle,
                &at(&houses, "l4,-7h10l4,7z"),
                "fill=\"#8c5a35\" stroke=\"#5f3c20\" stroke-width=\"0.8\"",
            );
        }
        Terrain::Fields => {
            put(
                svg,
                middle,
                "M-15,-33h30M-28,-25h56M-35,-15h70M-35,-5h70M-35,5h70M-35,15h70M-28,25h56M-15,33h30M-18,-31L-34,18M-4,-38L-21,26M10,-38L-7,36M22,-28L6,37M34,-20L20,29",
                "fill=\"none\" stroke=\"#94a23a\" stroke-width=\"1.2\"",
            );
            let rice = at(
                &[
                    (-25, -18),
                    (-9, -28),
                    (9, -28),
                    (25, -18),
                    (-29, 2),
                    (30, 4),
                    (-22, 22),
                    (-2, 31),
                    (20, 22),
                ],
                "v-5m-2.5,5l-1.5,-4m6.5,4l1.5,-4",
            );
            put(svg, middle, &rice, "fill=\"none\" stroke=\"#5d7a24\" stroke-width=\"1.1\"");
        }
        Terrain::Gorge => {
            put(
                svg,
                middle,
                "M-38,-12L-22,-20L-12,-12L2,-22L14,-13L26,-20L38,-12V12L25,20L13,12L1,21L-12,13L-24,21L-38,12z",
                "fill=\"#7d6d5c\" stroke=\"#5a4c3e\" stroke-width=\"1.4\" stroke-linejoin=\"round\"",
            );
            let cracks = at(
                &[(-26, -30), (-8, -34), (10, -35), (26, -27), (-27, 29), (-9, 34), (9, 35), (26, 30)],
                "l3,-4m4,5l2,-4",
            );
            put(
                svg,
                middle,
                &cracks,
                "fill=\"none\" stroke=\"#6b5b4a\" stroke-width=\"1.3\" stroke-linecap=\"round\"",
            );
        }
        Terrain::Tent => draw_tent(svg, middle, tent),
        Terrain::Fence => draw_fence(svg, middle),
        Terrain::Palisade => draw_palisade(svg, middle),
        Terrain::Castle => draw_castle(svg, middle),
    }
}

/// A camp curtain in the colour of its army.
fn draw_tent(svg: &mut Svg, middle: Point, owner: Option<Side>) {
    let colour = owner.map_or("#8a8172", paint);
    put(
        svg,
        middle,
        "M-33,22V-20L0,-39L33,-20V22z",
        &format!("fill=\"#fbf6e8\" stroke=\"{colour}\" stroke-width=\"2.4\" stroke-linejoin=\"round\""),
    );
    put(
        svg,
        middle,
        "M-33,-20L0,-39L33,-20L29,-15L0,-31L-29,-15zM-33,16h66v6h-66z",
        &format!("fill=\"{colour}\""),
    );
    put(
        svg,
        middle,
        "M-22,22V-14M22,22V-14",
        &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\""),
    );
}

/// Posts and two rails around the hex: it protects in all directions (BT-TERRAIN-10).
fn draw_fence(svg: &mut Svg, middle: Point) {
    let wood = "fill=\"none\" stroke=\"#7a5230\"";
    put(
        svg,
        middle,
        "M0,-38L33,-19V19L0,38L-33,19V-19zM0,-33L28.5,-16.5V16.5L0,33L-28.5,16.5V-16.5z",
        &format!("{wood} stroke-width=\"1.3\""),
    );
    let posts = at(
        &[
            (0, -41),
            (-15, -32),
            (15, -32),
            (-30, -23),
            (30, -23),
            (-31, -5),
            (31, -5),
            (-30, 13),
            (30, 13),
            (-15, 23),
            (15, 23),
            (0, 31),
        ],
        "v11",
    );
    put(svg, middle, &posts, &format!("{wood} stroke-width=\"2.6\" stroke-linecap=\"round\""));
}

/// Stakes side by side around the hex.
fn draw_palisade(svg: &mut Svg, middle: Point) {
    let places: Vec<(i8, i8)> = (0..=8)
        .flat_map(|step: i8| {
            let (x, y) = (step * 4, step * 9 / 4);
            [(x, -40 + y), (-x, -40 + y), (x, 36 - y), (-x, 36 - y)]
        })
        .chain((0..5).flat_map(|step: i8| [(-33, -19 + step * 8), (33, -19 + step * 8)]))
        .collect();
    put(
        svg,
        middle,
        &at(&places, "l2,2.6v7.4h-4v-7.4z"),
        "fill=\"#9a6b3c\" stroke=\"#4f3218\" stroke-width=\"0.7\" stroke-linejoin=\"round\"",
    );
}

/// A keep of three roofs on a stone base.
fn draw_castle(svg: &mut Svg, middle: Point) {
    put(svg, middle, "M-31,32L-24,14H24L31,32z", "fill=\"#9c968b\" stroke=\"#5c574e\" stroke-width=\"1.2\"");
    put(
        svg,
        middle,
        "M-21,14V2H21V14zM-15,-6V-13H15V-6zM-9,-21V-27H9V-21z",
        "fill=\"#fdfaf0\" stroke=\"#5c574e\" stroke-width=\"1\"",
    );
    put(
        svg,
        middle,
        "M-32,3L-22,-7H22L32,3zM-25,-12L-16,-22H16L25,-12zM-17,-26Q-6,-30 0,-40Q6,-30 17,-26z",
        "fill=\"#4f5b66\" stroke=\"#333c44\" stroke-width=\"1\" stroke-linejoin=\"round\"",
    );
}

/// The symbol of a unit, about 12 wide.
pub(super) fn draw_symbol(svg: &mut Svg, middle: Point, symbol: Symbol, colour: &str) {
    let (path, fill) = match symbol {
        Symbol::Circle => ("M-5.6,0a5.6,5.6 0 1 0 11.2,0a5.6,5.6 0 1 0 -11.2,0z", true),
        Symbol::Triangle => ("M0,-6.4L6.6,5.2H-6.6z", true),
        Symbol::Square => ("M-5.2,-5.2h10.4v10.4h-10.4z", true),
        Symbol::Swords => ("M-6,-6L5.5,5.5M6,-6L-5.5,5.5M1.5,6.5L6.5,1.5M-1.5,6.5L-6.5,1.5", false),
    };
    let style = if fill {
        format!("fill=\"{colour}\"")
    } else {
        format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linecap=\"round\"")
    };
    put(svg, middle, path, &style);
}

/// Weapon of a unit, and the horse of cavalry: up to two signs, each about 14 wide.
pub(super) fn arms(kind: UnitKind) -> impl Iterator<Item = Arms> {
    let weapon = match kind.weapon() {
        Weapon::Bow => Some(Arms::Bow),
        Weapon::Arquebus => Some(Arms::Arquebus),
        Weapon::None => (!matches!(kind, UnitKind::Levy | UnitKind::Bodyguard)).then_some(Arms::Spear),
    };
    weapon.into_iter().chain(kind.is_cavalry().then_some(Arms::Horse))
}

/// A sign of what a unit fights with.
#[derive(Clone, Copy)]
pub(super) enum Arms {
    Spear,
    Bow,
    Arquebus,
    Horse,
}

impl Arms {
    pub(super) fn draw(self, svg: &mut Svg, middle: Point) {
        let line = |width: &str| {
            format!(
                "fill=\"none\" stroke=\"{ON_SIDE}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
            )
        };
        match self {
            Self::Spear => {
                put(svg, middle, "M-5.5,6.5L4,-4", &line("1.5"));
                put(svg, middle, "M6.6,-7.4L5.4,-2.2L1.8,-5.2z", &format!("fill=\"{ON_SIDE}\""));
            }
            Self::Bow => {
                put(svg, middle, "M-2,-7.5Q8,0 -2,7.5", &line("1.6"));
                put(svg, middle, "M-2,-7.5V7.5M-6.5,0H5M2.6,-2.2L5,0L2.6,2.2", &line("0.9"));
            }
            Self::Arquebus => {
                put(svg, middle, "M-3,1.5L7,-5", &line("1.8"));
                put(svg, middle, "M-3,1.5L-7,6", &line("3.2"));
                put(svg, middle, "M-1,0.5L0.5,4", &line("1"));
            }
            Self::Horse => put(
                svg,
                middle,
                "M-5.5,7.5C-6,1 -4,-4 0.5,-6L1,-8.2L2.8,-6.2C5,-4.6 6.4,-2 7.4,0.8L5.4,3L2,0.9C1.4,3 2.4,5 3.4,7.5z",
                &format!("fill=\"{ON_SIDE}\""),
            ),
        }
    }
}

/// A helmet with horns; `size` 1 is that of a leader with a unit.
pub(super) fn draw_helmet(svg: &mut Svg, middle: Point, size: f64, letter: char) {
    svg.put(format_args!("<g transform=\"translate({}) scale({})\">", xy(middle), rounded(size)));
    put(
        svg,
        Point::new(0.0, 0.0),
        "M-9.5,-11C-8,-4 -4,-3 0,-3C4,-3 8,-4 9.5,-11C11.5,-3 8,1 4,1H-4C-8,1 -11.5,-3 -9.5,-11z",
        &format!("fill=\"{GOLD}\" stroke=\"{INK}\" stroke-width=\"0.9\" stroke-linejoin=\"round\""),
    );
    put(
        svg,
        Point::new(0.0, 0.0),
        "M-7.5,6C-8.5,-5 8.5,-5 7.5,6L10,9H-10z",
        &format!("fill=\"#fff3c4\" stroke=\"{INK}\" stroke-width=\"0.9\" stroke-linejoin=\"round\""),
    );
    svg.text(Point::new(0.0, 7.2), &format!("font-size=\"9\" font-weight=\"bold\" fill=\"{INK}\""), letter);
    svg.put(format_args!("</g>"));
}

/// A flag on a staff: gained for good, gained for now, or still to be gained.
pub(super) fn draw_flag(svg: &mut Svg, corner: Point, colour: &str, gained: Gained) {
    let style = match gained {
        Gained::Kept => format!("fill=\"{colour}\" stroke=\"{colour}\""),
        Gained::ForNow => format!("fill=\"{colour}\" fill-opacity=\"0.35\" stroke=\"{colour}\""),
        Gained::No => {
            "fill=\"#fff\" fill-opacity=\"0.5\" stroke=\"#857b68\" stroke-dasharray=\"2 1.5\"".into()
        }
    };
    put(svg, corner, "M0,20V0", &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\""));
    put(svg, corner, "M0.7,0.7H14V13H0.7z", &format!("{style} stroke-width=\"1\""));
}

/// State of a banner.
#[derive(Clone, Copy)]
pub(super) enum Gained {
    Kept,
    ForNow,
    No,
}
