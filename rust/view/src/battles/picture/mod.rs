//! The board as a picture in SVG and as lines for a terminal: of a match, whole or as one seat sees it, and of a battle
//! before it begins.
//!
//! A seat's picture is drawn from the state as that seat sees it, so whatever it may not see cannot be shown. Equal states
//! give equal bytes on every machine.

mod field;
mod ground;
mod key;
mod moment;
mod panels;
mod pieces;
mod signs;
mod sketch;

use crate::picture::{Point, Svg, escaped, rounded, wrapped, xy};
use sengoku_kernel::{Game, Seat};

use crate::{Sketch, Words};
use field::Field;
use ground::SIZE;
use pieces::draw_attack;
use sengoku_battles::data::Side;
use sengoku_battles::scenario::Scenario;
use sengoku_battles::state::State;
use signs::INK;

/// Colour of the page; the picture brings its own background, so that it can be read on a dark page too.
const PAGE: &str = "#ece5d3";
/// Space around everything.
const MARGIN: f64 = 22.0;
/// Height of title and subtitle.
const HEAD: f64 = 58.0;
/// Space for the names of rows and columns.
const NAMES: f64 = 26.0;
/// Space between sheets.
const GAP: f64 = 12.0;
/// Width of the sheets beside the board.
const COLUMN: f64 = 318.0;
/// Height of the head of a sheet.
const SHEET_HEAD: f64 = 28.0;
/// Width of everything.
const WIDTH: f64 = 2.0 * MARGIN + 2.0 * NAMES + SIZE.x + GAP + COLUMN;
/// Where the first hex begins.
const BOARD: Point = Point::new(MARGIN + NAMES, MARGIN + HEAD + NAMES);

/// Draws everything, or what a seat may see, in SVG.
pub(super) fn draw(state: &State, seat: Option<Seat>) -> String {
    let seen = seat.map_or(*state, |seat| state.seen_by(seat));
    Page { field: Field::of(&seen), match_: Some((&seen, seat)), svg: Svg::default() }.draw()
}

/// Draws the board for a terminal. All of it is public (BT-COMP-06).
pub(super) fn sketch(state: &State) -> Sketch {
    sketch::draw(&Field::of(state))
}

/// Draws a battle as it is deployed, in SVG.
pub(super) fn draw_deployed(scenario: &Scenario) -> String {
    Page { field: Field::deployed(scenario), match_: None, svg: Svg::default() }.draw()
}

/// Draws a battle as it is deployed, for a terminal.
pub(super) fn sketch_deployed(scenario: &Scenario) -> Sketch {
    sketch::draw(&Field::deployed(scenario))
}

/// The picture under way: its subject, its viewer and the SVG so far.
struct Page<'a> {
    /// Terrain and pieces on the board.
    field: Field<'a>,
    /// The match as the viewer may see it, if it is one, and the viewer; `None` where everything may be seen.
    match_: Option<(&'a State, Option<Seat>)>,
    /// The document.
    svg: Svg,
}

impl Page<'_> {
    /// Draws the page: the board, armies and what lies between them on its right, key and remarks below.
    fn draw(mut self) -> String {
        let foot = BOARD.y + SIZE.y + NAMES + GAP;
        let notes = self.notes();
        let key = self.key_height();
        let lines: usize = notes.iter().map(|(_, lines)| lines.len()).sum();
        let notes_height = SHEET_HEAD / 2.0 + 15.0 * lines as f64 + 6.0 * notes.len() as f64;
        let height = foot + key + GAP + notes_height + MARGIN;
        self.svg.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{h}\" viewBox=\"0 0 {WIDTH} {h}\" \
             font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\" fill=\"{INK}\" text-anchor=\"middle\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{h}\" rx=\"14\" fill=\"{PAGE}\"/>\n",
            h = height.ceil(),
            title = escaped(&self.title()),
        ));
        self.left(Point::new(MARGIN, MARGIN + 22.0), "font-size=\"23\" font-weight=\"bold\"", &self.title());
        self.left(Point::new(MARGIN, MARGIN + 46.0), "font-size=\"14\"", &self.subtitle());
        self.draw_board();
        self.draw_column(Point::new(WIDTH - MARGIN - COLUMN, MARGIN + HEAD));
        self.draw_key(Point::new(MARGIN, foot));
        self.draw_notes(Point::new(MARGIN, foot + key + GAP), notes_height, &notes);
        self.svg.put(format_args!("</svg>\n"));
        self.svg.finish()
    }

    fn draw_board(&mut self) {
        self.svg.put(format_args!("<g transform=\"translate({})\">\n", xy(BOARD)));
        self.field.draw_ground(&mut self.svg);
        self.field.draw_pieces(&mut self.svg);
        self.field.draw_objective_names(&mut self.svg);
        if let Some((state, _)) = self.match_ {
            for (from, to) in Words(state).attacks() {
                draw_attack(&mut self.svg, from, to);
            }
        }
        self.svg.put(format_args!("</g>\n"));
    }

    /// Number, name, part and year of the battle.
    fn title(&self) -> String {
        Words(self.field.scenario).title()
    }

    /// The current moment of the match, or how the battle begins.
    fn subtitle(&self) -> String {
        let scenario = Words(self.field.scenario);
        match self.match_ {
            Some((state, _)) => Words(state).headline(),
            None => format!(
                "{} against {}; {}; {}; deployment {}",
                scenario.armies[Side::Top].name,
                scenario.armies[Side::Bottom].name,
                scenario.needed(),
                scenario.first_words(),
                scenario.remarks.deployment_source
            ),
        }
    }

    /// Rules of the battle, and what is known of it, in lines.
    fn notes(&self) -> Vec<(&'static str, Vec<String>)> {
        let scenario = Words(self.field.scenario);
        let most = 178;
        let rules = scenario.rules();
        let source = format!("deployment {}: {}", scenario.remarks.deployment_source, scenario.remarks.basis);
        let mut notes = Vec::new();
        if !rules.is_empty() {
            notes
                .push(("Rules", rules.iter().flat_map(|rule| wrapped(&format!("· {rule}"), most)).collect()));
        }
        notes.push(("Source", wrapped(&source, most)));
        notes
    }

    fn draw_notes(&mut self, at: Point, height: f64, notes: &[(&str, Vec<String>)]) {
        self.sheet(at, Point::new(WIDTH - 2.0 * MARGIN, height));
        let mut y = at.y + 20.0;
        for (head, lines) in notes {
            self.left(Point::new(at.x + 12.0, y), "font-size=\"11\" font-weight=\"bold\"", head);
            for line in lines {
                self.left(Point::new(at.x + 72.0, y), "font-size=\"11\"", line);
                y += 15.0;
            }
            y += 6.0;
        }
    }

    /// A white sheet.
    fn sheet(&mut self, at: Point, size: Point) {
        self.svg.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#fffdf6\" fill-opacity=\"0.8\"/>\n",
            rounded(at.x),
            rounded(at.y),
            rounded(size.x),
            rounded(size.y)
        ));
    }

    /// A text that begins at a place.
    fn left(&mut self, at: Point, style: &str, text: &str) {
        self.svg.text(at, &format!("text-anchor=\"start\" {style}"), escaped(text));
    }
}

impl Words<'_, Scenario> {
    /// Number, name, part and year.
    fn title(&self) -> String {
        let number = if self.number > 0 { format!("{}. ", self.number) } else { String::new() };
        let year = self.year.map_or(String::new(), |year| format!(" ({year})"));
        format!("{number}{}{year}", self.full_name())
    }

    /// Banners that win.
    fn needed(&self) -> String {
        let [top, bottom] = self.banners_to_win.0;
        if top == bottom { format!("{top} banners win") } else { format!("{top} and {bottom} banners win") }
    }
}

#[cfg(test)]
mod tests;
