//! Hits and losses of battles.

use sengoku_swords::play::combat::Role;
use sengoku_swords::{Event, State};

use crate::tally::{Counts, DrawKind, Tally};

impl Tally for State {
    const HITS: &'static str = "hits of battle dice";
    const LOSSES: &'static str = "units lost in battle";

    fn draw_kind(event: &Event) -> Option<DrawKind> {
        match event {
            Event::Dice { .. } | Event::Assassination { .. } | Event::Revenge { .. } => Some(DrawKind::Dice),
            Event::Claimed { .. } => Some(DrawKind::Cards),
            Event::Sword { .. } => Some(DrawKind::Lots),
            _ => None,
        }
    }

    fn count(&self, past: &[Event], events: &[Event]) -> Counts {
        let mut counts = Counts::default();
        // Dice name a side of the battle under way, which may have begun before.
        let battle = |event: &Event| match event {
            Event::Battle { clan, defender, .. } => Some((*clan, *defender)),
            _ => None,
        };
        let mut sides = past.iter().rev().find_map(battle);
        for event in events {
            sides = battle(event).or(sides);
            match (event, sides) {
                (Event::Dice { role, hits, .. }, Some((attacker, defender))) => {
                    let clan = if *role == Role::Attacker { attacker } else { defender };
                    counts.hits[self.player(clan).index()] += u32::from(*hits);
                }
                (Event::Casualties { clan, provincial, army, .. }, _) => {
                    let lost: u32 = provincial.0.iter().chain(&army.0).map(|&units| u32::from(units)).sum();
                    counts.losses[self.player(*clan).index()] += lost;
                }
                _ => {}
            }
        }
        counts
    }
}
