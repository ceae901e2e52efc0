//! Windows: when a dragon card, or First Strike, may be played and what playing it costs (DRAGON-USE).

use crate::action::{Action, ActionSink};
use crate::data::{CommandCard, DragonCard, Side, Window};
use crate::event::{Context, Event};
use crate::play::command::add_dragons;
use crate::state::State;

impl State {
    /// Whether somebody is asked in a window. Public facts alone decide: he has a dragon card and his dragon play, and some
    /// card of the window is not seen elsewhere, could be paid for and has what it needs; or he might hold First Strike
    /// (BT-DRAGON-USE-10).
    pub(crate) fn is_open(&self, window: Window, side: Side) -> bool {
        (window == Window::First && self.might_strike_first(side)) || self.could_play(window, side)
    }

    fn could_play(&self, window: Window, side: Side) -> bool {
        let mut kinds = self.allowed(window, side);
        while kinds != 0 {
            let card = DragonCard::ALL[kinds.trailing_zeros() as usize];
            if self.is_playable(card, side) && self.is_out_of_sight(card) {
                return true;
            }
            kinds &= kinds - 1;
        }
        false
    }

    /// The cards of a window that a side may play at all: any with its dragon play, afterwards only the one that Ninja Thief
    /// took (BT-DRAGON-USE-01, BT-DRAGON-33).
    fn allowed(&self, window: Window, side: Side) -> u64 {
        if self.dragon.hands[side].is_empty() {
            0
        } else if !self.turn.dragon_used[side] {
            window.cards()
        } else if side == self.active {
            window.cards() & self.turn.stolen.map_or(0, DragonCard::bit)
        } else {
            0
        }
    }

    /// Whether a copy of a card lies in no open pile, so that somebody might hold it.
    fn is_out_of_sight(&self, card: DragonCard) -> bool {
        let seen = self.dragon.discards.iter().chain(self.turn.played.iter()).filter(|&&seen| seen == card);
        seen.count() < usize::from(card.copies())
    }

    /// The same for First Strike.
    fn might_strike_first(&self, side: Side) -> bool {
        let seen = self.command.discards.iter().filter(|&&card| card == CommandCard::FirstStrike).count()
            + usize::from(self.turn.command == Some(CommandCard::FirstStrike))
            + usize::from(self.turn.first_strikes);
        !self.command.hands[side].is_empty()
            && seen < usize::from(CommandCard::FirstStrike.copies())
            && self.can_strike_first()
    }

    /// Whether a side can pay for a card and the card has what it needs (BT-DRAGON-USE-02, BT-DRAGON-USE-03).
    pub(crate) fn is_playable(&self, card: DragonCard, side: Side) -> bool {
        card.cost() <= self.honor[side] && self.has_target(card, side)
    }

    /// Pass, and what of the window is in the hand.
    pub(crate) fn legal_in_window(&self, window: Window, side: Side, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        if window == Window::First
            && self.command.hands[side].contains(&CommandCard::FirstStrike)
            && self.can_strike_first()
        {
            out.add(Action::Command(CommandCard::FirstStrike));
        }
        let allowed = self.allowed(window, side);
        let mut held = 0;
        for &card in self.dragon.hands[side].iter() {
            if allowed & card.bit() != 0 && held & card.bit() == 0 && self.is_playable(card, side) {
                held |= card.bit();
            }
        }
        add_dragons(held, out);
    }

    pub(crate) fn play_in_window(
        &mut self,
        window: Window,
        side: Side,
        action: Action,
        context: &mut impl Context,
    ) {
        match action {
            Action::Dragon(card) => {
                self.play_dragon(card, side, context);
                if window == Window::CommandActive {
                    self.turn.declared = Some(card); // resolved after W-CMD-D (BT-DRAGON-USE-06)
                } else {
                    self.dragon_effect(card, side, context);
                }
            }
            Action::Command(card) => {
                self.command.take(side, card);
                self.turn.first_strikes += 1;
                context.log(|| Event::CommandPlayed { side, card });
                self.strike_first(false);
            }
            _ => {}
        }
    }

    /// A dragon card leaves the hand and is paid for; it lies open until T5 (BT-DRAGON-USE-02, BT-DRAGON-USE-09).
    pub(crate) fn play_dragon(&mut self, card: DragonCard, side: Side, context: &mut impl Context) {
        self.dragon.take(side, card);
        self.turn.played.push(card);
        if self.turn.dragon_used[side] {
            self.turn.stolen = None;
        }
        self.turn.dragon_used[side] = true;
        let cost = card.cost();
        context.log(|| Event::DragonPlayed { side, card, cost });
        self.pay_for_card(side, cost, context);
    }
}
