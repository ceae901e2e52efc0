//! Invariants of a state, checked for all external input (SW-S-01..34 and the invariants below them).

mod points;
mod war;

use sengoku_kernel::SetupError;

use crate::action::MAX_HIDDEN;
use crate::data::{
    BASES, ByUnit, CASTLES, ClanId, EXP_HOLES, Fort, MAX_CLANS, OTHERS, PROV_MAX, PROVINCES, ProvinceId,
    Provinces, RONIN, SPEARMEN, Unit, WIN, income,
};
use crate::play::levying::LEVIED;
use crate::state::{Clan, Phase, Plan, Point, State};

/// Koku that a clan can have in hand: the income of all provinces (SW-S-16).
const MAX_KOKU: u8 = income(PROVINCES as u8);

/// An error at a field, unless something holds.
fn ensure(
    holds: bool,
    field: impl FnOnce() -> String,
    reason: impl FnOnce() -> String,
) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field(), reason())) }
}

impl State {
    /// Checks everything that is always true of a state (SW-S-01..34 and the invariants below them).
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn check(&self) -> Result<(), SetupError> {
        let seats = self.options.seats;
        ensure((2..=5).contains(&seats), || "options.seats".into(), || format!("{seats}, 2 to 5 can play"))?;
        for (field, clan) in [("decider", self.decider), ("active", self.active)] {
            let number = clan.0;
            let known = clan.index() < self.clan_count();
            ensure(known, || field.into(), || format!("there is no clan {number}"))?;
        }
        self.check_clans()?;
        self.check_provinces()?;
        self.check_armies()?;
        self.check_stocks()?;
        self.check_war()?;
        self.check_frame()?;
        self.check_decider()?;
        self.check_answers()?;
        self.check_point()?;
        self.check_undecided()
    }

    fn plays(&self, clan: ClanId) -> bool {
        clan.index() < self.clan_count() && self.clans[clan].out == 0
    }

    pub(super) fn check_clan(&self, field: &str, clan: ClanId) -> Result<(), SetupError> {
        ensure(self.plays(clan), || field.into(), || format!("clan {} is not in play", clan.0))
    }

    fn check_clans(&self) -> Result<(), SetupError> {
        let planning = matches!(self.point, Point::Plan(_) | Point::Spy);
        let playing = self.in_play().count() as u8;
        for (number, clan) in (0..).map(ClanId).zip(&self.clans.0) {
            let at = |name: &str| format!("clans[{}].{name}", number.0);
            if !self.plays(number) {
                let blank = Clan { out: clan.out, ..Clan::default() };
                ensure(
                    *clan == blank,
                    || format!("clans[{}]", number.0),
                    || "a clan that is out has pieces".into(),
                )?;
                ensure(clan.out as usize <= MAX_CLANS, || at("out"), || format!("{}", clan.out))?;
                continue;
            }
            ensure(
                (1..=5).contains(&clan.colours),
                || at("colours"),
                || format!("{}, 1 to 5", clan.colours),
            )?;
            ensure(clan.koku <= MAX_KOKU, || at("koku"), || format!("{}, at most {MAX_KOKU}", clan.koku))?;
            let Plan { swords, build, levy, ronin, ninja } = clan.plan;
            let total = [swords, build, levy, ronin, ninja].into_iter().map(u32::from).sum::<u32>();
            let most = u32::from(MAX_KOKU);
            ensure(total <= most, || at("plan"), || format!("{total} koku, at most {most}"))?;
            ensure(matches!(build, 0 | 2), || at("plan.build"), || format!("{build}, 0 or 2 (SW-PLAN-02)"))?;
            let spendable = u32::from(clan.koku);
            ensure(
                !planning || total <= spendable,
                || at("plan"),
                || format!("{total} koku of {spendable}"),
            )?;
            let unspent = match self.point {
                Point::Swords => Some(build + levy + ronin + ninja),
                Point::Build => Some(levy + ronin + ninja),
                Point::Buy(_) | Point::Levy(_) => Some(ronin + ninja),
                Point::Ronin(_) => Some(ninja),
                _ => None,
            };
            ensure(
                unspent.is_none_or(|unspent| unspent <= clan.koku),
                || at("koku"),
                || format!("{}, but {unspent:?} of the plan are still to be spent", clan.koku),
            )?;
            // A clan that goes out in the middle of a round leaves a gap in the order (SW-R-19).
            let swords = self.clan_count() as u8;
            ensure(clan.sword <= swords, || at("sword"), || format!("{}, at most {swords}", clan.sword))?;
            ensure(clan.wish <= playing, || at("wish"), || format!("{}, at most {playing}", clan.wish))?;
            let twin = self
                .in_play()
                .any(|other| other != number && clan.sword > 0 && self.clans[other].sword == clan.sword);
            ensure(!twin, || at("sword"), || format!("another clan has sword {} too", clan.sword))?;
            let ordered =
                !matches!(self.point, Point::Divide(_) | Point::Plan(_) | Point::Spy | Point::Swords);
            ensure(
                !ordered || clan.sword > 0,
                || at("sword"),
                || "0, but swords have been given out".into(),
            )?;
            let buying = matches!(self.point, Point::Buy(_) | Point::Levy(_));
            ensure(buying || clan.bought.total() == 0, || at("bought"), || "units outside Action 4".into())?;
            ensure(
                clan.bought.regulars() == clan.bought.total() && clan.bought[Unit::Daimyo] == 0,
                || at("bought"),
                || "only bow, gun, sword and spear can be bought".into(),
            )?;
            let hiring = matches!(self.point, Point::Ronin(_));
            ensure(hiring || clan.hired == 0, || at("hired"), || "ronin outside Action 5".into())?;
            let site = clan.site.is_none_or(|site| {
                self.point == Point::Build
                    && self.provinces[site].owner == Some(number)
                    && self.provinces[site].fort != Fort::Fortress
            });
            ensure(site, || at("site"), || "not a place where this clan can build now".into())?;
        }
        if matches!(self.point, Point::Divide(_)) {
            return Ok(());
        }
        ensure(playing > 0 || self.is_over(), || "clans".into(), || "no clan is in play".into())
    }

    /// A match that somebody has won is over: provinces win at that instant (SW-WIN-01), and so does the last player
    /// (SW-R-80).
    fn check_undecided(&self) -> Result<(), SetupError> {
        if self.is_over() {
            return Ok(());
        }
        for clan in self.in_play().filter(|_| self.wins_at_once()) {
            let owned = self.province_count(clan);
            ensure(
                owned < WIN,
                || "provinces".into(),
                || format!("clan {} owns {owned}, and has won with {WIN} (SW-WIN-01)", clan.0),
            )?;
        }
        let mut players = self.in_play().map(|clan| self.player(clan));
        let first = players.next();
        let several = players.any(|player| Some(player) != first);
        ensure(several, || "clans".into(), || "only one player is left, who has won (SW-R-80)".into())
    }

    fn check_provinces(&self) -> Result<(), SetupError> {
        let setup = matches!(self.point, Point::Divide(_));
        for province in ProvinceId::all() {
            let it = &self.provinces[province];
            let at = |name: &str| format!("provinces.{}.{name}", self.map.key(province.0));
            let regulars = it.units.regulars();
            ensure(
                it.units[Unit::Daimyo] == 0,
                || at("units.daimyo"),
                || "a provincial force has no daimyo".into(),
            )?;
            ensure(
                regulars <= PROV_MAX,
                || at("units"),
                || format!("{regulars} regular units, at most {PROV_MAX}"),
            )?;
            ensure(
                it.hidden <= MAX_HIDDEN,
                || at("hidden"),
                || format!("{}, at most {MAX_HIDDEN}", it.hidden),
            )?;
            ensure(
                it.bonus_lost <= it.fort.bonus(),
                || at("bonus_lost"),
                || format!("{}, fort \"{}\" has {}", it.bonus_lost, it.fort.name(), it.fort.bonus()),
            )?;
            let moved = Unit::ALL.into_iter().all(|unit| it.moved[unit] <= it.units[unit]);
            ensure(moved, || at("moved"), || "more units than stand there".into())?;
            ensure(it.moved[Unit::Ronin] == 0, || at("moved.ronin"), || "ronin are not tracked".into())?;
            if let Some(owner) = it.owner {
                self.check_clan(&at("owner"), owner)?;
                // SW-GEN-09
                let held = setup || self.forces_at(province).has_regulars();
                ensure(held, || at("owner"), || format!("clan {} has no regular unit there", owner.0))?;
            } else {
                ensure(
                    it.units.total() == 0,
                    || at("units"),
                    || "units in a province without an owner".into(),
                )?;
                ensure(it.hidden == 0, || at("hidden"), || "ronin in a province without an owner".into())?;
            }
            if let Some(levied) = it.levy {
                let placing = matches!(self.point, Point::Levy(_)) && it.owner.is_some();
                let army = !levied.into_army || self.army_at(province).is_some();
                let kind = LEVIED.contains(&levied.unit);
                ensure(placing && army && kind, || at("levy"), || "not a levy of Action 4".into())?;
            }
        }
        Ok(())
    }

    fn check_armies(&self) -> Result<(), SetupError> {
        let before = matches!(self.point, Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_));
        for clan in self.in_play() {
            let armies = &self.clans[clan].armies;
            for (number, army) in armies.iter().enumerate() {
                let at = |name: &str| format!("clans[{}].armies[{number}].{name}", clan.0);
                ensure(
                    (army.hole as usize) < EXP_HOLES.len(),
                    || at("hole"),
                    || format!("{}, at most 9", army.hole),
                )?;
                if army.is_lost() {
                    let nothing = army.units.total() == 0 && army.province.is_none();
                    ensure(
                        nothing,
                        || at("units"),
                        || "an army without a daimyo is lost, it has no units".into(),
                    )?;
                    continue;
                }
                let fresh = ByUnit([1, 2, 1, 1, 0, 0]); // SW-SETUP-02
                let Some(place) = army.province else {
                    ensure(before, || at("province"), || "nowhere, though its daimyo is in play".into())?;
                    let as_dealt = army.units == fresh && !army.disrupted && army.hole == 0;
                    ensure(as_dealt, || at("units"), || "not an army before its first march".into())?;
                    continue;
                };
                ensure(
                    self.provinces[place].owner == Some(clan),
                    || at("province"),
                    || format!("{} is not a province of clan {}", self.map.key(place.0), clan.0),
                )?;
                let mut force = army.force();
                // Ronin are checked at the points of SW-R-31 only.
                force.units[Unit::Ronin] = 0;
                force.validate().map_err(|error| SetupError::new(at("units"), error.to_string()))?;
            }
            let moving = self.must_move.is_some() || matches!(self.phase, Phase::A | Phase::D);
            let led: Vec<_> = armies.iter().filter_map(|army| army.province).collect();
            let shared = (1..led.len()).any(|at| led[..at].contains(&led[at]));
            ensure(
                !shared || (moving && clan == self.active),
                || format!("clans[{}].armies", clan.0),
                || "two armies in one province".into(),
            )?;
            let leader = before || self.recovery.is_some() || armies.iter().any(|army| !army.is_lost());
            ensure(
                leader,
                || format!("clans[{}].armies", clan.0),
                || "no daimyo left, so the clan is out".into(),
            )?;
        }
        Ok(())
    }

    /// The totals of SW-S-19 and SW-S-26.
    fn check_stocks(&self) -> Result<(), SetupError> {
        let bought_is_out = !matches!(self.point, Point::Buy(_));
        for clan in self.in_play() {
            let it = &self.clans[clan];
            for unit in LEVIED {
                let mut count = u32::from(it.tray.count(unit));
                if bought_is_out {
                    count += u32::from(it.bought[unit]);
                }
                count += it.armies.iter().map(|army| u32::from(army.units[unit])).sum::<u32>();
                let board = Provinces(self.owned(clan))
                    .map(|province| u32::from(self.provinces[province].units[unit]));
                count += board.sum::<u32>();
                if let Some(march) = self.march.filter(|_| clan == self.active) {
                    count += u32::from(march.units[unit]);
                }
                let each = if unit == Unit::Spear { SPEARMEN } else { OTHERS };
                let wanted = u32::from(each) * u32::from(it.colours);
                ensure(
                    count == wanted,
                    || format!("clans[{}].tray.{}", clan.0, unit.name()),
                    || format!("{count} in tray, armies and provinces together, expected {wanted}"),
                )?;
            }
            let more = u32::from(it.tray.count(Unit::Daimyo)) + u32::from(it.tray.count(Unit::Ronin));
            ensure(more == 0, || format!("clans[{}].tray", clan.0), || "daimyo or ronin in a tray".into())?;
        }
        let forts = |fort| self.provinces.0.iter().filter(|province| province.fort == fort).count() as u32;
        let castles = u32::from(self.pool.castles) + forts(Fort::Castle) + forts(Fort::Fortress);
        ensure(
            castles == u32::from(CASTLES),
            || "pool.castles".into(),
            || format!("{castles} castles in all"),
        )?;
        let bases = u32::from(self.pool.bases) + forts(Fort::Fortress);
        ensure(bases == u32::from(BASES), || "pool.bases".into(), || format!("{bases} bases in all"))?;
        let mut ronin = u32::from(self.pool.ronin);
        for clan in &self.clans.0 {
            ronin += u32::from(clan.hired);
            ronin += clan.armies.iter().map(|army| u32::from(army.units[Unit::Ronin])).sum::<u32>();
        }
        for province in &self.provinces.0 {
            // While ronin are placed, those on cards are still counted among the hired.
            let hired = province.owner.is_some_and(|owner| self.clans[owner].hired > 0);
            let hidden = if hired { 0 } else { province.hidden };
            ronin += u32::from(province.units[Unit::Ronin]) + u32::from(hidden);
        }
        if let Some(march) = self.march {
            ronin += u32::from(march.units[Unit::Ronin]) + u32::from(march.rest);
        }
        ensure(
            ronin == u32::from(RONIN),
            || "pool.ronin".into(),
            || format!("{ronin} ronin in all, there are {RONIN}"),
        )
    }
}
