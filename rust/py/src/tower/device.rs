//! `CubeTower`: the device by itself.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sengoku_kernel::cube_tower::{self, Colour, CubeTower, Loader, Parameters};
use sengoku_kernel::{DecodeError, Purpose, Reader, Stream, Writer};
use sengoku_tower::bulk::MAX_DRAWS;
use sengoku_tower::data::{COLOUR_NAMES, COLOURS, Cubes};

use super::cubes::{
    check_box, cubes as cubes_from, parameters as parameters_from, parameters_to_dict, to_dict,
};
use crate::args::{argument, text};
use crate::errors::CoreError;
use crate::work::detached;

const TAG: &str = "SGKT";
const VERSION: u32 = 1;
/// The models there are, by their number in saved bytes. A rigid-body tower will be the next.
const MODELS: [&str; 1] = ["shelves"];

/// A tower and its place in its stream.
#[derive(Clone)]
struct Standing {
    /// Place in [`MODELS`].
    model: u8,
    parameters: Parameters,
    seed: u64,
    match_index: u64,
    draws: u32,
    throws: u64,
    tower: CubeTower,
}

impl Standing {
    fn contents(&self) -> Cubes {
        Cubes(self.tower.contents())
    }

    /// Works with the tower and its draws; nothing changes if it cannot go on for ever.
    fn draw<T>(
        &mut self,
        work: impl FnOnce(&mut CubeTower, &Parameters, &mut u32, &mut Stream) -> T,
    ) -> Result<T, CoreError> {
        if self.draws > MAX_DRAWS {
            let wanted = format!("at most {MAX_DRAWS} are possible");
            return Err(CoreError::refused("LimitError", "draws", &self.draws, &wanted));
        }
        let mut stream = Stream::new(self.seed, Purpose::Tower, self.match_index);
        Ok(work(&mut self.tower, &self.parameters, &mut self.draws, &mut stream))
    }

    fn save(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, VERSION);
        writer.u8(self.model);
        writer.u64(self.seed);
        writer.u64(self.match_index);
        writer.u32(self.draws);
        writer.u64(self.throws);
        self.parameters.encode(&mut writer);
        self.tower.encode(&mut writer);
        writer.finish()
    }

    fn load(data: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(data, TAG, VERSION)?;
        let model = reader.at_most("model", MODELS.len() as u8 - 1)?;
        let (seed, match_index, draws, throws) = (reader.u64()?, reader.u64()?, reader.u32()?, reader.u64()?);
        let parameters = Parameters::decode(&mut reader)?;
        let tower = CubeTower::decode(&mut reader, COLOURS as u8)?;
        reader.finish()?;
        let wrong = |field, reason: &str| Err(DecodeError::Inconsistent { field, reason: reason.into() });
        if !tower.fits(&parameters) {
            return wrong("tower", "more cubes on a shelf than it can hold");
        }
        let standing = Self { model, parameters, seed, match_index, draws, throws, tower };
        if check_box("tower", &standing.contents(), &Cubes::NONE).is_err() {
            return wrong("tower", "more cubes of a colour than there are");
        }
        Ok(standing)
    }
}

/// A cube tower: cubes thrown into it stay inside or push others out.
///
/// Its chance is the tower's stream of match `match_index` under `seed`. `contents` are cubes by colour that are inside at the
/// beginning; the order in which they lie is drawn. `parameters` is the name of a set, or a table.
#[pyclass(name = "CubeTower", module = "sengoku.tower", frozen)]
pub(super) struct PyCubeTower(Mutex<Standing>);

impl PyCubeTower {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Standing) -> Result<T, CoreError> + Send,
    ) -> PyResult<T> {
        detached(py, || work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn get<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Standing) -> T + Send) -> PyResult<T> {
        self.with(py, |standing| Ok(look(standing)))
    }
}

/// Place of a model by its name, the first if not given; a model that there is not is refused.
pub(super) fn model_from(model: Option<&Bound<'_, PyAny>>) -> PyResult<u8> {
    let Some(model) = model else { return Ok(0) };
    let name = text("model", model)?;
    if let Some(place) = MODELS.iter().position(|&known| known == name) {
        return Ok(place as u8);
    }
    let wanted = format!("there is {}", MODELS.join(", "));
    Err(CoreError::refused("ArgumentError", "model", &format!("{name:?}"), &wanted).into())
}

#[pymethods]
impl PyCubeTower {
    #[new]
    #[pyo3(signature = (model=None, *, seed=None, match_index=None, contents=None, parameters=None))]
    fn new(
        py: Python<'_>,
        model: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        match_index: Option<&Bound<'_, PyAny>>,
        contents: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let model = model_from(model)?;
        let seed = argument("seed", seed, u64::MAX)?;
        let match_index = argument("match_index", match_index, u64::MAX)?;
        let contents = cubes_from("contents", contents)?;
        let parameters = parameters_from(parameters)?;
        detached(py, || {
            let loader = Loader::new(&parameters, &contents.0)?;
            let mut draws = 0;
            let tower = loader.load(&mut draws, &mut Stream::new(seed, Purpose::Tower, match_index));
            Ok(Self(Mutex::new(Standing { model, parameters, seed, match_index, draws, throws: 0, tower })))
        })
    }

    /// The tower that `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        detached(py, || Ok(Self(Mutex::new(Standing::load(data)?))))
    }

    /// Throws cubes by colour into the tower and gives what lies in the tray.
    fn throw<'py>(&self, py: Python<'py>, cubes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let thrown = cubes_from("cubes", Some(cubes))?;
        let tray = self.with(py, |standing| {
            if thrown.total() == 0 {
                return Err(CoreError::refused("ArgumentError", "cubes", &"{}", "no throw is empty"));
            }
            check_box("cubes", &thrown, &standing.contents())?;
            let mut tray = cube_tower::Cubes::new();
            standing.draw(|tower, parameters, draws, chance| {
                tower.throw(parameters, &mut thrown.heap(), draws, chance, &mut tray);
            })?;
            standing.throws += 1;
            Ok(Cubes::count(&tray))
        })?;
        to_dict(py, &tray)
    }

    /// An accidental fall with this probability: the colour of the cube that fell, or `None`. 0 draws nothing.
    fn bump(&self, py: Python<'_>, probability: f64) -> PyResult<Option<&'static str>> {
        if !(0.0..=1.0).contains(&probability) {
            let wanted = "0 to 1 are possible";
            return Err(CoreError::refused("ArgumentError", "probability", &probability, wanted).into());
        }
        let fallen = self.with(py, |standing| {
            let threshold = (probability * 65_536.0).floor() as u32;
            standing.draw(|tower, _, draws, chance| tower.bump(threshold, draws, chance))
        })?;
        Ok(fallen.map(|colour| COLOUR_NAMES[usize::from(colour.0)]))
    }

    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.get(py, |standing| MODELS[usize::from(standing.model)])
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |standing| standing.seed)
    }

    #[getter]
    fn match_index(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |standing| standing.match_index)
    }

    /// Number of the next draw, in halves of words.
    #[getter]
    fn draws(&self, py: Python<'_>) -> PyResult<u32> {
        self.get(py, |standing| standing.draws)
    }

    /// Throws made so far.
    #[getter]
    fn throws(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |standing| standing.throws)
    }

    /// Cubes inside by colour, those that are there.
    #[getter]
    fn contents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.get(py, Standing::contents)?)
    }

    /// Cubes on each shelf, the upper one first, the oldest cube first.
    #[getter]
    fn shelves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shelves: Vec<Vec<Colour>> = self.get(py, |standing| {
            let numbers = 0..standing.parameters.shelves().len();
            numbers.map(|number| standing.tower.shelf(number).to_vec()).collect()
        })?;
        let names = |shelf: Vec<Colour>| {
            PyTuple::new(py, shelf.into_iter().map(|colour| COLOUR_NAMES[usize::from(colour.0)]))
        };
        PyTuple::new(py, shelves.into_iter().map(names).collect::<PyResult<Vec<_>>>()?)
    }

    /// The parameters of the model as a table.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parameters_to_dict(py, &self.get(py, |standing| standing.parameters.clone())?)
    }

    /// A tower of its own in the same state.
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self(Mutex::new(self.get(py, Standing::clone)?)))
    }

    /// The tower as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.get(py, Standing::save)?))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |standing| standing.tower.len())
    }

    #[expect(clippy::unused_self, reason = "an empty tower is one too")]
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let contents = self.contents(py)?.repr()?;
        let (seed, throws) = self.get(py, |standing| (standing.seed, standing.throws))?;
        Ok(format!(
            "CubeTower(model={:?}, seed={seed}, throws={throws}, contents={contents})",
            self.model(py)?
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("load")?, (self.save(py)?,)))
    }
}
