//! Views of the hex tactical game.

mod describe;
mod picture;
mod sheet;
mod story;
mod tally;
mod words;

use std::ops::Range;

use sengoku_battles::board::HexId;
use sengoku_battles::data::Side;
use sengoku_battles::{Action, Event, Scenario, State};
use sengoku_kernel::{Seat, SetupError, Source};

use crate::{ActionText, Sheet, Sketch, StoryLine, View, Words};

impl View for State {
    fn describe_action(&self, action: Action) -> ActionText {
        Words(self).in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        picture::draw(self, seat)
    }

    fn sketch(&self, _seat: Option<Seat>) -> Sketch {
        picture::sketch(self)
    }

    fn stories(
        &self,
        events: &[Event],
        ranges: &[Range<usize>],
        seat: Option<Seat>,
        long: bool,
    ) -> Vec<Vec<StoryLine>> {
        let teller = story::Teller::new(self, seat);
        crate::story::lines(events, ranges, long, |event| teller.tell(event))
    }

    fn seat_name(&self, seat: Seat) -> String {
        let side = if seat.0 == 0 { Side::Top } else { Side::Bottom };
        self.scenario.armies[side].name.clone()
    }

    fn place_name(&self, place: &str) -> Option<String> {
        let hex = HexId::parse(place).ok()?.to_string();
        (hex == place).then(|| format!("hex {hex}"))
    }

    fn scenario_sheet(scenario: &Source<Scenario>) -> Sheet {
        sheet::sheet(scenario)
    }

    fn scenario_picture(scenario: &Source<Scenario>) -> Result<String, SetupError> {
        Ok(picture::draw_deployed(scenario))
    }

    fn scenario_sketch(scenario: &Source<Scenario>) -> Sketch {
        picture::sketch_deployed(scenario)
    }

    fn scenario_remarks() -> Vec<String> {
        sheet::remarks()
    }
}
