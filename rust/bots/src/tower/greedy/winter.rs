//! Revolts of winter (TW-D-10).

use sengoku_tower::Action;

use super::context::DecisionContext;
use crate::best;

impl DecisionContext<'_> {
    /// The province that is worth most, while the tower is as it is known.
    pub(super) fn face_revolt(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Province(province) => self.worth(province),
            _ => f64::NEG_INFINITY,
        })
    }
}
