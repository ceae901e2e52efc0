//! Blocks lost, and to whose hits.

use sengoku_battles::event::Loss;
use sengoku_battles::{Event, State};

use crate::tally::{Counts, DrawKind, Tally};

impl Tally for State {
    const HITS: &'static str = "enemy blocks removed by hits";
    const LOSSES: &'static str = "blocks lost";

    fn draw_kind(event: &Event) -> Option<DrawKind> {
        match event {
            Event::Rolled { .. } => Some(DrawKind::Dice),
            Event::Dealt { .. }
            | Event::CommandDrawn { .. }
            | Event::DragonDrawn { .. }
            | Event::CommandReplaced { .. }
            | Event::CommandLost { .. } => Some(DrawKind::Cards),
            _ => None,
        }
    }

    fn count(&self, _past: &[Event], events: &[Event]) -> Counts {
        let mut counts = Counts::default();
        for event in events {
            if let Event::BlocksLost { side, lost, why, .. } = event {
                counts.losses[side.seat().index()] += u32::from(*lost);
                if *why == Loss::Hits {
                    counts.hits[side.other().seat().index()] += u32::from(*lost);
                }
            }
        }
        counts
    }
}
