//! The bots of `swords`.

pub mod evaluation;
mod greedy;

pub use greedy::Greedy;
use sengoku_swords::State;
use sengoku_swords::state::Point;

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who attacks where the odds are good");
    // A round is long, and the results of its battles are clear at its end.
    const HORIZON: u32 = 1;
    // Matches are ten times as long as those of other games, and so are rounds.
    const PLAYOUTS: u32 = 48;

    fn evaluate(&self, shares: &mut [f32]) {
        evaluation::evaluate(self, shares);
    }

    fn is_searched(&self) -> bool {
        // Where units are bought, placed and lost the search would have to look far ahead to know better.
        matches!(
            self.point,
            Point::ChooseArmy
                | Point::Move { .. }
                | Point::Declare
                | Point::DeclareTarget(_)
                | Point::ChooseBattle
                | Point::CallOff
                | Point::Conquest
                | Point::NextTarget
        )
    }

    fn stretch(&self) -> u32 {
        u32::from(self.round)
    }
}
