//! Python classes of the battle of `swords`.

use std::fmt::Write;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use rayon::prelude::*;
use sengoku_kernel::InstructionSet;
use sengoku_swords::data::{ByUnit, DIE, Fort, Unit};
use sengoku_swords::odds::{
    Ask, AskError, Cancel, Cancelled, EXACT_STATE_LIMIT, MAX_SAMPLES, Method, Odds, StateSpaceError,
    exact_states,
};
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{
    Battle, BattleSetup, BreakOff, Fight, FightStep, Force, LossOrder, MAX_ATTACKERS, MAX_BREAK_OFF_AFTER,
};

use crate::account::{NAMED, account, units};
use crate::args::{Whole, argument, instruction_set, whole};
use crate::errors::{CoreError, wrong_type};
use crate::work::{PyCancel, detached, on_pool};

/// Longest script of dice that is read; no battle comes near it.
const MAX_DICE: usize = 1_000_000;

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
    if let Ok(name) = order.extract::<String>() {
        return [LossOrder::CHEAPEST, LossOrder::HIRED_FIRST]
            .into_iter()
            .find(|order| order.name() == Some(name.as_str()))
            .ok_or_else(|| CoreError::refused("SetupError", field, &format!("{name:?}"), wanted).into());
    }
    let names: Vec<String> =
        order.extract().map_err(|_| wrong_type(field, order, "a name or a sequence of names"))?;
    let kinds: Option<Vec<Unit>> = names.iter().map(|name| Unit::named(name)).collect();
    let order = kinds.and_then(|kinds| LossOrder::new(&kinds));
    Ok(order.ok_or_else(|| CoreError::refused("SetupError", field, &format!("{names:?}"), wanted))?)
}

fn fort_named(fort: Option<&Bound<'_, PyAny>>) -> PyResult<Fort> {
    let Some(fort) = fort else { return Ok(Fort::None) };
    let name: String = fort.extract().map_err(|_| wrong_type("fort", fort, "a name"))?;
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

fn forces(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Force>> {
    if let Ok(force) = given.extract::<PyForce>() {
        return Ok(vec![force.0]);
    }
    let forces = given
        .extract::<Vec<PyForce>>()
        .map_err(|_| wrong_type(name, given, "a Force or a sequence of Forces"))?;
    Ok(forces.into_iter().map(|force| force.0).collect())
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
        let attacker: PyForce =
            attacker.extract().map_err(|_| wrong_type("attacker", attacker, "a Force"))?;
        let setup = BattleSetup {
            attacker: attacker.0,
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
    #[pyo3(signature = (*, max_states=EXACT_STATE_LIMIT))]
    fn exact(&self, py: Python<'_>, max_states: u64) -> PyResult<PyOdds> {
        let best = InstructionSet::best();
        let ask = Ask::Exact { max_states };
        detached(py, || Ok(PyOdds(ask.evaluate(&self.0, 0, best, &Cancel::default(), |_, _| {})?)))
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
        instruction_set: Option<&str>,
    ) -> PyResult<PyOdds> {
        let ask = Ask::Sampled { samples: argument("samples", Some(n), MAX_SAMPLES)? };
        self.evaluate(py, ask, seed, threads, progress, cancel, instruction_set)
    }

    /// The odds: exact if that is affordable, else sampled until the standard error is at most `max_error`.
    #[pyo3(signature = (
        *, max_error=1e-4, max_samples=MAX_SAMPLES, seed=None, threads=None, progress=None, cancel=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
    fn odds(
        &self,
        py: Python<'_>,
        max_error: f64,
        max_samples: u64,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<PyOdds> {
        self.evaluate(py, Ask::Auto { max_error, max_samples }, seed, threads, progress, cancel, None)
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
        set: Option<&str>,
    ) -> PyResult<PyOdds> {
        let seed = argument("seed", seed, u64::MAX)?;
        let threads = argument("threads", threads, u64::MAX)? as usize;
        let set = instruction_set(set)?;
        if matches!(ask, Ask::Auto { .. }) && exact_states(&self.0) <= EXACT_STATE_LIMIT {
            // Microseconds of work are not worth a trip to another thread.
            return detached(py, || {
                Ok(PyOdds(ask.evaluate(&self.0, seed, set, &Cancel::default(), |_, _| {})?))
            });
        }
        on_pool(py, threads, cancel, progress.as_ref(), |watch| {
            let report = |done, total| watch.report(done, total);
            Ok(PyOdds(ask.evaluate(&self.0, seed, set, &watch.cancel, report)?))
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
    fn percentiles(&self, side: &str, percentages: Vec<f64>) -> PyResult<Vec<usize>> {
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

/// Columns of a batch: the widest table of units left is that of the largest side.
const ATTACKER_COLUMNS: usize = 15 + 14 + 1;
const DEFENDER_COLUMNS: usize = 15 + 5 + 18 + 1;

/// Odds of many battles at once, as columns. Row `i` is what the same question about battle `i` alone would say.
#[pyfunction]
#[pyo3(signature = (
    battles, *, method, samples=None, max_error=1e-4, max_samples=MAX_SAMPLES, seed=None, threads=None, cancel=None
))]
#[expect(clippy::too_many_arguments, reason = "the options of a long run")]
fn evaluate_batch<'py>(
    py: Python<'py>,
    battles: Vec<PyBattle>,
    method: &str,
    samples: Option<&Bound<'_, PyAny>>,
    max_error: f64,
    max_samples: u64,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    cancel: Option<&PyCancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let ask = match method {
        "exact" => Ask::Exact { max_states: EXACT_STATE_LIMIT },
        "sampled" => Ask::Sampled { samples: argument("samples", samples, MAX_SAMPLES)? },
        "auto" => Ask::Auto { max_error, max_samples },
        other => {
            let wanted = "not \"exact\", \"sampled\" or \"auto\"";
            return Err(CoreError::refused("ArgumentError", "method", &format!("{other:?}"), wanted).into());
        }
    };
    ask.validate().map_err(CoreError::from)?;
    let seed = argument("seed", seed, u64::MAX)?;
    let threads = argument("threads", threads, u64::MAX)? as usize;
    if method == "exact" {
        // Nothing runs if one of them cannot.
        for (row, battle) in battles.iter().enumerate() {
            let states = exact_states(&battle.0);
            if states > EXACT_STATE_LIMIT {
                let error = StateSpaceError { states, limit: EXACT_STATE_LIMIT };
                return Err(CoreError::from(AskError::from(error)).in_row(row).into());
            }
        }
    }
    let rows: Vec<Odds> = on_pool(py, threads, cancel, None, |watch| {
        let best = InstructionSet::best();
        let row = |(row, battle): (usize, &PyBattle)| {
            if watch.cancel.is_cancelled() {
                return Err(CoreError::from(AskError::from(Cancelled)));
            }
            let odds = ask.evaluate(&battle.0, seed, best, &watch.cancel, |_, _| {});
            odds.map_err(|error| CoreError::from(error).in_row(row))
        };
        battles.par_iter().enumerate().map(row).collect()
    })?;

    let columns = PyDict::new(py);
    for (name, end) in [
        ("attacker_wins", BattleEnd::Attacker),
        ("defender_wins", BattleEnd::Defender),
        ("both_eliminated", BattleEnd::Nobody),
        ("called_off", BattleEnd::CalledOff),
    ] {
        columns.set_item(name, column(py, &rows, |odds| odds.probability(end)))?;
    }
    columns.set_item("standard_error", column(py, &rows, Odds::standard_error))?;
    columns.set_item("rounds_mean", column(py, &rows, Odds::rounds_mean))?;
    let samples: Vec<u64> = rows.iter().map(samples_of).collect();
    columns.set_item("samples", samples.into_pyarray(py))?;
    for (name, role, width) in [
        ("attacker_units_left", Role::Attacker, ATTACKER_COLUMNS),
        ("defender_units_left", Role::Defender, DEFENDER_COLUMNS),
    ] {
        let mut flat = vec![0.0; rows.len() * width];
        for (line, odds) in flat.chunks_exact_mut(width).zip(&rows) {
            let left = odds.units_left(role);
            line[..left.len()].copy_from_slice(&left);
        }
        columns.set_item(name, flat.into_pyarray(py).reshape([rows.len(), width])?)?;
    }
    Ok(columns)
}

fn column<'py>(py: Python<'py>, rows: &[Odds], value: impl Fn(&Odds) -> f64) -> Bound<'py, PyArray1<f64>> {
    rows.iter().map(value).collect::<Vec<f64>>().into_pyarray(py)
}
