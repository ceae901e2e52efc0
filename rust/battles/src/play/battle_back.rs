//! The defender battles back (BATTLEBACK).

use crate::action::{Action, ActionSink};
use crate::combat::RollKind;
use crate::state::State;

impl State {
    /// The attackers that the defender may battle back against; nobody for one that struck first (BT-BATTLEBACK-07).
    pub(crate) fn legal_battle_back(&self, out: &mut impl ActionSink) {
        let attackers = self.hexes(self.attackers_in_reach());
        if !self.combat.struck_first && !attackers.is_empty() {
            out.add(Action::Pass);
            out.add_hexes(attackers);
        }
    }

    pub(crate) fn play_battle_back(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(attacker) = self.unit_at(hex)
        {
            self.combat.attacker = attacker;
            self.begin_roll(RollKind::BattleBack);
        }
    }
}
