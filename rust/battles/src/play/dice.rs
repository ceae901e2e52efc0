//! Battle dice (BT-COMP-02, BT-RAND-01).

use crate::data::{Face, Faces, Side};
use crate::event::{Event, Roll, Table};
use crate::state::State;

impl State {
    /// Rolls battle dice from left to right.
    pub(crate) fn roll(&mut self, side: Side, dice: u8, roll: Roll, table: &mut impl Table) -> Faces {
        let mut faces = Faces::NONE;
        let mut order = Vec::new(); // takes no memory unless somebody listens
        for _ in 0..dice {
            let face = Face::ALL[table.roll(self.draws, Face::COUNT as u32) as usize];
            self.draws += 1;
            faces[face] += 1;
            note(face, &mut order, table);
        }
        table.tell(|| Event::Rolled { side, roll, faces: order });
        faces
    }
}

/// Keeps a face for the log.
fn note<T: Table>(face: Face, order: &mut Vec<Face>, _table: &T) {
    if T::HEARD {
        order.push(face);
    }
}
