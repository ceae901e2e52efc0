//! One battle as a question: forces, building, loss orders and when to call off.

use sengoku_kernel::{Chance, Script};
use thiserror::Error;

use crate::data::{ARMY_TOTAL, DIE, Fort, RONIN, Unit};
use crate::force::{Force, ForceError, Losses, Side};
use crate::loss_order::LossOrder;
use crate::play::combat::{BattleEnd, Combat, Role, Stage};

/// Most units that can attack: a full army and the ronin it leads.
pub const MAX_ATTACKERS: u8 = 2 * ARMY_TOTAL - 1;
/// Most combat rounds after which calling off can be asked for.
pub const MAX_BREAK_OFF_AFTER: u32 = 1_000_000;

/// A battle that the rules allow. [`Battle::new`] is the only door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    attacker: Side,
    defender: Side,
    naval: bool,
    attacker_losses: LossOrder,
    defender_losses: LossOrder,
    break_off: BreakOff,
}

/// When the attacker calls off in step 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BreakOff {
    /// With fewer units than this left; 0 is never.
    pub below: u8,
    /// After this many combat rounds; 0 is never.
    pub after: u32,
}

/// A battle as one writes it down.
#[derive(Clone, Debug, Default)]
pub struct BattleSetup {
    /// The force that attacks.
    pub attacker: Force,
    /// The forces that defend: one, or an army and a provincial force in either order.
    pub defenders: Vec<Force>,
    /// The building of the province.
    pub fort: Fort,
    /// Bonus units lost earlier in the same war turn (SW-FORT-03).
    pub fort_lost: u8,
    /// Whether the attack comes over a sea route.
    pub naval: bool,
    /// In which order the attacker gives up units.
    pub attacker_losses: LossOrder,
    /// In which order the defender gives up units.
    pub defender_losses: LossOrder,
    /// When the attacker calls off.
    pub break_off: BreakOff,
}

/// Why a battle cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The attacking force is wrong in itself.
    #[error("attacker: {0}")]
    Attacker(ForceError),
    /// A defending force is wrong in itself.
    #[error("defender: {0}")]
    Defender(ForceError),
    /// A disrupted army cannot attack (SW-NINJA-06).
    #[error("attacker: disrupted is true, a disrupted army does not attack")]
    DisruptedAttacker,
    /// Too few or too many defending forces.
    #[error("defender: {0} forces, a province is defended by one or two")]
    DefenderCount(usize),
    /// Two armies or two provincial forces.
    #[error("defender: two {0}, a province holds at most one army and one provincial force")]
    DefenderKinds(&'static str),
    /// More ronin than there are.
    #[error("ronin: {0} on both sides together, there are {RONIN}")]
    RoninPool(u32),
    /// More bonus units lost than there were.
    #[error("fort_lost is {lost}, the bonus of fort \"{fort}\" is {bonus}")]
    FortLost {
        /// Units said to be lost.
        lost: u8,
        /// Name of the building.
        fort: &'static str,
        /// Its bonus units.
        bonus: u8,
    },
    /// A break-off point no attack can have.
    #[error("break_off_below is {0}, at most {MAX_ATTACKERS} units can attack")]
    BreakOffBelow(u8),
    /// A break-off point beyond reason.
    #[error("break_off_after is {0}, at most {MAX_BREAK_OFF_AFTER} rounds are possible")]
    BreakOffAfter(u32),
}

/// Why scripted dice do not fit a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DiceScriptError {
    /// The script ends in the middle of the battle.
    #[error("{given} dice given, at least {needed} needed")]
    TooFew {
        /// Dice in the script.
        given: usize,
        /// Least number of dice needed up to and including the half that was under way.
        needed: usize,
    },
    /// The battle ends before the script.
    #[error("{given} dice given, only {used} needed, {left} left over", left = given - used)]
    TooMany {
        /// Dice in the script.
        given: usize,
        /// Dice rolled.
        used: usize,
    },
    /// A die that does not exist.
    #[error("die {place} is {value}, a die shows 1 to {DIE}")]
    NoSuchFace {
        /// Place in the script, counted from 0.
        place: usize,
        /// Value of the die.
        value: u8,
    },
}

/// One line of a battle's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightStep {
    /// Combat round; 0 is the first strike.
    pub round: u32,
    /// Step of the round; casualties of a first strike are removed in its step 7.
    pub step: u8,
    /// The side that rolled, removed units or decided.
    pub role: Role,
    /// Dice rolled, in order.
    pub dice: Vec<u8>,
    /// Hits made with these dice, or taken in a casualty step.
    pub hits: u8,
    /// Units removed in a casualty step.
    pub losses: Losses,
}

/// A battle fought to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// How it ended.
    pub end: BattleEnd,
    /// The attacker's remaining units.
    pub attacker: Side,
    /// The defender's remaining units.
    pub defender: Side,
    /// Combat rounds begun.
    pub rounds: u32,
    /// Everything that happened, in order.
    pub steps: Vec<FightStep>,
}

impl Battle {
    /// A battle, once its parts have been checked.
    ///
    /// # Errors
    /// [`SetupError`] with the field and the offending value.
    pub fn new(setup: &BattleSetup) -> Result<Self, SetupError> {
        setup.attacker.validate().map_err(SetupError::Attacker)?;
        if setup.attacker.disrupted {
            return Err(SetupError::DisruptedAttacker);
        }
        for force in &setup.defenders {
            force.validate().map_err(SetupError::Defender)?;
        }
        let mut defender = match setup.defenders[..] {
            [force] => Side::single(force),
            [one, other] => match (one.is_army(), other.is_army()) {
                (true, false) => Side { army: one, provincial: other, ..Side::default() },
                (false, true) => Side { army: other, provincial: one, ..Side::default() },
                (true, true) => return Err(SetupError::DefenderKinds("armies")),
                (false, false) => return Err(SetupError::DefenderKinds("provincial forces")),
            },
            _ => return Err(SetupError::DefenderCount(setup.defenders.len())),
        };
        let ronin = setup.defenders.iter().chain([&setup.attacker]);
        let ronin = ronin.map(|force| u32::from(force.units[Unit::Ronin])).sum();
        if ronin > u32::from(RONIN) {
            return Err(SetupError::RoninPool(ronin));
        }
        let bonus = setup.fort.bonus();
        defender.fort = setup.fort;
        defender.bonus = bonus.checked_sub(setup.fort_lost).ok_or(SetupError::FortLost {
            lost: setup.fort_lost,
            fort: setup.fort.name(),
            bonus,
        })?;
        if setup.break_off.below > MAX_ATTACKERS {
            return Err(SetupError::BreakOffBelow(setup.break_off.below));
        }
        if setup.break_off.after > MAX_BREAK_OFF_AFTER {
            return Err(SetupError::BreakOffAfter(setup.break_off.after));
        }
        Ok(Self {
            attacker: Side::single(setup.attacker),
            defender,
            naval: setup.naval,
            attacker_losses: setup.attacker_losses,
            defender_losses: setup.defender_losses,
            break_off: setup.break_off,
        })
    }

    /// The attacking side before the battle.
    pub const fn attacker(&self) -> &Side {
        &self.attacker
    }

    /// The defending side before the battle.
    pub const fn defender(&self) -> &Side {
        &self.defender
    }

    /// A side before the battle.
    pub const fn side(&self, role: Role) -> &Side {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    /// The order in which a side gives up units.
    pub const fn losses(&self, role: Role) -> &LossOrder {
        match role {
            Role::Attacker => &self.attacker_losses,
            Role::Defender => &self.defender_losses,
        }
    }

    /// Whether the attack comes over a sea route.
    pub const fn naval(&self) -> bool {
        self.naval
    }

    /// When the attacker calls off.
    pub const fn break_off(&self) -> BreakOff {
        self.break_off
    }

    /// Fights the battle with dice from `chance`, draw numbers from 0 on.
    pub fn fight(&self, chance: &mut impl Chance) -> Fight {
        let mut steps = Vec::new();
        let mut draws = 0;
        let mut combat = Combat::new(self.attacker, self.defender, self.naval);
        while self.advance(&mut combat, &mut draws, chance, &mut steps).is_none() {}
        Self::record(&combat, steps)
    }

    /// Fights the battle with scripted dice, 1 to 12 each, in the order of SW-RND-05.
    ///
    /// # Errors
    /// [`DiceScriptError`] when the script is too short, too long or shows what no die shows.
    pub fn fight_scripted(&self, dice: &[u8]) -> Result<Fight, DiceScriptError> {
        let mut rolls = Vec::with_capacity(dice.len());
        for (place, &value) in dice.iter().enumerate() {
            match u32::from(value) {
                face @ 1..=DIE => rolls.push(face - 1),
                _ => return Err(DiceScriptError::NoSuchFace { place, value }),
            }
        }
        let mut script = Script::new(&rolls);
        let mut steps = Vec::new();
        let mut draws = 0;
        let mut combat = Combat::new(self.attacker, self.defender, self.naval);
        while self.advance(&mut combat, &mut draws, &mut script, &mut steps).is_none() {
            if script.missing() > 0 {
                return Err(DiceScriptError::TooFew { given: dice.len(), needed: script.requested() });
            }
        }
        match script.missing() {
            0 if script.requested() < dice.len() => {
                Err(DiceScriptError::TooMany { given: dice.len(), used: script.requested() })
            }
            0 => Ok(Self::record(&combat, steps)),
            _ => Err(DiceScriptError::TooFew { given: dice.len(), needed: script.requested() }),
        }
    }

    /// Takes the battle one stage further; returns its end once it is over.
    fn advance(
        &self,
        combat: &mut Combat,
        draws: &mut u32,
        chance: &mut impl Chance,
        steps: &mut Vec<FightStep>,
    ) -> Option<BattleEnd> {
        let round = combat.round;
        let line =
            |step, role| FightStep { round, step, role, dice: vec![], hits: 0, losses: Losses::default() };
        match combat.stage {
            Stage::Roll(_) => combat.roll(draws, chance, |roll, _| {
                steps.push(FightStep {
                    dice: roll.dice.to_vec(),
                    hits: roll.hits,
                    ..line(roll.step, roll.role)
                });
            }),
            Stage::Casualties(half) => {
                let [attacker, defender] = Role::BOTH.map(|role| {
                    let due = combat.casualties_due(role);
                    let losses = combat.side(role).choose(self.losses(role), due);
                    if due > 0 {
                        let hits = combat.hits[1 - role as usize];
                        steps.push(FightStep { hits, losses, ..line(half.casualty_step(), role) });
                    }
                    losses
                });
                combat.remove(&attacker, &defender);
            }
            Stage::CallOff => {
                let calls_off = self.calls_off(combat.attacker.total(), combat.round);
                if calls_off {
                    steps.push(line(8, Role::Attacker));
                }
                combat.step_8(calls_off);
            }
            Stage::Over(end) => return Some(end),
        }
        None
    }

    /// Whether the attacker calls off in step 8 of a round with this many units left.
    pub const fn calls_off(&self, attackers_left: u8, round: u32) -> bool {
        let BreakOff { below, after } = self.break_off;
        attackers_left < below || (after > 0 && round >= after)
    }

    fn record(combat: &Combat, steps: Vec<FightStep>) -> Fight {
        let Stage::Over(end) = combat.stage else { unreachable!("the battle was fought to its end") };
        Fight { end, attacker: combat.attacker, defender: combat.defender, rounds: combat.round, steps }
    }
}
