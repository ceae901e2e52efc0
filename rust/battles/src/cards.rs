//! Decks with hands and discards, and the command card as it counts.

use sengoku_kernel::{Chance, List, Top, shuffle_cards};
use serde::{Deserialize, Serialize};

use crate::data::{BySide, CommandCard, Side, Slots};

/// All cards of one kind of deck: what is drawn from, hands, and what was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "C: Copy + Default + Deserialize<'de>"))]
pub struct Deck<C: Serialize, const N: usize> {
    /// Face down; the top is the last (BT-RAND-02).
    pub deck: List<C, N>,
    /// Face up, the oldest first.
    pub discards: List<C, N>,
    /// Hands in order of acquisition, the oldest first (BT-RAND-04).
    pub hands: BySide<List<C, N>>,
}

impl<C: Copy + Default + PartialEq + Serialize, const N: usize> Default for Deck<C, N> {
    fn default() -> Self {
        Self { deck: List::default(), discards: List::default(), hands: BySide([List::default(); 2]) }
    }
}

impl<C: Copy + Default + PartialEq + Serialize, const N: usize> Deck<C, N> {
    /// The top card; where the deck is empty the discards are shuffled and become the deck (BT-END-OF-TURN-05).
    pub(crate) fn draw(&mut self, draws: &mut u32, chance: &mut impl Chance) -> Option<C> {
        if self.deck.is_empty() {
            self.deck = std::mem::take(&mut self.discards);
            self.shuffle(draws, chance);
        }
        self.deck.pop()
    }

    /// The top card goes to a hand, when hands are dealt.
    pub(crate) fn deal(&mut self, side: Side) {
        if let Some(card) = self.deck.pop() {
            self.hands[side].push(card);
        }
    }

    /// Whether a card can be drawn.
    pub fn can_draw(&self) -> bool {
        !(self.deck.is_empty() && self.discards.is_empty())
    }

    /// Shuffles the discards into the deck: the deck in its order, then the discards, the oldest first (BT-RAND-02).
    pub(crate) fn reshuffle(&mut self, draws: &mut u32, chance: &mut impl Chance) {
        for &card in std::mem::take(&mut self.discards).iter() {
            self.deck.push(card);
        }
        self.shuffle(draws, chance);
    }

    /// Shuffles the deck (BT-RAND-02); a script names cards as setups do.
    pub(crate) fn shuffle(&mut self, draws: &mut u32, chance: &mut impl Chance) {
        let name = |card: C| {
            serde_json::to_value(card)
                .ok()
                .and_then(|card| card.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        shuffle_cards(&mut self.deck, Top::Last, draws, chance, name);
    }

    /// Takes a card of this kind out of a hand, the oldest of them.
    pub(crate) fn take(&mut self, side: Side, card: C) -> Option<C> {
        let hand = &mut self.hands[side];
        let place = hand.iter().position(|&held| held == card)?;
        Some(hand.remove(place))
    }

    /// Takes a card of this kind out of the discards, the oldest of them.
    pub(crate) fn take_discarded(&mut self, card: C) -> Option<C> {
        let place = self.discards.iter().position(|&held| held == card)?;
        Some(self.discards.remove(place))
    }
}

/// A command card as it counts after Wild Winds, Counterattack and Tactical Wisdom (BT-CMD-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effective {
    /// The card whose effect it has.
    pub card: CommandCard,
    /// Orders by flank, for section cards.
    pub slots: Slots,
}

impl Effective {
    /// A card as it is printed.
    pub fn of(card: CommandCard) -> Self {
        Self { card, slots: card.slots() }
    }

    /// The card with left and right exchanged (BT-CMD-10).
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { card: self.card.mirrored(), slots: self.slots.mirrored() }
    }
}
