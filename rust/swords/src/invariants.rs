//! What is always true of a state, for everything that comes from outside (SW-S-01..34 and the invariants below them).

use sengoku_kernel::SetupError;

use crate::action::MAX_HIDDEN;
use crate::data::{
    BASES, ByUnit, CASTLES, ClanId, DAIMYO, EXP_HOLES, Fort, MAX_CLANS, OTHERS, PROV_MAX, PROVINCES,
    ProvinceId, Provinces, RONIN, SPEARMEN, Unit, income,
};
use crate::play::attacks::MAX_ATTACKS;
use crate::play::combat::{Role, Stage};
use crate::play::levying::LEVIED;
use crate::state::{Army, Attacker, Clan, End, Phase, Plan, Point, State};

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
        self.check_point()
    }

    fn plays(&self, clan: ClanId) -> bool {
        clan.index() < self.clan_count() && self.clans[clan].out == 0
    }

    fn check_clan(&self, field: &str, clan: ClanId) -> Result<(), SetupError> {
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
        ensure(playing > 0 || self.is_over(), || "clans".into(), || "nobody is in play".into())
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
                ensure(it.units.total() == 0, || at("units"), || "units in a province nobody owns".into())?;
                ensure(it.hidden == 0, || at("hidden"), || "ronin in a province nobody owns".into())?;
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
                    || format!("{count} in tray, armies and provinces together, {wanted} wanted"),
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

    /// The parts of a war turn that refer to each other.
    fn check_war(&self) -> Result<(), SetupError> {
        let placing = matches!(self.point, Point::Divide(_));
        if let Some(clan) = self.deciding_clan().filter(|_| !placing) {
            self.check_clan("decider", clan)?;
        }
        if let Some(holder) = self.ninja {
            self.check_clan("ninja", holder)?;
        }
        ensure(
            self.window.is_none_or(|window| (1..=13).contains(&window)),
            || "window".into(),
            || format!("{:?}, windows are 1 to 13", self.window),
        )?;
        ensure(
            self.window.is_none() || self.ninja.is_some(),
            || "window".into(),
            || "nobody holds the ninja".into(),
        )?;
        if let Some(revenge) = self.revenge {
            self.check_clan("revenge.by", revenge.by)?;
            self.check_clan("revenge.on", revenge.on)?;
            let led = self.clans[revenge.on].armies.iter().any(Army::is_led);
            ensure(led, || "revenge.on".into(), || "no daimyo to take revenge on".into())?;
            let enemies = self.are_enemies(revenge.by, revenge.on);
            ensure(
                enemies,
                || "revenge.by".into(),
                || "not an enemy of the clan it takes revenge on".into(),
            )?;
        }
        if let Some(recovery) = self.recovery {
            self.check_clan("recovery.clan", recovery.clan)?;
            let lost = (0..DAIMYO)
                .all(|army| !recovery.armies[army] || self.clans[recovery.clan].armies[army].is_lost());
            ensure(lost, || "recovery.armies".into(), || "an army that is not lost".into())?;
            if let Some(army) = recovery.placed {
                let led = usize::from(army) < DAIMYO && self.army(recovery.clan, army).is_led();
                ensure(led, || "recovery.placed".into(), || format!("army {army} is not on the board"))?;
            }
        }
        if let Some(spied) = self.spied {
            self.check_clan("spied", spied)?;
        }
        if self.phase != Phase::None {
            self.check_clan("active", self.active)?;
        }
        self.check_declared()?;
        if self.phase == Phase::B {
            self.check_ronin_limits()?;
        }
        let army = |army: u8| usize::from(army) < DAIMYO && self.army(self.active, army).is_led();
        ensure(
            self.must_move.is_none_or(army),
            || "must_move".into(),
            || "not an army that can move".into(),
        )?;
        if let Some((force, _)) = self.series {
            let there = match force {
                Attacker::Army(army) => usize::from(army) < DAIMYO,
                // A force that has just been beaten is still named until its window has closed.
                Attacker::Force(province) => {
                    self.fight.is_none() || self.provinces[province].owner == Some(self.active)
                }
            };
            ensure(self.phase == Phase::C && there, || "series".into(), || "no such force attacks".into())?;
        }
        if let Some(fight) = self.fight {
            // A clan that has just gone out may still be named while its eliminator recovers daimyo.
            let number = fight.defender.0;
            let known = fight.defender.index() < self.clan_count();
            ensure(known, || "fight.defender".into(), || format!("there is no clan {number}"))?;
            ensure(self.series.is_some(), || "fight".into(), || "no attack is under way".into())?;
            let enemies = self.are_enemies(self.active, fight.defender);
            ensure(enemies, || "fight.defender".into(), || "not an enemy of the active clan".into())?;
        }
        if let Some(march) = self.march {
            let from = self.provinces[march.from].owner == Some(self.active);
            ensure(from, || "march.from".into(), || "not a province of the active clan".into())?;
            ensure(
                self.map.is_adjacent(march.from.0, march.to.0),
                || "march.to".into(),
                || format!("{} is not next to {}", self.map.key(march.to.0), self.map.key(march.from.0)),
            )?;
            let units = &march.units;
            let sound = units.regulars() <= PROV_MAX
                && units[Unit::Daimyo] == 0
                && Unit::ALL.into_iter().all(|unit| march.into_army[unit] <= units[unit])
                && march.hidden <= self.provinces[march.from].hidden
                && march.rest <= MAX_HIDDEN
                && units[Unit::Ronin] <= RONIN;
            ensure(sound, || "march".into(), || "units that cannot be on the way".into())?;
            let army = march.army.is_none_or(|number| {
                usize::from(number) < DAIMYO
                    && self.army(self.active, number).is_led()
                    && self.army(self.active, number).province == Some(march.from)
            });
            ensure(army, || "march.army".into(), || "not an army that stands there".into())?;
            let open = self.provinces[march.to].owner.is_none_or(|owner| owner == self.active);
            ensure(open, || "march.to".into(), || "not a province it may enter".into())?;
        }
        Ok(())
    }

    /// Declared battles are those of forces that stand next to their targets (SW-S-30).
    fn check_declared(&self) -> Result<(), SetupError> {
        let at_war = matches!(self.phase, Phase::B | Phase::C);
        let declared = (0..DAIMYO).map(|army| {
            (self.clans[self.active].armies[army].province, self.declared_armies[army], "declared_armies")
        });
        let forces = ProvinceId::all().map(|province| {
            let own = self.provinces[province].owner == Some(self.active);
            (own.then_some(province), self.declared_forces[province], "declared_forces")
        });
        for (from, target, field) in declared.chain(forces) {
            if let Some(target) = target {
                // In Phase D what was not fought waits to be cleared, wherever its force has gone (SW-WAR-D-09).
                let near = from.is_some_and(|from| self.map.is_adjacent(from.0, target.0));
                ensure(
                    self.phase == Phase::D || (at_war && near),
                    || field.into(),
                    || format!("{} is not next to a force that could attack it", self.map.key(target.0)),
                )?;
            }
        }
        Ok(())
    }

    /// Right after the check point of Phase A nobody is over a limit (SW-R-31).
    fn check_ronin_limits(&self) -> Result<(), SetupError> {
        for province in Provinces(self.owned(self.active)) {
            let forces = self.forces_at(province);
            let at = |name: &str| format!("provinces.{}.{name}", self.map.key(province.0));
            let within = forces.army.is_within_ronin_limit() && forces.provincial.is_within_ronin_limit();
            ensure(within, || at("units.ronin"), || "more ronin than the force leads".into())?;
            let (army, provincial) = self.ronin_room(province);
            let hidden = self.provinces[province].hidden;
            ensure(
                hidden <= army + provincial,
                || at("hidden"),
                || format!("{hidden}, the forces there lead {} more", army + provincial),
            )?;
        }
        Ok(())
    }

    /// Whoever is asked is the one the point asks (SW-S-25).
    fn check_decider(&self) -> Result<(), SetupError> {
        let wanted = match (self.point, self.fight) {
            (Point::Casualties(Role::Defender), Some(fight)) => fight.defender,
            (Point::RevealDefender(target), _) => self.provinces[target].owner.unwrap_or(self.active),
            _ => self.active,
        };
        let asked = self.window.is_none() && self.recovery.is_none() && self.revenge.is_none();
        let holds = self.phase == Phase::None || self.is_over() || !asked || self.decider == wanted;
        ensure(
            holds,
            || "decider".into(),
            || format!("clan {}, but clan {} is asked", self.decider.0, wanted.0),
        )
    }

    /// Each point has its phase, and its share of what can be under way.
    fn check_frame(&self) -> Result<(), SetupError> {
        use Phase::{A, B, C, D, None as Peace};
        // Phases; whether a move, an attack and a battle are under way; whether something can interrupt play here.
        let (phases, march, series, fight, interrupted): (&[Phase], _, _, _, _) = match self.point {
            Point::Divide(_)
            | Point::Reinforce(_)
            | Point::PlaceArmies(_)
            | Point::Spy
            | Point::Plan(_)
            | Point::Swords
            | Point::Build
            | Point::Buy(_)
            | Point::Levy(_)
            | Point::Ronin(_) => (&[Peace], false, false, false, false),
            Point::WarTurn | Point::EndRound => (&[Peace], false, false, false, true),
            Point::ChooseArmy => (&[A, D], false, false, false, true),
            Point::Move { .. } => (&[A, D], false, false, false, false),
            Point::Garrison { .. } | Point::LeaveRonin(_) | Point::DivideRest(_) => {
                (&[A, C, D], true, self.phase == C, false, false)
            }
            Point::Declare | Point::DeclareTarget(_) => (&[B], false, false, false, false),
            Point::ChooseBattle => (&[C], false, false, false, true),
            Point::Attack(_) | Point::RevealDefender(_) => (&[C], false, true, false, false),
            Point::RevealAttacker(_) | Point::FirstDie(_) | Point::Conquest | Point::NextTarget => {
                (&[C], false, true, false, true)
            }
            Point::Roll | Point::CallOff => (&[C], false, true, true, true),
            Point::Casualties(_) => (&[C], false, true, true, false),
            Point::ChooseForce | Point::ChooseUnits { .. } | Point::Detach { .. } => {
                (&[D], false, false, false, false)
            }
            Point::IntoArmy(_) => (&[D], true, false, false, false),
            Point::Over(_) => (&[Peace, A, B, C, D], false, false, false, false),
        };
        let point = self.point;
        let not_here = |what: &str| format!("{what} at {point:?}");
        ensure(phases.contains(&self.phase), || "phase".into(), || not_here(&format!("{:?}", self.phase)))?;
        let under_way = [
            ("march", self.march.is_some(), march),
            ("series", self.series.is_some(), series),
            ("fight", self.fight.is_some(), fight),
        ];
        for (field, found, wanted) in under_way {
            ensure(
                found == wanted,
                || field.into(),
                || not_here(if found { "something" } else { "nothing" }),
            )?;
        }
        let interrupts = [
            ("window", self.window.is_some()),
            ("revenge", self.revenge.is_some()),
            ("recovery", self.recovery.is_some()),
        ];
        for (field, found) in interrupts {
            ensure(!found || interrupted, || field.into(), || not_here("an interruption"))?;
        }
        let pushed = self.must_move.is_none() || self.point == Point::ChooseArmy;
        ensure(pushed, || "must_move".into(), || not_here("an army that must move"))
    }

    /// Marks of a simultaneous step are those of the answers given so far.
    fn check_answers(&self) -> Result<(), SetupError> {
        for clan in self.in_play() {
            let it = &self.clans[clan];
            let at = |name: &str| format!("clans[{}].{name}", clan.0);
            // Answers given: all, those before the place that is asked about, or none.
            let given = |all: u8, place: u8| match () {
                () if it.answered => all,
                () if clan == self.decider => place,
                () => 0,
            };
            match self.point {
                Point::Buy(_) => {
                    let within = LEVIED.into_iter().all(|unit| it.bought[unit] <= it.tray.count(unit));
                    ensure(within, || at("bought"), || "more than the tray has".into())?;
                }
                Point::Levy(place) => {
                    let mut left = given(it.bought.total(), place);
                    for unit in LEVIED {
                        let most = it.bought[unit].min(left);
                        left -= most;
                        let marks = Provinces(self.owned(clan))
                            .filter(|&p| self.provinces[p].levy.is_some_and(|levied| levied.unit == unit))
                            .count();
                        ensure(
                            marks <= usize::from(most),
                            || at("bought"),
                            || format!("{marks} {} placed of {most} seen to", unit.name()),
                        )?;
                    }
                    for province in Provinces(self.owned(clan)) {
                        if let Some(levied) = self.provinces[province].levy {
                            let (force, army) = self.room(clan, province, levied.unit);
                            let fits = if levied.into_army { army } else { force };
                            let key = self.map.key(province.0);
                            ensure(fits, || format!("provinces.{key}.levy"), || "no room for it".into())?;
                        }
                    }
                }
                Point::Ronin(place) => {
                    let laid: u32 = self.cards(clan).map(u32::from).sum();
                    let most = given(it.hired, place);
                    ensure(
                        laid <= u32::from(most),
                        || at("hired"),
                        || format!("{laid} laid of {most} seen to"),
                    )?;
                    for province in Provinces(self.owned(clan)) {
                        let (hidden, limit) = (self.provinces[province].hidden, self.ronin_limit(province));
                        let key = self.map.key(province.0);
                        ensure(
                            hidden <= limit,
                            || format!("provinces.{key}.hidden"),
                            || format!("{hidden}, the limit is {limit}"),
                        )?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a point needs to be played on from.
    fn check_point(&self) -> Result<(), SetupError> {
        let army = |army: u8| usize::from(army) < DAIMYO && self.army(self.active, army).is_led();
        let clan = &self.clans[self.decider];
        let own = |province: ProvinceId| self.provinces[province].owner == Some(self.active);
        let beside = |target: ProvinceId| {
            self.attack_from().is_some_and(|from| self.map.is_adjacent(from.0, target.0))
        };
        let clans = self.clan_count() as u8;
        let stage = self.fight.map(|fight| fight.combat.stage);
        let before = matches!(self.point, Point::Divide(_) | Point::Reinforce(_) | Point::PlaceArmies(_));
        ensure(
            before == (self.round == 0),
            || "round".into(),
            || format!("{}, setup is round 0 and play begins with round 1", self.round),
        )?;
        let holds = match self.point {
            Point::Divide(left) => {
                let count = |clan: u8| self.province_count(ClanId(clan));
                let even = self.decider.0.is_multiple_of(2) && self.decider.0 < clans;
                let dealt = [0, 2].into_iter().all(|player| count(player) + count(player + 1) == 34);
                self.options.seats == 2 && even && dealt && count(self.decider.0) + left == 17 && left > 0
            }
            Point::Reinforce(done) => {
                done < 6 * clans
                    && Provinces(self.owned(self.decider)).any(|p| self.provinces[p].units[Unit::Spear] == 1)
            }
            Point::PlaceArmies(done) => done < 3 * clans,
            Point::Spy => self.ninja == Some(self.decider),
            Point::Plan(_) => !clan.committed,
            Point::Over(End::Provinces(player) | End::LastPlayer(player)) => player < self.options.seats,
            Point::Buy(spent) => spent == 0 || spent < clan.plan.levy,
            Point::Levy(place) => place == 0 || place < clan.bought.total(),
            Point::Ronin(place) => place == 0 || place < clan.hired,
            Point::DeclareTarget(force) => {
                let stands = match force {
                    Attacker::Army(number) => army(number),
                    Attacker::Force(province) => {
                        own(province) && self.provinces[province].units.regulars() > 0
                    }
                };
                stands && self.targets(force, self.open_enemies()) != 0
            }
            Point::Attack(target) | Point::RevealAttacker(target) | Point::FirstDie(target) => beside(target),
            Point::RevealDefender(target) => {
                let enemy = |owner| self.are_enemies(self.active, owner);
                self.provinces[target].owner.is_some_and(enemy) && beside(target)
            }
            Point::Roll => {
                matches!(stage, Some(Stage::Roll(_))) && self.fight.is_some_and(|fight| beside(fight.target))
            }
            Point::CallOff => {
                stage == Some(Stage::CallOff) && self.fight.is_some_and(|fight| beside(fight.target))
            }
            Point::Casualties(_) => self.fight_is_sound(),
            Point::Conquest | Point::NextTarget => self.series.is_some_and(|(force, _)| match force {
                Attacker::Army(number) => {
                    let army = self.army(self.active, number);
                    army.province.is_some() || army.is_lost()
                }
                Attacker::Force(_) => true,
            }),
            Point::Swords
            | Point::Build
            | Point::WarTurn
            | Point::ChooseArmy
            | Point::Declare
            | Point::ChooseBattle
            | Point::ChooseForce
            | Point::EndRound
            | Point::Over(_) => true,
            _ => self.move_is_sound(),
        };
        ensure(
            holds,
            || "point".into(),
            || format!("{:?} does not go with the rest of the position", self.point),
        )
    }

    /// Whether a move under way agrees with the board.
    fn move_is_sound(&self) -> bool {
        let army = |army: u8| usize::from(army) < DAIMYO && self.army(self.active, army).is_led();
        let most_steps = MAX_ATTACKS as u8;
        match self.point {
            Point::Move { army: number, steps, .. } => army(number) && steps <= most_steps,
            Point::Detach { army: number, steps, to, count } => {
                army(number)
                    && steps <= most_steps
                    && count <= PROV_MAX
                    && (count > 0 || self.army(self.active, number).followers() > 0)
                    && self.provinces[to].owner == (count > 0).then_some(self.active)
                    && self.provinces[to].units.regulars() == count
                    && self.own_army_at(self.active, to).is_none()
                    && self
                        .army(self.active, number)
                        .province
                        .is_some_and(|p| self.map.is_adjacent(p.0, to.0))
            }
            Point::Garrison { steps, count } => self.march.is_some_and(|march| {
                march.army.is_some_and(|number| {
                    count == self.provinces[march.from].units.regulars()
                        && steps < most_steps
                        && self.army_beside(self.active, number).is_none()
                        && (count > 0 || self.army(self.active, number).followers() > 0)
                })
            }),
            Point::LeaveRonin(steps) => {
                let stays =
                    |march: crate::state::March| march.army.is_some_and(|number| self.others_remain(number));
                steps < most_steps && self.march.is_some_and(stays)
            }
            Point::DivideRest(steps) => self.march.is_some_and(|march| {
                let held = match march.army {
                    Some(number) => self.others_remain(number),
                    None => self.phase == Phase::D && self.forces_at(march.from).has_regulars(),
                };
                steps < most_steps && held && (march.army.is_some() || self.fits(march.to, &march.units))
            }),
            Point::ChooseUnits { from, units } => {
                let there = &self.provinces[from];
                let free = |unit| {
                    u32::from(units[unit]) + u32::from(there.moved[unit]) <= u32::from(there.units[unit])
                };
                there.owner == Some(self.active)
                    && there.units.regulars() > 0
                    && Unit::ALL.into_iter().all(free)
                    && units[Unit::Ronin] <= units.regulars().saturating_sub(1)
                    && units.regulars() <= self.may_go(from)
                    && self.destinations(from, &units) != 0
                    && (units.regulars() > 0 || self.next_units(from, &units).next().is_some())
            }
            Point::IntoArmy(unit) => self.march.is_some_and(|march| {
                march.army.is_none()
                    && (march.hidden, march.rest) == (0, 0)
                    && self.forces_at(march.from).has_regulars()
                    && self.is_dividing(&march, unit)
            }),
            _ => false,
        }
    }

    /// Whether a battle in its casualty step agrees with the board.
    fn fight_is_sound(&self) -> bool {
        let (Some(fight), Some(from)) = (self.fight, self.attack_from()) else { return false };
        let sides = [*fight.combat.side(Role::Attacker), fight.combat.defender];
        let within = |losses: &ByUnit<u8>, units: &ByUnit<u8>| {
            Unit::ALL.into_iter().all(|unit| losses[unit] <= units[unit])
        };
        let on_board = fight.combat.attacker == self.attacking_side()
            && fight.combat.defender == self.defending_side(fight.target);
        on_board
            && matches!(fight.combat.stage, Stage::Casualties(_))
            && self.provinces[fight.target].owner == Some(fight.defender)
            && self.map.is_adjacent(from.0, fight.target.0)
            && fight.losses.iter().zip(&sides).zip(fight.owed).all(|((losses, side), owed)| {
                losses.bonus <= side.bonus
                    && within(&losses.provincial, &side.provincial.units)
                    && within(&losses.army, &side.army.units)
                    && (owed == 0 || losses.bonus == side.bonus)
                    // The daimyo is never chosen: he goes when all go (SW-CASUALTY-05).
                    && u32::from(losses.total() - losses.bonus) + u32::from(owed)
                        <= u32::from(side.standing() - if owed > 0 { side.army.units[Unit::Daimyo] } else { 0 })
            })
    }
}
