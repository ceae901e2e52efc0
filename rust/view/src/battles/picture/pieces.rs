//! Units and leaders on their hexes.

use crate::picture::{Point, Svg, rounded, xy};

use super::field::{Field, Order, Stand};
use super::ground::{middle, plate};
use super::signs::{GOLD, INK, ON_SIDE, arms, draw_helmet, draw_symbol, paint};
use sengoku_battles::board::HexId;
use sengoku_battles::data::{FULL_BLOCKS, LeaderKind, Side, UnitKind};

impl Field<'_> {
    /// Draws everybody; names come last, so that nothing hides them.
    pub(super) fn draw_pieces(&self, svg: &mut Svg) {
        for (hex, stand) in self.pieces() {
            draw_stand(svg, middle(hex), stand);
            svg.put(format_args!("\n"));
        }
        for (hex, stand) in self.pieces() {
            if let Some(name) = stand.leader.and_then(|leader| leader.name) {
                plate(svg, middle(hex).plus(Point::new(0.0, 32.0)), name, paint(stand.side));
            }
        }
        svg.put(format_args!("\n"));
    }
}

fn draw_stand(svg: &mut Svg, at: Point, stand: &Stand) {
    match stand.unit {
        Some((kind, blocks)) => {
            draw_unit(svg, at, stand, kind, blocks);
            if stand.held {
                draw_hold(svg, at.plus(Point::new(-24.0, -19.0)));
            }
            if let Some(leader) = stand.leader {
                draw_helmet(svg, at.plus(Point::new(25.0, -19.0)), 1.0, letter(leader.kind));
            }
        }
        None => {
            if let Some(leader) = stand.leader {
                draw_lone(svg, at, stand.side, leader.kind, stand.order);
            }
        }
    }
}

/// The letter of a kind of leader.
pub(super) const fn letter(kind: LeaderKind) -> char {
    match kind {
        LeaderKind::Foot => 'F',
        LeaderKind::Mounted => 'M',
        LeaderKind::Commander => 'C',
    }
}

/// The rim of a piece by its order.
pub(super) const fn rim(order: Order) -> (&'static str, f64) {
    match order {
        Order::None => (INK, 1.0),
        Order::Open => (GOLD, 3.4),
        Order::Done => ("#8b7a3d", 2.4),
    }
}

/// A unit: its symbol, what it fights with, its code, and its blocks below.
pub(super) fn draw_unit(svg: &mut Svg, at: Point, stand: &Stand, kind: UnitKind, blocks: u8) {
    let (colour, (edge, width)) = (paint(stand.side), rim(stand.order));
    svg.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"54\" height=\"35\" rx=\"5\" fill=\"{colour}\" stroke=\"{edge}\" stroke-width=\"{width}\"/>",
        rounded(at.x - 27.0),
        rounded(at.y - 19.0),
    ));
    let arms: Vec<_> = arms(kind).collect();
    let step = 16.0;
    // A helmet needs room in the corner.
    let aside = if stand.leader.is_some() { 5.0 } else { 0.0 };
    let left = at.x - aside - step * arms.len() as f64 / 2.0;
    draw_symbol(svg, Point::new(left, at.y - 9.5), kind.symbol(), ON_SIDE);
    for (number, arm) in arms.iter().enumerate() {
        arm.draw(svg, Point::new(left + step * (number + 1) as f64, at.y - 9.5));
    }
    let style = format!("font-size=\"10.5\" font-weight=\"bold\" fill=\"{ON_SIDE}\"");
    svg.text(at.plus(Point::new(0.0, 12.0)), &style, kind.code());
    for block in 0..FULL_BLOCKS {
        let x = rounded(at.x - 19.5 + 10.0 * f64::from(block));
        let fill = if block < blocks { colour } else { "#fffdf4" };
        svg.put(format_args!(
            "<rect x=\"{x}\" y=\"{}\" width=\"9\" height=\"6\" rx=\"1.2\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>",
            rounded(at.y + 17.5)
        ));
    }
}

/// A leader alone: a banner of his army with a helmet.
pub(super) fn draw_lone(svg: &mut Svg, at: Point, side: Side, kind: LeaderKind, order: Order) {
    let (edge, width) = rim(order);
    svg.put(format_args!(
        "<path d=\"M{}l18,8v16q0,12 -18,18q-18,-6 -18,-18v-16z\" fill=\"{}\" stroke=\"{edge}\" stroke-width=\"{width}\" \
         stroke-linejoin=\"round\"/>",
        xy(at.plus(Point::new(0.0, -22.0))),
        paint(side)
    ));
    draw_helmet(svg, at.plus(Point::new(0.0, -1.0)), 1.3, letter(kind));
}

/// A unit that waits for its card (BT-SCEN-16).
pub(super) fn draw_hold(svg: &mut Svg, at: Point) {
    svg.put(format_args!(
        "<g transform=\"translate({})\"><rect x=\"-6\" y=\"-3\" width=\"12\" height=\"9\" rx=\"1.5\" fill=\"#f4ead0\" \
         stroke=\"{INK}\"/><path d=\"M-3.5,-3v-3a3.5,3.5 0 0 1 7,0v3\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\"/></g>",
        xy(at)
    ));
}

/// An arrow from the attacker to the defender.
pub(super) fn draw_attack(svg: &mut Svg, from: HexId, to: HexId) {
    let (start, end) = (middle(from), middle(to));
    let way = end.minus(start);
    let step = way.times(1.0 / way.length());
    let (tail, head) = (start.plus(step.times(24.0)), end.minus(step.times(22.0)));
    let aside = Point::new(-step.y, step.x);
    let wings = [1.0, -1.0].map(|side| head.minus(step.times(14.0)).plus(aside.times(8.0 * side)));
    let [left, right] = wings;
    for (colour, width) in [("#fff", 7.0), ("#d21f1f", 3.6)] {
        svg.put(format_args!(
            "<path d=\"M{}L{}M{}L{}L{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            xy(tail),
            xy(head),
            xy(left),
            xy(head),
            xy(right)
        ));
    }
    svg.put(format_args!("\n"));
}
