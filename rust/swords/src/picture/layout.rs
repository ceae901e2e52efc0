//! Where the provinces lie in a picture, and the outlines of their cells.
//!
//! Only additions, multiplications, divisions and square roots are used, whose results are the same on every machine;
//! sines and cosines are not.

use crate::data::PROVINCES;
use crate::map::{EdgeKind, Map};

/// Cosine of 36.5 degrees, the middle latitude of the map: a degree of longitude is that much shorter.
const SHRINK: f64 = 0.803_856_860_617_217;
/// Degrees of latitude that the scale is made for: how far the standard map reaches from edge to edge.
const SPAN: f64 = 9.65;
/// Pixels between the outermost provinces before they are moved apart.
const WIDTH: f64 = 1130.0;
/// Radius of a province with few neighbours by land; a name and two rows of figures fit into such a cell.
const SMALL: f64 = 34.0;
/// What each further neighbour adds to the radius, so that all of them find room around it.
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

/// A place in the picture, or a way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
}

/// The standing part of every picture of a map; the upper left corner of what is drawn is the origin.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Middle of each province.
    pub(crate) centres: Vec<Point>,
    /// Outline of each province.
    pub(crate) cells: Vec<Vec<Point>>,
    /// Neighbours by land whose cells do not visibly touch.
    pub(crate) links: Vec<(u8, u8)>,
    /// Lower right corner of what is drawn.
    pub(crate) size: Point,
}

impl Layout {
    /// The layout of a map.
    pub(crate) fn of(map: &Map) -> Self {
        let mut centres = places(map);
        let radii: Vec<f64> = (0..PROVINCES).map(|at| radius(map, at)).collect();
        relax(map, &radii, &mut centres);
        let mut cells: Vec<Vec<Point>> = (0..PROVINCES).map(|at| cell(map, &radii, &centres, at)).collect();
        let links = map
            .edges()
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Land)
            .filter(|edge| common_border(&cells[usize::from(edge.a)], &cells[usize::from(edge.b)]) < SEEN)
            .map(|edge| (edge.a, edge.b))
            .collect();

        let all = || cells.iter().flatten();
        let low = all().fold(centres[0], |low, p| Point::new(low.x.min(p.x), low.y.min(p.y)));
        let high = all().fold(centres[0], |high, p| Point::new(high.x.max(p.x), high.y.max(p.y)));
        for point in centres.iter_mut().chain(cells.iter_mut().flatten()) {
            *point = point.minus(low);
        }
        Self { centres, cells, links, size: high.minus(low) }
    }
}

/// The provinces where they really lie, on a flat map with north at the top.
fn places(map: &Map) -> Vec<Point> {
    map.provinces()
        .iter()
        .map(|province| {
            let [latitude, longitude] = province.geo.map(f64::from);
            Point::new(longitude * SHRINK, -latitude).times(WIDTH / SPAN)
        })
        .collect()
}

/// Radius of a province.
fn radius(map: &Map, at: usize) -> f64 {
    SMALL + GROWTH * f64::from(map.land(at as u8).count_ones().max(FEW) - FEW)
}

/// How far from `one` on the way to `other` the border between their cells lies; the larger radius gets the larger part.
fn border_at(distance: f64, one: f64, other: f64) -> f64 {
    (distance * distance + one * one - other * other) / (2.0 * distance)
}

/// Moves provinces apart where they are crowded and together where they are scattered, and keeps others out of the way between
/// two neighbours.
fn relax(map: &Map, radii: &[f64], centres: &mut [Point]) {
    let home = centres.to_vec();
    let is_land = |a: usize, b: usize| map.land(a as u8) >> b & 1 == 1;
    for round in 0..ROUNDS {
        // The pull of the true place fades, so that the last rounds only tidy up.
        let pull = 0.03 * (1.0 - round as f64 / ROUNDS as f64);
        for (centre, home) in centres.iter_mut().zip(&home) {
            *centre = centre.plus(home.minus(*centre).times(pull));
        }
        for edge in map.edges() {
            let (a, b) = (usize::from(edge.a), usize::from(edge.b));
            match edge.kind {
                EdgeKind::Land => {
                    draw_together(radii, centres, a, b);
                    clear_border(radii, centres, a, b);
                }
                EdgeKind::Sea => clear_route(radii, centres, a, b),
            }
        }
        for a in 0..PROVINCES {
            for b in a + 1..PROVINCES {
                let near = radii[a] + radii[b] + if is_land(a, b) { 0.0 } else { APART };
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
    for other in (0..PROVINCES).filter(|&other| other != a && other != b) {
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
    for other in (0..PROVINCES).filter(|&other| other != a && other != b) {
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
fn cell(map: &Map, radii: &[f64], centres: &[Point], at: usize) -> Vec<Point> {
    let neighbours: Vec<usize> =
        (0..PROVINCES).filter(|&other| map.land(at as u8) >> other & 1 == 1).collect();
    let ways: Vec<Point> = neighbours.iter().map(|&other| centres[other].minus(centres[at])).collect();
    let mut outline: Vec<Point> = directions()
        .into_iter()
        .map(|direction| {
            let mut reach = COAST;
            for (first, way) in ways.iter().enumerate() {
                reach = reach.max(reach_along(direction, *way));
                for second in 0..first {
                    if map.land(neighbours[first] as u8) >> neighbours[second] & 1 == 1 {
                        reach = reach.max(reach_between(direction, *way, ways[second]));
                    }
                }
            }
            centres[at].plus(direction.times(reach))
        })
        .collect();
    for other in (0..PROVINCES).filter(|&other| other != at) {
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
mod tests {
    use super::*;

    #[test]
    fn cells_touch_where_provinces_are_adjacent() {
        // SW-MAP-03: a border is seen as a border, and what is not adjacent is seen apart
        let map = Map::standard();
        let layout = map.layout();
        for a in 0..PROVINCES {
            for b in 0..a {
                let border = common_border(&layout.cells[a], &layout.cells[b]);
                let is_land = map.land(a as u8) >> b & 1 == 1;
                let is_linked = layout.links.contains(&(b as u8, a as u8));
                let pair = (map.key(b as u8), map.key(a as u8), border);
                assert_eq!(border >= SEEN || is_linked, is_land, "{pair:?}");
                assert!(is_land || border == 0.0, "{pair:?}");
            }
        }
        assert!(layout.links.len() <= 3, "{:?}", layout.links);
    }

    #[test]
    fn every_centre_lies_in_its_cell() {
        let layout = Map::standard().layout();
        for (at, cell) in layout.cells.iter().enumerate() {
            let centre = layout.centres[at];
            for (corner, &point) in cell.iter().enumerate() {
                let following = cell[(corner + 1) % cell.len()];
                // Seen from the centre an outline runs one way round and keeps room for the pieces.
                assert!(point.minus(centre).cross(following.minus(centre)) > -1e-6, "{at}");
                assert!(point.minus(centre).length() > 25.0, "{at}");
            }
        }
    }

    #[test]
    fn directions_are_unit_vectors_in_order() {
        let all = directions();
        for (at, direction) in all.iter().enumerate() {
            let following = all[(at + 1) % all.len()];
            assert!((direction.length() - 1.0).abs() < 1e-12);
            assert!(direction.cross(following) > 0.1 && direction.cross(following) < 0.2, "{at}");
        }
    }
}
