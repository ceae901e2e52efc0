//! The context of a decision: the state as the seat sees it, and sets of provinces that every part needs.

use std::cell::{Cell, OnceCell};

use arrayvec::ArrayVec;
use sengoku_swords::data::{
    ByClan, ByProvince, ByUnit, ClanId, DAIMYO, MAX_CLANS, PROVINCES, ProvinceId, Provinces, RONIN, Unit,
};
use sengoku_swords::{Force, Side, State};

use super::threats::Army;

/// One decision of one clan.
pub(super) struct DecisionContext<'a> {
    /// The state as the seat sees it.
    pub(super) state: &'a State,
    /// The clan that decides.
    pub(super) clan: ClanId,
    /// Its provinces.
    pub(super) own: u128,
    /// Provinces of its enemies.
    pub(super) enemies: u128,
    /// Provinces of nobody.
    pub(super) empty: u128,
    /// Answers that are asked for again and again.
    known: Known,
}

/// What follows from the state, once it was asked for.
#[derive(Default)]
struct Known {
    /// Ronin that each clan has shown.
    shown: OnceCell<[u8; MAX_CLANS]>,
    /// Provinces that the player of each clan needs to win.
    missing: OnceCell<ByClan<u8>>,
    /// Other players in play.
    rivals: OnceCell<usize>,
    /// Steps from each province to the nearest enemy one.
    steps: OnceCell<ByProvince<u8>>,
    /// Armies of enemies that can attack.
    armies: OnceCell<ArrayVec<Army, { MAX_CLANS * DAIMYO }>>,
    /// Provinces whose defence was worked out, and those defences.
    defended: Cell<u128>,
    defences: OnceCell<Box<ByProvince<Cell<Side>>>>,
}

impl<'a> DecisionContext<'a> {
    pub(super) fn new(state: &'a State, clan: ClanId) -> Self {
        let (own, enemies) = (state.owned(clan), state.enemy_provinces(clan));
        Self { state, clan, own, enemies, empty: state.empty_provinces(), known: Known::default() }
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
        self.known.steps.get_or_init(|| self.all_steps())[province]
    }

    /// Steps from every province: what is next to the enemy is one step away, what is next to that two, and so on.
    fn all_steps(&self) -> ByProvince<u8> {
        let mut steps = ByProvince([PROVINCES as u8; PROVINCES]);
        let (mut reached, mut latest, mut count) = (0, self.enemies, 0);
        while latest != 0 {
            for province in Provinces(latest) {
                steps[province] = count;
            }
            reached |= latest;
            latest = self.grown(latest) & !reached;
            count += 1;
        }
        steps
    }

    /// Provinces that the player of a clan still needs to win.
    pub(super) fn missing(&self, clan: ClanId) -> u8 {
        let count = |clan| self.goal().saturating_sub(self.provinces_of_player(ClanId(clan as u8)));
        self.known.missing.get_or_init(|| ByClan(std::array::from_fn(count)))[clan]
    }

    /// Armies of enemies that can attack.
    pub(super) fn enemy_armies(&self) -> &[Army] {
        self.known.armies.get_or_init(|| self.find_enemy_armies())
    }

    /// Other players that are still in play.
    pub(super) fn rivals(&self) -> usize {
        *self.known.rivals.get_or_init(|| {
            let mut seats = 0_u32;
            for clan in self.state.in_play().filter(|&clan| self.state.are_enemies(self.clan, clan)) {
                seats |= 1 << self.state.player(clan).0;
            }
            seats.count_ones() as usize
        })
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
        let by_clan = self.known.shown.get_or_init(|| {
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
        let defence = &self
            .known
            .defences
            .get_or_init(|| Box::new(ByProvince(std::array::from_fn(|_| Cell::default()))))[province];
        if self.known.defended.get() & province.bit() == 0 {
            defence.set(self.find_defence(province));
            self.known.defended.set(self.known.defended.get() | province.bit());
        }
        defence.get()
    }

    fn find_defence(&self, province: ProvinceId) -> Side {
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

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Chance, Game, Purpose, Stream};
    use serde_json::json;

    use super::*;

    /// Steps from a province to the nearest enemy one, counted from the province.
    fn plain_steps(context: &DecisionContext<'_>, province: ProvinceId) -> u8 {
        let mut reached = province.bit();
        let mut steps = 0;
        while reached & context.enemies == 0 && usize::from(steps) < PROVINCES {
            reached = context.grown(reached);
            steps += 1;
        }
        steps
    }

    #[test]
    fn known_answers_are_the_plain_ones() {
        for seats in 2..=5 {
            let mut dice = Stream::new(5, Purpose::Game, seats as u64);
            let mut choices = Stream::new(5, Purpose::Bots, seats as u64);
            let mut state =
                State::create(seats, &json!({ "max_rounds": 5 }), &mut dice).expect("the setup is valid");
            let (mut legal, mut draw) = (Vec::new(), 0);
            while state.to_act().is_some() {
                state.legal_actions(&mut legal);
                draw += 1;
                let choice = choices.below(draw, legal.len() as u32) as usize;
                if draw % 5 == 0 {
                    for clan in state.in_play() {
                        let context = DecisionContext::new(&state, clan);
                        for province in ProvinceId::all() {
                            assert_eq!(context.steps_to_enemy(province), plain_steps(&context, province));
                            assert_eq!(context.defence(province), context.find_defence(province));
                            assert_eq!(context.defence(province), context.find_defence(province));
                        }
                        let missing = context.goal().saturating_sub(context.provinces_of_player(clan));
                        assert_eq!(context.missing(clan), missing);
                    }
                }
                state.play_unchecked(legal[choice], &mut dice);
            }
        }
    }
}
