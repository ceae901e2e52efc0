//! `StrikeOdds`: the answer, and `Outcome`, one end of a strike.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadonlyArray3, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_battles::odds::{COLUMNS, Event, Odds, Outcome, Remains, Role, from_row, to_row};

use super::strike::PyStrike;
use crate::errors::CoreError;
use crate::odds_classes::odds_class;

/// The result of a strike for both sides; of a levy charge the attacker is the unit that the defender is against.
#[pyclass(name = "Outcome", module = "sengoku.battles", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyOutcome(pub(super) Outcome);

impl PyOutcome {
    fn attacker(&self) -> &Remains {
        &self.0[Role::Attacker]
    }

    fn defender(&self) -> &Remains {
        &self.0[Role::Defender]
    }
}

#[pymethods]
impl PyOutcome {
    /// Blocks of the attacking unit.
    #[getter]
    fn attacker_blocks(&self) -> u8 {
        self.attacker().blocks
    }

    /// Blocks of the unit attacked.
    #[getter]
    fn defender_blocks(&self) -> u8 {
        self.defender().blocks
    }

    /// "none", "stands", "eliminated", "retreated" or "seppuku".
    #[getter]
    fn attacker_leader(&self) -> &'static str {
        self.attacker().leader.name()
    }

    /// "none", "stands", "eliminated", "retreated" or "seppuku".
    #[getter]
    fn defender_leader(&self) -> &'static str {
        self.defender().leader.name()
    }

    /// Hexes that the attacking unit retreated.
    #[getter]
    fn attacker_retreat(&self) -> u8 {
        self.attacker().retreat
    }

    /// Hexes that the unit attacked retreated.
    #[getter]
    fn defender_retreat(&self) -> u8 {
        self.defender().retreat
    }

    /// Change of the attacking player's honor.
    #[getter]
    fn attacker_honor(&self) -> i8 {
        self.attacker().honor
    }

    /// Change of the defending player's honor.
    #[getter]
    fn defender_honor(&self) -> i8 {
        self.defender().honor
    }

    /// Banners that the attacking player gained.
    #[getter]
    fn attacker_banners(&self) -> u8 {
        self.attacker().banners
    }

    /// Banners that the defending player gained.
    #[getter]
    fn defender_banners(&self) -> u8 {
        self.defender().banners
    }

    /// Dice of lack-of-honor rolls that hit other units of the attacking player.
    #[getter]
    fn attacker_others(&self) -> u8 {
        self.attacker().others
    }

    /// Dice of lack-of-honor rolls that hit other units of the defending player.
    #[getter]
    fn defender_others(&self) -> u8 {
        self.defender().others
    }

    fn __repr__(&self) -> String {
        let side = |name: &str, remains: &Remains| {
            let Remains { blocks, leader, retreat, honor, banners, others } = remains;
            format!(
                "{name}_blocks={blocks}, {name}_leader={:?}, {name}_retreat={retreat}, {name}_honor={honor}, \
                 {name}_banners={banners}, {name}_others={others}",
                leader.name()
            )
        };
        format!("Outcome({}, {})", side("attacker", self.attacker()), side("defender", self.defender()))
    }
}

/// Refuses a table of rolls of the wrong shape before it is copied.
fn check_shape(strike: &PyStrike, shape: &[usize]) -> Result<(), CoreError> {
    let expected = strike.0.roll_shape();
    if shape == expected { Ok(()) } else { Err(CoreError::table_shape(&expected, shape)) }
}

/// Outcomes from their rows, each with its weight.
fn weighed<T: Copy + numpy::Element>(
    outcomes: &PyReadonlyArray2<'_, i32>,
    weights: &PyReadonlyArray1<'_, T>,
) -> Result<Vec<(Outcome, T)>, CoreError> {
    let expected = [weights.len(), COLUMNS];
    if outcomes.shape() != expected {
        return Err(CoreError::table_shape(&expected, outcomes.shape()));
    }
    let outcome = |(row, &weight): (Vec<i32>, &T)| {
        let outcome = from_row(&row).ok_or_else(|| CoreError::no_outcome(&row))?;
        Ok((outcome, weight))
    };
    let rows = outcomes.as_array();
    rows.rows().into_iter().map(|row| row.to_vec()).zip(&weights.as_array()).map(outcome).collect()
}

odds_class! {
    /// The odds of a strike.
    class "StrikeOdds" in "sengoku.battles" = PyStrikeOdds(Odds);

    fn strike -> PyStrike;
    /// "exact" or "sampled".
    fn method;
    /// Strikes fought; 0 if exact.
    fn samples;
    /// Standard error of the least certain of the probabilities below; 0 if exact.
    fn standard_error;
    /// Blocks left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(Role::Attacker, Role::Defender);

    probabilities of Event {
        /// Probability that the unit or lone leader attacked is eliminated.
        defender_eliminated: Event::DefenderEliminated,
        /// Probability that it leaves its hex.
        defender_retreats: Event::DefenderRetreats,
        /// Probability that the defender loses his leader to the enemy.
        defender_leader_eliminated: Event::DefenderLeaderEliminated,
        /// Probability that the attacking unit is eliminated.
        attacker_eliminated: Event::AttackerEliminated,
        /// Probability that it leaves its hex.
        attacker_retreats: Event::AttackerRetreats,
        /// Probability that the attacker loses his leader to the enemy.
        attacker_leader_eliminated: Event::AttackerLeaderEliminated,
        /// Probability that the hex attacked is free and the attacker may take it.
        takes_ground: Event::TakesGround,
    }
    distributions {
        /// Probability of each number of hits that the attack rolls, also beyond the blocks there are.
        hits: |odds| odds.rolled(0),
        /// Probability of each number of flags that the attack rolls.
        flags: |odds| odds.rolled(1),
        /// Probability of each number of honor that the faces of the attack give.
        honor: |odds| odds.rolled(2),
        /// Probability of each number of blocks left to the attacking unit.
        attacker_blocks_left: |odds| odds.blocks_left(Role::Attacker),
        /// Probability of each number of blocks left to the unit attacked.
        defender_blocks_left: |odds| odds.blocks_left(Role::Defender),
        /// Probability of each number of banners that the attacking player gains.
        attacker_banners: |odds| odds.banners(Role::Attacker),
        /// Probability of each number of banners that the defending player gains.
        defender_banners: |odds| odds.banners(Role::Defender),
    }
    methods {
        /// Exact odds from their tables, as another process computed them.
        #[staticmethod]
        fn from_probabilities(
            strike: &PyStrike,
            roll: PyReadonlyArray3<'_, f64>,
            outcomes: PyReadonlyArray2<'_, i32>,
            probabilities: PyReadonlyArray1<'_, f64>,
        ) -> PyResult<Self> {
            check_shape(strike, roll.shape())?;
            let outcomes = weighed(&outcomes, &probabilities)?;
            let rolls = roll.as_array().iter().copied().collect();
            Ok(Self(Odds::from_probabilities(&strike.0, rolls, outcomes).map_err(CoreError::from)?))
        }

        /// Sampled odds from their tables, as another process counted them.
        #[staticmethod]
        fn from_counts(
            strike: &PyStrike,
            roll: PyReadonlyArray3<'_, u64>,
            outcomes: PyReadonlyArray2<'_, i32>,
            counts: PyReadonlyArray1<'_, u64>,
            samples: u64,
        ) -> PyResult<Self> {
            check_shape(strike, roll.shape())?;
            let outcomes = weighed(&outcomes, &counts)?;
            let rolls = roll.as_array().iter().copied().collect();
            Ok(Self(Odds::from_counts(&strike.0, rolls, outcomes, samples).map_err(CoreError::from)?))
        }

        /// Probability of each roll of the attack, by hits, flags and honor; they add up to the chance that it is rolled.
        #[getter]
        fn roll<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
            self.0.rolls().into_pyarray(py).reshape(self.0.strike().roll_shape())
        }

        /// How often each roll of the attack came up; None if exact.
        #[getter]
        fn roll_counts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u64>>>> {
            let counts = self.0.roll_counts().map(<[u64]>::to_vec);
            counts.map(|counts| counts.into_pyarray(py).reshape(self.0.strike().roll_shape())).transpose()
        }

        /// Probability of each change of the attacking player's honor.
        #[getter]
        fn attacker_honor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            self.honor_of(Role::Attacker, py)
        }

        /// Probability of each change of the defending player's honor.
        #[getter]
        fn defender_honor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            self.honor_of(Role::Defender, py)
        }

        /// Possible results for both sides, each with its probability.
        #[getter]
        fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            let dict = PyDict::new(py);
            for (outcome, chance) in self.0.outcomes() {
                dict.set_item(PyOutcome(outcome), chance)?;
            }
            Ok(dict)
        }

        /// The outcomes as numbers, a row each; columns as `battles.OUTCOME_COLUMNS`.
        #[getter]
        fn outcome_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
            let outcomes = self.0.outcomes();
            let flat: Vec<i32> = outcomes.iter().flat_map(|(outcome, _)| to_row(outcome)).collect();
            flat.into_pyarray(py).reshape([outcomes.len(), COLUMNS])
        }

        /// Probability of each row of `outcome_rows`.
        #[getter]
        fn outcome_probabilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
            self.0.outcomes().into_iter().map(|(_, chance)| chance).collect::<Vec<_>>().into_pyarray(py)
        }

        /// How often each row of `outcome_rows` came up; None if exact.
        #[getter]
        fn outcome_counts<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u64>>> {
            let counts = self.0.outcome_counts()?;
            Some(counts.iter().map(|&(_, count)| count).collect::<Vec<_>>().into_pyarray(py))
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
            let (strike, rows) = (self.strike(), self.outcome_rows(py)?);
            let class = py.get_type::<Self>();
            if let (Some(rolls), Some(counts)) = (self.roll_counts(py)?, self.outcome_counts(py)) {
                let arguments = (strike, rolls, rows, counts, self.samples()).into_pyobject(py)?;
                return Ok((class.getattr("from_counts")?, arguments));
            }
            let arguments = (strike, self.roll(py)?, rows, self.outcome_probabilities(py)).into_pyobject(py)?;
            Ok((class.getattr("from_probabilities")?, arguments))
        }
    }
}

const _: () = assert!(PyStrikeOdds::PROBABILITIES.len() == Event::COUNT);

impl PyStrikeOdds {
    fn honor_of<'py>(&self, role: Role, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (change, chance) in self.0.honor(role) {
            dict.set_item(change, chance)?;
        }
        Ok(dict)
    }
}
