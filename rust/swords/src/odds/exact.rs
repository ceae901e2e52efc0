//! The exact distribution, by dynamic programming over the losses of both sides.

use sengoku_kernel::odds::StateSpaceError;

use crate::battle::Battle;
use crate::play::combat::{Half, Role};

use super::hits::distribution;
use super::{Odds, Roster, Weights};

/// States up to which an exact answer is affordable: pairs of losses, times rounds where their number matters.
pub const EXACT_STATE_LIMIT: u64 = 100_000;

/// States an exact answer visits: every pair of losses, in each round if the number of rounds can end the battle.
pub fn exact_states(battle: &Battle) -> u64 {
    let pairs = (u64::from(battle.attacker().total()) + 1) * (u64::from(battle.defender().total()) + 1);
    pairs * u64::from(battle.break_off().after.max(1))
}

/// The exact odds of a battle.
///
/// # Errors
/// [`StateSpaceError`] when the battle has more than `limit` states.
pub fn exact(battle: &Battle, limit: u64) -> Result<Odds, StateSpaceError> {
    let states = exact_states(battle);
    if states > limit {
        return Err(StateSpaceError { states, limit });
    }
    let rosters = Roster::both(battle);
    let model = Model::new(battle, &rosters);
    let mut flow = model.start();
    if battle.break_off().after > 0 {
        model.round_by_round(&mut flow);
    } else {
        model.all_rounds(&mut flow);
    }
    Ok(Odds::new(battle, rosters, Weights::Exact { probabilities: flow.ended, rounds_mean: flow.rounds }))
}

/// A state: the units that the attacker and the defender have lost.
///
/// Its cell in a table is the losses of the attacker times columns, plus those of the defender.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Lost(usize, usize);

/// Transition probabilities of each state.
struct Model<'a> {
    battle: &'a Battle,
    columns: usize,
    /// Units of both sides at the start; a side that has lost all of them is eliminated.
    units: [usize; 2],
    missile: HitsByLosses,
    melee: HitsByLosses,
}

/// Distribution of hits in a half, by role and by the losses of the side that rolls.
type HitsByLosses = [Vec<Vec<f64>>; 2];

/// Probability on its way from the first round to the end.
struct Flow {
    /// Probability of standing at the start of a round, by cell.
    starting: Vec<f64>,
    /// Probability of having ended, by cell.
    ended: Vec<f64>,
    /// Expected number of rounds begun.
    rounds: f64,
}

impl<'a> Model<'a> {
    fn new(battle: &'a Battle, rosters: &[Roster; 2]) -> Self {
        let hits = |half| {
            Role::BOTH.map(|role| {
                let sides = rosters[role as usize].sides().iter();
                sides.map(|side| distribution(half, role, side)).collect()
            })
        };
        let units = [rosters[0].units(), rosters[1].units()];
        Self { battle, columns: units[1] + 1, units, missile: hits(Half::Missile), melee: hits(Half::Melee) }
    }

    fn cells(&self) -> Vec<f64> {
        vec![0.0; (self.units[0] + 1) * self.columns]
    }

    /// All probability where the first round begins: at no losses, or after the first strike.
    fn start(&self) -> Flow {
        let mut flow = Flow { starting: self.cells(), ended: self.cells(), rounds: 0.0 };
        if self.battle.naval() {
            let strike = distribution(Half::FirstStrike, Role::Defender, self.battle.defender());
            for (hits, probability) in strike.into_iter().enumerate() {
                let lost = hits.min(self.units[0]);
                let cells = if lost == self.units[0] { &mut flow.ended } else { &mut flow.starting };
                cells[lost * self.columns] += probability;
            }
        } else {
            flow.starting[0] = 1.0;
        }
        flow
    }

    /// Any number of rounds.
    ///
    /// Losses only grow, so cells in ascending order are visited after all that lead to them. The one way back is a
    /// round in which nobody loses anything: with chance `q` of that, a cell is visited `1 / (1 - q)` times as often.
    fn all_rounds(&self, flow: &mut Flow) {
        let mut between = self.cells(); // after the missiles, before the melee
        for losses in self.going_on() {
            let (Lost(attacker, defender), cell) = (losses, self.cell(losses));
            let returns = !self.calls_off(attacker, 1);
            let calm_melee =
                if returns { self.melee[0][attacker][0] * self.melee[1][defender][0] } else { 0.0 };
            let calm_missiles = self.missile[0][attacker][0] * self.missile[1][defender][0];
            // A battle that reached this state by missiles and loses nothing in the melee begins a round here.
            let visits =
                (flow.starting[cell] + between[cell] * calm_melee) / (1.0 - calm_missiles * calm_melee);
            flow.rounds += visits;
            self.half(&self.missile, losses, visits, |_| false, &mut between, &mut flow.ended);
            let meleeing = between[cell];
            // What stays in the cell is among its visits.
            let kept = flow.starting[cell];
            self.half(
                &self.melee,
                losses,
                meleeing,
                |lost| self.calls_off(lost, 1),
                &mut flow.starting,
                &mut flow.ended,
            );
            flow.starting[cell] = kept;
        }
    }

    /// A limited number of rounds, one after the other.
    fn round_by_round(&self, flow: &mut Flow) {
        for round in 1..=self.battle.break_off().after {
            let starting = std::mem::replace(&mut flow.starting, self.cells());
            let going_on: f64 = starting.iter().sum();
            if going_on == 0.0 {
                return; // every battle is over, to the last digit
            }
            flow.rounds += going_on;
            let mut between = self.cells();
            for losses in self.going_on() {
                let share = starting[self.cell(losses)];
                self.half(&self.missile, losses, share, |_| false, &mut between, &mut flow.ended);
            }
            for losses in self.going_on() {
                let share = between[self.cell(losses)];
                let stops = |lost| self.calls_off(lost, round);
                self.half(&self.melee, losses, share, stops, &mut flow.starting, &mut flow.ended);
            }
        }
    }

    /// Spreads the probability of a state over what one half leads to: battles that are over, or that the attacker stops
    /// after his losses, go to `ended`, the others to `open`.
    fn half(
        &self,
        hits: &HitsByLosses,
        from: Lost,
        share: f64,
        stops: impl Fn(usize) -> bool,
        open: &mut [f64],
        ended: &mut [f64],
    ) {
        if share == 0.0 {
            return;
        }
        let Lost(attacker, defender) = from;
        // Strikes that leave a defender; all others end the battle in the last column.
        let strikes = &hits[0][attacker];
        let (some, all) = strikes.split_at(strikes.len().min(self.units[1] - defender));
        for (struck, by_defender) in hits[1][defender].iter().enumerate() {
            let lost = (attacker + struck).min(self.units[0]);
            let start = lost * self.columns;
            let share = share * by_defender;
            let is_over = lost == self.units[0] || stops(lost);
            let cells = &mut (if is_over { &mut *ended } else { &mut *open })[start + defender..];
            for (cell, by_attacker) in cells.iter_mut().zip(some) {
                *cell += share * by_attacker;
            }
            let last = &mut ended[start + self.units[1]];
            for by_attacker in all {
                *last += share * by_attacker;
            }
        }
    }

    /// All states in which both sides have units left, in ascending order.
    fn going_on(&self) -> impl Iterator<Item = Lost> + use<> {
        let [attackers, defenders] = self.units;
        (0..attackers).flat_map(move |attacker| (0..defenders).map(move |defender| Lost(attacker, defender)))
    }

    fn cell(&self, losses: Lost) -> usize {
        losses.0 * self.columns + losses.1
    }

    /// Whether the attacker calls off after losing this number of units.
    fn calls_off(&self, lost: usize, round: u32) -> bool {
        self.battle.calls_off((self.units[0] - lost) as u8, round)
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::odds::Answer;

    use super::*;
    use crate::battle::{BattleSetup, BreakOff};
    use crate::force::Force;
    use crate::play::combat::BattleEnd;

    fn spear_duel(break_off: BreakOff) -> Battle {
        let spear = Force::of([0, 0, 0, 0, 0, 1]);
        Battle::new(&BattleSetup {
            attacker: spear,
            defenders: vec![spear],
            break_off,
            ..BattleSetup::default()
        })
        .unwrap()
    }

    #[test]
    fn a_duel_of_two_spearmen() {
        // A round ends it with 5/9: 2/9 for each side alone, 1/9 for both; so 2/5, 2/5, 1/5 after 9/5 rounds.
        let odds = exact(&spear_duel(BreakOff::default()), EXACT_STATE_LIMIT).unwrap();
        for (end, expected) in BattleEnd::ALL.into_iter().zip([0.4, 0.4, 0.2, 0.0]) {
            assert!((odds.probability(end) - expected).abs() < 1e-15, "{end:?}");
        }
        assert!((odds.rounds_mean() - 1.8).abs() < 1e-15);
        assert!(odds.standard_error() <= 0.0);
    }

    #[test]
    fn a_duel_of_two_rounds_at_most() {
        let odds = exact(&spear_duel(BreakOff { below: 0, after: 2 }), EXACT_STATE_LIMIT).unwrap();
        let left = 16.0 / 81.0;
        for (end, share) in BattleEnd::ALL.into_iter().zip([0.4, 0.4, 0.2]) {
            assert!((odds.probability(end) - share * (1.0 - left)).abs() < 1e-15, "{end:?}");
        }
        assert!((odds.probability(BattleEnd::CalledOff) - left).abs() < 1e-15);
        assert!((odds.rounds_mean() - (1.0 + 4.0 / 9.0)).abs() < 1e-15);
    }

    #[test]
    fn many_rounds_are_like_any_number() {
        let without = exact(&spear_duel(BreakOff::default()), EXACT_STATE_LIMIT).unwrap();
        let with = exact(&spear_duel(BreakOff { below: 0, after: 200 }), EXACT_STATE_LIMIT).unwrap();
        for (one, other) in without.table().iter().zip(with.table()) {
            assert!((one - other).abs() < 1e-14);
        }
    }

    #[test]
    fn too_many_states_are_refused() {
        let battle = spear_duel(BreakOff { below: 0, after: 1000 });
        assert_eq!(exact(&battle, 3999), Err(StateSpaceError { states: 4000, limit: 3999 }));
        assert!(exact(&battle, 4000).is_ok());
    }
}
