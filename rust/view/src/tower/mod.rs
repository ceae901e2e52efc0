//! Views of the cube tower game.

mod picture;
mod sheet;
mod words;

use sengoku_kernel::{Seat, SetupError};
use sengoku_tower::{Action, BoardSide, State};

use crate::{ActionText, Sheet, View, Words};

impl View for State {
    fn describe_action(&self, action: Action) -> ActionText {
        Words(self).in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        picture::draw(self, seat)
    }

    fn scenario_sheet(entry: &BoardSide) -> Sheet {
        sheet::sheet(entry)
    }

    fn scenario_picture(entry: &BoardSide) -> Result<String, SetupError> {
        sheet::picture(entry)
    }
}
