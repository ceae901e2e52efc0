//! Effects of the turn's cards on units, and the best use of an order by each piece.

use sengoku_battles::State;
use sengoku_battles::board::{ByHex, HEXES};
use sengoku_battles::data::{CommandCard, Side, Symbol, UnitKind, Weapon};
use sengoku_battles::state::FlagRule;

use super::board::{Memory, Pieces};
use super::context::DecisionContext;

/// Effects of the turn's cards on units of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mode {
    /// Most hexes of a move, and most after which the unit may battle.
    pub(super) moves: [(u8, u8); UnitKind::COUNT],
    /// Dice more in melee and in ranged combat.
    pub(super) extra: [(u8, u8); UnitKind::COUNT],
    /// Kinds that may not battle, and that may not shoot.
    pub(super) barred: u16,
    pub(super) no_shots: u16,
    /// Whether units shoot twice and stay where they are.
    pub(super) holds: bool,
    /// Effects of cards on flags.
    pub(super) flags: FlagRule,
}

impl Mode {
    /// Effects of the cards of the turn.
    pub(super) fn of(state: &State) -> Self {
        let card = state.effective_card();
        let effects = &state.turn.effects;
        let is = |wanted| card == Some(wanted);
        let mut mode = Self { holds: is(CommandCard::HoldAndShoot), flags: effects.flags, ..Self::default() };
        for kind in UnitKind::ALL {
            let place = kind.index();
            mode.moves[place] = if mode.holds { (0, 0) } else { state.moves_of(kind) };
            let shogun = is(CommandCard::Shogun);
            let charge = is(CommandCard::CavalryCharge) && kind.is_cavalry();
            let spears = effects.ashigaru_attack && kind.symbol() == Symbol::Triangle;
            let arrows = effects.fire_arrows && kind.is_bow();
            let volley = effects.volley && kind.weapon() == Weapon::Arquebus;
            mode.extra[place] = (
                u8::from(shogun) + u8::from(charge) + u8::from(spears),
                u8::from(shogun) + u8::from(arrows || volley),
            );
            mode.barred |= u16::from(is(CommandCard::InfantryAssault) && kind.is_missile()) << place;
            mode.no_shots |= u16::from(charge) << place;
        }
        mode
    }
}

/// Values of orders, by the hex of the piece.
pub(super) type Gains = ByHex<f64>;

/// Value of a side's best order now, and of the three best ones together.
pub(in crate::battles) fn prospects(state: &State, side: Side) -> [f64; 2] {
    let mut memory = Memory::default();
    let mut context = DecisionContext::new(state, side, &mut memory);
    let gains = context.find_gains(&Mode::of(state));
    let mut best = [0.0_f64; 3];
    for gain in gains.0 {
        let mut gain = gain;
        for place in &mut best {
            if gain > *place {
                std::mem::swap(place, &mut gain);
            }
        }
    }
    [best[0], best.iter().sum()]
}

impl DecisionContext<'_> {
    /// Value of an order for each own piece under the cards of a state with the same pieces.
    pub(super) fn gains(&mut self, state: &State) -> Gains {
        let pieces = Pieces::of(self.state, self.me);
        let known = self.memory.pieces.as_deref() == Some(&pieces);
        if !known {
            self.memory.pieces = Some(Box::new(pieces));
            self.memory.gains.clear();
        }
        let mode = Mode::of(state);
        if let Some((_, gains)) = self.memory.gains.iter().find(|(known, _)| *known == mode) {
            return **gains;
        }
        let gains = self.find_gains(&mode);
        self.memory.gains.push((mode, Box::new(gains)));
        gains
    }

    fn find_gains(&mut self, mode: &Mode) -> Gains {
        let mut gains = ByHex([0.0; HEXES]);
        for unit in self.state.units_of(self.me) {
            gains[self.state.unit(unit).hex] = self.plan(unit, mode).gain;
        }
        for hex in self.state.lone_hexes(self.me) {
            gains[hex] = self.state.leader_at(hex).map_or(0.0, |leader| self.leader_plan(leader).gain);
        }
        gains
    }
}
