//! The course of a strike: first strike, attack, battle back, and what each roll does (MELEE, RANGED, BATTLEBACK).
//!
//! The rules are written once, over [`Dice`]: played with dice, or followed through all their ends by `exact`. What a roll
//! means, and how many dice it has, is what a match uses too ([`crate::combat_roll`]).

use arrayvec::ArrayVec;

use super::account::{FightStep, LeaderEnd, Outcome, Remains, What};
use super::cards::Card;
use super::losses::eliminate_leader;
use super::piece::{Piece, PieceKind};
use super::strike::{ByRole, MAX_CHARGE, Role, Shot, Strike};
use crate::combat_roll::{CombatRoll, leader_check_dice, melee_base, rolls_swords_again};
use crate::data::Symbol;

/// The rolls of a strike in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    FirstStrike,
    Attack,
    BattleBack,
}

/// A strike between two of its rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct World {
    pub(super) outcome: Outcome,
    /// Dice that were rolled against the defender (BT-DRAGON-38).
    dice_against: u8,
}

/// A combat roll that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roll {
    pub(super) stage: Stage,
    pub(super) dice: u8,
    pub(super) combat: CombatRoll,
    /// Whether swords are rolled once more for more faces.
    pub(super) again: bool,
    /// Head Collector (BT-DRAGON-26).
    collects_heads: bool,
}

impl Roll {
    pub(super) const fn by(&self) -> Role {
        match self.stage {
            Stage::Attack => Role::Attacker,
            Stage::FirstStrike | Stage::BattleBack => Role::Defender,
        }
    }
}

/// The result of a combat roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rolled {
    /// Hits, also those beyond the blocks there are; 1 for a lone leader that falls.
    pub hits: u8,
    /// Flags that count.
    pub flags: u8,
    /// Honor that the faces give.
    pub honor: u8,
}

/// The result of a lack-of-honor roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shortage {
    /// Dice with the symbol of the retreating unit, or with swords for a leader.
    pub(super) own: u8,
    /// Dice with the symbols of other units.
    pub(super) others: u8,
}

/// Where the results of dice come from.
pub(super) trait Dice {
    /// A combat roll.
    fn roll(&mut self, roll: &Roll) -> Rolled;
    /// A leader-loss check by a side: whether all dice show swords.
    fn check(&mut self, by: Role, dice: u8) -> bool;
    /// A lack-of-honor roll of a side for a unit of a symbol, or of swords for a leader.
    fn lack_of_honor(&mut self, role: Role, dice: u8, own: Symbol) -> Shortage;
    /// Records a step of the fight.
    fn record(&mut self, _step: FightStep) {}
}

/// A unit that rolls.
struct Roller<'a> {
    piece: &'a Piece,
    blocks: u8,
    /// Whether its leader is with it.
    led: bool,
    /// Whether it is the unit that the defender is against.
    struck: bool,
}

/// The course.
impl Strike {
    /// The strike before its first roll.
    pub(super) fn start(&self) -> World {
        let remains = |role| {
            let piece = self.piece(role);
            let led = piece.leader.is_some() || matches!(piece.kind, PieceKind::Leader(_));
            let leader = if led { LeaderEnd::Stands } else { LeaderEnd::None };
            Remains { blocks: piece.blocks, leader, ..Remains::default() }
        };
        World { outcome: ByRole(Role::ALL.map(remains)), dice_against: 0 }
    }

    /// The rolls that can come, in order (BT-CMD-20, BT-MELEE-14, BT-RANGED-13, BT-BATTLEBACK-07).
    pub(super) fn stages(&self) -> &'static [Stage] {
        if self.strikes_first() {
            &[Stage::FirstStrike, Stage::Attack]
        } else if self.setup().battle_back && !self.is_ranged() && self.can_battle_back() {
            &[Stage::Attack, Stage::BattleBack]
        } else {
            &[Stage::Attack]
        }
    }

    /// Makes a roll and does what it means.
    pub(super) fn play(&self, stage: Stage, world: &mut World, dice: &mut impl Dice) {
        if let Some(roll) = self.prepare(stage, world, dice) {
            let rolled = dice.roll(&roll);
            self.apply(&roll, rolled, world, dice);
        }
    }

    /// Prepares a roll: the units that roll, those that are inspired, the number of dice. None if no unit is left to roll.
    pub(super) fn prepare(&self, stage: Stage, world: &mut World, dice: &mut impl Dice) -> Option<Roll> {
        let defender = world.outcome[Role::Defender];
        // BT-BATTLEBACK-01, BT-BATTLEBACK-03: still there, and where it was
        if stage == Stage::BattleBack && (defender.blocks == 0 || defender.retreat > 0) {
            return None;
        }
        let by = if stage == Stage::Attack { Role::Attacker } else { Role::Defender };
        let target = self.piece(by.other());
        let rollers = self.rollers(by, world);
        let kind = rollers.first()?.piece.kind.unit()?;
        let vengeance = stage == Stage::BattleBack && self.has(Role::Defender, Card::Vengeance);
        let (mut count, mut inspired) = (0_u8, 0_u8);
        let mut desperate = !self.is_ranged() && self.has(by, Card::DesperateCharge);
        for roller in &rollers {
            let inspires = !vengeance && self.inspires(by, roller, world);
            if inspires {
                world.outcome[by].honor -= 1;
                inspired += 1;
            }
            let mut own = self.base_dice(roller, target) + u8::from(inspires);
            match stage {
                Stage::Attack => own += self.attack_bonus(),
                Stage::FirstStrike => own += u8::from(self.has(Role::Defender, Card::Ambush)),
                Stage::BattleBack => {} // BT-BATTLEBACK-05
            }
            // BT-DRAGON-19; the card is for one unit (BT-R-94)
            if desperate && roller.blocks == 1 {
                own += 2;
                desperate = false;
            }
            // BT-DRAGON-34, BT-R-39
            if stage == Stage::Attack && roller.struck && self.has(Role::Defender, Card::AikidoTraining) {
                own = own.min(2);
            }
            count += own;
        }
        if inspired > 0 {
            dice.record(FightStep { honor: -inspired.cast_signed(), ..FightStep::new(What::Inspire, by) });
        }
        if vengeance {
            count = world.dice_against; // BT-DRAGON-38
        }
        if stage == Stage::Attack {
            world.dice_against = count;
        }
        let ranged = self.is_ranged();
        let combat_roll = CombatRoll {
            by: kind,
            against: target.kind.unit(),
            ranged,
            inspired,
            terror: self.has(by, Card::TerrorStrike),
        };
        Some(Roll {
            stage,
            dice: count,
            combat: combat_roll,
            again: rolls_swords_again(kind, ranged, self.has(by, Card::VolleyByRanks)),
            collects_heads: self.has(by, Card::HeadCollector) && rollers.iter().any(|roller| roller.led),
        })
    }

    /// Does what a roll means, in the order of BT-MELEE-15.
    pub(super) fn apply(&self, roll: &Roll, rolled: Rolled, world: &mut World, dice: &mut impl Dice) {
        let (by, against) = (roll.by(), roll.by().other());
        let Some(kind) = roll.combat.against else {
            // BT-LEADERS-20..22
            if rolled.hits > 0 {
                dice.record(FightStep { hits: 1, ..FightStep::new(What::LeaderFalls, against) });
                eliminate_leader(against, world);
            }
            self.collect(by, rolled.honor, world, dice);
            if rolled.hits == 0 {
                self.leave_alone(against, world, dice);
            }
            return;
        };
        let armored = roll.combat.ranged && self.has(against, Card::BulletproofArmor);
        let lost = self.lose_blocks(against, if armored { 0 } else { rolled.hits }, world);
        if lost > 0 {
            dice.record(FightStep { blocks: lost, ..FightStep::new(What::Losses, against) });
        }
        self.collect(by, rolled.honor + if roll.collects_heads { 2 * lost } else { 0 }, world, dice);
        let survives = world.outcome[against].blocks > 0;
        if lost > 0 && world.outcome[against].leader == LeaderEnd::Stands {
            let with_bodyguard = kind.is_bodyguard();
            if dice.check(by, leader_check_dice(roll.combat.ranged, survives, with_bodyguard)) {
                eliminate_leader(against, world);
                if with_bodyguard && survives {
                    // BT-ARMY-COMMANDER-09
                    let blocks = std::mem::take(&mut world.outcome[against].blocks);
                    dice.record(FightStep { blocks, ..FightStep::new(What::Surrender, against) });
                }
            } else if !survives {
                self.leave_alone(against, world, dice); // BT-LEADER-LOSS-06, BT-ARMY-COMMANDER-10
            }
        }
        if world.outcome[against].blocks > 0 && rolled.flags > 0 {
            self.resolve_flags(roll, rolled.flags, world, dice);
        }
    }
}

/// Getting ready.
impl Strike {
    /// The units of a side that are in the fight.
    fn rollers(&self, role: Role, world: &World) -> ArrayVec<Roller<'_>, MAX_CHARGE> {
        let remains = &world.outcome[role];
        let struck = |piece| Roller {
            piece,
            blocks: remains.blocks,
            led: remains.leader == LeaderEnd::Stands,
            struck: true,
        };
        if role == Role::Defender {
            return [struck(&self.setup().defender)].into_iter().collect();
        }
        let roller = |(place, piece): (usize, _)| {
            if place == usize::from(self.setup().against) {
                struck(piece)
            } else {
                Roller { piece, blocks: piece.blocks, led: piece.leader.is_some(), struck: false }
            }
        };
        // BT-CMD-20, BT-R-38: who fell or fled before the attack drops out
        let out = remains.blocks == 0 || remains.retreat > 0;
        let rollers = self.setup().attackers.iter().enumerate().map(roller);
        rollers.filter(|roller| !(roller.struck && out)).collect()
    }

    /// Whether a unit is inspired for a roll (BT-INSPIRE-01..07).
    fn inspires(&self, role: Role, roller: &Roller, world: &World) -> bool {
        roller.piece.inspire
            && !self.is_ranged()
            && roller.piece.can_be_inspired(roller.led)
            && self.reserve(role, world) > 0
    }

    fn base_dice(&self, roller: &Roller, target: &Piece) -> u8 {
        match self.setup().shot {
            Some(Shot { distance, moved }) => self.ranged_base(roller.piece, distance, moved),
            None => roller
                .piece
                .kind
                .unit()
                .map_or(0, |kind| melee_base(kind, roller.blocks, roller.piece.terrain, target.terrain)),
        }
    }
}
