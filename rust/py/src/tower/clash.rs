//! `Clash`: the question, and the ways to answer it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sengoku_kernel::cube_tower::{Parameters, SHELVES};
use sengoku_kernel::odds::{Ask, Question};
use sengoku_tower::data::Cubes;
use sengoku_tower::odds::EXACT_STATE_LIMIT;
use sengoku_tower::{Clash, ClashSetup, Kind, Settlement};

use super::cubes::{
    cubes, parameters as parameters_from, parameters_to_dict, party, party_to_tuple, to_dict,
};
use super::odds::PyClashOdds;
use crate::args::{argument, items, whole};
use crate::errors::CoreError;
use crate::odds::{Options, evaluate};
use crate::odds_classes::question_class;
use crate::work::{PyCancel, caught};

/// One clash: the cubes of attacker and defender, in the tray and in the tower.
///
/// In a `revolt` the attacker is ("farmer", n); a `neutral` province is defended by ("farmer", n), 1 if not given.
/// `farmers_defend` says that the province has no unrest marker. `contents` are cubes inside the tower, `shelves` those on each
/// shelf, the upper one first, where that is known. Without either the tower has just been filled at a table of `players`, 4
/// if not given: the colours of the clash, and the first others.
#[pyclass(name = "Clash", module = "sengoku.tower", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyClash(pub(super) Clash);

question_class! {
    impl PyClash -> PyClashOdds {
        /// The odds as `n` throws show them.
        fn sample;

        /// The odds: exact where that is affordable, else sampled until the standard error is at most `max_error`.
        fn odds(max_error = 1e-3);

        #[new]
        #[pyo3(signature = (
            attacker, defender=None, *, farmers_defend=true, tray=None, contents=None, shelves=None, neutral=false,
            revolt=false, players=None, parameters=None
        ))]
        #[expect(clippy::too_many_arguments, reason = "one argument for each part of the question")]
        fn new(
            attacker: &Bound<'_, PyAny>,
            defender: Option<&Bound<'_, PyAny>>,
            farmers_defend: bool,
            tray: Option<&Bound<'_, PyAny>>,
            contents: Option<&Bound<'_, PyAny>>,
            shelves: Option<&Bound<'_, PyAny>>,
            neutral: bool,
            revolt: bool,
            players: Option<&Bound<'_, PyAny>>,
            parameters: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Self> {
            let kind = match (neutral, revolt) {
                (false, false) => Kind::Attack,
                (true, false) => Kind::Neutral,
                (false, true) => Kind::Revolt,
                (true, true) => {
                    let wanted = "a neutral province has no owner to revolt against";
                    return Err(CoreError::refused("SetupError", "revolt", &"True", wanted).into());
                }
            };
            let players = match players {
                None => ClashSetup::default().players,
                players => whole("SetupError", "players", players, u8::MAX.into())? as u8,
            };
            let setup = ClashSetup {
                kind,
                attacker: party("attacker", attacker)?,
                defender: defender.map(|defender| party("defender", defender)).transpose()?,
                farmers_defend,
                tray: cubes("tray", tray)?,
                contents: contents.map(|contents| cubes("contents", Some(contents))).transpose()?,
                shelves: shelves.map(read_shelves).transpose()?,
                players,
                parameters: parameters_from(parameters)?,
            };
            caught(|| Ok(Self(Clash::new(&setup)?)))
        }

        #[getter]
        fn attacker<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            party_to_tuple(py, self.0.attacker())
        }

        #[getter]
        fn defender<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            party_to_tuple(py, self.0.defender())
        }

        #[getter]
        fn farmers_defend(&self) -> bool {
            self.0.setup().farmers_defend
        }

        #[getter]
        fn tray<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            to_dict(py, &self.0.setup().tray)
        }

        #[getter]
        fn contents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
            self.0.setup().contents.map(|contents| to_dict(py, &contents)).transpose()
        }

        #[getter]
        fn shelves<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
            let shelves = self.0.setup().shelves.as_ref();
            shelves.map(|shelves| shelves.iter().map(|cubes| to_dict(py, cubes)).collect()).transpose()
        }

        #[getter]
        fn neutral(&self) -> bool {
            self.0.setup().kind == Kind::Neutral
        }

        #[getter]
        fn revolt(&self) -> bool {
            self.0.setup().kind == Kind::Revolt
        }

        #[getter]
        fn players(&self) -> u8 {
            self.0.setup().players
        }

        /// The parameters of the tower as a table.
        #[getter]
        fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            parameters_to_dict(py, &self.0.setup().parameters)
        }

        /// The cubes thrown: both sides and the whole tray.
        #[getter]
        fn thrown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            to_dict(py, &self.0.thrown())
        }

        /// Settles what lies in the tray after the throw.
        fn settle(&self, tray: &Bound<'_, PyAny>) -> PyResult<PySettlement> {
            Ok(PySettlement(self.0.settle(&cubes("tray", Some(tray))?)))
        }

        /// States that the exact odds visit, roughly: what they cost where the law of the throw is not known yet.
        #[getter]
        fn states(&self) -> u64 {
            self.0.states()
        }

        /// The exact odds, if the clash has at most `max_states` states and its tower two shelves.
        #[pyo3(signature = (*, max_states=None, threads=None, cancel=None, background=false))]
        fn exact(
            &self,
            py: Python<'_>,
            max_states: Option<&Bound<'_, PyAny>>,
            threads: Option<&Bound<'_, PyAny>>,
            cancel: Option<&PyCancel>,
            background: bool,
        ) -> PyResult<PyClashOdds> {
            let max_states = max_states.map(|limit| argument("max_states", Some(limit), u64::MAX)).transpose()?;
            let ask = Ask::Exact { max_states: max_states.unwrap_or(EXACT_STATE_LIMIT) };
            evaluate(py, &self.0, ask, &Options { threads, cancel, background, ..Options::default() }).map(PyClashOdds)
        }

        fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
            let (parties, options) = self.__getnewargs_ex__(py)?;
            let mut parts = vec![
                format!("attacker={}", parties.get_item(0)?.repr()?),
                format!("defender={}", parties.get_item(1)?.repr()?),
            ];
            for (name, value) in options {
                parts.push(format!("{name}={}", value.repr()?));
            }
            Ok(format!("Clash({})", parts.join(", ")))
        }

        fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
            let (options, setup) = (PyDict::new(py), self.0.setup());
            if !setup.farmers_defend {
                options.set_item("farmers_defend", false)?;
            }
            if setup.tray.total() > 0 {
                options.set_item("tray", self.tray(py)?)?;
            }
            if let Some(contents) = self.contents(py)? {
                options.set_item("contents", contents)?;
            }
            if let Some(shelves) = self.shelves(py)? {
                options.set_item("shelves", shelves)?;
            }
            for (name, set) in [("neutral", self.neutral()), ("revolt", self.revolt())] {
                if set {
                    options.set_item(name, true)?;
                }
            }
            if setup.players != ClashSetup::default().players {
                options.set_item("players", setup.players)?;
            }
            if setup.parameters != Parameters::default() {
                options.set_item("parameters", self.parameters(py)?)?;
            }
            Ok(((self.attacker(py)?, self.defender(py)?).into_pyobject(py)?, options))
        }
    }
}

/// Cubes by shelf: a dict for each.
fn read_shelves(value: &Bound<'_, PyAny>) -> PyResult<Vec<Cubes>> {
    let shelves = items("shelves", value, *SHELVES.end(), "a list of dicts of colours and numbers")?;
    let read = |(number, shelf)| cubes(&format!("shelves[{number}]"), Some(shelf));
    shelves.iter().enumerate().map(read).collect()
}

/// The settlement of a tray after a clash.
#[pyclass(name = "Settlement", module = "sengoku.tower", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct PySettlement(Settlement);

#[pymethods]
impl PySettlement {
    /// "attacker", "defender" or "none"; a revolt that succeeds is won by the attacker.
    #[getter]
    fn winner(&self) -> &'static str {
        self.0.winner.name()
    }

    /// Armies in the province afterwards, the winner's.
    #[getter]
    fn armies_left(&self) -> u16 {
        self.0.armies_left
    }

    /// Cubes by colour that go back to the supplies.
    #[getter]
    fn to_supply<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.0.to_supply)
    }

    /// Cubes by colour that stay in the tray.
    #[getter]
    fn tray<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.0.tray)
    }

    /// Whether the province is neutral afterwards.
    #[getter]
    fn neutral(&self) -> bool {
        self.0.neutral
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (to_supply, tray) = (self.to_supply(py)?.repr()?, self.tray(py)?.repr()?);
        Ok(format!(
            "Settlement(winner={:?}, armies_left={}, to_supply={to_supply}, tray={tray}, neutral={})",
            self.winner(),
            self.armies_left(),
            if self.neutral() { "True" } else { "False" }
        ))
    }
}
