//! Observations: the information that a seat may see (SW-GEN-14, SW-R-88, SW-R-89).

use sengoku_kernel::Seat;
use serde_json::{Value, json};

use crate::data::{ByClan, ByUnit, ClanId, DAIMYO, MAX_CLANS, PROVINCES, ProvinceId, RONIN, Unit};
use crate::force::Losses;
use crate::play::combat::{Half, Role, Stage};
use crate::position::on_map;
use crate::state::{Attacker, Cards, Clan, Fight, Plan, Point, Province, State};

pub(crate) const HEADER: usize = 48;
pub(crate) const PER_CLAN: usize = 48 + DAIMYO * 12 + RONIN as usize;
pub(crate) const PER_PROVINCE: usize = 16;
/// Bytes of an observation: what is common, then the clans, then the provinces.
pub(crate) const OBSERVATION_SIZE: usize = HEADER + MAX_CLANS * PER_CLAN + PROVINCES * PER_PROVINCE;

/// Nobody, nowhere, nothing, where a number says who, where or what.
const NONE: u8 = 255;

/// How a seat sees the owner of a province, for each clan and for nobody: the owner's number, if known, and a mask of
/// the owner's secret bits that the seat may see (all or none). It is a table because a branch would often be
/// mispredicted: the owners of neighbouring provinces differ.
struct Eyes([(u8, u8); MAX_CLANS + 1]);

impl Eyes {
    fn new(state: &State, seat: Seat) -> Self {
        let mut eyes = [(NONE, 0); MAX_CLANS + 1];
        for clan in (0..state.clan_count() as u8).map(ClanId) {
            let owner = state.seen_owner(seat, Some(clan)).map_or(NONE, |owner| owner.0);
            eyes[clan.index()] = (owner, if state.is_run_by(clan, seat) { u8::MAX } else { 0 });
        }
        Self(eyes)
    }

    #[inline]
    fn look(&self, owner: Option<ClanId>) -> (u8, u8) {
        self.0[owner.map_or(MAX_CLANS, |owner| owner.index().min(MAX_CLANS))]
    }
}

impl State {
    /// Whether a seat runs a clan.
    pub(crate) fn is_run_by(&self, clan: ClanId, seat: Seat) -> bool {
        self.player(clan) == seat
    }

    /// Whether a seat knows the plan of a clan before all are revealed: its own, and one it has spied on.
    pub(crate) fn knows_plan(&self, seat: Seat, clan: ClanId) -> bool {
        let spied = self.spied == Some(clan) && self.ninja.is_some_and(|holder| self.is_run_by(holder, seat));
        !matches!(self.point, Point::Plan(_) | Point::Spy) || self.is_run_by(clan, seat) || spied
    }

    /// Whether a seat knows how large the face-down cards of a clan are: not while they are being laid.
    pub(crate) fn knows_cards(&self, seat: Seat, clan: ClanId) -> bool {
        !matches!(self.point, Point::Ronin(_)) || self.is_run_by(clan, seat)
    }

    /// A clan as a seat sees it.
    fn seen_clan(&self, seat: Seat, number: ClanId) -> Clan {
        let mut clan = self.clans[number];
        if !self.is_run_by(number, seat) {
            if !self.knows_plan(seat, number) {
                clan.plan = Plan::default();
            }
            (clan.wish, clan.site) = (0, None);
            if matches!(self.point, Point::Buy(_)) {
                clan.bought = ByUnit::default();
            }
        }
        clan
    }

    /// Owner of a province as a seat sees it: until cards are shown, the owners of other seats' provinces are unknown.
    fn seen_owner(&self, seat: Seat, owner: Option<ClanId>) -> Option<ClanId> {
        owner.filter(|&owner| !matches!(self.point, Point::Divide(_)) || self.is_run_by(owner, seat))
    }

    /// The casualties that a side of a fight has chosen, as a seat sees them. The number of answers owed and given is
    /// public, the choice is not until both have chosen (SW-R-59).
    fn seen_losses(&self, seat: Seat, fight: &Fight, role: Role) -> Losses {
        let losses = fight.losses[role as usize];
        let clan = if role == Role::Attacker { self.active } else { fight.defender };
        if self.is_run_by(clan, seat) { losses } else { Losses { bonus: losses.bonus, ..Losses::default() } }
    }

    /// The state without what a seat may not see.
    pub(crate) fn redacted(&self, seat: Seat) -> Self {
        let mut seen = *self;
        for number in (0..self.clan_count() as u8).map(ClanId) {
            seen.clans[number] = self.seen_clan(seat, number);
        }
        for number in ProvinceId::all() {
            let owner = self.provinces[number].owner;
            if self.seen_owner(seat, owner) != owner {
                seen.set_owner(number, None);
            }
            if owner.is_none_or(|owner| !self.is_run_by(owner, seat)) {
                let province = &mut seen.provinces[number];
                (province.hidden, province.levy) = (0, None);
            }
        }
        // The number of draws would tell whether wishes collided; a stack is shown when its card is turned over.
        seen.draws = 0;
        if let Some(march) = seen.march.as_mut().filter(|_| !self.is_run_by(self.active, seat)) {
            march.hidden = 0;
        }
        if let (Some(fight), Some(whole)) = (&mut seen.fight, &self.fight) {
            fight.losses = [Role::Attacker, Role::Defender].map(|role| self.seen_losses(seat, whole, role));
        }
        seen
    }

    /// Everything, or what a seat may see, as a table of names and numbers; what it may not see is null.
    pub(crate) fn table(&self, seat: Option<Seat>) -> Value {
        let state = seat.map_or(*self, |seat| self.redacted(seat));
        let mut table = on_map(self.map, || serde_json::to_value(state)).unwrap_or(Value::Null);
        let clans = (0..self.clan_count() as u8).map(ClanId);
        if let Some(list) = table["clans"].as_array_mut() {
            list.truncate(self.clan_count());
        }
        let cards = clans.clone().map(|clan| {
            let known = seat.is_none_or(|seat| self.knows_cards(seat, clan));
            if known { json!(self.cards(clan).collect::<Vec<_>>()) } else { Value::Null }
        });
        table["cards"] = cards.collect();
        let Some(seat) = seat else { return table };
        table["draws"] = Value::Null;
        if self.march.is_some() && !self.is_run_by(self.active, seat) {
            table["march"]["hidden"] = Value::Null;
        }
        let dividing = matches!(self.point, Point::Divide(_));
        for clan in clans.filter(|&clan| !self.is_run_by(clan, seat)) {
            let entry = &mut table["clans"][clan.index()];
            if !self.knows_plan(seat, clan) {
                entry["plan"] = Value::Null;
            }
            (entry["wish"], entry["site"]) = (Value::Null, Value::Null);
            if matches!(self.point, Point::Buy(_)) {
                entry["bought"] = Value::Null;
            }
        }
        for province in ProvinceId::all() {
            let owner = self.provinces[province].owner;
            let entry = &mut table["provinces"][self.map.key(province.0)];
            match owner {
                Some(owner) if self.is_run_by(owner, seat) => {}
                // Until cards are shown nobody knows whose a province is, or whether it was left over.
                _ if dividing => entry["owner"] = Value::Null,
                Some(_) => (entry["hidden"], entry["levy"]) = (Value::Null, Value::Null),
                None => {}
            }
        }
        if let (Some(fight), false) = (self.fight, table["fight"].is_null()) {
            for (role, clan) in [(Role::Attacker, self.active), (Role::Defender, fight.defender)] {
                if !self.is_run_by(clan, seat) {
                    table["fight"]["losses"][role as usize] = Value::Null;
                }
            }
        }
        table
    }

    /// Writes an observation: see the crate's README for the meaning of every byte.
    ///
    /// It is written from the whole state, since a redacted copy takes as long as all the rest; clans, owners, casualties and
    /// what lies in provinces pass through what redacts them.
    pub(crate) fn write_observation(&self, seat: Seat, out: &mut [u8]) {
        let (common, provinces) = out.split_at_mut(HEADER + MAX_CLANS * PER_CLAN);
        let eyes = Eyes::new(self, seat);
        let mut cards = ByClan::<Cards>::default();
        for (province, bytes) in ProvinceId::all().zip(provinces.as_chunks_mut().0) {
            *bytes = self.province_bytes(&eyes, province);
            let Province { owner, hidden, .. } = self.provinces[province];
            if hidden > 0
                && let Some(cards) = owner.and_then(|owner| cards.0.get_mut(owner.index()))
            {
                cards.add(hidden);
            }
        }
        common.fill(0);
        let (header, clans) = common.split_at_mut(HEADER);
        self.write_header(seat, header);
        for (clan, bytes) in (0..self.clan_count() as u8).map(ClanId).zip(clans.chunks_exact_mut(PER_CLAN)) {
            self.write_clan(seat, clan, bytes);
            if self.knows_cards(seat, clan) {
                // Sizes are public where places are not (SW-RONIN-09).
                let start = PER_CLAN - RONIN as usize;
                for (byte, size) in bytes[start..].iter_mut().zip(&mut cards[clan]) {
                    *byte = size;
                }
            }
        }
    }

    fn write_header(&self, seat: Seat, out: &mut [u8]) {
        let clan = |clan: Option<ClanId>| clan.map_or(NONE, |clan| clan.0);
        let place = |province: Option<ProvinceId>| province.map_or(NONE, |province| province.0);
        let (point, detail) = self.point_code();
        let round = self.round.to_le_bytes();
        let fixed = [
            self.options.seats,
            seat.0,
            u8::from(self.options.long_game) | u8::from(self.options.two_player_early_attacks) << 1,
            round[0],
            round[1],
            point,
            clan(self.deciding_clan()),
            self.window.unwrap_or(0),
            u8::from(self.revenge.is_some()),
            clan(self.recovery.map(|recovery| recovery.clan)),
            self.recovery.and_then(|recovery| recovery.placed).unwrap_or(NONE),
            self.active.0,
            self.phase as u8,
            self.turn,
            self.must_move.unwrap_or(NONE),
            clan(self.ninja),
            u8::from(self.ninja_fresh),
            clan(self.spied),
            self.pool.castles,
            self.pool.bases,
            self.pool.ronin,
        ];
        out[..fixed.len()].copy_from_slice(&fixed);
        out[21..29].copy_from_slice(&detail);
        let (force, target) = match self.series {
            Some((Attacker::Army(army), _)) => (army, self.fight.map(|fight| fight.target)),
            Some((Attacker::Force(_), _)) => (3, self.fight.map(|fight| fight.target)),
            None => (NONE, None),
        };
        (out[29], out[30], out[31]) = (force, place(self.attack_from()), place(target));
        out[32] = self.series.map_or(0, |(_, series)| series.attacks_left());
        out[33] = place(self.series.and_then(|(_, series)| series.may_enter()));
        if let Some(fight) = self.fight {
            out[34] = fight.defender.0;
            out[35] = fight.combat.round.min(255) as u8;
            out[36] = match fight.combat.stage {
                Stage::Roll(half) | Stage::Casualties(half) => 1 + half as u8,
                Stage::CallOff => 2 + Half::Melee as u8,
                Stage::Over(_) => 0,
            };
            (out[37], out[38]) = (fight.combat.hits[0], fight.combat.hits[1]);
            (out[39], out[40]) = (fight.owed[0], fight.owed[1]);
        }
        for (byte, target) in out[41..44].iter_mut().zip(self.declared_armies) {
            *byte = place(target);
        }
        if let Some(march) = self.march {
            (out[44], out[45]) = (march.army.unwrap_or(3), march.to.0);
            (out[46], out[47]) = (march.units.regulars(), march.units[Unit::Ronin]);
        }
    }

    /// The point as a number, and up to eight bytes about it.
    fn point_code(&self) -> (u8, [u8; 8]) {
        let force = |force: Attacker| match force {
            Attacker::Army(army) => army,
            Attacker::Force(province) => 3 + province.0,
        };
        let (code, detail): (u8, [u8; 4]) = match self.point {
            Point::Divide(left) => (0, [left, 0, 0, 0]),
            Point::Reinforce(done) => (1, [done, 0, 0, 0]),
            Point::PlaceArmies(done) => (2, [done, 0, 0, 0]),
            Point::Spy => (3, [0; 4]),
            Point::Plan(place) => (4, [place as u8, 0, 0, 0]),
            Point::Swords => (5, [0; 4]),
            Point::Build => (6, [0; 4]),
            Point::Buy(spent) => (7, [spent, 0, 0, 0]),
            Point::Levy(place) => (8, [place, 0, 0, 0]),
            Point::Ronin(place) => (9, [place, 0, 0, 0]),
            Point::WarTurn => (10, [0; 4]),
            Point::ChooseArmy => (11, [0; 4]),
            Point::Move { army, steps, picked } => (12, [army, steps, u8::from(picked), 0]),
            Point::Detach { army, steps, to, count } => (13, [army, steps, to.0, count]),
            Point::Garrison { steps, count } => (14, [steps, count, 0, 0]),
            Point::LeaveRonin(steps) => (15, [steps, 0, 0, 0]),
            Point::DivideRest(steps) => (16, [steps, 0, 0, 0]),
            Point::Declare => (17, [0; 4]),
            Point::DeclareTarget(by) => (18, [force(by), 0, 0, 0]),
            Point::ChooseBattle => (19, [0; 4]),
            Point::Attack(target) => (20, [target.0, 0, 0, 0]),
            Point::RevealAttacker(target) => (21, [target.0, 0, 0, 0]),
            Point::RevealDefender(target) => (22, [target.0, 0, 0, 0]),
            Point::FirstDie(target) => (23, [target.0, 0, 0, 0]),
            Point::Roll => (24, [0; 4]),
            Point::Casualties(role) => (25, [role as u8, 0, 0, 0]),
            Point::CallOff => (26, [0; 4]),
            Point::Conquest => (27, [0; 4]),
            Point::NextTarget => (28, [0; 4]),
            Point::ChooseForce => (29, [0; 4]),
            Point::ChooseUnits { from, units } => {
                let [bow, gun, _, sword, ronin, spear] = units.0;
                return (30, [from.0, bow, gun, sword, ronin, spear, 0, 0]);
            }
            Point::IntoArmy(unit) => (31, [unit as u8, 0, 0, 0]),
            Point::EndRound => (32, [0; 4]),
            Point::Over(_) => (33, [0; 4]),
        };
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&detail);
        (code, bytes)
    }

    fn write_clan(&self, seat: Seat, number: ClanId, out: &mut [u8]) {
        let clan = self.seen_clan(seat, number);
        let Plan { swords, build, levy, ronin, ninja } = clan.plan;
        let fixed = [
            self.player(number).0,
            clan.out,
            clan.colours,
            clan.koku,
            swords,
            build,
            levy,
            ronin,
            ninja,
            u8::from(clan.committed),
            clan.sword,
            clan.hired,
            clan.wish,
            clan.site.map_or(NONE, |site| site.0),
            u8::from(clan.answered),
            self.seen_owner(seat, Some(number)).map_or(0, |clan| self.province_count(clan)),
        ];
        out[..16].copy_from_slice(&fixed);
        for (place, unit) in [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Spear].into_iter().enumerate() {
            out[16 + place] = clan.tray.count(unit);
            out[20 + place] = clan.bought[unit];
        }
        if let Some(fight) = self.fight {
            // The casualties this clan has chosen so far, if the seat may know them.
            let defends = || (number == fight.defender).then_some(Role::Defender);
            let role = if number == self.active { Some(Role::Attacker) } else { defends() };
            if let Some(role) = role {
                let losses = self.seen_losses(seat, &fight, role);
                out[24] = losses.bonus;
                out[25..31].copy_from_slice(&losses.provincial.0);
                out[31..37].copy_from_slice(&losses.army.0);
            }
        }
        for (army, bytes) in clan.armies.iter().zip(out[48..].chunks_exact_mut(12)) {
            bytes[0] = army.province.map_or(NONE, |province| province.0);
            bytes[1] = army.hole;
            bytes[2..8].copy_from_slice(&army.units.0);
            (bytes[8], bytes[9]) = (u8::from(army.disrupted), u8::from(army.moved));
            bytes[10] = army.level();
        }
    }

    /// The row of a province, put together as two words: it is written for every province in every step of a batch.
    fn province_bytes(&self, eyes: &Eyes, number: ProvinceId) -> [u8; PER_PROVINCE] {
        let province = &self.provinces[number];
        let (owner, seen) = eyes.look(province.owner);
        let word = |counts: [u8; 6]| {
            let [bow, gun, daimyo, sword, ronin, spear] = counts;
            u64::from_le_bytes([bow, gun, daimyo, sword, ronin, spear, 0, 0])
        };
        // No daimyo stands in a force, and ronin move with an army only.
        let (units, moved) = (word(province.units.0), word(province.moved.0));
        let units = units & 0xffff | units >> 8 & 0xff_ffff_0000;
        let moved = moved & 0xffff | moved >> 8 & 0xff_0000 | moved >> 16 & 0xff00_0000;
        let hidden = province.hidden & seen;
        let levied = province.levy.map_or(NONE, |levied| levied.unit as u8 | u8::from(levied.into_army) << 4);
        let levied = levied | !seen; // NONE is all bits
        let declared = self.declared_forces[number].map_or(NONE, |target| target.0);
        let low =
            u64::from(owner) | u64::from(province.fort as u8) << 8 | units << 16 | u64::from(hidden) << 56;
        let high =
            u64::from(province.bonus_lost) | moved << 8 | u64::from(levied) << 40 | u64::from(declared) << 48;
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    }
}

#[cfg(test)]
mod tests;
