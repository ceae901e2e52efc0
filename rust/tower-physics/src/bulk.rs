//! Many throws at once, as columns.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;
use sengoku_kernel::{Cancel, Cancelled, SetupError};

use crate::{COLOURS, Colour, Counts, Geometry, RigidTower, in_order};

/// How often progress is told while throws are under way.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Many throws of the same cubes.
#[derive(Clone, Debug)]
pub struct Throws {
    /// Geometry of the tower.
    pub geometry: Arc<Geometry>,
    /// Cubes of each throw.
    pub cubes: Counts,
    /// Cubes in the tower before the first throw, or before each.
    pub contents: Counts,
    /// Seed of all chance.
    pub seed: u64,
    /// Number of the first throw: the match index of its stream.
    pub first: u64,
    /// Whether all throws go into the same tower, with the output removed each time, or each into a separate tower.
    pub sequence: bool,
}

/// Cubes that came out of a throw and cubes inside afterwards.
type Row<'a> = (&'a mut [u8; COLOURS], &'a mut [u8; COLOURS]);

/// Why throws ended before the last one.
enum Stop {
    Cancelled,
    Setup(SetupError),
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<SetupError> for Stop {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl Throws {
    /// Makes the throws: a row for each fills `tray` with what came out and `held` with what is inside afterwards.
    ///
    /// Throw `n` of its own is the first throw of a tower with the match index `first + n`; a sequence is that of the
    /// tower with the match index `first`. Threads change nothing.
    ///
    /// # Errors
    /// [`SetupError`] when the tower does not hold the contents, or more cubes than a row can tell of; the inner one
    /// when the flag was raised.
    ///
    /// # Panics
    /// When both columns have not the same length.
    pub fn run(
        &self,
        pool: &ThreadPool,
        cancel: &Cancel,
        tray: &mut [[u8; COLOURS]],
        held: &mut [[u8; COLOURS]],
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Result<(), Cancelled>, SetupError> {
        assert_eq!(tray.len(), held.len(), "columns of one table");
        let (hand, total) = (in_order(&self.cubes), tray.len() as u64);
        let (sender, receiver) = channel();
        let work = || {
            if self.sequence {
                let mut tower = self.tower(0, cancel)?;
                for row in tray.iter_mut().zip(held) {
                    throw(&mut tower, &hand, cancel, row)?;
                    let _ = sender.send(()); // nobody listens where nobody waits
                }
                return Ok(());
            }
            let rows = tray.par_iter_mut().zip(held).enumerate();
            rows.try_for_each_with(sender, |sender, (number, row)| {
                throw(&mut self.tower(number as u64, cancel)?, &hand, cancel, row)?;
                let _ = sender.send(()); // as above
                Ok(())
            })
        };
        // The throws are made by the pool; this thread only tells how far they are.
        let mut result = Ok(());
        pool.in_place_scope(|scope| {
            let result = &mut result;
            scope.spawn(move |_| *result = work());
            let mut done = 0;
            loop {
                match receiver.recv_timeout(REPORT_EVERY) {
                    Ok(()) => done += 1,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                progress(done, total);
            }
        });
        match result {
            Ok(()) => Ok(Ok(())),
            Err(Stop::Cancelled) => Ok(Err(Cancelled)),
            Err(Stop::Setup(error)) => Err(error),
        }
    }

    fn tower(&self, number: u64, cancel: &Cancel) -> Result<RigidTower, Stop> {
        cancel.check()?;
        let (geometry, match_index) = (Arc::clone(&self.geometry), self.first.wrapping_add(number));
        let keep_going = || !cancel.is_cancelled();
        Ok(RigidTower::holding_while(geometry, self.seed, match_index, &self.contents, keep_going)??)
    }
}

fn throw(
    tower: &mut RigidTower,
    hand: &[Colour],
    cancel: &Cancel,
    (tray, held): Row<'_>,
) -> Result<(), Stop> {
    let throw = tower.throw_while(hand, || !cancel.is_cancelled())?;
    for (row, counts) in [(tray, throw.counts()), (held, tower.contents())] {
        for (place, count) in row.iter_mut().zip(counts) {
            let reason = || format!("{count} of a colour after {} throws, 255 are possible", tower.throws());
            *place = u8::try_from(count).map_err(|_| SetupError::new("cubes", reason()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    fn throws(sequence: bool) -> Throws {
        Throws {
            geometry: Geometry::standard(),
            cubes: [0, 2, 1, 0, 0, 1],
            contents: [2, 0, 0, 0, 0, 1],
            seed: 5,
            first: u64::MAX,
            sequence,
        }
    }

    fn run(throws: &Throws, threads: usize, cancel: &Cancel) -> Result<Vec<[Counts; 2]>, Cancelled> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut tray, mut held) = ([[0; COLOURS]; 3], [[0; COLOURS]; 3]);
        let mut last = 0;
        throws
            .run(&pool, cancel, &mut tray, &mut held, |done, total| {
                assert!(last <= done && done <= total);
                last = done;
            })
            .unwrap()?;
        assert_eq!(last, 3);
        Ok(tray.iter().zip(held).map(|(tray, held)| [tray.map(u16::from), held.map(u16::from)]).collect())
    }

    #[test]
    fn rows_are_throws_of_a_tower() {
        // TW-TOWER-08: on any number of threads
        for sequence in [false, true] {
            let throws = throws(sequence);
            let rows = run(&throws, 1, &Cancel::default()).unwrap();
            assert_eq!(run(&throws, 3, &Cancel::default()), Ok(rows.clone()));
            let new = |number| throws.tower(number, &Cancel::default()).ok().unwrap();
            let mut tower = new(0);
            for (number, row) in rows.into_iter().enumerate() {
                if !sequence {
                    tower = new(number as u64);
                }
                assert_eq!(row, [tower.throw_counts(&throws.cubes).counts(), tower.contents()]);
            }
        }
    }

    #[test]
    fn work_that_is_stopped() {
        let cancel = Cancel::default();
        cancel.cancel();
        for sequence in [false, true] {
            assert_eq!(run(&throws(sequence), 2, &cancel), Err(Cancelled));
        }
        // A throw that is stopped has not been.
        let mut tower = RigidTower::new(Geometry::standard(), 1, 1);
        let (before, mut steps) = (tower.clone(), 0);
        let stopped = tower.throw_while(&[Colour::FARMER], || {
            steps += 1;
            steps < 20
        });
        assert_eq!((stopped, steps), (Err(Cancelled), 20));
        assert_eq!(tower, before);
    }
}
