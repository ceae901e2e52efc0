//! A tower of the fast model and its place in its stream.

use sengoku_kernel::cube_tower::{self, Colour, CubeTower, Loader, Parameters};
use sengoku_kernel::{DecodeError, Purpose, Reader, Stream, Writer};
use sengoku_tower::bulk::MAX_DRAWS;
use sengoku_tower::data::{COLOURS, Cubes};

use crate::errors::CoreError;

#[derive(Clone)]
pub(super) struct Shelves {
    pub(super) parameters: Parameters,
    pub(super) seed: u64,
    pub(super) match_index: u64,
    pub(super) draws: u32,
    pub(super) throws: u64,
    pub(super) tower: CubeTower,
}

impl Shelves {
    pub(super) fn new(
        parameters: Parameters,
        seed: u64,
        match_index: u64,
        contents: &Cubes,
    ) -> Result<Self, CoreError> {
        let loader = Loader::new(&parameters, &contents.0)?;
        let mut draws = 0;
        let tower = loader.load(&mut draws, &mut Stream::new(seed, Purpose::Tower, match_index));
        Ok(Self { parameters, seed, match_index, draws, throws: 0, tower })
    }

    pub(super) fn contents(&self) -> Cubes {
        Cubes(self.tower.contents())
    }

    pub(super) fn throw(&mut self, thrown: &Cubes) -> Cubes {
        let mut tray = cube_tower::Cubes::new();
        let mut chance = Stream::new(self.seed, Purpose::Tower, self.match_index);
        let Self { parameters, tower, draws, .. } = self;
        tower.throw(parameters, &mut thrown.heap(), draws, &mut chance, &mut tray);
        self.throws += 1;
        Cubes::count(&tray)
    }

    pub(super) fn bump(&mut self, threshold: u32) -> Option<Colour> {
        let mut chance = Stream::new(self.seed, Purpose::Tower, self.match_index);
        self.tower.bump(threshold, &mut self.draws, &mut chance)
    }

    /// Cubes on each shelf, as numbers of colours.
    pub(super) fn shelves(&self) -> Vec<Vec<usize>> {
        let shelf = |number| self.tower.shelf(number).iter().map(|colour| usize::from(colour.0)).collect();
        (0..self.parameters.shelves().len()).map(shelf).collect()
    }

    pub(super) fn encode(&self, writer: &mut Writer) {
        writer.u64(self.seed);
        writer.u64(self.match_index);
        writer.u32(self.draws);
        writer.u64(self.throws);
        self.parameters.encode(writer);
        self.tower.encode(writer);
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (seed, match_index, draws, throws) = (reader.u64()?, reader.u64()?, reader.u32()?, reader.u64()?);
        let parameters = Parameters::decode(reader)?;
        let tower = CubeTower::decode(reader, COLOURS as u8)?;
        if !tower.fits(&parameters) {
            let reason = "more cubes on a shelf than it can hold".into();
            return Err(DecodeError::Inconsistent { field: "tower", reason });
        }
        Ok(Self { parameters, seed, match_index, draws, throws, tower })
    }
}

/// Refuses a tower that has drawn so much that it cannot go on for ever.
pub(super) fn check_draws(draws: u32) -> Result<(), CoreError> {
    if draws <= MAX_DRAWS {
        return Ok(());
    }
    let wanted = format!("at most {MAX_DRAWS} are possible");
    Err(CoreError::refused("LimitError", "draws", &draws, &wanted))
}
