//! Views of the strategic d12 game.

mod look;
mod names;
pub mod picture;
mod sheet;
mod words;

use sengoku_kernel::{Seat, SetupError};
use sengoku_swords::{Action, MapEntry, State};

use crate::{ActionText, Sheet, View, Words};

impl View for State {
    fn describe_action(&self, action: Action) -> ActionText {
        Words(self).in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        look::picture(self, seat)
    }

    fn scenario_sheet(entry: &MapEntry) -> Sheet {
        sheet::sheet(entry)
    }

    fn scenario_picture(entry: &MapEntry) -> Result<String, SetupError> {
        sheet::picture(entry)
    }
}
