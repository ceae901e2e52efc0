//! The key: what terrain, pieces and lines mean.

use crate::picture::{Point, rounded};

use super::field::{Order, Stand};
use super::ground::draw_sample;
use super::pieces::{draw_hold, draw_unit, letter, rim};
use super::signs::{INK, draw_helmet, draw_symbol, paint};
use super::{MARGIN, Page, WIDTH};
use sengoku_battles::data::{LeaderKind, Side, Symbol, Terrain, UnitKind};
use sengoku_battles::scenario::Scenario;

/// Height of a line of the key.
const LINE: f64 = 38.0;
/// Width of a letter.
const LETTER: f64 = 6.7;

/// An entry of the key.
enum Entry {
    Ground(Terrain),
    Symbol(Symbol),
    Leader(LeaderKind),
    Blocks,
    Section,
    Bank(Side),
    Objective,
    Held,
    Ordered,
    Done,
    Closed,
}

impl Entry {
    fn words(&self, scenario: &Scenario) -> String {
        match self {
            Self::Ground(terrain) => terrain.name().into(),
            Self::Symbol(symbol) => match symbol {
                Symbol::Circle => "circle".into(),
                Symbol::Triangle => "triangle".into(),
                Symbol::Square => "square".into(),
                Symbol::Swords => "bodyguard".into(),
            },
            Self::Leader(kind) => kind.name().into(),
            Self::Blocks => "unit with 3 of 4 blocks".into(),
            Self::Section => "sections".into(),
            Self::Bank(side) => format!("bank of {}", scenario.armies[*side].name),
            Self::Objective => "objective".into(),
            Self::Held => "waits for its card".into(),
            Self::Ordered => "ordered".into(),
            Self::Done => "done".into(),
            Self::Closed => "cannot be entered".into(),
        }
    }

    const fn width(&self) -> f64 {
        match self {
            Self::Ground(_) => 34.0,
            Self::Symbol(_) | Self::Closed | Self::Held => 20.0,
            Self::Leader(_) => 26.0,
            Self::Blocks => 48.0,
            Self::Section | Self::Bank(_) => 30.0,
            Self::Objective | Self::Ordered | Self::Done => 24.0,
        }
    }
}

impl Page<'_> {
    /// Entries of the key: the terrain of this map, then pieces and lines.
    fn key(&self) -> [Vec<Entry>; 2] {
        let ground = Terrain::ALL.into_iter().filter(|&terrain| self.field.has(terrain));
        let scenario = self.field.scenario;
        let mut pieces = vec![Entry::Blocks];
        pieces.extend(Symbol::ALL.map(Entry::Symbol));
        pieces.extend(LeaderKind::ALL.map(Entry::Leader));
        pieces.push(Entry::Section);
        pieces
            .extend(Side::ALL.into_iter().filter(|&side| !scenario.banks[side].is_empty()).map(Entry::Bank));
        if !scenario.objectives.is_empty() {
            pieces.push(Entry::Objective);
        }
        if scenario.impassable.iter().any(|hex| self.field.terrain[hex].is_passable()) {
            pieces.push(Entry::Closed);
        }
        if self.field.pieces().any(|(_, stand)| stand.held) {
            pieces.push(Entry::Held);
        }
        if self.match_.is_some() {
            pieces.extend([Entry::Ordered, Entry::Done]);
        }
        [ground.map(Entry::Ground).collect(), pieces]
    }

    /// The entries of the key with where each of them begins.
    fn placed(&self) -> Vec<(Entry, Point)> {
        let end = WIDTH - 2.0 * MARGIN - 10.0;
        let (mut placed, mut line) = (Vec::new(), 0.0);
        for entries in self.key() {
            let mut x = 12.0;
            for entry in entries {
                let wide =
                    entry.width() + 5.0 + LETTER * entry.words(self.field.scenario).chars().count() as f64;
                if x + wide > end {
                    x = 12.0;
                    line += 1.0;
                }
                placed.push((entry, Point::new(x, LINE * (line + 0.5) + 3.0)));
                x += wide + 16.0;
            }
            line += 1.0;
        }
        placed
    }

    pub(super) fn key_height(&self) -> f64 {
        self.placed().last().map_or(0.0, |(_, at)| at.y + LINE / 2.0 + 3.0)
    }

    pub(super) fn draw_key(&mut self, at: Point) {
        let placed = self.placed();
        self.sheet(at, Point::new(WIDTH - 2.0 * MARGIN, self.key_height()));
        for (entry, place) in placed {
            let place = at.plus(place);
            let middle = place.plus(Point::new(entry.width() / 2.0, 0.0));
            self.draw_entry(&entry, middle);
            let text = place.plus(Point::new(entry.width() + 5.0, 4.0));
            self.left(text, "font-size=\"11\"", &entry.words(self.field.scenario));
            self.svg.put(format_args!("\n"));
        }
    }

    fn draw_entry(&mut self, entry: &Entry, at: Point) {
        let svg = &mut self.svg;
        let line = |style: &str| {
            format!("<path d=\"M{},{}h28\" fill=\"none\" {style}/>", rounded(at.x - 14.0), rounded(at.y))
        };
        match *entry {
            Entry::Ground(terrain) => draw_sample(svg, at, terrain),
            Entry::Symbol(symbol) => draw_symbol(svg, at, symbol, INK),
            Entry::Leader(kind) => draw_helmet(svg, at, 1.0, letter(kind)),
            Entry::Blocks => {
                svg.put(format_args!("<g transform=\"translate({},{}) scale(0.8)\">", rounded(at.x), rounded(at.y)));
                let kind = UnitKind::AshigaruSpear;
                let unit = Some((kind, 3));
                let stand = Stand { side: Side::Top, unit, leader: None, order: Order::None, held: false };
                draw_unit(svg, Point::new(0.0, -2.0), &stand, kind, 3);
                svg.put(format_args!("</g>"));
            }
            Entry::Held => draw_hold(svg, at),
            Entry::Section => svg.put(format_args!(
                "{}",
                line("stroke=\"#6e2f74\" stroke-width=\"2.4\" stroke-dasharray=\"0.1 6\" stroke-linecap=\"round\"")
            )),
            Entry::Bank(side) => svg.put(format_args!(
                "{}",
                line(&format!("stroke=\"{}\" stroke-width=\"2.4\" stroke-dasharray=\"5 3\"", paint(side)))
            )),
            Entry::Objective | Entry::Ordered | Entry::Done => {
                let (edge, wide) = rim(if matches!(entry, Entry::Done) { Order::Done } else { Order::Open });
                svg.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"15\" rx=\"3\" fill=\"none\" stroke=\"{edge}\" stroke-width=\"{wide}\"/>",
                rounded(at.x - 10.0),
                rounded(at.y - 7.5)
            ));
            }
            Entry::Closed => svg.put(format_args!(
                "<path d=\"M{x},{y}l14,10m0,-10l-14,10\" fill=\"none\" stroke=\"#7d1f16\" stroke-width=\"2.6\" \
                 stroke-linecap=\"round\"/>",
                x = rounded(at.x - 7.0),
                y = rounded(at.y - 5.0)
            )),
        }
    }
}
