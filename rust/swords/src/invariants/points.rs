//! Invariants of a point of play: who decides, what is under way, whether play can continue (SW-S-24, SW-S-25).

use sengoku_kernel::SetupError;

use super::ensure;
use crate::data::{ByUnit, ClanId, DAIMYO, PROV_MAX, ProvinceId, Provinces, Unit};
use crate::play::combat::{Role, Stage};
use crate::play::levying::LEVIED;
use crate::play::series::MAX_ATTACKS;
use crate::state::{Attacker, End, March, Phase, Point, State};

impl State {
    /// The clan to decide is the one that the point asks (SW-S-25).
    pub(super) fn check_decider(&self) -> Result<(), SetupError> {
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
            || format!("clan {}, but clan {} is to decide", self.decider.0, wanted.0),
        )
    }

    /// Each point has its phase, and its share of what can be under way.
    pub(super) fn check_frame(&self) -> Result<(), SetupError> {
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
    pub(super) fn check_answers(&self) -> Result<(), SetupError> {
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

    /// Checks that play can continue from the point.
    pub(super) fn check_point(&self) -> Result<(), SetupError> {
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
                let stays = |march: March| march.army.is_some_and(|number| self.others_remain(number));
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
