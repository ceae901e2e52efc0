//! How good a position of `battles` is for each side.

use sengoku_battles::State;
use sengoku_battles::data::Side;

use super::greedy::{potential, reserve};
use crate::judge::{shares, weigh};

/// Facts about a side.
pub const FACTS: usize = 16;

/// Weight of each fact, fitted to matches of `greedy` (README of the crate).
const WEIGHTS: [f32; FACTS] = [
    -0.607, 1.555, -0.279, 0.047, -0.126, -0.147, -0.393, -0.278, 0.093, 0.430, 0.211, 0.070, 0.167, 0.588, 0.043, -0.184,
];

/// What counts for a side, all of it cheap to find.
pub fn facts(state: &State, side: Side) -> [f32; FACTS] {
    let foe = side.other();
    let needed = state.scenario.banners_to_win[side].saturating_sub(state.banner_count(side));
    let foes = state.unit_hexes(foe);
    let mut facts = [0.0; FACTS];
    facts[0] = f32::from(needed);
    facts[1] = 1.0 / f32::from(needed.max(1));
    for unit in state.units_of(side) {
        let unit = state.unit(unit);
        let close = unit.hex.neighbours().meets(foes);
        facts[2] += 1.0;
        facts[3] += f32::from(unit.blocks);
        match unit.blocks {
            1 => facts[if close { 6 } else { 4 }] += 1.0,
            2 => facts[if close { 7 } else { 5 }] += 1.0,
            _ => {}
        }
        facts[13] += potential(unit.kind) as f32;
        facts[14] += f32::from(u8::from(close)) * f32::from(unit.blocks);
    }
    facts[8] = state.leader_hexes(side).len() as f32;
    facts[9] = reserve(state.honor[side]) as f32;
    facts[10] = state.command.hands[side].len() as f32;
    facts[11] = state.dragon.hands[side].len() as f32;
    facts[12] = f32::from(u8::from(state.active == side));
    facts[15] = (foes.neighbours() & state.unit_hexes(side)).len() as f32;
    facts
}

pub(super) fn judge(state: &State, out: &mut [f32]) {
    let scores = Side::ALL.map(|side| weigh(&facts(state, side), &WEIGHTS));
    shares(&scores, out);
}
