//! Features of observations and actions, written into arrays of the caller.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rayon::prelude::*;
use sengoku_kernel::features::{ActionFeatures, Encoder, Features};
use sengoku_sim::find_game;

use crate::args::{text, threads as threads_from};
use crate::errors::CoreError;
use crate::work::{Threads, detached, pool};

/// Rows that are not worth another thread.
const FEW_ROWS: usize = 64;

/// Rows of numbers for actions, and the place that each action names.
type ActionTable<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<i32>>);

/// Adds what features need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyFeatures>()
}

/// How the observations and actions of a game become numbers.
#[pyclass(name = "Features", module = "sengoku._core", frozen)]
pub(crate) struct PyFeatures {
    features: Features,
    actions: ActionFeatures,
    encoder: Encoder,
}

#[pymethods]
impl PyFeatures {
    /// The features of a game.
    #[new]
    fn new(py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let game = text("game", game)?;
        detached(py, || {
            let game = find_game(&game)?;
            let features = game.features();
            let actions = features.actions(&game.spec());
            let encoder = Encoder::new(&features);
            Ok(Self { features, actions, encoder })
        })
    }

    /// The description of a row, as JSON.
    fn to_json(&self) -> String {
        self.features.to_json()
    }

    /// Names of the columns of the table of actions.
    fn action_names(&self) -> Vec<String> {
        self.actions.names.clone()
    }

    /// The table of actions, and the number of the place that each names.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<ActionTable<'py>> {
        let ActionFeatures { names, values, places } = &self.actions;
        let table = values.clone().into_pyarray(py).reshape([places.len(), names.len()])?;
        Ok((table, places.clone().into_pyarray(py)))
    }

    /// Writes the features of observations, row by row.
    #[pyo3(signature = (observations, out, threads=None))]
    fn encode(
        &self,
        py: Python<'_>,
        observations: PyReadonlyArray2<'_, u8>,
        mut out: PyReadwriteArray2<'_, f32>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (size, width) = (self.encoder.observation_size(), self.encoder.width());
        check("observations", observations.shape(), [out.shape()[0], size])?;
        check("out", out.shape(), [observations.shape()[0], width])?;
        let threads = Threads { count: threads_from(threads)?, background: false };
        let pool = (threads.count != 1 && out.shape()[0] > FEW_ROWS).then(|| pool(threads)).transpose()?;
        let (observations, out) = (observations.as_slice()?, out.as_slice_mut()?);
        let encode = |(observation, row): (&[u8], &mut [f32])| self.encoder.encode(observation, row);
        detached(py, || {
            if let Some(pool) = pool {
                let rows = observations.par_chunks_exact(size).zip(out.par_chunks_exact_mut(width));
                pool.install(|| rows.with_min_len(FEW_ROWS / 2).for_each(encode));
            } else {
                observations.chunks_exact(size).zip(out.chunks_exact_mut(width)).for_each(encode);
            }
            Ok(())
        })
    }
}

fn check(name: &str, found: &[usize], wanted: [usize; 2]) -> PyResult<()> {
    if found == wanted {
        return Ok(());
    }
    let [rows, columns] = wanted;
    let reason = format!("must have {rows} rows of {columns}");
    Err(CoreError::refused("ArgumentError", name, &format!("of shape {found:?}"), &reason).into())
}
