//! Battle dice (BT-COMP-02, BT-RAND-01).

use arrayvec::ArrayVec;

use crate::data::{Face, Faces, Side};
use crate::event::{Context, Event, Roll};
use crate::state::State;

/// Most dice of one roll that the log tells in their order; rules know no limit (BT-R-02).
const MAX_TOLD: usize = 64;

impl State {
    /// Rolls battle dice from left to right.
    pub(crate) fn roll(&mut self, side: Side, dice: u8, roll: Roll, context: &mut impl Context) -> Faces {
        self.roll_for(side, dice, roll, false, context)
    }

    /// Rolls battle dice that may replace those of the last roll of the kind.
    pub(crate) fn roll_for(
        &mut self,
        side: Side,
        dice: u8,
        roll: Roll,
        replaces: bool,
        context: &mut impl Context,
    ) -> Faces {
        let mut faces = Faces::NONE;
        let mut order: ArrayVec<Face, MAX_TOLD> = ArrayVec::new();
        for _ in 0..dice {
            let face = Face::ALL[context.roll(self.draws, Face::COUNT as u32) as usize];
            self.draws += 1;
            faces[face] += 1;
            let _ = order.try_push(face);
        }
        context.log(|| Event::Rolled { side, roll, faces: order.to_vec(), replaces });
        faces
    }
}
