//! Tower and tray, the events of the year, and the favours of the court.

use crate::picture::{Point, place_of, rounded, short};

use super::ground::BORDER;
use super::signs::{Sign, small_cube};
use super::{SHEET_HEAD, Scene};
use crate::tower::words::{effect_text, favour_text};
use sengoku_tower::data::{FARMER, FavourDeck, PRICES};

/// Width and height of the sheet with tower and tray.
const TOWER_WIDTH: f64 = 262.0;
const TOWER_HEIGHT: f64 = SHEET_HEAD + 168.0;
/// Width of the sheets with cards.
const CARDS_WIDTH: f64 = 330.0;
/// Height of a line of cards.
const CARD_LINE: f64 = 19.0;
/// Columns and rows of cubes that are drawn in the tower, and in the tray; numbers stand beside them.
const TOWER_CUBES: [usize; 2] = [10, 11];
const TRAY_CUBES: [usize; 2] = [13, 3];

impl Scene<'_> {
    /// Height of the sheets with event cards and favours.
    fn sheets(&self) -> [f64; 2] {
        let favours = if self.seen.options.court {
            SHEET_HEAD + CARD_LINE * 4.0 + 4.0 + self.kept_lines()
        } else {
            0.0
        };
        [SHEET_HEAD + CARD_LINE * 4.0 + 4.0, favours]
    }

    fn kept_lines(&self) -> f64 {
        let holders = self.seen.everyone().filter(|&seat| self.seen.players[seat].kept.0 != 0).count();
        CARD_LINE * holders as f64
    }

    pub(super) fn cards_size(&self) -> Point {
        let [events, favours] = self.sheets();
        let cards = events + if favours > 0.0 { favours + 10.0 } else { 0.0 };
        Point::new(TOWER_WIDTH + 10.0 + CARDS_WIDTH, cards.max(TOWER_HEIGHT))
    }

    /// Tower and tray, event cards, and the court.
    pub(super) fn draw_cards(&mut self, at: Point) {
        let [events, favours] = self.sheets();
        let foot = at.y + self.cards_size().y;
        let height = TOWER_HEIGHT;
        self.draw_tower(Point::new(at.x, foot - height), Point::new(TOWER_WIDTH, height));
        let x = at.x + TOWER_WIDTH + 10.0;
        self.draw_events(Point::new(x, foot - events), Point::new(CARDS_WIDTH, events));
        if favours > 0.0 {
            let y = foot - events - 10.0 - favours;
            self.draw_favours(Point::new(x, y), Point::new(CARDS_WIDTH, favours));
        }
    }

    /// The tower with what is known to be inside, and the tray before it (TW-TOWER-14). Where the cubes lie inside means nothing.
    fn draw_tower(&mut self, at: Point, size: Point) {
        let seen = self.seen;
        self.sheet(at, size, "Tower and tray");
        let foot = at.y + size.y - 12.0;
        let middle = at.x + 76.0;
        self.svg.put(format_args!(
            "<path d=\"M{},{}h120l-12,14v96h-96v-96z\" fill=\"#efe6d2\" stroke=\"{BORDER}\" stroke-linejoin=\"round\"/>\
             <path d=\"M{},{}l10,36h108l10,-36\" fill=\"#efe6d2\" stroke=\"{BORDER}\" stroke-linejoin=\"round\"/>\n",
            rounded(middle - 60.0),
            rounded(foot - 150.0),
            rounded(middle - 64.0),
            rounded(foot - 36.0),
        ));
        let inside = seen.inside().map(u16::from);
        let tray = seen.tray.0.map(u16::from);
        self.draw_heap(Point::new(middle, foot - 41.0), TOWER_CUBES, &inside);
        self.draw_heap(Point::new(middle, foot - 2.0), TRAY_CUBES, &tray);
        for (x, head) in [(198.0, "tower"), (238.0, "tray")] {
            self.svg.text(at.plus(Point::new(x, 46.0)), "font-size=\"10.5\"", head);
        }
        let colours = seen.options.colours;
        let players = seen.everyone().map(|seat| (seat.0, colours[seat.index()]));
        for (line, (owner, colour)) in players.chain([(FARMER, FARMER)]).enumerate() {
            let y = at.y + 62.0 + 20.0 * line as f64;
            if owner < FARMER {
                Sign::Badge(owner).draw(&mut self.svg, at.x + 150.0, y);
            }
            small_cube(&mut self.svg, Point::new(at.x + 168.0, y - 4.0), colour);
            for (x, heap) in [(198.0, inside), (238.0, tray)] {
                self.svg.text(Point::new(at.x + x, y + 4.2), "font-size=\"12\"", heap[usize::from(owner)]);
            }
        }
        self.svg.put(format_args!("\n"));
    }

    /// Cubes in rows from the ground up, colour by colour, as many as there is room for.
    fn draw_heap(&mut self, foot: Point, [columns, rows]: [usize; 2], counts: &[u16]) {
        let colours = self.seen.options.colours;
        let colour = |owner: usize| colours.get(owner).copied().unwrap_or(FARMER);
        let cubes = counts.iter().enumerate().flat_map(|(owner, &count)| vec![colour(owner); count.into()]);
        for (at, colour) in cubes.take(columns * rows).enumerate() {
            let (column, up) = (at % columns, at / columns);
            let x = foot.x + 9.0 * (column as f64 - columns as f64 / 2.0) + 0.5;
            small_cube(&mut self.svg, Point::new(x, foot.y - 9.0 * (up + 1) as f64), colour);
        }
        self.svg.put(format_args!("\n"));
    }

    /// The event of the season and the open cards of the year.
    fn draw_events(&mut self, at: Point, size: Point) {
        let seen = self.seen;
        let used: Vec<String> = seen.used_events().map(|card| card.to_string()).collect();
        self.sheet(at, size, "Events of the year");
        if !used.is_empty() {
            let text = short(&format!("used: {}", used.join(", ")), 34);
            let style = "text-anchor=\"end\" font-size=\"10.5\"";
            self.svg.text(at.plus(Point::new(size.x - 12.0, 19.0)), style, text);
        }
        let current = seen.event.into_iter().map(|card| (card, true));
        for (line, (card, acts)) in
            current.chain(seen.open_events.iter().map(|&card| (card, false))).enumerate()
        {
            let y = at.y + SHEET_HEAD + CARD_LINE * (line as f64 + 0.5);
            let mut style = String::from("font-size=\"11\"");
            if acts {
                let fill = if seen.event_removed { "#c9c4ba" } else { "#f6d488" };
                self.line_behind(at.x, y, size.x, fill);
                style += if seen.event_removed {
                    " text-decoration=\"line-through\""
                } else {
                    " font-weight=\"bold\""
                };
            }
            self.svg.text(Point::new(at.x + 20.0, y + 4.0), "font-size=\"11\" font-weight=\"bold\"", card);
            self.left(Point::new(at.x + 36.0, y + 4.0), &style, effect_text(seen.board.event(card).effect));
            let loss = format!("winter: −{} rice", seen.rice_loss(card));
            let style = "text-anchor=\"end\" font-size=\"10.5\" fill=\"#5d5a52\"";
            self.svg.text(Point::new(at.x + size.x - 12.0, y + 4.0), style, loss);
            self.svg.put(format_args!("\n"));
        }
    }

    fn line_behind(&mut self, x: f64, y: f64, width: f64, fill: &str) {
        self.svg.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{fill}\"/>",
            rounded(x + 6.0),
            rounded(y - CARD_LINE / 2.0 + 0.5),
            rounded(width - 12.0),
            CARD_LINE - 1.0
        ));
    }

    /// Favours in the audience hall, the next one where it is seen, and those that players keep.
    fn draw_favours(&mut self, at: Point, size: Point) {
        let seen = self.seen;
        self.sheet(at, size, "Favours of the court");
        let mut y = at.y + SHEET_HEAD + CARD_LINE * 0.5;
        let taken = seen.court.taken;
        for (price, card) in PRICES.into_iter().zip(seen.court.laid) {
            if let Some(card) = card {
                let place = Point::new(at.x + 6.0, y - CARD_LINE / 2.0 + 0.5);
                place_of(
                    &mut self.svg,
                    format_args!("favour-{card}"),
                    place,
                    Point::new(size.x - 12.0, CARD_LINE - 1.0),
                );
            }
            let officers = format!("{price} officers");
            self.left(Point::new(at.x + 12.0, y + 4.0), "font-size=\"10.5\" fill=\"#5d5a52\"", &officers);
            let text = card.map_or_else(|| "–".into(), |card| self.favour_line(card));
            self.left(Point::new(at.x + 80.0, y + 4.0), "font-size=\"11\"", &text);
            y += CARD_LINE;
        }
        let top = seen.court.deck.first().filter(|_| seen.options.favour_deck == FavourDeck::OpenTop);
        let (head, card) = match (taken, top) {
            (Some(card), _) => ("just taken", Some(card)),
            (None, top) => ("next", top.copied()),
        };
        self.left(Point::new(at.x + 12.0, y + 4.0), "font-size=\"10.5\" fill=\"#5d5a52\"", head);
        let text = card.map_or_else(|| "face down".into(), |card| self.favour_line(card));
        self.left(Point::new(at.x + 80.0, y + 4.0), "font-size=\"11\" font-style=\"italic\"", &text);
        for seat in seen.everyone().filter(|&seat| seen.players[seat].kept.0 != 0) {
            y += CARD_LINE;
            Sign::Badge(seat.0).draw(&mut self.svg, at.x + 12.0, y);
            self.left(Point::new(at.x + 30.0, y + 4.0), "font-size=\"10.5\" fill=\"#5d5a52\"", "keeps");
            let kept: Vec<String> =
                seen.players[seat].kept.iter().map(|card| self.favour_line(card)).collect();
            self.left(Point::new(at.x + 80.0, y + 4.0), "font-size=\"11\"", &short(&kept.join("; "), 38));
        }
        self.svg.put(format_args!("\n"));
    }

    fn favour_line(&self, card: u8) -> String {
        format!("{card}: {}", favour_text(self.seen.board.favour(card)))
    }
}
