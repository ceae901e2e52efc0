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
    /// Always "sampled": a tower has too many states for exact odds.
    fn method;
    /// Clashes played.
    fn samples;
    /// Standard error of the least certain of the three probabilities.
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
            let expected = [Winner::ALL.len(), Odds::columns(&clash.0)];
            if table.shape() != expected {
                return Err(CoreError::table_shape(&expected, table.shape()).into());
            }
            let counts = table.as_array().iter().copied().collect();
            Ok(Self(Odds::from_counts(&clash.0, counts, samples).map_err(CoreError::from)?))
        }

        /// Probability of each end: rows attacker, defender, none; columns by armies left in the province.
        #[getter]
        fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
            self.0.table().into_pyarray(py).reshape(self.shape())
        }

        /// How often each end came up.
        #[getter]
        fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
            self.0.counts().to_vec().into_pyarray(py).reshape(self.shape())
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
            let arguments = (self.clash(), self.counts(py)?, self.samples()).into_pyobject(py)?;
            Ok((py.get_type::<Self>().getattr("from_counts")?, arguments))
        }
    }
}

impl PyClashOdds {
    fn shape(&self) -> [usize; 2] {
        [Winner::ALL.len(), Odds::columns(self.0.clash())]
    }
}
