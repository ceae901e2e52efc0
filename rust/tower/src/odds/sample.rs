//! Sampled odds: many throws, each settled, all counted.
//!
//! Sample `index` under a seed is a pure function: all its draws are those of stream `index` of purpose [`Purpose::Odds`]
//! from the first one on. They make the tower (the fill of TW-FILL-01, or the given contents by [`Loader`]), then the throw.
//! [`Clashes::one`] says it plainly; the chunks do the same with [`CubeTower::throw_fast`].

use std::ops::Range;

use sengoku_kernel::cube_tower::{self, Colour, CubeTower, Loader, Reservoir};
use sengoku_kernel::odds::Plays;
use sengoku_kernel::{InstructionSet, Purpose, Stream};

use super::Odds;
use crate::clash::{Clash, Settlement, Winner};
use crate::data::Cubes;

/// A clash, played many times.
#[derive(Clone, Debug)]
pub struct Clashes {
    clash: Clash,
    seed: u64,
    instruction_set: InstructionSet,
    tower: Source,
    thrown: cube_tower::Cubes,
}

/// Where the tower comes from.
#[derive(Clone, Debug)]
enum Source {
    Fill(Box<cube_tower::Cubes>),
    Contents(Box<Loader>),
}

impl Clashes {
    /// The clashes under a seed.
    ///
    /// # Panics
    /// Never: a clash holds no more than its tower can.
    pub fn new(clash: &Clash, seed: u64) -> Self {
        let setup = clash.setup();
        let loader = match (&setup.shelves, setup.contents) {
            (Some(shelves), _) => {
                let shelves: Vec<&[u16]> = shelves.iter().map(|cubes| &cubes.0[..]).collect();
                Some(Loader::of_shelves(&setup.parameters, &shelves))
            }
            (None, Some(contents)) => Some(Loader::new(&setup.parameters, &contents.0)),
            (None, None) => None,
        };
        let tower = match loader {
            None => Source::Fill(Box::new(clash.fill().heap())),
            Some(loader) => Source::Contents(Box::new(loader.expect("a clash is checked"))),
        };
        Self {
            clash: clash.clone(),
            seed,
            instruction_set: InstructionSet::best(),
            tower,
            thrown: clash.thrown().heap(),
        }
    }

    /// The same clashes, bound to an instruction set instead of the best one.
    #[must_use]
    pub const fn with_instruction_set(mut self, instruction_set: InstructionSet) -> Self {
        self.instruction_set = instruction_set;
        self
    }

    /// One clash, plainly.
    pub fn one(&self, index: u64) -> Settlement {
        let parameters = &self.clash.setup().parameters;
        let mut chance = Stream::new(self.seed, Purpose::Odds, index);
        let (mut draws, mut tower, mut tray) = (0, CubeTower::EMPTY, cube_tower::Cubes::new());
        match &self.tower {
            Source::Fill(fill) => {
                tower.throw(parameters, &mut fill.as_ref().clone(), &mut draws, &mut chance, &mut tray);
                tray.clear(); // TW-FILL-02: what came out goes back to the supplies
            }
            Source::Contents(loader) => tower = loader.load(&mut draws, &mut chance),
        }
        tower.throw(parameters, &mut self.thrown.clone(), &mut draws, &mut chance, &mut tray);
        self.clash.settle(&Cubes::count(&tray))
    }
}

impl Plays for Clashes {
    /// By winner, then by armies left in the province.
    type Tally = Vec<u64>;
    type Odds = Odds;
    const CHUNK: u64 = 1 << 12;
    const SLICE: u64 = 8;

    fn chunk(&self, indices: Range<u64>) -> Vec<u64> {
        let columns = Odds::columns(&self.clash);
        let parameters = &self.clash.setup().parameters;
        let mut counts = vec![0; Winner::ALL.len() * columns];
        let mut chance = Reservoir::new(self.seed, Purpose::Odds, indices.start)
            .with_instruction_set(self.instruction_set);
        let mut tray = cube_tower::Cubes::new();
        for index in indices {
            chance.restart(index);
            let (mut draws, mut tower) = (0, CubeTower::EMPTY);
            let mut heaps = [None, Some(&self.thrown)];
            match &self.tower {
                Source::Fill(fill) => heaps[0] = Some(fill),
                Source::Contents(loader) => tower = loader.load(&mut draws, &mut chance),
            }
            for heap in heaps.into_iter().flatten() {
                let mut input = [Colour::default(); cube_tower::MAX_CUBES];
                let input = &mut input[..heap.len()];
                input.copy_from_slice(heap);
                tray.clear();
                tower.throw_fast(parameters, input, &mut draws, &mut chance, &mut tray);
            }
            let settled = self.clash.settle(&Cubes::count(&tray));
            counts[settled.winner as usize * columns + usize::from(settled.armies_left)] += 1;
        }
        counts
    }

    fn odds(&self, counts: Vec<u64>, samples: u64) -> Odds {
        Odds::sampled(&self.clash, counts, samples)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use sengoku_kernel::Cancel;
    use sengoku_kernel::odds::{Question, Sampler};

    use super::*;
    use crate::clash::{ClashSetup, Kind, Party};
    use crate::data::FARMER;

    pub(crate) fn clashes() -> Vec<Clash> {
        let (blue, yellow) = (Party { colour: 1, cubes: 4 }, Party { colour: 2, cubes: 3 });
        let farmers = Party { colour: FARMER, cubes: 2 };
        let attack = ClashSetup { attacker: blue, defender: Some(yellow), ..ClashSetup::default() };
        let contents = Some(Cubes([6, 8, 7, 5, 0, 9]));
        let setups = [
            attack.clone(),
            ClashSetup { contents, tray: Cubes([2, 0, 1, 0, 0, 3]), farmers_defend: false, ..attack.clone() },
            ClashSetup { kind: Kind::Neutral, defender: None, contents, ..attack.clone() },
            ClashSetup {
                shelves: Some(vec![Cubes([3, 4, 2, 0, 1, 4]), Cubes([2, 3, 5, 1, 0, 3])]),
                tray: Cubes([1, 0, 1, 0, 0, 0]),
                ..attack.clone()
            },
            ClashSetup {
                kind: Kind::Revolt,
                attacker: farmers,
                defender: Some(yellow),
                players: 5,
                ..attack
            },
        ];
        setups.iter().map(|setup| Clash::new(setup).unwrap()).collect()
    }

    fn played(clash: &Clash, set: InstructionSet, parts: &[u64]) -> Vec<u64> {
        let mut sampler = Sampler::new(clash.plays(7, set));
        for &part in parts {
            sampler.play(part, &Cancel::default()).unwrap();
        }
        sampler.tally().clone()
    }

    #[test]
    fn every_instruction_set_plays_the_plain_clashes() {
        const COUNT: u64 = 3_000;
        for clash in clashes() {
            let clashes = Clashes::new(&clash, 7);
            let mut plain = clashes.chunk(0..0);
            for index in 0..COUNT {
                let settled = clashes.one(index);
                plain[settled.winner as usize * Odds::columns(&clash) + usize::from(settled.armies_left)] +=
                    1;
            }
            for set in InstructionSet::available() {
                assert_eq!(played(&clash, set, &[COUNT]), plain, "{set}");
            }
        }
    }

    #[test]
    fn parts_and_threads_change_nothing() {
        let clash = &clashes()[1];
        let best = InstructionSet::best();
        let whole = played(clash, best, &[20_001]);
        assert_eq!(whole, played(clash, best, &[1, 4_095, 1, 9_000, 6_904]));
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(whole, pool.install(|| played(clash, best, &[20_001])));
        }
    }
}
