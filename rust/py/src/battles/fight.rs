//! `StrikeFight` and `StrikeStep`: a strike fought with scripted faces, and its account.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sengoku_battles::odds::{Event, Fight, FightStep, Strike};

use super::account::account;
use super::odds::PyOutcome;
use super::strike::PyStrike;

/// One line of a strike's account.
#[pyclass(name = "StrikeStep", module = "sengoku.battles", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyStrikeStep(FightStep);

#[pymethods]
impl PyStrikeStep {
    /// The kind of step, as "attack", `"leader_check"` or "retreat".
    #[getter]
    fn what(&self) -> &'static str {
        self.0.what.name()
    }

    /// "attacker" or "defender": the side that rolled or was affected.
    #[getter]
    fn side(&self) -> &'static str {
        self.0.role.name()
    }

    /// The faces rolled, in order; those of re-rolls follow.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.faces.iter().map(|face| face.letter()))
    }

    /// Hits of a combat roll; 1 for a leader that falls.
    #[getter]
    fn hits(&self) -> u8 {
        self.0.hits
    }

    /// Flags of a combat roll, or those ignored.
    #[getter]
    fn flags(&self) -> u8 {
        self.0.flags
    }

    /// Honor gained or lost; of a combat roll what its faces give.
    #[getter]
    fn honor(&self) -> i8 {
        self.0.honor
    }

    /// Blocks lost.
    #[getter]
    fn blocks(&self) -> u8 {
        self.0.blocks
    }

    /// Hexes retreated.
    #[getter]
    fn hexes(&self) -> u8 {
        self.0.hexes
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let FightStep { hits, flags, honor, blocks, hexes, .. } = self.0;
        Ok(format!(
            "StrikeStep(what={:?}, side={:?}, faces={}, hits={hits}, flags={flags}, honor={honor}, blocks={blocks}, \
             hexes={hexes})",
            self.what(),
            self.side(),
            self.faces(py)?.repr()?,
        ))
    }
}

/// A strike fought to its end.
#[pyclass(name = "StrikeFight", module = "sengoku.battles", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyStrikeFight {
    pub(super) strike: Strike,
    pub(super) fight: Fight,
}

#[pymethods]
impl PyStrikeFight {
    #[getter]
    fn strike(&self) -> PyStrike {
        PyStrike(self.strike.clone())
    }

    /// Pieces left on both sides.
    #[getter]
    fn outcome(&self) -> PyOutcome {
        PyOutcome(self.fight.outcome)
    }

    /// Whether the hex attacked is free and the attacker may take it.
    #[getter]
    fn takes_ground(&self) -> bool {
        self.strike.came(Event::TakesGround, &self.fight.outcome)
    }

    /// Everything that happened, in order.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.fight.steps.iter().cloned().map(PyStrikeStep))
    }

    fn __str__(&self) -> String {
        account(&self.strike, &self.fight)
    }

    fn __repr__(&self) -> String {
        let outcome = &self.fight.outcome.0;
        let [attacker, defender] = [outcome[0].blocks, outcome[1].blocks];
        let ground = if self.takes_ground() { "True" } else { "False" };
        format!("StrikeFight(attacker_blocks={attacker}, defender_blocks={defender}, takes_ground={ground})")
    }
}
