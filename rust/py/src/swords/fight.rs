//! `Fight` and `FightStep`: a battle fought with scripted dice, and its account.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sengoku_swords::data::Unit;
use sengoku_swords::{Battle, Fight, FightStep, Force};

use super::account::account;
use super::force::{PyForce, present};

/// One line of a battle's account.
#[pyclass(name = "FightStep", module = "sengoku.swords", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyFightStep(pub(super) FightStep);

#[pymethods]
impl PyFightStep {
    /// Combat round; 0 is the first strike of the defender against a naval attack.
    #[getter]
    fn round(&self) -> u32 {
        self.0.round
    }

    /// Step of the round, 1 to 8; the casualties of a first strike are removed in its step 7.
    #[getter]
    fn step(&self) -> u8 {
        self.0.step
    }

    /// "attacker" or "defender": the side that rolled, removed units or called off.
    #[getter]
    fn side(&self) -> &'static str {
        self.0.role.name()
    }

    /// The dice rolled, in order.
    #[getter]
    fn dice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.dice)
    }

    /// Hits made with these dice, or suffered in a casualty step.
    #[getter]
    fn hits(&self) -> u8 {
        self.0.hits
    }

    /// The units removed, bonus units not counted.
    #[getter]
    fn casualties(&self) -> PyForce {
        let mut lost = Force::default();
        for unit in Unit::ALL {
            lost.units[unit] = self.0.losses.of(unit);
        }
        PyForce(lost)
    }

    /// The bonus units of a castle or fortress removed.
    #[getter]
    fn bonus_lost(&self) -> u8 {
        self.0.losses.bonus
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "FightStep(round={}, step={}, side={:?}, dice={}, hits={}, casualties={}, bonus_lost={})",
            self.round(),
            self.step(),
            self.side(),
            self.dice(py)?.repr()?,
            self.hits(),
            self.casualties().__repr__(),
            self.bonus_lost()
        ))
    }
}

/// A battle fought to its end.
#[pyclass(name = "Fight", module = "sengoku.swords", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyFight {
    pub(super) battle: Battle,
    pub(super) fight: Fight,
}

#[pymethods]
impl PyFight {
    /// "attacker", "defender", "none" (nobody is left) or `"called_off"`.
    #[getter]
    fn winner(&self) -> &'static str {
        self.fight.end.name()
    }

    /// Attacking units left.
    #[getter]
    fn attacker(&self) -> PyForce {
        PyForce(self.fight.attacker.combined())
    }

    /// Defending units left, army and provincial force together, without bonus units.
    #[getter]
    fn defender(&self) -> PyForce {
        PyForce(self.fight.defender.combined())
    }

    /// Units left of each defending force, the army before the provincial force.
    #[getter]
    fn defenders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (before, after) = (self.battle.defender(), &self.fight.defender);
        PyTuple::new(py, present([(before.army, after.army), (before.provincial, after.provincial)]))
    }

    /// Bonus units of a castle or fortress left.
    #[getter]
    fn fort_bonus_left(&self) -> u8 {
        self.fight.defender.bonus
    }

    /// Combat rounds begun.
    #[getter]
    fn rounds(&self) -> u32 {
        self.fight.rounds
    }

    /// Everything that happened, in order.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.fight.steps.iter().cloned().map(PyFightStep))
    }

    fn __str__(&self) -> String {
        account(&self.battle, &self.fight)
    }

    fn __repr__(&self) -> String {
        format!(
            "Fight(winner={:?}, attacker={}, defender={}, rounds={})",
            self.winner(),
            self.attacker().__repr__(),
            self.defender().__repr__(),
            self.rounds()
        )
    }
}
