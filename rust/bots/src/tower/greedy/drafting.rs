//! Provinces and army groups at the start (TW-D-02, TW-D-03, TW-D-04).

use sengoku_tower::Action;
use sengoku_tower::data::{ProvinceId, Provinces};

use super::context::DecisionContext;
use crate::{best, place_of};

impl DecisionContext<'_> {
    /// How good a province is to begin with.
    fn start_worth(&self, province: ProvinceId) -> f64 {
        let near = self.state.neighbours(province);
        let region = self.map.region(usize::from(self.region_of[province.index()]));
        let count = |set: u64| f64::from(set.count_ones());
        f64::from(self.map.sites(province))
            + 0.2 * f64::from(self.map.tax(province))
            + 0.3 * f64::from(self.map.rice(province))
            + 0.4 * count(near & self.own)
            + 0.2 * count(region & self.own)
            - 0.15 * count(near & self.foreign)
    }

    /// Average value of the top card of the deck; the content of the deck is known, its order is not.
    fn deck_worth(&self) -> f64 {
        let deck = &self.state.draft.deck;
        let sum: f64 = deck.iter().map(|&province| self.start_worth(province)).sum();
        sum / deck.len().max(1) as f64
    }

    fn open_worth(&self, position: usize) -> f64 {
        let open = self.state.draft.open.get(position).copied().flatten();
        open.map_or(f64::NEG_INFINITY, |province| self.start_worth(province))
    }

    /// New cards, unless one of the open ones is better than most.
    pub(super) fn refresh(&self, legal: &[Action]) -> usize {
        let open = self.open_worth(0).max(self.open_worth(1));
        let wanted = if open < self.deck_worth() + 0.4 { Action::Refresh } else { Action::Keep };
        place_of(legal, wanted).unwrap_or(0)
    }

    pub(super) fn take_card(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Open(position) => self.open_worth(position.into()),
            Action::Deck => self.deck_worth(),
            _ => f64::NEG_INFINITY,
        })
    }

    /// Large groups go where much can be attacked or lost.
    pub(super) fn place_group(&self, legal: &[Action]) -> usize {
        let Some(taken) = self.state.draft.taken else { return 0 };
        let need = |province: ProvinceId| {
            let near = self.state.neighbours(province) & !self.own;
            f64::from(near.count_ones()) + 0.7 * f64::from(self.map.sites(province))
        };
        let here = need(taken);
        let others = Provinces(self.state.in_play() & !taken.bit());
        let (mut below, mut all) = (0_u32, 0_u32);
        for other in others {
            below += u32::from(need(other) < here);
            all += 1;
        }
        let groups = &self.state.players[self.me].groups;
        // Groups stand in order, the largest first.
        let place = (all - below) as usize * groups.len() / (all as usize + 1);
        let size = groups.get(place).copied().unwrap_or(1);
        place_of(legal, Action::Group(size)).unwrap_or(0)
    }
}
