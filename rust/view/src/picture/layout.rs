//! Where provinces lie in a picture, and the outlines of their cells, from their borders and places of their own.
//!
//! Only additions, multiplications, divisions and square roots are used, whose results are the same on every machine;
//! sines and cosines are not.

use std::sync::{Arc, PoisonError, RwLock};

use super::Point;

/// Cosine of 36.5 degrees, the middle latitude of Japan: a degree of longitude is that much shorter.
const SHRINK: f64 = 0.803_856_860_617_217;
/// Radius of a province with few neighbours by land; a name and two rows of figures fit into such a cell. This and all other
/// lengths are those of scale 1.
const SMALL: f64 = 34.0;
/// Addition to the radius for each further neighbour, so that all of them find room around it.
const GROWTH: f64 = 3.0;
/// Neighbours by land that a province of the smallest radius has room for.
const FEW: u32 = 4;
/// Provinces that are not neighbours by land keep this distance between their radii.
const APART: f64 = 12.0;
/// Neighbours by land are drawn to one another until this is left between their radii.
const FAR: f64 = 18.0;
/// How far others keep from the middle of a common border, beyond what is needed not to touch it.
const CLEAR: f64 = 12.0;
/// Rounds of moving.
const ROUNDS: usize = 1500;
/// How far land reaches around a province that lies at the coast.
const COAST: f64 = 40.0;
/// Half the strip of sea between cells that are not neighbours by land.
const STRAIT: f64 = 4.0;
/// Steps of an eighth of the circle in an outline.
const STEPS: usize = 6;
/// A border shorter than this is not seen, and a line is drawn instead.
const SEEN: f64 = 9.0;
/// Room that every cell leaves around its centre.
const ROOM: f64 = 25.0;

/// Input of a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// Where each province would like to be, e.g. [`on_globe`].
    pub places: Vec<Point>,
    /// Neighbours by land of each province: bit `b` for province `b`.
    pub land: Vec<u128>,
    /// Pairs that a sea route joins, the smaller number first.
    pub sea: Vec<(u8, u8)>,
    /// Size of a cell; at 1 it holds a name and two rows of figures.
    pub scale: f64,
}

impl Ground {
    /// Number of provinces.
    fn count(&self) -> usize {
        self.places.len()
    }

    /// Whether two provinces are neighbours by land.
    fn is_land(&self, a: usize, b: usize) -> bool {
        self.land[a] >> b & 1 == 1
    }

    /// Pairs of neighbours by land, the smaller number first.
    fn borders(&self) -> Vec<(usize, usize)> {
        let count = self.count();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| self.is_land(a, b)).collect()
    }
}

/// A place of the earth on a flat map with north at the top, `degree` units for a degree of latitude.
pub fn on_globe([latitude, longitude]: [f64; 2], degree: f64) -> Point {
    Point::new(longitude * SHRINK, -latitude).times(degree)
}

/// Most layouts that are stored; each takes some tens of KiB.
const MOST_STORED: usize = 256;

/// The layout of a map, computed once and then stored, because it takes much longer than the rest of a picture.
pub fn layout_of(ground: &Ground) -> Arc<Layout> {
    static STORED: RwLock<Vec<(Ground, Arc<Layout>)>> = RwLock::new(Vec::new());
    let find = |stored: &[(Ground, Arc<Layout>)]| {
        stored.iter().find(|(known, _)| known == ground).map(|(_, layout)| Arc::clone(layout))
    };
    if let Some(layout) = find(&STORED.read().unwrap_or_else(PoisonError::into_inner)) {
        return layout;
    }
    let layout = Arc::new(Layout::of(ground));
    let mut stored = STORED.write().unwrap_or_else(PoisonError::into_inner);
    if find(&stored).is_none() {
        if stored.len() == MOST_STORED {
            stored.clear();
        }
        stored.push((ground.clone(), Arc::clone(&layout)));
    }
    layout
}

/// The standing part of every picture of a map; the upper left corner of what is drawn is the origin.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Middle of each province.
    pub centres: Vec<Point>,
    /// Outline of each province.
    pub cells: Vec<Vec<Point>>,
    /// Neighbours by land whose cells do not visibly touch.
    pub links: Vec<(u8, u8)>,
    /// Lower right corner of what is drawn.
    pub size: Point,
}

impl Layout {
    /// The layout of a map.
    pub fn of(ground: &Ground) -> Self {
        let mut centres = ground.places.clone();
        let all: Vec<usize> = (0..ground.count()).collect();
        let radii: Vec<f64> = all.iter().map(|&at| radius(ground, at)).collect();
        relax(ground, &radii, &mut centres);
        let mut cells: Vec<Vec<Point>> = all.iter().map(|&at| cell(ground, &radii, &centres, at)).collect();
        let links = ground
            .borders()
            .into_iter()
            .filter(|&(a, b)| common_border(&cells[a], &cells[b]) < SEEN)
            .map(|(a, b)| (a as u8, b as u8))
            .collect();

        let points = || cells.iter().flatten();
        let low = points().fold(centres[0], |low, p| Point::new(low.x.min(p.x), low.y.min(p.y)));
        let high = points().fold(centres[0], |high, p| Point::new(high.x.max(p.x), high.y.max(p.y)));
        for point in centres.iter_mut().chain(cells.iter_mut().flatten()) {
            *point = point.minus(low).times(ground.scale);
        }
        Self { centres, cells, links, size: high.minus(low).times(ground.scale) }
    }

    /// The first fault of the layout, if any: neighbours by land must be seen to touch or be linked, others must be seen
    /// apart, and every centre must lie well inside its cell.
    pub fn fault(&self, ground: &Ground) -> Option<String> {
        for (a, one) in self.cells.iter().enumerate() {
            for (b, other) in self.cells.iter().enumerate().skip(a + 1) {
                let border = common_border(one, other);
                let is_joined = border >= SEEN * ground.scale || self.links.contains(&(a as u8, b as u8));
                if is_joined != ground.is_land(a, b) || (border > 0.0 && !is_joined) {
                    return Some(format!("{a} and {b} have a border of {border}"));
                }
            }
            let centre = self.centres[a];
            for (at, &point) in one.iter().enumerate() {
                let (here, there) = (point.minus(centre), one[(at + 1) % one.len()].minus(centre));
                // Seen from the centre an outline runs one way round and keeps room for the pieces.
                if here.cross(there) < -1e-6 || here.length() < ROOM * ground.scale {
                    return Some(format!("{a} has no room around its centre"));
                }
            }
        }
        None
    }

    /// Whether any land lies in a rectangle.
    pub fn is_taken(&self, low: Point, high: Point) -> bool {
        let inside = |p: &Point| p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y;
        self.cells.iter().flatten().any(inside)
    }

    /// The stretch between the outlines of two provinces, and a little of what lies behind them.
    pub fn shore_to_shore(&self, a: u8, b: u8, inland: [f64; 2]) -> (Point, Point) {
        (self.shore(a, b, inland[0]), self.shore(b, a, inland[1]))
    }

    /// Where the way to another province leaves a cell, a little before its outline.
    fn shore(&self, from: u8, to: u8, inland: f64) -> Point {
        let centre = self.centres[usize::from(from)];
        let way = self.centres[usize::from(to)].minus(centre);
        let direction = way.times(1.0 / way.length());
        let cell = &self.cells[usize::from(from)];
        let mut reach: f64 = 0.0;
        for (at, &point) in cell.iter().enumerate() {
            let side = cell[(at + 1) % cell.len()].minus(point);
            let (off, spread) = (point.minus(centre), direction.cross(side));
            let along = off.cross(direction) / spread;
            if spread.abs() > 1e-9 && (0.0..=1.0).contains(&along) {
                reach = reach.max(off.cross(side) / spread);
            }
        }
        centre.plus(direction.times((reach - inland).max(0.0)))
    }
}

/// Radius of a province.
fn radius(ground: &Ground, at: usize) -> f64 {
    SMALL + GROWTH * f64::from(ground.land[at].count_ones().max(FEW) - FEW)
}

/// How far from `one` on the way to `other` the border between their cells lies; the larger radius gets the larger part.
fn border_at(distance: f64, one: f64, other: f64) -> f64 {
    (distance * distance + one * one - other * other) / (2.0 * distance)
}

/// Moves provinces apart where they are crowded and together where they are scattered, and keeps others out of the way between
/// two neighbours.
fn relax(ground: &Ground, radii: &[f64], centres: &mut [Point]) {
    let home = centres.to_vec();
    let borders = ground.borders();
    for round in 0..ROUNDS {
        // The pull of the true place fades, so that the last rounds only tidy up.
        let pull = 0.03 * (1.0 - round as f64 / ROUNDS as f64);
        for (centre, home) in centres.iter_mut().zip(&home) {
            *centre = centre.plus(home.minus(*centre).times(pull));
        }
        for &(a, b) in &borders {
            draw_together(radii, centres, a, b);
            clear_border(radii, centres, a, b);
        }
        for &(a, b) in &ground.sea {
            clear_route(radii, centres, usize::from(a), usize::from(b));
        }
        for a in 0..centres.len() {
            for b in a + 1..centres.len() {
                let near = radii[a] + radii[b] + if ground.is_land(a, b) { 0.0 } else { APART };
                let way = centres[b].minus(centres[a]);
                let length = way.length();
                if length >= near {
                    continue;
                }
                // Two provinces on one spot part in the order of their numbers.
                let direction =
                    if length > 1e-6 { way.times(1.0 / length) } else { directions()[(a + b) % (8 * STEPS)] };
                let step = direction.times(0.3 * (near - length));
                centres[a] = centres[a].minus(step);
                centres[b] = centres[b].plus(step);
            }
        }
    }
}

/// Moves two neighbours towards one another when they are far apart.
fn draw_together(radii: &[f64], centres: &mut [Point], a: usize, b: usize) {
    let way = centres[b].minus(centres[a]);
    let (length, far) = (way.length(), radii[a] + radii[b] + FAR);
    if length > far {
        let step = way.times(0.06 * (length - far) / length);
        centres[a] = centres[a].plus(step);
        centres[b] = centres[b].minus(step);
    }
}

/// Moves away whatever would cover the middle of the border between two neighbours.
fn clear_border(radii: &[f64], centres: &mut [Point], a: usize, b: usize) {
    let way = centres[b].minus(centres[a]);
    let length = way.length();
    if length < 1e-6 {
        return;
    }
    let at = border_at(length, radii[a], radii[b]);
    let middle = centres[a].plus(way.times(at / length));
    for other in (0..centres.len()).filter(|&other| other != a && other != b) {
        let off = centres[other].minus(middle);
        let distance = off.length();
        let touching = (at * at - radii[a] * radii[a] + radii[other] * radii[other]).max(0.0).sqrt();
        let wanted = touching + CLEAR;
        if distance < wanted && distance > 1e-6 {
            let step = off.times(0.12 * (wanted - distance) / distance);
            centres[other] = centres[other].plus(step);
            centres[a] = centres[a].minus(step.times(0.5));
            centres[b] = centres[b].minus(step.times(0.5));
        }
    }
}

/// Moves away whatever a sea route would cross.
fn clear_route(radii: &[f64], centres: &mut [Point], a: usize, b: usize) {
    let way = centres[b].minus(centres[a]);
    let square = way.dot(way).max(1e-6);
    for other in (0..centres.len()).filter(|&other| other != a && other != b) {
        let share = (centres[other].minus(centres[a]).dot(way) / square).clamp(0.0, 1.0);
        let off = centres[other].minus(centres[a].plus(way.times(share)));
        let (distance, wanted) = (off.length(), radii[other] + CLEAR);
        if distance < wanted && distance > 1e-6 {
            let step = off.times(0.12 * (wanted - distance) / distance);
            centres[other] = centres[other].plus(step);
            centres[a] = centres[a].minus(step.times(0.5));
            centres[b] = centres[b].minus(step.times(0.5));
        }
    }
}

/// Unit vectors all around, in order. The rational points of an eighth of the circle are mirrored seven times.
fn directions() -> [Point; 8 * STEPS] {
    /// Tangent of a sixteenth of the circle.
    const END: f64 = 0.414_213_562_373_095;
    let eighth = |step: usize| {
        let t = END * step as f64 / STEPS as f64;
        Point::new((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t))
    };
    std::array::from_fn(|at| {
        let (part, step) = (at / STEPS, at % STEPS);
        // Every second part runs towards the diagonal's other side.
        let p = if part % 2 == 0 { eighth(step) } else { eighth(STEPS - step) };
        let q = if part % 2 == 0 { p } else { Point::new(p.y, p.x) };
        match part / 2 {
            0 => q,
            1 => Point::new(-q.y, q.x),
            2 => Point::new(-q.x, -q.y),
            _ => Point::new(q.y, -q.x),
        }
    })
}

/// The outline of a province: land around it and towards its neighbours, cut where the others begin.
fn cell(ground: &Ground, radii: &[f64], centres: &[Point], at: usize) -> Vec<Point> {
    let neighbours: Vec<usize> = (0..ground.count()).filter(|&other| ground.is_land(at, other)).collect();
    let ways: Vec<Point> = neighbours.iter().map(|&other| centres[other].minus(centres[at])).collect();
    let mut outline: Vec<Point> = directions()
        .into_iter()
        .map(|direction| {
            let mut reach = COAST;
            for (first, way) in ways.iter().enumerate() {
                reach = reach.max(reach_along(direction, *way));
                for second in 0..first {
                    if ground.is_land(neighbours[first], neighbours[second]) {
                        reach = reach.max(reach_between(direction, *way, ways[second]));
                    }
                }
            }
            centres[at].plus(direction.times(reach))
        })
        .collect();
    for other in (0..ground.count()).filter(|&other| other != at) {
        let way = centres[other].minus(centres[at]);
        let length = way.length();
        let gap = if neighbours.contains(&other) { 0.0 } else { STRAIT };
        outline = cut(
            &outline,
            centres[at],
            way.times(1.0 / length),
            border_at(length, radii[at], radii[other]) - gap,
        );
    }
    outline
}

/// How far a strip of land towards a neighbour reaches in a direction.
fn reach_along(direction: Point, way: Point) -> f64 {
    let length = way.length();
    let along = direction.dot(way) / length;
    let across = (direction.cross(way) / length).abs();
    if along <= 0.0 {
        return 0.0;
    }
    // The strip ends beyond the border, where the neighbour's cell begins.
    let end = 0.7 * length / along;
    if across > 1e-9 { end.min(COAST * 0.92 / across) } else { end }
}

/// How far the land between two neighbours that are neighbours themselves reaches in a direction.
fn reach_between(direction: Point, one: Point, other: Point) -> f64 {
    let area = one.cross(other);
    if area.abs() < 1e-6 {
        return 0.0;
    }
    let (share_one, share_other) = (direction.cross(other) / area, one.cross(direction) / area);
    if share_one < 0.0 || share_other < 0.0 { 0.0 } else { 1.0 / (share_one + share_other) }
}

/// The part of an outline that lies less than `limit` from the centre in a direction.
fn cut(outline: &[Point], centre: Point, direction: Point, limit: f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(outline.len() + 2);
    for (at, &point) in outline.iter().enumerate() {
        let following = outline[(at + 1) % outline.len()];
        let here = direction.dot(point.minus(centre)) - limit;
        let there = direction.dot(following.minus(centre)) - limit;
        if here <= 0.0 {
            kept.push(point);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            kept.push(point.plus(following.minus(point).times(here / (here - there))));
        }
    }
    kept
}

/// Length of the border that two cells have in common: what lies of the sides of one on the sides of the other.
fn common_border(one: &[Point], other: &[Point]) -> f64 {
    let sides = |cell: &[Point]| -> Vec<(Point, Point)> {
        (0..cell.len()).map(|at| (cell[at], cell[(at + 1) % cell.len()])).collect()
    };
    let mut longest: f64 = 0.0;
    for (from, to) in sides(one) {
        let way = to.minus(from);
        let length = way.length();
        for (start, end) in sides(other).into_iter().filter(|_| length > 1e-3) {
            let off = |point: Point| (way.cross(point.minus(from)) / length).abs();
            let along = |point: Point| way.dot(point.minus(from)) / length;
            if off(start) < 0.01 && off(end) < 0.01 {
                let (low, high) = (along(start).min(along(end)), along(start).max(along(end)));
                longest = longest.max(high.min(length) - low.max(0.0));
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests;
