//! Arguments from Python: any whole number is taken, and one that does not fit is refused by name and value.

use pyo3::prelude::*;
use pyo3::types::PyInt;
use sengoku_kernel::InstructionSet;

use crate::errors::{CoreError, wrong_type};

/// A whole number of Python, kept as it was written.
pub(crate) struct Whole<'py>(Bound<'py, PyInt>);

impl<'py> Whole<'py> {
    /// Any object that is a whole number, `numpy` integers among them.
    pub(crate) fn new(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let index = value.call_method0("__index__").map_err(|_| wrong_type(name, value, "a whole number"))?;
        Ok(Self(index.cast_into().map_err(PyErr::from)?))
    }

    /// The number, if it is in `0..=most`.
    pub(crate) fn at_most(&self, most: u64) -> Option<u64> {
        self.0.extract().ok().filter(|&number| number <= most)
    }
}

impl std::fmt::Display for Whole<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Python refuses to write out numbers of thousands of digits.
        match self.0.str() {
            Ok(text) => text.fmt(formatter),
            Err(_) => formatter.write_str("a huge number"),
        }
    }
}

/// A number from 0 to `most`, 0 if not given; any other is refused with an exception of the given class.
pub(crate) fn whole(
    class: &'static str,
    field: &str,
    value: Option<&Bound<'_, PyAny>>,
    most: u64,
) -> PyResult<u64> {
    let Some(value) = value else { return Ok(0) };
    let number = Whole::new(field, value)?;
    let wanted = || format!("0 to {most} are possible");
    Ok(number.at_most(most).ok_or_else(|| CoreError::refused(class, field, &number, &wanted()))?)
}

/// An argument that is a number from 0 to `most`.
pub(crate) fn argument(name: &str, value: Option<&Bound<'_, PyAny>>, most: u64) -> PyResult<u64> {
    whole("ArgumentError", name, value, most)
}

/// An instruction set by name, or the best one.
pub(crate) fn instruction_set(name: Option<&str>) -> PyResult<InstructionSet> {
    let Some(name) = name else { return Ok(InstructionSet::best()) };
    let found = InstructionSet::available().find(|set| set.to_string() == name);
    Ok(found.ok_or_else(|| {
        let names: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
        let wanted = format!("this machine has {}", names.join(", "));
        CoreError::refused("ArgumentError", "instruction_set", &name, &wanted)
    })?)
}
