//! The whole match as one plain value, and questions about it (SW-S-01..34).

use sengoku_kernel::Seat;
use serde::{Deserialize, Serialize};

use crate::data::{ByClan, ByProvince, ClanId, DAIMYO, MAX_CLANS, ProvinceId, Provinces};
use crate::force::Side;
use crate::map::Map;
pub(crate) use crate::pieces::Cards;
pub use crate::pieces::{Army, Clan, Levied, Options, Plan, PlanBox, Province};
use crate::play::series::Series;
pub use crate::point::{Attacker, End, Fight, March, Phase, Point, Recovery, Revenge};
use crate::stock::Pool;

/// A match of the game: everything there is, in one plain value.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The board.
    #[serde(skip, default = "Map::standard")]
    pub map: &'static Map,
    /// Options fixed before the match.
    pub options: Options,
    /// Number of the round, 0 during setup.
    pub round: u16,
    /// The current point of play.
    pub point: Point,
    /// The clan that is asked at this point.
    pub decider: ClanId,
    /// The ninja window that is open, if one is (SW-NW-01..13).
    pub window: Option<u8>,
    /// A revenge to be taken first.
    pub revenge: Option<Revenge>,
    /// Daimyo to be placed first.
    pub recovery: Option<Recovery>,
    /// The clan whose war turn it is.
    pub active: ClanId,
    /// The sword whose war turn it is or was last, 0 before the first of a round.
    pub turn: u8,
    /// Phase of the war turn.
    pub phase: Phase,
    /// The army that must be moved next because another one has stopped on it (SW-R-44).
    pub must_move: Option<u8>,
    /// Declared targets of the active clan's armies (SW-S-30).
    pub declared_armies: [Option<ProvinceId>; DAIMYO],
    /// Declared targets of its provincial forces, by the province they stand in (SW-S-30).
    #[serde(with = "crate::position::targets")]
    pub declared_forces: ByProvince<Option<ProvinceId>>,
    /// The force whose attacks are under way, and what is left of them (SW-S-31).
    pub series: Option<(Attacker, Series)>,
    /// The battle under way.
    pub fight: Option<Fight>,
    /// A move that is half made.
    pub march: Option<March>,
    /// The common stock (SW-S-26).
    pub pool: Pool,
    /// The clan that holds the ninja, if it is not in the pool (SW-S-27).
    pub ninja: Option<ClanId>,
    /// The ninja was hired in this round, not in the one before (SW-S-28).
    pub ninja_fresh: bool,
    /// The clan whose plan the holder has seen (SW-S-29).
    pub spied: Option<ClanId>,
    /// Draws made so far.
    pub draws: u32,
    /// The clans.
    pub clans: ByClan<Clan>,
    /// The provinces.
    pub provinces: ByProvince<Province>,
    /// The provinces of each clan as sets: what `provinces` says, ready for use.
    #[serde(skip)]
    pub(crate) owned: ByClan<u128>,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        // Everything but `owned`, which follows from `provinces`.
        std::ptr::eq(self.map, other.map)
            && self.options == other.options
            && self.round == other.round
            && self.point == other.point
            && self.decider == other.decider
            && self.window == other.window
            && self.revenge == other.revenge
            && self.recovery == other.recovery
            && self.active == other.active
            && self.turn == other.turn
            && self.phase == other.phase
            && self.must_move == other.must_move
            && self.declared_armies == other.declared_armies
            && self.declared_forces == other.declared_forces
            && self.series == other.series
            && self.fight == other.fight
            && self.march == other.march
            && self.pool == other.pool
            && self.ninja == other.ninja
            && self.ninja_fresh == other.ninja_fresh
            && self.spied == other.spied
            && self.draws == other.draws
            && self.clans == other.clans
            && self.provinces == other.provinces
    }
}

impl Eq for State {}

impl State {
    /// Number of clans.
    pub const fn clan_count(&self) -> usize {
        self.options.clans()
    }

    /// All clans that are still in play, in order.
    pub fn in_play(&self) -> impl Iterator<Item = ClanId> + use<> {
        let playing: [bool; MAX_CLANS] =
            std::array::from_fn(|clan| clan < self.clan_count() && self.clans.0[clan].out == 0);
        (0..MAX_CLANS as u8).map(ClanId).filter(move |clan| playing[clan.index()])
    }

    /// The player who runs a clan (SW-S-15).
    pub const fn player(&self, clan: ClanId) -> Seat {
        Seat(if self.options.seats == 2 { clan.0 / 2 } else { clan.0 })
    }

    /// Whether two clans are different and not allied (SW-TWO-04).
    pub fn are_enemies(&self, one: ClanId, other: ClanId) -> bool {
        self.player(one) != self.player(other)
    }

    /// The provinces of a clan as a set.
    pub fn owned(&self, clan: ClanId) -> u128 {
        self.owned[clan]
    }

    /// Number of provinces of a clan (SW-S-21).
    pub fn province_count(&self, clan: ClanId) -> u8 {
        self.owned[clan].count_ones() as u8
    }

    /// The provinces of all enemies of a clan, as a set.
    pub fn enemy_provinces(&self, clan: ClanId) -> u128 {
        (0..self.clan_count() as u8)
            .map(ClanId)
            .filter(|&other| self.are_enemies(clan, other))
            .fold(0, |set, other| set | self.owned[other])
    }

    /// The provinces that nobody owns, as a set.
    pub fn empty_provinces(&self) -> u128 {
        !self.owned.0.iter().fold(0, |set, owned| set | owned) & ((1 << crate::data::PROVINCES) - 1)
    }

    /// The provinces in which armies of a clan stand, as a set.
    pub fn army_provinces(&self, clan: ClanId) -> u128 {
        self.clans[clan]
            .armies
            .iter()
            .filter_map(|army| army.province)
            .fold(0, |set, place| set | place.bit())
    }

    /// The army of a province's owner that stands there.
    pub fn army_at(&self, province: ProvinceId) -> Option<(ClanId, u8)> {
        let owner = self.provinces[province].owner?;
        self.own_army_at(owner, province).map(|army| (owner, army))
    }

    /// The first army of a clan that stands in a province.
    pub fn own_army_at(&self, clan: ClanId, province: ProvinceId) -> Option<u8> {
        self.clans[clan].armies.iter().position(|army| army.province == Some(province)).map(|army| army as u8)
    }

    /// Another army of the clan that stands where this one stands.
    pub fn army_beside(&self, clan: ClanId, army: u8) -> Option<u8> {
        let armies = &self.clans[clan].armies;
        let place = armies[army as usize].province?;
        (0..DAIMYO as u8).find(|&other| other != army && armies[other as usize].province == Some(place))
    }

    /// An army.
    pub fn army(&self, clan: ClanId, army: u8) -> &Army {
        &self.clans[clan].armies[army as usize]
    }

    /// An army, to be changed.
    pub(crate) fn army_mut(&mut self, clan: ClanId, army: u8) -> &mut Army {
        &mut self.clans[clan].armies[army as usize]
    }

    /// The forces of a province as one side, without bonus units.
    pub fn forces_at(&self, province: ProvinceId) -> Side {
        let army = self.army_at(province).map(|(clan, army)| self.army(clan, army).force());
        Side {
            provincial: self.provinces[province].force(),
            army: army.unwrap_or_default(),
            ..Side::default()
        }
    }

    /// Whether both an army and a provincial force of the owner stand there (SW-GEN-07).
    pub fn is_two_force(&self, province: ProvinceId) -> bool {
        self.provinces[province].units.regulars() > 0 && self.army_at(province).is_some()
    }

    /// Hands a province over; the only place where owners change.
    pub(crate) fn set_owner(&mut self, province: ProvinceId, owner: Option<ClanId>) {
        if let Some(old) = self.provinces[province].owner {
            self.owned[old] &= !province.bit();
        }
        if let Some(new) = owner {
            self.owned[new] |= province.bit();
        }
        self.provinces[province].owner = owner;
    }

    /// Makes the sets follow the owners after a state was written from outside.
    pub(crate) fn index_owners(&mut self) {
        self.owned = ByClan::default();
        for province in ProvinceId::all() {
            if let Some(owner) = self.provinces[province].owner
                && let Some(set) = self.owned.0.get_mut(owner.index())
            {
                *set |= province.bit();
            }
        }
    }

    /// The sizes of a clan's face-down ronin cards, largest first: all that others see of them (SW-R-88).
    pub fn cards(&self, clan: ClanId) -> impl Iterator<Item = u8> + use<> {
        let mut cards = Cards::default();
        for province in Provinces(self.owned[clan]) {
            cards.add(self.provinces[province].hidden);
        }
        cards
    }

    /// Whether the match is over.
    pub const fn is_over(&self) -> bool {
        matches!(self.point, Point::Over(_))
    }
}
