//! How good a position of `swords` is for each player.

use std::sync::LazyLock;

use sengoku_swords::State;
use sengoku_swords::data::{MAX_CLANS, Provinces, Unit, WIN, WIN_TWO};

use super::greedy::units_worth;
use crate::evaluation::Network;

/// Facts about a player.
pub const FACTS: usize = 20;

/// Fitted to matches of `greedy` (README of the crate).
static NETWORK: LazyLock<Network<FACTS>> =
    LazyLock::new(|| Network::read(include_str!("../../data/evaluation_swords.txt")));
/// The same for two players with two clans each.
static NETWORK_OF_TWO: LazyLock<Network<FACTS>> =
    LazyLock::new(|| Network::read(include_str!("../../data/evaluation_swords2.txt")));

/// Features of a position for each player, all cheap to compute; none for a player that is out.
pub fn facts(state: &State) -> [Option<[f32; FACTS]>; MAX_CLANS] {
    let mut all = [None; MAX_CLANS];
    let goal = if state.options.seats == 2 { WIN_TWO } else { WIN };
    let grown =
        |set: u128| Provinces(set).fold(0, |grown, province| grown | state.map.neighbours(province.0));
    for clan in state.in_play() {
        let seat = state.player(clan).index();
        let facts = all[seat].get_or_insert([0.0; FACTS]);
        let own = state.owned(clan);
        let it = &state.clans[clan];
        facts[0] += own.count_ones() as f32;
        let mut threats = 0_u128;
        for enemy in state.in_play().filter(|&enemy| state.are_enemies(clan, enemy)) {
            threats |= state.army_provinces(enemy);
        }
        let near = grown(threats);
        let mut biggest: f32 = 0.0;
        let mut daimyo = 0.0;
        for army in it.armies.iter().filter(|army| !army.is_lost()) {
            daimyo += 1.0;
            let worth = units_worth(&army.units) as f32;
            facts[5] += worth;
            facts[7] += f32::from(army.level());
            biggest = biggest.max(worth);
            if let Some(province) = army.province {
                let mut worst: f32 = 0.0;
                let around = state.map.neighbours(province.0) & threats;
                for place in Provinces(around) {
                    if let Some((owner, number)) = state.army_at(place) {
                        worst = worst.max(units_worth(&state.army(owner, number).units) as f32);
                    }
                }
                let force = units_worth(&state.provinces[province].units) as f32;
                facts[15] += (worst - worth - force).max(0.0);
                facts[16] += f32::from(u8::from(around != 0)) * worth;
            }
        }
        facts[3] += daimyo;
        facts[4] += f32::from(u8::from(daimyo <= 1.0));
        facts[11] += biggest;
        for province in Provinces(own) {
            let place = &state.provinces[province];
            let worth = units_worth(&place.units) as f32;
            facts[6] += worth;
            facts[8] += f32::from(place.fort as u8);
            facts[10] += f32::from(place.hidden) + f32::from(place.units[Unit::Ronin]);
            if near & province.bit() != 0 {
                facts[12] += f32::from(u8::from(worth < 0.8));
                facts[17] += 1.0;
            }
        }
        facts[9] += f32::from(it.koku);
        facts[13] += (grown(own) & state.empty_provinces()).count_ones() as f32;
        facts[14] += f32::from(u8::from(it.sword > state.turn));
        facts[18] += f32::from(u8::from(state.ninja == Some(clan)));
        facts[19] += f32::from(u8::from(it.sword > state.turn)) * biggest;
    }
    for facts in all.iter_mut().flatten() {
        let missing = (f32::from(goal) - facts[0]).max(0.0);
        let beyond = (facts[0] - f32::from(goal) / 2.0).max(0.0);
        facts[1] = beyond * beyond / 10.0;
        facts[2] = 1.0 / (missing + 1.0);
    }
    all
}

pub(super) fn evaluate(state: &State, out: &mut [f32]) {
    let seats = usize::from(state.options.seats);
    let network = if seats == 2 { &NETWORK_OF_TWO } else { &NETWORK };
    network.evaluate(&facts(state)[..seats], out);
}
