//! Winter: rice loss, supplying, revolts (TW-WINTER).

use crate::action::Action;
use crate::data::{PROVINCES, ProvinceId, Provinces, SeatId};
use crate::event::{Context, Event};
use crate::play::draw_lots;
use crate::state::{Point, State};
use sengoku_kernel::List;

impl State {
    /// Rice loss for all, then supplying for all (TW-WINTER-01..03).
    pub(crate) fn begin_winter(&mut self, context: &mut impl Context) {
        if let Some(&card) = self.open_events.first() {
            let loss = self.rice_loss(card);
            for seat in self.everyone() {
                let player = &mut self.players[seat];
                player.rice = player.rice.saturating_sub(loss.into());
            }
            let rice = self.everyone().map(|seat| self.players[seat].rice);
            context.log(|| Event::RiceLost { card, loss, rice: rice.collect() });
        }
        for seat in self.everyone() {
            let provinces = self.province_count(seat);
            let player = &mut self.players[seat];
            let wanted = u16::from(provinces);
            // Fixed before any revolt (TW-WINTER-07).
            player.shortage = wanted.saturating_sub(player.rice) as u8;
            player.rice = player.rice.saturating_sub(wanted);
            let (rice, shortage) = (player.rice, player.shortage);
            context.log(|| Event::Supplied { seat, provinces, rice, shortage });
        }
        self.turn = 0;
        self.point = Point::Revolts;
    }

    /// Cards of the next player in turn order are drawn, all before the first revolt (TW-WINTER-05, TW-R-34).
    pub(crate) fn advance_revolts(&mut self, context: &mut impl Context) {
        let Some(seat) = self.on_turn() else {
            self.point = Point::Score;
            return;
        };
        let shortage = self.players[seat].shortage;
        let (revolts, extra_farmers) = self.board.revolts(shortage);
        let mut cards: List<ProvinceId, PROVINCES> = Provinces(self.owned[seat]).collect();
        if revolts == 0 || cards.is_empty() {
            self.turn += 1;
            return;
        }
        draw_lots(&mut cards, &mut self.draws, context); // TW-RNG-09
        cards.truncate(usize::from(revolts)); // never more than there are (TW-R-33)
        let board = self.board;
        let by = SeatId((seat.0 + 1) % self.options.seats);
        context.log(|| Event::RevoltsDrawn {
            seat,
            by,
            provinces: cards.iter().map(|&province| board.key(province)).collect(),
            extra_farmers,
        });
        cards.sort_unstable();
        self.pending = List::of(&cards);
        self.extra_farmers = extra_farmers;
        self.ask(seat, Point::Revolt);
    }

    /// The player chooses which revolt comes next, seeing the results of earlier ones (TW-WINTER-06).
    pub(crate) fn play_revolt(&mut self, action: Action) {
        let Action::Province(province) = action else { return };
        let Some(place) = self.pending.iter().position(|&pending| pending == province) else { return };
        self.pending.remove(place);
        self.revolt = Some(province);
        let seat = self.decider;
        let kept = self.kept_calm(seat).is_some() && self.unquiet(seat) != 0;
        self.point = if kept { Point::Kept } else { Point::Quell };
    }

    /// The chosen revolt, with no marker added (TW-R-35).
    pub(crate) fn quell(&mut self, context: &mut impl Context) {
        if let Some(province) = self.revolt.take() {
            let farmers = self.provinces[province].unrest + self.extra_farmers;
            self.revolt(province, farmers, context);
        }
        if self.pending.is_empty() {
            self.extra_farmers = 0;
            self.turn += 1;
            self.point = Point::Revolts;
        } else {
            self.point = Point::Revolt;
        }
    }
}
