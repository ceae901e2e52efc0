//! Taking ground and bonus melee (MOMENTUM).

use crate::action::{Action, Legal};
use crate::combat::Combat;
use crate::data::Window;
use crate::event::{Event, Table};
use crate::pieces::{Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

/// Honor lost by Timid Success (BT-DRAGON-43).
const TIMID_HONOR: u8 = 2;

impl State {
    /// The attackers that may take the empty hex; a bodyguard never does (BT-MOMENTUM-01, BT-MOMENTUM-02).
    fn advancing(&self) -> UnitSet {
        self.combat
            .attackers
            .filter(|&unit| self.lives(unit) && !self.unit(unit).kind.is_bodyguard())
            .collect()
    }

    /// Whether somebody won a melee and may take ground, for Legendary Combat (BT-DRAGON-28).
    pub(crate) fn has_success(&self) -> bool {
        !self.advancing().is_empty()
    }

    /// A melee was successful: W-SUCCESS-A, then the choice (BT-MOMENTUM-03).
    pub(crate) fn succeed(&mut self) {
        self.push(Step::TakeGround);
        self.push(Step::Window { window: Window::Success, side: self.active });
    }

    pub(crate) fn legal_ground(&self, out: &mut impl Legal) {
        out.add(Action::Pass);
        out.add_hexes(self.hexes(self.advancing()));
    }

    /// Ground is about to be taken: W-GROUND-D (BT-MOMENTUM-03).
    pub(crate) fn play_ground(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.combat.attacker = unit;
            self.push(Step::Ground);
            self.push(Step::Window { window: Window::Ground, side: self.active.other() });
        }
    }

    /// Timid Success: no ground, no bonus, two honor (BT-DRAGON-43).
    pub(crate) fn be_timid(&mut self, table: &mut impl Table) {
        self.combat.timid = true;
        self.lose_honor_to_card(self.active, TIMID_HONOR, table);
    }

    /// The unit advances with its leader, unless Timid Success stopped it.
    pub(crate) fn ground(&mut self, table: &mut impl Table) {
        let Combat { attacker, target, timid, .. } = self.combat;
        if timid {
            return;
        }
        let &Unit { hex: from, side, .. } = self.unit(attacker);
        self.move_unit(attacker, self.leader_of(attacker), target);
        table.tell(|| Event::TookGround { side, from, to: target });
        self.push(Step::BonusMelee);
        self.arrived(attacker, table);
    }

    /// Whether a unit that took ground may make a bonus melee (BT-MOMENTUM-04, BT-MOMENTUM-05, BT-MOMENTUM-07,
    /// BT-DRAGON-28).
    fn may_battle_on(&self, unit: UnitId) -> bool {
        if !self.lives(unit) {
            return false; // it may have left the board across the river (BT-SCEN-18)
        }
        let &Unit { hex, kind, .. } = self.unit(unit);
        let eager = kind.is_cavalry() || self.leader_of(unit).is_some();
        (self.combat.legendary || eager && !self.combat.bonus)
            && self.terrain(hex).allows_battle_after_entry(kind.arm())
    }

    pub(crate) fn legal_bonus(&self, out: &mut impl Legal) {
        let attacker = self.combat.attacker;
        if self.may_battle_on(attacker) {
            out.add(Action::Pass);
            out.add_hexes(self.melee_targets(attacker));
        }
    }

    pub(crate) fn play_bonus(&mut self, action: Action) {
        if let Action::Hex(target) = action {
            self.combat = Combat { attacker: self.combat.attacker, bonus: true, ..Combat::default() };
            self.declare(self.combat.attacker, target);
            self.push(Step::Melee);
        }
    }
}
