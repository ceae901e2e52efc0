//! The one map from Rust errors to Python exceptions.

mod conversions;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
#[cfg(unix)]
use sengoku_gate::GateError;

/// Details of an error: every value of its message, by name.
type Details = Vec<(&'static str, String)>;

/// An error on its way to Python: class, message and details.
#[derive(Debug)]
pub(crate) struct CoreError {
    class: &'static str,
    message: String,
    details: Details,
}

impl CoreError {
    fn new(class: &'static str, error: &impl ToString, details: Details) -> Self {
        Self { class, message: error.to_string(), details }
    }

    /// A value that is wrong in itself: of an argument (`ArgumentError`) or of a setup (`SetupError`).
    pub(crate) fn refused(class: &'static str, field: &str, value: &impl ToString, wanted: &str) -> Self {
        let value = shortened(value.to_string());
        let message = format!("{field} is {value}, {wanted}");
        Self::new(class, &message, vec![("field", field.into()), ("value", value)])
    }

    /// A die of a script that shows what no die shows.
    pub(crate) fn no_such_face(place: usize, value: &impl ToString) -> Self {
        let value = shortened(value.to_string());
        let message = format!("die {place} is {value}, a die shows 1 to {}", sengoku_swords::data::DIE);
        Self::new("DiceScriptError", &message, vec![("place", place.to_string()), ("value", value)])
    }

    /// A scripted die that shows what no die of any game shows.
    pub(crate) fn no_die(place: usize, value: &impl ToString) -> Self {
        let value = shortened(value.to_string());
        let message = format!("die {place} is {value}, a die shows 1 or more");
        Self::new("DiceScriptError", &message, vec![("place", place.to_string()), ("value", value)])
    }

    /// A letter of a script that is not a face of a battle die.
    pub(crate) fn no_such_letter(place: usize, value: &impl ToString) -> Self {
        let value = shortened(value.to_string());
        let message = format!("face {place} is {value}, faces are C, T, S, F, H and X");
        Self::new("DiceScriptError", &message, vec![("place", place.to_string()), ("value", value)])
    }

    /// Numbers that stand for no end of a strike.
    pub(crate) fn no_outcome(row: &[i32]) -> Self {
        let value = shortened(format!("{row:?}"));
        let message = format!("outcome: unknown value {value}");
        Self::new("DecodeError", &message, vec![("field", "outcome".into()), ("value", value)])
    }

    /// A table of another shape than the battle's.
    pub(crate) fn table_shape(expected: &[usize], found: &[usize]) -> Self {
        let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
        let message = format!("the table has shape {found}, not {expected}");
        Self::new("DecodeError", &message, vec![("expected", expected), ("found", found)])
    }

    /// A panic: a bug in this library.
    pub(crate) fn internal(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = format!("internal error: {}", text.as_deref().unwrap_or("unknown"));
        Self::new("InternalError", &message, vec![])
    }

    /// An address that a server cannot listen on.
    #[cfg(unix)]
    pub(crate) fn gate(host: &str, port: u16, error: &GateError) -> Self {
        let details = vec![("field", "port".into()), ("value", port.to_string()), ("host", host.into())];
        Self::new("ArgumentError", error, details)
    }

    /// A call that a batch cannot answer now.
    pub(crate) fn not_ready(state: &str, reason: &str) -> Self {
        Self::new("NotReadyError", &reason, vec![("state", state.into())])
    }

    /// The same error with the row of a batch that it is about.
    pub(crate) fn in_row(mut self, row: usize) -> Self {
        self.message = format!("row {row}: {}", self.message);
        self.details.push(("row", row.to_string()));
        self
    }
}

/// A value as it is quoted in an error: the beginning of a long one is enough to know it by.
fn shortened(mut value: String) -> String {
    const MOST: usize = 200;
    if let Some((end, _)) = value.char_indices().nth(MOST) {
        value.truncate(end);
        value.push('…');
    }
    value
}

impl From<CoreError> for PyErr {
    fn from(error: CoreError) -> Self {
        Python::attach(|py| {
            let build = || -> PyResult<Self> {
                let details = PyDict::new(py);
                for (name, value) in &error.details {
                    details.set_item(name, value)?;
                }
                let class = py.import("sengoku.errors")?.getattr(error.class)?;
                Ok(Self::from_value(class.call1((&error.message, details))?))
            };
            build().unwrap_or_else(|broken| broken)
        })
    }
}

/// A value of the wrong type, in Python's own words.
pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} must be {wanted}, not {found}"))
}
