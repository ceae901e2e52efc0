//! Drawing, losing and discarding cards (END-OF-TURN, HONOR-12, RAND-02..04).

use crate::data::{CommandCard, Side};
use crate::event::{Context, Event};
use crate::state::State;

impl State {
    /// Command of a player: the cards in his hand and, in his own turn, the one on the table (BT-ORDERS-06).
    pub fn command_of(&self, side: Side) -> u8 {
        let played = side == self.active && self.turn.command.is_some();
        self.command.hands[side].len() as u8 + u8::from(played)
    }

    /// Draws a command card; nothing is drawn where deck and discards are empty (BT-END-OF-TURN-05). Says whether there
    /// was one.
    pub(crate) fn draw_command(&mut self, side: Side, context: &mut impl Context) -> bool {
        let Some(card) = self.command.draw(&mut self.draws, context) else { return false };
        self.command.hands[side].push(card);
        context.log(|| Event::CommandDrawn { side, card });
        true
    }

    /// Draws a dragon card in the same way.
    pub(crate) fn draw_dragon(&mut self, side: Side, context: &mut impl Context) -> bool {
        let Some(card) = self.dragon.draw(&mut self.draws, context) else { return false };
        self.dragon.hands[side].push(card);
        context.log(|| Event::DragonDrawn { side, card });
        true
    }

    /// A uniformly random card of the hand is discarded face up (BT-HONOR-12, BT-RAND-04).
    pub(crate) fn lose_command_card(&mut self, side: Side, context: &mut impl Context) {
        if let Some(card) = self.random_command_card(side, context) {
            self.command.discards.push(card);
            context.log(|| Event::CommandLost { side, card });
        }
    }

    /// Takes a uniformly random card out of a hand (BT-RAND-04).
    pub(crate) fn random_command_card(
        &mut self,
        side: Side,
        context: &mut impl Context,
    ) -> Option<CommandCard> {
        let hand = &mut self.command.hands[side];
        let count = hand.len() as u32;
        (count > 0).then(|| {
            let place = context.lot(self.draws, count);
            self.draws += 1;
            hand.remove(place as usize)
        })
    }
}
