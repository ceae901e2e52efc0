//! Invariants of a war turn: its parts refer to each other and to the board (SW-S-30..32).

use sengoku_kernel::SetupError;

use super::ensure;
use crate::action::MAX_HIDDEN;
use crate::data::{DAIMYO, PROV_MAX, ProvinceId, Provinces, RONIN, Unit};
use crate::state::{Army, Attacker, Phase, Point, State};

impl State {
    /// The parts of a war turn that refer to each other.
    pub(super) fn check_war(&self) -> Result<(), SetupError> {
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
            || "no clan holds the ninja".into(),
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
            ensure(self.phase == Phase::C && there, || "series".into(), || "force does not attack".into())?;
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
}
