//! The bots of `swords`.

mod greedy;
pub mod judge;

pub use greedy::Greedy;
use sengoku_swords::State;
use sengoku_swords::state::{Phase, Point};

use crate::HasBots;

impl HasBots for State {
    type Greedy = Greedy;
    const GREEDY: (&'static str, &'static str) =
        ("greedy", "a heuristic player who attacks where the odds are good");

    fn judge(&self, shares: &mut [f32]) {
        judge::judge(self, shares);
    }

    fn is_searched(&self) -> bool {
        // Where units are placed and lost the search would have to look far ahead to know better.
        self.window.is_some()
            || matches!(
                self.point,
                Point::Plan(_)
                    | Point::ChooseArmy
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
        // The battles of a war turn are one, what follows them another, and so is what comes before all war turns.
        let phase = u32::from(self.phase == Phase::D);
        u32::from(self.round) * 64 + u32::from(self.turn) * 2 + phase
    }
}
