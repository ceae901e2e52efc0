//! Cubes by colour, colours and parameters, from Python and back.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sengoku_kernel::SetupError;
use sengoku_kernel::cube_tower::Parameters;
use sengoku_tower::Party;
use sengoku_tower::data::{COLOUR_NAMES, Cubes, IN_THE_BOX};
use sengoku_tower_physics::Geometry;

use super::rigid::Build;
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
    if let Ok(table) = value.cast::<PyDict>() {
        let geometry = BUILD_PARTS.into_iter().find(|part| table.contains(part).unwrap_or(false));
        refuse_other(geometry, "rigid", "a shelves tower has shelves")?;
    } else if value.cast::<PyString>().is_ok_and(|text| text.to_string_lossy().contains('\n')) {
        let wanted =
            "a shelves tower takes the name of a set or a table; the text of a file is for \"rigid\"";
        return Err(parameters_error(wanted.into()).into());
    }
    let table = serde_json::from_str(&json(value, "the name of a set or a table")?)
        .map_err(|e| parameters_error(e.to_string()))?;
    Ok(Parameters::from_json(&table).map_err(|error| CoreError::from(error.within("parameters")))?)
}

/// The geometry of a rigid tower: a name, the text of a file, a table, or the standard.
pub(super) fn build(value: Option<&Bound<'_, PyAny>>) -> PyResult<Build> {
    let Some(value) = value else { return Ok(Build::default()) };
    if let Ok(name) = value.cast::<PyString>()
        && let Some(named) = Build::named(&name.to_string_lossy())
    {
        return Ok(named);
    }
    let text = if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_string_lossy().into_owned();
        if !text.contains('\n') {
            let known = Geometry::NAMES.join(", ");
            let wanted = format!("a rigid tower takes {known}, the text of a geometry file, or such a table");
            let set =
                if Parameters::named(&text).is_some() { ", a set of the model \"shelves\"" } else { "" };
            return Err(parameters_error(format!("{text:?}{set}; {wanted}")).into());
        }
        text
    } else {
        if let Ok(table) = value.cast::<PyDict>() {
            let shelves = table.contains("shelves")?.then_some("shelves");
            refuse_other(shelves, "shelves", "a rigid tower has a geometry")?;
        }
        json(value, "the text of a file or a table")?
    };
    Ok(Build::read(&text).map_err(|error| CoreError::from(error.within("parameters")))?)
}

/// Fields by which a table is known to be a geometry.
const BUILD_PARTS: [&str; 6] = ["shaft", "funnel", "upper_plate", "lower_plate", "boards", "shake"];

fn parameters_error(reason: String) -> CoreError {
    SetupError::new("parameters", reason).into()
}

/// Refuses a field of the other model.
fn refuse_other(field: Option<&str>, model: &str, wanted: &str) -> Result<(), CoreError> {
    field.map_or(Ok(()), |field| {
        let reason = format!("belongs to the model {model:?}, {wanted}");
        Err(SetupError::new(format!("parameters.{field}"), reason).into())
    })
}

/// A text or a table as JSON.
fn json(value: &Bound<'_, PyAny>, wanted: &str) -> PyResult<String> {
    if !value.is_instance_of::<PyString>() && !value.is_instance_of::<PyDict>() {
        return Err(wrong_type("parameters", value, wanted));
    }
    let json = value.py().import("json")?.call_method1("dumps", (value,));
    json.map_err(|error| parameters_error(error.to_string()))?.extract()
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
        if shelf.jam_per_mille > 0 || shelf.jam_half_tenths > 0 {
            table.set_item("jam_per_mille", shelf.jam_per_mille)?;
            table.set_item("jam_half_tenths", shelf.jam_half_tenths)?;
        }
        Ok(table)
    });
    let table = PyDict::new(py);
    table.set_item("shelves", shelves.collect::<PyResult<Vec<_>>>()?)?;
    Ok(table)
}
