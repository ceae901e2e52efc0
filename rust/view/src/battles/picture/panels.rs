//! The sheets beside the board: both armies, and what lies between them.

use crate::picture::{Point, place_of, rounded, short, wrapped};

use super::signs::{Gained, INK, ON_SIDE, draw_flag, draw_symbol, paint};
use super::{COLUMN, GAP, NAMES, Page, SIZE};
use sengoku_battles::data::{Face, Faces, LeaderKind, Side, Symbol, UnitKind};
use sengoku_battles::scenario::First;
use sengoku_battles::state::State;
use serde::Serialize;

/// Height of the sheet between the armies.
const BETWEEN: f64 = 138.0;
/// Height of all sheets together: that of the board with its names.
const HEIGHT: f64 = SIZE.y + 2.0 * NAMES;
/// Height of the sheet of an army.
const ARMY: f64 = (HEIGHT - BETWEEN - 2.0 * GAP) / 2.0;
/// Height of a line of small text.
const LINE: f64 = 15.0;

impl Page<'_> {
    pub(super) fn draw_column(&mut self, at: Point) {
        self.draw_army(Side::Top, at);
        let between = at.plus(Point::new(0.0, ARMY + GAP));
        self.sheet(between, Point::new(COLUMN, BETWEEN));
        match self.match_ {
            Some((state, _)) => self.draw_table(state, between),
            None => self.draw_story(between),
        }
        self.draw_army(Side::Bottom, at.plus(Point::new(0.0, ARMY + BETWEEN + 2.0 * GAP)));
    }

    /// Name, banners, honor, cards; then the hand, or before a match the forces.
    fn draw_army(&mut self, side: Side, at: Point) {
        self.sheet(at, Point::new(COLUMN, ARMY));
        let scenario = self.field.scenario;
        let colour = paint(side);
        self.svg.put(format_args!(
            "<path d=\"M{},{}v-22q0,-8 8,-8h{}q8,0 8,8v22z\" fill=\"{colour}\"/>",
            rounded(at.x),
            rounded(at.y + 30.0),
            COLUMN - 16.0
        ));
        let name = short(&scenario.armies[side].name, 24);
        let white = format!("font-size=\"16\" font-weight=\"bold\" fill=\"{ON_SIDE}\"");
        self.left(at.plus(Point::new(12.0, 21.0)), &white, &name);
        let tag = self.tag(side);
        let style = format!("text-anchor=\"end\" font-size=\"11\" fill=\"{ON_SIDE}\"");
        self.svg.text(at.plus(Point::new(COLUMN - 12.0, 20.0)), &style, tag);
        self.draw_banners(side, at.plus(Point::new(14.0, 40.0)));
        self.draw_numbers(side, at.plus(Point::new(10.0, 70.0)));
        let below = at.plus(Point::new(14.0, 132.0));
        match self.match_ {
            Some((state, looking)) => {
                self.draw_command(state, side, below);
                if looking.is_none_or(|seat| seat == side.seat()) {
                    self.draw_hand(state, side, below.plus(Point::new(0.0, 21.0)));
                } else {
                    let style = "font-size=\"11\" font-style=\"italic\" fill=\"#7b7363\"";
                    self.left(below.plus(Point::new(0.0, 25.0)), style, "hand hidden");
                }
            }
            None => self.draw_forces(side, below),
        }
        self.svg.put(format_args!("\n"));
    }

    /// Seat, and whether it is this army's turn.
    fn tag(&self, side: Side) -> String {
        let seat = format!("seat {}", side.seat().0);
        match self.match_ {
            Some((state, _)) if state.active == side && state.decided.is_none() => format!("{seat}, active"),
            None if self.field.scenario.first == First::Army(side) => format!("{seat}, moves first"),
            _ => seat,
        }
    }

    /// A flag for each banner that is needed.
    fn draw_banners(&mut self, side: Side, at: Point) {
        let needed = self.field.scenario.banners_to_win[side];
        let (kept, gained) =
            self.match_.map_or((0, 0), |(state, _)| (state.banners[side], state.banner_count(side)));
        let step = (232.0 / f64::from(needed.max(gained))).min(21.0);
        for banner in 0..needed.max(gained) {
            let what = match banner {
                banner if banner < kept => Gained::Kept,
                banner if banner < gained => Gained::ForNow,
                _ => Gained::No,
            };
            let corner = at.plus(Point::new(step * f64::from(banner), 0.0));
            draw_flag(&mut self.svg, corner, paint(side), what);
        }
        let text =
            if self.match_.is_some() { format!("{gained} of {needed}") } else { format!("{needed} win") };
        let style = "text-anchor=\"end\" font-size=\"13\" font-weight=\"bold\"";
        self.svg.text(at.plus(Point::new(COLUMN - 28.0, 14.0)), style, text);
    }

    /// Honor, cards and units.
    fn draw_numbers(&mut self, side: Side, at: Point) {
        let army = &self.field.scenario.armies[side];
        let (command, dragon, honor) = match self.match_ {
            Some((state, _)) => {
                (state.command.hands[side].len(), state.dragon.hands[side].len(), state.honor[side])
            }
            None => (army.command_cards.into(), army.dragon_cards.into(), army.honor),
        };
        let stands = self.field.pieces().filter(|(_, stand)| stand.side == side);
        let units =
            stands.filter(|(_, stand)| stand.unit.is_some_and(|(kind, _)| !kind.is_bodyguard())).count();
        let numbers =
            [(usize::from(honor), "honor"), (command, "command"), (dragon, "dragon"), (units, "units")];
        for (place, (number, name)) in numbers.into_iter().enumerate() {
            let corner = at.plus(Point::new(75.0 * place as f64, 0.0));
            self.svg.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"71\" height=\"44\" rx=\"6\" fill=\"#f3ecd9\" stroke=\"#cfc4a8\"/>",
                rounded(corner.x),
                rounded(corner.y)
            ));
            self.svg.text(
                corner.plus(Point::new(35.5, 23.0)),
                "font-size=\"19\" font-weight=\"bold\"",
                number,
            );
            self.svg.text(corner.plus(Point::new(35.5, 38.0)), "font-size=\"10.5\" fill=\"#6e6654\"", name);
        }
    }

    /// The command card of this turn, or of the last one.
    fn draw_command(&mut self, state: &State, side: Side, at: Point) {
        let (when, card) = match state.turn.command {
            Some(card) if state.active == side => ("this turn", Some(card)),
            _ => ("last card", state.last[side].map(|last| last.card)),
        };
        self.left(at, "font-size=\"11\" fill=\"#6e6654\"", when);
        let name = card.map_or("–", |card| card.name());
        self.left(at.plus(Point::new(62.0, 0.0)), "font-size=\"12\" font-weight=\"bold\"", name);
    }

    /// Command cards on the left, dragon cards with their costs on the right.
    fn draw_hand(&mut self, state: &State, side: Side, at: Point) {
        let command: Vec<(String, String)> =
            state.command.hands[side].iter().map(|card| (id(card), card.name().to_owned())).collect();
        let dragon: Vec<(String, String)> = state.dragon.hands[side]
            .iter()
            .map(|card| (id(card), format!("{} ({})", card.name(), card.cost())))
            .collect();
        let room = ((ARMY - 132.0 - 21.0 - 20.0) / LINE) as usize;
        for (x, head, cards) in [(0.0, "command", command), (152.0, "dragon (cost)", dragon)] {
            let corner = at.plus(Point::new(x, 0.0));
            self.left(corner, "font-size=\"10.5\" fill=\"#6e6654\"", head);
            let shown = if cards.len() > room { room - 1 } else { cards.len() };
            for (line, (id, card)) in cards.iter().take(shown).enumerate() {
                let place = corner.plus(Point::new(0.0, LINE * (line + 1) as f64));
                place_of(&mut self.svg, id, place.plus(Point::new(-4.0, -11.0)), Point::new(148.0, LINE));
                self.left(place, "font-size=\"10\"", &short(card, 25));
            }
            if shown < cards.len() {
                let place = corner.plus(Point::new(0.0, LINE * (shown + 1) as f64));
                let more = format!("and {} more", cards.len() - shown);
                self.left(place, "font-size=\"10\" font-style=\"italic\"", &more);
            }
        }
    }

    /// Units by kind, and the leaders.
    fn draw_forces(&mut self, side: Side, at: Point) {
        let stands: Vec<_> = self.field.pieces().filter(|(_, stand)| stand.side == side).collect();
        let count = |kind| {
            stands.iter().filter(|(_, stand)| stand.unit.is_some_and(|(unit, _)| unit == kind)).count()
        };
        let leaders: Vec<String> = stands
            .iter()
            .filter_map(|(_, stand)| stand.leader)
            .map(|leader| match leader.name {
                Some(name) => format!("{name} ({})", rank(leader.kind)),
                None => format!("a {}", leader.kind.name()),
            })
            .collect();
        let forces: Vec<(UnitKind, usize)> = UnitKind::ALL
            .into_iter()
            .map(|kind| (kind, count(kind)))
            .filter(|&(_, count)| count > 0)
            .collect();
        let mut y = at.y;
        for (kind, count) in forces {
            let style = "text-anchor=\"end\" font-size=\"12\" font-weight=\"bold\"";
            self.svg.text(Point::new(at.x + 12.0, y), style, count);
            draw_symbol(&mut self.svg, Point::new(at.x + 26.0, y - 4.0), kind.symbol(), paint(side));
            self.left(Point::new(at.x + 40.0, y), "font-size=\"11\" font-weight=\"bold\"", kind.code());
            self.left(Point::new(at.x + 82.0, y), "font-size=\"11\"", kind.name());
            y += LINE + 0.5;
        }
        if !leaders.is_empty() {
            let text = format!("Leaders: {}", leaders.join(", "));
            y += 3.0;
            for line in wrapped(&text, 48) {
                self.left(Point::new(at.x, y), "font-size=\"10.5\"", &line);
                y += 14.0;
            }
        }
    }

    /// The narrative: armies, place and occasion.
    fn draw_story(&mut self, at: Point) {
        for (line, text) in wrapped(&self.field.scenario.remarks.narrative, 51).iter().take(9).enumerate() {
            let place = at.plus(Point::new(12.0, 19.0 + 14.0 * line as f64));
            self.left(place, "font-size=\"10.5\"", text);
        }
        self.svg.put(format_args!("\n"));
    }

    /// Round, decks, pool, cards in play, and the dice of the last roll.
    fn draw_table(&mut self, state: &State, at: Point) {
        let rows = [
            ("round", state.round.to_string()),
            ("honor in the pool", state.pool().to_string()),
            (
                "command deck",
                format!("{}, {} discarded", state.command.deck.len(), state.command.discards.len()),
            ),
            (
                "dragon deck",
                format!("{}, {} discarded", state.dragon.deck.len(), state.dragon.discards.len()),
            ),
            (
                "dragon cards in play",
                match state.turn.played.iter().map(|card| card.name()).collect::<Vec<_>>()[..] {
                    [] => "none".into(),
                    ref names => names.join(", "),
                },
            ),
        ];
        for (line, (head, text)) in rows.iter().enumerate() {
            let place = at.plus(Point::new(12.0, 19.0 + 16.0 * line as f64));
            self.left(place, "font-size=\"11\" fill=\"#6e6654\"", head);
            self.left(
                place.plus(Point::new(128.0, 0.0)),
                "font-size=\"11\" font-weight=\"bold\"",
                &short(text, 26),
            );
        }
        let roll = &state.combat.roll;
        if roll.faces.total() > 0 {
            let whose = format!("roll of {}", short(&state.scenario.armies[roll.side].name, 30));
            self.left(at.plus(Point::new(12.0, 102.0)), "font-size=\"11\" fill=\"#6e6654\"", &whose);
            self.draw_dice(roll.faces, paint(roll.side), at.plus(Point::new(12.0, 108.0)));
        }
        self.svg.put(format_args!("\n"));
    }

    fn draw_dice(&mut self, faces: Faces, colour: &str, at: Point) {
        let dice = Face::ALL.into_iter().flat_map(|face| std::iter::repeat_n(face, faces[face].into()));
        for (place, face) in dice.take(11).enumerate() {
            let corner = at.plus(Point::new(27.0 * place as f64, 0.0));
            self.svg.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"23\" height=\"23\" rx=\"4\" fill=\"#fffdf6\" stroke=\"{colour}\" \
                 stroke-width=\"1.6\"/>",
                rounded(corner.x),
                rounded(corner.y)
            ));
            let middle = corner.plus(Point::new(11.5, 11.5));
            match Symbol::of_face(face) {
                Some(symbol) => draw_symbol(&mut self.svg, middle, symbol, face_colour(face)),
                None if face == Face::Flag => {
                    draw_flag(
                        &mut self.svg,
                        corner.plus(Point::new(6.0, 3.0)),
                        face_colour(face),
                        Gained::Kept,
                    );
                }
                None => {
                    let style =
                        format!("font-size=\"14\" font-weight=\"bold\" fill=\"{}\"", face_colour(face));
                    self.svg.text(middle.plus(Point::new(0.0, 5.0)), &style, face.letter());
                }
            }
        }
    }
}

/// A card as actions name it.
fn id(card: impl Serialize) -> String {
    serde_json::to_value(card).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The colours of the die (conventions of the ledger).
const fn face_colour(face: Face) -> &'static str {
    match face {
        Face::Circle => "#3b8a3e",
        Face::Triangle => "#2b5c99",
        Face::Square => "#b3362c",
        Face::Flag => "#77716a",
        Face::Honor => "#b8860b",
        Face::Swords => INK,
    }
}

/// A kind of leader in one word.
const fn rank(kind: LeaderKind) -> &'static str {
    match kind {
        LeaderKind::Foot => "foot",
        LeaderKind::Mounted => "mounted",
        LeaderKind::Commander => "commander",
    }
}
