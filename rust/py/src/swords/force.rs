//! `Force`: an army or a provincial force.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_swords::Force;
use sengoku_swords::data::{ByUnit, Unit};

use super::account::{NAMED, units};
use crate::args::{items, whole};
use crate::errors::wrong_type;

/// An army or a provincial force: how many units of each kind.
#[pyclass(name = "Force", module = "sengoku.swords", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyForce(pub(super) Force);

#[pymethods]
impl PyForce {
    #[new]
    #[pyo3(signature = (*, daimyo=None, bow=None, gun=None, sword=None, spear=None, ronin=None, disrupted=false))]
    fn new(
        daimyo: Option<&Bound<'_, PyAny>>,
        bow: Option<&Bound<'_, PyAny>>,
        gun: Option<&Bound<'_, PyAny>>,
        sword: Option<&Bound<'_, PyAny>>,
        spear: Option<&Bound<'_, PyAny>>,
        ronin: Option<&Bound<'_, PyAny>>,
        disrupted: bool,
    ) -> PyResult<Self> {
        let mut units = ByUnit::default();
        for (unit, given) in NAMED.into_iter().zip([daimyo, bow, gun, sword, spear, ronin]) {
            units[unit] = whole("SetupError", unit.name(), given, u8::MAX.into())? as u8;
        }
        Ok(Self(Force { units, disrupted }))
    }

    #[getter]
    fn daimyo(&self) -> u8 {
        self.0.units[Unit::Daimyo]
    }

    #[getter]
    fn bow(&self) -> u8 {
        self.0.units[Unit::Bow]
    }

    #[getter]
    fn gun(&self) -> u8 {
        self.0.units[Unit::Gun]
    }

    #[getter]
    fn sword(&self) -> u8 {
        self.0.units[Unit::Sword]
    }

    #[getter]
    fn spear(&self) -> u8 {
        self.0.units[Unit::Spear]
    }

    #[getter]
    fn ronin(&self) -> u8 {
        self.0.units[Unit::Ronin]
    }

    #[getter]
    fn disrupted(&self) -> bool {
        self.0.disrupted
    }

    /// Number of all units.
    #[getter]
    fn total(&self) -> u32 {
        self.0.units.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// The units by name, those that are there.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for unit in NAMED.into_iter().filter(|&unit| self.0.units[unit] > 0) {
            dict.set_item(unit.name(), self.0.units[unit])?;
        }
        if self.0.disrupted {
            dict.set_item("disrupted", true)?;
        }
        Ok(dict)
    }

    pub(super) fn __repr__(&self) -> String {
        let mut parts: Vec<String> = NAMED
            .into_iter()
            .filter(|&unit| self.0.units[unit] > 0)
            .map(|unit| format!("{}={}", unit.name(), self.0.units[unit]))
            .collect();
        if self.0.disrupted {
            parts.push("disrupted=True".into());
        }
        format!("Force({})", parts.join(", "))
    }

    fn __str__(&self) -> String {
        units(|unit| self.0.units[unit])
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.as_dict(py)?))
    }
}

pub(super) fn force(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Force> {
    Ok(given.extract::<PyForce>().map_err(|_| wrong_type(name, given, "a Force"))?.0)
}

/// One force, or some; a third is read only to be refused.
pub(super) fn forces(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Force>> {
    if given.is_instance_of::<PyForce>() {
        return Ok(vec![force(name, given)?]);
    }
    let items = items(name, given, 2, "a Force or a sequence of Forces")?;
    items.iter().map(|item| force(name, item)).collect()
}

/// What is left of the given forces.
pub(super) fn present(pairs: [(Force, Force); 2]) -> Vec<PyForce> {
    pairs.into_iter().filter(|(before, _)| !before.is_empty()).map(|(_, after)| PyForce(after)).collect()
}
