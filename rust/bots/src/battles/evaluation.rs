//! How good a position of `battles` is for each side.

use std::sync::LazyLock;

use sengoku_battles::State;
use sengoku_battles::data::Side;

use super::greedy::{potential, prospects, reserve};
use crate::evaluation::Network;

/// Facts about a side.
pub const FACTS: usize = 23;

/// Fitted to matches of `greedy` (README of the crate).
static NETWORK: LazyLock<Network<FACTS>> =
    LazyLock::new(|| Network::read(include_str!("../../data/evaluation_battles.txt")));

/// Features of a position for a side, all cheap to compute.
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
    facts[16] = (foes.neighbours().neighbours() & state.unit_hexes(side)).len() as f32;
    facts[17] = (foes.neighbours() & state.leader_hexes(side)).len() as f32;
    let [best, three] = prospects(state, side);
    facts[18] = best as f32;
    facts[19] = three as f32;
    facts[20] = facts[12] * best as f32;
    facts[21] = facts[12] * three as f32;
    facts[22] = three as f32 * facts[1];
    facts
}

pub(super) fn evaluate(state: &State, out: &mut [f32]) {
    NETWORK.evaluate(&Side::ALL.map(|side| Some(facts(state, side))), out);
}
