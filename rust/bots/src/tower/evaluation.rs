//! How good a position of `tower` is for each player.

use std::sync::LazyLock;

use sengoku_tower::State;
use sengoku_tower::data::{Building, COLOURS, MAX_PLAYERS, Provinces, REGIONS, Round, SeatId, Space};

use crate::evaluation::Network;

/// Facts about a player.
pub const FACTS: usize = 24;

/// Fitted to matches of `greedy` (README of the crate).
static NETWORK: LazyLock<Network<FACTS>> =
    LazyLock::new(|| Network::read(include_str!("../../data/evaluation_tower.txt")));

/// Points that a winter would give now, province and building points and majorities, to every player.
fn winter_now(state: &State, points: &mut [f32; MAX_PLAYERS]) {
    let map = state.map();
    let mut built = [0_u64; 3];
    for province in Provinces(state.all_owned()) {
        let it = &state.provinces[province];
        for building in Building::ALL {
            built[building as usize] |= u64::from(it.has(building)) << province.0;
        }
    }
    for seat in state.everyone() {
        let own = state.owned(seat);
        let standing: u32 = built.iter().map(|set| (set & own).count_ones()).sum();
        points[seat.index()] = (own.count_ones() + standing) as f32;
    }
    for region in 0..REGIONS {
        let here = map.region(region);
        for building in Building::ALL {
            let set = built[building as usize] & here;
            if set == 0 {
                continue;
            }
            let count = |seat: SeatId| (state.owned(seat) & set).count_ones();
            let most = state.everyone().map(count).max().unwrap_or(0);
            let shared = state.everyone().filter(|&seat| count(seat) == most).count() > 1;
            for seat in state.everyone().filter(|&seat| count(seat) == most) {
                points[seat.index()] += f32::from(building.majority() - u8::from(shared));
            }
        }
    }
}

/// Features of a position for each player, all cheap to compute.
pub fn facts(state: &State) -> [[f32; FACTS]; MAX_PLAYERS] {
    let mut all = [[0.0; FACTS]; MAX_PLAYERS];
    let mut points = [0.0; MAX_PLAYERS];
    winter_now(state, &mut points);
    let years_after = 2_u8.saturating_sub(state.year);
    let (in_year, collections) = match state.round {
        Round::Setup => (3.0, 3.0),
        Round::Winter => (0.0, 0.0),
        season => (f32::from(4 - season as u8), f32::from(3 - season as u8)),
    };
    // A season that is under way counts for what of it is to come.
    let under_way = if in_year > 0.0 { f32::from(state.place.min(10)) / 10.0 } else { 0.0 };
    let seasons = (f32::from(years_after) * 3.0 + in_year - under_way) / 6.0;
    let winters = f32::from(years_after) + 1.0;
    let map = state.map();
    let inside = state.tower.contents::<COLOURS>();
    for seat in state.everyone() {
        let player = &state.players[seat];
        let own = state.owned(seat);
        let foreign = state.all_owned() & !own;
        let (mut armies, mut yields, mut sites, mut unrest, mut weak, mut strong) =
            (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for province in Provinces(own) {
            let it = &state.provinces[province];
            armies += f32::from(it.armies);
            yields += f32::from(map.tax(province)) + f32::from(map.rice(province));
            sites += f32::from(map.sites(province).saturating_sub(it.buildings()));
            unrest += f32::from(it.unrest);
            let around = state.neighbours(province) & foreign;
            let threat = Provinces(around).map(|from| state.provinces[from].armies.saturating_sub(1)).max();
            let threat = f32::from(threat.unwrap_or(0));
            let value = 1.0 + f32::from(it.buildings());
            weak += value * f32::from(u8::from(threat >= f32::from(it.armies)));
            strong += (f32::from(it.armies) - 1.0).max(0.0) * f32::from(u8::from(around != 0));
        }
        let to_come = collections
            + f32::from(u8::from(
                in_year > 0.0 && state.round != Round::Setup && !player.revealed.has(Space::Rice),
            ));
        let rice = f32::from(player.rice) + 3.8 * to_come - own.count_ones() as f32;
        let cubes = f32::from(state.tray.0[seat.index()]) + f32::from(inside[seat.index()]);
        let score = f32::from(player.score);
        let coming = winters * points[seat.index()];
        let officers = f32::from(player.officers.hall) + 0.5 * f32::from(player.officers.entrance);
        all[seat.index()] = [
            score,
            score * seasons,
            coming,
            coming * seasons,
            armies,
            armies * seasons,
            f32::from(player.chests),
            f32::from(player.chests) * seasons,
            rice.min(0.0),
            rice.max(0.0),
            cubes,
            yields * seasons,
            sites * seasons,
            unrest,
            weak,
            weak * seasons,
            strong * seasons,
            officers,
            officers * seasons,
            player.kept.iter().count() as f32,
            rice.min(0.0) * seasons,
            own.count_ones() as f32 * seasons,
            cubes * seasons,
            unrest * seasons,
        ];
    }
    all
}

pub(super) fn evaluate(state: &State, out: &mut [f32]) {
    let seats = usize::from(state.options.seats);
    NETWORK.evaluate(&facts(state).map(Some)[..seats], out);
}
