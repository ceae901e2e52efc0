//! Which unit battles next, and whom it attacks (T4, BT-TURN-07, DP-12).

use crate::action::{Action, ActionSink};
use crate::board::{HexId, HexSet};
use crate::combat::Combat;
use crate::data::{CommandCard, UnitKind, melee_cap, ranged_cap};
use crate::event::{Context, Event};
use crate::pieces::{Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

impl State {
    /// Ordered units that have not battled and are not barred from it (BT-MELEE-01, BT-RANGED-01).
    pub(crate) fn ready(&self) -> UnitSet {
        self.turn.ordered - self.turn.barred - self.turn.battled
    }

    /// Whether terrain lets a unit melee into a hex: cavalry does not fight in or against a castle (BT-TERRAIN-09,
    /// BT-BATTLEBACK-06).
    pub(crate) fn may_melee(&self, unit: UnitId, into: HexId) -> bool {
        let &Unit { hex, kind, .. } = self.unit(unit);
        melee_cap(self.terrain(hex), self.terrain(into), kind.arm()) > 0
    }

    /// Enemies next to a unit that it may melee (BT-MELEE-01).
    pub(crate) fn melee_targets(&self, unit: UnitId) -> HexSet {
        let next = self.enemies_next_to(unit);
        if self.unit(unit).kind.is_cavalry() {
            next.into_iter().filter(|&hex| self.may_melee(unit, hex)).collect()
        } else {
            next
        }
    }

    fn enemies_next_to(&self, unit: UnitId) -> HexSet {
        let &Unit { hex, side, .. } = self.unit(unit);
        hex.neighbours() & self.hexes_of(side.other())
    }

    /// Enemies that a unit may shoot at (BT-RANGED-01, BT-RANGED-02, BT-R-28); cavalry that charges does not shoot
    /// (BT-R-65), and neither does cavalry in a castle (BT-TERRAIN-09).
    pub(crate) fn shooting_targets(&self, unit: UnitId) -> HexSet {
        let &Unit { hex, side, kind, .. } = self.unit(unit);
        let charging = kind.is_cavalry() && self.effective_is(CommandCard::CavalryCharge);
        if !kind.is_missile() || charging || !self.enemies_next_to(unit).is_empty() {
            return HexSet::EMPTY;
        }
        let reach = (2..=kind.range()).fold(HexSet::EMPTY, |reach, distance| reach | hex.ring(distance));
        let possible = (reach & self.hexes_of(side.other())).into_iter().filter(|&target| {
            let bodyguard = self.unit_at(target).is_some_and(|unit| self.unit(unit).kind.is_bodyguard());
            !bodyguard && ranged_cap(self.terrain(hex), self.terrain(target), kind.arm()) > 0
        });
        possible.filter(|&target| self.sees(hex, target)).collect()
    }

    /// Enemies that a unit may attack. Next to an enemy it melees or does not battle at all (BT-RANGED-02).
    pub fn targets(&self, unit: UnitId) -> HexSet {
        if self.enemies_next_to(unit).is_empty() {
            self.shooting_targets(unit)
        } else {
            self.melee_targets(unit)
        }
    }

    /// Whether the command card of the turn counts as this one.
    pub(crate) fn effective_is(&self, card: CommandCard) -> bool {
        self.turn.effective.is_some_and(|effective| effective.card == card)
    }

    pub(crate) fn legal_battles(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        let battling = self.ready().filter(|&unit| !self.targets(unit).is_empty());
        out.add_hexes(battling.map(|unit| self.unit(unit).hex).collect());
    }

    pub(crate) fn play_battle(&mut self, action: Action) {
        let Action::Hex(hex) = action else { return };
        let Some(attacker) = self.unit_at(hex) else { return };
        self.push(Step::Battle);
        self.push(Step::EndCombat);
        self.combat = Combat { attacker, ..Combat::default() };
        self.push(Step::Target);
    }

    pub(crate) fn legal_targets(&self, out: &mut impl ActionSink) {
        out.add_hexes(self.targets(self.combat.attacker));
    }

    pub(crate) fn play_target(&mut self, action: Action) {
        let Action::Hex(target) = action else { return };
        let attacker = self.combat.attacker;
        self.turn.battled.insert(attacker);
        self.declare(attacker, target);
        if self.combat.ranged {
            self.push(Step::Shoot);
        } else {
            self.push(Step::Melee);
            if self.unit(attacker).kind == UnitKind::Levy {
                self.push(Step::Charge);
            }
        }
    }

    /// Names the target of an attack; the rest of the combat is left as it is.
    pub(crate) fn declare(&mut self, attacker: UnitId, target: HexId) {
        let defender = self.unit_at(target);
        let lone = if defender.is_none() { self.leader_at(target) } else { None };
        let ranged = !self.unit(attacker).hex.is_next_to(target);
        self.combat =
            Combat { ranged, attackers: attacker.set(), attacker, target, defender, lone, ..self.combat };
    }

    /// Logs the attack once attackers and target are known.
    pub(crate) fn log_attack(&self, context: &mut impl Context) {
        let Combat { attackers, target, ranged, bonus, .. } = self.combat;
        context.log(|| Event::Attack {
            side: self.active,
            from: attackers.map(|unit| self.unit(unit).hex).collect(),
            units: attackers.map(|unit| self.unit(unit).kind).collect(),
            target,
            defender: self.unit_at(target).map(|unit| self.unit(unit).kind),
            name: self.leader_at(target).and_then(|leader| self.leader_name(leader)),
            ranged,
            bonus,
        });
    }

    pub(crate) fn end_combat(&mut self) {
        self.combat = Combat::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::test_field::{TestField, at, hex};

    fn targets(field: &TestField, unit: &str) -> Vec<String> {
        field.state.targets(field.unit(unit)).into_iter().map(|hex| hex.to_string()).collect()
    }

    #[test]
    fn who_can_be_attacked() {
        // BT-MELEE-01, BT-RANGED-01, BT-RANGED-02, BT-R-28
        let bow = TestField::new(&["SB@4,5"], &["ASp@6,5", "LM@6,6", "AC+BG@7,4", "LI@8,5"]);
        assert_eq!(targets(&bow, "4,5"), ["6,5", "6,6"]); // not the bodyguard, nor distant units
        let beside = TestField::new(&["SB@4,5"], &["ASp@6,5", "LM@5,5"]);
        assert_eq!(targets(&beside, "4,5"), ["5,5"]);
        let arquebus = TestField::new(&["AA@4,5"], &["ASp@8,5", "LI@8,6"]);
        assert_eq!(targets(&arquebus, "4,5"), ["8,5"]); // a castle is beside the one line and on the other
    }

    #[test]
    fn cavalry_and_castles() {
        // BT-TERRAIN-09, BT-BATTLEBACK-06
        let outside = TestField::new(&["SSpC@6,5", "SBC@6,3"], &["ASp@7,5", "ASp@6,6"]);
        assert_eq!(targets(&outside, "6,5"), ["6,6"]);
        assert_eq!(targets(&outside, "6,3"), ["7,5"]);
        let inside = TestField::new(&["SBC@3,5"], &["ASp@5,5"]);
        assert!(targets(&inside, "3,5").is_empty());
    }

    #[test]
    fn charging_cavalry_does_not_shoot() {
        // BT-R-65
        let mut field = TestField::new(&["SBC@4,5", "SB@4,3"], &["ASp@6,5", "ASp@6,1"]);
        field.command(CommandCard::CavalryCharge);
        assert!(targets(&field, "4,5").is_empty());
        assert_eq!(targets(&field, "4,3"), ["6,1", "6,5"]);
    }

    #[test]
    fn each_unit_battles_once() {
        // BT-TURN-07, BT-RANGED-03, DP-12
        let mut field = TestField::new(&["SSp@4,5", "ASp@4,6", "ASp@4,8"], &["SSp@5,5"]);
        let far = field.unit("4,6");
        field.state.turn.barred.insert(far);
        field.battle(&[hex("4,5"), Action::Pass], "CCHT");
        assert_eq!(field.honor(), [6, 5]);
        assert!(field.is_done()); // the other may not battle, the third has no target
        assert_eq!(field.state.unit_at(at("4,5")), field.state.turn.battled.first());
    }
}
