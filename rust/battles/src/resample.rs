//! Redraws the information that is hidden from a seat (BT-COMP-06, BT-RAND-02).

use sengoku_kernel::{ChanceFn, List, Seat, shuffle};
use serde::Serialize;

use crate::cards::Deck;
use crate::data::Side;
use crate::state::State;

impl State {
    /// A state that a seat cannot tell from this one: the enemy's hands are some of the cards that it does not see, any as
    /// likely as any other, and both decks are shuffled.
    pub(crate) fn imagined(&self, seat: Seat, chance: &mut ChanceFn<'_>) -> Self {
        // The view holds all that may be used, and its cards lie in an order that tells nothing.
        let mut state = self.redacted(seat);
        let other = if seat == Side::Top.seat() { Side::Bottom } else { Side::Top };
        deal_anew(&mut state.command, other, 0, chance);
        let stolen = state.turn.stolen.filter(|_| other == state.active);
        // The view has a card that was taken from the open pile in the first place of the hand.
        let known = stolen.is_some_and(|card| state.dragon.hands[other].first() == Some(&card));
        deal_anew(&mut state.dragon, other, usize::from(known), chance);
        state
    }
}

/// Shuffles the cards of a hand, except the first `known`, with those of the deck.
fn deal_anew<C, const N: usize>(cards: &mut Deck<C, N>, side: Side, known: usize, chance: &mut ChanceFn<'_>)
where
    C: Copy + Default + PartialEq + Serialize,
{
    let hand = cards.hands[side].len();
    let mut hidden: List<C, N> = List::of(&cards.hands[side][known..]);
    cards.deck.iter().for_each(|&card| hidden.push(card));
    shuffle(&mut hidden, &mut 0, chance);
    let (dealt, rest) = hidden.split_at(hand - known);
    cards.hands[side][known..].copy_from_slice(dealt);
    cards.deck = List::of(rest);
}
