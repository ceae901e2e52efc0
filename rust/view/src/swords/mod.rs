//! Views of the strategic d12 game.

mod look;
mod names;
pub mod picture;
mod sheet;
mod sketch;
mod story;
mod tally;
mod words;

use std::ops::Range;

use sengoku_kernel::{Seat, SetupError};
use sengoku_swords::{Action, Event, MapEntry, State};

use crate::{ActionText, Sheet, Sketch, StoryLine, View, Words};

impl View for State {
    fn describe_action(&self, action: Action) -> ActionText {
        Words(self).in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        look::picture(self, seat)
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
        let mut teller = story::Teller::new(self);
        crate::story::lines(events, ranges, long, |event| teller.tell(event))
    }

    fn seat_name(&self, seat: Seat) -> String {
        story::Teller::new(self).player(seat.0)
    }

    fn place_name(&self, place: &str) -> Option<String> {
        self.map.find(place).map(|province| names::province_name(self.map, province))
    }

    fn scenario_sheet(entry: &MapEntry) -> Sheet {
        sheet::sheet(entry)
    }

    fn scenario_picture(entry: &MapEntry) -> Result<String, SetupError> {
        sheet::picture(entry)
    }
}
