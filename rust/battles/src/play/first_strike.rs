//! The defender fights first: First Strike and Ambush (BT-CMD-20, BT-CMD-21, BT-DRAGON-16).

use crate::action::{Action, Legal};
use crate::combat::RollKind;
use crate::play::Step;
use crate::state::State;

impl State {
    /// Whether the defender can fight first: a unit that terrain lets battle back against an attacker, once in a combat.
    pub(crate) fn can_strike_first(&self) -> bool {
        !self.combat.struck_first && !self.attackers_in_reach().is_empty()
    }

    /// The defender fights first; against a levy charge its player says whom it strikes (BT-R-38).
    pub(crate) fn strike_first(&mut self, ambush: bool) {
        self.combat.struck_first = true;
        self.combat.ambush = ambush;
        self.push(Step::Struck);
    }

    /// First Strike was played from the hand (BT-CMD-20).
    pub(crate) fn play_first_strike(&mut self) {
        self.strike_first(false);
    }

    pub(crate) fn legal_struck(&self, out: &mut impl Legal) {
        out.add_hexes(self.hexes(self.attackers_in_reach()));
    }

    pub(crate) fn play_struck(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(attacker) = self.unit_at(hex)
        {
            self.combat.attacker = attacker;
            self.begin_roll(RollKind::FirstStrike);
        }
    }
}
