//! Honor and banners: the only places where either changes hands (HONOR, VICTORY).

use crate::data::{HONOR_TOKENS, Side};
use crate::event::{Context, Event, Why};
use crate::state::{Decided, End, State};

impl State {
    /// Tokens in the common pool (BT-COMP-03).
    pub fn pool(&self) -> u8 {
        HONOR_TOKENS - self.honor[Side::Top] - self.honor[Side::Bottom] - self.tokens
    }

    /// Takes honor from the pool, as far as it goes (BT-HONOR-01).
    pub(crate) fn gain_honor(&mut self, side: Side, amount: u8, why: Why, context: &mut impl Context) {
        let gained = amount.min(self.pool());
        self.honor[side] += gained;
        let now = self.honor[side];
        if gained > 0 {
            context.log(|| Event::Honor { side, change: gained.cast_signed(), now, why });
        }
    }

    /// Pays honor to the pool, as far as the side has any (BT-HONOR-05); returns the amount that could not be paid.
    pub(crate) fn lose_honor(&mut self, side: Side, amount: u8, why: Why, context: &mut impl Context) -> u8 {
        let lost = amount.min(self.honor[side]);
        self.honor[side] -= lost;
        let now = self.honor[side];
        if lost > 0 {
            context.log(|| Event::Honor { side, change: -lost.cast_signed(), now, why });
        }
        amount - lost
    }

    /// Pays for a dragon card; the tokens lie on it until T5 (BT-HONOR-04, BT-DRAGON-USE-02).
    pub(crate) fn pay_for_card(&mut self, side: Side, cost: u8, context: &mut impl Context) {
        let unpaid = self.lose_honor(side, cost, Why::Cost, context);
        debug_assert_eq!(unpaid, 0);
        self.tokens += cost;
    }

    /// Banners of a side, temporary ones included (BT-VICTORY-02).
    pub fn banner_count(&self, side: Side) -> u8 {
        self.banners[side] + self.temporary_banners(side)
    }

    /// Awards permanent banners; the first to have enough wins at that instant (BT-VICTORY-01, BT-VICTORY-04).
    pub(crate) fn award_banners(&mut self, side: Side, banners: u8, why: Why, context: &mut impl Context) {
        if banners == 0 || self.decided.is_some() {
            return;
        }
        self.banners[side] = self.banners[side].saturating_add(banners);
        let now = self.banner_count(side);
        context.log(|| Event::Banners { side, change: banners.cast_signed(), now, why });
        self.check_victory(side);
    }

    /// Whether a side has its banners (BT-VICTORY-01).
    pub(crate) fn check_victory(&mut self, side: Side) {
        if self.decided.is_none() && self.banner_count(side) >= self.scenario.banners_to_win[side] {
            self.decided = Some(Decided { winner: Some(side), end: End::Banners });
        }
    }
}
