//! Levies that attack together (LEVY-CHARGE).

use crate::action::{Action, Legal};
use crate::board::HexSet;
use crate::data::UnitKind;
use crate::pieces::{UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

impl State {
    /// Levies that may join the charge: ordered, not yet in battle, next to the same enemy unit now that it is declared
    /// (BT-LEVY-CHARGE-01, BT-R-36, BT-R-37).
    fn joining(&self) -> HexSet {
        if self.combat.defender.is_none() {
            return HexSet::EMPTY;
        }
        let levies = self.ready().filter(|&unit| self.unit(unit).kind == UnitKind::Levy);
        self.hexes(levies.collect()) & self.combat.target.neighbours()
    }

    pub(crate) fn legal_charge(&self, out: &mut impl Legal) {
        out.add(Action::Pass);
        out.add_hexes(self.joining());
    }

    pub(crate) fn play_charge(&mut self, action: Action) {
        let Action::Hex(hex) = action else { return };
        let Some(levy) = self.unit_at(hex) else { return };
        self.turn.battled.insert(levy); // BT-LEVY-CHARGE-04
        self.combat.attackers.insert(levy);
        self.push(Step::Charge);
    }

    /// Where units stand.
    pub(crate) fn hexes(&self, units: UnitSet) -> HexSet {
        units.map(|unit| self.unit(unit).hex).collect()
    }

    /// Attackers that terrain lets the defender fight (BT-LEVY-CHARGE-03, BT-R-38, BT-BATTLEBACK-06).
    pub(crate) fn attackers_in_reach(&self) -> UnitSet {
        let Some(defender) = self.combat.defender.filter(|&unit| self.lives(unit)) else {
            return UnitSet::EMPTY;
        };
        let reaches = |&unit: &UnitId| self.lives(unit) && self.may_melee(defender, self.unit(unit).hex);
        self.combat.attackers.filter(reaches).collect()
    }
}
