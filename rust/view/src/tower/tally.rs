//! Cubes that came out of the tower, and provinces lost.

use sengoku_tower::{Event, State};

use crate::tally::{Counts, DrawKind, Tally};

impl Tally for State {
    const HITS: &'static str = "cubes out of the tower in battles";
    const LOSSES: &'static str = "provinces lost";

    fn draw_kind(event: &Event) -> Option<DrawKind> {
        match event {
            Event::Thrown { .. } | Event::TowerFilled { .. } | Event::Bumped { .. } => Some(DrawKind::Tower),
            Event::DraftOpened { .. }
            | Event::DraftRefreshed { .. }
            | Event::DraftTaken { position: None, .. }
            | Event::DraftReplaced { .. }
            | Event::EventsOpened { .. }
            | Event::ActionCards { .. }
            | Event::SpecialCards { .. }
            | Event::FavoursLaid { .. }
            | Event::EventDrawn { .. }
            | Event::ActionRevealed { .. }
            | Event::RevoltsDrawn { .. }
            | Event::RiceLost { .. } => Some(DrawKind::Cards),
            Event::Lots { .. } => Some(DrawKind::Lots),
            _ => None,
        }
    }

    fn count(&self, _past: &[Event], events: &[Event]) -> Counts {
        let mut counts = Counts::default();
        for event in events {
            match event {
                Event::Thrown { tray, .. } => {
                    for (hits, &cubes) in counts.hits.iter_mut().zip(&tray.0) {
                        *hits += u32::from(cubes);
                    }
                }
                Event::CardLost { seat, .. } => counts.losses[seat.index()] += 1,
                _ => {}
            }
        }
        counts
    }
}
