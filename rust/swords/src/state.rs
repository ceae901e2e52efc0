//! The whole match as one plain value, and what is always true of it (SW-S-01..34).

use sengoku_kernel::Seat;
use serde::{Deserialize, Serialize};

use crate::data::{
    ByClan, ByProvince, ByUnit, ClanId, DAIMYO, EXP_HOLES, Fort, MAX_CLANS, ProvinceId, Provinces, RONIN,
    Unit,
};
use crate::force::{Force, Losses, Side};
use crate::map::Map;
use crate::play::attacks::Series;
use crate::play::combat::{Combat, Role};
use crate::stock::{Pool, Tray};

/// What is agreed before the match (SW-S-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Players at the table; two of them run two clans each (SW-TWO-01).
    pub seats: u8,
    /// Victory is looked at only at the end of a round (SW-LONG-01).
    pub long_game: bool,
    /// Armies may be attacked in round 1 of a two-player game (SW-TWO-07).
    pub two_player_early_attacks: bool,
    /// The host's cap: the match ends after this many rounds without a result (SW-R-81).
    pub max_rounds: u16,
}

impl Options {
    /// Clans in the match (SW-GEN-01).
    pub const fn clans(&self) -> usize {
        if self.seats == 2 { 4 } else { self.seats as usize }
    }
}

/// One province (SW-S-01..07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Province {
    /// The clan that holds its card, if it is not empty.
    pub owner: Option<ClanId>,
    /// Its building.
    pub fort: Fort,
    /// The provincial force with its revealed ronin.
    pub units: ByUnit<u8>,
    /// Ronin under a face-down card.
    pub hidden: u8,
    /// Bonus units lost in this war turn.
    pub bonus_lost: u8,
    /// Units of the force that were dropped, detached or moved in this phase (SW-R-74, SW-R-91).
    pub moved: ByUnit<u8>,
    /// A levied unit on its way here while the others still choose: the kind, and whether it joins the army.
    pub levy: Option<Levied>,
}

/// Sizes of face-down ronin cards, given largest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    counts: [u8; RONIN as usize + 1],
    /// A bit for each size that there is; mostly there is none.
    sizes: u32,
}

impl Cards {
    /// Adds a card, if there are ronin under it.
    pub(crate) fn add(&mut self, ronin: u8) {
        let size = ronin.min(RONIN);
        self.counts[usize::from(size)] += 1;
        self.sizes |= 1 << size & !1;
    }
}

impl Iterator for Cards {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let largest = self.sizes.checked_ilog2()?;
        let count = &mut self.counts[largest as usize];
        *count -= 1;
        if *count == 0 {
            self.sizes ^= 1 << largest;
        }
        Some(largest as u8)
    }
}

/// A levied unit before all levies are placed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levied {
    /// What was bought.
    pub unit: Unit,
    /// Into the army instead of the provincial force.
    pub into_army: bool,
}

impl Province {
    /// The provincial force.
    pub const fn force(&self) -> Force {
        Force { units: self.units, disrupted: false }
    }
}

/// A daimyo, his marker and the units on his section of the army card (SW-S-08..14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Army {
    /// Where the marker stands; nowhere before it is placed and when the army is lost.
    pub province: Option<ProvinceId>,
    /// Hole of the experience marker.
    pub hole: u8,
    /// Units in the boxes, the living daimyo, and revealed ronin.
    pub units: ByUnit<u8>,
    /// The daimyo was assassinated in this round (SW-NINJA-06).
    pub disrupted: bool,
    /// It has moved in this phase.
    pub moved: bool,
}

impl Army {
    /// The army as a force.
    pub const fn force(&self) -> Force {
        Force { units: self.units, disrupted: self.disrupted }
    }

    /// Whether a living daimyo leads it on the board.
    pub fn is_led(&self) -> bool {
        self.province.is_some() && self.units[Unit::Daimyo] > 0
    }

    /// Whether the daimyo is lost (SW-ELIM-01).
    pub fn is_lost(&self) -> bool {
        self.units[Unit::Daimyo] == 0 && !self.disrupted
    }

    /// The level of the daimyo (SW-EXP-01).
    pub const fn level(&self) -> u8 {
        EXP_HOLES[self.hole as usize]
    }

    /// Regular units besides the daimyo.
    pub fn followers(&self) -> u8 {
        self.units.regulars() - self.units[Unit::Daimyo]
    }
}

/// The five boxes of a plan (SW-PLAN-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the boxes are named after the actions they pay for")]
pub enum PlanBox {
    Swords,
    Build,
    Levy,
    Ronin,
    Ninja,
}

impl PlanBox {
    /// All boxes, in the order in which they are filled and spent.
    pub const ALL: [Self; 5] = [Self::Swords, Self::Build, Self::Levy, Self::Ronin, Self::Ninja];
}

/// Koku by box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the boxes are named after the actions they pay for")]
pub struct Plan {
    pub swords: u8,
    pub build: u8,
    pub levy: u8,
    pub ronin: u8,
    pub ninja: u8,
}

impl Plan {
    /// Koku in all boxes.
    pub const fn total(&self) -> u8 {
        self.swords + self.build + self.levy + self.ronin + self.ninja
    }

    /// A box.
    pub const fn get_mut(&mut self, place: PlanBox) -> &mut u8 {
        match place {
            PlanBox::Swords => &mut self.swords,
            PlanBox::Build => &mut self.build,
            PlanBox::Levy => &mut self.levy,
            PlanBox::Ronin => &mut self.ronin,
            PlanBox::Ninja => &mut self.ninja,
        }
    }
}

/// One clan (SW-S-15..20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clan {
    /// 0 in play; otherwise the how-manieth to go out.
    pub out: u8,
    /// Colours whose pieces it has: its own and those of clans it eliminated.
    pub colours: u8,
    /// Koku in hand.
    pub koku: u8,
    /// What it planned in this round.
    pub plan: Plan,
    /// The plan is complete.
    pub committed: bool,
    /// Its sword, 0 when it has none.
    pub sword: u8,
    /// Its unused units.
    pub tray: Tray,
    /// Units bought and not placed yet.
    pub bought: ByUnit<u8>,
    /// Ronin hired and not placed yet.
    pub hired: u8,
    /// The sword it wishes for while tied clans choose, 0 for none yet (SW-R-18).
    pub wish: u8,
    /// Where it wants to build, while the others still choose.
    pub site: Option<ProvinceId>,
    /// The clan has given all its answers in the simultaneous step that is under way.
    pub answered: bool,
    /// Its armies.
    pub armies: [Army; DAIMYO],
}

/// An attacking force of the active clan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attacker {
    /// One of its armies.
    Army(u8),
    /// The provincial force of a province.
    Force(ProvinceId),
}

/// Where a war turn stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named as in the rules")]
pub enum Phase {
    #[default]
    None,
    A,
    B,
    C,
    D,
}

/// A force on its way out of a province: what is still to be said before it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct March {
    /// The army that moves, or none for units of a provincial force.
    pub army: Option<u8>,
    /// Where it stands.
    pub from: ProvinceId,
    /// Where it goes.
    pub to: ProvinceId,
    /// Ronin taken from the hidden stack.
    pub hidden: u8,
    /// What is left of a revealed stack and joins those who stay.
    pub rest: u8,
    /// Provincial units on the way, with their ronin.
    pub units: ByUnit<u8>,
    /// How many of them go into the army at the other end.
    pub into_army: ByUnit<u8>,
}

/// A battle under way (SW-S-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// The attacked province.
    pub target: ProvinceId,
    /// The clan that defends.
    pub defender: ClanId,
    /// Dice, rounds and hits.
    pub combat: Combat,
    /// Casualties chosen so far by the attacker and by the defender, hidden until both have chosen (SW-R-59).
    pub losses: [Losses; 2],
    /// Answers each side still owes.
    pub owed: [u8; 2],
}

/// The decision, or the automatic step, that play has come to (SW-S-24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// Two players divide their cards; how many are still to be named (SW-D-01).
    Divide(u8),
    /// Spearmen of the first reinforcements; how many have been placed by all (SW-D-02).
    Reinforce(u8),
    /// Army markers; how many have been placed by all (SW-D-03).
    PlaceArmies(u8),
    /// The ninja may spy (SW-D-04).
    Spy,
    /// Koku for a box (SW-D-05).
    Plan(PlanBox),
    /// A sword is chosen (SW-D-06), or wished for by tied clans (SW-D-07).
    Swords,
    /// A building (SW-D-08).
    Build,
    /// A bundle for a koku; koku spent so far (SW-D-09).
    Buy(u8),
    /// A place for a bought unit; units seen to so far (SW-D-10).
    Levy(u8),
    /// A place for a hired ronin; ronin seen to so far (SW-D-11).
    Ronin(u8),
    /// The next war turn is due.
    WarTurn,
    /// Which army moves next (SW-D-14, SW-D-28).
    ChooseArmy,
    /// An army on the move (SW-D-15): who, steps left, whether it has picked up units where it stands.
    Move {
        /// The army.
        army: u8,
        /// Steps it may still take.
        steps: u8,
        /// It has picked up units in this province, so it may take ronin over too.
        picked: bool,
    },
    /// Units detached so far into an empty province (SW-WAR-D-03).
    Detach {
        /// The army.
        army: u8,
        /// Its steps left.
        steps: u8,
        /// Where to.
        to: ProvinceId,
        /// Units sent so far.
        count: u8,
    },
    /// Units left so far as a garrison; steps left after this one (SW-WAR-A-05).
    Garrison {
        /// Steps left on arrival.
        steps: u8,
        /// Units left so far.
        count: u8,
    },
    /// How many of the army's ronin stay behind; steps left after this one (SW-R-45).
    LeaveRonin(u8),
    /// How many of a revealed stack's rest join the army that stays; steps left after this one (SW-R-45).
    DivideRest(u8),
    /// Which force declares (SW-D-16).
    Declare,
    /// Against which province (SW-D-16).
    DeclareTarget(Attacker),
    /// Which declared battle comes next (SW-D-17).
    ChooseBattle,
    /// An attack on a province is due.
    Attack(ProvinceId),
    /// The attacker of a two-force province reveals ronin (SW-D-18).
    RevealAttacker(ProvinceId),
    /// The defender divides revealed ronin (SW-D-18).
    RevealDefender(ProvinceId),
    /// All ronin are revealed, dice are due.
    FirstDie(ProvinceId),
    /// Dice are rolled.
    Roll,
    /// Casualties are chosen (SW-D-19, SW-D-20, SW-D-21).
    Casualties(Role),
    /// Step 8 (SW-D-22).
    CallOff,
    /// The series goes on, or a conquest move is possible (SW-D-23, SW-D-25).
    Conquest,
    /// The next target of a series (SW-D-24).
    NextTarget,
    /// Which provincial force moves (SW-D-29).
    ChooseForce,
    /// Which of its units, and where to (SW-D-29).
    ChooseUnits {
        /// The province they stand in.
        from: ProvinceId,
        /// Units and ronin chosen so far.
        units: ByUnit<u8>,
    },
    /// How many arriving units of a kind go into the army there (SW-D-29).
    IntoArmy(Unit),
    /// All war turns are over.
    EndRound,
    /// Nothing is to be decided any more.
    Over(End),
}

/// How a match ended (SW-S-33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A player has the provinces that win (SW-WIN-01, SW-TWO-06, SW-LONG-01).
    Provinces(u8),
    /// Only this player is left (SW-R-80).
    LastPlayer(u8),
    /// Nobody is left (SW-R-71, SW-R-80).
    NobodyLeft,
    /// The host's cap on rounds (SW-R-81).
    RoundLimit,
}

impl End {
    /// Why the match ended, in one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Provinces(_) => "provinces",
            Self::LastPlayer(_) => "last_player",
            Self::NobodyLeft => "nobody_left",
            Self::RoundLimit => "round_limit",
        }
    }
}

/// Daimyo who come back to an eliminator (SW-ELIM-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The eliminator.
    pub clan: ClanId,
    /// Armies still to come back, by number.
    pub armies: [bool; DAIMYO],
    /// The army that has just been placed and may pick up units, if any.
    pub placed: Option<u8>,
    /// It has picked up a unit, so it may take ronin over too.
    pub picked: bool,
}

/// A successful revenge that waits for its victim (SW-D-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revenge {
    /// The clan that takes revenge.
    pub by: ClanId,
    /// The clan that had sent the ninja.
    pub on: ClanId,
}

/// A match of the game: everything there is, in one plain value.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The board.
    #[serde(skip, default = "Map::standard")]
    pub map: &'static Map,
    /// What was agreed before.
    pub options: Options,
    /// Number of the round, 0 during setup.
    pub round: u16,
    /// What play has come to.
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
