//! The same throw, faster: draws are made many at a time, and a whole shelf is tested for slips at once.

use crate::{Chance, Purpose, Stream, philox_lanes};

use super::{Colour, CubeTower, Cubes, Falling, MAX_CAPACITY, Parameters, Shelf, shuffle};

/// Blocks that are made at a time: two vectors of the widest set hide each other's waiting times.
const LANES: usize = 32;
/// Halves in a block, and in what is made at a time.
const BLOCK: usize = 8;
const MADE: usize = LANES * BLOCK;
/// Most halves that one cube uses on one shelf: every cube there is tested twice, and its own test.
const AHEAD: usize = 2 * MAX_CAPACITY + 1;
/// Places of a reservoir: what is left, what is made, and what is read along behind.
const LENGTH: usize = AHEAD + MADE + AHEAD + MAX_CAPACITY;

/// The draws of a stream ahead of their use. Draws are asked for in ascending order.
#[derive(Clone, Debug)]
pub struct Reservoir {
    stream: Stream,
    /// Number of the half at the front.
    first: u32,
    filled: usize,
    /// What is behind `filled` is never looked at for its value, only read along.
    halves: [u16; LENGTH],
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
            halves: [0; LENGTH],
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
        self.halves.copy_within(place..place + AHEAD - 1, 0);
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

/// Whether one of the numbers is below its threshold.
#[inline(always)]
fn any_below<const WIDTH: usize>(halves: &[u16], thresholds: &[u16; MAX_CAPACITY]) -> bool {
    let (halves, thresholds) = (&halves[..WIDTH], &thresholds[..WIDTH]);
    let mut found = false;
    for place in 0..WIDTH {
        found |= halves[place] < thresholds[place];
    }
    found
}

/// Which of the numbers are below the threshold, a bit for each.
#[inline(always)]
fn bits_below(halves: &[u16; MAX_CAPACITY / 2], threshold: u16) -> u64 {
    let mut bits = 0_u32;
    for place in 0..MAX_CAPACITY / 2 {
        bits |= if halves[place] < threshold { 1 << place } else { 0 };
    }
    bits.into()
}

/// Which of the first `count` numbers are below the threshold.
#[inline(always)]
fn which_below(halves: &[u16], count: usize, threshold: u16) -> u64 {
    const HALF: usize = MAX_CAPACITY / 2;
    let mut found = bits_below(halves[..HALF].try_into().expect("as many"), threshold);
    if count > HALF {
        found |= bits_below(halves[HALF..MAX_CAPACITY].try_into().expect("as many"), threshold) << HALF;
    }
    found & ((1_u128 << count) - 1) as u64
}

/// As many times all bits as a shelf has places, then as many times none.
static BEFORE: [u8; 2 * MAX_CAPACITY] = {
    let mut bits = [0; 2 * MAX_CAPACITY];
    let mut place = 0;
    while place < MAX_CAPACITY {
        bits[place] = u8::MAX;
        place += 1;
    }
    bits
};

impl Shelf {
    /// Takes a cube out; those behind it move up.
    #[inline(always)]
    fn take(&mut self, place: usize) -> Colour {
        let taken = self.cubes[place];
        let here: [Colour; MAX_CAPACITY] = self.cubes[..MAX_CAPACITY].try_into().expect("as many");
        let behind: [Colour; MAX_CAPACITY] = self.cubes[1..].try_into().expect("as many");
        // All bits for the places before, none for those behind: a blend that needs no comparison.
        let before: &[u8; MAX_CAPACITY] =
            BEFORE[MAX_CAPACITY - place..2 * MAX_CAPACITY - place].try_into().expect("as many");
        for at in 0..MAX_CAPACITY {
            self.cubes[at].0 = here[at].0 & before[at] | behind[at].0 & !before[at];
        }
        self.held -= 1;
        taken
    }

    /// Takes out the cubes whose bits are set and lays them on `falling`, the oldest first.
    #[inline(always)]
    fn take_all(&mut self, mut bits: u64, below: u8, falling: &mut Falling) {
        let mut taken = 0;
        while bits != 0 {
            let place = bits.trailing_zeros() as usize;
            falling.push((self.take(place - taken), below));
            taken += 1;
            bits &= bits - 1;
        }
    }
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
                    // Enough for the worst: a slip tests every other cube once more.
                    let place = reservoir.place(*draws, 2 * held + 1);
                    let halves = &reservoir.halves[place..place + MAX_CAPACITY];
                    let thresholds = parameters.slip_thresholds(at, held);
                    let slip = if held <= MAX_CAPACITY / 2 {
                        any_below::<{ MAX_CAPACITY / 2 }>(halves, thresholds)
                    } else {
                        any_below::<MAX_CAPACITY>(halves, thresholds)
                    };
                    if slip {
                        let halves = &reservoir.halves[place..place + AHEAD + MAX_CAPACITY];
                        *draws += self.slip(parameters, colour, number, halves, &mut falling);
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

    /// [`CubeTower::visit`] where a cube is known to slip; gives the number of halves used.
    #[inline(always)]
    fn slip(
        &mut self,
        parameters: &Parameters,
        colour: Colour,
        number: u8,
        halves: &[u16],
        falling: &mut Falling,
    ) -> u32 {
        let (at, below) = (usize::from(number), number + 1);
        let numbers = &parameters.shelves()[at];
        let shelf = &mut self.shelves[at];
        let start = falling.len();
        let mut used = 0;
        for threshold in [numbers.dislodge, numbers.burst] {
            let held = usize::from(shelf.held);
            shelf.take_all(which_below(&halves[used..], held, threshold), below, falling);
            used += held;
        }
        let stays = u32::from(halves[used]) < parameters.stick_threshold(at, usize::from(shelf.held));
        falling[start..].reverse();
        if stays {
            shelf.push(colour);
        } else {
            falling.push((colour, below));
        }
        used as u32 + 1
    }
}
