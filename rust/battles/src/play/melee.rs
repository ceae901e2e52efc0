//! The course of a melee: challenge, first strike, attack, and what follows (BT-MELEE-03, BT-MELEE-14).

use crate::combat::RollKind;
use crate::data::Window;
use crate::event::Table;
use crate::pieces::UnitSet;
use crate::play::Step;
use crate::state::State;

impl State {
    /// A melee is declared: windows W-MELEE-START, then W-FIRST, then the attack (BT-MELEE-03).
    pub(crate) fn melee(&mut self, table: &mut impl Table) {
        self.tell_attack(table);
        let (active, other) = (self.active, self.active.other());
        self.push(Step::Attack);
        self.push(Step::Window { window: Window::First, side: other });
        self.push(Step::Window { window: Window::MeleeStart, side: other });
        self.push(Step::Window { window: Window::MeleeStart, side: active });
    }

    /// The attackers that are still there roll (BT-CMD-20, BT-R-38). Where one side of the melee is gone before the
    /// attack, the melee is over and not successful (BT-R-50).
    pub(crate) fn attack(&mut self) {
        let combat = &self.combat;
        let struck = combat.struck_first.then_some((combat.attacker, combat.roll.hex));
        let left = combat.attackers.filter(|&unit| {
            self.lives(unit)
                && struck.is_none_or(|(struck, hex)| unit != struck || self.unit(unit).hex == hex)
        });
        let attackers: UnitSet = left.collect();
        self.combat.attackers = attackers;
        let defended = self.combat.defender.is_none_or(|unit| self.lives(unit));
        if let Some(first) = attackers.first()
            && defended
        {
            self.combat.attacker = first;
            self.push(Step::AfterAttack);
            self.begin_roll(RollKind::Attack);
        }
    }

    /// The attack is over: an empty hex is a success, a defender that held its hex may battle back (BT-MELEE-14,
    /// BT-BATTLEBACK-01, BT-BATTLEBACK-03, BT-R-40).
    pub(crate) fn after_attack(&mut self) {
        let target = self.combat.target;
        if !self.occupied().contains(target) {
            self.succeed();
        } else if self.unit_at(target).is_some() && self.unit_at(target) == self.combat.defender {
            self.push(Step::BattleBack);
        }
    }
}
