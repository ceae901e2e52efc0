//! `Battle`: the question, and the ways to answer it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sengoku_kernel::odds::{Ask, Question};
use sengoku_swords::data::{DIE, Fort, Unit};
use sengoku_swords::odds::EXACT_STATE_LIMIT;
use sengoku_swords::play::combat::Role;
use sengoku_swords::{Battle, BattleSetup, BreakOff, LossOrder, MAX_ATTACKERS, MAX_BREAK_OFF_AFTER};

use super::fight::PyFight;
use super::force::{PyForce, force, forces, present};
use super::odds::PyOdds;
use crate::args::{Whole, argument, items, text, whole};
use crate::errors::{CoreError, wrong_type};
use crate::odds::{Options, evaluate};
use crate::odds_classes::question_class;
use crate::work::{PyCancel, caught, detached};

/// Longest script of dice that is read; no battle comes near it.
const MAX_DICE: usize = 1_000_000;

/// One battle: attacker, defenders, fort, how losses are taken and when the attacker calls off.
///
/// `defender` is a Force, or an army and a provincial force that defend together. `fort` is "none", "castle" or
/// "fortress", `fort_lost` how many of its bonus units fell earlier in the same war turn, `naval` an attack over a sea route.
/// Losses are taken in the order "cheapest" (spear, gun, sword, ronin, bow), "`hired_first`" (ronin first) or any order of
/// the five. In step 8 the attacker calls off with fewer than `break_off_below` units left, or after `break_off_after`
/// combat rounds.
#[pyclass(name = "Battle", module = "sengoku.swords", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyBattle(pub(super) Battle);

/// `0` and `None` are one thing to Rust and shown as `None`.
fn some_if_positive<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

fn loss_order(field: &str, order: Option<&Bound<'_, PyAny>>) -> PyResult<LossOrder> {
    let wanted = "not \"cheapest\", \"hired_first\" or an order of bow, gun, sword, spear and ronin";
    let Some(order) = order else { return Ok(LossOrder::default()) };
    if order.is_instance_of::<PyString>() {
        let name = text(field, order)?;
        return [LossOrder::CHEAPEST, LossOrder::HIRED_FIRST]
            .into_iter()
            .find(|order| order.name() == Some(name.as_str()))
            .ok_or_else(|| CoreError::refused("SetupError", field, &format!("{name:?}"), wanted).into());
    }
    let items = items(field, order, 5, "a name or a sequence of names")?;
    let names: Vec<String> = items.iter().map(|item| text(field, item)).collect::<PyResult<_>>()?;
    let kinds: Option<Vec<Unit>> = names.iter().map(|name| Unit::named(name)).collect();
    let order = kinds.and_then(|kinds| LossOrder::new(&kinds));
    Ok(order.ok_or_else(|| CoreError::refused("SetupError", field, &format!("{names:?}"), wanted))?)
}

fn fort_named(fort: Option<&Bound<'_, PyAny>>) -> PyResult<Fort> {
    let Some(fort) = fort else { return Ok(Fort::None) };
    let name = text("fort", fort)?;
    let found = [Fort::None, Fort::Castle, Fort::Fortress].into_iter().find(|fort| fort.name() == name);
    Ok(found.ok_or_else(|| {
        CoreError::refused(
            "SetupError",
            "fort",
            &format!("{name:?}"),
            "not \"none\", \"castle\" or \"fortress\"",
        )
    })?)
}

question_class! {
    impl PyBattle -> PyOdds {
        /// The odds as `n` battles show them.
        fn sample;

        /// The odds: exact if that is affordable, else sampled until the standard error is at most `max_error`.
        fn odds(max_error = 1e-4);

        #[new]
        #[pyo3(signature = (
            attacker, defender, *, fort=None, fort_lost=None, naval=false, attacker_losses=None, defender_losses=None,
            break_off_below=None, break_off_after=None
        ))]
        #[expect(clippy::too_many_arguments, reason = "one argument for each part of the question")]
        fn new(
            attacker: &Bound<'_, PyAny>,
            defender: &Bound<'_, PyAny>,
            fort: Option<&Bound<'_, PyAny>>,
            fort_lost: Option<&Bound<'_, PyAny>>,
            naval: bool,
            attacker_losses: Option<&Bound<'_, PyAny>>,
            defender_losses: Option<&Bound<'_, PyAny>>,
            break_off_below: Option<&Bound<'_, PyAny>>,
            break_off_after: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Self> {
            let setup = BattleSetup {
                attacker: force("attacker", attacker)?,
                defenders: forces("defender", defender)?,
                fort: fort_named(fort)?,
                fort_lost: whole("SetupError", "fort_lost", fort_lost, u8::MAX.into())? as u8,
                naval,
                attacker_losses: loss_order("attacker_losses", attacker_losses)?,
                defender_losses: loss_order("defender_losses", defender_losses)?,
                break_off: BreakOff {
                    below: whole("SetupError", "break_off_below", break_off_below, MAX_ATTACKERS.into())? as u8,
                    after: whole("SetupError", "break_off_after", break_off_after, MAX_BREAK_OFF_AFTER.into())?
                        as u32,
                },
            };
            caught(|| Ok(Self(Battle::new(&setup)?)))
        }

        #[getter]
        fn attacker(&self) -> PyForce {
            PyForce(self.0.attacker().combined())
        }

        /// The forces that defend: the army before the provincial force.
        #[getter]
        fn defenders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            let side = self.0.defender();
            PyTuple::new(py, present([(side.army, side.army), (side.provincial, side.provincial)]))
        }

        #[getter]
        fn fort(&self) -> &'static str {
            self.0.defender().fort.name()
        }

        #[getter]
        fn fort_lost(&self) -> u8 {
            self.0.defender().fort.bonus() - self.0.defender().bonus
        }

        #[getter]
        fn naval(&self) -> bool {
            self.0.naval()
        }

        #[getter]
        fn attacker_losses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            order_to_python(py, self.0.losses(Role::Attacker))
        }

        #[getter]
        fn defender_losses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            order_to_python(py, self.0.losses(Role::Defender))
        }

        #[getter]
        fn break_off_below(&self) -> Option<u8> {
            some_if_positive(self.0.break_off().below)
        }

        #[getter]
        fn break_off_after(&self) -> Option<u32> {
            some_if_positive(self.0.break_off().after)
        }

        /// Fights the battle with scripted dice, 1 to 12 each, in the order of the rules.
        fn fight(&self, py: Python<'_>, dice: &Bound<'_, PyAny>) -> PyResult<PyFight> {
            let mut faces = Vec::new();
            let items = dice.try_iter().map_err(|_| wrong_type("dice", dice, "a sequence of whole numbers"))?;
            for (place, item) in items.enumerate() {
                if place == MAX_DICE {
                    let length = format!("longer than {MAX_DICE}");
                    return Err(
                        CoreError::refused("ArgumentError", "dice", &length, "no battle needs that many").into()
                    );
                }
                let die = Whole::new("dice", &item?)?;
                let face = die.at_most(DIE.into()).filter(|&face| face > 0);
                faces.push(face.ok_or_else(|| CoreError::no_such_face(place, &die))? as u8);
            }
            let fight = detached(py, || Ok(self.0.fight_scripted(&faces)?))?;
            Ok(PyFight { battle: self.0, fight })
        }

        /// States that the exact odds visit: what they cost.
        #[getter]
        fn states(&self) -> u64 {
            self.0.states()
        }

        /// The exact odds, if the battle has at most `max_states` states.
        #[pyo3(signature = (*, max_states=None, threads=None, cancel=None, background=false))]
        fn exact(
            &self,
            py: Python<'_>,
            max_states: Option<&Bound<'_, PyAny>>,
            threads: Option<&Bound<'_, PyAny>>,
            cancel: Option<&PyCancel>,
            background: bool,
        ) -> PyResult<PyOdds> {
            let max_states = max_states.map(|limit| argument("max_states", Some(limit), u64::MAX)).transpose()?;
            let ask = Ask::Exact { max_states: max_states.unwrap_or(EXACT_STATE_LIMIT) };
            evaluate(py, &self.0, ask, &Options { threads, cancel, background, ..Options::default() }).map(PyOdds)
        }

        fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
            let (_, options) = self.__getnewargs_ex__(py)?;
            let mut parts = vec![format!("attacker={}", self.attacker().__repr__())];
            let defenders = self.defenders(py)?;
            let defender = if defenders.len() == 1 { defenders.get_item(0)? } else { defenders.into_any() };
            parts.push(format!("defender={}", defender.repr()?));
            for (name, value) in options {
                parts.push(format!("{name}={}", value.repr()?));
            }
            Ok(format!("Battle({})", parts.join(", ")))
        }

        fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
            let options = PyDict::new(py);
            if self.0.defender().fort != Fort::None {
                options.set_item("fort", self.fort())?;
            }
            if self.fort_lost() > 0 {
                options.set_item("fort_lost", self.fort_lost())?;
            }
            if self.naval() {
                options.set_item("naval", true)?;
            }
            for (name, role) in [("attacker_losses", Role::Attacker), ("defender_losses", Role::Defender)] {
                if *self.0.losses(role) != LossOrder::default() {
                    options.set_item(name, order_to_python(py, self.0.losses(role))?)?;
                }
            }
            if let Some(below) = self.break_off_below() {
                options.set_item("break_off_below", below)?;
            }
            if let Some(after) = self.break_off_after() {
                options.set_item("break_off_after", after)?;
            }
            let forces = (self.attacker(), self.defenders(py)?).into_pyobject(py)?;
            Ok((forces, options))
        }
    }
}

fn order_to_python<'py>(py: Python<'py>, order: &LossOrder) -> PyResult<Bound<'py, PyAny>> {
    match order.name() {
        Some(name) => Ok(PyString::new(py, name).into_any()),
        None => Ok(PyTuple::new(py, order.units().map(Unit::name))?.into_any()),
    }
}
