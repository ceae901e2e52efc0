//! The board as a plain picture: regions with their provinces, and the players.

use std::fmt::Write as _;

use sengoku_kernel::Seat;

use crate::data::{Provinces, REGIONS};
use crate::state::State;

const LINE: usize = 18;
const COLUMN: usize = 190;

impl State {
    /// Everything, or what a seat may see, in SVG.
    pub(crate) fn drawn(&self, seat: Option<Seat>) -> String {
        let seen = seat.map_or(*self, |seat| self.redacted(seat));
        let (width, height) = (COLUMN * REGIONS + 20, LINE * (14 + usize::from(self.options.seats)));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#f4ecd8\"/>\n"
        );
        let mut line = |x: usize, y: usize, text: &str| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        };
        line(10, LINE, &format!("Year {}, {}", seen.year, seen.round.name()));
        for region in 0..REGIONS {
            let x = 10 + region * COLUMN;
            line(x, 2 * LINE + 6, &seen.board.regions()[region]);
            let provinces = seen.map().region(region) & seen.in_play();
            for (row, province) in Provinces(provinces).enumerate() {
                let it = &seen.provinces[province];
                let owner = it.owner.map_or("-", |owner| seen.colour_name(owner));
                let signs = [(it.castle, 'C'), (it.temple, 'T'), (it.no, 'N')];
                let signs: String = signs.into_iter().filter(|sign| sign.0).map(|sign| sign.1).collect();
                let unrest = "!".repeat(it.unrest.into());
                let text = format!("{}: {owner} {} {signs}{unrest}", seen.board.name(province), it.armies);
                line(x, (3 + row) * LINE + 8, &text);
            }
        }
        for seat in seen.everyone() {
            let player = &seen.players[seat];
            let text = format!(
                "seat {}, {}: {} points, {} chests, {} rice, {} provinces, {} in supply, {} in the tray",
                seat.0,
                seen.colour_name(seat),
                player.score,
                player.chests,
                player.rice,
                seen.province_count(seat),
                seen.supply.of(seat),
                seen.tray.of(seat),
            );
            line(10, (13 + seat.index()) * LINE, &text);
        }
        svg.push_str("</svg>\n");
        svg
    }
}
