//! The expansion: conversions, favours and what they are used for (CT-COURT, CT-D-01..06).

use sengoku_tower::Action;
use sengoku_tower::data::{Card, Effect, FavourKind, PRICES, ProvinceId, Provinces, Round, Space};

use super::assigning::COLUMNS;
use super::context::DecisionContext;
use crate::{best, place_of};

/// An officer kept for later seasons.
const OFFICER: f64 = 0.3;
/// Chance that a favour is still there when one's turn comes.
const STILL_THERE: f64 = 0.85;
/// A chest or an army in the tray, while seasons are to come.
const CHEST: f64 = 0.35;
const TRAY_ARMY: f64 = 0.15;

/// Where the armies of a conversion come from, and what that is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Source {
    /// It is not wanted.
    #[default]
    None,
    /// The tray.
    Tray(f64),
    /// A province.
    Province(ProvinceId, f64),
}

impl DecisionContext<'_> {
    fn officer_worth(&self) -> f64 {
        if self.seasons_left > 0 { OFFICER } else { 0.0 }
    }

    /// A favour card for the own seat.
    fn favour_worth(&self, card: u8) -> f64 {
        let favour = self.state.board.favour(card);
        let amount = f64::from(favour.amount);
        let goes_on = self.seasons_left > 0;
        match favour.kind {
            FavourKind::CancelEvent => 0.15,
            FavourKind::Chests => {
                let short = self.state.players[self.me].chests < 9;
                amount * if goes_on || short { CHEST } else { 0.05 }
            }
            FavourKind::ArmiesToTray => amount * TRAY_ARMY,
            FavourKind::RemoveUnrest => 0.4,
            FavourKind::Rice => self.rice_worth(amount),
            FavourKind::Points => amount,
            FavourKind::ImmuneA | FavourKind::ImmuneB => 0.5 * self.exposed(),
            FavourKind::ImmuneAb => self.exposed(),
            FavourKind::ArmiesToProvince => {
                let targets = Provinces(self.own | self.neutral);
                targets.map(|province| self.three_armies(province, amount)).fold(0.0, f64::max)
            }
            FavourKind::BuildNo | FavourKind::BuildTemple | FavourKind::BuildCastle => {
                let Some(building) = favour.kind.building() else { return 0.0 };
                let sites = Provinces(self.own).filter(|&province| self.can_build(building, province));
                sites
                    .map(|province| self.building_worth(building, province, self.chance_to_hold(province)))
                    .fold(0.0, f64::max)
            }
        }
    }

    /// Expected cost of attacks in a season.
    fn exposed(&self) -> f64 {
        let fronts = Provinces(self.own).filter(|&province| self.enemies_around(province) != 0);
        fronts.map(|province| 0.05 * self.worth(province)).sum()
    }

    /// Armies by favour into an own or a neutral province.
    fn three_armies(&self, province: ProvinceId, amount: f64) -> f64 {
        if self.own & province.bit() == 0 {
            return self.stand(province, amount);
        }
        let armies = self.armies(province);
        self.stand(province, armies + amount) - self.stand(province, armies)
    }

    /// The conversions of 1, 2 and 3 armies that pay, with where the armies come from.
    pub(super) fn conversions(&self, stands: &[f64; COLUMNS]) -> [Source; 3] {
        let mut best = ([Source::None; 3], 0.0);
        let officers = self.state.players[self.me].officers;
        if officers.supply == 0 {
            return best.0;
        }
        let favours = self.state.court.laid.map(|card| card.map_or(0.0, |card| self.favour_worth(card)));
        let audience = |officers: u8| {
            let payable = favours.iter().zip(PRICES).filter(|&(_, price)| price <= officers);
            let gains = payable.map(|(favour, price)| favour - self.officer_worth() * f64::from(price));
            STILL_THERE * gains.fold(0.0, f64::max) + self.officer_worth() * f64::from(officers)
        };
        let now = audience(officers.entrance);
        let costs = self.conversion_costs(stands);
        for chosen in 1..8_u8 {
            let total: u8 = (0..3).filter(|place| chosen >> place & 1 == 1).map(|place| place + 1).sum();
            if total > officers.supply {
                continue;
            }
            let Some((mut sources, cost)) = self.find_sources(chosen, &costs) else { continue };
            let gain = audience(officers.entrance + total) - now - cost;
            if gain > best.1 {
                for source in &mut sources {
                    match source {
                        Source::Tray(share) | Source::Province(_, share) => *share = gain,
                        Source::None => {}
                    }
                }
                best = (sources, gain);
            }
        }
        best.0
    }

    /// Cost of taking 1, 2 or 3 armies out of a province: the three cheapest provinces for each.
    fn conversion_costs(&self, stands: &[f64; COLUMNS]) -> [[(f64, ProvinceId); 3]; 3] {
        let mut costs = [[(f64::INFINITY, ProvinceId(0)); 3]; 3];
        for (column, province) in Provinces(self.own).enumerate() {
            let armies = self.state.provinces[province].armies;
            for number in 1..=3_u8 {
                if armies <= number {
                    continue;
                }
                let cost = stands[column] - self.stand(province, f64::from(armies - number));
                let cheapest = &mut costs[usize::from(number) - 1];
                if let Some(place) = cheapest.iter().position(|&(known, _)| cost < known) {
                    cheapest[place..].rotate_right(1);
                    cheapest[place] = (cost, province);
                }
            }
        }
        costs
    }

    /// Sources for a set of conversions in the order 3, 2, 1: the tray first, it is free (CT-COURT-01).
    fn find_sources(&self, chosen: u8, costs: &[[(f64, ProvinceId); 3]; 3]) -> Option<([Source; 3], f64)> {
        let mut tray = self.state.tray.of(self.me);
        let (mut used, mut sum) = (0_u64, 0.0);
        let mut sources = [Source::None; 3];
        for place in (0..3_usize).rev().filter(|place| chosen >> place & 1 == 1) {
            let number = place as u8 + 1;
            if tray >= number {
                tray -= number;
                sum += 0.5 * TRAY_ARMY * f64::from(number);
                sources[place] = Source::Tray(0.0);
            } else {
                let free =
                    costs[place].iter().find(|(cost, from)| cost.is_finite() && used & from.bit() == 0);
                let &(cost, from) = free?;
                used |= from.bit();
                sum += cost;
                sources[place] = Source::Province(from, 0.0);
            }
        }
        Some((sources, sum))
    }

    /// A favour that is worth its officers, or none (CT-D-01).
    pub(super) fn take_favour(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Favour(price) => {
                let place = PRICES.into_iter().position(|known| known == price);
                let card = place.and_then(|place| self.state.court.laid[place]);
                card.map_or(0.0, |card| self.favour_worth(card)) - self.officer_worth() * f64::from(price)
            }
            _ => 0.0,
        })
    }

    /// The event goes if it stands in the way of the own plan (CT-D-02).
    pub(super) fn decide_event(&self, legal: &[Action]) -> usize {
        let planned = |space| match self.state.players[self.me].plan.card(space) {
            Card::Province(province) => Some(province),
            _ => None,
        };
        let battles = || [Space::BattleA, Space::BattleB].into_iter().filter_map(planned);
        let is_bad = match self.state.effect() {
            Some(Effect::TaxMax5) => planned(Space::Tax).is_some_and(|province| self.map.tax(province) > 5),
            Some(Effect::RiceMax3) => {
                planned(Space::Rice).is_some_and(|province| self.map.rice(province) > 3)
            }
            Some(Effect::FewRecruits) => {
                planned(Space::Deploy5).is_some() || planned(Space::Deploy3).is_some()
            }
            Some(Effect::NeutralTwoFarmers | Effect::CastleDefence) => {
                battles().any(|province| self.armies(province) > 2.0)
            }
            _ => false,
        };
        let wanted = if is_bad { Action::RemoveEvent } else { Action::Pass };
        place_of(legal, wanted).unwrap_or(0)
    }

    /// The marker that is worth most to remove (CT-D-03).
    pub(super) fn calm(&self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Province(province) => self.calm_worth(province),
            _ => f64::NEG_INFINITY,
        })
    }

    fn calm_worth(&self, province: ProvinceId) -> f64 {
        let plan = &self.state.players[self.me].plan;
        let collects = matches!(plan.space_of(province), Some(Space::Rice | Space::Tax));
        self.worth(province) * if collects { 2.0 } else { 1.0 }
    }

    /// Armies where they bring most (CT-D-05).
    pub(super) fn send_armies(&self, legal: &[Action]) -> usize {
        let card = self.state.court.taken;
        let amount = card.map_or(3.0, |card| f64::from(self.state.board.favour(card).amount));
        best(legal, |action| match action {
            Action::Province(province) => self.three_armies(province, amount),
            _ => f64::NEG_INFINITY,
        })
    }

    /// A free building where it brings most (CT-D-06).
    pub(super) fn build_by_favour(&self, legal: &[Action]) -> usize {
        let card = self.state.court.taken;
        let Some(building) = card.and_then(|card| self.state.board.favour(card).kind.building()) else {
            return 0;
        };
        best(legal, |action| match action {
            Action::Province(province) => {
                self.building_worth(building, province, self.chance_to_hold(province))
            }
            _ => f64::NEG_INFINITY,
        })
    }

    /// A kept card is used before a revolt it can weaken, or when the year runs out (CT-D-04).
    pub(super) fn use_kept(&self, legal: &[Action]) -> usize {
        let state = self.state;
        let winter = state.round == Round::Winter;
        let plan = &state.players[self.me].plan;
        let collecting = state.action().filter(|space| matches!(space, Space::Rice | Space::Tax));
        let here = match collecting.map(|space| plan.card(space)) {
            _ if winter => state.revolt,
            Some(Card::Province(province)) => Some(province),
            _ => None,
        };
        let marked = here.filter(|&province| state.provinces[province].unrest > 0);
        let wanted = marked.and_then(|province| place_of(legal, Action::Province(province)));
        if wanted.is_some() {
            return wanted.unwrap_or(0);
        }
        place_of(legal, Action::Pass).unwrap_or(0)
    }
}
