//! Phase "plan actions and bid": secret, space by space (TW-PLAN, TW-D-14, CT-PLAN).

use crate::action::{Action, ActionSink};
use crate::data::{Card, SeatId, Space, TOWER_CARDS, TREASURES};
use crate::event::{Context, Event};
use crate::state::{Point, State};

/// The card that is planned, or none.
pub(crate) const fn planned_card(action: Action) -> Card {
    match action {
        Action::Treasure(value) => Card::Treasure(value),
        Action::TowerCard => Card::Tower,
        Action::Province(province) => Card::Province(province),
        _ => Card::Empty,
    }
}

impl State {
    /// Every unused card, and nothing where more spaces than cards are left (TW-D-14).
    pub(crate) fn legal_planning(&self, entered: u8, out: &mut impl ActionSink) {
        let seat = self.decider;
        let player = &self.players[seat];
        let space = Space::ENTRY[usize::from(entered)];
        let used = player.plan.covered();
        let (cards, spaces) = (self.card_count(seat) - used, self.spaces() - usize::from(entered));
        if spaces > cards {
            out.add(Action::Empty);
        }
        for value in 0..TREASURES {
            let affordable = space != Space::Bid || u16::from(value) <= player.chests; // TW-R-13
            if affordable && !player.plan.has_treasure(value) {
                out.add(Action::Treasure(value));
            }
        }
        if self.options.court && player.plan.tower_cards() < TOWER_CARDS {
            out.add(Action::TowerCard);
        }
        out.add_provinces(self.owned[seat] & !player.plan.provinces());
    }

    pub(crate) fn play_planning(&mut self, entered: u8, action: Action, context: &mut impl Context) {
        let space = Space::ENTRY[usize::from(entered)];
        self.players[self.decider].plan.0[space.index()] = planned_card(action);
        self.point = if usize::from(entered) + 1 < self.spaces() {
            Point::Plan(entered + 1)
        } else if self.decider.0 + 1 < self.options.seats {
            self.decider.0 += 1;
            Point::Plan(0)
        } else {
            self.close_plans(context);
            Point::Event
        };
    }

    /// Everybody sees which spaces carry a card (TW-R-41).
    fn close_plans(&mut self, context: &mut impl Context) {
        self.decider = SeatId(0);
        let (players, spaces) = (&self.players, self.spaces());
        let seats = usize::from(self.options.seats);
        context.log(|| Event::PlansClosed {
            empty: players.0[..seats]
                .iter()
                .map(|player| {
                    let spaces = Space::ALL.into_iter().take(spaces);
                    spaces.filter(|&space| player.plan.card(space) == Card::Empty).collect()
                })
                .collect(),
        });
    }

    /// Turns a planned card up; from then on it is public (TW-R-11).
    pub(crate) fn turn_up(&mut self, seat: SeatId, space: Space, context: &mut impl Context) -> Card {
        let player = &mut self.players[seat];
        let card = player.plan.card(space);
        if card != Card::Empty && !player.revealed.has(space) {
            player.revealed.add(space);
            let board = self.board;
            context.log(|| Event::CardRevealed { seat, space, card: card.word(board) });
        }
        card
    }
}
