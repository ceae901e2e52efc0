//! Losses caused by a roll of a strike: blocks, leaders, retreats by flags, and honor.

use super::account::{FightStep, LeaderEnd, What};
use super::cards::Card;
use super::fight::{Dice, Roll, World};
use super::strike::{Role, Strike};
use crate::combat_roll::{Stand, lack_of_honor_dice, retreat_honor};
use crate::data::{LEADER_RETREAT_HONOR, SEPPUKU_HONOR, Symbol, UnitKind};

/// Blocks, leaders and flags.
impl Strike {
    /// Removes blocks as far as there are; the last one is a banner, but not of a bodyguard (BT-MELEE-07).
    pub(super) fn lose_blocks(&self, role: Role, blocks: u8, world: &mut World) -> u8 {
        let remains = &mut world.outcome[role];
        let lost = blocks.min(remains.blocks);
        remains.blocks -= lost;
        let bodyguard = self.piece(role).kind.unit().is_some_and(UnitKind::is_bodyguard);
        if lost > 0 && remains.blocks == 0 && !bodyguard {
            world.outcome[role.other()].banners += 1;
        }
        lost
    }

    /// A leader without a unit retreats or commits seppuku (BT-LEADERS-22, BT-RETREAT-24, BT-SEPPUKU-02).
    pub(super) fn leave_alone(&self, role: Role, world: &mut World, dice: &mut impl Dice) {
        if self.piece(role).seppuku {
            world.outcome[role].leader = LeaderEnd::Seppuku;
            let honor = self.gain(role, SEPPUKU_HONOR, world);
            dice.record(FightStep { honor, ..FightStep::new(What::Seppuku, role) });
            return;
        }
        world.outcome[role].leader = LeaderEnd::Retreated;
        let (honor, unpaid) = self.pay(role, LEADER_RETREAT_HONOR, world);
        dice.record(FightStep { honor, ..FightStep::new(What::LeaderRetreat, role) });
        if unpaid > 0 {
            // BT-LACK-OF-HONOR-03
            let shortage = dice.lack_of_honor(role, lack_of_honor_dice(unpaid), Symbol::Swords);
            world.outcome[role].others += shortage.others;
            if shortage.own > 0 {
                dice.record(FightStep { hits: 1, ..FightStep::new(What::LeaderFalls, role) });
                eliminate_leader(role, world);
            }
        }
    }

    /// Flags against a unit that still stands (MORALE, RETREAT).
    pub(super) fn resolve_flags(&self, roll: &Roll, flags: u8, world: &mut World, dice: &mut impl Dice) {
        let role = roll.by().other();
        let piece = self.piece(role);
        let Some(kind) = piece.kind.unit() else { return };
        let stand = Stand {
            kind,
            terrain: piece.terrain,
            led: world.outcome[role].leader == LeaderEnd::Stands,
            supported: piece.support,
        };
        let most = self.ignorable(roll, &stand, flags);
        let least = u8::from(stand.holds_a_castle()).min(most); // BT-MORALE-07: in a castle automatically
        let ignored = if kind.is_bodyguard() {
            flags // BT-MORALE-09
        } else {
            piece.ignore_flags.map_or(most, |wish| wish.clamp(least, most))
        };
        if ignored > 0 {
            dice.record(FightStep { flags: ignored, ..FightStep::new(What::Flags, role) });
        }
        let left = flags - ignored;
        if left == 0 {
            return;
        }
        if stand.holds_a_castle() {
            // BT-TERRAIN-09, BT-R-42
            let blocks = self.lose_blocks(role, left, world);
            dice.record(FightStep { blocks, ..FightStep::new(What::Castle, role) });
            return;
        }
        // BT-RETREAT-01, BT-RETREAT-06, BT-RETREAT-09, BT-R-41
        let hexes = left * kind.row().hexes_per_flag;
        let moved = hexes.min(piece.room);
        world.outcome[role].retreat = moved;
        let blocks = self.lose_blocks(role, hexes - moved, world);
        let (honor, unpaid) = self.pay(role, retreat_honor(kind, moved, stand.led), world);
        dice.record(FightStep { hexes: moved, blocks, honor, ..FightStep::new(What::Retreat, role) });
        if unpaid > 0 {
            // BT-LACK-OF-HONOR-02, BT-R-45, BT-R-46
            let shortage = dice.lack_of_honor(role, lack_of_honor_dice(unpaid), kind.symbol());
            world.outcome[role].others += shortage.others;
            if world.outcome[role].blocks == 0 {
                world.outcome[role].others += shortage.own;
            } else {
                let blocks = self.lose_blocks(role, shortage.own, world);
                if blocks > 0 {
                    dice.record(FightStep { blocks, ..FightStep::new(What::Losses, role) });
                }
            }
        }
    }

    /// Flags that a unit may ignore, cards considered (BT-MORALE-01, BT-MORALE-08, BT-DRAGON-USE-07, BT-R-68).
    fn ignorable(&self, roll: &Roll, stand: &Stand, flags: u8) -> u8 {
        let (by, against) = (roll.by(), roll.by().other());
        let allowance = if self.has(by, Card::Cowards) {
            0
        } else if self.has(against, Card::Courage)
            || self.has(against, Card::CourageousLeader)
            || self.has(against, Card::FollowersOfBishamon)
        {
            flags
        } else if self.has(by, Card::Panic) {
            0
        } else {
            stand.allowance(roll.combat.by)
        };
        allowance.min(flags)
    }
}

/// Honor. Reserve and pool follow from their beginnings and the changes: tokens only go to and fro (BT-HONOR-01..05).
impl Strike {
    /// Tokens that a player has; as good as infinitely many where it is not known.
    pub(super) fn reserve(&self, role: Role, world: &World) -> i16 {
        let begin = self.setup().honor[role].map_or(i16::MAX / 2, i16::from);
        begin + i16::from(world.outcome[role].honor)
    }

    /// A gain, as far as the pool allows (BT-HONOR-01).
    fn gain(&self, role: Role, honor: u8, world: &mut World) -> i8 {
        let changes: i16 = world.outcome.0.iter().map(|remains| i16::from(remains.honor)).sum();
        let pool = self.setup().pool.map_or(i16::MAX / 2, i16::from) - changes;
        let gained = i16::from(honor).min(pool.max(0)) as i8;
        world.outcome[role].honor += gained;
        gained
    }

    pub(super) fn collect(&self, role: Role, honor: u8, world: &mut World, dice: &mut impl Dice) {
        let honor = self.gain(role, honor, world);
        if honor > 0 {
            dice.record(FightStep { honor, ..FightStep::new(What::Honor, role) });
        }
    }

    /// A loss: the change that was made, and what could not be paid (BT-LACK-OF-HONOR-01).
    fn pay(&self, role: Role, honor: u8, world: &mut World) -> (i8, u8) {
        let paid = i16::from(honor).min(self.reserve(role, world)) as u8;
        world.outcome[role].honor -= paid.cast_signed();
        (-paid.cast_signed(), honor - paid)
    }
}

/// A leader falls to the enemy (BT-LEADERS-09).
pub(super) fn eliminate_leader(role: Role, world: &mut World) {
    world.outcome[role].leader = LeaderEnd::Eliminated;
    world.outcome[role.other()].banners += 1;
}
