//! Dragon cards of the windows of a combat: whether they can be played as things stand, and what they do.
//!
//! Both look at public facts only (BT-DRAGON-USE-10).

use crate::action::{Action, ActionSink};
use crate::combat::RollKind;
use crate::data::{DragonCard, FULL_BLOCKS, Side};
use crate::event::{Context, Event};
use crate::pieces::{UnitId, UnitSet};
use crate::play::Step;
use crate::state::State;

impl State {
    /// Whether a card of a combat window has a legal target for a side at this point of the combat (BT-DRAGON-USE-03,
    /// BT-R-95). That the window is the card's own is known.
    pub(crate) fn combat_card_is_playable(&self, card: DragonCard, side: Side) -> bool {
        let (combat, roll) = (&self.combat, &self.combat.roll);
        let attacks = roll.kind == RollKind::Attack;
        let led = |unit| self.leader_of(unit).is_some();
        let rolls = side == roll.side;
        match card {
            DragonCard::PersonalChallenge => self.can_challenge(),
            DragonCard::Ambush => self.can_strike_first(),
            DragonCard::TerrorStrike | DragonCard::SpiritOfKisshoten => rolls && !combat.ranged,
            DragonCard::DesperateCharge | DragonCard::HeadCollector => {
                rolls && !self.card_units(card).is_empty()
            }
            DragonCard::Cowards => rolls && roll.against.is_some(),
            DragonCard::Vengeance => rolls && roll.kind == RollKind::BattleBack,
            DragonCard::AikidoTraining => !rolls && !combat.ranged && attacks,
            DragonCard::Courage => !rolls && roll.against.is_some(),
            DragonCard::CourageousLeaderBefore => !rolls && roll.against.is_some_and(led),
            DragonCard::CourageousLeaderAfter => !rolls && !combat.ranged && roll.against.is_some_and(led),
            DragonCard::BulletproofArmor => !rolls && combat.ranged && roll.against.is_some(),
            DragonCard::LegendaryCombat => side == self.active && self.has_success(),
            DragonCard::TimidSuccess => side != self.active,
            _ => false,
        }
    }

    /// A card of a combat window takes effect.
    pub(crate) fn play_combat_card(&mut self, card: DragonCard, side: Side, context: &mut impl Context) {
        let roll = &mut self.combat.roll;
        match card {
            DragonCard::PersonalChallenge => self.challenge(side),
            DragonCard::Ambush => self.strike_first(true),
            DragonCard::TerrorStrike => roll.terror = true,
            DragonCard::DesperateCharge | DragonCard::HeadCollector | DragonCard::AikidoTraining => {
                self.push(Step::CardUnit { card, side });
            }
            DragonCard::Cowards => roll.cowards = true,
            DragonCard::Vengeance => roll.vengeance = true,
            DragonCard::Courage | DragonCard::CourageousLeaderBefore | DragonCard::CourageousLeaderAfter => {
                roll.courage = true;
            }
            DragonCard::BulletproofArmor => self.put_on_armor(context),
            DragonCard::SpiritOfKisshoten => self.throw(true, context),
            DragonCard::LegendaryCombat => self.combat.legendary = true,
            DragonCard::TimidSuccess => self.be_timid(context),
            _ => {}
        }
    }

    /// The rolling units that a card can be for or against; in a levy charge its player names one (BT-R-94, BT-R-39).
    fn card_units(&self, card: DragonCard) -> UnitSet {
        let roll = &self.combat.roll;
        let melee = !self.combat.ranged;
        let fits = |&unit: &UnitId| match card {
            DragonCard::DesperateCharge => melee && self.unit(unit).blocks == 1,
            DragonCard::HeadCollector => {
                melee && roll.kind == RollKind::Attack && self.leader_of(unit).is_some()
            }
            _ => true,
        };
        roll.units.filter(fits).collect()
    }

    pub(crate) fn legal_card_units(&self, card: DragonCard, out: &mut impl ActionSink) {
        out.add_hexes(self.hexes(self.card_units(card)));
    }

    pub(crate) fn play_card_unit(
        &mut self,
        card: DragonCard,
        side: Side,
        action: Action,
        context: &mut impl Context,
    ) {
        let Action::Hex(hex) = action else { return };
        let unit = self.unit_at(hex);
        context.log(|| Event::Targeted { side, card, hex });
        let roll = &mut self.combat.roll;
        match card {
            DragonCard::DesperateCharge => roll.desperate = unit,
            DragonCard::AikidoTraining => roll.aikido = unit,
            _ => roll.head_collector = true,
        }
    }

    /// Hits of the shot do not count, nor those of another shot of the same shooter at the same unit; blocks that hits of
    /// the first shot removed come back (BT-DRAGON-39).
    fn put_on_armor(&mut self, context: &mut impl Context) {
        let Some(unit) = self.combat.roll.against else { return };
        self.combat.armored = Some(unit);
        if self.combat.first_shot == Some(unit) && self.combat.first_losses > 0 {
            let blocks = (self.unit(unit).blocks + self.combat.first_losses).min(FULL_BLOCKS);
            self.units[unit.index()].blocks = blocks;
            let (hex, kind) = (self.unit(unit).hex, self.unit(unit).kind);
            context.log(|| Event::Healed { hex, unit: kind, blocks });
        }
    }
}
