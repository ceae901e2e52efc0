//! Shots (RANGED), and the second one of Hold and Shoot (BT-CMD-70).

use crate::action::{Action, Legal};
use crate::combat::RollKind;
use crate::data::CommandCard;
use crate::event::Table;
use crate::play::Step;
use crate::state::State;

impl State {
    /// A shot. Units held back to shoot may shoot again directly afterwards (BT-CMD-70).
    pub(crate) fn shoot(&mut self, table: &mut impl Table) {
        self.tell_attack(table);
        self.combat.shots += 1;
        if self.combat.shots == 1 && self.effective_is(CommandCard::HoldAndShoot) {
            self.push(Step::SecondShot);
        }
        self.begin_roll(RollKind::Attack);
    }

    pub(crate) fn legal_second_shot(&self, out: &mut impl Legal) {
        out.add(Action::Pass);
        out.add_hexes(self.shooting_targets(self.combat.attacker));
    }

    pub(crate) fn play_second_shot(&mut self, action: Action) {
        if let Action::Hex(target) = action {
            self.declare(self.combat.attacker, target);
            self.push(Step::Shoot);
        }
    }
}
