//! The context of a decision: the state as the seat sees it, and numbers that every part needs.

use std::cell::OnceCell;

use sengoku_tower::State;
use sengoku_tower::board::Map;
use sengoku_tower::data::{
    Building, ByProvince, PROVINCES, ProvinceId, Provinces, REGIONS, Round, SeatId, Space,
};

use super::chances::Tower;

/// One decision of one player.
pub(super) struct DecisionContext<'a> {
    /// The state as the seat sees it.
    pub(super) state: &'a State,
    /// The player to decide.
    pub(super) me: SeatId,
    /// The side of the board.
    pub(super) map: &'static Map,
    /// Own provinces.
    pub(super) own: u64,
    /// Provinces of other players.
    pub(super) foreign: u64,
    /// Provinces of nobody.
    pub(super) neutral: u64,
    /// Odds of clashes.
    pub(super) tower: Tower,
    /// Winters that are still to be scored.
    pub(super) winters: f64,
    /// Seasons after this one.
    pub(super) seasons_left: u8,
    /// Chance that a province is drawn for a revolt in the next winter.
    pub(super) drawn: f64,
    /// Farmers of such a revolt, besides the markers.
    pub(super) extra_farmers: f64,
    /// Most own and most foreign buildings, by kind and region.
    pub(super) built: [[(u8, u8); REGIONS]; 3],
    /// Tiles in supply, by kind.
    pub(super) tiles: [u8; 3],
    /// Region of each province.
    pub(super) region_of: [u8; PROVINCES],
    /// Value of each province in own hands, as it stands, once it was asked for.
    worths: ByProvince<OnceCell<f64>>,
}

impl<'a> DecisionContext<'a> {
    pub(super) fn new(state: &'a State, me: SeatId) -> Self {
        let own = state.owned(me);
        let foreign = state.all_owned() & !own;
        let seasons = match state.round {
            Round::Setup => 4,
            Round::Winter => 0,
            season => 4 - season as u8,
        };
        let years_after = 2_u8.saturating_sub(state.year);
        let mut context = Self {
            state,
            me,
            map: state.map(),
            own,
            foreign,
            neutral: state.in_play() & !own & !foreign,
            tower: Tower::of(state),
            winters: f64::from(years_after + 1),
            seasons_left: (years_after * 3 + seasons).saturating_sub(1),
            drawn: 0.0,
            extra_farmers: 0.0,
            built: [[(0, 0); REGIONS]; 3],
            tiles: [0; 3],
            region_of: [0; PROVINCES],
            worths: ByProvince([const { OnceCell::new() }; PROVINCES]),
        };
        context.count_buildings();
        let shortage = context.expected_shortage().clamp(0.0, 20.0) as u8;
        let (revolts, extra_farmers) = state.board.revolts(shortage);
        // Rice may still fall short in another way than expected.
        context.drawn = (f64::from(revolts) + 0.3) / f64::from(own.count_ones().max(4));
        context.extra_farmers = f64::from(extra_farmers.max(1));
        context
    }

    /// Value of a province in own hands, as it stands.
    pub(super) fn worth(&self, province: ProvinceId) -> f64 {
        *self.worths[province].get_or_init(|| self.worth_of(province))
    }

    fn count_buildings(&mut self) {
        let mut sets = [0_u64; 3];
        for province in Provinces(self.own | self.foreign) {
            let it = &self.state.provinces[province];
            for building in Building::ALL {
                sets[building as usize] |= u64::from(it.has(building)) << province.0;
            }
        }
        self.tiles = Building::ALL
            .map(|building| building.tiles().saturating_sub(sets[building as usize].count_ones() as u8));
        for region in 0..REGIONS {
            let here = self.map.region(region);
            for province in Provinces(here) {
                self.region_of[province.index()] = region as u8;
            }
            for (kind, set) in sets.iter().enumerate().filter(|(_, set)| *set & here != 0) {
                let count = |seat| (self.state.owned(seat) & here & set).count_ones() as u8;
                let others = self.state.everyone().filter(|&seat| seat != self.me).map(count).max();
                self.built[kind][region] = (count(self.me), others.unwrap_or(0));
            }
        }
    }

    /// Rice that will be missing in winter if the rest of the year goes as usual.
    pub(super) fn expected_shortage(&self) -> f64 {
        let state = self.state;
        if state.round == Round::Winter {
            return f64::from(state.players[self.me].shortage);
        }
        let player = &state.players[self.me];
        let to_come = match state.round {
            Round::Setup => 3.0,
            season => f64::from(3 - season as u8) + f64::from(u8::from(!player.revealed.has(Space::Rice))),
        };
        self.rice_needed() - USUAL_RICE * to_come
    }

    /// Rice that is missing now for all provinces and the loss of winter.
    pub(super) fn rice_needed(&self) -> f64 {
        let events = &self.state.open_events;
        let losses: f64 = events.iter().map(|&event| f64::from(self.state.rice_loss(event))).sum();
        let loss = if events.is_empty() { 0.0 } else { losses / events.len() as f64 };
        f64::from(self.own.count_ones()) + loss - f64::from(self.state.players[self.me].rice)
    }

    /// Armies in a province.
    pub(super) fn armies(&self, province: ProvinceId) -> f64 {
        f64::from(self.state.provinces[province].armies)
    }

    /// Provinces of others next to a province.
    pub(super) fn enemies_around(&self, province: ProvinceId) -> u64 {
        self.state.neighbours(province) & self.foreign
    }
}

/// Rice that a collection brings.
pub(super) const USUAL_RICE: f64 = 3.8;
