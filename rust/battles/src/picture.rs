//! A plain picture of the board: hexes, terrain, pieces.

use std::fmt::Write as _;

use sengoku_kernel::Seat;

use crate::board::HexId;
use crate::data::Terrain;
use crate::state::State;

/// Half the width of a hex, and its side.
const HALF: f64 = 26.0;
const SIDE: f64 = 30.0;

impl State {
    /// The board in SVG. All of it is public (BT-COMP-06).
    pub(crate) fn drawn(&self, _seat: Option<Seat>) -> String {
        let mut svg = String::from(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 560" font-family="sans-serif">"#,
        );
        for hex in HexId::all() {
            let (x, y) =
                (f64::from(hex.x()).mul_add(HALF, 40.0), f64::from(hex.row()).mul_add(1.5 * SIDE, 40.0));
            let corners = [
                (0.0, -SIDE),
                (HALF, -SIDE / 2.0),
                (HALF, SIDE / 2.0),
                (0.0, SIDE),
                (-HALF, SIDE / 2.0),
                (-HALF, -SIDE / 2.0),
            ];
            let points: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{:.0},{:.0}", x + dx, y + dy)).collect();
            let fill = colour(self.terrain(hex));
            let _ = write!(svg, r##"<polygon points="{}" fill="{fill}" stroke="#777"/>"##, points.join(" "));
            let unit = self.unit_at(hex).map(|unit| self.unit(unit));
            let leader = self.leader_at(hex).map(|leader| self.leader(leader));
            if let Some(side) = unit.map(|unit| unit.side).or(leader.map(|leader| leader.side)) {
                let text = unit.map_or(String::new(), |unit| format!("{} {}", unit.kind.code(), unit.blocks));
                let ink = ["#b01818", "#1838b0"][side.index()];
                let _ = write!(
                    svg,
                    r#"<text x="{x:.0}" y="{y:.0}" font-size="12" text-anchor="middle" fill="{ink}">{text}</text>"#
                );
                if let Some(leader) = leader {
                    let below = y + 14.0;
                    let _ = write!(
                        svg,
                        r#"<text x="{x:.0}" y="{below:.0}" font-size="11" text-anchor="middle" fill="{ink}">{}</text>"#,
                        leader.kind.code()
                    );
                }
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

const fn colour(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Open => "#e8e4c8",
        Terrain::Forest => "#9fc08a",
        Terrain::Hill => "#d0b080",
        Terrain::River | Terrain::Ford | Terrain::Shallow => "#a8cce8",
        Terrain::Bridge => "#c8b8a0",
        Terrain::Buildings | Terrain::Castle => "#c0c0c0",
        Terrain::Fields => "#e0e090",
        Terrain::Gorge => "#b0a0a0",
        Terrain::Tent => "#f0f0f0",
        Terrain::Fence | Terrain::Palisade => "#d8c8a0",
    }
}
