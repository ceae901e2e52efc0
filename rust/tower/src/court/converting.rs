//! Officers of the tower fill, and part 1 of the court actions: conversions (CT-SETUP-03, CT-COURT-01..04).

use crate::data::{ByColour, Card, SeatId, Space};
use crate::event::{Context, Event};
use crate::state::{Point, State};
use sengoku_kernel::List;

/// The conversions in the order in which a player completes them, with their numbers of armies (CT-COURT-01).
const CONVERSIONS: [(Space, u8); 3] = [(Space::Convert3, 3), (Space::Convert2, 2), (Space::Convert1, 1)];

impl State {
    /// An officer to the entrance for each own army that came out of the filled tower (CT-SETUP-03).
    pub(crate) fn grant_officers(&mut self, out: &ByColour, context: &mut impl Context) {
        for seat in self.everyone() {
            let officers = &mut self.players[seat].officers;
            let granted = out.of(seat).min(officers.supply);
            officers.supply -= granted;
            officers.entrance += granted;
            context.log(|| Event::OfficersGranted { seat, officers: granted });
        }
    }

    /// All conversions in turn order, then the order of part 2 (CT-COURT-01, CT-COURT-05, CT-R-03).
    pub(crate) fn begin_court(&mut self, context: &mut impl Context) {
        let turn_order = self.turn_order;
        for &seat in turn_order.iter() {
            for (space, armies) in CONVERSIONS {
                self.convert(seat, space, armies, context);
            }
        }
        let waiting = |&&seat: &&SeatId| self.players[seat].officers.entrance > 0;
        let mut order: List<SeatId, _> = turn_order.iter().filter(waiting).copied().collect();
        order.sort_by_key(|&seat| std::cmp::Reverse(self.players[seat].officers.entrance));
        (self.court.order, self.court.turn) = (order, 0);
        context.log(|| Event::CourtOrder { order: order.to_vec() });
        self.point = Point::Hall;
    }

    /// One conversion, in full or not at all (CT-COURT-02, CT-COURT-03, CT-COURT-04, CT-R-02).
    fn convert(&mut self, seat: SeatId, space: Space, armies: u8, context: &mut impl Context) {
        let from = match self.turn_up(seat, space, context) {
            Card::Province(province) => Some(province),
            Card::Tower => None,
            Card::Treasure(_) | Card::Empty | Card::FaceDown => return, // CT-PLAN-05
        };
        let there = match from {
            Some(province) => self.provinces[province].armies.saturating_sub(1), // one must stay
            None => self.tray.of(seat),
        };
        if there < armies || self.players[seat].officers.supply < armies {
            context.log(|| Event::NotConverted { seat, space });
            return;
        }
        match from {
            Some(province) => self.provinces[province].armies -= armies,
            None => *self.tray.of_mut(seat) -= armies,
        }
        *self.supply.of_mut(seat) += armies;
        let officers = &mut self.players[seat].officers;
        officers.supply -= armies;
        officers.entrance += armies;
        let board = self.board;
        context.log(|| Event::Converted { seat, armies, province: from.map(|province| board.key(province)) });
    }
}
