//! One combat roll: its windows, its dice, and what they do (BT-MELEE-03..08, BT-MELEE-15, BT-RANGED-04..11).

use crate::combat::{Roll, RollKind};
use crate::combat_roll::{CombatRoll, leader_check_dice, melee_base, ranged_base, rolls_swords_again};
use crate::data::{CommandCard, Face, LeaderKind, Symbol, Weapon, Window};
use crate::event::{self, Context, Loss, Why};
use crate::pieces::{LeaderId, Unit, UnitId};
use crate::play::Step;
use crate::state::State;

/// Dice that Aikido Training leaves (BT-DRAGON-34).
const AIKIDO_DICE: u8 = 2;

/// Getting ready.
impl State {
    /// A roll begins: inspiring, then the windows before it, then the dice (BT-MELEE-05, BT-RANGED-08, BT-R-70).
    pub(crate) fn begin_roll(&mut self, kind: RollKind) {
        let combat = &self.combat;
        let attacker = combat.attacker;
        let roll = match kind {
            RollKind::Attack => Roll {
                side: self.active,
                units: combat.attackers,
                against: combat.defender,
                hex: combat.target,
                ..Roll::default()
            },
            RollKind::FirstStrike | RollKind::BattleBack => Roll {
                side: self.active.other(),
                units: combat.defender.into_iter().collect(),
                against: Some(attacker),
                hex: self.unit(attacker).hex,
                ..Roll::default()
            },
        };
        self.combat.roll = Roll { kind, ..roll };
        self.push(Step::RollDice);
        self.push(Step::Window { window: Window::PreOpponent, side: roll.side.other() });
        self.push(Step::Window { window: Window::PreRoller, side: roll.side });
        if !self.combat.ranged {
            for unit in roll.units.rev() {
                if self.can_be_inspired(unit) {
                    self.push(Step::Inspire { unit });
                }
            }
        }
    }

    /// Dice of the roll (BT-MELEE-04, BT-MELEE-05, BT-RANGED-06, BT-RANGED-07, BT-LEVY-CHARGE-02).
    pub fn combat_dice(&self) -> u8 {
        let roll = &self.combat.roll;
        if roll.vengeance {
            return self.combat.dice_against; // no caps, no other bonuses
        }
        let dice = roll.units.map(|unit| {
            let dice = self.base_dice(unit) + self.bonus_dice(unit);
            if roll.aikido == Some(unit) { dice.min(AIKIDO_DICE) } else { dice } // BT-R-39
        });
        dice.sum()
    }

    fn base_dice(&self, unit: UnitId) -> u8 {
        let &Unit { hex, kind, blocks, .. } = self.unit(unit);
        let target = self.combat.roll.hex;
        let (from, into) = (self.terrain(hex), self.terrain(target));
        if self.combat.ranged {
            ranged_base(kind, hex.distance(target), self.turn.moved.contains(unit), from, into)
        } else {
            melee_base(kind, blocks, from, into)
        }
    }

    /// Dice by inspiring and by cards; those of the active side's cards help its attacks only (BT-BATTLEBACK-05).
    fn bonus_dice(&self, unit: UnitId) -> u8 {
        let (roll, effects) = (&self.combat.roll, &self.turn.effects);
        let kind = self.unit(unit).kind;
        let attacks = roll.kind == RollKind::Attack;
        let by_card = if self.combat.ranged {
            effects.fire_arrows && kind.is_bow() || effects.volley && kind.weapon() == Weapon::Arquebus
        } else {
            effects.ashigaru_attack && kind.symbol() == Symbol::Triangle
        };
        let by_command = self.effective_is(CommandCard::Shogun)
            || self.effective_is(CommandCard::CavalryCharge) && kind.is_cavalry() && !self.combat.ranged;
        u8::from(attacks && by_card)
            + u8::from(attacks && by_command)
            + u8::from(roll.inspired.contains(unit))
            + u8::from(roll.kind == RollKind::FirstStrike && self.combat.ambush)
            + 2 * u8::from(roll.desperate == Some(unit))
    }
}

/// Rolling.
impl State {
    /// The dice are thrown; then the windows after a roll (BT-MELEE-06, BT-RANGED-08).
    pub(crate) fn roll_dice(&mut self, context: &mut impl Context) {
        let dice = self.combat_dice();
        self.combat.roll.dice = dice;
        if self.combat.roll.kind == RollKind::Attack {
            self.combat.dice_against = dice;
        }
        self.throw(false, context);
        let side = self.combat.roll.side;
        self.push(Step::Results);
        self.push(Step::Window { window: Window::PostOpponent, side: side.other() });
        if !self.combat.ranged {
            self.push(Step::Window { window: Window::PostRoller, side });
        }
    }

    /// Throws the dice of the roll, and those again that are re-rolled for more (BT-RAND-01). Spirit of Kisshoten throws
    /// them anew (BT-DRAGON-41).
    pub(crate) fn throw(&mut self, anew: bool, context: &mut impl Context) {
        let Roll { kind, side, dice, .. } = self.combat.roll;
        let what = match kind {
            RollKind::Attack if self.combat.ranged => event::Roll::Ranged,
            RollKind::Attack => event::Roll::Melee,
            RollKind::FirstStrike => event::Roll::FirstStrike,
            RollKind::BattleBack => event::Roll::BattleBack,
        };
        let mut faces = self.roll_for(side, dice, what, anew, context);
        let volley = self.turn.effects.volley;
        if rolls_swords_again(self.combat_roll().by, self.combat.ranged, volley) && faces[Face::Swords] > 0 {
            faces += self.roll(side, faces[Face::Swords], event::Roll::Again, context);
        }
        self.combat.roll.faces = faces;
    }

    /// The roll as its faces are read. A levy charge is of one kind, and swords are ignored once (BT-R-35).
    pub fn combat_roll(&self) -> CombatRoll {
        let roll = &self.combat.roll;
        CombatRoll {
            by: roll.units.first().map(|unit| self.unit(unit).kind).unwrap_or_default(),
            against: roll.against.map(|unit| self.unit(unit).kind),
            ranged: self.combat.ranged,
            inspired: roll.inspired.len() as u8,
            terror: roll.terror,
        }
    }
}

/// Results.
impl State {
    /// Applies the roll: blocks, honor, leader check, then flags (BT-MELEE-15, BT-RANGED-09..12).
    pub(crate) fn results(&mut self, context: &mut impl Context) {
        let combat_roll = self.combat_roll();
        let Roll { side, faces, head_collector, .. } = self.combat.roll;
        match self.combat.roll.against {
            Some(unit) => {
                let leader = self.leader_of(unit);
                let lost = self.remove_hit_blocks(unit, combat_roll.hits(&faces), context);
                if self.decided.is_some() {
                    return; // a banner can end the battle at any instant (BT-VICTORY-01)
                }
                self.gain_honor(side, combat_roll.honor(&faces), Why::Faces, context);
                if head_collector {
                    self.gain_honor(side, 2 * lost, Why::Card, context); // BT-R-76
                }
                if let Some(leader) = leader
                    && lost > 0
                {
                    self.check_leader(leader, unit, context);
                }
                // Flags of a roll that eliminated the unit are void (BT-MELEE-16).
                let flags = combat_roll.flags(&faces);
                if self.lives(unit) && flags > 0 {
                    self.push(Step::IgnoreFlags { flags });
                }
            }
            None => self.strike_lone_leader(combat_roll, context),
        }
    }

    /// Removes blocks for hits, unless Bulletproof Armor holds; how many (BT-MELEE-07, BT-DRAGON-39).
    fn remove_hit_blocks(&mut self, unit: UnitId, hits: u8, context: &mut impl Context) -> u8 {
        let hits = if self.combat.armored == Some(unit) { 0 } else { hits };
        let lost = self.remove_blocks(unit, hits, Loss::Hits, context);
        if self.combat.shots == 1 {
            (self.combat.first_shot, self.combat.first_losses) = (Some(unit), lost);
        }
        lost
    }

    /// One X or more eliminates a lone leader; otherwise it retreats or commits seppuku (BT-LEADERS-20..22). Honor is
    /// collected as usual (BT-R-14).
    fn strike_lone_leader(&mut self, combat_roll: CombatRoll, context: &mut impl Context) {
        let Some(leader) = self.combat.lone else { return };
        let Roll { side, faces, .. } = self.combat.roll;
        let falls = combat_roll.hits(&faces) > 0;
        if falls {
            self.eliminate_leader(leader, context);
        }
        if self.decided.is_some() {
            return;
        }
        self.gain_honor(side, combat_roll.honor(&faces), Why::Faces, context);
        if !falls {
            self.push(Step::LeaderFate { leader });
        }
    }

    /// The check for a leader whose unit lost blocks to hits; the enemy rolls (LEADER-LOSS).
    fn check_leader(&mut self, leader: LeaderId, unit: UnitId, context: &mut impl Context) {
        let commander = self.leader(leader).kind == LeaderKind::Commander;
        let survives = self.lives(unit);
        let dice = leader_check_dice(self.combat.ranged, survives, commander);
        let faces = self.roll(self.combat.roll.side, dice, event::Roll::LeaderLoss, context);
        if faces[Face::Swords] == dice {
            self.eliminate_leader(leader, context);
        } else if !survives {
            if commander {
                self.leaders[leader.index()].kind = LeaderKind::Foot; // BT-ARMY-COMMANDER-10
            }
            self.push(Step::LeaderFate { leader });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Action;
    use crate::data::{CommandCard, DragonCard, LeaderKind, Side};
    use crate::play::test_field::{TestField, at, hex};

    #[test]
    fn dice_that_are_added_are_not_capped() {
        // BT-MELEE-05, BT-RANGED-07, BT-TERRAIN-01, BT-CMD-60, BT-DRAGON-10, BT-R-49
        let mut field = TestField::new(&["ASp+LF@3,1"], &["SSp@4,1"]);
        field.command(CommandCard::Shogun);
        field.state.turn.effects.ashigaru_attack = true;
        field.battle(&[hex("3,1"), Action::Yes, Action::Pass], "CCCHH"); // 2 in the forest + 1 + 1 + 1
        assert_eq!(field.honor(), [5, 5]); // one paid, one of two H counts
        let mut horse = TestField::new(&["SSpC@4,5", "ASp@4,6"], &["SSp@5,5"]);
        horse.command(CommandCard::CavalryCharge);
        horse.battle(&[hex("4,5"), hex("4,5"), hex("4,6"), Action::Pass], "CCCCC CCCC CCC");
    }

    #[test]
    fn aikido_caps_last() {
        // BT-DRAGON-34, BT-DRAGON-50
        let mut field = TestField::new(&["SSp/1+LF@4,5"], &["SSp@5,5"]);
        field.give(Side::Top, &[DragonCard::DesperateCharge]);
        field.give(Side::Bottom, &[DragonCard::AikidoTraining]);
        let cards = [DragonCard::DesperateCharge, DragonCard::AikidoTraining].map(Action::Dragon);
        field.battle(&[hex("4,5"), Action::Yes, cards[0], cards[1], Action::Pass], "CC");
        assert!(field.is_done());
        assert_eq!((field.honor(), field.state.tokens), ([2, 3], 4));
    }

    #[test]
    fn vengeance_rolls_what_was_rolled() {
        // BT-DRAGON-38, BT-R-79
        let mut field = TestField::new(&["SSp@4,5"], &["LI+LF@5,5"]);
        field.give(Side::Bottom, &[DragonCard::Vengeance]);
        let vengeance = Action::Dragon(DragonCard::Vengeance);
        field.battle(&[hex("4,5"), hex("4,5"), Action::Yes, vengeance], "TTTT SSHH");
        assert_eq!((field.blocks("4,5"), field.honor()), (2, [5, 4])); // 5 - 1 - 1 + (2 - 1)
    }

    #[test]
    fn bodyguards_roll_swords_again() {
        // BT-ARMY-COMMANDER-04..08, BT-RAND-01, BT-DRAGON-41
        let mut field = TestField::new(&["AC+BG/3@0,5"], &["SSp@1,5"]);
        field.give(Side::Top, &[DragonCard::SpiritOfKisshoten]);
        field.battle(&[hex("0,5"), Action::Pass], "");
        field.play(&[Action::Dragon(DragonCard::SpiritOfKisshoten)], "XXC HT SXF X");
        assert_eq!((field.blocks("1,5"), field.honor()), (1, [3, 5]));
        field.play(&[Action::Number(0), hex("2,5")], "");
        assert!(field.is_done()); // a bodyguard never takes ground (BT-MOMENTUM-02)
    }

    #[test]
    fn the_commander_falls_or_flees() {
        // BT-ARMY-COMMANDER-08..10, BT-LEADER-LOSS-07, BT-R-15
        let attack = |dice: &str| {
            let mut field = TestField::new(&["SSp@9,5"], &["AC+BG/2@10,6"]);
            field.battle(&[hex("9,5")], dice);
            field
        };
        let fallen = attack("XSSS XX"); // one block hit, both dice X: the rest surrenders
        assert_eq!((fallen.banners(), fallen.blocks("10,6")), ([1, 0], 0));
        let alone = attack("XXFF XC"); // on its own baseline: seppuku (BT-RETREAT-25)
        assert_eq!((alone.banners(), alone.honor(), alone.has_leader("10,6")), ([0, 0], [5, 10], false));
        let mut held = attack("XCFF XC"); // all flags are ignored
        assert_eq!((held.blocks("10,6"), held.legal().len()), (1, 2));
        held.play(&[hex("9,5"), Action::Pass], "X C");
        assert_eq!(held.blocks("9,5"), 3);
    }

    #[test]
    fn a_commander_without_bodyguard_is_a_foot_leader() {
        // BT-ARMY-COMMANDER-10
        let mut field = TestField::new(&["SSp@1,5"], &["AC+BG/1@2,5"]);
        field.battle(&[hex("1,5"), hex("5,5")], "XCCC TX");
        let leader = field.state.leader_at(at("5,5")).map(|leader| *field.state.leader(leader)).unwrap();
        assert_eq!((leader.kind, leader.was_commander, field.honor()), (LeaderKind::Foot, true, [5, 2]));
    }

    #[test]
    fn leaders_are_checked_once_a_roll() {
        // BT-LEADER-LOSS-01..06, BT-LEADER-LOSS-09, BT-LEADER-LOSS-10, BT-MELEE-15, BT-MELEE-16
        let mut shot = TestField::new(&["AB@4,5"], &["ASp+LF@6,5"]);
        shot.battle(&[hex("4,5"), hex("7,4")], "TF XX"); // the leader falls and helps no more
        assert_eq!((shot.banners(), shot.honor(), shot.has_leader("7,4")), ([1, 0], [5, 4], false));
        let mut last = TestField::new(&["ASp@4,5"], &["ASp/1+LF@5,5"]);
        last.battle(&[hex("4,5")], "TFF H"); // one die, the flags are void
        assert_eq!((last.banners(), last.honor()), ([1, 0], [5, 5]));
        last.play(&[hex("7,5")], "");
        assert_eq!((last.honor(), last.legal()), ([5, 2], vec![Action::Pass, hex("4,5")]));
    }

    #[test]
    fn head_collector() {
        // BT-DRAGON-26, BT-R-76
        let mut field = TestField::new(&["SSp+LF@4,5"], &["LI/2@5,5"]);
        field.give(Side::Top, &[DragonCard::HeadCollector]);
        field.battle(&[hex("4,5"), Action::Pass, Action::Dragon(DragonCard::HeadCollector)], "CCCH");
        assert_eq!(field.honor(), [9, 5]); // two blocks; no honor from faces against levies
    }
}
