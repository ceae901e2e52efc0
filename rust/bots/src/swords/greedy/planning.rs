//! Actions 1 and 2: how the koku are divided, and which sword is taken.

use sengoku_swords::Action;
use sengoku_swords::data::BUILD_COST;
use sengoku_swords::state::{Plan, PlanBox};

use super::context::DecisionContext;
use super::nearest;
use crate::best;

/// Provinces that a war turn can bring; a clan that needs no more tries to go first.
const WITHIN_REACH: u8 = 8;

impl DecisionContext<'_> {
    /// Spying on the plan of the leading clan: it shows what the choice of swords will cost.
    pub(super) fn spy(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Clan(clan) => f64::from(self.state.province_count(clan)),
            _ => -1.0,
        })
    }

    /// Koku for swords. Units are worth more in most rounds: in matches between greedy players every koku here costs
    /// victories, unless the end is near.
    fn sword_bid(&self, koku: u8, mix: u32) -> u8 {
        let state = self.state;
        let mut rivals = state.in_play().filter(|&other| state.are_enemies(self.clan, other));
        let bid = if self.missing(self.clan) <= WITHIN_REACH {
            koku / 3
        } else if rivals.any(|rival| self.missing(rival) <= WITHIN_REACH) {
            koku / 4
        } else {
            u8::from(koku >= 5 && mix < 2)
        };
        match state.spied {
            Some(seen) if bid > 0 => bid.max((state.clans[seen].plan.swords + 1).min(koku / 2)),
            _ => bid,
        }
    }

    /// The whole plan. It is derived anew for every box, from things that do not change between them.
    fn whole_plan(&self) -> Plan {
        let koku = self.state.clans[self.clan].koku;
        let mix = self.mix(6);
        let mut left = koku;
        let mut take = |wanted: u8| {
            let taken = wanted.min(left);
            left -= taken;
            taken
        };
        let swords = take(self.sword_bid(koku, mix));
        let build = if koku >= 8 && mix % 3 == 1 { take(BUILD_COST) } else { 0 };
        let ninja =
            u8::from(self.state.round > 1 && koku >= 5 && mix.is_multiple_of(3)) + u8::from(koku >= 10);
        let ninja = take(ninja);
        let ronin = take(koku / 4 + u8::from(mix == 5));
        let levy = take(self.levy_limit());
        // What the levy cannot use hires ronin.
        Plan { swords, build, levy, ronin: ronin + left, ninja }
    }

    /// Koku for one box.
    pub(super) fn plan(&self, place: PlanBox, legal: &[Action]) -> usize {
        let mut plan = self.whole_plan();
        nearest(legal, *plan.get_mut(place))
    }

    /// The first sword to win, otherwise the last one: who goes last finds the others weakened, takes his income before
    /// anybody can strike back, and levies before they do.
    pub(super) fn take_sword(&self, legal: &[Action]) -> usize {
        if self.missing(self.clan) <= WITHIN_REACH { 0 } else { legal.len() - 1 }
    }
}
