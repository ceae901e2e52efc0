//! Arguments from Python: any whole number is taken, and one that does not fit is refused by name and value.

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use sengoku_kernel::InstructionSet;
use sengoku_kernel::odds::MAX_SAMPLES;

use crate::errors::{CoreError, wrong_type};
use crate::work::MAX_THREADS;

/// A whole number of Python, kept as it was written.
pub(crate) struct Whole<'py>(Bound<'py, PyInt>);

impl<'py> Whole<'py> {
    /// Any object that is a whole number, `numpy` integers among them.
    pub(crate) fn new(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let wrong = || wrong_type(name, value, "a whole number");
        let index = value.call_method0("__index__").map_err(|error| {
            // Only errors that mean "not a number" are replaced; an interrupt stays an interrupt.
            let py = value.py();
            let plain =
                error.is_instance_of::<PyAttributeError>(py) || error.is_instance_of::<PyTypeError>(py);
            if plain { wrong() } else { error }
        })?;
        Ok(Self(index.cast_into().map_err(|_| wrong())?))
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

/// A number of threads.
pub(crate) fn threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    Ok(argument("threads", value, MAX_THREADS as u64)? as usize)
}

/// A number of samples; 0 is none, which is not a sample.
pub(crate) fn samples(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(value) = value else { return Ok(MAX_SAMPLES) };
    let number = Whole::new(name, value)?;
    let wanted = || format!("1 to {MAX_SAMPLES} are possible");
    let found = number.at_most(MAX_SAMPLES).filter(|&samples| samples > 0);
    Ok(found.ok_or_else(|| CoreError::refused("ArgumentError", name, &number, &wanted()))?)
}

/// A text; whatever Rust cannot hold as one is replaced, so that it is refused as the unknown name it is.
pub(crate) fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| wrong_type(name, value, "a name"))?;
    Ok(text.to_string_lossy().into_owned())
}

/// The items of a sequence, at most `most` and one more: enough to see that there are too many.
pub(crate) fn items<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    most: usize,
    wanted: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items = value.try_iter().map_err(|_| wrong_type(name, value, wanted))?;
    items.take(most + 1).collect()
}

/// An instruction set by name, or the best one.
pub(crate) fn instruction_set(name: Option<&Bound<'_, PyAny>>) -> PyResult<InstructionSet> {
    let Some(name) = name else { return Ok(InstructionSet::best()) };
    let name = text("instruction_set", name)?;
    let found = InstructionSet::available().find(|set| set.to_string() == name);
    Ok(found.ok_or_else(|| {
        let names: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
        let wanted = format!("this machine has {}", names.join(", "));
        CoreError::refused("ArgumentError", "instruction_set", &name, &wanted)
    })?)
}
