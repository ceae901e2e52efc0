//! Cubes by colour, colours and parameters, from Python and back.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sengoku_kernel::SetupError;
use sengoku_kernel::cube_tower::Parameters;
use sengoku_tower::Party;
use sengoku_tower::data::{COLOUR_NAMES, Cubes, IN_THE_BOX};

use crate::args::{items, text, whole};
use crate::errors::{CoreError, wrong_type};

/// The number of a colour.
pub(super) fn colour(field: &str, value: &Bound<'_, PyAny>) -> PyResult<u8> {
    let name = text(field, value)?;
    let found = COLOUR_NAMES.into_iter().zip(0_u8..).find(|&(known, _)| known == name);
    Ok(found.map(|(_, number)| number).ok_or_else(|| {
        let wanted = format!("colours are {}", COLOUR_NAMES.join(", "));
        CoreError::refused("SetupError", field, &format!("{name:?}"), &wanted)
    })?)
}

/// Cubes as a dict of colours; nothing is none.
pub(super) fn cubes(field: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Cubes> {
    let Some(value) = value else { return Ok(Cubes::NONE) };
    let dict =
        value.cast::<PyDict>().map_err(|_| wrong_type(field, value, "a dict of colours and numbers"))?;
    let mut cubes = Cubes::NONE;
    for (name, count) in dict {
        let colour = colour(field, &name)?;
        let field = format!("{field}.{}", COLOUR_NAMES[usize::from(colour)]);
        cubes[colour] = whole("SetupError", &field, Some(&count), IN_THE_BOX[colour].into())? as u16;
    }
    Ok(cubes)
}

/// Cubes as a dict, those that are there.
pub(super) fn to_dict<'py>(py: Python<'py>, cubes: &Cubes) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in COLOUR_NAMES.into_iter().zip(cubes.0).filter(|&(_, count)| count > 0) {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}

/// Refuses cubes that are more than there are (TW-TOWER-04).
pub(super) fn check_box(field: &str, cubes: &Cubes, others: &Cubes) -> Result<(), CoreError> {
    for (colour, name) in (0_u8..).zip(COLOUR_NAMES) {
        let (sum, all) = (cubes[colour] + others[colour], IN_THE_BOX[colour]);
        if sum > all {
            let field = format!("{field}.{name}");
            let wanted = format!("{sum} with those in the tower, but there are {all}");
            return Err(CoreError::refused("SetupError", &field, &cubes[colour], &wanted));
        }
    }
    Ok(())
}

/// A side: its colour and how many cubes it throws.
pub(super) fn party(field: &str, value: &Bound<'_, PyAny>) -> PyResult<Party> {
    let wanted = "a colour and a number, as (\"blue\", 4)";
    if value.is_instance_of::<PyString>() {
        return Err(wrong_type(field, value, wanted));
    }
    let parts = items(field, value, 2, wanted)?;
    let [name, count] = &parts[..] else { return Err(wrong_type(field, value, wanted)) };
    let colour = colour(field, name)?;
    let cubes = whole("SetupError", field, Some(count), IN_THE_BOX[colour].into())? as u16;
    Ok(Party { colour, cubes })
}

pub(super) fn party_to_tuple(py: Python<'_>, party: Party) -> PyResult<Bound<'_, PyTuple>> {
    (COLOUR_NAMES[usize::from(party.colour)], party.cubes).into_pyobject(py)
}

/// Parameters of the fast model: the name of a set, a table, or the default.
pub(super) fn parameters(value: Option<&Bound<'_, PyAny>>) -> PyResult<Parameters> {
    let Some(value) = value else { return Ok(Parameters::default()) };
    let py = value.py();
    if !value.is_instance_of::<PyString>() && !value.is_instance_of::<PyDict>() {
        return Err(wrong_type("parameters", value, "the name of a set or a table"));
    }
    let told = |reason: String| CoreError::from(SetupError::new("parameters", reason));
    let json = py.import("json")?.call_method1("dumps", (value,));
    let json: String = json.map_err(|error| told(error.to_string()))?.extract()?;
    let table = serde_json::from_str(&json).map_err(|error| told(error.to_string()))?;
    Ok(Parameters::from_json(&table).map_err(|error| CoreError::from(error.within("parameters")))?)
}

/// Parameters as a table.
pub(super) fn parameters_to_dict<'py>(
    py: Python<'py>,
    parameters: &Parameters,
) -> PyResult<Bound<'py, PyDict>> {
    let shelves = parameters.shelves().iter().map(|shelf| {
        let table = PyDict::new(py);
        table.set_item("capacity", shelf.capacity)?;
        table.set_item("stick_per_mille", shelf.stick_per_mille)?;
        table.set_item("dislodge", shelf.dislodge)?;
        table.set_item("burst", shelf.burst)?;
        Ok(table)
    });
    let table = PyDict::new(py);
    table.set_item("shelves", shelves.collect::<PyResult<Vec<_>>>()?)?;
    Ok(table)
}
