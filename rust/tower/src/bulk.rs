//! Many throws at once, as columns.

use rayon::prelude::*;
use sengoku_kernel::cube_tower::{self, Colour, CubeTower, Loader, Parameters, Reservoir};
use sengoku_kernel::odds::Run;
use sengoku_kernel::{Cancelled, Purpose, SetupError};

use crate::data::{COLOURS, Cubes};

/// Most throws of one call.
pub const MAX_THROWS: u64 = 10_000_000;
/// Draws after which a tower takes no more throws: far more than any match needs, and far from the last draw there is.
pub const MAX_DRAWS: u32 = 1 << 31;
/// Throws that one thread makes in one go, and after which cancellation is looked at.
const CHUNK: usize = 1 << 12;

/// Many throws of the same cubes.
#[derive(Clone, Debug)]
pub struct Throws {
    /// Cubes of each throw.
    pub cubes: Cubes,
    /// Cubes in the tower before the first throw, or before each.
    pub contents: Cubes,
    /// The tower.
    pub parameters: Parameters,
    /// Number of the first throw: the match index of its stream.
    pub first: u64,
    /// Whether all throws go into the same tower, with the output removed each time, or each into a separate tower.
    pub sequence: bool,
}

impl Throws {
    /// Makes the throws: a row for each fills `tray` with what came out and `held` with what is inside afterwards.
    ///
    /// Throw `n` of its own is the first throw of a tower with the match index `first + n`; a sequence is that of the tower
    /// with the match index `first`.
    ///
    /// # Errors
    /// [`SetupError`] when the contents do not fit into the tower, or a sequence is longer than its draws; the inner one
    /// when the flag was raised.
    ///
    /// # Panics
    /// When both columns have not the same length.
    pub fn run(
        &self,
        run: &Run,
        tray: &mut [[u8; COLOURS]],
        held: &mut [[u8; COLOURS]],
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Result<(), Cancelled>, SetupError> {
        assert_eq!(tray.len(), held.len(), "columns of one table");
        let loader = Loader::new(&self.parameters, &self.contents.0)?;
        let work = Work { throws: self, loader: &loader, heap: self.cubes.heap() };
        let total = tray.len() as u64;
        let slice = if self.sequence { CHUNK } else { 8 * CHUNK * run.threads() as usize };
        let mut sequence = self.sequence.then(|| {
            let mut chance = work.chance(run);
            let mut draws = 0;
            let tower = loader.load(&mut draws, &mut chance);
            (tower, draws, chance)
        });
        let mut done = 0;
        for (tray, held) in tray.chunks_mut(slice).zip(held.chunks_mut(slice)) {
            if run.cancel.is_cancelled() {
                return Ok(Err(Cancelled));
            }
            if let Some((tower, draws, chance)) = &mut sequence {
                work.in_sequence(tower, draws, chance, tray, held);
                if *draws > MAX_DRAWS {
                    let reason = format!("{total}, the draws of the tower are used up after {done}");
                    return Err(SetupError::new("count", reason));
                }
            } else {
                let first = self.first.wrapping_add(done);
                let piece = |(number, (tray, held)): (usize, (&mut [_], &mut [_]))| {
                    run.cancel.check()?;
                    let first = first.wrapping_add((number * CHUNK) as u64);
                    work.each_alone(work.chance(run), first, tray, held);
                    Ok(())
                };
                let pieces = tray.par_chunks_mut(CHUNK).zip(held.par_chunks_mut(CHUNK)).enumerate();
                if let Err(stopped) = run.on_pool(|| pieces.map(piece).collect::<Result<(), Cancelled>>()) {
                    return Ok(Err(stopped));
                }
            }
            done += tray.len() as u64;
            progress(done, total);
        }
        Ok(Ok(()))
    }
}

struct Work<'a> {
    throws: &'a Throws,
    loader: &'a Loader,
    heap: cube_tower::Cubes,
}

impl Work<'_> {
    fn chance(&self, run: &Run) -> Reservoir {
        let chance = Reservoir::new(run.seed, Purpose::Tower, self.throws.first);
        chance.with_instruction_set(run.instruction_set)
    }

    fn each_alone(
        &self,
        mut chance: Reservoir,
        first: u64,
        tray: &mut [[u8; COLOURS]],
        held: &mut [[u8; COLOURS]],
    ) {
        for (number, (tray, held)) in tray.iter_mut().zip(held).enumerate() {
            chance.restart(first.wrapping_add(number as u64));
            let mut draws = 0;
            let mut tower = self.loader.load(&mut draws, &mut chance);
            self.once(&mut tower, &mut draws, &mut chance, tray, held);
        }
    }

    fn in_sequence(
        &self,
        tower: &mut CubeTower,
        draws: &mut u32,
        chance: &mut Reservoir,
        tray: &mut [[u8; COLOURS]],
        held: &mut [[u8; COLOURS]],
    ) {
        for (tray, held) in tray.iter_mut().zip(held) {
            self.once(tower, draws, chance, tray, held);
        }
    }

    fn once(
        &self,
        tower: &mut CubeTower,
        draws: &mut u32,
        chance: &mut Reservoir,
        tray: &mut [u8; COLOURS],
        held: &mut [u8; COLOURS],
    ) {
        let mut input = [Colour::default(); cube_tower::MAX_CUBES];
        let input = &mut input[..self.heap.len()];
        input.copy_from_slice(&self.heap);
        let mut out = cube_tower::Cubes::new();
        tower.throw_fast(&self.throws.parameters, input, draws, chance, &mut out);
        *tray = cube_tower::count(out).map(|count| count as u8);
        *held = tower.contents().map(|count| count as u8);
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Cancel, InstructionSet, Stream};

    use super::*;

    fn run(cancel: &Cancel) -> Run<'_> {
        Run { seed: 5, instruction_set: InstructionSet::best(), cancel, pool: None }
    }

    fn throws(sequence: bool) -> Throws {
        let (cubes, contents) = (Cubes([0, 4, 3, 0, 0, 1]), Cubes([5, 5, 5, 5, 5, 8]));
        Throws { cubes, contents, parameters: Parameters::default(), first: u64::MAX - 2, sequence }
    }

    #[test]
    fn rows_are_throws_of_a_tower() {
        // TW-TOWER-03, TW-TOWER-08: throw by throw what the plain tower does
        for sequence in [false, true] {
            let throws = throws(sequence);
            let (mut tray, mut held) = (vec![[0; COLOURS]; 9_000], vec![[0; COLOURS]; 9_000]);
            throws.run(&run(&Cancel::default()), &mut tray, &mut held, |_, _| {}).unwrap().unwrap();
            let loader = Loader::new(&throws.parameters, &throws.contents.0).unwrap();
            let new = |index| {
                let (mut draws, mut chance) = (0, Stream::new(5, Purpose::Tower, index));
                (loader.load(&mut draws, &mut chance), draws, chance)
            };
            let (mut tower, mut draws, mut chance) = new(throws.first);
            for row in 0..9_000 {
                if !sequence {
                    (tower, draws, chance) = new(throws.first.wrapping_add(row as u64));
                }
                let mut out = cube_tower::Cubes::new();
                tower.throw(&throws.parameters, &mut throws.cubes.heap(), &mut draws, &mut chance, &mut out);
                assert_eq!(Cubes(tray[row].map(u16::from)), Cubes::count(&out));
                assert_eq!(held[row].map(u16::from), tower.contents());
            }
        }
    }

    #[test]
    fn work_that_is_stopped() {
        let cancel = Cancel::default();
        cancel.cancel();
        for sequence in [false, true] {
            let (mut tray, mut held) = (vec![[0; COLOURS]; 10], vec![[0; COLOURS]; 10]);
            assert_eq!(
                throws(sequence).run(&run(&cancel), &mut tray, &mut held, |_, _| {}),
                Ok(Err(Cancelled))
            );
        }
    }
}
