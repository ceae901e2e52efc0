//! Measurements for calibration (TW-TOWER-44), made on both the rigid tower and the fast model.
//!
//! A trial is a piece of work, on the rigid tower of some seconds to a minute, and a function of (device, kind, seed,
//! number) alone. So trials run in any order on any number of threads, and what is done need not be done again.

use sengoku_kernel::cube_tower::{self, CubeTower, Parameters, Reservoir};
use sengoku_kernel::{Cancel, Cancelled, Chance, Purpose, Stream};

use crate::{Colour, Fallen, RigidTower};

/// Cubes of the fills (S1).
pub const FILLS: [usize; 3] = [31, 38, 45];
/// Contents at which throws are measured (S2 to S4).
pub const CONTENTS: [usize; 7] = [15, 20, 25, 30, 35, 40, 45];
/// Cubes thrown at each content.
pub const SIZES: [usize; 6] = [2, 4, 6, 8, 12, 16];
/// The content at which clashes are measured (S8): here the sizes are all those from 1 : 1 to 9 : 8.
pub const CLASH_CONTENT: usize = 35;
const CLASH_SIZES: std::ops::RangeInclusive<usize> = 2..=17;
/// Sizes of the throws of a long run (S5, S6) and of loading, those of TW-TOWER-34.
pub const LONG_RUN_SIZES: [usize; 9] = [3, 4, 5, 6, 7, 8, 9, 10, 12];
/// Throws of a long run before it is looked at: the content has to forget the fill.
pub const FORGOTTEN: usize = 30;
/// Throws of a long run that are looked at.
pub const LONG_RUN: usize = 80;
/// Throws for which a cube is followed; what is still inside then is called older.
pub const FOLLOWED: usize = 40;

/// Throws of each size into copies of the same tower: few, since those into one tower tell less than those into several.
const REPEATS: u64 = 4;
/// The same for sizes that only clashes have (S8): chances to win and to draw follow from how many fresh and how many
/// older cubes come out, which says more than which colour was ahead.
const CLASH_REPEATS: u64 = 1;
/// Throws after which a tower that is being loaded is called full.
const LOADING_THROWS: u32 = 60;
/// Streams of one trial; each throw into a copy has one of its own.
const STREAMS: u64 = 1 << 12;

/// A tower, as a trial looks at it.
pub trait Device: Clone {
    /// Cubes inside.
    fn content(&self) -> usize;
    /// Throws cubes and takes what comes out, unless `keep_going` says no: then nothing has changed.
    ///
    /// # Errors
    /// [`Cancelled`] when it was stopped.
    fn throw(&mut self, hand: &[Colour], keep_going: impl FnMut() -> bool) -> Result<Thrown, Cancelled>;
    /// One cube, any of them, is taken out (TW-R-31).
    fn take_out(&mut self);
    /// The same tower with other chance.
    #[must_use]
    fn with_chance(&self, seed: u64, stream: u64) -> Self;
    /// The same tower with other colours, by place.
    #[must_use]
    fn with_colours(&self, colour: impl Fn(usize) -> Colour) -> Self;
}

/// The result of a throw.
#[derive(Clone, Debug)]
pub struct Thrown {
    fallen: Vec<Fallen>,
    pushes: u32,
    timed_out: bool,
}

impl Device for RigidTower {
    fn content(&self) -> usize {
        self.content()
    }

    fn throw(&mut self, hand: &[Colour], keep_going: impl FnMut() -> bool) -> Result<Thrown, Cancelled> {
        let throw = self.throw_while(hand, keep_going)?;
        let (pushes, timed_out) = (throw.statistics.pushes, throw.statistics.timed_out);
        Ok(Thrown { fallen: throw.fallen, pushes, timed_out })
    }

    fn take_out(&mut self) {
        self.bump();
    }

    fn with_chance(&self, seed: u64, stream: u64) -> Self {
        self.reseeded(seed, stream)
    }

    fn with_colours(&self, colour: impl Fn(usize) -> Colour) -> Self {
        self.recoloured(colour)
    }
}

/// The fast model with cubes that are told apart: its colours are numbers into a list.
#[derive(Clone, Debug)]
pub struct Shelves<'a> {
    parameters: &'a Parameters,
    seed: u64,
    stream: u64,
    draws: u32,
    throws: u32,
    tower: CubeTower,
    /// Colour and throw of the cube with each number, while it is inside.
    cubes: [Option<(Colour, u32)>; 1 << 8],
}

impl<'a> Shelves<'a> {
    /// An empty tower.
    pub fn new(parameters: &'a Parameters) -> Self {
        let tower = CubeTower::default();
        Self { parameters, seed: 0, stream: 0, draws: 0, throws: 0, tower, cubes: [None; 1 << 8] }
    }
}

impl Device for Shelves<'_> {
    fn content(&self) -> usize {
        self.tower.len()
    }

    fn throw(&mut self, hand: &[Colour], _: impl FnMut() -> bool) -> Result<Thrown, Cancelled> {
        let free = (0_u8..=u8::MAX).filter(|&number| self.cubes[usize::from(number)].is_none());
        let mut input: Vec<_> = free.take(hand.len()).map(cube_tower::Colour).collect();
        for (number, &colour) in input.iter().zip(hand) {
            self.cubes[usize::from(number.0)] = Some((colour, self.throws));
        }
        let mut chance = Reservoir::starting_at(self.seed, Purpose::Tower, self.stream, self.draws);
        let mut tray = cube_tower::Cubes::new();
        self.tower.throw_fast(self.parameters, &mut input, &mut self.draws, &mut chance, &mut tray);
        let taken = tray.iter().filter_map(|number| self.cubes[usize::from(number.0)].take());
        let fallen = taken.map(|(colour, thrown)| Fallen { colour, age: self.throws - thrown }).collect();
        self.throws += 1;
        Ok(Thrown { fallen, pushes: 0, timed_out: false })
    }

    fn take_out(&mut self) {
        let mut chance = Stream::new(self.seed, Purpose::Tower, self.stream);
        if let Some(gone) = self.tower.bump(1 << 16, &mut self.draws, &mut chance) {
            self.cubes[usize::from(gone.0)] = None;
        }
    }

    fn with_chance(&self, seed: u64, stream: u64) -> Self {
        Self { seed, stream, draws: 0, ..self.clone() }
    }

    fn with_colours(&self, colour: impl Fn(usize) -> Colour) -> Self {
        let mut tower = self.clone();
        for (place, number) in self.tower.cubes().enumerate() {
            if let Some(cube) = &mut tower.cubes[usize::from(number.0)] {
                cube.0 = colour(place);
            }
        }
        tower
    }
}

/// The kinds of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The fills of TW-FILL-01 for three to five players, each into an empty tower (S1).
    Fill,
    /// A tower is loaded by throws as in play. Whenever it first holds at least one of [`CONTENTS`], a copy of it from
    /// which the surplus is taken out, any cubes, gets throws of all sizes (S2 to S4, S7, S8).
    Grid,
    /// A tower goes through one throw after another, and what comes out is taken away (S5, S6).
    LongRun,
}

/// One throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Cubes thrown.
    pub thrown: u16,
    /// Cubes inside before.
    pub content: u16,
    /// Cubes that came out.
    pub output: u16,
    /// Cubes of this throw among them.
    pub fresh: u16,
    /// Cubes of the first colour among them. Both colours are thrown in equal numbers, the first with one more where the
    /// number is odd, into a tower that holds both equally.
    pub first: u16,
    /// Cubes of the second colour among them.
    pub second: u16,
    /// Pushes given to cubes in the funnel (TW-TOWER-42).
    pub pushes: u16,
    /// 1 when the throw ended by its limit.
    pub timed_out: u16,
}

impl Row {
    /// Names of the numbers.
    pub const FIELDS: [&str; 8] =
        ["thrown", "content", "output", "fresh", "first", "second", "pushes", "timed_out"];

    /// The numbers in the order of [`Self::FIELDS`].
    pub const fn numbers(&self) -> [u16; 8] {
        let Self { thrown, content, output, fresh, first, second, pushes, timed_out } = *self;
        [thrown, content, output, fresh, first, second, pushes, timed_out]
    }
}

/// The result of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The throws that were looked at, in their order.
    pub rows: Vec<Row>,
    /// Of the cubes that stayed inside in the first throws of a long run: how many came out after 1 throw, after 2, ...
    /// after [`FOLLOWED`], and how many were older; empty in other trials.
    pub residence: Vec<u32>,
}

const FIRST: Colour = Colour::seat(0);
const SECOND: Colour = Colour::seat(1);

impl Trial {
    /// The kinds by name.
    pub const NAMES: [(&str, Self); 3] =
        [("fill", Self::Fill), ("grid", Self::Grid), ("long_run", Self::LongRun)];

    /// Makes the trial with this number, from an empty tower.
    ///
    /// # Errors
    /// [`Cancelled`] when the flag was raised.
    pub fn run(
        self,
        empty: &impl Device,
        seed: u64,
        number: u64,
        cancel: &Cancel,
    ) -> Result<Measured, Cancelled> {
        let run = Run { seed, number, cancel };
        match self {
            Self::Fill => run.fill(empty),
            Self::Grid => run.grid(empty),
            Self::LongRun => run.long_run(empty),
        }
    }
}

struct Run<'a> {
    seed: u64,
    number: u64,
    cancel: &'a Cancel,
}

impl Run<'_> {
    fn stream(&self, place: u64) -> u64 {
        self.number.wrapping_mul(STREAMS).wrapping_add(place)
    }

    fn throw(&self, tower: &mut impl Device, cubes: usize) -> Result<(Row, Vec<Fallen>), Cancelled> {
        self.cancel.check()?;
        let content = tower.content();
        let colour = |place| if place < cubes.div_ceil(2) { FIRST } else { SECOND };
        let hand: Vec<Colour> = (0..cubes).map(colour).collect();
        let Thrown { fallen, pushes, timed_out } = tower.throw(&hand, || !self.cancel.is_cancelled())?;
        let count = |counts: fn(&Fallen) -> bool| fallen.iter().filter(|cube| counts(cube)).count() as u16;
        let row = Row {
            thrown: cubes as u16,
            content: content as u16,
            output: fallen.len() as u16,
            fresh: count(|cube| cube.age == 0),
            first: count(|cube| cube.colour == FIRST),
            second: count(|cube| cube.colour == SECOND),
            pushes: pushes as u16,
            timed_out: timed_out.into(),
        };
        Ok((row, fallen))
    }

    fn fill(&self, empty: &impl Device) -> Result<Measured, Cancelled> {
        let fills = FILLS.into_iter().zip(0..);
        let rows = fills.map(|(cubes, place)| {
            Ok(self.throw(&mut empty.with_chance(self.seed, self.stream(place)), cubes)?.0)
        });
        Ok(Measured { rows: rows.collect::<Result<_, _>>()?, residence: Vec::new() })
    }

    fn grid(&self, empty: &impl Device) -> Result<Measured, Cancelled> {
        let mut tower = empty.with_chance(self.seed, self.stream(0));
        let mut sizes = Stream::new(self.seed, Purpose::Game, self.number);
        self.throw(&mut tower, CONTENTS[0])?;
        let mut wanted = CONTENTS.into_iter().peekable();
        let (mut rows, mut copies) = (Vec::new(), 0);
        for place in 0..LOADING_THROWS {
            while let Some(content) = wanted.next_if(|&content| content <= tower.content()) {
                self.throws_into(&tower, content, &mut copies, &mut rows)?;
            }
            if wanted.peek().is_none() {
                break;
            }
            self.throw(&mut tower, size(&mut sizes, place))?;
        }
        Ok(Measured { rows, residence: Vec::new() })
    }

    /// Throws of all sizes into copies of a tower from which the surplus is taken out.
    fn throws_into(
        &self,
        tower: &impl Device,
        content: usize,
        copies: &mut u64,
        rows: &mut Vec<Row>,
    ) -> Result<(), Cancelled> {
        let mut copy = || {
            *copies += 1;
            self.stream(*copies)
        };
        let mut loaded = tower.with_chance(self.seed, copy());
        while loaded.content() > content {
            loaded.take_out();
        }
        // No throw looks at colours, so they may be laid over the cubes afterwards, in turn.
        let colours = if self.number.is_multiple_of(2) { [FIRST, SECOND] } else { [SECOND, FIRST] };
        let loaded = loaded.with_colours(|place| colours[place % 2]);
        let sizes: Vec<usize> = if content == CLASH_CONTENT { CLASH_SIZES.collect() } else { SIZES.to_vec() };
        for cubes in sizes {
            let repeats = if SIZES.contains(&cubes) { REPEATS } else { CLASH_REPEATS };
            for _ in 0..repeats {
                rows.push(self.throw(&mut loaded.with_chance(self.seed, copy()), cubes)?.0);
            }
        }
        Ok(())
    }

    fn long_run(&self, empty: &impl Device) -> Result<Measured, Cancelled> {
        let mut tower = empty.with_chance(self.seed, self.stream(0));
        let mut sizes = Stream::new(self.seed, Purpose::Game, self.number);
        self.throw(&mut tower, FILLS[1])?;
        let mut rows = Vec::new();
        let mut residence = vec![0; FOLLOWED + 1];
        let (mut stayed, mut left) = (0, 0);
        for place in 0..FORGOTTEN + LONG_RUN {
            let (row, fallen) = self.throw(&mut tower, size(&mut sizes, place as u32))?;
            if place < FORGOTTEN {
                continue;
            }
            rows.push(row);
            let place = place - FORGOTTEN;
            if place < LONG_RUN - FOLLOWED {
                stayed += u32::from(row.thrown - row.fresh);
            }
            for age in fallen.iter().map(|cube| cube.age as usize) {
                let followed = (1..=FOLLOWED).contains(&age) && age <= place;
                if followed && place - age < LONG_RUN - FOLLOWED {
                    residence[age - 1] += 1;
                    left += 1;
                }
            }
        }
        residence[FOLLOWED] = stayed - left;
        Ok(Measured { rows, residence })
    }
}

/// One of the sizes of the long run, each with the same chance.
fn size(chance: &mut Stream, draw: u32) -> usize {
    LONG_RUN_SIZES[chance.below(draw, LONG_RUN_SIZES.len() as u32) as usize]
}

#[cfg(test)]
mod tests;
