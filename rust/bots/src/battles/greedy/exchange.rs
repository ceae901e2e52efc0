//! Value of a combat to the side that starts it, the battle back included.

use sengoku_battles::board::HexId;
use sengoku_battles::combat_roll::{Stand, leader_check_dice, melee_base, ranged_base, retreat_honor};
use sengoku_battles::data::{Side, Terrain, UnitKind};
use sengoku_battles::pieces::LeaderId;
use sengoku_battles::state::FlagRule;

use super::chances::{ALL_FLAGS, any_of, prospect};
use super::context::{DecisionContext, Fighter};
use super::worth::{STRANDED, potential};

/// A flag that is not ignored, besides the honor.
const DRIVEN_BACK: f64 = 0.06;
/// A block that a flag costs where there is no way back, or in a castle.
const BLOCK: f64 = 0.3;
/// Value of the hex of an eliminated defender, and of a bonus melee.
const GROUND: (f64, f64) = (0.04, 0.14);
/// Share of the goal that an enemy loses when he is driven off it.
const DENIED: f64 = 0.8;

/// Value of a roll to the roller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hit {
    pub(super) worth: f64,
    /// Chance that the unit rolled against stands where it stood.
    pub(super) hold: f64,
}

/// How an attack is made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    /// Whether it is a shot.
    pub(super) ranged: bool,
    /// Whether the attacker moved before.
    pub(super) moved: bool,
    /// Dice that cards add.
    pub(super) extra: u8,
    /// Effects of cards on the flags of the attack.
    pub(super) flags: FlagRule,
}

impl Fighter {
    /// Flags it may ignore, rolled against by a unit of a kind.
    pub(super) fn ignores(&self, by: UnitKind, rule: FlagRule) -> u8 {
        match rule {
            FlagRule::Usual => self.ignores[by.arm() as usize],
            FlagRule::CannotIgnore if !self.kind.is_bodyguard() => 0,
            _ => ALL_FLAGS,
        }
    }

    /// Dice of a melee against a piece in some terrain, without what cards add.
    pub(super) fn melee_dice(&self, into: Terrain) -> u8 {
        melee_base(self.kind, self.blocks, self.terrain, into)
    }
}

impl DecisionContext<'_> {
    /// Value of a roll to the roller, by number of dice and of flags that may be ignored.
    pub(super) fn roll(&self, by: &Fighter, against: &Fighter, dice: u8, ranged: bool, ignores: u8) -> Hit {
        let (kind, led) = (against.kind, against.led > 0.0);
        let found = prospect((by.kind, kind, ranged), dice, against.blocks, ignores);
        let banner = if kind.is_bodyguard() { 0.0 } else { self.board.banner[by.side] };
        let mut worth = found.loss + found.fall * (banner + potential(kind));
        if led {
            let survives = found.hurt - found.fall;
            let falls = |survives| {
                if leader_check_dice(ranged, survives, kind.is_bodyguard()) == 1 {
                    1.0 / 6.0
                } else {
                    1.0 / 36.0
                }
            };
            worth += survives * falls(true) * against.led;
            worth += found.fall * (falls(false) * against.led + (1.0 - falls(false)) * STRANDED);
        }
        worth += found.flags * against.flag;
        let collects = if ranged { by.kind.is_bow() } else { by.kind.collects_in_melee(kind) };
        if collects {
            worth += self.board.token[by.side] * f64::from(dice) / 6.0;
        }
        worth += (1.0 - found.hold) * DENIED * against.goal;
        Hit { worth, hold: found.hold }
    }

    /// Cost of a flag to a unit that does not ignore it.
    pub(super) fn flag(&self, side: Side, stand: &Stand, walled: bool) -> f64 {
        let hexes = stand.kind.row().hexes_per_flag;
        if stand.holds_a_castle() {
            BLOCK
        } else if walled {
            BLOCK * f64::from(hexes)
        } else {
            DRIVEN_BACK + self.honor_lost(side, retreat_honor(stand.kind, hexes, stand.led))
        }
    }

    /// Value of an attack on a unit to the attacker.
    pub(super) fn attack(&self, by: &Fighter, against: &Fighter, manner: Manner) -> f64 {
        if manner.ranged {
            let distance = by.hex.distance(against.hex);
            let dice = ranged_base(by.kind, distance, manner.moved, by.terrain, against.terrain);
            let ignores = against.ignores(by.kind, manner.flags);
            return if dice == 0 {
                0.0
            } else {
                self.roll(by, against, dice + manner.extra, true, ignores).worth
            };
        }
        let dice = by.melee_dice(against.terrain);
        if dice == 0 { 0.0 } else { self.melee(by, against, dice + manner.extra, manner.flags) }
    }

    /// Value of a unit's battle back.
    pub(super) fn back(&self, by: &Fighter, against: &Fighter) -> f64 {
        let dice = by.melee_dice(against.terrain);
        let ignores = against.ignores(by.kind, FlagRule::Usual);
        if dice == 0 { 0.0 } else { self.roll(by, against, dice, false, ignores).worth }
    }

    /// Value of a melee to the attacker, by number of dice.
    pub(super) fn melee(&self, by: &Fighter, against: &Fighter, dice: u8, rule: FlagRule) -> f64 {
        let hit = self.roll(by, against, dice, false, against.ignores(by.kind, rule));
        balance(by, &hit, self.back(against, by))
    }

    /// Values of a melee between two units that stand next to each other, to each of them if it attacks: what is an attack
    /// in one melee is the battle back in the other.
    pub(super) fn melees(&self, one: &Fighter, other: &Fighter) -> (f64, f64) {
        let roll = |by: &Fighter, against: &Fighter| {
            let dice = by.melee_dice(against.terrain);
            let ignores = against.ignores(by.kind, FlagRule::Usual);
            (dice > 0).then(|| self.roll(by, against, dice, false, ignores))
        };
        let hits = (roll(one, other), roll(other, one));
        let value = |by, hit: Option<Hit>, back: Option<Hit>| {
            hit.map_or(0.0, |hit| balance(by, &hit, back.map_or(0.0, |back| back.worth)))
        };
        (value(one, hits.0, hits.1), value(other, hits.1, hits.0))
    }

    /// Value of an attack on a lone leader: swords fell him, otherwise he flees or dies.
    pub(super) fn hunt(&self, by: &Fighter, leader: LeaderId, manner: Manner) -> f64 {
        let hex = self.state.leader(leader).hex;
        let terrain = self.state.terrain(hex);
        let dice = if manner.ranged {
            ranged_base(by.kind, by.hex.distance(hex), manner.moved, by.terrain, terrain)
        } else {
            by.melee_dice(terrain)
        };
        if dice == 0 { 0.0 } else { self.hunt_with(dice + manner.extra, leader) }
    }

    /// Value of a roll against a lone leader, by number of dice.
    pub(super) fn hunt_with(&self, dice: u8, leader: LeaderId) -> f64 {
        let falls = any_of(dice);
        falls * self.leader(leader) + (1.0 - falls) * STRANDED
    }

    /// Value of an attack on the piece in a hex.
    pub(super) fn attack_on(&self, by: &Fighter, target: HexId, manner: Manner) -> f64 {
        if let Some(unit) = self.state.unit_at(target) {
            self.attack(by, &self.fighter(unit), manner)
        } else if let Some(leader) = self.state.leader_at(target) {
            self.hunt(by, leader, manner)
        } else {
            0.0
        }
    }
}

/// Value of a melee to the attacker, by what it does and what the battle back costs.
fn balance(by: &Fighter, hit: &Hit, loss: f64) -> f64 {
    let goes_on = by.kind.is_cavalry() || by.led > 0.0;
    let ground = GROUND.0 + if goes_on { GROUND.1 } else { 0.0 };
    hit.worth - hit.hold * loss + (1.0 - hit.hold) * ground
}
