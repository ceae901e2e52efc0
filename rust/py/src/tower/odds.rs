//! `ClashOdds`: the answer.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sengoku_tower::Winner;
use sengoku_tower::odds::Odds;

use super::clash::PyClash;
use crate::errors::CoreError;
use crate::odds_classes::odds_class;

odds_class! {
    /// The odds of a clash.
    class "ClashOdds" in "sengoku.tower" = PyClashOdds(Odds);

    fn clash -> PyClash;
    /// "exact" or "sampled".
    fn method;
    /// Clashes played; 0 if exact.
    fn samples;
    /// Standard error of the least certain of the three probabilities; 0 if exact.
    fn standard_error;
    /// Armies left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(Winner::Attacker, Winner::Defender);

    probabilities of Winner {
        /// Probability that the attacker takes the province, or that the revolt succeeds.
        attacker_wins: Winner::Attacker,
        /// Probability that the defender keeps the province.
        defender_wins: Winner::Defender,
        /// Probability of a draw: the province is neutral.
        none: Winner::Nobody,
    }
    distributions {
        /// Probability of each number of attacking armies in the province afterwards.
        attacker_armies_left: |odds| odds.armies_left(Winner::Attacker),
        /// Probability of each number of defending armies in the province afterwards.
        defender_armies_left: |odds| odds.armies_left(Winner::Defender),
    }
    methods {
        /// Odds from their table, as another process counted them.
        #[staticmethod]
        fn from_counts(clash: &PyClash, table: PyReadonlyArray2<'_, u64>, samples: u64) -> PyResult<Self> {
            check_shape(clash, table.shape())?;
            let counts = table.as_array().iter().copied().collect();
            Ok(Self(Odds::from_counts(&clash.0, counts, samples).map_err(CoreError::from)?))
        }

        /// Exact odds from their table, as another process computed them.
        #[staticmethod]
        #[pyo3(signature = (clash, table, neglected=0.0))]
        fn from_probabilities(
            clash: &PyClash,
            table: PyReadonlyArray2<'_, f64>,
            neglected: f64,
        ) -> PyResult<Self> {
            check_shape(clash, table.shape())?;
            let table = table.as_array().iter().copied().collect();
            Ok(Self(Odds::from_probabilities(&clash.0, table, neglected).map_err(CoreError::from)?))
        }

        /// Probability that an exact answer left out: no probability is wrong by more. 0 if sampled.
        #[getter]
        fn neglected(&self) -> f64 {
            self.0.neglected()
        }

        /// Probability of each end: rows attacker, defender, none; columns by armies left in the province.
        #[getter]
        fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
            self.0.table().into_pyarray(py).reshape(self.shape())
        }

        /// How often each end came up; `None` if exact.
        #[getter]
        fn counts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
            self.0.counts().map(|counts| counts.to_vec().into_pyarray(py).reshape(self.shape())).transpose()
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
            let class = py.get_type::<Self>();
            match self.counts(py)? {
                Some(counts) => Ok((
                    class.getattr("from_counts")?,
                    (self.clash(), counts, self.samples()).into_pyobject(py)?,
                )),
                None => Ok((
                    class.getattr("from_probabilities")?,
                    (self.clash(), self.table(py)?, self.neglected()).into_pyobject(py)?,
                )),
            }
        }
    }
}

fn check_shape(clash: &PyClash, found: &[usize]) -> PyResult<()> {
    let expected = [Winner::ALL.len(), Odds::columns(&clash.0)];
    if found == expected { Ok(()) } else { Err(CoreError::table_shape(&expected, found).into()) }
}

impl PyClashOdds {
    fn shape(&self) -> [usize; 2] {
        [Winner::ALL.len(), Odds::columns(self.0.clash())]
    }
}
