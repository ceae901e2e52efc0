//! Value of standing in a hex: possible targets, threats and neighbours.

use sengoku_battles::board::HexId;
use sengoku_battles::data::{LeaderKind, Terrain, ranged_cap};
use sengoku_battles::state::FlagRule;

use super::board::reach;
use super::chances::any_of;
use super::context::{DecisionContext, Fighter};
use super::exchange::Manner;
use super::worth::STRANDED;

/// Chance that a given enemy unit gets an order and attacks.
const EXPOSED: f64 = 0.28;
/// Chance that the own unit gets an order next turn.
const EAGER: f64 = 0.3;
/// A step toward the enemy.
const STEP: f64 = 0.025;
/// A step toward a goal of the scenario.
const GOAL_STEP: f64 = 0.06;
/// A friend beside, for as many as give support.
const FRIEND: f64 = 0.02;
/// A leader that has units beside him, or leads one.
const AT_HAND: f64 = 0.03;
const LEADS: f64 = 0.16;

impl DecisionContext<'_> {
    /// Value of an own unit in a hex at the end of the turn.
    pub(super) fn place(&self, unit: &Fighter) -> f64 {
        let (mut danger, mut chance) = (0.0, 0.0_f64);
        let reaches = reach(unit.kind);
        for foe in self.board.foes.iter() {
            let distance = foe.hex.distance(unit.hex);
            if distance == 1 {
                let (by_foe, by_unit) = self.melees(foe, unit);
                danger += by_foe.max(0.0);
                chance = chance.max(by_unit);
                continue;
            }
            // Elsewhere there is no threat, and nothing to add.
            if distance <= reach(foe.kind) {
                danger += self.threat(foe, unit, distance).max(0.0);
            }
            if distance <= reaches {
                chance = chance.max(self.threat(unit, foe, distance));
            }
        }
        let near = match self.steps_to_goal(unit.kind, unit.hex) {
            Some(steps) => GOAL_STEP * f64::from(steps),
            None => STEP * f64::from(self.board.front[unit.hex]),
        };
        EAGER * chance - EXPOSED * danger + unit.goal + FRIEND * f64::from(unit.friends.min(2)) - near
    }

    /// Value of the best attack that one unit could make on another in its next turn.
    fn threat(&self, by: &Fighter, against: &Fighter, distance: u8) -> f64 {
        let row = by.kind.row();
        let walks = row.moves_and_battles;
        if distance <= 1 + walks {
            let terrain = if distance == 1 { by.terrain } else { Terrain::Open };
            let melee = self.attack(&Fighter { terrain, ..*by }, against, Manner::default());
            if distance < 2 || !by.kind.is_missile() {
                return melee;
            }
            return melee.max(self.shot(by, against, distance));
        }
        if by.kind.is_missile() && distance <= by.kind.range() + walks {
            return self.shot(by, against, distance);
        }
        0.0
    }

    fn shot(&self, by: &Fighter, against: &Fighter, distance: u8) -> f64 {
        if against.kind.is_bodyguard() {
            return 0.0;
        }
        let moved = distance > by.kind.range();
        let dice = by.kind.ranged_dice(distance.min(by.kind.range()), moved);
        let cap = ranged_cap(Terrain::Open, against.terrain, by.kind.arm());
        let ignores = against.ignores(by.kind, FlagRule::Usual);
        self.roll(by, against, dice.min(cap), true, ignores).worth
    }

    /// Value of an own leader in a hex, alone or with the unit there.
    pub(super) fn leader_place(&self, kind: LeaderKind, worth: f64, hex: HexId) -> f64 {
        let state = self.state;
        if let Some(unit) = state.unit_at(hex) {
            let blocks = f64::from(state.unit(unit).blocks);
            return LEADS * (0.4 + 0.15 * blocks) - STEP * f64::from(self.board.front[hex]);
        }
        let mut danger = 0.0;
        for foe in self.board.foes.iter() {
            let distance = foe.hex.distance(hex);
            let row = foe.kind.row();
            if distance <= 1 + row.moves_and_battles {
                let falls = any_of(foe.kind.melee_dice(foe.blocks));
                danger += falls * worth + (1.0 - falls) * STRANDED;
            } else if foe.kind.is_missile() && distance <= foe.kind.range() {
                let falls = any_of(foe.kind.ranged_dice(distance, false));
                danger += falls * worth + (1.0 - falls) * STRANDED;
            }
        }
        let friends = f64::from((hex.neighbours() & state.unit_hexes(self.me)).len().min(3));
        let guides = if kind == LeaderKind::Foot { 0.5 } else { 1.0 };
        AT_HAND * guides * friends - EXPOSED * danger - STEP * f64::from(self.board.front[hex])
    }
}

#[cfg(test)]
mod tests {
    use sengoku_battles::State;
    use sengoku_battles::data::Side;
    use sengoku_kernel::{Chance, Game, Purpose, Stream};
    use serde_json::json;

    use super::super::board::Memory;
    use super::*;

    impl DecisionContext<'_> {
        /// [`DecisionContext::place`] as it is meant: every enemy is asked in both directions.
        fn plain_place(&self, unit: &Fighter) -> f64 {
            let (mut danger, mut chance) = (0.0, 0.0_f64);
            for foe in self.state.units_of(self.foe) {
                let foe = self.fighter_at(foe, self.state.unit(foe).hex);
                let distance = foe.hex.distance(unit.hex);
                danger += self.threat(&foe, unit, distance).max(0.0);
                chance = chance.max(self.threat(unit, &foe, distance));
            }
            let near = match self.steps_to_goal(unit.kind, unit.hex) {
                Some(steps) => GOAL_STEP * f64::from(steps),
                None => STEP * f64::from(self.board.front[unit.hex]),
            };
            EAGER * chance - EXPOSED * danger + unit.goal + FRIEND * f64::from(unit.friends.min(2)) - near
        }
    }

    #[test]
    fn remembered_places_are_worth_what_plain_ones_are() {
        for scenario in 1..=40 {
            let setup = json!({ "scenario": scenario, "max_rounds": 6 });
            let mut dice = Stream::new(3, Purpose::Game, scenario);
            let mut choices = Stream::new(3, Purpose::Bots, scenario);
            let mut state = State::create(2, &setup, &mut dice).expect("the setup is valid");
            // One memory for each side, as in a match.
            let mut memories = [Memory::default(), Memory::default()];
            let (mut legal, mut draw) = (Vec::new(), 0);
            while state.to_act().is_some() {
                state.legal_actions(&mut legal);
                draw += 1;
                let choice = choices.below(draw, legal.len() as u32) as usize;
                for (side, memory) in Side::ALL.into_iter().zip(&mut memories) {
                    let mut context = DecisionContext::new(&state, side, memory);
                    for unit in state.units_of(side) {
                        let hex = state.unit(unit).hex;
                        for to in (hex.neighbours() - state.occupied()).with(hex) {
                            let plain = context.plain_place(&context.fighter_at(unit, to));
                            assert_eq!(context.place_of(unit, to).to_bits(), plain.to_bits());
                        }
                    }
                }
                state.play_unchecked(legal[choice], &mut dice);
            }
        }
    }
}
