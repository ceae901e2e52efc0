//! The event of the season, the bids, and turn order (TW-ROUND-05, TW-BID).

use crate::action::{Action, ActionSink};
use crate::data::{Card, MAX_PLAYERS, SLOTS, SeatId, Space};
use crate::event::{Context, Event};
use crate::play::draw_lots;
use crate::state::{Point, State};
use sengoku_kernel::List;

/// Rank of a bid, 0 is best (TW-BID-02, CT-PLAN-06).
const fn rank(card: Card) -> u8 {
    match card {
        Card::Treasure(value) if value > 0 => 4 - value,
        Card::Province(_) => 4,
        Card::Treasure(_) | Card::Tower => 5,
        Card::Empty | Card::FaceDown => 6,
    }
}
/// Number of ranks.
const RANKS: u8 = 7;

impl State {
    /// The event, then all bids at once, then lots among equals (TW-ROUND-05, TW-BID-01..03).
    pub(crate) fn turn_up_bids(&mut self, context: &mut impl Context) {
        self.draw_event(context);
        for seat in self.everyone() {
            let card = self.players[seat].plan.card(Space::Bid);
            let paid = if let Card::Treasure(value) = card { value } else { 0 };
            let player = &mut self.players[seat];
            player.chests = player.chests.saturating_sub(paid.into());
            if card != Card::Empty {
                player.revealed.add(Space::Bid);
            }
            let board = self.board;
            context.log(|| Event::Bid { seat, card: card.word(board), paid });
        }
        self.bid_order.clear();
        for rank_now in 0..RANKS {
            let equal = |&seat: &SeatId| rank(self.players[seat].plan.card(Space::Bid)) == rank_now;
            let mut tied: List<SeatId, MAX_PLAYERS> = self.everyone().filter(equal).collect();
            if tied.len() > 1 {
                draw_lots(&mut tied, &mut self.draws, context); // TW-RNG-07, TW-R-14
                context.log(|| Event::Lots { order: tied.to_vec() });
            }
            for &seat in tied.iter() {
                self.bid_order.push(seat);
            }
        }
        self.ask(self.bid_order[0], Point::Slot);
    }

    /// One of the year's open cards acts in this season (TW-ROUND-05, TW-RNG-06).
    fn draw_event(&mut self, context: &mut impl Context) {
        let mut cards = self.open_events;
        draw_lots(&mut cards, &mut self.draws, context);
        let Some(card) = cards.take_first() else { return };
        cards.sort_unstable();
        (self.open_events, self.event, self.event_removed) = (cards, Some(card), false);
        let effect = self.board.event(card).effect;
        context.log(|| Event::EventDrawn { card, effect });
    }

    pub(crate) fn legal_slots(&self, out: &mut impl ActionSink) {
        for slot in 1..=SLOTS as u8 {
            if self.everyone().all(|seat| self.players[seat].slot != slot) {
                out.add(Action::Slot(slot));
            }
        }
    }

    /// A slot with its special card (TW-BID-04); when all have one, they are the turn order (TW-BID-05).
    pub(crate) fn play_slot(&mut self, action: Action, context: &mut impl Context) {
        let Action::Slot(slot) = action else { return };
        let seat = self.decider;
        let special = self.special_on_slot[usize::from(slot) - 1];
        (self.players[seat].slot, self.players[seat].special) = (slot, Some(special));
        context.log(|| Event::SlotTaken { seat, slot, special });
        self.bid_order.remove(0);
        if let Some(&next) = self.bid_order.first() {
            self.ask(next, Point::Slot);
            return;
        }
        self.turn_order = self.everyone().collect();
        let players = self.players;
        self.turn_order.sort_unstable_by_key(|&seat| players[seat].slot);
        let order = self.turn_order;
        context.log(|| Event::TurnOrder { order: order.to_vec() });
        (self.place, self.turn) = (0, 0);
        self.decider = self.turn_order[0];
        self.point = if self.options.court { Point::Court } else { Point::Turn };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ProvinceId;

    #[test]
    fn bids_by_rank() {
        // TW-BID-02, CT-PLAN-06
        let best_first = [
            Card::Treasure(4),
            Card::Treasure(3),
            Card::Treasure(2),
            Card::Treasure(1),
            Card::Province(ProvinceId(7)),
            Card::Treasure(0),
            Card::Empty,
        ];
        assert_eq!(best_first.map(rank), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(rank(Card::Tower), rank(Card::Treasure(0)));
        assert_eq!(rank(Card::Province(ProvinceId(0))), rank(Card::Province(ProvinceId(44)))); // TW-R-14
    }
}
