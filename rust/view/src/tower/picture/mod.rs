//! The board as a picture in SVG: map, players, cards, tower and tray, and the plans.
//!
//! A seat's picture is drawn from the state as [`Game::seen_by`] leaves it, so whatever a seat may not see cannot be shown. Equal
//! states give equal bytes on every machine.

mod cards;
mod ground;
mod plans;
mod signs;
mod tables;

use std::ops::Range;

use crate::picture::{Layout, Point, Svg, escaped, layout_of, rounded};
use sengoku_kernel::{Game, Seat};

use crate::tower::words::{seat_text, space_text};
use ground::ground;
use sengoku_tower::data::{Round, SeatId};
use sengoku_tower::state::{Point as Stage, State};
use signs::INK;
use tables::REGIONS_SIZE;

/// Colour of the sea; the picture brings its own background, so that it can be read on a dark page too.
const SEA: &str = "#d3e3ec";
/// Space around everything.
const MARGIN: f64 = 24.0;
/// Least space between land and a table.
const CLEAR: f64 = 18.0;

/// Height of a player's line in a table.
const LINE: f64 = 24.0;
/// Height of the head of a sheet.
const SHEET_HEAD: f64 = 28.0;

/// The picture under way: its subject, its viewer and the SVG so far.
struct Scene<'a> {
    /// The match as it may be seen.
    seen: &'a State,
    /// The viewer; `None` where everything may be seen.
    looking: Option<SeatId>,
    /// The document.
    svg: Svg,
}

/// Draws everything, or what a seat may see, in SVG.
pub(super) fn draw(state: &State, seat: Option<Seat>) -> String {
    let seen = seat.map_or(*state, |seat| state.seen_by(seat));
    let looking = seat.map(|seat| SeatId(seat.0));
    Scene { seen: &seen, looking, svg: Svg::default() }.draw()
}

/// Where the match stands.
pub(super) fn title(seen: &State) -> String {
    let side = &seen.map().name;
    match seen.round {
        Round::Setup => format!("Set-up, {side} side"),
        round => format!("Year {}, {}, {side} side", seen.year, round.name()),
    }
}

/// Where the provinces lie in the picture.
pub(super) fn centres(seen: &State) -> Vec<Point> {
    layout_of(&ground(seen.map())).centres.clone()
}

/// The paint of a colour.
pub(super) fn paint(colour: u8) -> &'static str {
    signs::paint(colour)
}

impl Scene<'_> {
    /// Draws the page. Players stand in the sea above the land, regions, tower and cards below it; a map that leaves no room
    /// for them is moved aside.
    fn draw(mut self) -> String {
        let layout = &*layout_of(&ground(self.seen.map()));
        let (players, cards) = (self.players_size(), self.cards_size());
        let width = (layout.size.x + 2.0 * MARGIN).max(players.x + cards.x + 3.0 * MARGIN);
        let mut origin = Point::new((width - layout.size.x) / 2.0, MARGIN);
        let corner = MARGIN + players.x + CLEAR - origin.x;
        origin.y += (MARGIN + players.y + CLEAR - origin.y - top(layout, corner)).max(0.0);
        let corner = width - MARGIN - cards.x - CLEAR - origin.x;
        let land_end = origin.y + layout.size.y;
        let cards_end = origin.y + bottom(layout, corner..f64::MAX) + CLEAR + cards.y;
        let regions = REGIONS_SIZE;
        let corner = MARGIN + regions.x + CLEAR - origin.x;
        let regions_end = origin.y + bottom(layout, f64::MIN..corner) + CLEAR + regions.y;
        let foot = land_end.max(cards_end).max(regions_end);
        let plans_at = foot + MARGIN;
        let key_at = plans_at + self.plans_height() + CLEAR;
        let height = key_at + 20.0 + MARGIN;

        self.svg.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\" fill=\"{INK}\" text-anchor=\"middle\">\n\
             <title>{title}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" rx=\"14\" fill=\"{SEA}\"/>\n",
            w = width.ceil(),
            h = height.ceil(),
            title = escaped(&self.title()),
        ));
        self.draw_map(layout, origin);
        self.draw_players(Point::new(MARGIN, MARGIN));
        self.draw_regions(Point::new(MARGIN, foot - regions.y));
        self.draw_cards(Point::new(width - MARGIN - cards.x, foot - cards.y));
        self.draw_plans(Point::new(MARGIN, plans_at), width - 2.0 * MARGIN);
        self.draw_key(Point::new(MARGIN, key_at));
        self.svg.put(format_args!("</svg>\n"));
        self.svg.finish()
    }

    /// The colour of a player's cubes.
    fn colour(&self, seat: SeatId) -> u8 {
        self.seen.options.colours[seat.index()]
    }

    /// Year and season.
    fn title(&self) -> String {
        title(self.seen)
    }

    /// The current moment of the match, and the seat that decides.
    fn subtitle(&self) -> String {
        let seen = self.seen;
        let what = match seen.point {
            Stage::DraftRefresh | Stage::DraftCard | Stage::DraftGroup => "draft of provinces".into(),
            Stage::Plan(_) => "plans are made in secret".into(),
            Stage::Slot => "turn order and special cards".into(),
            Stage::Court
            | Stage::Hall
            | Stage::Favour
            | Stage::FavourEvent
            | Stage::FavourUnrest
            | Stage::FavourArmies
            | Stage::FavourBuilding => "favours of the court".into(),
            Stage::Over(end) => {
                let ranks = seen.outcome().map(|outcome| outcome.ranks).unwrap_or_default();
                let first = seen.everyone().filter(|seat| ranks.get(seat.index()) == Some(&1));
                let names: Vec<&str> = first.map(|seat| seen.colour_name(seat)).collect();
                format!("over ({}); first: {}", end.reason().replace('_', " "), names.join(", "))
            }
            _ => match seen.action() {
                Some(action) => format!("action {} of 10: {}", seen.place, space_text(action)),
                None => "revolts".into(),
            },
        };
        match seen.deciding_seat() {
            Some(seat) => format!("{what}; {} decides", seat_text(seen, SeatId(seat.0))),
            None => what,
        }
    }

    /// A white sheet for a table, with a heading.
    fn sheet(&mut self, at: Point, size: Point, heading: &str) {
        self.svg.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#fff\" fill-opacity=\"0.6\"/>",
            rounded(at.x),
            rounded(at.y),
            rounded(size.x),
            rounded(size.y)
        ));
        self.left(at.plus(Point::new(12.0, 19.0)), "font-size=\"12\" font-weight=\"bold\"", heading);
    }

    /// A text that begins at a place.
    fn left(&mut self, at: Point, style: &str, text: &str) {
        self.svg.text(at, &format!("text-anchor=\"start\" {style}"), escaped(text));
    }
}

/// Where land begins, left of a line.
fn top(layout: &Layout, line: f64) -> f64 {
    let land = layout.cells.iter().flatten().filter(|point| point.x < line);
    land.fold(layout.size.y, |top, point| top.min(point.y))
}

/// Where land ends, in a range from left to right.
fn bottom(layout: &Layout, range: Range<f64>) -> f64 {
    let land = layout.cells.iter().flatten().filter(|point| range.contains(&point.x));
    land.fold(0.0, |bottom, point| bottom.max(point.y))
}

#[cfg(test)]
mod tests {
    use crate::picture::fault;
    use sengoku_kernel::{Chance, Purpose, Stream};
    use serde_json::json;

    use super::*;
    use sengoku_tower::board::Board;
    use sengoku_tower::data::{ProvinceId, Side};

    #[test]
    fn cells_touch_where_provinces_are_adjacent() {
        // TW-BOARD-02: a border is seen as a border, and what is not adjacent by land is seen apart
        for side in [Side::Sun, Side::Moon] {
            let map = Board::standard().side(side);
            let layout = layout_of(&ground(map));
            assert_eq!(layout.fault(&ground(map)), None);
            assert_eq!(layout.links, []);
        }
    }

    #[test]
    fn names_stay_in_their_cells() {
        let map = Board::standard().side(Side::Sun);
        let layout = layout_of(&ground(map));
        for province in ProvinceId::all() {
            let name = &map.province(province).name;
            let half = 0.33 * ground::name_size(name) * name.chars().count() as f64;
            let (centre, cell) = (layout.centres[province.index()], &layout.cells[province.index()]);
            // The corners of the name above three rows, and of the last row.
            for (x, y) in [(-half, -30.0), (half, -30.0), (-26.0, 31.0), (26.0, 31.0)] {
                let corner = centre.plus(Point::new(x, y));
                let outside = cell.iter().enumerate().any(|(at, &from)| {
                    let side = cell[(at + 1) % cell.len()].minus(from);
                    side.cross(corner.minus(from)) < -3.0 * side.length()
                });
                assert!(!outside, "{name} at {x}, {y}");
            }
        }
    }

    #[test]
    fn every_point_of_a_match_can_be_drawn() {
        let setups = [
            json!({ "court": true }),
            json!({ "mode": "draft", "court": true, "favour_deck": "hidden" }),
            json!({ "side": "moon" }),
        ];
        let mut legal = Vec::new();
        for (seats, setup) in [4, 5, 3].into_iter().zip(setups) {
            let mut chance = Stream::new(5, Purpose::Game, 0);
            let mut choice = Stream::new(5, Purpose::Bots, 0);
            let mut state = State::create(seats, &setup, &mut chance).expect("a valid setup");
            for decision in 0.. {
                if decision % 23 == 0 || state.is_over() {
                    for seat in [None, Some(Seat(1))] {
                        assert_eq!(fault(&draw(&state, seat)), None, "{:?}", state.point);
                    }
                }
                if state.is_over() {
                    break;
                }
                state.legal_actions(&mut legal);
                let at = choice.below(decision, legal.len() as u32) as usize;
                state.play_unchecked(legal[at], &mut chance);
            }
        }
    }

    #[test]
    fn a_seat_sees_its_own_plan_only() {
        // TW-D-12, TW-D-13
        let mut chance = Stream::new(5, Purpose::Game, 0);
        let mut state = State::create(3, &json!({}), &mut chance).expect("a valid setup");
        let mut legal = Vec::new();
        for _ in 0..11 {
            state.legal_actions(&mut legal);
            state.play_unchecked(*legal.last().expect("a plan is asked for"), &mut chance);
        }
        assert_eq!(draw(&state, Some(Seat(0))).matches(">secret<").count(), 22);
        assert_eq!(draw(&state, Some(Seat(1))).matches(">secret<").count(), 22);
        assert_eq!(draw(&state, None).matches(">secret<").count(), 0);
        // Of the ten action cards five lie face down (TW-ROUND-03).
        assert_eq!(draw(&state, Some(Seat(1))).matches(">?<").count(), 5);
        assert_eq!(draw(&state, None).matches(">?<").count(), 0);
    }

    #[test]
    fn custom_boards_can_be_drawn() {
        // Names and regions that nobody has a place or a colour for.
        let text = include_str!("../../../../tower/data/tower_boards.toml");
        let text = text.replace("\"yamato\"", "\"yonder\"").replace("yamato = ", "yonder = ");
        let text = text.replace("\"Yamato\"", "\"Yonder <&>\"").replace("\"purple\"", "\"violet\"");
        let setup = json!({ "board": text });
        let state = State::create(4, &setup, &mut Stream::new(5, Purpose::Game, 0)).expect("a valid board");
        let svg = draw(&state, None);
        assert_eq!(fault(&svg), None);
        assert!(svg.contains(">Yonder &lt;&amp;&gt;</text>"));
        assert_eq!(layout_of(&ground(state.map())).fault(&ground(state.map())), None);
    }
}
