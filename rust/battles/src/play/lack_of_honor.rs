//! What happens to a side that cannot pay a loss of honor (LACK-OF-HONOR).

use crate::action::Action;
use crate::board::{HexId, HexSet};
use crate::data::{Face, Faces, Side, Symbol, UnitKind};
use crate::event::{Roll, Table, Why};
use crate::pieces::{LeaderId, UnitId};
use crate::play::Step;
use crate::reading::lack_of_honor_dice;
use crate::state::State;

/// The symbols that remove blocks, in the order in which they are worked off (BT-R-45).
const SYMBOLS: [Symbol; 3] = [Symbol::Circle, Symbol::Triangle, Symbol::Square];

impl State {
    /// A retreating unit could not be paid for: its own symbol first, on itself while it lives; then the others on the
    /// units nearest to where it ended (BT-LACK-OF-HONOR-02, BT-R-45, BT-R-46).
    pub(crate) fn unit_lacks_honor(
        &mut self,
        unit: UnitId,
        kind: UnitKind,
        side: Side,
        ended: HexId,
        unpaid: u8,
        table: &mut impl Table,
    ) {
        let mut faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, table);
        let own = std::mem::take(&mut faces[kind.symbol().face()]);
        self.push_nearest_losses(side, ended, faces);
        if self.lives(unit) {
            self.remove_blocks(unit, own, table);
        } else {
            let mut own_faces = Faces::NONE;
            own_faces[kind.symbol().face()] = own;
            self.push_nearest_losses(side, ended, own_faces);
        }
    }

    /// A retreating leader could not be paid for: X eliminates it, also where it joined a unit; then the symbols on the
    /// units nearest to where it ended (BT-LACK-OF-HONOR-03, BT-R-45, BT-R-47).
    pub(crate) fn leader_lacks_honor(&mut self, leader: LeaderId, unpaid: u8, table: &mut impl Table) {
        let (side, ended) = (self.leader(leader).side, self.leader(leader).hex);
        let faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, table);
        self.push_nearest_losses(side, ended, faces);
        if faces[Face::Swords] > 0 {
            self.eliminate_leader(leader, table);
        }
    }

    /// A dragon card costs honor. What cannot be paid is diced for: the symbols on units of the owner's choice
    /// (BT-LACK-OF-HONOR-04, BT-R-48).
    pub(crate) fn lose_honor_to_card(&mut self, side: Side, honor: u8, table: &mut impl Table) {
        let unpaid = self.lose_honor(side, honor, Why::Card, table);
        if unpaid == 0 {
            return;
        }
        let faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, table);
        self.push(Step::ChosenLosses {
            side,
            circle: faces[Face::Circle],
            triangle: faces[Face::Triangle],
            square: faces[Face::Square],
        });
    }

    fn push_nearest_losses(&mut self, side: Side, from: HexId, faces: Faces) {
        self.push(Step::NearestLosses {
            side,
            from,
            circle: faces[Face::Circle],
            triangle: faces[Face::Triangle],
            square: faces[Face::Square],
        });
    }

    /// The next die of such a roll; the nearest units are looked for anew for every die (BT-R-45).
    pub(crate) fn nearest_losses(&mut self, side: Side, from: HexId, dice: [u8; 3]) {
        if let Some((symbol, [circle, triangle, square])) = next_die(dice) {
            self.push(Step::NearestLosses { side, from, circle, triangle, square });
            self.push(Step::LoseNearest { side, symbol, from });
        }
    }

    /// The next die whose victim the owner chooses.
    pub(crate) fn chosen_losses(&mut self, side: Side, dice: [u8; 3]) {
        if let Some((symbol, [circle, triangle, square])) = next_die(dice) {
            self.push(Step::ChosenLosses { side, circle, triangle, square });
            self.push(Step::LoseBlock { side, symbol });
        }
    }

    /// The units with a symbol that are nearest to a hex (DP-23).
    pub(crate) fn nearest(&self, side: Side, symbol: Symbol, from: HexId) -> HexSet {
        let hexes = self.hexes_with(side, symbol);
        let Some(distance) = hexes.into_iter().map(|hex| hex.distance(from)).min() else {
            return HexSet::EMPTY;
        };
        hexes.into_iter().filter(|hex| hex.distance(from) == distance).collect()
    }

    pub(crate) fn play_loss(&mut self, action: Action, table: &mut impl Table) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.remove_blocks(unit, 1, table);
        }
    }
}

/// The symbol of the next die, and the dice that are left after it.
fn next_die(mut dice: [u8; 3]) -> Option<(Symbol, [u8; 3])> {
    let place = dice.iter().position(|&left| left > 0)?;
    dice[place] -= 1;
    Some((SYMBOLS[place], dice))
}
