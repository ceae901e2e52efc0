//! `Odds`: the answer.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_swords::odds::Odds;
use sengoku_swords::play::combat::{BattleEnd, Role};

use super::battle::PyBattle;
use super::force::PyForce;
use crate::errors::CoreError;
use crate::odds_classes::odds_class;

/// Refuses a table of the wrong shape before it is copied.
fn check_shape(battle: &PyBattle, shape: &[usize]) -> Result<(), CoreError> {
    let expected = Role::BOTH.map(|role| usize::from(battle.0.side(role).total()) + 1);
    if shape == expected { Ok(()) } else { Err(CoreError::table_shape(&expected, shape)) }
}

odds_class! {
    /// The odds of a battle.
    class "Odds" in "sengoku.swords" = PyOdds(Odds);

    fn battle -> PyBattle;
    /// "exact" or "sampled".
    fn method;
    /// Battles played; 0 if exact.
    fn samples;
    /// Standard error of the least certain of the four probabilities; 0 if exact.
    fn standard_error;
    /// Units left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(Role::Attacker, Role::Defender);

    probabilities of BattleEnd {
        attacker_wins: BattleEnd::Attacker,
        defender_wins: BattleEnd::Defender,
        both_eliminated: BattleEnd::Nobody,
        called_off: BattleEnd::CalledOff,
    }
    distributions {
        /// Probability of each number of attacking units left.
        attacker_units_left: |odds| odds.units_left(Role::Attacker),
        /// Probability of each number of defending units left, bonus units not counted.
        defender_units_left: |odds| odds.units_left(Role::Defender),
        /// Probability of each number of bonus units left.
        fort_bonus_left: Odds::bonus_left,
    }
    methods {
        /// Exact odds from their table, as another process computed them.
        #[staticmethod]
        fn from_probabilities(
            battle: &PyBattle,
            table: PyReadonlyArray2<'_, f64>,
            rounds_mean: f64,
        ) -> PyResult<Self> {
            check_shape(battle, table.shape())?;
            let table = table.as_array().iter().copied().collect();
            Ok(Self(Odds::from_probabilities(&battle.0, table, rounds_mean).map_err(CoreError::from)?))
        }

        /// Sampled odds from their table, as another process counted them.
        #[staticmethod]
        fn from_counts(
            battle: &PyBattle,
            table: PyReadonlyArray2<'_, u64>,
            samples: u64,
            rounds_total: u64,
        ) -> PyResult<Self> {
            check_shape(battle, table.shape())?;
            let table = table.as_array().iter().copied().collect();
            Ok(Self(Odds::from_counts(&battle.0, table, samples, rounds_total).map_err(CoreError::from)?))
        }

        /// Mean number of combat rounds.
        #[getter]
        fn rounds_mean(&self) -> f64 {
            self.0.rounds_mean()
        }

        /// Combat rounds of all sampled battles together; `None` if exact.
        #[getter]
        fn rounds_total(&self) -> Option<u64> {
            self.0.rounds_total()
        }

        /// Probability of each attacking force left, by unit type.
        #[getter]
        fn attacker_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            self.left(py, Role::Attacker)
        }

        /// Probability of each defending force left, by unit type, both forces together.
        #[getter]
        fn defender_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            self.left(py, Role::Defender)
        }

        /// Probability of each pair of losses: rows by attacking units lost, columns by defending units lost, bonus units
        /// among them.
        #[getter]
        fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
            self.0.table().into_pyarray(py).reshape(self.shape())
        }

        /// How often each pair of losses came up; `None` if exact.
        #[getter]
        fn counts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
            self.0.counts().map(|counts| counts.to_vec().into_pyarray(py).reshape(self.shape())).transpose()
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
            let class = py.get_type::<Self>();
            match (self.counts(py)?, self.rounds_total()) {
                (Some(counts), Some(rounds)) => Ok((
                    class.getattr("from_counts")?,
                    (self.battle(), counts, self.samples(), rounds).into_pyobject(py)?,
                )),
                _ => Ok((
                    class.getattr("from_probabilities")?,
                    (self.battle(), self.table(py)?, self.rounds_mean()).into_pyobject(py)?,
                )),
            }
        }
    }
}

impl PyOdds {
    fn shape(&self) -> [usize; 2] {
        Role::BOTH.map(|role| self.0.roster(role).sides().len())
    }

    fn left<'py>(&self, py: Python<'py>, role: Role) -> PyResult<Bound<'py, PyDict>> {
        let left = PyDict::new(py);
        for (force, probability) in self.0.left(role) {
            left.set_item(PyForce(force), probability)?;
        }
        Ok(left)
    }
}
