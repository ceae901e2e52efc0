//! Lack of honor: consequences for a side that cannot pay a loss of honor (LACK-OF-HONOR).

use crate::action::Action;
use crate::board::{HexId, HexSet};
use crate::combat_roll::lack_of_honor_dice;
use crate::data::{Face, Faces, Side, Symbol, UnitKind};
use crate::event::{Context, Loss, Roll, Why};
use crate::pieces::{LeaderId, UnitId};
use crate::play::Step;
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
        context: &mut impl Context,
    ) {
        let mut faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, context);
        let own = std::mem::take(&mut faces[kind.symbol().face()]);
        self.push_nearest_losses(side, ended, faces);
        if self.lives(unit) {
            self.remove_blocks(unit, own, Loss::LackOfHonor, context);
        } else {
            let mut own_faces = Faces::NONE;
            own_faces[kind.symbol().face()] = own;
            self.push_nearest_losses(side, ended, own_faces);
        }
    }

    /// A retreating leader could not be paid for: X eliminates it, also where it joined a unit; then the symbols on the
    /// units nearest to where it ended (BT-LACK-OF-HONOR-03, BT-R-45, BT-R-47).
    pub(crate) fn leader_lacks_honor(&mut self, leader: LeaderId, unpaid: u8, context: &mut impl Context) {
        let (side, ended) = (self.leader(leader).side, self.leader(leader).hex);
        let faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, context);
        self.push_nearest_losses(side, ended, faces);
        if faces[Face::Swords] > 0 {
            self.eliminate_leader(leader, context);
        }
    }

    /// A dragon card costs honor. What cannot be paid is diced for: the symbols on units of the owner's choice
    /// (BT-LACK-OF-HONOR-04, BT-R-48).
    pub(crate) fn lose_honor_to_card(&mut self, side: Side, honor: u8, context: &mut impl Context) {
        let unpaid = self.lose_honor(side, honor, Why::Card, context);
        if unpaid == 0 {
            return;
        }
        let faces = self.roll(side, lack_of_honor_dice(unpaid), Roll::LackOfHonor, context);
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

    pub(crate) fn play_loss(&mut self, action: Action, why: Loss, context: &mut impl Context) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.remove_blocks(unit, 1, why, context);
        }
    }
}

/// The symbol of the next die, and the dice that are left after it.
fn next_die(mut dice: [u8; 3]) -> Option<(Symbol, [u8; 3])> {
    let place = dice.iter().position(|&left| left > 0)?;
    dice[place] -= 1;
    Some((SYMBOLS[place], dice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::test_field::{TestField, at, hex};

    /// A unit or leader of the bottom army, with so much honor, has to go to a hex.
    fn retreat(pieces: &[&str], honor: u8, flags: u8, to: &[Action], dice: &str) -> TestField {
        let mut field = TestField::new(&[], pieces);
        field.state.honor[Side::Bottom] = honor;
        let place = pieces[0].split_once('@').unwrap().1;
        match (field.state.unit_at(at(place)), field.state.leader_at(at(place))) {
            (Some(unit), _) => field.state.push(Step::GiveWay { unit, flags }),
            (None, Some(leader)) => field.state.push(Step::LeaderFate { leader }),
            (None, None) => unreachable!(),
        }
        field.play(to, dice);
        field
    }

    #[test]
    fn the_own_symbol_is_for_the_unit_itself() {
        // BT-EX-01, BT-LACK-OF-HONOR-01, BT-LACK-OF-HONOR-02, BT-R-45
        let pieces = ["SSp/2@6,5", "SSp@8,5", "ASp@8,2", "LI/1@8,6", "AB@5,5", "AC+BG@10,6"];
        let field = retreat(&pieces, 1, 1, &[hex("7,5")], "SSSSX");
        assert_eq!((field.blocks("7,5"), field.blocks("8,5"), field.banners()), (0, 4, [1, 0]));
        // The levies are nearer than the bows; when they are gone, the bows are next.
        let field = retreat(&pieces, 1, 1, &[hex("7,5")], "CTCXF");
        assert_eq!((field.blocks("8,6"), field.blocks("5,5"), field.blocks("8,2")), (0, 3, 3));
        assert_eq!((field.honor(), field.blocks("10,6"), field.is_done()), ([5, 0], 4, true));
    }

    #[test]
    fn ties_are_the_owners_choice() {
        // DP-23, BT-R-45
        let pieces = ["SSp@6,5", "ASp@7,4", "ASp@8,6", "ASp/1@8,5"];
        let mut field = retreat(&pieces, 1, 1, &[], "TTTHF");
        assert_eq!(field.legal(), [hex("7,4"), hex("8,5"), hex("8,6")]);
        field.play(&[hex("8,5"), hex("7,4"), hex("8,6")], "");
        assert_eq!((field.blocks("7,4"), field.blocks("8,6"), field.banners()), (3, 3, [1, 0]));
    }

    #[test]
    fn a_unit_that_is_gone_passes_its_dice_on() {
        // BT-R-46: its own symbol first
        let pieces = ["ASp/1@9,5", "ASp@8,2", "LI@8,3", "ASp@8,9"];
        let field = retreat(&pieces, 0, 2, &[hex("10,5")], "CTTFF");
        assert_eq!((field.blocks("8,2"), field.blocks("8,3"), field.banners()), (2, 3, [1, 0]));
        let order = field.log.iter().filter_map(|event| match event {
            crate::event::Event::BlocksLost { unit, .. } => Some(unit.code()),
            _ => None,
        });
        assert_eq!(order.collect::<Vec<_>>(), ["ASp", "ASp", "ASp", "LI"]);
    }

    #[test]
    fn leaders_fall_to_swords() {
        // BT-LACK-OF-HONOR-03, BT-R-47
        let pieces = ["LM@6,5", "ASp@7,5", "ASp@8,9", "AB@9,9"];
        let field = retreat(&pieces, 2, 0, &[hex("7,5")], "XTCSF");
        assert_eq!((field.banners(), field.has_leader("7,5"), field.blocks("7,5")), ([1, 0], false, 3));
        assert_eq!((field.blocks("8,9"), field.blocks("9,9"), field.honor()), (4, 3, [5, 0]));
    }

    #[test]
    fn a_card_lets_the_owner_choose() {
        // BT-LACK-OF-HONOR-04, BT-LACK-OF-HONOR-05, DP-06
        let mut field = TestField::new(&["ASp/1+LF@4,5", "ASp@4,7", "SSp@3,3"], &[]);
        field.state.honor[Side::Top] = 1;
        let mut chance = sengoku_kernel::Scripted::new(&[1, 5, 2, 4, 3]);
        field.state.lose_honor_to_card(Side::Top, 2, &mut sengoku_kernel::Silent(&mut chance));
        field.play(&[hex("4,5")], "");
        assert_eq!((field.blocks("3,3"), field.has_leader("4,5"), field.banners()), (3, true, [0, 1]));
        assert!(field.is_done());
    }
}
