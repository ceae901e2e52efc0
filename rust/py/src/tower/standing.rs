//! What stands behind a `CubeTower`: a tower of one of the models, saved and loaded.

use pyo3::prelude::*;
use sengoku_kernel::{DecodeError, Reader, Writer};
use sengoku_tower::data::Cubes;

use super::cubes::check_box;
use super::rigid::Rigid;
use super::shelves::{Shelves, check_draws};
use crate::args::text;
use crate::errors::CoreError;

const TAG: &str = "SGKT";
const VERSION: u32 = 1;

/// A model of the tower. Its number is that in saved bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    Shelves,
    Rigid,
}

impl Model {
    /// All there are, by their numbers.
    pub(super) const ALL: [Self; 2] = [Self::Shelves, Self::Rigid];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Shelves => "shelves",
            Self::Rigid => "rigid",
        }
    }

    /// A model by its name, the first if not given; one that there is not is refused.
    pub(super) fn new(model: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(model) = model else { return Ok(Self::Shelves) };
        let name = text("model", model)?;
        let found = Self::ALL.into_iter().find(|model| model.name() == name);
        Ok(found.ok_or_else(|| {
            let wanted = format!("there is {}", Self::ALL.map(Self::name).join(", "));
            CoreError::refused("ArgumentError", "model", &format!("{name:?}"), &wanted)
        })?)
    }
}

/// A tower of one of the models.
#[derive(Clone)]
pub(super) enum Standing {
    Shelves(Box<Shelves>),
    Rigid(Rigid),
}

impl Standing {
    pub(super) const fn model(&self) -> Model {
        match self {
            Self::Shelves(_) => Model::Shelves,
            Self::Rigid(_) => Model::Rigid,
        }
    }

    pub(super) fn contents(&self) -> Cubes {
        match self {
            Self::Shelves(shelves) => shelves.contents(),
            Self::Rigid(rigid) => Cubes(rigid.tower.contents()),
        }
    }

    pub(super) fn shelves(&self) -> Vec<Vec<usize>> {
        match self {
            Self::Shelves(shelves) => shelves.shelves(),
            Self::Rigid(rigid) => rigid.shelves(),
        }
    }

    pub(super) const fn seed(&self) -> u64 {
        match self {
            Self::Shelves(shelves) => shelves.seed,
            Self::Rigid(rigid) => rigid.tower.seed(),
        }
    }

    pub(super) const fn match_index(&self) -> u64 {
        match self {
            Self::Shelves(shelves) => shelves.match_index,
            Self::Rigid(rigid) => rigid.tower.match_index(),
        }
    }

    pub(super) const fn draws(&self) -> u32 {
        match self {
            Self::Shelves(shelves) => shelves.draws,
            Self::Rigid(rigid) => rigid.tower.draws(),
        }
    }

    pub(super) fn throws(&self) -> u64 {
        match self {
            Self::Shelves(shelves) => shelves.throws,
            Self::Rigid(rigid) => rigid.tower.throws().into(),
        }
    }

    /// Refuses cubes that cannot be thrown, and a tower that cannot go on for ever.
    pub(super) fn check_throw(&self, thrown: &Cubes) -> Result<(), CoreError> {
        if thrown.total() == 0 {
            return Err(CoreError::refused("ArgumentError", "cubes", &"{}", "a throw has at least one cube"));
        }
        check_box("cubes", thrown, &self.contents())?;
        self.check()
    }

    pub(super) fn check(&self) -> Result<(), CoreError> {
        match self {
            Self::Shelves(shelves) => check_draws(shelves.draws),
            Self::Rigid(rigid) => rigid.check(),
        }
    }

    pub(super) fn save(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, VERSION);
        writer.u8(self.model() as u8);
        match self {
            Self::Shelves(shelves) => shelves.encode(&mut writer),
            Self::Rigid(rigid) => rigid.encode(&mut writer),
        }
        writer.finish()
    }

    pub(super) fn load(data: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(data, TAG, VERSION)?;
        let standing = match Model::ALL[usize::from(reader.at_most("model", Model::ALL.len() as u8 - 1)?)] {
            Model::Shelves => Self::Shelves(Box::new(Shelves::decode(&mut reader)?)),
            Model::Rigid => Self::Rigid(Rigid::decode(&mut reader)?),
        };
        reader.finish()?;
        if check_box("tower", &standing.contents(), &Cubes::NONE).is_err() {
            let reason = "more cubes of a colour than there are".into();
            return Err(DecodeError::Inconsistent { field: "tower", reason });
        }
        Ok(standing)
    }
}
