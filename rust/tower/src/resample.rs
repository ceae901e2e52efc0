//! Redraws the information that is hidden from a seat (TW-D-12, TW-D-13, TW-D-14).

use arrayvec::ArrayVec;
use sengoku_kernel::cube_tower::Loader;
use sengoku_kernel::{ChanceFn, List, Seat, shuffle};

use crate::action::Action;
use crate::data::{
    COLOURS, COURT_SPACES, Card, FavourDeck, PROVINCES, Provinces, SeatId, Space, TOWER_CARDS, TREASURES,
};
use crate::play::planning::planned_card;
use crate::state::{Point, State};

/// Most cards of a player.
const HAND: usize = PROVINCES + TREASURES as usize + TOWER_CARDS as usize;

impl State {
    /// A state that a seat cannot tell from this one: plans of others, decks and the tower are drawn anew.
    pub(crate) fn imagined(&self, seat: Seat, chance: &mut ChanceFn<'_>) -> Self {
        // The view holds all that may be used, and its orders tell nothing.
        let mut state = self.redacted(seat);
        for other in self.everyone().filter(|other| other.0 != seat.0) {
            match self.point {
                Point::Plan(entered) => {
                    let spaces = match other.cmp(&self.decider) {
                        std::cmp::Ordering::Less => self.spaces(),
                        std::cmp::Ordering::Equal => usize::from(entered),
                        std::cmp::Ordering::Greater => 0,
                    };
                    state.plan_anew(other, spaces, chance);
                }
                _ => state.turn_down_anew(other, chance),
            }
        }
        state.shuffle_unseen(chance);
        // More cubes than the tower holds are in no state, so there is a loader for all.
        if let Ok(loader) = Loader::new(state.parameters, &state.tower.contents::<COLOURS>()) {
            state.tower = loader.load(&mut 0, chance);
        }
        state
    }

    /// Shuffles the decks and the action cards that lie face down: nobody knows their order.
    pub(crate) fn shuffle_unseen(&mut self, chance: &mut ChanceFn<'_>) {
        let revealed = usize::from(self.action_revealed).min(self.action_order.len());
        shuffle(&mut self.action_order[revealed..], &mut 0, chance);
        shuffle(&mut self.draft.deck, &mut 0, chance);
        shuffle(&mut self.event_deck, &mut 0, chance);
        let known = usize::from(self.options.favour_deck == FavourDeck::OpenTop).min(self.court.deck.len());
        shuffle(&mut self.court.deck[known..], &mut 0, chance);
    }

    /// The cards of a player that lie on no space.
    fn hand(&self, seat: SeatId) -> ArrayVec<Card, HAND> {
        let plan = &self.players[seat].plan;
        let treasures = (0..TREASURES).filter(|&value| !plan.has_treasure(value)).map(Card::Treasure);
        let towers = if self.options.court { TOWER_CARDS - plan.tower_cards() } else { 0 };
        let provinces = Provinces(self.owned[seat] & !plan.provinces()).map(Card::Province);
        treasures.chain((0..towers).map(|_| Card::Tower)).chain(provinces).collect()
    }

    /// Fills the first `spaces` spaces of a plan, each with a random legal choice (TW-D-14).
    fn plan_anew(&mut self, seat: SeatId, spaces: usize, chance: &mut ChanceFn<'_>) {
        let decider = std::mem::replace(&mut self.decider, seat);
        for (entered, space) in (0..).zip(Space::ENTRY).take(spaces) {
            let mut legal = ArrayVec::<Action, { HAND + 1 }>::new();
            self.legal_planning(entered, &mut legal);
            let action = chance.choose(&legal);
            self.players[seat].plan.0[space.index()] = action.map_or(Card::Empty, planned_card);
        }
        self.decider = decider;
    }

    /// Lays cards of a player on the spaces whose card is not turned up, any as likely as any other (TW-D-13).
    fn turn_down_anew(&mut self, seat: SeatId, chance: &mut ChanceFn<'_>) {
        let is_down = |space: &Space| self.players[seat].plan.card(*space) == Card::FaceDown;
        let spaces: List<Space, COURT_SPACES> = Space::ENTRY.into_iter().filter(is_down).collect();
        if spaces.is_empty() {
            return;
        }
        let chests = self.players[seat].chests;
        let mut hand = self.hand(seat);
        // The bid comes first in this order: whatever is bid, the rest can lie in equally many ways.
        for &space in spaces.iter() {
            let can_lie = |card: &Card| match *card {
                Card::Treasure(value) => space != Space::Bid || u16::from(value) <= chests, // TW-R-13
                _ => true,
            };
            let places: ArrayVec<usize, HAND> =
                (0..hand.len()).filter(|&place| can_lie(&hand[place])).collect();
            let card = chance.choose(&places).map(|place| hand.swap_remove(place));
            self.players[seat].plan.0[space.index()] = card.unwrap_or_default();
        }
    }
}
