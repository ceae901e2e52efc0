//! T1: the command card (TURN-03, CMD-10, CMD-11), and Tactical Wisdom, which changes it (DRAGON-13).

use crate::action::{Action, ActionSink};
use crate::cards::Effective;
use crate::data::{CommandCard, DragonCard, Flank};
use crate::event::{Context, Event};
use crate::state::State;

impl State {
    /// Any card of the hand (DP-01).
    pub(crate) fn legal_commands(&self, out: &mut impl ActionSink) {
        add_commands(self.command.hands[self.active].iter().copied(), out);
    }

    /// The card goes face up (BT-TURN-03).
    pub(crate) fn play_command(&mut self, action: Action, context: &mut impl Context) {
        let Action::Command(card) = action else { return };
        let side = self.active;
        self.turn.command = self.command.take(side, card);
        context.log(|| Event::CommandPlayed { side, card });
        self.turn.effective = self.read_command(card);
    }

    /// The card that a card counts as: Counterattack is the enemy's last card with left and right exchanged, or nothing
    /// if there was none or it was First Strike (BT-CMD-10, BT-CMD-11).
    pub fn read_command(&self, card: CommandCard) -> Option<Effective> {
        if card != CommandCard::Counterattack {
            return Some(Effective::of(card));
        }
        let copied = self.last[self.active.other()]?;
        (copied.card != CommandCard::FirstStrike).then(|| copied.mirrored())
    }

    /// Wild Winds: a random card of the rest of the hand takes the place of the command card, which goes back to the hand as
    /// its newest (BT-DRAGON-45, BT-RAND-04).
    pub(crate) fn wild_winds(&mut self, context: &mut impl Context) {
        let side = self.active;
        let Some(from) = self.turn.command else { return };
        let Some(to) = self.random_command_card(side, context) else { return };
        self.command.hands[side].push(from);
        self.turn.command = Some(to);
        self.turn.effective = self.read_command(to);
        context.log(|| Event::CommandReplaced { side, from, to });
    }

    /// The effective card, where Tactical Wisdom can change it: a section card, but not Crane's Wing or Flight of Geese
    /// (BT-DRAGON-13).
    pub(crate) fn redirectable(&self) -> Option<Effective> {
        self.turn.effective.filter(|effective| {
            effective.card.is_section()
                && !matches!(effective.card, CommandCard::CranesWing | CommandCard::FlightOfGeese)
        })
    }

    /// Any entry of the card to any other section (DP-04).
    pub(crate) fn legal_redirects(&self, out: &mut impl ActionSink) {
        let Some(effective) = self.redirectable() else { return };
        for from in Flank::ALL.into_iter().filter(|from| effective.slots.0[from.index()] > 0) {
            for to in Flank::ALL.into_iter().filter(|&to| to != from) {
                out.add(Action::Redirect { from, to });
            }
        }
    }

    pub(crate) fn play_redirect(&mut self, action: Action, context: &mut impl Context) {
        let (Action::Redirect { from, to }, Some(effective)) = (action, &mut self.turn.effective) else {
            return;
        };
        effective.slots = effective.slots.moved(from, to);
        let side = self.active;
        context.log(|| Event::Redirected { side, from, to });
    }
}

/// Adds each kind of command card once, in table order.
pub(crate) fn add_commands(cards: impl Iterator<Item = CommandCard>, out: &mut impl ActionSink) {
    let mut kinds = cards.fold(0_u32, |kinds, card| kinds | 1 << card as u32);
    while kinds != 0 {
        out.add(Action::Command(CommandCard::ALL[kinds.trailing_zeros() as usize]));
        kinds &= kinds - 1;
    }
}

/// Adds each dragon card of a set, in table order.
pub(crate) fn add_dragons(mut kinds: u64, out: &mut impl ActionSink) {
    while kinds != 0 {
        out.add(Action::Dragon(DragonCard::ALL[kinds.trailing_zeros() as usize]));
        kinds &= kinds - 1;
    }
}
