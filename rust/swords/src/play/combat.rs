//! One battle, step by step (SW-WAR-C-04..09, SW-NAVAL, SW-FORT).
//!
//! [`Combat`] rolls dice and removes casualties; who falls and whether to go on is decided outside.

use sengoku_kernel::Chance;
use serde::{Deserialize, Serialize};

use crate::data::Unit;
use crate::draws::die;
use crate::force::{Losses, Side};

/// Which side of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The side that attacks.
    Attacker,
    /// The side that is attacked.
    Defender,
}

impl Role {
    /// Both sides in the order in which they roll (SW-R-52).
    pub const BOTH: [Self; 2] = [Self::Attacker, Self::Defender];

    /// The side as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
        }
    }
}

/// A stretch of dice that ends with a removal of casualties (SW-R-51).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// The defender's first strike against a naval attack.
    FirstStrike,
    /// Steps 1 and 2, removed in step 3.
    Missile,
    /// Steps 4 to 6, removed in step 7.
    Melee,
}

/// A step in which dice are rolled: its number and who rolls in it (SW-WAR-C-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollStep {
    /// Number of the step.
    pub number: u8,
    /// The kinds that roll; they share a combat value.
    pub units: &'static [Unit],
}

const STEPS: [RollStep; 5] = [
    RollStep { number: 1, units: &[Unit::Bow] },
    RollStep { number: 2, units: &[Unit::Gun] },
    RollStep { number: 4, units: &[Unit::Daimyo] },
    RollStep { number: 5, units: &[Unit::Sword, Unit::Ronin] },
    RollStep { number: 6, units: &[Unit::Spear] },
];

impl RollStep {
    /// A die hits when it shows this or less.
    pub fn combat_value(&self) -> u8 {
        self.units[0].combat_value()
    }

    /// Dice a side rolls in this step, one per unit.
    pub fn dice(&self, side: &Side) -> u8 {
        self.units.iter().map(|&unit| side.fighting(unit)).sum()
    }
}

impl Half {
    /// The steps in which dice are rolled.
    pub const fn steps(self) -> &'static [RollStep] {
        match self {
            Self::FirstStrike => &STEPS,
            Self::Missile => STEPS.split_at(2).0,
            Self::Melee => STEPS.split_at(2).1,
        }
    }

    /// The step in which the casualties of this half are removed.
    pub const fn casualty_step(self) -> u8 {
        match self {
            Self::Missile => 3,
            Self::FirstStrike | Self::Melee => 7,
        }
    }

    /// A side as it rolls in this half: bonus units take no part in a first strike (SW-NAVAL-03).
    pub fn rolling(self, role: Role, side: &Side) -> Side {
        match (self, role) {
            (Self::FirstStrike, Role::Attacker) => Side::default(),
            (Self::FirstStrike, Role::Defender) => Side { bonus: 0, ..*side },
            _ => *side,
        }
    }
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BattleEnd {
    /// Only the attacker has units left.
    Attacker,
    /// Only the defender has units left.
    Defender,
    /// Nobody has units left (SW-R-56).
    Nobody,
    /// The attacker called it off in step 8.
    CalledOff,
}

impl BattleEnd {
    /// All ends.
    pub const ALL: [Self; 4] = [Self::Attacker, Self::Defender, Self::Nobody, Self::CalledOff];

    /// The end as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
            Self::Nobody => "none",
            Self::CalledOff => "called_off",
        }
    }
}

/// The event that a battle waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The dice of a half.
    Roll(Half),
    /// Both sides' choice of casualties.
    Casualties(Half),
    /// The attacker's choice in step 8.
    CallOff,
    /// Nothing.
    Over(BattleEnd),
}

/// A battle under way (SW-S-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    /// The attacking force.
    pub attacker: Side,
    /// Everything that defends the province.
    pub defender: Side,
    /// Combat rounds begun; 0 during a first strike.
    pub round: u32,
    /// The next step.
    pub stage: Stage,
    /// Hits of the attacker and of the defender in this half.
    pub hits: [u8; 2],
}

/// Dice rolled by one side in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll<'a> {
    /// The side that rolled.
    pub role: Role,
    /// Number of the step.
    pub step: u8,
    /// Values of the dice.
    pub dice: &'a [u8],
    /// How many of them hit.
    pub hits: u8,
}

impl Combat {
    /// A battle before its first die. Ronin have been revealed and divided (SW-R-57).
    pub fn new(attacker: Side, defender: Side, naval: bool) -> Self {
        let (round, half) = if naval { (0, Half::FirstStrike) } else { (1, Half::Missile) };
        Self { attacker, defender, round, stage: Stage::Roll(half), hits: [0; 2] }
    }

    /// A side of the battle.
    pub fn side(&self, role: Role) -> &Side {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    /// Rolls all dice of the half that is due and reports them step by step.
    ///
    /// Within a step the attacker rolls before the defender (SW-R-52). A side that has as many hits as the enemy has
    /// units rolls no further step of the half (SW-R-51).
    pub fn roll<C: Chance>(&mut self, draws: &mut u32, chance: &mut C, mut report: impl FnMut(Roll, &mut C)) {
        let Stage::Roll(half) = self.stage else { unreachable!("dice in stage {:?}", self.stage) };
        self.hits = [0; 2];
        for step in half.steps() {
            for role in Role::BOTH {
                let enemies = match role {
                    Role::Attacker => self.defender.total(),
                    Role::Defender => self.attacker.total(),
                };
                let count = step.dice(&half.rolling(role, self.side(role))) as usize;
                if count == 0 || self.hits[role as usize] >= enemies {
                    continue;
                }
                let mut dice = [0; 64];
                let dice = &mut dice[..count];
                dice.fill_with(|| die(draws, chance));
                let hits = dice.iter().filter(|&&roll| roll <= step.combat_value()).count() as u8;
                self.hits[role as usize] += hits;
                report(Roll { role, step: step.number, dice, hits }, chance);
            }
        }
        self.stage = Stage::Casualties(half);
    }

    /// Units a side must give up now (SW-CASUALTY-01); hits beyond its number are lost (SW-WAR-C-05).
    pub fn casualties_due(&self, role: Role) -> u8 {
        match (self.stage, role) {
            (Stage::Casualties(_), Role::Attacker) => self.hits[1].min(self.attacker.total()),
            (Stage::Casualties(_), Role::Defender) => self.hits[0].min(self.defender.total()),
            _ => 0,
        }
    }

    /// Removes the casualties of both sides together (SW-CASUALTY-03), each a choice that [`Side::may_lose`] allows.
    pub fn remove(&mut self, attacker: &Losses, defender: &Losses) {
        let Stage::Casualties(half) = self.stage else {
            unreachable!("casualties in stage {:?}", self.stage)
        };
        self.attacker.remove(attacker);
        self.defender.remove(defender);
        self.hits = [0; 2];
        self.stage = match (self.attacker.total(), self.defender.total()) {
            // SW-WAR-C-06: the battle ends at once
            (0, 0) => Stage::Over(BattleEnd::Nobody),
            (0, _) => Stage::Over(BattleEnd::Defender),
            (_, 0) => Stage::Over(BattleEnd::Attacker),
            _ => match half {
                Half::FirstStrike => {
                    self.round = 1;
                    Stage::Roll(Half::Missile) // no calling off after the first strike (SW-R-60)
                }
                Half::Missile => Stage::Roll(Half::Melee),
                Half::Melee => Stage::CallOff,
            },
        };
    }

    /// Step 8: the attacker goes on with step 1, or calls the battle off (SW-WAR-C-09).
    pub fn step_8(&mut self, calls_off: bool) {
        debug_assert_eq!(self.stage, Stage::CallOff, "step 8 follows the casualties of a melee");
        if calls_off {
            self.stage = Stage::Over(BattleEnd::CalledOff);
        } else {
            self.round += 1;
            self.stage = Stage::Roll(Half::Missile);
        }
    }
}
