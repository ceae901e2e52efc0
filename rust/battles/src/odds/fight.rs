//! The course of a strike: first strike, attack, battle back, and what each roll does (MELEE, RANGED, BATTLEBACK).
//!
//! The rules are written once, over [`Dice`]: played with dice, or followed through all their ends by `exact`. What a roll
//! means, and how many dice it has, is what a match uses too ([`crate::combat_roll`]).

use arrayvec::ArrayVec;

use super::cards::Card;
use super::piece::{Piece, PieceKind};
use super::strike::{ByRole, MAX_CHARGE, Role, Shot, Strike};
use crate::combat_roll::{
    CombatRoll, Stand, lack_of_honor_dice, leader_check_dice, melee_base, retreat_honor, rolls_swords_again,
};
use crate::data::{Face, LEADER_RETREAT_HONOR, SEPPUKU_HONOR, Symbol, UnitKind, numbered};

numbered! {
    /// What became of a leader.
    #[derive(Default)]
    pub enum LeaderEnd {
        /// There was none.
        #[default]
        None,
        /// He is with his unit, or alone where it fell.
        Stands,
        /// He was eliminated: a banner for the enemy.
        Eliminated,
        /// He retreated alone.
        Retreated,
        /// He committed seppuku.
        Seppuku,
    }
}

impl LeaderEnd {
    /// The end in one word.
    pub const fn name(self) -> &'static str {
        ["none", "stands", "eliminated", "retreated", "seppuku"][self as usize]
    }
}

/// What a strike leaves of a side; of a levy charge it is the unit that the defender strikes at, for no other can lose
/// anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Remains {
    /// Blocks of the unit.
    pub blocks: u8,
    /// Its leader, or the lone leader.
    pub leader: LeaderEnd,
    /// Hexes that the unit retreated.
    pub retreat: u8,
    /// Change of the honor of its player.
    pub honor: i8,
    /// Banners that its player gained.
    pub banners: u8,
    /// Dice of lack-of-honor rolls that hit other units of its player, as far as there are any (BT-LACK-OF-HONOR-02).
    pub others: u8,
}

/// How a strike ends: what is left of both sides.
pub type Outcome = ByRole<Remains>;

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

/// What a combat roll means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rolled {
    /// Hits, also those beyond the blocks there are; 1 for a lone leader that falls.
    pub hits: u8,
    /// Flags that count.
    pub flags: u8,
    /// Honor that the faces give.
    pub honor: u8,
}

/// What a lack-of-honor roll means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shortage {
    /// Dice with the symbol of the retreating unit, or with swords for a leader.
    pub(super) own: u8,
    /// Dice with the symbols of other units.
    pub(super) others: u8,
}

/// One line of a strike's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightStep {
    /// What happened.
    pub what: What,
    /// The side that rolled, or that it happened to.
    pub role: Role,
    /// Faces rolled, in order; those of re-rolls follow.
    pub faces: Vec<Face>,
    /// Hits of a combat roll; 1 for a leader that a check or a lack of honor eliminated.
    pub hits: u8,
    /// Flags of a combat roll, or ignored ones.
    pub flags: u8,
    /// Honor gained or lost; of a combat roll what the faces give.
    pub honor: i8,
    /// Blocks lost.
    pub blocks: u8,
    /// Hexes retreated.
    pub hexes: u8,
}

impl FightStep {
    pub(super) const fn new(what: What, role: Role) -> Self {
        Self { what, role, faces: Vec::new(), hits: 0, flags: 0, honor: 0, blocks: 0, hexes: 0 }
    }
}

numbered! {
    /// What a line of an account is about.
    pub enum What {
        /// Honor paid for inspired units.
        Inspire,
        /// The roll of First Strike or Ambush.
        FirstStrike,
        /// The roll of the attack.
        Attack,
        /// The roll of the battle back.
        BattleBack,
        /// Blocks lost to hits.
        Losses,
        /// Honor collected.
        Honor,
        /// The enemy's roll for a leader whose unit lost blocks.
        LeaderCheck,
        /// A lone leader falls.
        LeaderFalls,
        /// A bodyguard without its commander surrenders.
        Surrender,
        /// Flags ignored.
        Flags,
        /// Blocks lost to flags in a castle.
        Castle,
        /// A retreat: hexes, blocks for those not completed, honor.
        Retreat,
        /// A leader retreats alone.
        LeaderRetreat,
        /// A leader commits seppuku.
        Seppuku,
        /// The roll of a player who cannot pay.
        LackOfHonor,
    }
}

impl What {
    /// It in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inspire => "inspire",
            Self::FirstStrike => "first_strike",
            Self::Attack => "attack",
            Self::BattleBack => "battle_back",
            Self::Losses => "losses",
            Self::Honor => "honor",
            Self::LeaderCheck => "leader_check",
            Self::LeaderFalls => "leader_falls",
            Self::Surrender => "surrender",
            Self::Flags => "flags",
            Self::Castle => "castle",
            Self::Retreat => "retreat",
            Self::LeaderRetreat => "leader_retreat",
            Self::Seppuku => "seppuku",
            Self::LackOfHonor => "lack_of_honor",
        }
    }
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

    /// Gets a roll ready: who rolls, who is inspired, how many dice. None if there is nobody to roll any more.
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

/// Results.
impl Strike {
    /// Removes blocks as far as there are; the last one is a banner, but not of a bodyguard (BT-MELEE-07).
    fn lose_blocks(&self, role: Role, blocks: u8, world: &mut World) -> u8 {
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
    fn leave_alone(&self, role: Role, world: &mut World, dice: &mut impl Dice) {
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
    fn resolve_flags(&self, roll: &Roll, flags: u8, world: &mut World, dice: &mut impl Dice) {
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
    fn reserve(&self, role: Role, world: &World) -> i16 {
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

    fn collect(&self, role: Role, honor: u8, world: &mut World, dice: &mut impl Dice) {
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
fn eliminate_leader(role: Role, world: &mut World) {
    world.outcome[role].leader = LeaderEnd::Eliminated;
    world.outcome[role.other()].banners += 1;
}
