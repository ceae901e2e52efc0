//! Values of hexes under the scenario's victory conditions (BT-SCEN).

use sengoku_battles::board::{ByHex, HEXES, HexId, HexSet};
use sengoku_battles::data::{BySide, Section, Side, TENT_BANNERS, Terrain, UnitKind};
use sengoku_battles::scenario::Victory;

use super::context::DecisionContext;

/// Steps to what cannot be reached.
const FAR: u8 = 24;
/// A banner that has to be held until the next own turn.
const TO_BE_HELD: f64 = 0.6;
/// A hill, where more hills are a banner.
const HILL: f64 = 0.25;
/// The last unit of a section, where an empty one is a banner.
const LAST: f64 = 0.5;
/// A place that is worth walking to.
const WORTH_WALKING: f64 = 0.2;

/// Worth of hexes for the units of each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goals {
    /// Whether there are any.
    any: bool,
    /// For any unit.
    at: BySide<ByHex<f64>>,
    /// Where units of some kinds leave the board for banners, and what that is worth.
    exit: Option<(Side, u16, HexSet, f64)>,
    /// Steps from each hex to the nearest goal of the deciding side, for any unit and for those that leave.
    pub(super) steps: ByHex<u8>,
    exit_steps: ByHex<u8>,
}

impl Default for Goals {
    fn default() -> Self {
        let (none, far) = (ByHex([0.0; HEXES]), ByHex([FAR; HEXES]));
        Self { any: false, at: BySide([none; 2]), exit: None, steps: far, exit_steps: far }
    }
}

/// Steps from each hex to the nearest of some hexes, over passable ground.
pub(super) fn spread(from: HexSet, passable: HexSet) -> ByHex<u8> {
    let mut steps = ByHex([FAR; HEXES]);
    let (mut reached, mut front) = (from, from);
    for step in 0..FAR {
        for hex in front {
            steps[hex] = step;
        }
        front = (front.neighbours() & passable) - reached;
        if front.is_empty() {
            break;
        }
        reached |= front;
    }
    steps
}

impl DecisionContext<'_> {
    pub(super) fn set_goals(&mut self) {
        let state = self.state;
        for side in Side::ALL {
            if let Some(hex) = state.tent(side.other()) {
                let worth = if state.decides_by_tent(side) {
                    self.banners(side, u8::MAX)
                } else {
                    TO_BE_HELD * self.banners(side, TENT_BANNERS)
                };
                self.board.goals.add(side, hex.set(), worth);
            }
        }
        for (number, victory) in state.scenario.victory.iter().enumerate() {
            self.set_goal(number, victory);
        }
        if !self.board.goals.any {
            return;
        }
        let passable = !state.scenario.impassable;
        let me = self.me;
        let goals: HexSet =
            HexId::all().filter(|&hex| self.board.goals.at[me][hex] > WORTH_WALKING).collect();
        self.board.goals.steps = spread(goals, passable);
        if let Some((side, _, hexes, _)) = self.board.goals.exit
            && side == me
        {
            self.board.goals.exit_steps = spread(hexes, passable);
        }
    }

    fn set_goal(&mut self, number: usize, victory: &Victory) {
        let state = self.state;
        let banks = &state.scenario.banks;
        match *victory {
            Victory::UnitsAcross { side, bank, banners_per_unit } => {
                let worth = TO_BE_HELD * self.banners(side, banners_per_unit);
                self.board.goals.add(side, banks[bank], worth);
            }
            Victory::GorgeRim { side, bank, banners_per_unit } => {
                let rim = banks[bank] & state.scenario.hexes_of(Terrain::Gorge).neighbours();
                let worth = TO_BE_HELD * self.banners(side, banners_per_unit);
                self.board.goals.add(side, rim, worth);
            }
            Victory::Occupy { side, hex, banners, cards_lost }
                if state.trackers.captured >> number & 1 == 0 =>
            {
                let cards = f64::from(cards_lost) * self.command_card(side.other());
                let worth = self.banners(side, banners) + cards;
                self.board.goals.add(side, hex.set(), worth);
            }
            Victory::UnitsOnBank { side, bank, at_least, banners } => {
                let worth = self.banners(side, banners) / f64::from(at_least);
                self.board.goals.add(side, banks[bank], worth);
            }
            Victory::NoEnemyOnBank { side, bank, banners, .. } => {
                let other = side.other();
                let there = (state.unit_hexes(other) & banks[bank]).len();
                let worth = self.banners(side, banners) / (1.0 + f64::from(there));
                self.board.goals.add(other, banks[bank], worth);
            }
            Victory::HillMajority { banners } => {
                for side in Side::ALL {
                    let worth = HILL * self.banners(side, banners);
                    self.board.goals.add(side, state.scenario.hexes_of(Terrain::Hill), worth);
                }
            }
            Victory::EmptySection { side, .. } => {
                let other = side.other();
                for section in Section::ALL {
                    let hexes = section.hexes_shared_to_middle();
                    if (state.unit_hexes(other) & hexes).len() == 1 {
                        self.board.goals.add(other, hexes, LAST * self.board.banner[side]);
                    }
                }
            }
            Victory::Exit { side, kinds, bank, banners } => {
                self.board.goals.any = true;
                self.board.goals.exit = Some((side, kinds, banks[bank], self.banners(side, banners)));
            }
            _ => {}
        }
    }

    /// Value to a side of a unit of a kind in a hex.
    pub(super) fn goal(&self, side: Side, kind: UnitKind, hex: HexId) -> f64 {
        if !self.board.goals.any {
            return 0.0;
        }
        let exit = match self.board.goals.exit {
            Some((of, kinds, hexes, worth))
                if of == side && kinds >> kind.index() & 1 == 1 && hexes.contains(hex) =>
            {
                worth
            }
            _ => 0.0,
        };
        self.board.goals.at[side][hex] + exit
    }

    /// Steps of an own unit of a kind to the nearest goal.
    pub(super) fn steps_to_goal(&self, kind: UnitKind, hex: HexId) -> Option<u8> {
        if !self.board.goals.any {
            return None;
        }
        let leaves = self
            .board
            .goals
            .exit
            .is_some_and(|(of, kinds, ..)| of == self.me && kinds >> kind.index() & 1 == 1);
        let steps =
            self.board.goals.steps[hex].min(if leaves { self.board.goals.exit_steps[hex] } else { FAR });
        (steps < FAR).then_some(steps)
    }
}

impl Goals {
    fn add(&mut self, side: Side, hexes: HexSet, worth: f64) {
        self.any = true;
        for hex in hexes {
            self.at[side][hex] += worth;
        }
    }
}
