//! Where a batch writes: arrays of the caller, one row for each lane.

use sengoku_kernel::Game;

use crate::BatchError;

/// The caller's arrays, lane after lane. An array that is not wanted has no entries.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Observation of the seat to act; once a match is over, of the learner that acted last.
    pub observation: &'a mut [u8],
    /// Features of the observation; may be empty.
    pub features: &'a mut [f32],
    /// A bit for each action, the first one in the lowest bit of the first byte; may be empty.
    pub legal_bits: &'a mut [u8],
    /// A byte for each action, 1 if it is legal; may be empty.
    pub legal: &'a mut [u8],
    /// Seat to act, or -1 once the match is over.
    pub seat: &'a mut [i8],
    /// Rewards of the last step, by seat.
    pub reward: &'a mut [f32],
    /// 1 once a rule has ended the match.
    pub terminated: &'a mut [u8],
    /// 1 once a cap has ended the match.
    pub truncated: &'a mut [u8],
    /// Number of the match.
    pub match_index: &'a mut [u64],
    /// Decisions taken in the match, those of bots among them.
    pub decisions: &'a mut [u32],
    /// Those among them that learners were not asked for, because only one action was legal.
    pub skipped: &'a mut [u32],
    /// Observation at the end of a match that the step replaced by the next one; may be empty.
    pub final_observation: &'a mut [u8],
    /// Features of that observation; may be empty.
    pub final_features: &'a mut [f32],
    /// Number of that match; may be empty.
    pub final_match_index: &'a mut [u64],
    /// Decisions of that match; may be empty.
    pub final_decisions: &'a mut [u32],
}

/// Entries of one lane in each array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    observation: usize,
    features: usize,
    legal_bits: usize,
    legal: usize,
    seats: usize,
    /// 1 if ends of matches are kept, otherwise 0.
    ends: usize,
}

impl Widths {
    /// The widths of these arrays, if they are those of a batch with rows of so many features.
    pub(super) fn of<G: Game>(
        rows: &Rows<'_>,
        lanes: usize,
        seats: usize,
        keeps_ends: bool,
        features: usize,
    ) -> Result<Self, BatchError> {
        let actions = G::ACTION_COUNT as usize;
        let ends = usize::from(keeps_ends);
        let wanted = |array: &[u8], width| if array.is_empty() { 0 } else { width };
        let widths = Self {
            observation: G::OBSERVATION_SIZE,
            features,
            legal_bits: wanted(rows.legal_bits, actions.div_ceil(8)),
            legal: wanted(rows.legal, actions),
            seats,
            ends,
        };
        let lengths = [
            ("observation", rows.observation.len(), widths.observation),
            ("features", rows.features.len(), features),
            ("legal_bits", rows.legal_bits.len(), widths.legal_bits),
            ("legal", rows.legal.len(), widths.legal),
            ("seat", rows.seat.len(), 1),
            ("reward", rows.reward.len(), seats),
            ("terminated", rows.terminated.len(), 1),
            ("truncated", rows.truncated.len(), 1),
            ("match_index", rows.match_index.len(), 1),
            ("decisions", rows.decisions.len(), 1),
            ("skipped", rows.skipped.len(), 1),
            ("final_observation", rows.final_observation.len(), ends * G::OBSERVATION_SIZE),
            ("final_features", rows.final_features.len(), ends * features),
            ("final_match_index", rows.final_match_index.len(), ends),
            ("final_decisions", rows.final_decisions.len(), ends),
        ];
        match lengths.into_iter().find(|&(_, found, width)| found != width * lanes) {
            Some((field, found, width)) => Err(BatchError::Length { field, found, expected: width * lanes }),
            None => Ok(widths),
        }
    }
}

impl Rows<'_> {
    /// The rows of the first lanes, and those of the others.
    pub(super) fn halves(self, lanes: usize, widths: Widths) -> (Self, Self) {
        let observation = self.observation.split_at_mut(lanes * widths.observation);
        let features = self.features.split_at_mut(lanes * widths.features);
        let legal_bits = self.legal_bits.split_at_mut(lanes * widths.legal_bits);
        let legal = self.legal.split_at_mut(lanes * widths.legal);
        let seat = self.seat.split_at_mut(lanes);
        let reward = self.reward.split_at_mut(lanes * widths.seats);
        let terminated = self.terminated.split_at_mut(lanes);
        let truncated = self.truncated.split_at_mut(lanes);
        let match_index = self.match_index.split_at_mut(lanes);
        let decisions = self.decisions.split_at_mut(lanes);
        let skipped = self.skipped.split_at_mut(lanes);
        let final_observation = self.final_observation.split_at_mut(lanes * widths.ends * widths.observation);
        let final_features = self.final_features.split_at_mut(lanes * widths.ends * widths.features);
        let final_match_index = self.final_match_index.split_at_mut(lanes * widths.ends);
        let final_decisions = self.final_decisions.split_at_mut(lanes * widths.ends);
        (
            Rows {
                observation: observation.0,
                features: features.0,
                legal_bits: legal_bits.0,
                legal: legal.0,
                seat: seat.0,
                reward: reward.0,
                terminated: terminated.0,
                truncated: truncated.0,
                match_index: match_index.0,
                decisions: decisions.0,
                skipped: skipped.0,
                final_observation: final_observation.0,
                final_features: final_features.0,
                final_match_index: final_match_index.0,
                final_decisions: final_decisions.0,
            },
            Rows {
                observation: observation.1,
                features: features.1,
                legal_bits: legal_bits.1,
                legal: legal.1,
                seat: seat.1,
                reward: reward.1,
                terminated: terminated.1,
                truncated: truncated.1,
                match_index: match_index.1,
                decisions: decisions.1,
                skipped: skipped.1,
                final_observation: final_observation.1,
                final_features: final_features.1,
                final_match_index: final_match_index.1,
                final_decisions: final_decisions.1,
            },
        )
    }

    /// The row of one lane.
    pub(super) fn row(&mut self, lane: usize, widths: Widths) -> Rows<'_> {
        fn of<T>(array: &mut [T], lane: usize, width: usize) -> &mut [T] {
            &mut array[lane * width..][..width]
        }
        Rows {
            observation: of(self.observation, lane, widths.observation),
            features: of(self.features, lane, widths.features),
            legal_bits: of(self.legal_bits, lane, widths.legal_bits),
            legal: of(self.legal, lane, widths.legal),
            seat: of(self.seat, lane, 1),
            reward: of(self.reward, lane, widths.seats),
            terminated: of(self.terminated, lane, 1),
            truncated: of(self.truncated, lane, 1),
            match_index: of(self.match_index, lane, 1),
            decisions: of(self.decisions, lane, 1),
            skipped: of(self.skipped, lane, 1),
            final_observation: of(self.final_observation, lane, widths.ends * widths.observation),
            final_features: of(self.final_features, lane, widths.ends * widths.features),
            final_match_index: of(self.final_match_index, lane, widths.ends),
            final_decisions: of(self.final_decisions, lane, widths.ends),
        }
    }
}
