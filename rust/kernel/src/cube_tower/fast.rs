//! The same throw, faster: draws are made many at a time, and a whole shelf is tested for slips at once.

use crate::simd::{Block, LANES, Simd, Work};
use crate::{Chance, InstructionSet, Purpose, Stream};

use super::{
    Colour, CubeTower, Cubes, MAX_CAPACITY, MAX_CUBES, MAX_SHELVES, Parameters, Progress, Shelf, shuffle,
};

/// Halves in a block of the generator.
const BLOCK: usize = size_of::<Block>() / 2;
/// Most blocks a reservoir holds, a power of two: what is left when draws run out, and then some times what is made.
const ROOM: usize = 4 * LANES;
/// What is looked at in one go: most halves that one cube uses on one shelf, where every cube is tested twice, and what is
/// read along.
const WINDOW: usize = 4 * MAX_CAPACITY;

/// The draws of a stream ahead of their use. That is in ascending order; any other is right too, but slow.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Reservoir {
    /// Values behind `filled` are loaded along with the others, but never used.
    blocks: [Block; ROOM + WINDOW / BLOCK],
    filled: usize,
    /// Number of the half at the front.
    first: u32,
    stream: Stream,
    instruction_set: InstructionSet,
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
        Self::of(Stream::without_block(seed, purpose, match_index), draws)
    }

    /// The draws of this stream from half number `draws`.
    #[inline(always)]
    pub(crate) fn of(stream: Stream, draws: u32) -> Self {
        Self {
            blocks: [[0; BLOCK]; ROOM + WINDOW / BLOCK],
            filled: 0,
            first: draws - draws % BLOCK as u32,
            stream,
            instruction_set: InstructionSet::best(),
        }
    }

    /// The same draws, made and used with an instruction set instead of the best one.
    #[must_use]
    pub fn with_instruction_set(mut self, instruction_set: InstructionSet) -> Self {
        self.instruction_set = instruction_set;
        self
    }

    /// Goes to the beginning of another match of the same seed and purpose, which costs less than a new reservoir.
    #[inline(always)]
    pub fn restart(&mut self, match_index: u64) {
        self.stream = self.stream.of_match(match_index);
        (self.first, self.filled) = (0, 0);
    }

    /// Place of a half, with at least `count` halves there.
    #[inline(always)]
    fn place(&mut self, draw: u32, count: usize) -> usize {
        let place = draw.wrapping_sub(self.first) as usize;
        if place + count > self.filled { self.make(draw, count) } else { place }
    }

    /// Makes draws until `count` halves are there; gives the place of the first.
    #[inline(never)]
    fn make(&mut self, draw: u32, count: usize) -> usize {
        let mut place = draw.wrapping_sub(self.first) as usize;
        if place > self.filled {
            place = draw as usize % BLOCK;
            (self.first, self.filled) = (draw - place as u32, 0);
        }
        while place + count > self.filled {
            let mut end = self.filled / BLOCK;
            if end + LANES > ROOM {
                let start = place / BLOCK;
                self.blocks.copy_within(start..end, 0);
                self.first += (start * BLOCK) as u32;
                (end, place) = (end - start, place % BLOCK);
            }
            let counter = self.stream.counter(self.first / BLOCK as u32 + end as u32, 0);
            let made = (&mut self.blocks[end..end + LANES]).try_into().expect("as many");
            self.instruction_set.run_with(Make { counter, key: self.stream.key(), made });
            self.filled = (end + LANES) * BLOCK;
        }
        place
    }

    /// The halves from a place on.
    #[inline(always)]
    fn window(&self, place: usize) -> &[u16; WINDOW] {
        let place = place % (ROOM * BLOCK); // nothing changes, but the compiler knows
        self.blocks.as_flattened()[place..place + WINDOW].try_into().expect("as many")
    }
}

struct Make<'a> {
    counter: [u32; 4],
    key: [u32; 2],
    made: &'a mut [Block; LANES],
}

impl Work for Make<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: impl Simd) {
        simd.blocks(self.counter, self.key, self.made);
    }
}

impl Chance for Reservoir {
    #[inline(always)]
    fn below(&mut self, draw: u32, sides: u32) -> u32 {
        let place = self.place(2 * draw, 2);
        let halves = self.window(place);
        let word = u32::from(halves[0]) | u32::from(halves[1]) << 16;
        let product = u64::from(word) * u64::from(sides);
        if (product as u32) < sides {
            return self.stream.below(draw, sides); // about to be rejected, or nearly so: rare
        }
        (product >> 32) as u32
    }

    #[inline(always)]
    fn r16(&mut self, half: u32) -> u16 {
        let place = self.place(half, 1);
        self.window(place)[0]
    }
}

/// Which of the first `count` numbers are below the threshold.
#[inline(always)]
fn which_below(simd: impl Simd, halves: &[u16], count: usize, threshold: u16) -> u64 {
    const HALF: usize = MAX_CAPACITY / 2;
    let (low, high) = halves[..MAX_CAPACITY].split_at(HALF);
    let bits = u64::from(simd.below(low.try_into().expect("as many"), threshold));
    if count <= HALF {
        return bits & ((1 << count) - 1);
    }
    let bits = bits | u64::from(simd.below(high.try_into().expect("as many"), threshold)) << HALF;
    bits & u64::MAX >> (MAX_CAPACITY - count)
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
        taken
    }

    /// Takes out the cubes whose bits are set, the oldest first, each with its mark: the bit of `marks` at its place.
    ///
    /// Gives the marks of those that are left. Where there are no `MARKS`, all of them are 0.
    #[inline(always)]
    fn take_all<const MARKS: bool>(
        &mut self,
        mut bits: u64,
        mut marks: u64,
        mut gone: impl FnMut(Colour, u8),
    ) -> u64 {
        let mut taken = 0;
        while bits != 0 {
            let place = bits.trailing_zeros() as usize - taken;
            if MARKS {
                gone(self.take(place), (marks >> place & 1) as u8);
                let before = (1 << place) - 1;
                marks = marks & before | marks >> 1 & !before;
            } else {
                gone(self.take(place), 0);
            }
            taken += 1;
            bits &= bits - 1;
        }
        marks
    }
}

/// Room for the cubes on their way down: those thrown, and what each shelf lets go.
const END: usize = MAX_CUBES + MAX_SHELVES * (MAX_CAPACITY + 1);

impl CubeTower {
    /// [`CubeTower::throw_fast`] where the draws can be made ahead, else [`CubeTower::throw`]: for single throws.
    ///
    /// # Panics
    /// When there are more cubes than [`super::MAX_CUBES`].
    pub fn throw_with(
        &mut self,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        chance: &mut impl Chance,
        tray: &mut Cubes,
    ) {
        match chance.reservoir(*draws) {
            Some(mut reservoir) => self.throw_fast(parameters, input, draws, &mut reservoir, tray),
            None => self.throw(parameters, input, draws, chance, tray),
        }
    }

    /// [`CubeTower::throw`] with the draws of a reservoir: the same cubes, the same draws, sooner.
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
        let set = reservoir.instruction_set;
        if parameters.jams() {
            set.run_with(Fall::<true> { tower: self, parameters, input, draws, reservoir, tray });
        } else {
            set.run_with(Fall::<false> { tower: self, parameters, input, draws, reservoir, tray });
        }
    }
}

/// A bit beside the number of the shelf that a cube reaches: this throw brought the cube.
const FRESH: u8 = 1 << 7;

/// Cubes that fall into a tower; whether they jam is known when this is compiled, since most towers need no marks.
struct Fall<'a, const JAMS: bool> {
    tower: &'a mut CubeTower,
    parameters: &'a Parameters,
    input: &'a [Colour],
    draws: &'a mut u32,
    reservoir: &'a mut Reservoir,
    tray: &'a mut Cubes,
}

impl<const JAMS: bool> Work for Fall<'_, JAMS> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: impl Simd) {
        let Self { tower, parameters, input, draws, reservoir, tray } = self;
        let (mut draw, last) = (*draws, parameters.shelves().len() - 1);
        // One stack for what is thrown and what is let go, so that nothing depends on which of them is next.
        let mut falling = [(Colour(0), 0_u8); END];
        let mut next = END - input.len();
        for (place, &colour) in falling[next..].iter_mut().zip(input) {
            *place = (colour, if JAMS { FRESH } else { 0 });
        }
        let mut progress = Progress::default();
        while next < END {
            let (colour, number) = falling[next];
            next += 1;
            let (at, mark) = if JAMS { (number & !FRESH, number & FRESH) } else { (number, 0) };
            let mut at = usize::from(at);
            loop {
                let (shelf, numbers) = (&mut tower.shelves[at], &parameters.shelves()[at]);
                let held = usize::from(shelf.held);
                let place = reservoir.place(draw, 2 * held + 1);
                let halves = reservoir.window(place);
                let reached = progress.reached[at];
                if JAMS {
                    progress.reached[at] += usize::from(mark != 0);
                }
                let threshold = |rest| {
                    if JAMS {
                        parameters.jammed_threshold(at, rest, reached)
                    } else {
                        parameters.stick_threshold(at, rest)
                    }
                };
                let slipped = which_below(simd, halves, held, numbers.dislodge);
                if slipped != 0 {
                    // How many go is known before any is moved, so that nothing waits for the moves.
                    let kept = held - slipped.count_ones() as usize;
                    let dragged = which_below(simd, &halves[held..], kept, numbers.burst);
                    let rest = kept - dragged.count_ones() as usize;
                    let stays = u32::from(halves[held + kept]) < threshold(rest);
                    draw += (held + kept) as u32 + 1;
                    if at == last {
                        if !stays {
                            tray.push(colour);
                        }
                        let marks = shelf.take_all::<JAMS>(slipped, progress.fresh[at], |cube, _| {
                            tray.push(cube);
                        });
                        progress.fresh[at] =
                            shelf.take_all::<JAMS>(dragged, marks, |cube, _| tray.push(cube));
                    } else {
                        let below = at as u8 + 1;
                        let mut place = next - (held - rest);
                        next = place - usize::from(!stays);
                        falling[place - 1] = (colour, below | mark);
                        let mut fall = |cube, marked| {
                            falling[place] = (cube, below | (marked * FRESH));
                            place += 1;
                        };
                        let marks = shelf.take_all::<JAMS>(slipped, progress.fresh[at], &mut fall);
                        progress.fresh[at] = shelf.take_all::<JAMS>(dragged, marks, &mut fall);
                    }
                    shelf.held = rest as u8;
                    if stays {
                        if JAMS {
                            progress.fresh[at] |= u64::from(mark != 0) << rest;
                        }
                        shelf.push(colour);
                    }
                    break;
                }
                draw += held as u32 + 1;
                if u32::from(halves[held]) < threshold(held) {
                    if JAMS {
                        progress.fresh[at] |= u64::from(mark != 0) << held;
                    }
                    shelf.push(colour);
                    break;
                }
                if at == last {
                    tray.push(colour);
                    break;
                }
                at += 1;
            }
        }
        *draws = draw;
    }
}
