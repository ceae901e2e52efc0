//! The plans by place in the order of play; the groups of the draft, and where points come from, when there are no plans.

use crate::picture::{Point, escaped, rounded, short};

use super::ground::tint;
use super::signs::{INK, Sign, small_cube};
use super::{LINE, SHEET_HEAD, Scene};
use crate::tower::words::space_text;
use sengoku_tower::data::{ACTIONS, Card, ProvinceId, Round, SeatId, Space, YEARS};
use sengoku_tower::state::Point as Stage;

/// Width of the names before the plans.
const NAMES: f64 = 108.0;
/// Height of the heads of the plans' columns.
const PLAN_HEAD: f64 = 62.0;
/// Colour of what lies face down.
const BACK: &str = "#5f7d8f";

impl Scene<'_> {
    pub(super) fn plans_height(&self) -> f64 {
        PLAN_HEAD + LINE * f64::from(self.seen.options.seats) + 8.0
    }

    /// The plans of all players; in the draft the groups that are still to be placed, in winter where points come from.
    pub(super) fn draw_plans(&mut self, at: Point, width: f64) {
        let size = Point::new(width, self.plans_height());
        if matches!(self.seen.point, Stage::DraftRefresh | Stage::DraftCard | Stage::DraftGroup) {
            self.draw_draft(at, size);
            return;
        }
        if self.seen.round == Round::Winter {
            self.draw_points(at, size);
            return;
        }
        self.sheet(at, size, "Plans, in the order of play");
        let columns = self.columns();
        let wide = (width - NAMES - 8.0) / columns.len() as f64;
        for (column, &(space, place)) in columns.iter().enumerate() {
            let x = at.x + NAMES + wide * column as f64;
            self.draw_column_head(Point::new(x, at.y + SHEET_HEAD), wide, space, place);
        }
        for seat in self.seen.everyone() {
            let y = at.y + PLAN_HEAD + LINE * (f64::from(seat.0) + 0.5);
            self.draw_name(seat, Point::new(at.x + 12.0, y));
            for (column, &(space, _)) in columns.iter().enumerate() {
                let middle = Point::new(at.x + NAMES + wide * (column as f64 + 0.5), y);
                self.draw_planned(seat, space, middle, wide - 6.0);
            }
            self.svg.put(format_args!("\n"));
        }
    }

    fn draw_name(&mut self, seat: SeatId, at: Point) {
        Sign::Badge(seat.0).draw(&mut self.svg, at.x, at.y);
        let corner = at.plus(Point::new(17.0, -4.0));
        let colour = self.colour(seat);
        small_cube(&mut self.svg, corner, colour);
        self.left(at.plus(Point::new(30.0, 4.2)), "font-size=\"12\"", self.seen.colour_name(seat));
    }

    /// The spaces in the order in which they count: the bid, conversions, then the actions by place as far as they are known.
    fn columns(&self) -> Vec<(Space, Option<Place>)> {
        let seen = self.seen;
        let mut columns = vec![(Space::Bid, None)];
        if seen.options.court {
            columns.extend([Space::Convert3, Space::Convert2, Space::Convert1].map(|space| (space, None)));
        }
        if seen.action_order.is_empty() {
            columns.extend(Space::ALL[..ACTIONS].iter().map(|&space| (space, None)));
        }
        for (at, &space) in seen.action_order.iter().enumerate() {
            let number = at as u8 + 1;
            let place = if number <= seen.action_revealed {
                Place::Open(number)
            } else if self.looking.is_none() {
                Place::Covered(number)
            } else {
                Place::Unknown
            };
            columns.push((space, Some(place)));
        }
        columns
    }

    fn draw_column_head(&mut self, at: Point, wide: f64, space: Space, place: Option<Place>) {
        let number = match place {
            Some(Place::Open(number) | Place::Covered(number)) => number,
            _ => 0,
        };
        let (now, done) = (number > 0 && number == self.seen.place, number > 0 && number < self.seen.place);
        let fill = if now { "#f6d488" } else { "#eef3f5" };
        let fade = if done { " opacity=\"0.5\"" } else { "" };
        self.svg.put(format_args!(
            "<g{fade}><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"31\" rx=\"5\" fill=\"{fill}\" stroke=\"#a9a294\"/>",
            rounded(at.x + 2.0),
            rounded(at.y),
            rounded(wide - 4.0)
        ));
        let middle = at.x + wide / 2.0;
        let title = heading(space);
        let size = if title.chars().count() > 11 { 9.5 } else { 10.5 };
        let drop = if place.is_some() { 25.0 } else { 20.0 };
        self.svg.text(Point::new(middle, at.y + drop), &format!("font-size=\"{size}\""), title);
        let (text, style) = match place {
            Some(Place::Open(number)) => (number.to_string(), "font-size=\"10.5\" font-weight=\"bold\""),
            Some(Place::Covered(number)) => (format!("({number})"), "font-size=\"10\" fill=\"#5d5a52\""),
            Some(Place::Unknown) => ("?".into(), "font-size=\"10.5\" font-weight=\"bold\" fill=\"#5d5a52\""),
            None => (String::new(), ""),
        };
        if !text.is_empty() {
            self.svg.text(Point::new(middle, at.y + 12.5), style, text);
        }
        self.svg.put(format_args!("</g>\n"));
    }

    /// A card on a plan space: open, known only to the viewer, or face down.
    fn draw_planned(&mut self, seat: SeatId, space: Space, middle: Point, wide: f64) {
        let seen = self.seen;
        let player = &seen.players[seat];
        let secret =
            matches!(seen.point, Stage::Plan(_)) && self.looking.is_some_and(|looking| looking != seat);
        let card = if secret { Card::FaceDown } else { player.plan.card(space) };
        let open = player.revealed.has(space);
        let (fill, text) = match card {
            Card::Empty => {
                self.svg.text(middle.plus(Point::new(0.0, 4.0)), "font-size=\"11\" fill=\"#8a8172\"", "–");
                return;
            }
            Card::FaceDown => (BACK, if secret { "secret" } else { "" }.to_owned()),
            Card::Province(province) => {
                (tint(seen.board.regions(), self.region(province)), seen.board.name(province).to_owned())
            }
            Card::Treasure(value) => ("#fbeec2", format!("treasure {value}")),
            Card::Tower => ("#efe6d2", "tower".to_owned()),
        };
        let edge = if open || card == Card::FaceDown {
            format!("stroke=\"{INK}\" stroke-width=\"0.9\"")
        } else {
            format!("stroke=\"{BACK}\" stroke-width=\"1.6\" stroke-dasharray=\"3 2\"")
        };
        self.svg.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"19\" rx=\"3.5\" fill=\"{fill}\" {edge}/>",
            rounded(middle.x - wide / 2.0),
            rounded(middle.y - 9.5),
            rounded(wide)
        ));
        if !text.is_empty() {
            let size = if text.chars().count() > 10 { 9.5 } else { 10.5 };
            let ink = if card == Card::FaceDown { "#fff" } else { INK };
            let style = format!("font-size=\"{size}\" fill=\"{ink}\"");
            self.svg.text(middle.plus(Point::new(0.0, 3.8)), &style, escaped(&short(&text, 14)));
        }
    }

    /// The open cards and the groups that are still to be placed.
    fn draw_draft(&mut self, at: Point, size: Point) {
        let seen = self.seen;
        self.sheet(at, size, "Draft");
        let name =
            |province: Option<ProvinceId>| province.map_or("–", |province| seen.board.name(province));
        let [first, second] = seen.draft.open;
        let (deck, taken) = (seen.draft.deck.len(), name(seen.draft.taken));
        let text =
            format!("open cards: {}, {}; {deck} in the deck; taken: {taken}", name(first), name(second));
        self.left(at.plus(Point::new(12.0, 44.0)), "font-size=\"12\"", &text);
        for seat in seen.everyone() {
            let y = at.y + PLAN_HEAD + LINE * (f64::from(seat.0) + 0.5);
            self.draw_name(seat, Point::new(at.x + 12.0, y));
            let mut x = at.x + NAMES;
            for &armies in seen.players[seat].groups.iter() {
                let sign = Sign::Armies(self.colour(seat), armies.into());
                sign.draw(&mut self.svg, x, y);
                x += sign.width() + 6.0;
            }
            self.svg.put(format_args!("\n"));
        }
    }

    /// Points by year and source (TW-SCORE-01).
    fn draw_points(&mut self, at: Point, size: Point) {
        let seen = self.seen;
        self.sheet(at, size, "Points");
        let heads = ["provinces", "buildings", "majorities", "favours", "together"];
        for year in 0..usize::from(seen.year).min(YEARS) {
            let x = at.x + NAMES + 500.0 * year as f64;
            let title = format!("year {}", year + 1);
            self.left(Point::new(x + 12.0, at.y + 38.0), "font-size=\"11\" font-weight=\"bold\"", &title);
            for (column, head) in heads.into_iter().enumerate() {
                let place = Point::new(x + 40.0 + 90.0 * column as f64, at.y + 56.0);
                self.svg.text(place, "font-size=\"10.5\"", head);
            }
            for seat in seen.everyone() {
                let tally = &seen.players[seat].tally[year];
                let (majorities, total) = (tally.majorities.total(), tally.total());
                let sources =
                    [tally.provinces.into(), tally.buildings.into(), majorities, tally.favours.into(), total];
                let y = at.y + PLAN_HEAD + LINE * (f64::from(seat.0) + 0.5) + 4.2;
                for (column, points) in sources.into_iter().enumerate() {
                    let bold = if column == 4 { " font-weight=\"bold\"" } else { "" };
                    let place = Point::new(x + 40.0 + 90.0 * column as f64, y);
                    self.svg.text(place, &format!("font-size=\"12\"{bold}"), points);
                }
            }
        }
        for seat in seen.everyone() {
            let y = at.y + PLAN_HEAD + LINE * (f64::from(seat.0) + 0.5);
            self.draw_name(seat, Point::new(at.x + 12.0, y));
        }
        self.svg.put(format_args!("\n"));
    }
}

/// A plan space at the head of its column.
const fn heading(space: Space) -> &'static str {
    match space {
        Space::Convert1 => "convert 1",
        Space::Convert2 => "convert 2",
        Space::Convert3 => "convert 3",
        Space::Deploy5 => "5 armies",
        Space::Deploy3 => "3 armies",
        Space::Deploy1 => "1 army, move",
        _ => space_text(space),
    }
}

/// Where an action stands in the order of play.
#[derive(Clone, Copy)]
enum Place {
    /// Face up.
    Open(u8),
    /// Face down, known only to a viewer that sees everything.
    Covered(u8),
    /// Face down.
    Unknown,
}
