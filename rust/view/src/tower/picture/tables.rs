//! Players with their special cards, majorities in the regions, and the key to the signs.

use crate::picture::{Point, rounded, short};

use super::ground::{BORDER, SEA_LINE, tint};
use super::signs::{INK, Sign, letter, paint, row};
use super::{LINE, SHEET_HEAD, Scene};
use crate::tower::words::{seat_text, special_text};
use sengoku_tower::data::{Building, Provinces, REGIONS, SeatId};

/// Height of title, subtitle and the head of the list of players.
const HEAD: f64 = 78.0;
/// Width and height of the card of a slot.
const SLOT: Point = Point::new(106.0, 40.0);
/// Width of the list of players.
const PLAYERS_WIDTH: f64 = 580.0;
/// Height of a line of the regions.
const REGION_LINE: f64 = 19.0;
/// Width and height of the sheet with the regions.
pub(super) const REGIONS_SIZE: Point = Point::new(212.0, SHEET_HEAD + 28.0 + REGION_LINE * REGIONS as f64);

impl Scene<'_> {
    pub(super) fn players_size(&self) -> Point {
        let slots = if self.seen.special_on_slot.is_empty() { 0.0 } else { SLOT.y + 12.0 };
        Point::new(PLAYERS_WIDTH, HEAD + LINE * f64::from(self.seen.options.seats) + slots)
    }

    /// Title, players and the special cards by slot.
    pub(super) fn draw_players(&mut self, at: Point) {
        let seen = self.seen;
        self.left(at.plus(Point::new(0.0, 20.0)), "font-size=\"19\" font-weight=\"bold\"", &self.title());
        let subtitle = self.subtitle();
        self.left(at.plus(Point::new(0.0, 42.0)), "font-size=\"13\"", &subtitle);
        let heads =
            [(180.0, "points"), (228.0, "chests"), (270.0, "rice"), (322.0, "provinces"), (474.0, "supply")];
        let court = [(534.0, "officers")];
        for &(x, head) in heads.iter().chain(court.iter().filter(|_| seen.options.court)) {
            self.svg.text(at.plus(Point::new(x, 66.0)), "font-size=\"10.5\"", head);
        }
        for (kind, x) in Building::ALL.into_iter().zip([368.0, 398.0, 428.0]) {
            row(&mut self.svg, at.plus(Point::new(x, 62.0)), &[Sign::Building(kind)], 0.0);
        }
        self.svg.put(format_args!("\n"));
        for seat in seen.everyone() {
            self.draw_player(seat, at.plus(Point::new(0.0, HEAD + LINE * (f64::from(seat.0) + 0.5))));
        }
        self.draw_slots(at.plus(Point::new(0.0, HEAD + LINE * f64::from(seen.options.seats) + 8.0)));
    }

    fn draw_player(&mut self, seat: SeatId, at: Point) {
        let seen = self.seen;
        let player = &seen.players[seat];
        if seen.deciding_seat().is_some_and(|decider| decider.0 == seat.0) {
            self.svg.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{PLAYERS_WIDTH}\" height=\"{}\" rx=\"6\" fill=\"#fff\" fill-opacity=\"0.75\"/>",
                rounded(at.x - 6.0),
                rounded(at.y - LINE / 2.0 + 1.0),
                LINE - 2.0
            ));
        }
        let colour = self.colour(seat);
        Sign::Badge(seat.0).draw(&mut self.svg, at.x, at.y);
        self.svg.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"17\" height=\"17\" rx=\"3\" fill=\"{}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>",
            rounded(at.x + 17.0),
            rounded(at.y - 8.5),
            paint(colour)
        ));
        let name = seat_text(seen, seat);
        self.left(at.plus(Point::new(41.0, 4.5)), "font-size=\"13\"", &name);
        let buildings = Building::ALL.map(|kind| {
            Provinces(seen.owned(seat)).filter(|&province| seen.provinces[province].has(kind)).count() as u16
        });
        let numbers = [
            (180.0, player.score),
            (228.0, player.chests),
            (270.0, player.rice),
            (322.0, seen.province_count(seat).into()),
            (368.0, buildings[0]),
            (398.0, buildings[1]),
            (428.0, buildings[2]),
            (474.0, seen.supply.of(seat).into()),
        ];
        for (column, (x, number)) in numbers.into_iter().enumerate() {
            let style =
                if column == 0 { "font-size=\"14\" font-weight=\"bold\"" } else { "font-size=\"13\"" };
            self.svg.text(at.plus(Point::new(x, 4.5)), style, number);
        }
        if seen.options.court {
            let officers = player.officers;
            Sign::Officer(colour).draw(&mut self.svg, at.x + 502.0, at.y);
            let text = format!("{} · {} · {}", officers.supply, officers.entrance, officers.hall);
            self.svg.text(at.plus(Point::new(544.0, 4.5)), "font-size=\"13\"", text);
        }
        self.svg.put(format_args!("\n"));
    }

    /// The special cards by slot, and the players that have taken them.
    fn draw_slots(&mut self, at: Point) {
        let seen = self.seen;
        for (place, special) in seen.special_on_slot.iter().enumerate() {
            let corner = at.plus(Point::new((SLOT.x + 4.0) * place as f64, 0.0));
            let taker = seen.everyone().find(|&seat| usize::from(seen.players[seat].slot) == place + 1);
            let (edge, width) = taker.map_or((BORDER, 1.0), |seat| (paint(self.colour(seat)), 2.5));
            self.svg.put(format_args!(
                "<rect data-place=\"slot-{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#fffdf4\" \
                 stroke=\"{edge}\" stroke-width=\"{width}\"/>",
                place + 1,
                rounded(corner.x),
                rounded(corner.y),
                SLOT.x,
                SLOT.y
            ));
            let text = format!("slot {}", place + 1);
            self.left(corner.plus(Point::new(8.0, 15.0)), "font-size=\"10.5\"", &text);
            if let Some(seat) = taker {
                Sign::Badge(seat.0).draw(&mut self.svg, corner.x + SLOT.x - 19.0, corner.y + 12.0);
            }
            let style = "font-size=\"11\" font-weight=\"bold\"";
            self.left(corner.plus(Point::new(8.0, 31.0)), style, special_text(*special));
            self.svg.put(format_args!("\n"));
        }
    }

    /// Players with most buildings of a kind in each region, and how many (TW-SCORE-02).
    pub(super) fn draw_regions(&mut self, at: Point) {
        let seen = self.seen;
        self.sheet(at, REGIONS_SIZE, "Majorities");
        let columns = [98.0, 140.0, 182.0];
        for (kind, x) in Building::ALL.into_iter().zip(columns) {
            row(&mut self.svg, at.plus(Point::new(x, 36.0)), &[Sign::Building(kind)], 0.0);
        }
        for region in 0..REGIONS {
            let y = at.y + SHEET_HEAD + 22.0 + REGION_LINE * (region as f64 + 0.5);
            let fill = tint(seen.board.regions(), region);
            self.svg.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"12\" rx=\"3\" fill=\"{fill}\" stroke=\"{BORDER}\"/>",
                rounded(at.x + 12.0),
                rounded(y - 6.0)
            ));
            let name = short(&seen.board.regions()[region], 8);
            self.left(Point::new(at.x + 32.0, y + 4.0), "font-size=\"11\"", &name);
            for (kind, x) in Building::ALL.into_iter().zip(columns) {
                let middle = Point::new(at.x + x, y);
                let counts: Vec<u32> = seen.everyone().map(|seat| self.built(seat, kind, region)).collect();
                let most = counts.iter().copied().max().unwrap_or(0);
                let leaders: Vec<usize> = (0..counts.len()).filter(|&seat| counts[seat] == most).collect();
                if most == 0 {
                    self.svg.text(
                        middle.plus(Point::new(0.0, 4.0)),
                        "font-size=\"11\" fill=\"#8a8172\"",
                        "–",
                    );
                } else {
                    let letters: String = leaders.iter().map(|&seat| letter(seat as u8)).collect();
                    let text = format!("{letters} {most}");
                    let bold = if leaders.len() == 1 { " font-weight=\"bold\"" } else { "" };
                    let place = middle.plus(Point::new(0.0, 4.0));
                    self.svg.text(place, &format!("font-size=\"11\"{bold}"), text);
                }
            }
            self.svg.put(format_args!("\n"));
        }
    }

    /// Buildings of a kind that a player has in a region.
    fn built(&self, seat: SeatId, kind: Building, region: usize) -> u32 {
        let own = Provinces(self.seen.owned(seat) & self.seen.map().region(region));
        own.filter(|&province| self.seen.provinces[province].has(kind)).count() as u32
    }

    /// The key to the signs.
    pub(super) fn draw_key(&mut self, at: Point) {
        let middle = at.y + 8.0;
        let mut signs = vec![
            (Sign::Building(Building::Castle), "castle"),
            (Sign::Building(Building::Temple), "temple"),
            (Sign::Building(Building::No), "Nô theatre"),
            (Sign::Site, "free site"),
            (Sign::Unrest, "unrest"),
            (Sign::Chests(5), "chests (tax)"),
            (Sign::Rice(3), "rice"),
            (Sign::Armies(self.colour(SeatId(0)), 4), "armies"),
        ];
        if self.seen.options.court {
            let officers = "officers: supply · entrance · hall";
            signs.push((Sign::Officer(self.colour(SeatId(0))), officers));
        }
        let mut x = at.x;
        for (sign, meaning) in signs {
            sign.draw(&mut self.svg, x, middle);
            self.left(Point::new(x + sign.width() + 6.0, middle + 4.0), "font-size=\"11\"", meaning);
            x += sign.width() + 6.4 * meaning.chars().count() as f64 + 32.0;
        }
        self.svg.put(format_args!(
            "<path d=\"M{},{middle}h34\" stroke=\"{SEA_LINE}\" stroke-width=\"2.4\" stroke-dasharray=\"6 4\"/>",
            rounded(x)
        ));
        self.left(Point::new(x + 40.0, middle + 4.0), "font-size=\"11\"", "sea line: adjacent");
        self.svg.put(format_args!("\n"));
    }
}
