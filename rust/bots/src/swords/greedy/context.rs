//! The context of a decision: the state as the seat sees it, and sets of provinces that every part needs.

use std::cell::OnceCell;

use sengoku_swords::data::{ByUnit, ClanId, MAX_CLANS, PROVINCES, ProvinceId, Provinces, RONIN, Unit};
use sengoku_swords::{Force, Side, State};

use super::chances::Chances;

/// One decision of one clan.
pub(super) struct DecisionContext<'a> {
    /// The state as the seat sees it.
    pub(super) state: &'a State,
    /// The clan that decides.
    pub(super) clan: ClanId,
    /// Odds of battles.
    pub(super) chances: &'a mut Chances,
    /// Its provinces.
    pub(super) own: u128,
    /// Provinces of its enemies.
    pub(super) enemies: u128,
    /// Provinces of nobody.
    pub(super) empty: u128,
    /// Ronin that each clan has shown, once they were counted.
    shown: OnceCell<[u8; MAX_CLANS]>,
}

impl<'a> DecisionContext<'a> {
    pub(super) fn new(state: &'a State, clan: ClanId, chances: &'a mut Chances) -> Self {
        let (own, enemies) = (state.owned(clan), state.enemy_provinces(clan));
        Self { state, clan, chances, own, enemies, empty: state.empty_provinces(), shown: OnceCell::new() }
    }

    /// The provinces next to a province.
    pub(super) fn around(&self, province: ProvinceId) -> u128 {
        self.state.map.neighbours(province.0)
    }

    /// The provinces next to a set of provinces, and the set.
    pub(super) fn grown(&self, set: u128) -> u128 {
        Provinces(set).fold(set, |grown, province| grown | self.around(province))
    }

    /// Whether an enemy is next to a province.
    pub(super) fn is_front(&self, province: ProvinceId) -> bool {
        self.around(province) & self.enemies != 0
    }

    /// Steps from a province to the nearest enemy one, over any land.
    pub(super) fn steps_to_enemy(&self, province: ProvinceId) -> u8 {
        let mut reached = province.bit();
        let mut steps = 0;
        while reached & self.enemies == 0 && usize::from(steps) < PROVINCES {
            reached = self.grown(reached);
            steps += 1;
        }
        steps
    }

    /// Other players that are still in play.
    pub(super) fn rivals(&self) -> usize {
        let mut seats = 0_u32;
        for clan in self.state.in_play().filter(|&clan| self.state.are_enemies(self.clan, clan)) {
            seats |= 1 << self.state.player(clan).0;
        }
        seats.count_ones() as usize
    }

    /// A number that looks random but follows from the own provinces, so that the parts of one answer agree on it.
    pub(super) fn mix(&self, below: u32) -> u32 {
        let folded = self.own as u64 ^ (self.own >> 64) as u64 ^ u64::from(self.state.round) << 32;
        let mut word = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word ^= word >> 29;
        word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (word >> 33) as u32 % below
    }

    /// Ronin that lie hidden with a clan, as far as the public counts tell: what it hired and has not shown.
    pub(super) fn hidden_ronin(&self, clan: ClanId) -> u8 {
        let state = self.state;
        let shown_by = |clan: ClanId| -> u8 {
            let armies = state.clans[clan].armies.iter().map(|army| army.units[Unit::Ronin]);
            let forces = Provinces(state.owned(clan)).map(|place| state.provinces[place].units[Unit::Ronin]);
            armies.chain(forces).fold(0, u8::saturating_add)
        };
        let by_clan = self.shown.get_or_init(|| {
            let mut by_clan = [0; MAX_CLANS];
            for clan in state.in_play() {
                by_clan[clan.index()] = shown_by(clan);
            }
            by_clan
        });
        let shown = by_clan.iter().copied().fold(0, u8::saturating_add);
        let known: u8 = Provinces(self.own).map(|place| state.provinces[place].hidden).sum();
        let hidden = RONIN.saturating_sub(state.pool.ronin).saturating_sub(shown).saturating_sub(known);
        let hired = state.clans[clan].plan.ronin.saturating_mul(2);
        hired.saturating_sub(by_clan[clan.index()]).min(hidden)
    }

    /// The defence of a province, with a guess at the ronin that may lie there hidden.
    pub(super) fn defence(&self, province: ProvinceId) -> Side {
        let state = self.state;
        let place = &state.provinces[province];
        let bonus = place.fort.bonus().saturating_sub(place.bonus_lost);
        let mut side = Side { fort: place.fort, bonus, ..state.forces_at(province) };
        let Some(owner) = place.owner else { return side };
        let stack = if state.player(owner) == state.player(self.clan) {
            place.hidden
        } else {
            let hidden = self.hidden_ronin(owner);
            // Armies are where ronin are worth hiding; a guess, since only the sizes of the cards are known.
            let guess = if side.army.is_empty() { hidden / 4 } else { hidden.div_ceil(2) };
            guess.min(side.ronin_limit())
        };
        let army = stack.min(room(&side.army));
        side.army.units[Unit::Ronin] += army;
        side.provincial.units[Unit::Ronin] += (stack - army).min(room(&side.provincial));
        side
    }

    /// The army or provincial force of a province as it would attack, with the ronin that lie there.
    pub(super) fn with_stack(&self, mut force: Force, province: ProvinceId) -> Force {
        let stack = self.state.provinces[province].hidden;
        force.units[Unit::Ronin] += stack.min(room(&force));
        force
    }
}

/// Room for further ronin.
fn room(force: &Force) -> u8 {
    force.ronin_limit().saturating_sub(force.units[Unit::Ronin])
}

/// Kinds from the cheapest to the dearest.
pub(super) const CHEAPEST: [Unit; 4] = [Unit::Spear, Unit::Gun, Unit::Sword, Unit::Bow];

/// The cheapest kind that is there.
pub(super) fn cheapest(units: &ByUnit<u8>) -> Option<Unit> {
    CHEAPEST.into_iter().find(|&unit| units[unit] > 0)
}
