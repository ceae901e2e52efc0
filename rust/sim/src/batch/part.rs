//! Work on the lanes of a batch: it is halved over the threads, down to single lanes.

use std::sync::{Mutex, PoisonError};

use sengoku_kernel::Cancel;

use super::lane::{BatchConfig, End, Lane, Scratch, mark};
use super::rows::{Rows, Widths};
use super::{Autoreset, Batch};
use crate::Playable;

/// One lane, and everything that is needed to move it.
pub(super) struct Place<'a, G: Playable> {
    pub(super) number: usize,
    pub(super) lane: &'a mut Lane<G>,
    pub(super) bits: &'a mut [u64],
    pub(super) row: Rows<'a>,
    pub(super) config: &'a BatchConfig<G>,
    pub(super) scratch: &'a mut Scratch<G>,
    pub(super) cancel: &'a Cancel,
}

impl<G: Playable> Place<'_, G> {
    pub(super) fn advance(&mut self) {
        self.lane.advance(self.config, self.scratch, self.bits, self.cancel);
    }

    pub(super) fn begin(&mut self, before: u64) {
        self.lane.begin(self.config, self.number, before);
        self.advance();
    }

    /// Writes what is seen and legal; a row that is `fresh` may have anything in it.
    fn write_view(&mut self, fresh: bool) {
        self.lane.write_seen(self.config, &mut self.scratch.seen, fresh, &mut self.row);
        self.lane.write_view(self.bits, &mut self.row);
    }

    /// Writes into a row in which anything may stand.
    pub(super) fn write_anew(&mut self) {
        self.row.legal.fill(0);
        self.write_view(true);
        self.lane.write_end(true, &mut self.row);
    }

    /// Plays an action, which must be legal, if the match is not over.
    pub(super) fn step(&mut self, action: i64, autoreset: Autoreset) {
        // What was legal is taken back one by one: rows are long, and a few of their bytes are set.
        mark(self.bits, 0, self.row.legal);
        let playing = self.lane.end == End::Playing;
        match (self.lane.end, autoreset) {
            (End::Playing, _) => {
                let action = u32::try_from(action).ok().and_then(G::action_at);
                self.lane.play(action.expect("legal actions are in the table"));
                self.advance();
            }
            (End::Over | End::Cut, Autoreset::Disabled) => {
                // Nothing happens, so nothing is paid for it.
                self.write_view(false);
                self.lane.write_end(false, &mut self.row);
                return;
            }
            (End::Over | End::Cut, _) => self.begin(self.lane.before + 1),
        }
        self.lane.write_end(true, &mut self.row);
        if playing {
            self.lane.write_shaping(self.config, &mut self.row);
        }
        if self.lane.end != End::Playing && autoreset == Autoreset::SameStep {
            self.lane.write_last(self.config, &mut self.row);
            self.begin(self.lane.before + 1);
        }
        self.write_view(false);
    }
}

/// Data that all parts of the work share.
pub(super) struct Common<'a, G: Playable> {
    pub(super) config: &'a BatchConfig<G>,
    pub(super) scratch: &'a [Mutex<Scratch<G>>],
    pub(super) widths: Widths,
    pub(super) cancel: &'a Cancel,
}

/// Lanes next to each other.
pub(super) struct Part<'a, G> {
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lane<G>],
    pub(super) bits: &'a mut [u64],
    pub(super) rows: Rows<'a>,
}

impl<G: Playable> Part<'_, G> {
    pub(super) fn run(mut self, common: &Common<'_, G>, work: &(impl Fn(Place<'_, G>) + Sync)) {
        let (words, &Common { config, scratch, widths, cancel }) = (Batch::<G>::WORDS, common);
        if self.lanes.len() > config.grain() && scratch.len() > 1 {
            let half = self.lanes.len() / 2;
            let (lanes, other_lanes) = self.lanes.split_at_mut(half);
            let (bits, other_bits) = self.bits.split_at_mut(half * words);
            let (rows, other_rows) = self.rows.halves(half, widths);
            let one = Part { first: self.first, lanes, bits, rows };
            let other =
                Part { first: self.first + half, lanes: other_lanes, bits: other_bits, rows: other_rows };
            rayon::join(|| one.run(common, work), || other.run(common, work));
            return;
        }
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
        // What a panic leaves in it is room, and nothing else.
        let mut scratch = scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let lanes = self.lanes.iter_mut().zip(self.bits.chunks_exact_mut(words));
        for (place, (lane, bits)) in lanes.enumerate() {
            let row = self.rows.row(place, widths);
            if cancel.is_cancelled() {
                return;
            }
            let number = self.first + place;
            work(Place { number, lane, bits, row, config, scratch: &mut scratch, cancel });
        }
    }
}
