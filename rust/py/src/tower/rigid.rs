//! A tower of rigid bodies, what it is built like, and films of its throws.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sengoku_kernel::{DecodeError, Reader, SetupError, Writer, read_setup};
use sengoku_tower::data::{COLOURS, Cubes};
use sengoku_tower_physics::{Colour, Film, Geometry, Part, RigidTower, Scene, Statistics, Throw, in_order};

use super::shelves::check_draws;
use crate::errors::CoreError;
use crate::work::Watch;

/// Steps of a throw between two looks at signals: some hundredths of a second.
const STEPS_PER_LOOK: u32 = 256;

/// The geometry of a tower: the text of its file or of a table in JSON, and its parsed form.
#[derive(Clone)]
pub(super) struct Build {
    /// Nothing is the first tower of the crate, and a name is that one of its towers.
    text: Option<Arc<str>>,
    pub(super) geometry: Arc<Geometry>,
}

impl Default for Build {
    fn default() -> Self {
        Self { text: None, geometry: Geometry::standard() }
    }
}

impl Build {
    /// A tower of the crate.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(Self { text: Some(name.into()), geometry: Geometry::named(name)? })
    }

    /// Reads the text of a file, or a table in JSON, or the name of a tower of the crate.
    pub(super) fn read(text: &str) -> Result<Self, SetupError> {
        if let Some(named) = Self::named(text) {
            return Ok(named);
        }
        let geometry = if text.starts_with('{') {
            let table = serde_json::from_str(text).map_err(|error| SetupError::new("", error.to_string()))?;
            let geometry: Geometry = read_setup(&table)?;
            geometry.check()?;
            geometry
        } else {
            Geometry::parse(text)?
        };
        Ok(Self { text: Some(text.into()), geometry: Arc::new(geometry) })
    }

    /// The numbers as a table.
    pub(super) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let text = self.text.as_deref().unwrap_or(Geometry::NAMES[0]);
        let text = Geometry::text_of(text).unwrap_or(text);
        let module = if text.starts_with('{') { "json" } else { "tomllib" };
        Ok(py.import(module)?.call_method1("loads", (text,))?.cast_into()?)
    }
}

#[derive(Clone)]
pub(super) struct Rigid {
    pub(super) build: Build,
    pub(super) tower: RigidTower,
    pub(super) last: Option<Statistics>,
}

/// Whether a throw may go on, asked after each step: until the flag is raised or a signal wants something else.
fn keep_going<'a>(watch: Option<&'a Watch<'a>>) -> impl FnMut() -> bool + 'a {
    let mut steps = 0_u32;
    move || {
        let Some(watch) = watch else { return true };
        steps = steps.wrapping_add(1);
        if steps.is_multiple_of(STEPS_PER_LOOK) {
            watch.report(0, 0);
        }
        !watch.cancel.is_cancelled()
    }
}

impl Rigid {
    pub(super) fn new(
        build: Build,
        seed: u64,
        match_index: u64,
        contents: &Cubes,
        watch: Option<&Watch>,
    ) -> Result<Self, CoreError> {
        let geometry = Arc::clone(&build.geometry);
        let tower = RigidTower::holding_while(geometry, seed, match_index, &contents.0, keep_going(watch))??;
        Ok(Self { build, tower, last: None })
    }

    pub(super) fn check(&self) -> Result<(), CoreError> {
        if self.tower.throws() == u32::MAX {
            let wanted = "no more are possible";
            return Err(CoreError::refused("LimitError", "throws", &self.tower.throws(), wanted));
        }
        check_draws(self.tower.draws())
    }

    pub(super) fn throw(&mut self, thrown: &Cubes, watch: Option<&Watch>) -> Result<Cubes, CoreError> {
        let throw = self.tower.throw_while(&in_order(&thrown.0), keep_going(watch))?;
        self.last = Some(throw.statistics);
        Ok(Cubes(throw.counts()))
    }

    /// Throws, and records all cubes this many times in a second.
    pub(super) fn film(
        &mut self,
        thrown: &Cubes,
        frames_per_second: u32,
        watch: Option<&Watch>,
    ) -> Result<Recording, CoreError> {
        let every = (self.build.geometry.simulation.steps_per_second / frames_per_second).max(1);
        let inside = self.tower.content();
        let hand = in_order(&thrown.0);
        let (throw, film) = self.tower.throw_recorded_while(&hand, every, keep_going(watch))?;
        self.last = Some(throw.statistics);
        Ok(Recording { throw, film, inside, scene: self.build.geometry.scene() })
    }

    /// Cubes on each plate or board and below, as numbers of colours.
    pub(super) fn shelves(&self) -> Vec<Vec<usize>> {
        let numbers = |level: Vec<Colour>| level.into_iter().map(Colour::index).collect();
        self.tower.by_level().into_iter().map(numbers).collect()
    }

    pub(super) fn encode(&self, writer: &mut Writer) {
        for part in [self.build.text.as_deref().unwrap_or_default().as_bytes(), &self.tower.save()] {
            writer.u32(part.len() as u32);
            writer.bytes(part);
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut part = || {
            let length = reader.u32()?;
            reader.bytes(length as usize)
        };
        let (text, tower) = (part()?, part()?);
        let wrong = |reason: String| DecodeError::Inconsistent { field: "parameters", reason };
        let build = if text.is_empty() {
            Build::default()
        } else {
            let text = str::from_utf8(text).map_err(|error| wrong(error.to_string()))?;
            Build::read(text).map_err(|error| wrong(error.to_string()))?
        };
        let tower = RigidTower::load(Arc::clone(&build.geometry), tower)?;
        Ok(Self { build, tower, last: None })
    }
}

/// How a throw went, as a dict.
pub(super) fn statistics_to_dict<'py>(
    py: Python<'py>,
    statistics: &Statistics,
) -> PyResult<Bound<'py, PyDict>> {
    let Statistics {
        steps,
        seconds,
        pushes,
        timed_out,
        deepest_mm,
        deepest_at_rest_mm,
        energy_growth_microjoules,
        energy_lost_microjoules,
        escaped,
        shake_mm,
        shake_work_microjoules,
    } = *statistics;
    let dict = PyDict::new(py);
    dict.set_item("steps", steps)?;
    dict.set_item("seconds", seconds)?;
    dict.set_item("pushes", pushes)?;
    dict.set_item("timed_out", timed_out)?;
    dict.set_item("deepest_mm", deepest_mm)?;
    dict.set_item("deepest_at_rest_mm", deepest_at_rest_mm)?;
    dict.set_item("energy_growth_microjoules", energy_growth_microjoules)?;
    dict.set_item("energy_lost_microjoules", energy_lost_microjoules)?;
    dict.set_item("escaped", escaped)?;
    dict.set_item("shake_mm", shake_mm)?;
    dict.set_item("shake_work_microjoules", shake_work_microjoules)?;
    Ok(dict)
}

/// A throw that was recorded.
pub(super) struct Recording {
    pub(super) throw: Throw,
    film: Film,
    /// Cubes that were inside before.
    inside: usize,
    scene: Scene,
}

impl Recording {
    /// The recording as arrays: frames by cubes, and the boxes of the scene.
    pub(super) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let frames = &self.film.frames;
        // Cubes only come: the last frame has them all.
        let all = frames.last().map_or(&[][..], |last| &last.cubes);
        let (rows, cubes) = (frames.len(), all.len());
        // What is still in the hand is nowhere.
        let (mut centre, mut rotation) = (vec![f32::NAN; rows * cubes * 3], vec![f32::NAN; rows * cubes * 4]);
        for (row, frame) in frames.iter().enumerate() {
            for pose in &frame.cubes {
                let place = row * cubes + pose.cube as usize;
                centre[place * 3..][..3].copy_from_slice(&pose.centre_mm);
                rotation[place * 4..][..4].copy_from_slice(&pose.rotation);
            }
        }
        let dict = PyDict::new(py);
        dict.set_item(
            "seconds",
            frames.iter().map(|frame| frame.seconds).collect::<Vec<_>>().into_pyarray(py),
        )?;
        let shift: Vec<f32> = frames.iter().flat_map(|frame| frame.shift_mm).collect();
        dict.set_item("shift", shift.into_pyarray(py).reshape([rows, 3])?)?;
        dict.set_item("centre", centre.into_pyarray(py).reshape([rows, cubes, 3])?)?;
        dict.set_item("rotation", rotation.into_pyarray(py).reshape([rows, cubes, 4])?)?;
        dict.set_item("edge", all.iter().map(|pose| pose.edge_mm).collect::<Vec<_>>().into_pyarray(py))?;
        let colours: Vec<u8> = all.iter().map(|pose| pose.colour.index() as u8).collect();
        dict.set_item("colour", colours.into_pyarray(py))?;
        let thrown: Vec<bool> = (0..cubes).map(|cube| cube >= self.inside).collect();
        dict.set_item("thrown", thrown.into_pyarray(py))?;
        let boxes = &self.scene.boxes;
        let numbers =
            |value: &dyn Fn(usize) -> Vec<f64>| (0..boxes.len()).flat_map(value).collect::<Vec<f64>>();
        for (name, width, column) in [
            ("box_centre", 3, numbers(&|place| boxes[place].centre_mm.to_vec())),
            ("box_half", 3, numbers(&|place| boxes[place].half_mm.to_vec())),
            ("box_rotation", 4, numbers(&|place| boxes[place].rotation.to_vec())),
        ] {
            dict.set_item(name, column.into_pyarray(py).reshape([boxes.len(), width])?)?;
        }
        dict.set_item("box_part", boxes.iter().map(|fixed| part_name(fixed.part)).collect::<Vec<_>>())?;
        dict.set_item("window_x", self.scene.window_x_mm)?;
        Ok(dict)
    }
}

const fn part_name(part: Part) -> &'static str {
    match part {
        Part::Shaft => "shaft",
        Part::Front => "front",
        Part::Funnel => "funnel",
        Part::UpperPlate => "upper_plate",
        Part::LowerPlate => "lower_plate",
        Part::Board => "board",
        Part::Ramp => "ramp",
        Part::Tray => "tray",
        Part::Guard => "guard",
    }
}

const _: () = assert!(COLOURS == sengoku_tower_physics::COLOURS); // the same colours in the same order
