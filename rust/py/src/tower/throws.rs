//! Many throws at once.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sengoku_kernel::InstructionSet;
use sengoku_kernel::odds::Run;
use sengoku_tower::bulk::{MAX_THROWS, Throws};
use sengoku_tower::data::{COLOURS, Cubes};
use sengoku_tower_physics::Throws as RigidThrows;

use super::cubes::{build as build_from, check_box, cubes as cubes_from, parameters as parameters_from};
use super::standing::Model;
use crate::args::{argument, instruction_set as instruction_set_from, threads as threads_from};
use crate::errors::CoreError;
use crate::work::{PyCancel, Threads, watched};

/// The throws of either model.
enum Made {
    Shelves(Box<Throws>, InstructionSet),
    Rigid(RigidThrows),
}

/// Throws the same cubes many times, and gives columns: what came out each time, and what is inside afterwards.
#[pyfunction]
#[pyo3(signature = (
    cubes, *, count, model=None, seed=None, first=None, contents=None, parameters=None, sequence=false, threads=None,
    progress=None, cancel=None, instruction_set=None, background=false
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
pub(super) fn simulate_throws<'py>(
    py: Python<'py>,
    cubes: &Bound<'_, PyAny>,
    count: &Bound<'_, PyAny>,
    model: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    first: Option<&Bound<'_, PyAny>>,
    contents: Option<&Bound<'_, PyAny>>,
    parameters: Option<&Bound<'_, PyAny>>,
    sequence: bool,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    cancel: Option<&PyCancel>,
    instruction_set: Option<&Bound<'_, PyAny>>,
    background: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let model = Model::new(model)?;
    let cubes = cubes_from("cubes", Some(cubes))?;
    if cubes.total() == 0 {
        return Err(
            CoreError::refused("ArgumentError", "cubes", &"{}", "a throw has at least one cube").into()
        );
    }
    let count = argument("count", Some(count), MAX_THROWS)? as usize;
    let seed = argument("seed", seed, u64::MAX)?;
    let first = argument("first", first, u64::MAX)?;
    let contents = cubes_from("contents", contents)?;
    // In a sequence what comes out is taken away, so that there is no telling how many are inside later.
    check_box("cubes", &cubes, if sequence { &Cubes::NONE } else { &contents })?;
    let made = match model {
        Model::Shelves => {
            let throws =
                Throws { cubes, contents, parameters: parameters_from(parameters)?, first, sequence };
            let instruction_set = instruction_set_from(instruction_set)?;
            Made::Shelves(Box::new(throws), instruction_set)
        }
        Model::Rigid => {
            if let Some(name) = instruction_set {
                let wanted = "only the model \"shelves\" has a choice";
                return Err(CoreError::refused("ArgumentError", "instruction_set", name, wanted).into());
            }
            let (geometry, cubes, contents) = (build_from(parameters)?.geometry, cubes.0, contents.0);
            Made::Rigid(RigidThrows { geometry, cubes, contents, seed, first, sequence })
        }
    };
    let threads = Threads { count: threads_from(threads)?, background };
    let columns = watched(py, threads, cancel, progress.as_ref(), |watch| {
        let (mut tray, mut held) = (vec![0; count * COLOURS], vec![0; count * COLOURS]);
        let rows = (tray.as_chunks_mut().0, held.as_chunks_mut().0);
        let told = |done, total| watch.report(done, total);
        match &made {
            Made::Shelves(throws, instruction_set) => {
                let instruction_set = *instruction_set;
                let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
                throws.run(&run, rows.0, rows.1, told)??;
            }
            Made::Rigid(throws) => throws.run(watch.pool, watch.cancel, rows.0, rows.1, told)??,
        }
        Ok([("tray", tray), ("contents", held)])
    })?;
    let dict = PyDict::new(py);
    for (name, column) in columns {
        dict.set_item(name, column.into_pyarray(py).reshape([count, COLOURS])?)?;
    }
    Ok(dict)
}
