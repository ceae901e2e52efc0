//! The same throw, faster: draws are made many at a time, and a whole shelf is tested for slips at once.

use crate::{Chance, Purpose, Stream, philox_lanes};

use super::{Colour, CubeTower, Cubes, Falling, MAX_CAPACITY, Parameters, shuffle};

/// Blocks that are made at a time: two vectors of the widest set hide each other's waiting times.
const LANES: usize = 16;
/// Halves in a block, and in what is made at a time.
const BLOCK: usize = 8;
const MADE: usize = LANES * BLOCK;
/// Most halves that one test looks at: all cubes of a full shelf, and the one that comes.
const AHEAD: usize = MAX_CAPACITY + 1;

/// The draws of a stream ahead of their use. Draws are asked for in ascending order.
#[derive(Clone, Debug)]
pub struct Reservoir {
    stream: Stream,
    /// Number of the half at the front.
    first: u32,
    filled: usize,
    /// What is behind `filled` is never looked at for its value, only read along.
    halves: [u16; AHEAD + MADE + MAX_CAPACITY],
}

impl Reservoir {
    /// The draws of a stream from the beginning.
    #[inline(always)]
    pub fn new(seed: u64, purpose: Purpose, match_index: u64) -> Self {
        Self::starting_at(seed, purpose, match_index, 0)
    }

    /// The draws of a stream from half number `draws`.
    #[inline(always)]
    pub fn starting_at(seed: u64, purpose: Purpose, match_index: u64, draws: u32) -> Self {
        let mut reservoir = Self {
            stream: Stream::without_block(seed, purpose, match_index),
            first: draws - draws % BLOCK as u32,
            filled: 0,
            halves: [0; AHEAD + MADE + MAX_CAPACITY],
        };
        reservoir.make();
        reservoir
    }

    /// Appends the next blocks.
    #[inline(always)]
    fn make(&mut self) {
        let block = (self.first + self.filled as u32) / BLOCK as u32;
        let fixed = self.stream.counter(0, 0);
        let mut counter = fixed.map(|word| [word; LANES]);
        for lane in 0..LANES {
            counter[0][lane] = block.wrapping_add(lane as u32);
        }
        let words = philox_lanes(&counter, self.stream.key());
        let made: &mut [u16; MADE] =
            (&mut self.halves[self.filled..self.filled + MADE]).try_into().expect("as many");
        for lane in 0..LANES {
            for word in 0..4 {
                made[BLOCK * lane + 2 * word] = words[word][lane] as u16;
                made[BLOCK * lane + 2 * word + 1] = (words[word][lane] >> 16) as u16;
            }
        }
        self.filled += MADE;
    }

    /// Place of a half, with at least `count` halves there.
    #[inline(always)]
    fn place(&mut self, draw: u32, count: usize) -> usize {
        let place = draw.wrapping_sub(self.first) as usize;
        if place + count <= self.filled {
            return place;
        }
        self.go_on(place);
        0
    }

    #[inline(always)]
    fn go_on(&mut self, place: usize) {
        // Halves are used in ascending order and blocks end on even ones, so that nothing between is missed.
        let rest = self.filled - place;
        debug_assert!(rest < AHEAD);
        self.halves.copy_within(place..place + AHEAD, 0);
        self.first += place as u32;
        self.filled = rest;
        self.make();
    }
}

impl Chance for Reservoir {
    #[inline(always)]
    fn below(&mut self, draw: u32, sides: u32) -> u32 {
        let place = self.place(2 * draw, 2);
        let word = u32::from(self.halves[place]) | u32::from(self.halves[place + 1]) << 16;
        let product = u64::from(word) * u64::from(sides);
        if (product as u32) < sides {
            return self.stream.below(draw, sides); // about to be rejected, or nearly so: rare
        }
        (product >> 32) as u32
    }

    #[inline(always)]
    fn r16(&mut self, half: u32) -> u16 {
        let place = self.place(half, 1);
        self.halves[place]
    }
}

/// Whether one of the first `held` halves is below the threshold. It looks at `WIDTH` of them, whatever they are.
#[inline(always)]
fn any_below<const WIDTH: usize>(halves: &[u16], held: usize, threshold: u16) -> bool {
    let halves: &[u16; WIDTH] = halves[..WIDTH].try_into().expect("as many");
    let mut found = 0;
    for place in 0..WIDTH {
        found |= u16::from((halves[place] < threshold) & (place < held));
    }
    found != 0
}

impl CubeTower {
    /// [`CubeTower::throw`] with the draws of a reservoir: the same cubes, the same draws, sooner.
    ///
    /// Called within [`crate::InstructionSet::run`] it is compiled for that set.
    ///
    /// # Panics
    /// When there are more cubes than [`super::MAX_CUBES`].
    #[inline(always)]
    pub fn throw_fast(
        &mut self,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        reservoir: &mut Reservoir,
        tray: &mut Cubes,
    ) {
        shuffle(input, draws, reservoir);
        let last = parameters.shelves().len() as u8;
        let mut falling = Falling::new();
        for &first in &*input {
            let mut next = Some((first, 0));
            'cube: while let Some((colour, mut number)) = next.take().or_else(|| falling.pop()) {
                while number < last {
                    let at = usize::from(number);
                    let held = usize::from(self.shelves[at].held);
                    let place = reservoir.place(*draws, held + 1);
                    let halves = &reservoir.halves[place..place + MAX_CAPACITY];
                    let dislodge = parameters.shelves()[at].dislodge;
                    let slip = if held <= MAX_CAPACITY / 2 {
                        any_below::<{ MAX_CAPACITY / 2 }>(halves, held, dislodge)
                    } else {
                        any_below::<MAX_CAPACITY>(halves, held, dislodge)
                    };
                    if slip {
                        self.visit(parameters, colour, number, draws, reservoir, &mut falling);
                        continue 'cube;
                    }
                    let number_16 = reservoir.halves[place + held];
                    *draws += held as u32 + 1;
                    if u32::from(number_16) < parameters.stick_threshold(at, held) {
                        self.shelves[at].push(colour);
                        continue 'cube;
                    }
                    number += 1;
                }
                tray.push(colour);
            }
        }
    }
}
