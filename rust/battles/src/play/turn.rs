//! T0, the start of a turn (TURN-02).

use crate::data::{Side, TENT_BANNERS, Window};
use crate::event::{Context, Event, Why};
use crate::play::Step;
use crate::state::{Decided, End, State};

impl State {
    /// Tent, banners, victory, surrender, in this order (BT-TURN-02, BT-R-20); then the parts of the turn.
    pub(crate) fn begin_turn(&mut self, context: &mut impl Context) {
        let side = self.active;
        if side == self.first {
            if self.round >= self.options.max_rounds {
                self.decided = Some(Decided { winner: None, end: End::RoundLimit });
                return;
            }
            self.round += 1;
        }
        self.trackers.turns[side] = self.trackers.turns[side].saturating_add(1);
        let round = self.round;
        context.log(|| Event::TurnBegun { side, round });
        self.capture_tent(side, context);
        self.start_banners(side, context);
        self.check_victory(side);
        self.check_victory(side.other());
        if self.decided.is_none() && self.command.hands[side].len() <= 1 {
            self.decided = Some(Decided { winner: Some(side.other()), end: End::Surrender }); // BT-VICTORY-03
        }
        for step in self.turn_parts() {
            self.push(step);
        }
    }

    /// The parts of a turn, the first last (BT-TURN-01).
    pub(crate) const fn turn_parts(&self) -> [Step; 9] {
        [
            Step::EndTurn,
            Step::Battle,
            Step::Move,
            Step::Order,
            Step::BeginOrders,
            Step::ResolveDragon,
            Step::Window { window: Window::CommandOther, side: self.active.other() },
            Step::Window { window: Window::CommandActive, side: self.active },
            Step::PlayCommand,
        ]
    }

    /// A unit in the enemy's command tent captures it (BT-ARMY-COMMANDER-12, BT-R-16), except where entering it decides
    /// the battle (BT-SCEN-08, BT-SCEN-12).
    fn capture_tent(&mut self, side: Side, context: &mut impl Context) {
        let owner = side.other();
        let Some(hex) = self.tent(owner).filter(|&hex| self.unit_hexes(side).contains(hex)) else { return };
        if self.decides_by_tent(side) {
            return;
        }
        self.tents[owner] = false;
        context.log(|| Event::TentRemoved { side: owner, hex });
        self.award_banners(side, TENT_BANNERS, Why::Tent, context);
        if self.decided.is_none() {
            self.lose_command_card(owner, context);
        }
    }
}
