//! Dragon cards that are not played in a combat: what they need, what they do (DRAGON).

use crate::action::{Action, ActionSink};
use crate::board::{HexId, HexSet};
use crate::data::{DragonCard, FULL_BLOCKS, Face, Section, Side, Symbol, UnitKind, Window};
use crate::event::{Context, Event, Loss, Roll, Why};
use crate::pieces::{LeaderId, Unit, UnitId};
use crate::play::Step;
use crate::play::command::add_dragons;
use crate::state::{FlagRule, State};

/// Dice that each player rolls for a unit (BT-DRAGON-20).
const TURNCOAT_DICE: u8 = 3;

/// Requirements of dragon cards (BT-DRAGON-USE-03, BT-DRAGON-USE-11).
impl State {
    /// Whether a card has what it needs, as everybody sees.
    pub(crate) fn has_target(&self, card: DragonCard, side: Side) -> bool {
        let own = |test: fn(UnitKind) -> bool| self.has_unit(side, test);
        match card {
            DragonCard::AshigaruAttack => own(|kind| kind.symbol() == Symbol::Triangle),
            DragonCard::NinjaAssassin | DragonCard::Physician | DragonCard::Turncoats => {
                !self.dragon_targets(card).is_empty()
            }
            DragonCard::TacticalWisdom => self.redirectable().is_some(),
            DragonCard::BlueDragon => !self.near_water(side.other()).is_empty(),
            DragonCard::FireArrows => own(UnitKind::is_bow),
            DragonCard::BraveMessenger => {
                self.turn.effective.is_some_and(|effective| effective.card.is_order_few())
            }
            DragonCard::VolleyByRanks => own(|kind| kind == UnitKind::AshigaruArquebus),
            DragonCard::MoveLikeTheWind => own(UnitKind::is_infantry),
            DragonCard::NinjaThief => !self.dragon.discards.is_empty(),
            DragonCard::Panic | DragonCard::RedDragon => !self.units_of(side.other()).is_empty(),
            DragonCard::RiceFamine => self.has_unit(side.other(), |kind| kind.symbol() == Symbol::Circle),
            DragonCard::WiseAdvisor => !self.command.discards.is_empty() && self.command_draws() > 0,
            DragonCard::KatchuKeibaWinner => {
                self.mover.unit.is_some_and(|unit| self.unit(unit).kind.is_cavalry())
            }
            DragonCard::TeaCeremony
            | DragonCard::WhiteDragon
            | DragonCard::FollowersOfBishamon
            | DragonCard::WildWinds
            | DragonCard::WhiteFoxSpirit
            | DragonCard::SpiritOfHayaji
            | DragonCard::Insult => true, // their windows say all they need
            DragonCard::CourageousLeaderAfter
            | DragonCard::CourageousLeaderBefore
            | DragonCard::TerrorStrike
            | DragonCard::Ambush
            | DragonCard::DesperateCharge
            | DragonCard::Cowards
            | DragonCard::Courage
            | DragonCard::HeadCollector
            | DragonCard::LegendaryCombat
            | DragonCard::PersonalChallenge
            | DragonCard::AikidoTraining
            | DragonCard::Vengeance
            | DragonCard::BulletproofArmor
            | DragonCard::SpiritOfKisshoten
            | DragonCard::TimidSuccess => self.combat_card_is_playable(card, side),
        }
    }

    /// Whether a side has a unit of a kind on the board.
    pub(crate) fn has_unit(&self, side: Side, test: impl Fn(UnitKind) -> bool) -> bool {
        self.units_of(side).any(|unit| test(self.unit(unit).kind))
    }

    /// The hexes that Ninja Assassin, Physician or Turncoats can be played on (BT-DRAGON-12, 14, 20).
    pub fn dragon_targets(&self, card: DragonCard) -> HexSet {
        let (own, enemy) = (self.active, self.active.other());
        let hexes = |side, test: fn(&Unit) -> bool| -> HexSet {
            self.units_of(side)
                .map(|unit| self.unit(unit))
                .filter(|&unit| test(unit))
                .map(|unit| unit.hex)
                .collect()
        };
        match card {
            DragonCard::NinjaAssassin => self.leader_hexes(enemy),
            DragonCard::Physician => hexes(own, |unit| unit.blocks < FULL_BLOCKS), // a bodyguard, too (BT-R-77)
            DragonCard::Turncoats => {
                hexes(enemy, |unit| !unit.kind.is_bodyguard()) - self.leader_hexes(enemy)
            }
            _ => HexSet::EMPTY,
        }
    }

    /// The hexes of units of a side that Blue Dragon dices for: in or next to water, no bodyguard (BT-DRAGON-17,
    /// BT-TERRAIN-12).
    pub fn near_water(&self, side: Side) -> HexSet {
        let near = self.scenario.water() | self.scenario.water().neighbours();
        let diced = |hex: &_| self.unit_at(*hex).is_some_and(|unit| !self.unit(unit).kind.is_bodyguard());
        (self.unit_hexes(side) & near).into_iter().filter(diced).collect()
    }

    /// Whether the command tent of a side is on the battlefield and shares a section with a hex (BT-DRAGON-14).
    pub fn shares_section_with_tent(&self, side: Side, hex: HexId) -> bool {
        let shares = |tent| {
            let both = |section: Section| section.hexes().contains(tent) && section.hexes().contains(hex);
            Section::ALL.into_iter().any(both)
        };
        self.tent(side).is_some_and(shares)
    }
}

/// Effects of dragon cards.
impl State {
    /// The W-CMD-A card takes effect (BT-DRAGON-USE-06); one that no longer fits the command card does nothing (BT-R-69).
    pub(crate) fn resolve_dragon(&mut self, context: &mut impl Context) {
        let side = self.active;
        let Some(card) = self.turn.declared.take() else { return };
        if self.has_target(card, side) {
            self.dragon_effect(card, side, context);
        } else {
            context.log(|| Event::NoEffect { side, card });
        }
    }

    /// Applies the effect of a card that has been paid for.
    pub(crate) fn dragon_effect(&mut self, card: DragonCard, side: Side, context: &mut impl Context) {
        let effects = &mut self.turn.effects;
        match card {
            DragonCard::AshigaruAttack => effects.ashigaru_attack = true,
            DragonCard::FireArrows => effects.fire_arrows = true,
            DragonCard::VolleyByRanks => effects.volley = true,
            DragonCard::MoveLikeTheWind => effects.wind = true,
            DragonCard::WhiteFoxSpirit => effects.white_fox = true,
            // In response Bishamon is the later card, but not than a Panic that Ninja Thief took (BT-DRAGON-USE-07, BT-R-68).
            DragonCard::Panic => {
                if self.turn.played.last() != Some(&DragonCard::FollowersOfBishamon) {
                    effects.flags = FlagRule::CannotIgnore;
                }
            }
            DragonCard::FollowersOfBishamon => effects.flags = FlagRule::MayIgnoreAll,
            // The same holds for White Fox Spirit and a Brave Messenger that Ninja Thief took.
            DragonCard::BraveMessenger => {
                if self.turn.played.last() != Some(&DragonCard::WhiteFoxSpirit) {
                    effects.extra_orders = 1 + u8::from(self.tents[side]);
                }
            }
            DragonCard::NinjaAssassin | DragonCard::Physician | DragonCard::Turncoats => {
                self.push(Step::DragonTarget { card });
            }
            DragonCard::TacticalWisdom => self.push(Step::TacticalWisdom),
            DragonCard::BlueDragon => self.blue_dragon(side, context),
            DragonCard::NinjaThief => self.push(Step::NinjaThief),
            DragonCard::RiceFamine => self.rice_famine(side, context),
            DragonCard::RedDragon => self.roll_red_dragon(side, context),
            DragonCard::TeaCeremony => self.tea_ceremony(side, context),
            DragonCard::WhiteDragon => {
                self.draw_command(side, context); // BT-DRAGON-44
            }
            DragonCard::WildWinds => self.wild_winds(context),
            DragonCard::KatchuKeibaWinner => self.mover.katchu_keiba = true,
            DragonCard::SpiritOfHayaji => self.mover.haya_ji = true,
            DragonCard::Insult => self.call_back(context),
            DragonCard::WiseAdvisor => self.push(Step::Advise),
            _ => self.play_combat_card(card, side, context),
        }
    }

    pub(crate) fn play_dragon_target(
        &mut self,
        card: DragonCard,
        action: Action,
        context: &mut impl Context,
    ) {
        let Action::Hex(hex) = action else { return };
        let side = self.active;
        context.log(|| Event::Targeted { side, card, hex });
        match (card, self.leader_at(hex), self.unit_at(hex)) {
            (DragonCard::NinjaAssassin, Some(leader), _) => self.ninja_assassin(leader, context),
            (DragonCard::Physician, _, Some(unit)) => self.physician(unit, context),
            (DragonCard::Turncoats, _, Some(unit)) => self.turncoats(unit, context),
            _ => {}
        }
    }

    /// On X the leader falls and his owner loses a command card (BT-DRAGON-12, BT-R-73).
    fn ninja_assassin(&mut self, leader: LeaderId, context: &mut impl Context) {
        let faces = self.roll(self.active, 1, Roll::NinjaAssassin, context);
        if faces[Face::Swords] > 0 {
            self.eliminate_leader(leader, context);
            if self.decided.is_none() {
                self.lose_command_card(self.active.other(), context);
            }
        }
    }

    /// One block more, or all of them near the own tent (BT-DRAGON-14).
    fn physician(&mut self, unit: UnitId, context: &mut impl Context) {
        let Unit { hex, side, kind, blocks } = *self.unit(unit);
        let blocks = if self.shares_section_with_tent(side, hex) { FULL_BLOCKS } else { blocks + 1 };
        self.units[unit.index()].blocks = blocks;
        context.log(|| Event::Healed { hex, unit: kind, blocks });
    }

    /// Each enemy unit at the water is diced for (BT-DRAGON-17).
    fn blue_dragon(&mut self, side: Side, context: &mut impl Context) {
        for hex in self.near_water(side.other()) {
            let faces = self.roll(side, 1, Roll::BlueDragon, context);
            if let Some(unit) = self.unit_at(hex)
                && faces[self.unit(unit).kind.symbol().face()] > 0
            {
                self.remove_blocks(unit, 1, Loss::DragonCard, context);
            }
            if self.decided.is_some() {
                return;
            }
        }
    }

    /// More H faces win the unit over (BT-DRAGON-20, BT-R-78).
    fn turncoats(&mut self, unit: UnitId, context: &mut impl Context) {
        let (own, enemy) = (self.active, self.active.other());
        let contest = |state: &Self, side: Side| {
            TURNCOAT_DICE
                + u8::from(state.banner_count(side) > state.banner_count(side.other()))
                + 2 * u8::from(state.honor[side] > state.honor[side.other()])
        };
        let dice = [own, enemy].map(|side| contest(self, side));
        let won = self.roll(own, dice[0], Roll::Turncoats, context)[Face::Honor];
        let lost = self.roll(enemy, dice[1], Roll::Turncoats, context)[Face::Honor];
        if won > lost {
            self.push(Step::Turncoat { unit });
        }
    }

    pub(crate) fn play_turncoat(&mut self, unit: UnitId, action: Action, context: &mut impl Context) {
        let (side, turned) = (self.active, action == Action::Yes);
        let Unit { hex, kind, .. } = *self.unit(unit);
        context.log(|| Event::Turned { side, hex, unit: kind, turned });
        if turned {
            self.turn_unit(unit, context);
            self.arrived(unit, context);
        }
    }

    /// N dice: honor for each H (BT-DRAGON-42).
    fn tea_ceremony(&mut self, side: Side, context: &mut impl Context) {
        let faces = self.roll(side, self.command_of(side), Roll::TeaCeremony, context);
        let each = 2 + u8::from(self.tents[side]);
        self.gain_honor(side, each.saturating_mul(faces[Face::Honor]), Why::Card, context);
    }

    /// A die for each enemy C unit: blocks, then honor (BT-DRAGON-36).
    fn rice_famine(&mut self, side: Side, context: &mut impl Context) {
        let enemy = side.other();
        let dice = self.hexes_with(enemy, Symbol::Circle).len() as u8;
        let faces = self.roll(side, dice, Roll::RiceFamine, context);
        self.push(Step::FamineHonor { honor: 2 * faces[Face::Honor] });
        let [circle, triangle, square] = [Face::Circle, Face::Triangle, Face::Square].map(|face| faces[face]);
        self.push(Step::ChosenLosses { side: enemy, circle, triangle, square });
    }

    /// The honor of all H faces is lost at once (BT-R-48).
    pub(crate) fn famine_honor(&mut self, honor: u8, context: &mut impl Context) {
        let enemy = self.active.other();
        self.lose_honor_to_card(enemy, honor, context);
    }

    /// Three dice, or four with a tent (BT-DRAGON-37).
    fn roll_red_dragon(&mut self, side: Side, context: &mut impl Context) {
        let faces = self.roll(side, 3 + u8::from(self.tents[side]), Roll::RedDragon, context);
        let [circle, triangle, square] = [Face::Circle, Face::Triangle, Face::Square].map(|face| faces[face]);
        self.push(Step::RedDragon { circle, triangle, square });
    }

    /// One die after the other, C, T, S: a unit with that symbol has to retreat, if there is one.
    pub(crate) fn red_dragon(&mut self, mut left: [u8; 3]) {
        let side = self.active.other();
        for (place, symbol) in [Symbol::Circle, Symbol::Triangle, Symbol::Square].into_iter().enumerate() {
            if left[place] > 0 {
                left[place] -= 1;
                let [circle, triangle, square] = left;
                self.push(Step::RedDragon { circle, triangle, square });
                self.push(Step::DriveBack { side, symbol });
                return;
            }
        }
    }

    pub(crate) fn drive_back(&mut self, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.drive_back_unit(unit);
        }
    }

    /// Any card of the discards (BT-DRAGON-33).
    pub(crate) fn legal_thefts(&self, out: &mut impl ActionSink) {
        add_dragons(self.dragon.discards.iter().fold(0, |kinds, card| kinds | card.bit()), out);
    }

    /// The card goes to the hand. One of W-CMD-A may be played at once or not this turn, another one in its window.
    pub(crate) fn play_theft(&mut self, action: Action, context: &mut impl Context) {
        let Action::Dragon(card) = action else { return };
        let side = self.active;
        self.dragon.take_discarded(card);
        self.dragon.hands[side].push(card);
        context.log(|| Event::DragonTaken { side, card });
        let at_once = card.window() == Window::CommandActive;
        if !at_once || self.is_playable(card, side) {
            self.turn.stolen = Some(card);
        }
        if at_once && self.turn.stolen.is_some() {
            self.push(Step::PlayStolen { card });
        }
    }

    pub(crate) fn play_stolen(&mut self, card: DragonCard, action: Action, context: &mut impl Context) {
        if action == Action::Yes {
            self.play_dragon(card, self.active, context);
            self.dragon_effect(card, self.active, context);
        } else {
            self.turn.stolen = None;
        }
    }
}
