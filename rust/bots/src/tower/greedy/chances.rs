//! How clashes end, estimated from what everybody knows: the cubes thrown, the tray, the tower's content by colour.
//!
//! A thrown cube comes out at once with some chance, and so does a cube inside; both follow from how full the tower is.
//! The cubes of each side are then nearly normal in number. Only basic operations and square roots are used, whose
//! results are the same on every machine.

use sengoku_tower::State;
use sengoku_tower::data::{COLOURS, FARMER, SeatId};

/// How an attack ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prospect {
    /// Chance that the attacker has more cubes.
    pub(super) win: f64,
    /// Chance that both have the same number.
    pub(super) draw: f64,
    /// Armies left to the attacker if he wins, on average.
    pub(super) left: f64,
}

/// The tower as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tower {
    /// Chance that a thrown cube comes out at once.
    pass: f64,
    /// Chance that a cube inside comes out, for each cube thrown.
    slip: f64,
    inside: [f64; COLOURS],
    tray: [f64; COLOURS],
    in_tray: f64,
}

/// Cubes come out in bursts, so their numbers scatter a little more than if each fell by itself.
const SCATTER: f64 = 1.15;

impl Tower {
    pub(super) fn of(state: &State) -> Self {
        let inside = state.inside().map(f64::from);
        let content: f64 = inside.iter().sum();
        let parameters = state.parameters;
        let fill = content / parameters.capacity().max(1) as f64;
        let (mut pass, mut visits, mut slip) = (1.0, 1.0, 0.0);
        for shelf in parameters.shelves() {
            let held = fill * f64::from(shelf.capacity);
            let stick = f64::from(shelf.stick_per_mille) / 1000.0 * (1.0 - fill).max(0.0);
            let (dislodge, burst) = (f64::from(shelf.dislodge) / 65536.0, f64::from(shelf.burst) / 65536.0);
            let some_slip = held * dislodge / (1.0 + held * dislodge);
            let leave = dislodge + some_slip * burst;
            // What slipped above meets this shelf too.
            slip = slip * (1.0 - stick) + visits * leave * f64::from(shelf.capacity);
            visits *= 1.0 - stick + held * leave;
            pass *= 1.0 - stick;
        }
        slip /= parameters.capacity().max(1) as f64;
        let tray = state.tray.0.map(f64::from);
        Self { pass, slip, inside, tray, in_tray: tray.iter().sum() }
    }

    /// Mean and variance of the cubes of a colour that lie in the tray after a throw.
    #[inline]
    fn outcome(&self, colour: usize, thrown: f64, fall: f64) -> (f64, f64) {
        let (fresh, old) = ((thrown + self.tray[colour]) * self.pass, self.inside[colour] * fall);
        (fresh + old, fresh * (1.0 - self.pass) + old * (1.0 - fall))
    }

    /// One side against another; farmers add to the defence where they fight.
    #[inline]
    fn meet(&self, attacker: (usize, f64), defender: (usize, f64), farmers: f64, help: bool) -> Prospect {
        let slips = (attacker.1 + defender.1 + farmers + self.in_tray) * self.slip;
        let fall = slips / (1.0 + 0.5 * slips);
        let (attack, attack_variance) = self.outcome(attacker.0, attacker.1, fall);
        let (mut defence, mut defence_variance) = self.outcome(defender.0, defender.1, fall);
        if help {
            let (more, more_variance) = self.outcome(usize::from(FARMER), farmers, fall);
            (defence, defence_variance) = (defence + more, defence_variance + more_variance);
        }
        let spread = (SCATTER * (attack_variance + defence_variance) + 0.05).sqrt();
        let (ahead, win) = (attack - defence, normal((attack - defence - 0.5) / spread));
        let draw = normal((ahead + 0.5) / spread) - win;
        Prospect { win, draw, left: (ahead + 0.4 * spread).max(1.0) }
    }

    /// A player attacks an owned province.
    #[inline]
    pub(super) fn attack(
        &self,
        attacker: SeatId,
        armies: f64,
        defender: SeatId,
        defenders: f64,
        unrest: u8,
    ) -> Prospect {
        self.meet((attacker.index(), armies), (defender.index(), defenders), 0.0, unrest == 0)
    }

    /// A player attacks a neutral province.
    #[inline]
    pub(super) fn settle(&self, attacker: SeatId, armies: f64, farmers: f64) -> Prospect {
        self.meet((attacker.index(), armies), (usize::from(FARMER), farmers), 0.0, false)
    }

    /// Chance that a revolt succeeds.
    #[inline]
    pub(super) fn revolt(&self, owner: SeatId, armies: f64, farmers: f64) -> f64 {
        1.0 - self.meet((owner.index(), armies), (usize::from(FARMER), farmers), 0.0, false).win
    }
}

/// The normal distribution in steps of a quarter, from 0.
const NORMAL: [f64; 17] = [
    0.5, 0.5987, 0.6915, 0.7734, 0.8413, 0.8944, 0.9332, 0.9599, 0.9772, 0.9878, 0.9938, 0.9970, 0.9987,
    0.9994, 0.9998, 0.9999, 1.0,
];

/// Chance that a normal variable is below a number, between the steps in straight lines.
#[inline]
fn normal(number: f64) -> f64 {
    let steps = (number.abs() * 4.0).min(15.999);
    let step = steps as usize;
    let part = steps - step as f64;
    let upper = NORMAL[step] + part * (NORMAL[step + 1] - NORMAL[step]);
    if number < 0.0 { 1.0 - upper } else { upper }
}
