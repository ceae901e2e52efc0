//! How battles begin and end, and what the second battle of a campaign takes from the first (COMP-05, SCEN-10, SCEN-20).

use sengoku_kernel::List;

use crate::action::Action;
use crate::board::HexSet;
use crate::data::{BySide, CARDS, FULL_BLOCKS, Face, Side};
use crate::event::{Context, Event, Loss, Roll};
use crate::pieces::{Unit, UnitId};
use crate::play::Step;
use crate::scenario::First;
use crate::state::{Decided, FirstBattle, State};

/// Dice of each side where dice say who moves first (BT-SCEN-10).
const DICE_OFF: u8 = 5;

impl State {
    /// A battle has ended: the second of a campaign begins, or the match is over. Says whether play goes on.
    pub(crate) fn next_battle(&mut self, context: &mut impl Context) -> bool {
        self.agenda.clear();
        let Some(Decided { winner, end }) = self.decided else { return true };
        let banners = Side::ALL.map(|side| self.banner_count(side));
        context.log(|| Event::BattleOver {
            winner,
            reason: end.reason(),
            top: banners[0],
            bottom: banners[1],
        });
        let (Some(winner), Some(second), None) = (winner, self.second_battle(), self.first_battle) else {
            context.log(|| Event::Over { winner, reason: end.reason() });
            return false;
        };
        let first = FirstBattle { winner, banners: BySide(banners), honor_lost: BySide::default() };
        let (draws, round, options) = (self.draws, self.round, self.options);
        *self = Self::deployed(second, options);
        (self.draws, self.round, self.first_battle) = (draws, round, Some(first));
        self.agenda.clear();
        for step in [Step::Deal, Step::CarryDice { side: winner.other() }, Step::CarryDice { side: winner }] {
            self.push(step);
        }
        true
    }

    /// One side rolls a die for each banner it gained in the first battle.
    pub(crate) fn carry_dice(&mut self, side: Side, context: &mut impl Context) {
        let dice = self.first_battle.map_or(0, |first| first.banners[side]);
        let faces = self.roll(side, dice, Roll::CarryOver, context);
        let plain = faces[Face::Circle] + faces[Face::Triangle] + faces[Face::Square];
        let (swords, flags, honor) = (faces[Face::Swords], faces[Face::Flag], faces[Face::Honor]);
        self.push(Step::CarryOver { side, plain, swords, flags, honor });
    }

    /// Dice are worked off one by one: C, T and S, then X, F, H; a die without a unit for it is void (BT-R-88).
    pub(crate) fn carry_over(&mut self, side: Side, left: [u8; 4]) {
        let [plain, swords, flags, honor] = left;
        if plain > 0 {
            self.push(Step::CarryOver { side, plain: plain - 1, swords, flags, honor });
            self.push(Step::CarryLoss { side, swords: false });
        } else if swords > 0 {
            self.push(Step::CarryOver { side, plain, swords: swords - 1, flags, honor });
            self.push(Step::CarryLoss { side, swords: true });
        } else if flags > 0 {
            self.push(Step::CarryOver { side, plain, swords, flags: flags - 1, honor });
            self.push(Step::CarryBack { side });
        } else if let Some(first) = &mut self.first_battle {
            first.honor_lost[side.other()] = honor;
        }
    }

    /// Units that a die can take a block from: one each, never a bodyguard, only X where a leader is with them.
    pub(crate) fn carry_losses(&self, side: Side, swords: bool) -> HexSet {
        let enemy = side.other();
        let spared = if swords { HexSet::EMPTY } else { self.leader_hexes(enemy) };
        let units = self.units_of(enemy).map(|unit| self.unit(unit));
        let whole = units.filter(|unit| unit.blocks == FULL_BLOCKS && !unit.kind.is_bodyguard());
        whole.map(|unit| unit.hex).collect::<HexSet>() - spared
    }

    pub(crate) fn carry_loss(&mut self, action: Action, context: &mut impl Context) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.remove_blocks(unit, 1, Loss::CarryOver, context);
        }
    }

    /// Units that can be moved back.
    pub(crate) fn carry_backs(&self, side: Side) -> HexSet {
        let units = self.units_of(side.other());
        units.filter(|&unit| !self.rear_hexes(unit).is_empty()).map(|unit| self.unit(unit).hex).collect()
    }

    /// Free hexes behind a unit; none for a bodyguard.
    pub(crate) fn rear_hexes(&self, unit: UnitId) -> HexSet {
        let Unit { hex, side, kind, .. } = *self.unit(unit);
        if kind.is_bodyguard() {
            HexSet::EMPTY
        } else {
            hex.behind(side) - self.occupied() - self.scenario.impassable
        }
    }

    pub(crate) fn carry_back(&mut self, side: Side, action: Action) {
        if let Action::Hex(hex) = action
            && let Some(unit) = self.unit_at(hex)
        {
            self.push(Step::CarryBackTo { side, unit });
        }
    }

    /// An attached leader goes along.
    pub(crate) fn carry_back_to(&mut self, unit: UnitId, action: Action, context: &mut impl Context) {
        let Action::Hex(to) = action else { return };
        let Unit { hex: from, side, .. } = *self.unit(unit);
        self.move_unit(unit, self.leader_of(unit), to);
        context.log(|| Event::MovedBack { side, from, to });
    }

    /// Cards and honor, the top army first; then who moves first (BT-COMP-05, BT-RAND-03, BT-RAND-05).
    pub(crate) fn deal(&mut self, context: &mut impl Context) {
        let scenario = self.scenario;
        self.command.deck = List::of(&CARDS.command_deck());
        self.command.shuffle(&mut self.draws, context);
        for side in Side::ALL {
            for _ in 0..scenario.armies[side].command_cards {
                self.command.deal(side);
            }
        }
        self.dragon.deck = List::of(&CARDS.dragon_deck());
        self.dragon.shuffle(&mut self.draws, context);
        for side in Side::ALL {
            for _ in 0..scenario.armies[side].dragon_cards {
                self.dragon.deal(side);
            }
        }
        for side in Side::ALL {
            let lost = self.first_battle.map_or(0, |first| first.honor_lost[side]);
            self.honor[side] = scenario.armies[side].honor.saturating_sub(lost).min(self.pool());
            let (command, dragon) =
                (self.command.hands[side].len() as u8, self.dragon.hands[side].len() as u8);
            let honor = self.honor[side];
            context.log(|| Event::Dealt { side, command, dragon, honor });
        }
        self.first = match scenario.first {
            First::Army(side) => side,
            First::DiceOff => self.dice_off(context),
        };
        self.active = self.first;
        let first = self.first;
        context.log(|| Event::BattleBegun { scenario: &scenario.name, first });
        self.push(Step::BeginTurn);
    }

    /// More H faces; ties are rolled again (BT-SCEN-10).
    fn dice_off(&mut self, context: &mut impl Context) -> Side {
        loop {
            let [top, bottom] =
                Side::ALL.map(|side| self.roll(side, DICE_OFF, Roll::DiceOff, context)[Face::Honor]);
            if top != bottom {
                return if top > bottom { Side::Top } else { Side::Bottom };
            }
        }
    }
}
