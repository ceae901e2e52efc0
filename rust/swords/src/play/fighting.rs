//! Phase C, one battle on the map: dice are rolled, players choose (SW-D-19..22, SW-R-36, SW-R-90).

use crate::action::{Action, ActionSink};
use crate::data::{ByUnit, ClanId, ProvinceId, Unit};
use crate::event::{Context, Event};
use crate::force::{Losses, Side};
use crate::play::Next;
use crate::play::combat::{BattleEnd, Combat, Half, Role, Stage};
use crate::play::series::Attack;
use crate::state::{Attacker, Fight, Point, State};

impl State {
    /// The battle under way.
    pub(crate) fn fight_under_way(&self) -> &Fight {
        let Some(fight) = &self.fight else { unreachable!("no battle at {:?}", self.point) };
        fight
    }

    /// The battle under way, to be changed.
    fn fight_under_way_mut(&mut self) -> &mut Fight {
        let Some(fight) = &mut self.fight else { unreachable!("no battle at {:?}", self.point) };
        fight
    }

    /// Where the attack under way comes from; its force stands there.
    pub(super) fn attacker_place(&self) -> ProvinceId {
        let Some(from) = self.attack_from() else { unreachable!("no attacker at {:?}", self.point) };
        from
    }

    /// Where the attack under way comes from, unless its army is lost.
    pub fn attack_from(&self) -> Option<ProvinceId> {
        self.series.and_then(|(force, _)| self.place_of(force))
    }

    /// The attacking force as a side of the battle.
    pub(crate) fn attacking_side(&self) -> Side {
        Side::single(match self.series {
            Some((Attacker::Army(army), _)) => self.army(self.active, army).force(),
            Some((Attacker::Force(province), _)) => self.provinces[province].force(),
            None => crate::Force::default(),
        })
    }

    /// Everything that defends a province, with what is left of the bonus units in this war turn (SW-FORT-01..03).
    pub(crate) fn defending_side(&self, target: ProvinceId) -> Side {
        let province = &self.provinces[target];
        let bonus = province.fort.bonus().saturating_sub(province.bonus_lost);
        Side { fort: province.fort, bonus, ..self.forces_at(target) }
    }

    pub(crate) fn advance_first_die(&mut self, target: ProvinceId, context: &mut impl Context) -> Next {
        if !self.judge(target, context) {
            return Next::Go;
        }
        let from = self.attacker_place();
        let Some(defender) = self.provinces[target].owner else { unreachable!("nobody defends {target:?}") };
        let naval = self.map.is_sea(from.0, target.0); // SW-MAP-05
        let combat = Combat::new(self.attacking_side(), self.defending_side(target), naval);
        let (losses, owed) = ([Losses::default(); 2], [0; 2]);
        self.fight = Some(Fight { target, defender, combat, losses, owed });
        let (clan, map) = (self.active, self.map);
        let army = match self.series {
            Some((Attacker::Army(army), _)) => Some(army + 1),
            _ => None,
        };
        context.log(|| Event::Battle {
            clan,
            army,
            from: map.key(from.0),
            target: map.key(target.0),
            defender,
            naval,
        });
        self.go_to(Point::Roll);
        Next::Go
    }

    /// Ends the battle if it has lost a side or changed hands otherwise than by its dice (SW-R-36, SW-R-90).
    fn is_broken(&mut self, context: &mut impl Context) -> bool {
        let fight = *self.fight_under_way();
        let owner = self.provinces[fight.target].owner;
        let standing = self.attacking_side();
        let disrupted =
            matches!(self.series, Some((Attacker::Army(army), _)) if !self.army(self.active, army).is_led());
        let attack = if disrupted {
            Attack::CalledOff
        } else if standing.standing() == 0 {
            Attack::Beaten
        } else if owner.is_none() {
            Attack::FoundEmpty
        } else if owner != Some(fight.defender) {
            Attack::Lapsed
        } else {
            return false;
        };
        let target = self.map.key(fight.target.0);
        context.log(|| Event::BattleBroken { target });
        self.leave_battle(attack);
        if disrupted {
            self.series_under_way().disrupt();
        }
        true
    }

    /// The battle is over for the series; the window comes before what may follow (SW-NW-10).
    fn leave_battle(&mut self, attack: Attack) {
        let target = self.fight_under_way().target;
        self.fight = None;
        self.series_under_way().attack(target, attack);
        self.go_to(Point::Conquest);
        self.open_window(10);
    }

    /// Brings the sides of the battle up to date with the board: a window may have changed them.
    fn muster(&mut self) {
        let attacker = self.attacking_side();
        let defender = self.defending_side(self.fight_under_way().target);
        let combat = &mut self.fight_under_way_mut().combat;
        (combat.attacker, combat.defender) = (attacker, defender);
    }

    pub(crate) fn advance_rolling(&mut self, context: &mut impl Context) -> Next {
        if self.is_broken(context) {
            return Next::Go;
        }
        self.muster();
        let mut fight = *self.fight_under_way();
        let round = fight.combat.round;
        let mut draws = self.draws;
        fight.combat.roll(&mut draws, context, |roll, context| {
            context.log(|| Event::Dice {
                role: roll.role,
                round,
                step: roll.step,
                dice: roll.dice.to_vec(),
                hits: roll.hits,
            });
        });
        self.draws = draws;
        fight.losses = [Losses::default(); 2];
        for role in Role::BOTH {
            (fight.losses[role as usize], fight.owed[role as usize]) =
                forced_losses(fight.combat.side(role), fight.combat.casualties_due(role));
        }
        self.fight = Some(fight);
        self.point = Point::Casualties(Role::Attacker);
        Next::Go
    }

    pub(crate) fn advance_casualties(&mut self, role: Role, context: &mut impl Context) -> Next {
        let fight = self.fight_under_way();
        if fight.owed[role as usize] > 0 {
            self.decider = match role {
                Role::Attacker => self.active,
                Role::Defender => fight.defender,
            };
            return Next::Ask;
        }
        match role {
            Role::Attacker => self.point = Point::Casualties(Role::Defender),
            Role::Defender => self.remove_casualties(context),
        }
        Next::Go
    }

    pub(crate) fn legal_casualties(&self, role: Role, out: &mut impl ActionSink) {
        let fight = self.fight_under_way();
        let mut side = *fight.combat.side(role);
        side.remove(&fight.losses[role as usize]);
        let may_go = |force: &crate::Force, unit: Unit| unit != Unit::Daimyo && force.may_lose_one(unit);
        let army = Unit::ALL.into_iter().filter(|&unit| may_go(&side.army, unit));
        out.add_all(army.map(Action::FromArmy));
        let provincial = Unit::ALL.into_iter().filter(|&unit| may_go(&side.provincial, unit));
        out.add_all(provincial.map(Action::FromProvince));
    }

    pub(crate) fn play_casualties(&mut self, role: Role, action: Action) {
        let fight = self.fight_under_way_mut();
        let losses = &mut fight.losses[role as usize];
        match action {
            Action::FromArmy(unit) => losses.army[unit] += 1,
            Action::FromProvince(unit) => losses.provincial[unit] += 1,
            _ => unreachable!("{action:?} is not a casualty"),
        }
        fight.owed[role as usize] -= 1;
    }

    /// Both sides' casualties leave the board together (SW-CASUALTY-03), and what follows from them.
    fn remove_casualties(&mut self, context: &mut impl Context) {
        let (mut fight, from) = (*self.fight_under_way(), self.attacker_place());
        let Stage::Casualties(half) = fight.combat.stage else {
            unreachable!("casualties in stage {:?}", fight.combat.stage)
        };
        let [attacker, defender] = fight.losses;
        fight.combat.remove(&attacker, &defender);
        fight.losses = [Losses::default(); 2];
        self.fight = Some(fight);
        let lost_in = [(Role::Attacker, self.active, from), (Role::Defender, fight.defender, fight.target)];
        for ((role, clan, province), losses) in lost_in.into_iter().zip([attacker, defender]) {
            if losses.total() > 0 {
                context.log(|| Event::Casualties {
                    role,
                    clan,
                    bonus: losses.bonus,
                    provincial: losses.provincial,
                    army: losses.army,
                });
                self.take_losses(role, clan, province, &losses, context);
            }
        }
        for (_, clan, province) in lost_in {
            if self.provinces[province].owner == Some(clan) {
                self.vacate_if_empty(province, context);
            }
        }
        // The marks of the battle's end come before clans go out, so that an ended turn stays ended.
        let window = match half {
            Half::FirstStrike => 7,
            Half::Missile => 8,
            Half::Melee => 9,
        };
        match fight.combat.stage {
            Stage::Over(end) => {
                let target = self.map.key(fight.target.0);
                context.log(|| Event::BattleOver { target, end });
                self.leave_battle(end.into());
            }
            stage => {
                self.go_to(if stage == Stage::CallOff { Point::CallOff } else { Point::Roll });
                self.open_window(window);
            }
        }
        let fallen = [(self.active, fight.defender), (fight.defender, self.active)];
        self.eliminate_if_leaderless(&fallen, context);
        // A battle that lost its defenders by their clan's end is over; its window comes after that (SW-R-90).
        if self.fight.is_some() && self.provinces[fight.target].owner != Some(fight.defender) {
            self.window = None;
        }
    }

    /// Takes one side's losses off the board (SW-CASUALTY-07); a daimyo among them is lost, and so is a disrupted army
    /// of which no regular unit is left (SW-NINJA-09).
    fn take_losses(
        &mut self,
        role: Role,
        clan: ClanId,
        province: ProvinceId,
        losses: &Losses,
        context: &mut impl Context,
    ) {
        self.clans[clan].tray.take_back(losses);
        self.pool.take_back(losses);
        let army = match (role, self.series) {
            (Role::Attacker, Some((Attacker::Army(army), _))) => Some(army),
            (Role::Attacker, _) => None,
            (Role::Defender, _) => self.own_army_at(clan, province),
        };
        let place = &mut self.provinces[province];
        place.bonus_lost += losses.bonus;
        for unit in Unit::ALL {
            place.units[unit] -= losses.provincial[unit];
            place.moved[unit] = place.moved[unit].min(place.units[unit]);
        }
        if let Some(number) = army {
            let army = self.army_mut(clan, number);
            for unit in Unit::ALL {
                army.units[unit] -= losses.army[unit];
            }
            if army.units.regulars() == 0 {
                self.lose_army(clan, number, context);
            }
        }
    }

    pub(crate) fn advance_step_8(&mut self, context: &mut impl Context) -> Next {
        if self.is_broken(context) { Next::Go } else { Next::Ask }
    }

    pub(crate) fn play_step_8(&mut self, action: Action, context: &mut impl Context) {
        let fight = self.fight_under_way_mut();
        fight.combat.step_8(action == Action::CallOff);
        let target = fight.target;
        if action == Action::CallOff {
            let target = self.map.key(target.0);
            context.log(|| Event::BattleOver { target, end: BattleEnd::CalledOff });
            self.leave_battle(Attack::CalledOff);
        } else {
            self.go_to(Point::Roll);
        }
    }
}

/// The units that a side is forced to give up, and how many units it may choose: none when public facts leave only
/// one choice, otherwise all beyond the bonus units, so that the number of answers reveals nothing.
pub(crate) fn forced_losses(side: &Side, due: u8) -> (Losses, u8) {
    let bonus = due.min(side.bonus); // SW-CASUALTY-04
    let mut losses = Losses { bonus, ..Losses::default() };
    let count = due - bonus;
    if count == 0 {
        return (losses, 0);
    }
    if due == side.total() {
        (losses.provincial, losses.army) = (side.provincial.units, side.army.units);
        return (losses, 0);
    }
    let mut left = *side;
    left.bonus = 0;
    if count + left.army.units[Unit::Daimyo] == left.standing() {
        // All but the daimyo, who is the last to go (SW-CASUALTY-05).
        (losses.provincial, losses.army) = (side.provincial.units, side.army.units);
        losses.army[Unit::Daimyo] = 0;
        return (losses, 0);
    }
    for _ in 0..count {
        let Some(one) = left.only_loss() else {
            return (Losses { bonus, ..Losses::default() }, count);
        };
        left.remove(&one);
        add(&mut losses.provincial, &one.provincial);
        add(&mut losses.army, &one.army);
    }
    (losses, 0)
}

fn add(sum: &mut ByUnit<u8>, more: &ByUnit<u8>) {
    for unit in Unit::ALL {
        sum[unit] += more[unit];
    }
}
