//! Python classes of the battle of `swords`.

use std::fmt::Write;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use sengoku_kernel::InstructionSet;
use sengoku_swords::data::{ByUnit, DIE, Fort, Unit};
use sengoku_swords::odds::{
    Ask, EXACT_STATE_LIMIT, MAX_ATTACKING, MAX_DEFENDING, MAX_SAMPLES, Method, Odds, Run,
};
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{
    Battle, BattleSetup, BreakOff, Fight, FightStep, Force, LossOrder, MAX_ATTACKERS, MAX_BREAK_OFF_AFTER,
};

use crate::account::{NAMED, account, units};
use crate::args::{
    Whole, argument, instruction_set, items, samples as samples_from, text, threads as threads_from, whole,
};
use crate::errors::{CoreError, wrong_type};
use crate::work::{PyCancel, detached, watched};

/// Longest script of dice that is read; no battle comes near it.
const MAX_DICE: usize = 1_000_000;

/// Most percentiles of one call.
const MAX_PERCENTAGES: usize = 10_000;

/// Adds the classes of this game to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyForce>()?;
    module.add_class::<PyBattle>()?;
    module.add_class::<PyFight>()?;
    module.add_class::<PyFightStep>()?;
    module.add_class::<PyOdds>()?;
    module.add_function(wrap_pyfunction!(evaluate_batch, module)?)?;
    module.add("EXACT_STATE_LIMIT", EXACT_STATE_LIMIT)?;
    module.add("MAX_SAMPLES", MAX_SAMPLES)?;
    Ok(())
}

/// An army or a provincial force: how many units of each kind.
#[pyclass(name = "Force", module = "sengoku.swords", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
struct PyForce(Force);

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

    fn __repr__(&self) -> String {
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

/// One battle: who attacks whom, where, how losses are taken and when the attacker calls off.
#[pyclass(name = "Battle", module = "sengoku.swords", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyBattle(Battle);

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

fn force(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Force> {
    Ok(given.extract::<PyForce>().map_err(|_| wrong_type(name, given, "a Force"))?.0)
}

/// One force, or some; a third is read only to be refused.
fn forces(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Force>> {
    if given.is_instance_of::<PyForce>() {
        return Ok(vec![force(name, given)?]);
    }
    let items = items(name, given, 2, "a Force or a sequence of Forces")?;
    items.iter().map(|item| force(name, item)).collect()
}

/// What became of the forces that were there before.
fn present(pairs: [(Force, Force); 2]) -> Vec<PyForce> {
    pairs.into_iter().filter(|(before, _)| !before.is_gone()).map(|(_, after)| PyForce(after)).collect()
}

#[pymethods]
impl PyBattle {
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
        Ok(Self(Battle::new(&setup).map_err(CoreError::from)?))
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
                    CoreError::refused("ArgumentError", "dice", &length, "no battle needs so many").into()
                );
            }
            let die = Whole::new("dice", &item?)?;
            let face = die.at_most(DIE.into()).filter(|&face| face > 0);
            faces.push(face.ok_or_else(|| CoreError::no_such_face(place, &die))? as u8);
        }
        let fight = detached(py, || Ok(self.0.fight_scripted(&faces)?))?;
        Ok(PyFight { battle: self.0, fight })
    }

    /// The exact odds, if the battle has at most `max_states` states.
    #[pyo3(signature = (*, max_states=None))]
    fn exact(&self, py: Python<'_>, max_states: Option<&Bound<'_, PyAny>>) -> PyResult<PyOdds> {
        let max_states = max_states.map(|limit| argument("max_states", Some(limit), u64::MAX)).transpose()?;
        let ask = Ask::Exact { max_states: max_states.unwrap_or(EXACT_STATE_LIMIT) };
        self.evaluate(py, ask, None, None, None, None, None)
    }

    /// The odds as `n` battles show them.
    #[pyo3(signature = (n, *, seed=None, threads=None, progress=None, cancel=None, instruction_set=None))]
    #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
    fn sample(
        &self,
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        cancel: Option<&PyCancel>,
        instruction_set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyOdds> {
        let ask = Ask::Sampled { samples: samples_from("samples", Some(n))? };
        self.evaluate(py, ask, seed, threads, progress, cancel, instruction_set)
    }

    /// The odds: exact if that is affordable, else sampled until the standard error is at most `max_error`.
    #[pyo3(signature = (
        *, max_error=1e-4, max_samples=None, seed=None, threads=None, progress=None, cancel=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
    fn odds(
        &self,
        py: Python<'_>,
        max_error: f64,
        max_samples: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<PyOdds> {
        let ask = Ask::Auto { max_error, max_samples: samples_from("max_samples", max_samples)? };
        self.evaluate(py, ask, seed, threads, progress, cancel, None)
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

impl PyBattle {
    #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
    fn evaluate(
        &self,
        py: Python<'_>,
        ask: Ask,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        cancel: Option<&PyCancel>,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyOdds> {
        let (seed, threads) = (argument("seed", seed, u64::MAX)?, threads_from(threads)?);
        let instruction_set = instruction_set(set)?;
        if ask.is_short(&self.0) {
            // Microseconds of work are not worth a pool.
            let cancel = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
            return detached(py, || {
                let run = Run { seed, instruction_set, cancel: &cancel, pool: None };
                Ok(PyOdds(ask.evaluate(&self.0, &run, |_, _| {})?))
            });
        }
        watched(py, threads, cancel, progress.as_ref(), |watch| {
            let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
            Ok(PyOdds(ask.evaluate(&self.0, &run, |done, total| watch.report(done, total))?))
        })
    }
}

fn order_to_python<'py>(py: Python<'py>, order: &LossOrder) -> PyResult<Bound<'py, PyAny>> {
    match order.name() {
        Some(name) => Ok(PyString::new(py, name).into_any()),
        None => Ok(PyTuple::new(py, order.units().map(Unit::name))?.into_any()),
    }
}

/// One line of a battle's account.
#[pyclass(name = "FightStep", module = "sengoku.swords", frozen, eq)]
#[derive(PartialEq)]
struct PyFightStep(FightStep);

#[pymethods]
impl PyFightStep {
    /// Combat round; 0 is the first strike of the defender against a naval attack.
    #[getter]
    fn round(&self) -> u32 {
        self.0.round
    }

    /// Step of the round, 1 to 8; the casualties of a first strike are removed in its step 7.
    #[getter]
    fn step(&self) -> u8 {
        self.0.step
    }

    /// "attacker" or "defender": who rolled, removed units or called off.
    #[getter]
    fn side(&self) -> &'static str {
        self.0.role.name()
    }

    /// The dice rolled, in order.
    #[getter]
    fn dice<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.dice)
    }

    /// Hits made with these dice, or suffered in a casualty step.
    #[getter]
    fn hits(&self) -> u8 {
        self.0.hits
    }

    /// The units removed, bonus units not counted.
    #[getter]
    fn casualties(&self) -> PyForce {
        let mut lost = Force::default();
        for unit in Unit::ALL {
            lost.units[unit] = self.0.losses.of(unit);
        }
        PyForce(lost)
    }

    /// The bonus units of a castle or fortress removed.
    #[getter]
    fn bonus_lost(&self) -> u8 {
        self.0.losses.bonus
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "FightStep(round={}, step={}, side={:?}, dice={}, hits={}, casualties={}, bonus_lost={})",
            self.round(),
            self.step(),
            self.side(),
            self.dice(py)?.repr()?,
            self.hits(),
            self.casualties().__repr__(),
            self.bonus_lost()
        ))
    }
}

/// A battle fought to its end.
#[pyclass(name = "Fight", module = "sengoku.swords", frozen)]
struct PyFight {
    battle: Battle,
    fight: Fight,
}

#[pymethods]
impl PyFight {
    /// "attacker", "defender", "none" or "`called_off`".
    #[getter]
    fn winner(&self) -> &'static str {
        self.fight.end.name()
    }

    /// What is left of the attacker.
    #[getter]
    fn attacker(&self) -> PyForce {
        PyForce(self.fight.attacker.combined())
    }

    /// What is left of the defender, army and provincial force together, without bonus units.
    #[getter]
    fn defender(&self) -> PyForce {
        PyForce(self.fight.defender.combined())
    }

    /// What is left of each defending force, the army before the provincial force.
    #[getter]
    fn defenders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (before, after) = (self.battle.defender(), &self.fight.defender);
        PyTuple::new(py, present([(before.army, after.army), (before.provincial, after.provincial)]))
    }

    /// Bonus units of a castle or fortress left.
    #[getter]
    fn fort_bonus_left(&self) -> u8 {
        self.fight.defender.bonus
    }

    /// Combat rounds begun.
    #[getter]
    fn rounds(&self) -> u32 {
        self.fight.rounds
    }

    /// Everything that happened, in order.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.fight.steps.iter().cloned().map(PyFightStep))
    }

    fn __str__(&self) -> String {
        account(&self.battle, &self.fight)
    }

    fn __repr__(&self) -> String {
        format!(
            "Fight(winner={:?}, attacker={}, defender={}, rounds={})",
            self.winner(),
            self.attacker().__repr__(),
            self.defender().__repr__(),
            self.rounds()
        )
    }
}

/// Refuses a table of the wrong shape before it is copied.
fn check_shape(battle: &PyBattle, shape: &[usize]) -> Result<(), CoreError> {
    let expected = Role::BOTH.map(|role| usize::from(battle.0.side(role).total()) + 1);
    if shape == expected { Ok(()) } else { Err(CoreError::table_shape(&expected, shape)) }
}

const fn samples_of(odds: &Odds) -> u64 {
    match odds.method() {
        Method::Exact => 0,
        Method::Sampled { samples } => samples,
    }
}

/// The odds of a battle.
#[pyclass(name = "Odds", module = "sengoku.swords", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyOdds(Odds);

#[pymethods]
impl PyOdds {
    /// Exact odds from their table, as another process computed them.
    #[staticmethod]
    fn from_probabilities(
        battle: &PyBattle,
        table: PyReadonlyArray2<'_, f64>,
        rounds_mean: f64,
    ) -> PyResult<Self> {
        check_shape(battle, table.shape())?;
        let table = table.as_array().iter().copied().collect();
        Ok(Self(Odds::from_probabilities(&battle.0, table, rounds_mean).map_err(CoreError::from)?))
    }

    /// Sampled odds from their table, as another process counted them.
    #[staticmethod]
    fn from_counts(
        battle: &PyBattle,
        table: PyReadonlyArray2<'_, u64>,
        samples: u64,
        rounds_total: u64,
    ) -> PyResult<Self> {
        check_shape(battle, table.shape())?;
        let table = table.as_array().iter().copied().collect();
        Ok(Self(Odds::from_counts(&battle.0, table, samples, rounds_total).map_err(CoreError::from)?))
    }

    #[getter]
    fn battle(&self) -> PyBattle {
        PyBattle(*self.0.battle())
    }

    /// "exact" or "sampled".
    #[getter]
    fn method(&self) -> &'static str {
        match self.0.method() {
            Method::Exact => "exact",
            Method::Sampled { .. } => "sampled",
        }
    }

    /// Battles played; 0 if exact.
    #[getter]
    fn samples(&self) -> u64 {
        samples_of(&self.0)
    }

    #[getter]
    fn attacker_wins(&self) -> f64 {
        self.0.probability(BattleEnd::Attacker)
    }

    #[getter]
    fn defender_wins(&self) -> f64 {
        self.0.probability(BattleEnd::Defender)
    }

    #[getter]
    fn both_eliminated(&self) -> f64 {
        self.0.probability(BattleEnd::Nobody)
    }

    #[getter]
    fn called_off(&self) -> f64 {
        self.0.probability(BattleEnd::CalledOff)
    }

    /// Standard error of the least certain of the four probabilities; 0 if exact.
    #[getter]
    fn standard_error(&self) -> f64 {
        self.0.standard_error()
    }

    /// Mean number of combat rounds.
    #[getter]
    fn rounds_mean(&self) -> f64 {
        self.0.rounds_mean()
    }

    /// Combat rounds of all sampled battles together; `None` if exact.
    #[getter]
    fn rounds_total(&self) -> Option<u64> {
        self.0.rounds_total()
    }

    /// Probability of each number of attacking units left.
    #[getter]
    fn attacker_units_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.units_left(Role::Attacker).into_pyarray(py)
    }

    /// Probability of each number of defending units left, bonus units not counted.
    #[getter]
    fn defender_units_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.units_left(Role::Defender).into_pyarray(py)
    }

    /// Probability of each number of bonus units left.
    #[getter]
    fn fort_bonus_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.bonus_left().into_pyarray(py)
    }

    /// Probability of each attacking force left, by unit type.
    #[getter]
    fn attacker_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.left(py, Role::Attacker)
    }

    /// Probability of each defending force left, by unit type, both forces together.
    #[getter]
    fn defender_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.left(py, Role::Defender)
    }

    /// Units left to a side ("attacker" or "defender") that are not exceeded with each chance in percent.
    fn percentiles(&self, side: &Bound<'_, PyAny>, percentages: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let side = text("side", side)?;
        let items = items("percentages", percentages, MAX_PERCENTAGES, "a sequence of numbers")?;
        if items.len() > MAX_PERCENTAGES {
            let wanted = format!("at most {MAX_PERCENTAGES} are possible");
            return Err(CoreError::refused("ArgumentError", "percentages", &"longer", &wanted).into());
        }
        let percentages: Vec<f64> = items
            .iter()
            .map(|item| item.extract().map_err(|_| wrong_type("percentages", item, "a number")))
            .collect::<PyResult<_>>()?;
        let role = Role::BOTH.into_iter().find(|role| role.name() == side);
        let role = role.ok_or_else(|| {
            CoreError::refused(
                "ArgumentError",
                "side",
                &format!("{side:?}"),
                "not \"attacker\" or \"defender\"",
            )
        })?;
        if let Some(wrong) = percentages.iter().find(|&&p| !(0.0..=100.0).contains(&p)) {
            return Err(
                CoreError::refused("ArgumentError", "percentage", wrong, "0 to 100 are possible").into()
            );
        }
        Ok(self.0.percentiles(role, &percentages))
    }

    /// Probability of each pair of losses: rows by attacking units lost, columns by defending units lost, bonus units
    /// among them.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.0.table().into_pyarray(py).reshape(self.shape())
    }

    /// How often each pair of losses came up; `None` if exact.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
        self.0.counts().map(|counts| counts.to_vec().into_pyarray(py).reshape(self.shape())).transpose()
    }

    fn __repr__(&self) -> String {
        let mut text = format!(
            "Odds(method={:?}, attacker_wins={:.6}, defender_wins={:.6}, both_eliminated={:.6}, called_off={:.6}",
            self.method(),
            self.attacker_wins(),
            self.defender_wins(),
            self.both_eliminated(),
            self.called_off()
        );
        if self.samples() > 0 {
            let _ =
                write!(text, ", samples={}, standard_error={:.1e}", self.samples(), self.standard_error());
        }
        text + ")"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        match (self.counts(py)?, self.rounds_total()) {
            (Some(counts), Some(rounds)) => Ok((
                class.getattr("from_counts")?,
                (self.battle(), counts, self.samples(), rounds).into_pyobject(py)?,
            )),
            _ => Ok((
                class.getattr("from_probabilities")?,
                (self.battle(), self.table(py)?, self.rounds_mean()).into_pyobject(py)?,
            )),
        }
    }
}

impl PyOdds {
    fn shape(&self) -> [usize; 2] {
        Role::BOTH.map(|role| self.0.roster(role).sides().len())
    }

    fn left<'py>(&self, py: Python<'py>, role: Role) -> PyResult<Bound<'py, PyDict>> {
        let left = PyDict::new(py);
        for (force, probability) in self.0.left(role) {
            left.set_item(PyForce(force), probability)?;
        }
        Ok(left)
    }
}

/// Odds of many battles at once, as columns. Row `i` is what the same question about battle `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    battles, *, method, samples=None, max_error=1e-4, max_samples=None, seed=None, threads=None, cancel=None
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
fn evaluate_batch<'py>(
    py: Python<'py>,
    battles: &Bound<'py, PyList>,
    method: &Bound<'_, PyAny>,
    samples: Option<&Bound<'_, PyAny>>,
    max_error: f64,
    max_samples: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let samples = argument("samples", samples, MAX_SAMPLES)?;
    let max_samples = samples_from("max_samples", max_samples)?;
    let ask = match text("method", method)?.as_str() {
        "exact" => Ask::Exact { max_states: EXACT_STATE_LIMIT },
        "sampled" => Ask::Sampled { samples },
        "auto" => Ask::Auto { max_error, max_samples },
        other => {
            let wanted = "not \"exact\", \"sampled\" or \"auto\"";
            return Err(CoreError::refused("ArgumentError", "method", &format!("{other:?}"), wanted).into());
        }
    };
    ask.validate().map_err(CoreError::from)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let battle = |(row, item): (usize, Bound<'_, PyAny>)| {
        let battle = item.extract::<PyBattle>();
        battle.map(|battle| battle.0).map_err(|_| wrong_type(&format!("row {row}"), &item, "a Battle"))
    };
    let battles: Vec<Battle> = battles.iter().enumerate().map(battle).collect::<PyResult<_>>()?;
    let columns = watched(py, threads_from(threads)?, cancel, None, |watch| {
        let instruction_set = InstructionSet::best();
        let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
        let rows = ask.evaluate_all(&battles, &run, || watch.report(0, 0));
        Ok(Columns::new(&rows.map_err(|(row, error)| CoreError::from(error).in_row(row))?))
    })?;
    columns.into_python(py)
}

/// The odds of many battles, column by column.
struct Columns {
    rows: usize,
    numbers: [(&'static str, Vec<f64>); 6],
    samples: Vec<u64>,
    tables: [(&'static str, usize, Vec<f64>); 2],
}

impl Columns {
    fn new(rows: &[Odds]) -> Self {
        let column = |value: &dyn Fn(&Odds) -> f64| rows.iter().map(value).collect();
        let end = |end| column(&|odds| odds.probability(end));
        let table = |role, width: usize| {
            let mut flat = vec![0.0; rows.len() * width];
            for (line, odds) in flat.chunks_exact_mut(width).zip(rows) {
                let left = odds.units_left(role);
                line[..left.len()].copy_from_slice(&left);
            }
            flat
        };
        let (attackers, defenders) = (MAX_ATTACKING + 1, MAX_DEFENDING + 1);
        Self {
            rows: rows.len(),
            numbers: [
                ("attacker_wins", end(BattleEnd::Attacker)),
                ("defender_wins", end(BattleEnd::Defender)),
                ("both_eliminated", end(BattleEnd::Nobody)),
                ("called_off", end(BattleEnd::CalledOff)),
                ("standard_error", column(&Odds::standard_error)),
                ("rounds_mean", column(&Odds::rounds_mean)),
            ],
            samples: rows.iter().map(samples_of).collect(),
            tables: [
                ("attacker_units_left", attackers, table(Role::Attacker, attackers)),
                ("defender_units_left", defenders, table(Role::Defender, defenders)),
            ],
        }
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let columns = PyDict::new(py);
        for (name, numbers) in self.numbers {
            columns.set_item(name, numbers.into_pyarray(py))?;
        }
        columns.set_item("samples", self.samples.into_pyarray(py))?;
        for (name, width, flat) in self.tables {
            columns.set_item(name, flat.into_pyarray(py).reshape([self.rows, width])?)?;
        }
        Ok(columns)
    }
}
