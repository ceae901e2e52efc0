//! Flags that are ignored, and those that are not (MORALE).

use std::ops::RangeInclusive;

use crate::action::{Action, Legal};
use crate::event::{Event, Table};
use crate::pieces::{Unit, UnitId};
use crate::reading::Stand;
use crate::state::{FlagRule, State};

impl State {
    /// What helps a unit to ignore flags as things stand (BT-MORALE-02, BT-MORALE-03).
    pub(crate) fn stand(&self, unit: UnitId) -> Stand {
        let &Unit { hex, side, kind, .. } = self.unit(unit);
        Stand {
            kind,
            terrain: self.terrain(hex),
            led: self.leader_of(unit).is_some(),
            supported: (hex.neighbours() & self.hexes_of(side)).len() >= 2,
        }
    }

    /// How many flags of the roll the unit rolled against may ignore (BT-MORALE-01, BT-MORALE-08, DP-20).
    fn ignorable(&self, unit: UnitId, flags: u8) -> RangeInclusive<u8> {
        let (roll, stand) = (&self.combat.roll, self.stand(unit));
        if stand.kind.is_bodyguard() {
            return flags..=flags; // BT-ARMY-COMMANDER-03, BT-MORALE-09: whatever the cards say
        }
        // Cards of the turn are for the side that is not active; the later one holds (BT-DRAGON-USE-07, BT-DRAGON-50).
        let rule = if roll.side == self.active { self.turn.effects.flags } else { FlagRule::Usual };
        let allowance = if roll.cowards {
            0
        } else if roll.courage || rule == FlagRule::MayIgnoreAll {
            flags
        } else if rule == FlagRule::CannotIgnore {
            0
        } else {
            stand.allowance(self.reading().by)
        };
        let most = allowance.min(flags);
        u8::from(stand.holds_a_castle()).min(most)..=most
    }

    pub(crate) fn legal_ignored(&self, flags: u8, out: &mut impl Legal) {
        let Some(unit) = self.combat.roll.against else { return };
        for ignored in self.ignorable(unit, flags) {
            out.add(Action::Number(ignored));
        }
    }

    pub(crate) fn play_ignored(&mut self, flags: u8, action: Action, table: &mut impl Table) {
        let (Action::Number(ignored), Some(unit)) = (action, self.combat.roll.against) else { return };
        let &Unit { hex, side, .. } = self.unit(unit);
        table.tell(|| Event::Flags { side, hex, flags, ignored });
        self.give_way(unit, flags - ignored, table);
    }

    /// Flags that a unit does not ignore: it retreats, or takes hits in a castle (BT-RETREAT-01, BT-TERRAIN-09, BT-R-42).
    pub(crate) fn give_way(&mut self, unit: UnitId, flags: u8, table: &mut impl Table) {
        let stand = self.stand(unit);
        if flags == 0 || stand.kind.is_bodyguard() {
            return;
        }
        if stand.holds_a_castle() {
            self.remove_blocks(unit, flags, table);
        } else {
            self.retreat(unit, flags * stand.kind.row().hexes_per_flag, table);
        }
    }
}
