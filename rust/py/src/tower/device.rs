//! `CubeTower`: the device by itself.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sengoku_tower::data::{COLOUR_NAMES, Cubes};

use super::cubes::{
    build as build_from, cubes as cubes_from, parameters as parameters_from, parameters_to_dict, to_dict,
};
use super::rigid::{Rigid, statistics_to_dict};
use super::shelves::Shelves;
use super::standing::{Model, Standing};
use crate::args::argument;
use crate::errors::CoreError;
use crate::work::{PyCancel, Threads, Watch, detached, watched};

/// Most frames of a film for a second.
const MAX_FRAMES_PER_SECOND: u64 = 1000;

/// A cube tower: cubes thrown into it stay inside or push others out.
///
/// `model` is "shelves", the fast one, or "rigid", which simulates cubes as rigid bodies and takes a tenth of a second for a
/// throw. Its chance is the tower's stream of match `match_index` under `seed`. `contents` are cubes by colour that are inside
/// at the beginning; how they lie is drawn, and a rigid tower takes some throws for it. `parameters` is the name of a set or
/// a table for "shelves", and the name of a tower, the text of a geometry file or such a table for "rigid".
#[pyclass(name = "CubeTower", module = "sengoku.tower", frozen)]
pub(super) struct PyCubeTower {
    model: Model,
    standing: Mutex<Standing>,
}

impl From<Standing> for PyCubeTower {
    fn from(standing: Standing) -> Self {
        Self { model: standing.model(), standing: Mutex::new(standing) }
    }
}

impl PyCubeTower {
    fn lock(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Standing) -> T + Send) -> PyResult<T> {
        detached(py, || Ok(look(&self.lock())))
    }
}

/// Runs what may take a while on this thread; a signal or the flag stops it.
fn interruptible<T: Send>(
    py: Python<'_>,
    cancel: Option<&PyCancel>,
    work: impl FnOnce(&Watch) -> Result<T, CoreError> + Send,
) -> PyResult<T> {
    watched(py, Threads { count: 1, background: false }, cancel, None, work)
}

#[pymethods]
impl PyCubeTower {
    #[new]
    #[pyo3(signature = (model=None, *, seed=None, match_index=None, contents=None, parameters=None, cancel=None))]
    fn new(
        py: Python<'_>,
        model: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        match_index: Option<&Bound<'_, PyAny>>,
        contents: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyAny>>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<Self> {
        let model = Model::new(model)?;
        let seed = argument("seed", seed, u64::MAX)?;
        let match_index = argument("match_index", match_index, u64::MAX)?;
        let contents = cubes_from("contents", contents)?;
        let standing = match model {
            Model::Shelves => {
                let parameters = parameters_from(parameters)?;
                let new = || Shelves::new(parameters, seed, match_index, &contents);
                Standing::Shelves(Box::new(detached(py, new)?))
            }
            Model::Rigid => {
                let build = build_from(parameters)?;
                let new = |watch: &Watch| Rigid::new(build, seed, match_index, &contents, Some(watch));
                Standing::Rigid(interruptible(py, cancel, new)?)
            }
        };
        Ok(standing.into())
    }

    /// The tower that `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        detached(py, || Ok(Standing::load(data)?.into()))
    }

    /// Throws cubes by colour into the tower and gives what lies in the tray. A throw that is stopped changes nothing.
    #[pyo3(signature = (cubes, *, cancel=None))]
    fn throw<'py>(
        &self,
        py: Python<'py>,
        cubes: &Bound<'py, PyAny>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let thrown = cubes_from("cubes", Some(cubes))?;
        let throw = |watch: Option<&Watch>| {
            let mut standing = self.lock();
            standing.check_throw(&thrown)?;
            match &mut *standing {
                Standing::Shelves(shelves) => Ok(shelves.throw(&thrown)),
                Standing::Rigid(rigid) => rigid.throw(&thrown, watch),
            }
        };
        let tray = match self.model {
            Model::Shelves => detached(py, || throw(None)), // too short to be interrupted
            Model::Rigid => interruptible(py, cancel, |watch| throw(Some(watch))),
        }?;
        to_dict(py, &tray)
    }

    /// Throws as `throw` does and records where every cube is; "rigid" only. `sengoku.tower.film` gives it as a `Film`.
    #[pyo3(signature = (cubes, *, frames_per_second=None, cancel=None))]
    fn record<'py>(
        &self,
        py: Python<'py>,
        cubes: &Bound<'py, PyAny>,
        frames_per_second: Option<&Bound<'_, PyAny>>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let thrown = cubes_from("cubes", Some(cubes))?;
        let rate = match frames_per_second {
            None => 50,
            rate => argument("frames_per_second", rate, MAX_FRAMES_PER_SECOND)? as u32,
        };
        if rate == 0 {
            let wanted = format!("1 to {MAX_FRAMES_PER_SECOND} are possible");
            return Err(CoreError::refused("ArgumentError", "frames_per_second", &rate, &wanted).into());
        }
        let recording = interruptible(py, cancel, |watch| {
            let mut standing = self.lock();
            standing.check_throw(&thrown)?;
            match &mut *standing {
                Standing::Rigid(rigid) => rigid.film(&thrown, rate, Some(watch)),
                Standing::Shelves(_) => {
                    let wanted = "only \"rigid\" has something to record";
                    Err(CoreError::refused("ArgumentError", "model", &"\"shelves\"", wanted))
                }
            }
        })?;
        let dict = recording.to_dict(py)?;
        dict.set_item("tray", to_dict(py, &Cubes(recording.throw.counts()))?)?;
        dict.set_item("contents", self.contents(py)?)?;
        dict.set_item("statistics", statistics_to_dict(py, &recording.throw.statistics)?)?;
        Ok(dict)
    }

    /// An accidental fall with this probability: the colour of the cube that fell, or `None`. 0 draws nothing.
    fn bump(&self, py: Python<'_>, probability: f64) -> PyResult<Option<&'static str>> {
        if !(0.0..=1.0).contains(&probability) {
            let wanted = "0 to 1 are possible";
            return Err(CoreError::refused("ArgumentError", "probability", &probability, wanted).into());
        }
        if probability == 0.0 {
            return Ok(None);
        }
        let threshold = (probability * 65_536.0).floor() as u32;
        let fallen = detached(py, || {
            let mut standing = self.lock();
            standing.check()?;
            Ok(match &mut *standing {
                Standing::Shelves(shelves) => shelves.bump(threshold).map(|colour| usize::from(colour.0)),
                Standing::Rigid(rigid) => {
                    rigid.tower.bump_by_chance(threshold).map(sengoku_tower_physics::Colour::index)
                }
            })
        })?;
        Ok(fallen.map(|colour| COLOUR_NAMES[colour]))
    }

    #[getter]
    const fn model(&self) -> &'static str {
        self.model.name()
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, Standing::seed)
    }

    #[getter]
    fn match_index(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, Standing::match_index)
    }

    /// Number of the next draw: in halves of words for "shelves", in words for "rigid".
    #[getter]
    fn draws(&self, py: Python<'_>) -> PyResult<u32> {
        self.get(py, Standing::draws)
    }

    /// Throws made so far.
    #[getter]
    fn throws(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, Standing::throws)
    }

    /// Cubes inside by colour, those that are there.
    #[getter]
    fn contents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.get(py, Standing::contents)?)
    }

    /// Cubes on each shelf, the upper one first, the oldest cube first.
    ///
    /// A rigid tower has the cubes on each plate and board, and below on the ramp. A cube is on a plate when its middle is
    /// above the underside, so one that hangs in a hole is among them. It is on a board when it is above its middle, over it
    /// or less than an edge beside it.
    #[getter]
    fn shelves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names =
            |shelf: Vec<usize>| PyTuple::new(py, shelf.into_iter().map(|colour| COLOUR_NAMES[colour]));
        let shelves = self.get(py, Standing::shelves)?;
        PyTuple::new(py, shelves.into_iter().map(names).collect::<PyResult<Vec<_>>>()?)
    }

    /// Names of the places of `shelves`, such as "upper shelf", "board 1" or "ramp".
    #[getter]
    fn shelf_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.get(py, |standing| match standing {
            Standing::Shelves(_) => {
                let names = ["upper shelf", "lower shelf", "lowest shelf"];
                names.into_iter().take(standing.shelves().len()).map(Into::into).collect()
            }
            Standing::Rigid(rigid) => rigid.build.geometry.level_names(),
        })
    }

    /// The parameters of the model as a table.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match self.get(py, Standing::clone)? {
            Standing::Shelves(shelves) => parameters_to_dict(py, &shelves.parameters),
            Standing::Rigid(rigid) => rigid.build.to_dict(py),
        }
    }

    /// How the motion of the last throw of a rigid tower went; `None` before one, after `load`, and for "shelves".
    #[getter]
    fn last_throw<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let last = self.get(py, |standing| match standing {
            Standing::Shelves(_) => None,
            Standing::Rigid(rigid) => rigid.last,
        })?;
        last.map(|statistics| statistics_to_dict(py, &statistics)).transpose()
    }

    /// A tower of its own in the same state.
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(self.get(py, Standing::clone)?.into())
    }

    /// The tower as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.get(py, Standing::save)?))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |standing| standing.contents().total().into())
    }

    #[expect(clippy::unused_self, reason = "an empty tower is one too")]
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let contents = self.contents(py)?.repr()?;
        let (seed, throws) = self.get(py, |standing| (standing.seed(), standing.throws()))?;
        Ok(format!("CubeTower(model={:?}, seed={seed}, throws={throws}, contents={contents})", self.model()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("load")?, (self.save(py)?,)))
    }
}
