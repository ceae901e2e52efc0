//! Rice and taxes, and the unrest they cause (TW-ACT-07..09).

use crate::data::{Effect, ProvinceId, SeatId, Space, Special, UNREST_MARKERS};
use crate::event::{Context, Event};
use crate::state::State;

/// Chests of a TAX action: printed, then the event, then the special card (TW-ACT-04, TW-ACT-07).
fn tax_amount(printed: u8, event: Option<Effect>, special: Option<Special>) -> u8 {
    let amount = match event {
        Some(Effect::TaxMax5) => printed.min(5),
        Some(Effect::TaxMin6) => printed.max(6),
        _ => printed,
    };
    amount + u8::from(special == Some(Special::ChestPlus1))
}

/// Rice of a RICE action: printed, then the event, then the special card (TW-ACT-04, TW-ACT-08).
fn rice_amount(printed: u8, event: Option<Effect>, special: Option<Special>) -> u8 {
    let amount = match event {
        Some(Effect::RiceMin4) => printed.max(4),
        Some(Effect::RiceMax3) => printed.min(3),
        _ => printed,
    };
    amount + u8::from(special == Some(Special::RicePlus1))
}

impl State {
    pub(crate) fn collect_tax(&mut self, seat: SeatId, province: ProvinceId, context: &mut impl Context) {
        let amount = tax_amount(self.map().tax(province), self.effect(), self.players[seat].special);
        self.players[seat].chests += u16::from(amount);
        self.collected(seat, Space::Tax, province, amount, context);
    }

    pub(crate) fn collect_rice(&mut self, seat: SeatId, province: ProvinceId, context: &mut impl Context) {
        let amount = rice_amount(self.map().rice(province), self.effect(), self.players[seat].special);
        self.players[seat].rice += u16::from(amount);
        self.collected(seat, Space::Rice, province, amount, context);
    }

    /// The income is there and stays (TW-R-16); unrest, or a revolt where there was some (TW-ACT-09).
    fn collected(
        &mut self,
        seat: SeatId,
        action: Space,
        province: ProvinceId,
        amount: u8,
        context: &mut impl Context,
    ) {
        let key = self.board.key(province);
        context.log(|| Event::Collected { seat, action, province: key, amount: amount.into() });
        let markers = self.provinces[province].unrest;
        let quiet = markers == 0 || self.revolt(province, markers, context);
        if quiet && self.unrest_markers() < UNREST_MARKERS {
            self.provinces[province].unrest += 1;
            let markers = self.provinces[province].unrest;
            context.log(|| Event::Unrest { province: key, markers });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        // TW-EX-01, TW-EX-24, TW-ACT-04, TW-ACT-07, TW-ACT-08, TW-SPECIAL-03
        let (tax, rice) = (tax_amount, rice_amount);
        assert_eq!(tax(7, Some(Effect::TaxMax5), Some(Special::ChestPlus1)), 6);
        assert_eq!(tax(7, None, None), 7);
        assert_eq!(tax(3, Some(Effect::TaxMin6), None), 6);
        assert_eq!(tax(7, Some(Effect::TaxMin6), Some(Special::RicePlus1)), 7);
        assert_eq!(rice(2, Some(Effect::RiceMin4), Some(Special::RicePlus1)), 5);
        assert_eq!(rice(5, Some(Effect::RiceMax3), None), 3);
        assert_eq!(rice(5, Some(Effect::RiceMin4), None), 5);
        assert_eq!(rice(2, Some(Effect::TaxMax5), Some(Special::ChestPlus1)), 2);
    }
}
