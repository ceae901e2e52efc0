//! Invariants of a season: event cards, action cards, slots and turn order, plans.

use sengoku_kernel::{List, SetupError};

use super::{Stage, distinct, ensure};
use crate::data::{ACTIONS, Card, EVENTS, Round, SLOTS, SeatId, Space, TOWER_CARDS};
use crate::state::{Plan, Point, State};

impl State {
    /// Seasons of the year whose event has been drawn, and whether one is in force.
    fn events_drawn(&self) -> (usize, bool) {
        let round = usize::from((self.round as u8).min(3));
        match self.stage() {
            Stage::Drafting => (0, false),
            Stage::Between if self.round == Round::Winter => (0, false),
            Stage::Between | Stage::Over | Stage::Winter => (round, false),
            Stage::Planning | Stage::Closed => (round - 1, false),
            _ => (round, true),
        }
    }

    /// The event cards (TW-ST-15).
    pub(super) fn check_events(&self) -> Result<(), SetupError> {
        let (drawn, in_force) = self.events_drawn();
        ensure(self.event.is_some() == in_force, "event", || "does not go with the point".into())?;
        let removed = !self.event_removed || (in_force && self.options.court);
        ensure(removed, "event_removed", || "no favour can have done that".into())?;
        let drafting = self.stage() == Stage::Drafting;
        let open = if drafting { 0 } else { 4 - drawn };
        let found = self.open_events.len();
        ensure(found == open, "open_events", || format!("{found} cards, expected {open}"))?;
        let deck = if drafting { 0 } else { 12 - 4 * usize::from(self.year) };
        let found = self.event_deck.len();
        ensure(found == deck, "event_deck", || format!("{found} cards, expected {deck}"))?;
        let sorted = self.open_events.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(sorted, "open_events", || "not in ascending order".into())?;
        let cards = self.event_deck.iter().chain(self.open_events.iter()).copied().chain(self.event);
        let cards: List<u8, 17> = cards.collect();
        let known = cards.iter().all(|card| (1..=EVENTS as u8).contains(card)) && distinct(&cards);
        ensure(known, "event_deck", || "a card that does not exist or is used twice".into())
    }

    /// Action and special cards (TW-ST-13, TW-ST-14).
    pub(super) fn check_layout(&self) -> Result<(), SetupError> {
        let laid = (Stage::Planning..=Stage::Actions).contains(&self.stage());
        let (actions, specials) = if laid { (ACTIONS, SLOTS) } else { (0, 0) };
        let sound = self.action_order.len() == actions
            && distinct(&self.action_order)
            && self.action_order.iter().all(|action| action.index() < ACTIONS);
        ensure(sound, "action_order", || format!("not {actions} different actions"))?;
        let sound = self.special_on_slot.len() == specials && distinct(&self.special_on_slot);
        ensure(sound, "special_on_slot", || format!("not {specials} different cards"))?;
        let acting = self.stage() == Stage::Actions;
        let place = self.place;
        let least = u8::from(acting && self.point != Point::Turn);
        let most = if acting { ACTIONS as u8 } else { 0 };
        ensure((least..=most).contains(&place), "place", || format!("{place}, {least} to {most}"))?;
        let wanted = if laid { (4 + place.max(1)).min(10) } else { 0 };
        let found = self.action_revealed;
        ensure(found == wanted, "action_revealed", || format!("{found}, expected {wanted}"))
    }

    /// Slots, special cards, bid order and turn order (TW-ST-13, TW-ST-17).
    pub(super) fn check_order(&self) -> Result<(), SetupError> {
        let stage = self.stage();
        let choosing = stage == Stage::Slots;
        let in_season = (Stage::Converting..=Stage::Actions).contains(&stage);
        let late = matches!(self.round, Round::Autumn | Round::Winter);
        let ordered = in_season || stage == Stage::Winter || (stage == Stage::Over && late);
        for seat in self.everyone() {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            let waits = self.bid_order.contains(&seat);
            let has_slot = ordered || (choosing && !waits);
            let sound = if has_slot { (1..=SLOTS as u8).contains(&player.slot) } else { player.slot == 0 };
            ensure(sound, &at("slot"), || format!("{} at this point", player.slot))?;
            let twin = self
                .everyone()
                .any(|other| other != seat && player.slot > 0 && self.players[other].slot == player.slot);
            ensure(!twin, &at("slot"), || format!("slot {} is taken twice", player.slot))?;
            let special = (has_slot && (choosing || in_season))
                .then(|| self.special_on_slot[usize::from(player.slot) - 1]);
            ensure(player.special == special, &at("special"), || "not the card of the slot".into())?;
        }
        let in_seats =
            |list: &[SeatId]| distinct(list) && list.iter().all(|seat| seat.0 < self.options.seats);
        let bids = in_seats(&self.bid_order) && self.bid_order.is_empty() != choosing;
        ensure(bids, "bid_order", || "not seats that are to choose a slot".into())?;
        let wanted = if ordered { usize::from(self.options.seats) } else { 0 };
        let sound = in_seats(&self.turn_order)
            && self.turn_order.len() == wanted
            && self.turn_order.windows(2).all(|pair| self.players[pair[0]].slot < self.players[pair[1]].slot);
        ensure(sound, "turn_order", || "not the seats in the order of their slots (TW-BID-05)".into())?;
        let most = match self.point {
            Point::Turn if self.place == 0 => 0,
            Point::Turn | Point::Revolts | Point::CleanUp | Point::Score | Point::Over(_) => {
                self.options.seats
            }
            Point::Kept | Point::Act | Point::DeployMove | Point::Battle | Point::Revolt | Point::Quell => {
                self.options.seats - 1
            }
            _ => 0,
        };
        ensure(self.turn <= most, "turn", || format!("{}, at most {most}", self.turn))
    }

    /// Checks the cards on the plan spaces (TW-ST-12, TW-D-05, TW-D-14).
    pub(super) fn check_plans(&self) -> Result<(), SetupError> {
        let stage = self.stage();
        let planned = (Stage::Planning..=Stage::Actions).contains(&stage);
        for seat in self.everyone() {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            if !planned {
                let nothing = player.plan == Plan::default() && player.revealed.0 == 0;
                ensure(nothing, &at("plan"), || "cards on it outside a season".into())?;
                continue;
            }
            self.check_plan(seat)?;
            let hidden = stage > Stage::Closed || player.revealed.0 == 0;
            ensure(hidden, &at("revealed"), || "cards turned up before all plans are closed".into())?;
            let there = player.revealed.iter().all(|space| player.plan.card(space) != Card::Empty);
            ensure(there, &at("revealed"), || "a space without a card".into())?;
            let entered = match self.point {
                Point::Plan(entered) if seat == self.decider => usize::from(entered),
                Point::Plan(_) if seat > self.decider => 0,
                Point::Plan(_) | Point::Event => self.spaces(),
                _ => continue,
            };
            let later = &Space::ENTRY[entered.min(Space::ENTRY.len())..];
            let nothing = later.iter().all(|&space| player.plan.card(space) == Card::Empty);
            ensure(nothing, &at("plan"), || "cards on spaces that come later".into())?;
            let empty =
                Space::ENTRY[..entered].iter().filter(|&&space| player.plan.card(space) == Card::Empty);
            let (empty, most) = (empty.count(), self.spaces().saturating_sub(self.card_count(seat)));
            let closed = entered == self.spaces();
            ensure(empty <= most && (!closed || empty == most), &at("plan"), || {
                format!("{empty} spaces are empty, {most} can be (TW-PLAN-03)")
            })?;
            if let Card::Treasure(value) = player.plan.card(Space::Bid) {
                let affordable = u16::from(value) <= player.chests;
                ensure(affordable, &at("plan.bid"), || {
                    format!("{value} with {} chests (TW-R-13)", player.chests)
                })?;
            }
        }
        Ok(())
    }

    /// Cards belong to the planner and lie once.
    fn check_plan(&self, seat: SeatId) -> Result<(), SetupError> {
        let plan = &self.players[seat].plan;
        for (place, space) in Space::ALL.into_iter().enumerate() {
            let field = || format!("players[{}].plan.{}", seat.0, space.name());
            let card = plan.card(space);
            let owned = match card {
                Card::Province(province) => self.owned[seat] & province.bit() != 0,
                Card::Tower => self.options.court && plan.tower_cards() <= TOWER_CARDS,
                Card::FaceDown => false,
                Card::Empty | Card::Treasure(_) => true,
            };
            ensure(owned, &field(), || format!("{} is not a card of this seat", card.word(self.board)))?;
            let again = !matches!(card, Card::Empty | Card::Tower) && plan.0[..place].contains(&card);
            ensure(!again, &field(), || format!("{} lies there twice", card.word(self.board)))?;
            let there = space.index() < self.spaces() || card == Card::Empty;
            ensure(there, &field(), || "this space exists only with the expansion".into())?;
        }
        Ok(())
    }
}
