//! The plan of a season: every card gets a worth on every space, and the best assignment is entered (TW-PLAN, CT-PLAN).

use sengoku_kernel::List;
use sengoku_tower::data::{
    Building, Card, Effect, ProvinceId, Provinces, Round, Space, TOWER_CARDS, TREASURES,
};
use sengoku_tower::state::Plan;

use super::assigning::{COLUMNS, ROWS, Worths, assign};
use super::budget::PRICES;
use super::context::{DecisionContext, USUAL_RICE};
use super::court::Source;

/// A treasure card as bid, by value, before it is paid; a province card ranks between 0 and 1 and is free.
const BID: [f64; TREASURES as usize] = [0.0, 0.5, 0.7, 0.85, 0.95];
const BID_PROVINCE: f64 = 0.3;
/// A chest kept for later seasons: what it costs to spend one, and what it is good for to get one.
const CHEST: (f64, f64) = (0.25, 0.4);
/// A chest when nothing can be bought any more; chests break ties (TW-END-02).
const LAST_CHEST: f64 = 0.02;
/// Later actions of the season may find the board changed.
const SURE: f64 = 0.85;
/// An action that would take chests from better ones.
const WASTE: f64 = -4.0;
/// A card that cannot be used like this.
const NEVER: f64 = -100.0;

/// A table of worths under construction.
struct Draft {
    worths: Worths,
    /// Province columns in which the paid actions can be carried out, by place in [`PRICES`].
    possible: [u64; PRICES.len()],
}

/// Input of a plan.
type Cards = List<Card, COLUMNS>;

impl DecisionContext<'_> {
    /// The plan that is worth most.
    pub(super) fn make_plan(&self) -> Plan {
        let mut cards: Cards = Provinces(self.own).map(Card::Province).collect();
        let provinces = cards.len();
        for value in 0..TREASURES {
            cards.push(Card::Treasure(value));
        }
        if self.state.options.court {
            for _ in 0..TOWER_CARDS {
                cards.push(Card::Tower);
            }
        }
        let spaces = self.state.spaces();
        while cards.len() < spaces {
            cards.push(Card::Empty);
        }
        let mut draft = Draft { worths: [[0.0; COLUMNS]; ROWS], possible: [0; PRICES.len()] };
        let mut stands = [0.0; COLUMNS];
        for (column, province) in Provinces(self.own).enumerate() {
            stands[column] = self.stand(province, self.armies(province));
            self.weigh_buildings(&mut draft, column, province);
            self.weigh_recruits(&mut draft, column, province, stands[column]);
        }
        self.weigh_battles(&mut draft.worths, &stands);
        self.weigh_money(&mut draft, &cards, provinces);
        if self.state.options.court {
            self.weigh_conversions(&mut draft.worths, &cards, &stands);
        }
        let assigned = assign(&draft.worths, spaces, cards.len());
        let mut plan = Plan::default();
        for (space, &column) in assigned[..spaces].iter().enumerate() {
            plan.0[space] = cards[column];
        }
        plan
    }

    /// Whether a building can stand in an own province (TW-ACT-05).
    pub(super) fn can_build(&self, building: Building, province: ProvinceId) -> bool {
        let it = &self.state.provinces[province];
        !it.has(building) && it.buildings() < self.map.sites(province) && self.tiles[building as usize] > 0
    }

    fn weigh_buildings(&self, draft: &mut Draft, column: usize, province: ProvinceId) {
        let it = &self.state.provinces[province];
        if it.buildings() >= self.map.sites(province) {
            return;
        }
        let chance_to_hold = self.chance_to_hold(province);
        for (place, building) in Building::ALL.into_iter().enumerate() {
            if self.can_build(building, province) {
                draft.possible[place] |= 1 << column;
                draft.worths[place][column] = self.building_worth(building, province, chance_to_hold) * SURE;
            }
        }
    }

    fn weigh_recruits(&self, draft: &mut Draft, column: usize, province: ProvinceId, stand: f64) {
        let supply = self.state.supply.of(self.me);
        let recruits = [(3, Space::Deploy5, 5_u8), (4, Space::Deploy3, 3), (5, Space::Deploy1, 1)];
        for (place, space, armies) in recruits {
            if supply >= armies {
                draft.possible[place] |= 1 << column;
                let then = self.stand(province, self.armies(province) + f64::from(armies));
                draft.worths[space.index()][column] = then - stand;
            }
        }
    }

    /// Both battle actions; the second does not count on the target of the first.
    fn weigh_battles(&self, worths: &mut Worths, stands: &[f64; COLUMNS]) {
        let mut targets = [0_u64; COLUMNS];
        let mut first = (0.0, 0);
        for (column, province) in Provinces(self.own).enumerate() {
            let (gain, target) = self.battle_worth(province, stands[column], 0);
            worths[Space::BattleA.index()][column] = gain;
            worths[Space::BattleB.index()][column] = gain;
            targets[column] = target;
            if gain > first.0 {
                first = (gain, target);
            }
        }
        for (column, province) in Provinces(self.own).enumerate() {
            let gain = &mut worths[Space::BattleB.index()][column];
            if *gain > 0.0 && targets[column] & first.1 != 0 {
                *gain = self.battle_worth(province, stands[column], first.1).0;
            }
        }
        for space in [Space::BattleA, Space::BattleB] {
            for gain in worths[space.index()].iter_mut().filter(|gain| **gain > 0.0) {
                *gain *= SURE;
            }
        }
    }

    /// Prices, the bid, rice and taxes.
    fn weigh_money(&self, draft: &mut Draft, cards: &Cards, provinces: usize) {
        let is_last = self.seasons_left == 0;
        let chests = self.state.players[self.me].chests;
        // Buildings of the seasons to come cost about what their taxes bring; what is there beyond is for armies.
        let is_rich = chests > 14;
        let (cost, gain) = match (is_last, is_rich) {
            (true, _) => (LAST_CHEST, LAST_CHEST),
            (false, true) => (CHEST.0 * 0.5, CHEST.1 * 0.6),
            (false, false) => CHEST,
        };
        let mut gains = [0.0; PRICES.len()];
        for (place, (space, price)) in PRICES.into_iter().enumerate() {
            let row = &mut draft.worths[space.index()];
            for column in 0..provinces {
                if draft.possible[place] >> column & 1 == 1 {
                    row[column] -= cost * f64::from(price);
                    gains[place] = f64::max(gains[place], row[column]);
                }
            }
        }
        let taxes = Provinces(self.own).map(|province| self.map.tax(province)).max().unwrap_or(0).min(5);
        let with_taxes = self.spend(&gains, taxes.into());
        let without = if chests >= 12 { with_taxes } else { self.spend(&gains, 0) };
        let needed = (with_taxes.gain - without.gain) / f64::from(taxes.max(1));
        for (column, province) in Provinces(self.own).enumerate() {
            let unrest = self.unrest_cost(province);
            let tax = self.expected_amount(Space::Tax, self.map.tax(province));
            draft.worths[Space::Tax.index()][column] = tax * (gain + needed) - unrest;
            let rice = self.expected_amount(Space::Rice, self.map.rice(province));
            draft.worths[Space::Rice.index()][column] = self.rice_worth(rice) - unrest;
        }
        for (place, (space, _)) in PRICES.into_iter().enumerate() {
            if with_taxes.chosen >> place & 1 == 0 {
                for column in (0..provinces).filter(|column| draft.possible[place] >> column & 1 == 1) {
                    draft.worths[space.index()][column] = WASTE;
                }
            }
        }
        for (column, card) in cards.iter().enumerate() {
            draft.worths[Space::Bid.index()][column] = match *card {
                Card::Province(_) => BID_PROVINCE,
                Card::Treasure(value) if u16::from(value) > with_taxes.spare => NEVER,
                Card::Treasure(value) => BID[usize::from(value)] - cost * f64::from(value),
                Card::Tower => 0.0,
                Card::Empty | Card::FaceDown => -0.1,
            };
        }
    }

    /// Average yield of a collection over the events that may come (TW-ACT-07, TW-ACT-08).
    fn expected_amount(&self, space: Space, printed: u8) -> f64 {
        let events = &self.state.open_events;
        if events.is_empty() {
            return f64::from(printed);
        }
        let amounts = events.iter().map(|&event| {
            f64::from(match (space, self.state.board.event(event).effect) {
                (Space::Tax, Effect::TaxMax5) => printed.min(5),
                (Space::Tax, Effect::TaxMin6) => printed.max(6),
                (Space::Rice, Effect::RiceMin4) => printed.max(4),
                (Space::Rice, Effect::RiceMax3) => printed.min(3),
                _ => printed,
            })
        });
        amounts.sum::<f64>() / events.len() as f64
    }

    /// Rice by what will be missing in winter without it.
    pub(super) fn rice_worth(&self, rice: f64) -> f64 {
        let seasons_after = match self.state.round {
            Round::Setup | Round::Winter => 0.0,
            season => f64::from(3 - season as u8),
        };
        let missing = self.rice_needed() - USUAL_RICE * seasons_after;
        shortage_cost(missing) - shortage_cost(missing - rice)
    }

    /// A marker more, or the revolt where one lies already (TW-ACT-09).
    fn unrest_cost(&self, province: ProvinceId) -> f64 {
        let unrest = self.state.provinces[province].unrest;
        if unrest == 0 {
            return 0.1 + 0.03 * self.worth(province);
        }
        let farmers = f64::from(unrest);
        let lost = self.tower.revolt(self.me, self.armies(province), farmers);
        0.2 + 1.1 * lost * self.worth(province) + self.army_worth() * farmers
    }

    /// Conversions: those that serve a favour, and none by mistake.
    fn weigh_conversions(&self, worths: &mut Worths, cards: &Cards, stands: &[f64; COLUMNS]) {
        let sources = self.conversions(stands);
        let officers = self.state.players[self.me].officers.supply;
        for (place, space) in [Space::Convert1, Space::Convert2, Space::Convert3].into_iter().enumerate() {
            let number = place as u8 + 1;
            for (column, card) in cards.iter().enumerate() {
                let there = match *card {
                    Card::Province(province) => self.state.provinces[province].armies.saturating_sub(1),
                    Card::Tower => self.state.tray.of(self.me),
                    _ => 0,
                };
                worths[space.index()][column] = match (sources[place], *card) {
                    (Source::Tray(gain), Card::Tower) => gain,
                    (Source::Province(from, gain), Card::Province(province)) if from == province => gain,
                    _ if there >= number && officers >= number => -0.4 * f64::from(number),
                    _ => 0.0,
                };
            }
        }
    }
}

/// Cost of a shortage in provinces lost, smoothed, because the rest of the year is uncertain (TW-WINTER-04).
fn shortage_cost(missing: f64) -> f64 {
    if missing < -3.0 {
        0.0
    } else if missing < 1.0 {
        0.15 * (missing + 3.0)
    } else {
        0.6 + 0.55 * (missing.min(9.0) - 1.0)
    }
}
