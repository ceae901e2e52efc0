//! Questions that have odds: how they are asked from Python, one or many.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sengoku_kernel::InstructionSet;
use sengoku_kernel::odds::{Answer, Ask, MAX_SAMPLES, OddsOf, Question, Run};

use crate::args::{argument, instruction_set, items, samples as samples_from, text, threads};
use crate::errors::{CoreError, wrong_type};
use crate::work::{PyCancel, Threads, caught, detached, watched};

/// Most percentiles of one call.
const MAX_PERCENTAGES: usize = 10_000;

/// States that are visited in less time than it takes to leave the interpreter lock and to get it back.
const TINY_STATES: u64 = 500;

/// The options of a question as they were given.
#[derive(Default)]
pub(crate) struct Options<'a, 'py> {
    pub(crate) seed: Option<&'a Bound<'py, PyAny>>,
    pub(crate) threads: Option<&'a Bound<'py, PyAny>>,
    pub(crate) progress: Option<Py<PyAny>>,
    pub(crate) cancel: Option<&'a PyCancel>,
    pub(crate) instruction_set: Option<&'a Bound<'py, PyAny>>,
    pub(crate) background: bool,
}

impl Options<'_, '_> {
    fn threads(&self) -> PyResult<Threads> {
        Ok(Threads { count: threads(self.threads)?, background: self.background })
    }
}

/// Finds the odds of one question.
pub(crate) fn evaluate<Q: Question>(
    py: Python<'_>,
    question: &Q,
    ask: Ask,
    options: &Options<'_, '_>,
) -> PyResult<OddsOf<Q>> {
    let (seed, threads) = (argument("seed", options.seed, u64::MAX)?, options.threads()?);
    let instruction_set = instruction_set(options.instruction_set)?;
    if ask.is_short(question) {
        // Microseconds of work are not worth a pool.
        let cancel = options.cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
        let work = || {
            let run = Run { seed, instruction_set, cancel: &cancel, pool: None };
            Ok(ask.evaluate(question, &run, |_, _| {})?)
        };
        // Work that may pause must not hold the interpreter lock meanwhile.
        let tiny = !matches!(ask, Ask::Sampled { .. })
            && question.states() <= TINY_STATES
            && !options.cancel.is_some_and(|cancel| cancel.0.is_pausable());
        return if tiny { caught(work) } else { detached(py, work) };
    }
    watched(py, threads, options.cancel, options.progress.as_ref(), |watch| {
        let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
        Ok(ask.evaluate(question, &run, |done, total| watch.report(done, total))?)
    })
}

/// How the rows of a batch are to be answered: a method by name, and what it needs.
pub(crate) struct Batch<'a, 'py> {
    pub(crate) method: &'a Bound<'py, PyAny>,
    pub(crate) samples: Option<&'a Bound<'py, PyAny>>,
    pub(crate) max_error: f64,
    pub(crate) max_samples: Option<&'a Bound<'py, PyAny>>,
    pub(crate) options: Options<'a, 'py>,
}

impl Batch<'_, '_> {
    fn ask<Q: Question>(&self) -> PyResult<Ask> {
        let samples = argument("samples", self.samples, MAX_SAMPLES)?;
        let max_samples = samples_from("max_samples", self.max_samples)?;
        let (max_states, max_error) = (Q::EXACT_STATE_LIMIT, self.max_error);
        let ask = match text("method", self.method)?.as_str() {
            "exact" => Ask::Exact { max_states },
            "sampled" => Ask::Sampled { samples },
            "auto" => Ask::Auto { max_error, max_samples },
            other => {
                let wanted = "not \"exact\", \"sampled\" or \"auto\"";
                return Err(
                    CoreError::refused("ArgumentError", "method", &format!("{other:?}"), wanted).into()
                );
            }
        };
        ask.validate().map_err(CoreError::from)?;
        Ok(ask)
    }

    /// Finds the odds of many questions, as columns: `read` makes each question from its row, `add_columns` adds to the columns
    /// what the game has to say of the answers.
    pub(crate) fn evaluate<'py, Q: Question + Send>(
        &self,
        rows: &Bound<'py, PyList>,
        wanted: &str,
        read: impl Fn(&Bound<'py, PyAny>) -> PyResult<Q>,
        add_columns: impl FnOnce(&mut Columns<'_, OddsOf<Q>>) + Send,
    ) -> PyResult<Bound<'py, PyDict>> {
        let ask = self.ask::<Q>()?;
        let seed = argument("seed", self.options.seed, u64::MAX)?;
        let question = |(row, item): (usize, Bound<'py, PyAny>)| {
            read(&item).map_err(|_| wrong_type(&format!("row {row}"), &item, wanted))
        };
        let questions: Vec<Q> = rows.iter().enumerate().map(question).collect::<PyResult<_>>()?;
        let py = rows.py();
        let (numbers, samples, tables) =
            watched(py, self.options.threads()?, self.options.cancel, None, |watch| {
                let instruction_set = InstructionSet::best();
                let run = Run { seed, instruction_set, cancel: watch.cancel, pool: Some(watch.pool) };
                let answers = ask.evaluate_all(&questions, &run, || watch.report(0, 0));
                let answers = answers.map_err(|(row, error)| CoreError::from(error).in_row(row))?;
                let mut columns = Columns { answers: &answers, numbers: Vec::new(), tables: Vec::new() };
                add_columns(&mut columns);
                columns.number("standard_error", Answer::standard_error);
                let samples: Vec<u64> = answers.iter().map(|odds| odds.sample_size().unwrap_or(0)).collect();
                Ok((columns.numbers, samples, columns.tables))
            })?;
        let dict = PyDict::new(py);
        for (name, column) in numbers {
            dict.set_item(name, column.into_pyarray(py))?;
        }
        dict.set_item("samples", samples.into_pyarray(py))?;
        for (name, width, flat) in tables {
            dict.set_item(name, flat.into_pyarray(py).reshape([questions.len(), width])?)?;
        }
        Ok(dict)
    }
}

/// How odds were found, in a word.
pub(crate) fn method(odds: &impl Answer) -> &'static str {
    if odds.sample_size().is_some() { "sampled" } else { "exact" }
}

/// An answer as Python shows it: how it was found, its probabilities, and how certain a sampled one is.
pub(crate) fn repr<'a>(
    class: &str,
    odds: &impl Answer,
    probabilities: impl Iterator<Item = (&'a str, f64)>,
) -> String {
    let mut parts = vec![format!("method={:?}", method(odds))];
    parts.extend(probabilities.map(|(name, probability)| format!("{name}={probability:.6}")));
    if let Some(samples) = odds.sample_size() {
        parts.push(format!("samples={samples}, standard_error={:.1e}", odds.standard_error()));
    }
    format!("{class}({})", parts.join(", "))
}

/// Many answers as columns.
pub(crate) struct Columns<'a, O> {
    pub(crate) answers: &'a [O],
    numbers: Vec<(&'static str, Vec<f64>)>,
    tables: Vec<(&'static str, usize, Vec<f64>)>,
}

impl<O> Columns<'_, O> {
    /// A number for each row.
    pub(crate) fn number(&mut self, name: &'static str, value: impl Fn(&O) -> f64) {
        self.numbers.push((name, self.answers.iter().map(value).collect()));
    }

    /// Numbers for each row, as many as the widest can have; shorter ones end in zeros.
    pub(crate) fn table(&mut self, name: &'static str, width: usize, values: impl Fn(&O) -> Vec<f64>) {
        let mut flat = vec![0.0; self.answers.len() * width];
        for (line, values) in flat.chunks_exact_mut(width).zip(self.answers.iter().map(values)) {
            line[..values.len()].copy_from_slice(&values);
        }
        self.tables.push((name, width, flat));
    }
}

/// A side by name: the attacker or the defender of a game.
pub(crate) fn side<S: Copy>(value: &Bound<'_, PyAny>, attacker: S, defender: S) -> PyResult<S> {
    match text("side", value)?.as_str() {
        "attacker" => Ok(attacker),
        "defender" => Ok(defender),
        name => {
            let wanted = "not \"attacker\" or \"defender\"";
            Err(CoreError::refused("ArgumentError", "side", &format!("{name:?}"), wanted).into())
        }
    }
}

/// Chances in percent.
pub(crate) fn percentages(value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let refused = |field: &str, value: &dyn std::fmt::Display, wanted: &str| {
        PyErr::from(CoreError::refused("ArgumentError", field, &value, wanted))
    };
    let items = items("percentages", value, MAX_PERCENTAGES, "a sequence of numbers")?;
    if items.len() > MAX_PERCENTAGES {
        let wanted = format!("at most {MAX_PERCENTAGES} are possible");
        return Err(refused("percentages", &"longer", &wanted));
    }
    let number = |item: &Bound<'_, PyAny>| {
        let number: f64 = item.extract().map_err(|_| wrong_type("percentages", item, "a number"))?;
        let fits = (0.0..=100.0).contains(&number);
        if fits { Ok(number) } else { Err(refused("percentage", &number, "0 to 100 are possible")) }
    };
    items.iter().map(number).collect()
}
