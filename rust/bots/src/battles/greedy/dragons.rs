//! Dragon cards: when they pay, and their targets (DP-02..05, DP-09, DP-11, DP-13, DP-14, DP-16..19, DP-24, DP-26, DP-30).

use sengoku_battles::data::{CommandCard, DragonCard, FULL_BLOCKS, Flank, Symbol};
use sengoku_battles::pieces::UnitId;
use sengoku_battles::state::FlagRule;
use sengoku_battles::{Action, State};

use super::chances::ALL_FLAGS;

use super::context::{DecisionContext, Fighter};
use super::exchange::Manner;
use super::hand::{command_card_worth, dragon_card_worth};
use super::orders::Mode;
use super::worth::{STANDING, potential};
use crate::best;

/// Margin by which a card must be worth more than its cost and a place in the hand.
const MARGIN: f64 = 0.06;
/// Share of the enemy's plans that a card spoils.
const SPOILED: f64 = 1.6;
/// An enemy unit that has to go back one flag.
const DRIVEN: f64 = 0.12;
/// Chance to have more H than the enemy with three dice each, and with the dice of more honor.
const TURNCOAT: [f64; 2] = [0.28, 0.42];

/// A unit that changes sides.
const TURNED: f64 = 1.0;

impl DecisionContext<'_> {
    /// The card that pays best, if one does.
    pub(super) fn choose_in_window(&mut self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Dragon(card) => self.dragon_gain(card),
            Action::Command(CommandCard::FirstStrike) => self.first_strike(0) - MARGIN,
            Action::Pass => 0.0,
            _ => f64::NEG_INFINITY,
        })
    }

    /// Value of a card now, minus its cost.
    fn dragon_gain(&mut self, card: DragonCard) -> f64 {
        self.dragon_worth(card) - self.honor_lost(self.me, card.cost()) - MARGIN
    }

    fn dragon_worth(&mut self, card: DragonCard) -> f64 {
        let me = self.me;
        match card {
            DragonCard::AshigaruAttack => self.orders_gain(|effects| effects.ashigaru_attack = true),
            DragonCard::FireArrows => self.orders_gain(|effects| effects.fire_arrows = true),
            DragonCard::VolleyByRanks => self.orders_gain(|effects| effects.volley = true),
            DragonCard::MoveLikeTheWind => self.orders_gain(|effects| effects.wind = true),
            DragonCard::Panic => self.orders_gain(|effects| effects.flags = FlagRule::CannotIgnore),
            DragonCard::BraveMessenger => {
                let extra = 1 + u8::from(self.state.tents[me]);
                self.orders_gain(|effects| effects.extra_orders = extra)
            }
            DragonCard::TacticalWisdom => self.best_redirect(),
            DragonCard::NinjaAssassin | DragonCard::Physician | DragonCard::Turncoats => {
                self.best_target(card)
            }
            DragonCard::BlueDragon => self.blue_dragon(),
            DragonCard::RiceFamine => self.rice_famine(),
            DragonCard::RedDragon => self.red_dragon(),
            DragonCard::TeaCeremony => {
                let each = 2.0 + f64::from(u8::from(self.state.tents[me]));
                self.board.token[me] * (each * f64::from(self.state.command_of(me)) / 6.0)
            }
            DragonCard::WhiteDragon => self.command_card(me),
            DragonCard::NinjaThief => {
                let best = self
                    .state
                    .dragon
                    .discards
                    .iter()
                    .map(|&card| dragon_card_worth(card))
                    .fold(0.0, f64::max);
                0.7 * best
            }
            DragonCard::WiseAdvisor => {
                let best = self
                    .state
                    .command
                    .discards
                    .iter()
                    .map(|&card| command_card_worth(card))
                    .fold(0.0, f64::max);
                best - 0.15
            }
            DragonCard::WildWinds => SPOILED * (self.enemy_card() - 0.17),
            DragonCard::WhiteFoxSpirit => SPOILED * (self.enemy_card() - 0.05),
            DragonCard::FollowersOfBishamon => self.flags_to_come(),
            DragonCard::KatchuKeibaWinner => self.move_gain(2),
            DragonCard::SpiritOfHayaji => self.move_gain(1),
            DragonCard::Insult => self.insult(),
            DragonCard::PersonalChallenge => self.challenge(),
            DragonCard::Ambush => self.first_strike(1),
            DragonCard::LegendaryCombat => self.legendary(),
            DragonCard::TimidSuccess => self.honor_lost(self.foe, 2) + 0.08,
            _ => self.roll_card(card),
        }
    }
}

/// Cards that come with the command card.
impl DecisionContext<'_> {
    /// Gain of the turn's orders by a change.
    fn orders_gain(&mut self, change: impl Fn(&mut sengoku_battles::state::Effects)) -> f64 {
        let mut trial = *self.state;
        self.prepare(&mut trial);
        let before = self.give_orders(trial);
        change(&mut trial.turn.effects);
        self.give_orders(trial) - before
    }

    fn redirected(&self, from: Flank, to: Flank) -> State {
        let mut trial = *self.state;
        if let Some(effective) = &mut trial.turn.effective {
            effective.slots = effective.slots.moved(from, to);
        }
        self.prepare(&mut trial);
        trial
    }

    fn best_redirect(&mut self) -> f64 {
        let Some(effective) = self.state.turn.effective else { return 0.0 };
        let mut trial = *self.state;
        self.prepare(&mut trial);
        let before = self.give_orders(trial);
        let mut found = 0.0_f64;
        for from in Flank::ALL.into_iter().filter(|from| effective.slots.0[from.index()] > 0) {
            for to in Flank::ALL.into_iter().filter(|&to| to != from) {
                let trial = self.redirected(from, to);
                found = found.max(self.give_orders(trial) - before);
            }
        }
        found
    }

    /// The change of sections that gains most (DP-04).
    pub(super) fn choose_redirect(&mut self, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Redirect { from, to } => {
                let trial = self.redirected(from, to);
                self.give_orders(trial)
            }
            _ => f64::NEG_INFINITY,
        })
    }

    fn best_target(&self, card: DragonCard) -> f64 {
        let hexes = self.state.dragon_targets(card);
        hexes.into_iter().map(|hex| self.target_worth(card, hex)).fold(0.0, f64::max)
    }

    /// The target on which a card does most (DP-05).
    pub(super) fn choose_dragon_target(&self, card: DragonCard, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Hex(hex) => self.target_worth(card, hex),
            _ => f64::NEG_INFINITY,
        })
    }

    fn target_worth(&self, card: DragonCard, hex: sengoku_battles::board::HexId) -> f64 {
        let state = self.state;
        match (card, state.leader_at(hex), state.unit_at(hex)) {
            (DragonCard::NinjaAssassin, Some(leader), _) => {
                (self.leader(leader) + self.command_card(self.foe)) / 6.0
            }
            (DragonCard::Physician, _, Some(unit)) => {
                let blocks = state.unit(unit).blocks;
                let healed =
                    if state.shares_section_with_tent(self.me, hex) { FULL_BLOCKS } else { blocks + 1 };
                1.3 * (STANDING[usize::from(healed)] - STANDING[usize::from(blocks)])
            }
            (DragonCard::Turncoats, _, Some(unit)) => {
                let it = state.unit(unit);
                let more = state.honor[self.me].saturating_sub(card.cost()) > state.honor[self.foe];
                let worth = TURNED * STANDING[usize::from(it.blocks)] + 2.0 * potential(it.kind);
                TURNCOAT[usize::from(more)] * worth
            }
            _ => 0.0,
        }
    }

    /// Cost to the enemy of losing a block of a unit.
    fn block(&self, unit: UnitId) -> f64 {
        let it = self.state.unit(unit);
        let blocks = usize::from(it.blocks);
        let last = if blocks == 1 { self.board.banner[self.me] + potential(it.kind) } else { 0.0 };
        STANDING[blocks] - STANDING[blocks - 1] + last
    }

    fn blue_dragon(&self) -> f64 {
        let hexes = self.state.near_water(self.foe);
        hexes.into_iter().filter_map(|hex| self.state.unit_at(hex)).map(|unit| self.block(unit) / 6.0).sum()
    }

    fn rice_famine(&self) -> f64 {
        let dice = f64::from(self.state.hexes_with(self.foe, Symbol::Circle).len());
        dice * (0.5 * 0.17 + self.honor_lost(self.foe, 2) / 6.0)
    }

    fn red_dragon(&self) -> f64 {
        let dice = 3.0 + f64::from(u8::from(self.state.tents[self.me]));
        dice / 2.0 * (DRIVEN + self.honor_lost(self.foe, 1))
    }

    /// How good the enemy's card of this turn is.
    fn enemy_card(&self) -> f64 {
        self.state.turn.effective.map_or(0.0, |effective| command_card_worth(effective.card))
    }

    /// Possible cost of flags this turn.
    fn flags_to_come(&self) -> f64 {
        let state = self.state;
        let near = state.unit_hexes(self.me) & state.unit_hexes(self.foe).neighbours();
        let flags = near.into_iter().filter_map(|hex| state.unit_at(hex)).map(|unit| self.fighter(unit).flag);
        0.15 * flags.sum::<f64>()
    }
}

/// Cards of the movement.
impl DecisionContext<'_> {
    /// Gain of the mover from additional hexes.
    fn move_gain(&mut self, hexes: u8) -> f64 {
        let Some(unit) = self.state.mover.unit else { return 0.0 };
        let mode = Mode::of(self.state);
        let mut farther = mode;
        let (moves, battles) = &mut farther.moves[self.state.unit(unit).kind.index()];
        (*moves, *battles) = (*moves + hexes, *battles + hexes);
        self.plan(unit, &farther).gain - self.plan(unit, &mode).gain
    }

    /// Value of calling the enemy's leader back: the attack that his unit could make.
    fn insult(&self) -> f64 {
        let Some(unit) = self.state.mover.unit else { return 0.05 };
        if self.state.turn.barred.contains(unit) {
            return 0.05;
        }
        let by = self.fighter(unit);
        let beside = by.hex.neighbours() & self.state.unit_hexes(self.me);
        let attacks = beside.into_iter().map(|target| self.attack_on(&by, target, Manner::default()));
        attacks.fold(0.05, f64::max)
    }
}

/// Cards of a combat.
impl DecisionContext<'_> {
    /// Value of a duel: more dice win it more often (BT-DRAGON-31).
    fn challenge(&self) -> f64 {
        let state = self.state;
        let combat = &state.combat;
        let leaders =
            combat.defender.and_then(|unit| state.leader_of(unit)).zip(state.leader_of(combat.attacker));
        let Some((defending, attacking)) = leaders else { return 0.0 };
        let (mine, theirs) =
            if state.active == self.me { (attacking, defending) } else { (defending, attacking) };
        let dice = |side, leader, other| {
            f64::from(state.command_of(side))
                + f64::from(u8::from(state.honor[side] > state.honor[side.other()]))
                + f64::from(u8::from(state.leader(leader).kind > state.leader(other).kind))
        };
        let ahead = 2.0 + dice(self.me, mine, theirs) - dice(self.foe, theirs, mine);
        let (win, lose) = ((0.3 + 0.05 * ahead).clamp(0.05, 0.7), (0.3 - 0.05 * ahead).clamp(0.05, 0.7));
        win * (0.35 + self.command_card(self.foe)) - lose * (0.35 + self.command_card(self.me))
    }

    /// Value of striking before the attacker, with extra dice.
    fn first_strike(&self, extra: u8) -> f64 {
        let combat = &self.state.combat;
        let Some(defender) = combat.defender else { return 0.0 };
        let (by, against) = (self.fighter(defender), self.fighter(combat.attacker));
        let dice = by.melee_dice(against.terrain) + extra;
        let first = self.roll(&by, &against, dice, false, against.ignores(by.kind, FlagRule::Usual));
        let attack_dice = against.melee_dice(by.terrain);
        let ignores = by.ignores(against.kind, self.state.turn.effects.flags);
        let attack = self.roll(&against, &by, attack_dice, false, ignores);
        first.worth + (1.0 - first.hold) * attack.worth - attack.hold * self.back(&by, &against)
    }

    /// Value of an additional melee.
    fn legendary(&self) -> f64 {
        let combat = &self.state.combat;
        let unit = combat.attacker;
        self.ground_worth(unit, combat.target, true) - self.ground_worth(unit, combat.target, false).max(0.0)
    }

    /// Cards that change the roll under way, or what it does.
    fn roll_card(&self, card: DragonCard) -> f64 {
        let state = self.state;
        let (combat, roll) = (&state.combat, &state.combat.roll);
        let (Some(by), Some(against)) = (roll.units.first(), roll.against) else { return 0.0 };
        let (by, against) = (self.fighter(by), self.fighter(against));
        let dice = if roll.dice > 0 { roll.dice } else { state.combat_dice() };
        let usual = if roll.courage { ALL_FLAGS } else { against.ignores(by.kind, self.flag_rule()) };
        let back = self.back_to_come(&by, &against);
        // What a roll is worth to the roller, the battle back included.
        let worth = |dice, ignores| {
            let hit = self.roll(&by, &against, dice, combat.ranged, ignores);
            hit.worth - hit.hold * back
        };
        match card {
            DragonCard::TerrorStrike => f64::from(dice) / 6.0 * against.flag,
            DragonCard::DesperateCharge => worth(dice + 2, usual) - worth(dice, usual),
            DragonCard::Cowards => worth(dice, 0) - worth(dice, usual),
            DragonCard::HeadCollector => self.board.token[self.me] * (f64::from(dice) / 2.0),
            DragonCard::Vengeance => worth(combat.dice_against, usual) - worth(dice, usual),
            DragonCard::AikidoTraining => worth(dice, usual) - worth(dice.min(2), usual),
            DragonCard::Courage | DragonCard::CourageousLeaderBefore => {
                worth(dice, usual) - worth(dice, ALL_FLAGS)
            }
            DragonCard::CourageousLeaderAfter => {
                self.result(&against, usual) - self.result(&against, ALL_FLAGS)
            }
            DragonCard::BulletproofArmor => self.hits(&against),
            DragonCard::SpiritOfKisshoten => worth(dice, usual) - (self.result(&against, usual)),
            _ => 0.0,
        }
    }

    /// Cost of the hits of the roll under way to its target.
    fn hits(&self, against: &Fighter) -> f64 {
        let roll = &self.state.combat.roll;
        let hits = self.state.combat_roll().hits(&roll.faces).min(against.blocks);
        let left = against.blocks - hits;
        let gone = if left > 0 { 0.0 } else { self.board.banner[roll.side] + potential(against.kind) };
        STANDING[usize::from(against.blocks)] - STANDING[usize::from(left)] + gone
    }

    /// Cost of the roll under way to its target, battle back included, by number of flags it may ignore.
    fn result(&self, against: &Fighter, ignores: u8) -> f64 {
        let state = self.state;
        let roll = &state.combat.roll;
        let combat_roll = state.combat_roll();
        let hits = self.hits(against);
        if combat_roll.hits(&roll.faces) >= against.blocks {
            return hits;
        }
        let flags =
            if ignores == ALL_FLAGS { 0 } else { combat_roll.flags(&roll.faces).saturating_sub(ignores) };
        let back = roll.units.first().map_or(0.0, |by| self.back_to_come(&self.fighter(by), against));
        if flags == 0 { hits - back } else { hits + f64::from(flags) * against.flag }
    }
}

/// Cards that others have thrown away.
impl DecisionContext<'_> {
    /// The best of the discards (DP-05).
    pub(super) fn choose_theft(legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Dragon(card) => dragon_card_worth(card),
            _ => f64::NEG_INFINITY,
        })
    }

    /// Whether the card taken is played at once (DP-05).
    pub(super) fn play_stolen(&mut self, card: DragonCard, legal: &[Action]) -> usize {
        best(legal, |action| match action {
            Action::Yes => self.dragon_gain(card),
            _ => 0.0,
        })
    }
}
