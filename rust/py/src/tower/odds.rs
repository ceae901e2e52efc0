//! `ClashOdds`: the answer.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sengoku_kernel::odds::Answer;
use sengoku_tower::Winner;
use sengoku_tower::odds::Odds;

use super::clash::PyClash;
use crate::errors::CoreError;
use crate::odds::{method, percentages as percentages_from, side as side_from};

/// The odds of a clash.
#[pyclass(name = "ClashOdds", module = "sengoku.tower", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyClashOdds(pub(super) Odds);

#[pymethods]
impl PyClashOdds {
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

    #[getter]
    fn clash(&self) -> PyClash {
        PyClash(self.0.clash().clone())
    }

    /// Always "sampled": a tower has too many states for exact odds.
    #[getter]
    fn method(&self) -> &'static str {
        method(&self.0)
    }

    /// Clashes played.
    #[getter]
    fn samples(&self) -> u64 {
        self.0.samples()
    }

    /// Probability that the attacker takes the province, or that the revolt succeeds.
    #[getter]
    fn attacker_wins(&self) -> f64 {
        self.0.probability(Winner::Attacker)
    }

    /// Probability that the defender keeps the province.
    #[getter]
    fn defender_wins(&self) -> f64 {
        self.0.probability(Winner::Defender)
    }

    /// Probability of a draw: the province is neutral.
    #[getter]
    fn none(&self) -> f64 {
        self.0.probability(Winner::Nobody)
    }

    /// Standard error of the least certain of the three probabilities.
    #[getter]
    fn standard_error(&self) -> f64 {
        self.0.standard_error()
    }

    /// Probability of each number of attacking armies in the province afterwards.
    #[getter]
    fn attacker_armies_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.armies_left(Winner::Attacker).into_pyarray(py)
    }

    /// Probability of each number of defending armies in the province afterwards.
    #[getter]
    fn defender_armies_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.armies_left(Winner::Defender).into_pyarray(py)
    }

    /// Armies left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(&self, side: &Bound<'_, PyAny>, percentages: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let side = side_from(side, Winner::Attacker, Winner::Defender)?;
        Ok(self.0.percentiles(side, &percentages_from(percentages)?))
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

    fn __repr__(&self) -> String {
        format!(
            "ClashOdds(method=\"sampled\", attacker_wins={:.6}, defender_wins={:.6}, none={:.6}, samples={}, \
             standard_error={:.1e})",
            self.attacker_wins(),
            self.defender_wins(),
            self.none(),
            self.samples(),
            self.standard_error()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let arguments = (self.clash(), self.counts(py)?, self.samples()).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("from_counts")?, arguments))
    }
}

impl PyClashOdds {
    fn shape(&self) -> [usize; 2] {
        [Winner::ALL.len(), Odds::columns(self.0.clash())]
    }
}
