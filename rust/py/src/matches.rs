//! `Match` of any game. Tables (setups, states, events) pass as JSON.

use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use sengoku_kernel::Seat;
use sengoku_sim::{
    AnyMatch, Audience, MAX_MESSAGE_LENGTH, MAX_MESSAGES, MAX_MESSAGES_BETWEEN, MatchKey, Scripts,
    create_match, load_match, match_from_replay,
};

use crate::args::{argument, text};
use crate::errors::CoreError;
use crate::games::list_games;
use crate::match_values::{dice_from, outcome_row, seats_from, setup_from};
use crate::work::detached;

/// Adds what matches need to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MAX_MESSAGE_LENGTH", MAX_MESSAGE_LENGTH)?;
    module.add("MAX_MESSAGES", MAX_MESSAGES)?;
    module.add("MAX_MESSAGES_BETWEEN", MAX_MESSAGES_BETWEEN)?;
    module.add_class::<PyMatch>()?;
    module.add_function(wrap_pyfunction!(list_games, module)?)
}

/// A match of any game.
#[pyclass(name = "Match", module = "sengoku._core", frozen)]
pub(crate) struct PyMatch(pub(crate) Mutex<Box<dyn AnyMatch>>);

impl PyMatch {
    pub(crate) fn new(playing: Box<dyn AnyMatch>) -> Self {
        Self(Mutex::new(playing))
    }

    /// Works with the match outside the interpreter lock, so that no thread waits for one lock while it has the other.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyMatch) -> Result<T, CoreError> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            // A play that panics has not moved the match, so what a poisoned lock holds is sound.
            let mut playing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            work(playing.as_mut())
        })
    }

    pub(crate) fn get<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&dyn AnyMatch) -> T + Send,
    ) -> PyResult<T> {
        self.with(py, |playing| Ok(look(playing)))
    }

    /// A seat at this table.
    fn seat(&self, py: Python<'_>, seat: &Bound<'_, PyAny>) -> PyResult<Seat> {
        let seats = self.seats(py)?;
        Ok(Seat(argument("seat", Some(seat), seats as u64 - 1)? as u8))
    }

    /// A seat at this table.
    fn any_seat(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Seat>> {
        seat.map(|seat| self.seat(py, seat)).transpose()
    }

    /// Who looks: a seat at this table, "public" for a spectator, or nobody for everything.
    pub(crate) fn viewer(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Seat>> {
        match seat {
            Some(name) if name.cast::<PyString>().is_ok_and(|name| name == "public") => {
                Ok(Some(Seat::SPECTATOR))
            }
            _ => self.any_seat(py, seat),
        }
    }
}

#[pymethods]
impl PyMatch {
    /// A match before its first decision.
    #[staticmethod]
    #[pyo3(signature = (game, *, seats, seed=None, match_index=None, setup="{}", dice=None, scripts=None))]
    #[expect(clippy::too_many_arguments, reason = "everything that a match depends on")]
    fn create(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        seats: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        match_index: Option<&Bound<'_, PyAny>>,
        setup: &str,
        dice: Option<&Bound<'_, PyAny>>,
        scripts: Option<&str>,
    ) -> PyResult<Self> {
        let game = text("game", game)?;
        let seats = seats_from(seats)?;
        let seed = argument("seed", seed, u64::MAX)?;
        let match_index = argument("match_index", match_index, u64::MAX)?;
        let dice = dice_from(dice)?;
        detached(py, || {
            let key = MatchKey { seats, setup: setup_from(setup)?, seed, match_index };
            let scripts = match scripts {
                Some(scripts) => serde_json::from_str(scripts).map_err(|error| {
                    CoreError::refused("ArgumentError", "scripts", &"not readable", &error.to_string())
                })?,
                None => Scripts::default(),
            };
            Ok(Self::new(create_match(&game, key, Scripts { dice, ..scripts })?))
        })
    }

    /// The match that `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        detached(py, || Ok(Self::new(load_match(data)?)))
    }

    /// The match of a replay.
    #[staticmethod]
    fn from_replay(py: Python<'_>, text: &str) -> PyResult<Self> {
        detached(py, || Ok(Self::new(match_from_replay(text)?)))
    }

    /// Name of the game.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.get(py, |playing| playing.game().name)
    }

    /// Seats at the table.
    #[getter]
    fn seats(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |playing| playing.key().seats)
    }

    /// Seed of all chance.
    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |playing| playing.key().seed)
    }

    /// Number of the match under its seed.
    #[getter]
    fn match_index(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |playing| playing.key().match_index)
    }

    /// Options of the game as they were given, as JSON.
    #[getter]
    fn setup(&self, py: Python<'_>) -> PyResult<String> {
        self.get(py, |playing| playing.key().setup.to_string())
    }

    /// Seat that decides next, or None once the match is over.
    #[getter]
    fn to_act(&self, py: Python<'_>) -> PyResult<Option<u8>> {
        self.get(py, |playing| playing.to_act().map(|seat| seat.0))
    }

    /// Decisions taken.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |playing| playing.history().len())
    }

    /// Index of every action played.
    #[getter]
    fn history(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.get(py, |playing| playing.history().to_vec())
    }

    /// Dice of the script that are not used yet, or None without a script.
    #[getter]
    fn dice_left(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.get(py, |playing| playing.dice_left())
    }

    /// What of each script is not used yet, by name; only what is scripted.
    #[getter]
    fn scripts_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let left = self.get(py, |playing| playing.scripts_left())?;
        let row = PyDict::new(py);
        for (name, left) in left {
            if let Some(left) = left {
                row.set_item(name, left)?;
            }
        }
        Ok(row)
    }

    /// 64 bits that tell states apart.
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<u64> {
        self.get(py, |playing| playing.digest())
    }

    /// Counts the sequences of legal decisions of this length; None once there are more than `limit`.
    fn count_sequences(&self, py: Python<'_>, length: u8, limit: u64) -> PyResult<Option<u64>> {
        self.get(py, |playing| playing.count_sequences(length.into(), limit))
    }

    /// How the match ended, as a dict, or None before.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let found = self.get(py, |playing| Some((playing.outcome()?, playing.account().to_string())))?;
        found.map(|(outcome, details)| outcome_row(py, outcome, &details)).transpose()
    }

    /// Indices of the legal actions, ascending.
    fn legal_indices(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.get(py, |playing| playing.legal_indices())
    }

    /// The legal actions in words, as JSON.
    fn legal_texts(&self, py: Python<'_>) -> PyResult<String> {
        self.get(py, |playing| {
            serde_json::to_string(&playing.legal_texts()).expect("actions are names and numbers")
        })
    }

    /// Which actions of the table are legal.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mask = self.get(py, |playing| {
            let mut mask = vec![false; playing.game().action_count as usize];
            playing.legal_mask(&mut mask);
            mask
        })?;
        Ok(mask.into_pyarray(py))
    }

    /// Plays the action of an index, in the name of a seat if one is given.
    #[pyo3(signature = (index, seat=None))]
    fn play(
        &self,
        py: Python<'_>,
        index: &Bound<'_, PyAny>,
        seat: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let seat = self.any_seat(py, seat)?;
        let number = crate::args::Whole::new("action", index)?;
        let Some(index) = number.at_most(u32::MAX.into()) else {
            let count = self.get(py, |playing| playing.game().action_count)?;
            let wanted = format!("0 to {} are possible", count - 1);
            return Err(CoreError::refused("ArgumentError", "action", &number, &wanted).into());
        };
        self.with(py, |playing| {
            let played = match seat {
                Some(seat) => playing.play_as(seat, index as u32),
                None => playing.play_index(index as u32),
            };
            Ok(played?)
        })
    }

    /// Assigns a built-in bot to a seat from now on; None removes it.
    #[pyo3(signature = (seat, name))]
    fn seat_bot(
        &self,
        py: Python<'_>,
        seat: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let seat = self.seat(py, seat)?;
        let name = name.map(|name| text("name", name)).transpose()?;
        self.with(py, |playing| Ok(playing.seat_bot(seat, name.as_deref())?))
    }

    /// Everything, or only what a seat may see, as JSON.
    #[pyo3(signature = (seat=None))]
    fn describe(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let viewer = self.viewer(py, seat)?;
        self.get(py, |playing| playing.describe(viewer).to_string())
    }

    /// The observation of a seat, as an array of bytes.
    fn observe<'py>(&self, py: Python<'py>, seat: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat(py, seat)?;
        let seen = self.get(py, |playing| {
            let mut seen = vec![0; playing.game().observation_size];
            playing.observe(seat, &mut seen);
            seen
        })?;
        Ok(seen.into_pyarray(py))
    }

    /// How far the score of each seat is ahead of the mean of all others, as far as everybody knows it.
    fn leads(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        self.get(py, |playing| {
            let mut leads = vec![0.0; playing.key().seats];
            playing.leads(&mut leads);
            leads
        })
    }

    /// A picture of the board in SVG: everything, or what a seat may see.
    #[pyo3(signature = (seat=None))]
    fn picture(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let viewer = self.viewer(py, seat)?;
        self.get(py, |playing| playing.picture(viewer))
    }

    /// The board for a terminal: lines of pairs of text and style, as JSON.
    #[pyo3(signature = (seat=None))]
    fn sketch(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let viewer = self.viewer(py, seat)?;
        self.get(py, |playing| playing.sketch(viewer).to_json())
    }

    /// The events from number `first` on, as JSON.
    fn events(&self, py: Python<'_>, first: usize) -> PyResult<String> {
        self.get(py, |playing| playing.events(first).to_string())
    }

    /// The story of the decisions from `first` to `last`, 0 for what happened before the first one: lines as JSON.
    #[pyo3(signature = (first, last=None, seat=None, long=false))]
    fn story(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        last: Option<&Bound<'_, PyAny>>,
        seat: Option<&Bound<'_, PyAny>>,
        long: bool,
    ) -> PyResult<String> {
        let first = argument("since", Some(first), u32::MAX.into())? as usize;
        let last = match last {
            Some(last) => argument("until", Some(last), u32::MAX.into())? as usize,
            None => usize::MAX,
        };
        let viewer = self.viewer(py, seat)?;
        self.get(py, |playing| playing.story(first..=last, viewer, long).to_string())
    }

    /// Says something in the name of a seat: a table as JSON. Returns the number of the message for that seat.
    fn say(&self, py: Python<'_>, said: &str) -> PyResult<usize> {
        self.with(py, |playing| {
            let said = serde_json::from_str(said).map_err(|error| {
                CoreError::refused("ArgumentError", "said", &"not readable", &error.to_string())
            })?;
            Ok(playing.say(said)?)
        })
    }

    /// The messages behind number `since` as JSON: those of a seat, of the public, or all there are.
    #[pyo3(signature = (seat=None, since=0))]
    fn messages(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>, since: usize) -> PyResult<String> {
        let audience = self.viewer(py, seat)?.map_or(Audience::Everything, Audience::Seat);
        self.get(py, |playing| playing.messages(audience, since).to_string())
    }

    /// How many messages a seat has said, and how many of them since the last decision.
    fn messages_said(&self, py: Python<'_>, seat: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let seat = self.seat(py, seat)?;
        self.get(py, |playing| playing.messages_said(seat))
    }

    /// Playouts of a decision where an analysis is asked for no other number.
    #[getter]
    fn playouts(&self, py: Python<'_>) -> PyResult<u32> {
        self.get(py, |playing| playing.playouts())
    }

    /// What a hit and what a loss is, where an analysis counts them.
    #[getter]
    fn counted(&self, py: Python<'_>) -> PyResult<[&'static str; 2]> {
        self.get(py, |playing| playing.counted())
    }

    /// The match as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.get(py, |playing| playing.save())?))
    }

    /// The match as a text.
    fn replay(&self, py: Python<'_>) -> PyResult<String> {
        self.get(py, |playing| playing.replay())
    }

    /// A match that a seat cannot tell from this one, with what it may not see drawn anew.
    #[pyo3(signature = (seat, seed=None))]
    fn resample(
        &self,
        py: Python<'_>,
        seat: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let seat = self.seat(py, seat)?;
        let seed = argument("seed", seed, u64::MAX)?;
        self.with(py, |playing| Ok(Self::new(playing.resample(seat, seed)?)))
    }

    /// A copy that goes its own way.
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        self.get(py, |playing| Self::new(playing.boxed_clone()))
    }
}
