//! Leaders that inspire units in melee (INSPIRE).

use crate::action::{Action, ActionSink};
use crate::data::{LeaderKind, Terrain};
use crate::event::{Context, Why};
use crate::pieces::{Unit, UnitId};
use crate::state::State;

impl State {
    /// Whether a friendly leader can inspire a unit (BT-INSPIRE-01, BT-INSPIRE-05, BT-ARMY-COMMANDER-11).
    pub(crate) fn can_be_inspired(&self, unit: UnitId) -> bool {
        let &Unit { hex, side, .. } = self.unit(unit);
        let beside = |leader| matches!(self.leader(leader).kind, LeaderKind::Mounted | LeaderKind::Commander);
        let beside_it = hex.neighbours() & self.leader_hexes(side);
        self.terrain(hex) != Terrain::Buildings
            && (self.leader_of(unit).is_some()
                || beside_it.into_iter().any(|hex| self.leader_at(hex).is_some_and(beside)))
    }

    pub(crate) fn legal_inspire(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        if self.honor[self.combat.roll.side] > 0 {
            out.add(Action::Yes); // BT-INSPIRE-07
        }
    }

    pub(crate) fn play_inspire(&mut self, unit: UnitId, action: Action, context: &mut impl Context) {
        if action == Action::Yes {
            self.lose_honor(self.combat.roll.side, 1, Why::Inspire, context);
            self.combat.roll.inspired.insert(unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::play::test_field::TestField;

    #[test]
    fn who_inspires_whom() {
        // BT-INSPIRE-01, BT-INSPIRE-05, BT-TERRAIN-08, BT-ARMY-COMMANDER-11
        let inspired = |pieces: &[&str]| {
            let field = TestField::new(pieces, &[]);
            let place = pieces[0].split_once('@').unwrap().1;
            field.state.can_be_inspired(field.unit(place))
        };
        assert!(inspired(&["ASp+LF@4,5"]) && inspired(&["AC+BG@0,5"]));
        assert!(inspired(&["ASp@4,5", "LM@4,6"]) && inspired(&["ASp@4,5", "SSpC+LM@4,6"]));
        assert!(inspired(&["SSpC@0,4", "AC+BG@0,5"]));
        assert!(!inspired(&["ASp@4,5", "LF@4,6"]) && !inspired(&["ASp@4,5", "LM@4,7"]));
        assert!(!inspired(&["ASp+LF@3,7"])); // in a village
    }
}
