//! `Odds`: the answer.

use std::fmt::Write;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_kernel::odds::Answer;
use sengoku_swords::odds::Odds;
use sengoku_swords::play::combat::{BattleEnd, Role};

use super::battle::PyBattle;
use super::force::PyForce;
use crate::errors::CoreError;
use crate::odds::{method, percentages as percentages_from, side as side_from};

/// Refuses a table of the wrong shape before it is copied.
fn check_shape(battle: &PyBattle, shape: &[usize]) -> Result<(), CoreError> {
    let expected = Role::BOTH.map(|role| usize::from(battle.0.side(role).total()) + 1);
    if shape == expected { Ok(()) } else { Err(CoreError::table_shape(&expected, shape)) }
}

/// The odds of a battle.
#[pyclass(name = "Odds", module = "sengoku.swords", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyOdds(pub(super) Odds);

#[pymethods]
impl PyOdds {
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

    #[getter]
    fn battle(&self) -> PyBattle {
        PyBattle(*self.0.battle())
    }

    /// "exact" or "sampled".
    #[getter]
    fn method(&self) -> &'static str {
        method(&self.0)
    }

    /// Battles played; 0 if exact.
    #[getter]
    fn samples(&self) -> u64 {
        self.0.sample_size().unwrap_or(0)
    }

    #[getter]
    fn attacker_wins(&self) -> f64 {
        self.0.probability(BattleEnd::Attacker)
    }

    #[getter]
    fn defender_wins(&self) -> f64 {
        self.0.probability(BattleEnd::Defender)
    }

    #[getter]
    fn both_eliminated(&self) -> f64 {
        self.0.probability(BattleEnd::Nobody)
    }

    #[getter]
    fn called_off(&self) -> f64 {
        self.0.probability(BattleEnd::CalledOff)
    }

    /// Standard error of the least certain of the four probabilities; 0 if exact.
    #[getter]
    fn standard_error(&self) -> f64 {
        self.0.standard_error()
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

    /// Probability of each number of attacking units left.
    #[getter]
    fn attacker_units_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.units_left(Role::Attacker).into_pyarray(py)
    }

    /// Probability of each number of defending units left, bonus units not counted.
    #[getter]
    fn defender_units_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.units_left(Role::Defender).into_pyarray(py)
    }

    /// Probability of each number of bonus units left.
    #[getter]
    fn fort_bonus_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.bonus_left().into_pyarray(py)
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

    /// Units left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(&self, side: &Bound<'_, PyAny>, percentages: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let role = side_from(side, Role::Attacker, Role::Defender)?;
        Ok(self.0.percentiles(role, &percentages_from(percentages)?))
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

    fn __repr__(&self) -> String {
        let mut text = format!(
            "Odds(method={:?}, attacker_wins={:.6}, defender_wins={:.6}, both_eliminated={:.6}, called_off={:.6}",
            self.method(),
            self.attacker_wins(),
            self.defender_wins(),
            self.both_eliminated(),
            self.called_off()
        );
        if self.samples() > 0 {
            let _ =
                write!(text, ", samples={}, standard_error={:.1e}", self.samples(), self.standard_error());
        }
        text + ")"
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
