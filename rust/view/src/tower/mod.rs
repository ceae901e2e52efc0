//! Views of the cube tower game.

mod picture;
mod sheet;
mod sketch;
mod story;
mod tally;
mod words;

use std::ops::Range;

use sengoku_kernel::{Seat, SetupError};
use sengoku_tower::data::SeatId;
use sengoku_tower::{Action, BoardSide, Event, State};

use crate::{ActionText, Sheet, Sketch, StoryLine, View, Words};

impl View for State {
    fn describe_action(&self, action: Action) -> ActionText {
        Words(self).in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        picture::draw(self, seat)
    }

    fn sketch(&self, seat: Option<Seat>) -> Sketch {
        sketch::sketch(self, seat)
    }

    fn stories(
        &self,
        events: &[Event],
        ranges: &[Range<usize>],
        _seat: Option<Seat>,
        long: bool,
    ) -> Vec<Vec<StoryLine>> {
        let teller = story::Teller::new(self);
        crate::story::lines(events, ranges, long, |event| teller.tell(event))
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.colour_name(SeatId(seat.0)).into()
    }

    fn place_name(&self, place: &str) -> Option<String> {
        self.board.find(place).map(|province| self.board.name(province).into())
    }

    fn scenario_sheet(entry: &BoardSide) -> Sheet {
        sheet::sheet(entry)
    }

    fn scenario_picture(entry: &BoardSide) -> Result<String, SetupError> {
        sheet::picture(entry)
    }
}
