//! T5, the end of a turn (END-OF-TURN).

use crate::action::{Action, ActionSink};
use crate::combat::Combat;
use crate::data::{CommandCard, DragonCard, Side, Window};
use crate::event::{Context, Event, Why};
use crate::play::Step;
use crate::play::command::{add_commands, add_dragons};
use crate::scenario::{Special, Victory};
use crate::state::{Mover, State, Turn};

/// Honor instead of a dragon card (BT-END-OF-TURN-01 h).
const REPLENISH_HONOR: u8 = 2;

impl State {
    /// (a) Banners of the scenario; then the rest of T5 (BT-END-OF-TURN-01).
    pub(crate) fn end_turn(&mut self, context: &mut impl Context) {
        let side = self.active;
        self.order_one_banners(side, context);
        for step in self.end_parts() {
            self.push(step);
        }
    }

    /// The parts of T5 after (a), the first last.
    pub(crate) const fn end_parts(&self) -> [Step; 7] {
        [
            Step::PassTurn,
            Step::DiscardForHonor,
            Step::Replenish,
            Step::DrawMore,
            Step::Draw,
            Step::CleanUp,
            Step::Window { window: Window::End, side: self.active },
        ]
    }

    /// An Order One card gives a banner unless it would be the last one needed (BT-SCEN-14, BT-R-60).
    fn order_one_banners(&mut self, side: Side, context: &mut impl Context) {
        if !self.played_order_one() {
            return;
        }
        for victory in &self.scenario.victory {
            if let Victory::OrderOne { side: gains, banners } = *victory
                && gains == side
                && self.banner_count(side) + banners < self.scenario.banners_to_win[side]
            {
                self.award_banners(side, banners, Why::OrderOne, context);
            }
        }
    }

    fn played_order_one(&self) -> bool {
        self.turn.effective.is_some_and(|effective| effective.card.is_order_one())
    }

    /// Command draws of the active side this turn (BT-END-OF-TURN-02, BT-SCEN-11, BT-SCEN-15).
    pub(crate) fn command_draws(&self) -> u8 {
        let mut draws = 1;
        for special in &self.scenario.special {
            match *special {
                Special::GrowingHand { side, draws: more, turns }
                    if side == self.active && self.trackers.turns[side] <= turns =>
                {
                    draws = more;
                }
                Special::ConditionalDraw { side, bank, at_least }
                    if side == self.active
                        && self.units_on(side, self.scenario.banks[bank]).len() < usize::from(at_least) =>
                {
                    draws = 0;
                }
                _ => {}
            }
        }
        draws
    }

    /// Any card of the command discards (BT-DRAGON-18).
    pub(crate) fn legal_advice(&self, out: &mut impl ActionSink) {
        add_commands(self.command.discards.iter().copied(), out);
    }

    pub(crate) fn play_advice(&mut self, action: Action, context: &mut impl Context) {
        let Action::Command(card) = action else { return };
        let side = self.active;
        self.command.take_discarded(card);
        self.command.hands[side].push(card);
        self.turn.advised = true;
        context.log(|| Event::CommandTaken { side, card });
    }

    /// (c) The cards of the turn are put away, (d) Shogun shuffles, (e) First Strikes are replaced (BT-R-52, BT-R-66).
    pub(crate) fn clean_up(&mut self, context: &mut impl Context) {
        let other = self.active.other();
        for &card in std::mem::take(&mut self.turn.played).iter() {
            self.dragon.discards.push(card);
        }
        self.tokens = 0;
        if let Some(card) = self.turn.command.take() {
            self.command.discards.push(card);
        }
        for _ in 0..self.turn.first_strikes {
            self.command.discards.push(CommandCard::FirstStrike);
        }
        if self.turn.effective.is_some_and(|effective| effective.card == CommandCard::Shogun) {
            self.command.reshuffle(&mut self.draws, context);
            self.dragon.reshuffle(&mut self.draws, context);
            context.log(|| Event::Reshuffled);
        }
        for _ in 0..std::mem::take(&mut self.turn.first_strikes) {
            self.draw_command(other, context);
        }
    }

    /// (f) With an Order One card two cards are drawn and one is kept; Wise Advisor replaces a plain draw where there is
    /// one and this whole draw otherwise (BT-END-OF-TURN-02, BT-DRAGON-18, BT-SCEN-11).
    pub(crate) fn draw(&mut self, context: &mut impl Context) {
        let side = self.active;
        let draws = self.command_draws();
        let choice = self.played_order_one() && draws > 0;
        let plain = draws - u8::from(choice);
        let advised = self.turn.advised;
        self.turn.plain_draws = plain - u8::from(advised && plain > 0);
        if choice && !(advised && plain == 0) {
            self.draw_command(side, context);
            if self.draw_command(side, context) {
                self.push(Step::KeepOne);
            }
        }
    }

    /// The two cards drawn last (DP-31).
    pub(crate) fn legal_keeps(&self, out: &mut impl ActionSink) {
        let hand = &self.command.hands[self.active];
        add_commands(hand[hand.len() - 2..].iter().copied(), out);
    }

    pub(crate) fn play_keep(&mut self, action: Action, context: &mut impl Context) {
        let Action::Command(kept) = action else { return };
        let side = self.active;
        let hand = &mut self.command.hands[side];
        let last = hand.len() - 1;
        let card = hand.remove(if hand[last] == kept { last - 1 } else { last });
        self.command.discards.push(card);
        context.log(|| Event::CommandDiscarded { side, card });
    }

    /// The plain draws, then (g) the dragon card of an Order One card (BT-R-51).
    pub(crate) fn draw_more(&mut self, context: &mut impl Context) {
        let side = self.active;
        for _ in 0..self.turn.plain_draws {
            self.draw_command(side, context);
        }
        if self.played_order_one() {
            self.turn.drawn += u8::from(self.draw_dragon(side, context));
        }
    }

    /// (h) A dragon card, if there is one, or honor, however much is left (BT-END-OF-TURN-05, BT-R-53).
    pub(crate) fn legal_replenish(&self, out: &mut impl ActionSink) {
        if self.dragon.can_draw() {
            out.add(Action::DrawDragon);
        }
        out.add(Action::TakeHonor);
    }

    pub(crate) fn play_replenish(&mut self, action: Action, context: &mut impl Context) {
        let side = self.active;
        if action == Action::DrawDragon {
            self.turn.drawn += u8::from(self.draw_dragon(side, context));
        } else {
            self.gain_honor(side, REPLENISH_HONOR, Why::Replenish, context);
        }
    }

    /// (i) Whether a dragon card may be discarded: none was played, and there is one that was not drawn just now.
    pub(crate) fn may_discard_for_honor(&self) -> bool {
        !self.turn.dragon_used[self.active] && !self.discardable().is_empty()
    }

    /// The cards of the hand that were not drawn in (g) or (h).
    fn discardable(&self) -> &[DragonCard] {
        let hand = &self.dragon.hands[self.active];
        &hand[..hand.len() - usize::from(self.turn.drawn)]
    }

    pub(crate) fn legal_discards(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        add_dragons(self.discardable().iter().fold(0, |kinds, card| kinds | card.bit()), out);
    }

    pub(crate) fn play_discard(&mut self, action: Action, context: &mut impl Context) {
        let Action::Dragon(card) = action else { return };
        let side = self.active;
        self.dragon.take(side, card);
        self.dragon.discards.push(card);
        context.log(|| Event::DragonDiscarded { side, card });
        self.gain_honor(side, 1, Why::Discard, context);
    }

    /// (j) The other side's turn.
    pub(crate) fn pass_turn(&mut self) {
        self.last[self.active] = self.turn.effective;
        self.turn = Turn::default();
        self.mover = Mover::default();
        self.combat = Combat::default();
        self.active = self.active.other();
        self.push(Step::BeginTurn);
    }
}
