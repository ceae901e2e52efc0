//! The map: provinces in the colours of their regions, with what stands in them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::picture::{Ground, Layout, Point, escaped, on_globe, outline, rounded, xy};

use super::Scene;
use super::signs::{ALARM, Sign, paint, row};
use crate::tower::words::{building_text, seat_text};
use sengoku_tower::board::Map;
use sengoku_tower::data::{Building, PROVINCES, ProvinceId, Provinces, REGIONS};
use sengoku_tower::state::Point as Stage;

/// Colours of the regions: those of the names that they have, for other names in this order.
const TINTS: [(&str, &str); REGIONS] = [
    ("brown", "#dcc2a0"),
    ("green", "#c2dcb0"),
    ("purple", "#d9c9e6"),
    ("red", "#f0c2b4"),
    ("yellow", "#f4e7a8"),
];
/// Colour of a province that is not in play.
const LEFT_OUT: &str = "#dcdcda";
/// Colour of the water along the coasts.
const SHALLOWS: &str = "#b9d3e0";
/// Colour of sea lines.
pub(super) const SEA_LINE: &str = "#1d4e6b";
/// Colour of borders.
pub(super) const BORDER: &str = "#6b6457";
/// Units of a layout for a degree of latitude, before provinces are moved apart.
const DEGREE: f64 = 112.0;
/// Cells hold a name and three rows of signs.
const SCALE: f64 = 1.42;

/// Places of the provinces by id, in degrees; the file is compiled in and read once.
static PLACES: LazyLock<BTreeMap<String, [f64; 2]>> =
    LazyLock::new(|| toml::from_str(include_str!("../../../data/tower_places.toml")).unwrap_or_default());

/// Input of the layout of a side. A province that the file of places does not know lies amid its neighbours.
pub(super) fn ground(map: &Map) -> Ground {
    let place = |at: usize| PLACES.get(&map.provinces()[at].id).map(|&geo| on_globe(geo, DEGREE));
    let mut places: Vec<Option<Point>> = (0..PROVINCES).map(place).collect();
    let mean = |points: Vec<Point>| {
        let sum = points.iter().fold(Point::new(0.0, 0.0), |sum, &point| sum.plus(point));
        (!points.is_empty()).then(|| sum.times(1.0 / points.len() as f64))
    };
    for _ in 0..PROVINCES {
        let before = places.clone();
        for province in ProvinceId::all().filter(|province| before[province.index()].is_none()) {
            let near = Provinces(map.neighbours(province)).filter_map(|other| before[other.index()]);
            places[province.index()] = mean(near.collect());
        }
    }
    let middle = mean(places.iter().copied().flatten().collect()).unwrap_or(Point::new(0.0, 0.0));
    let sea = ProvinceId::all().flat_map(|a| Provinces(map.sea(a)).map(move |b| (a.0, b.0)));
    Ground {
        places: places.into_iter().map(|place| place.unwrap_or(middle)).collect(),
        land: ProvinceId::all().map(|province| map.land(province).into()).collect(),
        sea: sea.filter(|(a, b)| a < b).collect(),
        scale: SCALE,
    }
}

/// Size of the letters of a name.
pub(super) fn name_size(name: &str) -> f64 {
    match name.chars().count() {
        ..=9 => 11.5,
        10..=12 => 10.5,
        _ => 8.5,
    }
}

/// The colour of a region.
pub(super) fn tint(regions: &[String], region: usize) -> &'static str {
    let named = TINTS.iter().find(|(name, _)| regions.get(region).is_some_and(|known| known == name));
    named.unwrap_or(&TINTS[region % REGIONS]).1
}

impl Scene<'_> {
    /// The number of the region that a province lies in.
    pub(super) fn region(&self, province: ProvinceId) -> usize {
        let regions = 0..REGIONS;
        regions.into_iter().find(|&region| self.seen.map().region(region) & province.bit() != 0).unwrap_or(0)
    }

    pub(super) fn draw_map(&mut self, layout: &Layout, origin: Point) {
        self.svg.put(format_args!("<g transform=\"translate({})\">\n", xy(origin)));
        let outlines: Vec<String> = layout.cells.iter().map(|cell| outline(cell)).collect();
        self.svg.put(format_args!(
            "<path d=\"{}\" fill=\"{SHALLOWS}\" stroke=\"{SHALLOWS}\" stroke-width=\"16\" stroke-linejoin=\"round\"/>\n",
            outlines.concat()
        ));
        self.draw_cells(&outlines);
        self.draw_ways(layout);
        for province in ProvinceId::all() {
            self.draw_province(province, layout.centres[province.index()]);
        }
        self.svg.put(format_args!("</g>\n"));
    }

    /// The cells: a region's colour inside, the owner's along the border.
    fn draw_cells(&mut self, outlines: &[String]) {
        let seen = self.seen;
        let style = format!("stroke=\"{BORDER}\" stroke-width=\"1.3\" stroke-linejoin=\"round\"");
        for province in ProvinceId::all() {
            let (path, number) = (&outlines[province.index()], province.0);
            let in_play = seen.in_play() & province.bit() != 0;
            let fill = if in_play { tint(seen.board.regions(), self.region(province)) } else { LEFT_OUT };
            let spoken = escaped(&self.spoken(province));
            let key = escaped(seen.board.key(province));
            self.svg.put(format_args!(
                "<path data-place=\"{key}\" d=\"{path}\" fill=\"{fill}\"><title>{spoken}</title></path>"
            ));
            if let Some(owner) = seen.provinces[province].owner {
                self.svg.put(format_args!(
                    "<clipPath id=\"p{number}\"><path d=\"{path}\"/></clipPath><path d=\"{path}\" fill=\"none\" \
                     stroke=\"{}\" stroke-width=\"11\" stroke-opacity=\"0.85\" clip-path=\"url(#p{number})\"/>",
                    paint(self.colour(owner))
                ));
            }
            self.svg.put(format_args!("<path d=\"{path}\" fill=\"none\" {style}/>\n"));
        }
        for province in self.marked() {
            let path = &outlines[province.index()];
            self.svg.put(format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{ALARM}\" stroke-width=\"3.5\" stroke-dasharray=\"9 4\" \
                 stroke-linejoin=\"round\"/>\n"
            ));
        }
    }

    /// The provinces that something is about to happen in: armies may leave, or farmers revolt.
    fn marked(&self) -> Vec<ProvinceId> {
        match self.seen.point {
            Stage::Battle | Stage::DeployMove => self.seen.planned_province().into_iter().collect(),
            _ => self.seen.pending.iter().copied().chain(self.seen.revolt).collect(),
        }
    }

    /// Sea lines, and borders that the cells do not show.
    fn draw_ways(&mut self, layout: &Layout) {
        for &(a, b) in &layout.links {
            let (from, to) = layout.shore_to_shore(a, b, [9.0; 2]);
            self.svg.put(format_args!(
                "<path d=\"M{} {}\" stroke=\"{BORDER}\" stroke-width=\"4\" stroke-linecap=\"round\"/>\n",
                xy(from),
                xy(to)
            ));
        }
        let in_play = self.seen.in_play();
        for a in Provinces(in_play) {
            for b in Provinces(self.seen.map().sea(a) & in_play).filter(|b| a < *b) {
                let (from, to) = layout.shore_to_shore(a.0, b.0, [6.0; 2]);
                self.svg.put(format_args!(
                    "<path d=\"M{} {}\" stroke=\"{SEA_LINE}\" stroke-width=\"2.4\" stroke-dasharray=\"6 4\"/>",
                    xy(from),
                    xy(to)
                ));
                for end in [from, to] {
                    let (x, y) = (rounded(end.x), rounded(end.y));
                    self.svg.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{SEA_LINE}\"/>"));
                }
                self.svg.put(format_args!("\n"));
            }
        }
    }

    /// Name, armies and markers, buildings and free sites, and what the card yields.
    fn draw_province(&mut self, province: ProvinceId, centre: Point) {
        let seen = self.seen;
        let name = escaped(seen.board.name(province));
        let size = name_size(seen.board.name(province));
        if seen.in_play() & province.bit() == 0 {
            let style = format!("font-size=\"{size}\" font-style=\"italic\" fill=\"#77746e\"");
            self.svg.text(centre.plus(Point::new(0.0, 4.0)), &style, name);
            self.svg.put(format_args!("\n"));
            return;
        }
        let it = &seen.provinces[province];
        let mut rows: Vec<Vec<Sign>> = Vec::new();
        if let Some(owner) = it.owner {
            let mut row = vec![Sign::Badge(owner.0), Sign::Armies(self.colour(owner), it.armies.into())];
            row.extend(vec![Sign::Unrest; usize::from(it.unrest.min(4))]);
            rows.push(row);
        }
        let built = Building::ALL.into_iter().filter(|&kind| it.has(kind)).map(Sign::Building);
        let free = seen.map().sites(province).saturating_sub(it.buildings());
        rows.push(built.chain(vec![Sign::Site; free.into()]).collect());
        let (tax, rice) = (seen.map().tax(province), seen.map().rice(province));
        rows.push(vec![Sign::Chests(tax.into()), Sign::Rice(rice.into())]);

        let mut y = centre.y - 8.6 * rows.len() as f64;
        let style = format!("font-size=\"{size}\" font-weight=\"bold\"");
        self.svg.text(Point::new(centre.x, y + 3.8), &style, name);
        for signs in rows {
            y += 17.2;
            row(&mut self.svg, Point::new(centre.x, y), &signs, 3.0);
        }
        self.svg.put(format_args!("\n"));
    }

    /// The tooltip of a province.
    fn spoken(&self, province: ProvinceId) -> String {
        let seen = self.seen;
        let mut text = seen.board.name(province).to_owned();
        if seen.in_play() & province.bit() == 0 {
            return text + ", not in play";
        }
        let it = &seen.provinces[province];
        let _ = write!(text, ", {} region", seen.board.regions()[self.region(province)]);
        match it.owner {
            Some(owner) => {
                let _ = write!(text, ", {}, armies {}", seat_text(seen, owner), it.armies);
            }
            None => text.push_str(", neutral"),
        }
        for kind in Building::ALL.into_iter().filter(|&kind| it.has(kind)) {
            let _ = write!(text, ", {}", building_text(kind));
        }
        if it.unrest > 0 {
            let _ = write!(text, ", unrest {}", it.unrest);
        }
        let (map, sites) = (seen.map(), seen.map().sites(province));
        let _ = write!(text, "; tax {}, rice {}, sites {sites}", map.tax(province), map.rice(province));
        text
    }
}
