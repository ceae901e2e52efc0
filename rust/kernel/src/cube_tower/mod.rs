//! The cube tower: a device into which cubes are thrown, where some stay and push out others (TW-TOWER-01..37).
//!
//! [`CubeTower`] is the state of the model `shelves`: perforated floors, each an ordered list of colours, the oldest cube
//! first. Its numbers are [`Parameters`]. [`CubeTower::throw`] is the algorithm of TW-TOWER-32, line by line;
//! [`CubeTower::throw_fast`] does the same from a [`Reservoir`] of draws and is tested to agree bit by bit;
//! [`CubeTower::throw_with`] takes the faster one a [`Chance`] allows.
//!
//! # Draws
//! The tower counts its draws in halves of words: `draws` is the number of the next half. `r16` is half `draws` of the
//! stream ([`Chance::r16`]) and advances by one. `below(m)` of a shuffle or a bump takes the next whole word, that is
//! draw number `draws / 2` rounded up ([`Chance::below`]), and advances to the half behind it.
//!
//! ```
//! use sengoku_kernel::cube_tower::{Colour, CubeTower, Cubes, Parameters};
//! use sengoku_kernel::{Purpose, Stream};
//!
//! let parameters = Parameters::default();
//! let mut tower = CubeTower::default();
//! let mut chance = Stream::new(7, Purpose::Tower, 0);
//! let (mut draws, mut tray) = (0, Cubes::new());
//! tower.throw(&parameters, &mut [Colour(0), Colour(0), Colour(1)], &mut draws, &mut chance, &mut tray);
//! assert_eq!(tower.len() + tray.len(), 3); // no cube is lost
//! ```

mod fast;
mod law;
mod load;
mod parameters;

use arrayvec::ArrayVec;

pub use fast::Reservoir;
pub use law::{Inside, KEPT_BYTES, ThrowLaw, is_law_known, throw_law, throw_states};
pub use load::{LOAD_THROWS, Loader};
pub use parameters::{MAX_CAPACITY, Parameters, SHELVES, ShelfParameters};

use crate::{Chance, DecodeError, Reader, Writer};
use parameters::MAX_SHELVES;

/// The colour of a cube. The tower never looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8);

/// Most cubes there can be: 62 of each of five colours and 20 farmers (TW-COMP-01).
pub const MAX_CUBES: usize = 330;
/// A heap of cubes in some order, without an allocation: room for all there are and a tower full of others.
pub type Cubes = ArrayVec<Colour, { MAX_CUBES + MAX_SHELVES * MAX_CAPACITY }>;

/// Cubes on their way down: what one shelf lets go and the cube that came, for each shelf.
type Falling = ArrayVec<FallingCube, { MAX_SHELVES * (MAX_CAPACITY + 1) }>;

/// A cube on its way down.
#[derive(Clone, Copy, Debug)]
struct FallingCube {
    colour: Colour,
    /// The shelf it reaches next.
    shelf: u8,
    /// Whether this throw brought it.
    fresh: bool,
}

/// What a throw is about so far; only jams depend on it (TW-TOWER-36).
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// By shelf: the places of cubes that this throw brought, as bits.
    fresh: [u64; MAX_SHELVES],
    /// By shelf: how many cubes of this throw have reached it.
    reached: [usize; MAX_SHELVES],
}

/// The cubes inside the tower: a plain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CubeTower {
    shelves: [Shelf; MAX_SHELVES],
}
const _: () = assert!(size_of::<CubeTower>() == 198);

/// A perforated floor with what lies on it, the oldest first. Places beyond `held` are zero, so that equal is equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shelf {
    held: u8,
    /// One place more than there can be cubes: what moves up into the last place is nothing.
    cubes: [Colour; MAX_CAPACITY + 1],
}

impl Shelf {
    const EMPTY: Self = Self { held: 0, cubes: [Colour(0); MAX_CAPACITY + 1] };

    fn cubes(&self) -> &[Colour] {
        &self.cubes[..usize::from(self.held)]
    }

    #[inline(always)]
    fn push(&mut self, colour: Colour) {
        self.cubes[usize::from(self.held) & (MAX_CAPACITY - 1)] = colour;
        self.held += 1;
    }

    fn set(&mut self, cubes: &[Colour]) {
        *self = Self::EMPTY;
        self.cubes[..cubes.len()].copy_from_slice(cubes);
        self.held = cubes.len() as u8;
    }
}

impl Default for CubeTower {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl CubeTower {
    /// A tower with nothing inside.
    pub const EMPTY: Self = Self { shelves: [Shelf::EMPTY; MAX_SHELVES] };

    /// A tower with these cubes on its shelves, the oldest of each first.
    ///
    /// # Panics
    /// When there are more shelves, or more cubes on one, than there can be.
    pub fn from_shelves(shelves: &[&[Colour]]) -> Self {
        let mut tower = Self::EMPTY;
        for (shelf, cubes) in tower.shelves[..shelves.len()].iter_mut().zip(shelves) {
            shelf.set(cubes);
        }
        tower
    }

    /// The cubes on a shelf, the oldest first; none where there is no such shelf.
    pub fn shelf(&self, number: usize) -> &[Colour] {
        self.shelves.get(number).map_or(&[], Shelf::cubes)
    }

    /// Number of cubes inside.
    pub fn len(&self) -> usize {
        self.shelves.iter().map(|shelf| usize::from(shelf.held)).sum()
    }

    /// Whether nothing is inside.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All cubes inside: shelf 0, then shelf 1, each oldest first.
    pub fn cubes(&self) -> impl Iterator<Item = Colour> {
        self.shelves.iter().flat_map(|shelf| shelf.cubes().iter().copied())
    }

    /// How many cubes of each colour are inside; colours beyond the table are not counted.
    pub fn contents<const COLOURS: usize>(&self) -> [u16; COLOURS] {
        count(self.cubes())
    }

    /// Whether the shelves hold no more than these parameters allow.
    pub fn fits(&self, parameters: &Parameters) -> bool {
        let capacity = |number: usize| parameters.shelves().get(number).map_or(0, |shelf| shelf.capacity);
        self.shelves.iter().enumerate().all(|(number, shelf)| shelf.held <= capacity(number))
    }

    /// Throws cubes into the tower; what comes out is appended to `tray` (TW-TOWER-32).
    ///
    /// `input` is in the order of TW-TOWER-08, seats ascending and farmers last, and is shuffled in place.
    ///
    /// # Panics
    /// When there are more cubes than [`MAX_CUBES`].
    pub fn throw(
        &mut self,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        chance: &mut impl Chance,
        tray: &mut Cubes,
    ) {
        shuffle(input, draws, chance);
        let (mut falling, mut progress) = (Falling::new(), Progress::default());
        for &colour in &*input {
            falling.push(FallingCube { colour, shelf: 0, fresh: true });
            while let Some(cube) = falling.pop() {
                if usize::from(cube.shelf) == parameters.shelves().len() {
                    tray.push(cube.colour);
                } else {
                    self.visit(parameters, cube, &mut progress, draws, chance, &mut falling);
                }
            }
        }
    }

    /// A cube reaches a shelf: some that lie there may slip, and it stays or goes on.
    #[inline(always)]
    fn visit(
        &mut self,
        parameters: &Parameters,
        arrived: FallingCube,
        progress: &mut Progress,
        draws: &mut u32,
        chance: &mut impl Chance,
        falling: &mut Falling,
    ) {
        let (number, below) = (usize::from(arrived.shelf), arrived.shelf + 1);
        let shelf = &mut self.shelves[number];
        let numbers = &parameters.shelves()[number];
        let (mut keep, mut gone) = (Marked::new(), Marked::new());
        for (place, &cube) in shelf.cubes().iter().enumerate() {
            let cube = (cube, progress.fresh[number] >> place & 1 != 0);
            let slips = r16(draws, chance) < numbers.dislodge;
            if slips { gone.push(cube) } else { keep.push(cube) }
        }
        if !gone.is_empty() {
            // A slip drags others along, once.
            let mut rest = Marked::new();
            for &cube in &keep {
                let dragged = r16(draws, chance) < numbers.burst;
                if dragged { gone.push(cube) } else { rest.push(cube) }
            }
            keep = rest;
        }
        let threshold = parameters.jammed_threshold(number, keep.len(), progress.reached[number]);
        let stays = u32::from(r16(draws, chance)) < threshold;
        progress.reached[number] += usize::from(arrived.fresh);
        if stays {
            keep.push((arrived.colour, arrived.fresh));
        }
        progress.fresh[number] =
            keep.iter().enumerate().fold(0, |bits, (place, cube)| bits | u64::from(cube.1) << place);
        shelf.set(&keep.iter().map(|cube| cube.0).collect::<Floor>());
        // The last pushed is the next to fall: the new cube first, then those that slipped in their order.
        let slipped = gone.iter().rev();
        falling.extend(slipped.map(|&(colour, fresh)| FallingCube { colour, shelf: below, fresh }));
        if !stays {
            falling.push(FallingCube { shelf: below, ..arrived });
        }
    }

    /// An accidental fall (TW-R-31): with a chance in 1/65536 one cube, any of them, comes out.
    ///
    /// Draws even for a chance of 0: callers without falls do not call it.
    pub fn bump(&mut self, chance_65536: u32, draws: &mut u32, chance: &mut impl Chance) -> Option<Colour> {
        let falls = u32::from(r16(draws, chance)) < chance_65536;
        if !falls || self.is_empty() {
            return None;
        }
        let mut place = below(self.len() as u32, draws, chance) as usize;
        for shelf in &mut self.shelves {
            let held = usize::from(shelf.held);
            if place < held {
                let mut cubes: Floor = shelf.cubes().iter().copied().collect();
                let fallen = cubes.remove(place);
                shelf.set(&cubes);
                return Some(fallen);
            }
            place -= held;
        }
        None
    }

    /// Makes what came out of a throw what a script says, `wanted` by colour, with the same cubes in tower and tray: cubes
    /// that should have come out leave the lowest shelf they lie on, others go back to the first shelf with room.
    ///
    /// # Errors
    /// The colour of which there are not enough cubes, or `None` when the shelves do not have room for what should stay.
    pub fn settle_throw<const COLOURS: usize>(
        &mut self,
        parameters: &Parameters,
        tray: &mut Cubes,
        wanted: &[u16; COLOURS],
    ) -> Result<(), Option<u8>> {
        let mut fell: [u16; COLOURS] = count(tray.iter().copied());
        let mut after = *self;
        for (colour, (&want, fell)) in wanted.iter().zip(&mut fell).enumerate() {
            while *fell < want {
                if !after.take_out(Colour(colour as u8)) {
                    return Err(Some(colour as u8));
                }
                *fell += 1;
            }
        }
        for (colour, (&want, fell)) in wanted.iter().zip(&mut fell).enumerate() {
            while *fell > want {
                if !after.put_back(parameters, Colour(colour as u8)) {
                    return Err(None);
                }
                *fell -= 1;
            }
        }
        *self = after;
        *tray = heap(wanted);
        Ok(())
    }

    /// Takes the oldest cube of a colour from the lowest shelf that has one.
    fn take_out(&mut self, colour: Colour) -> bool {
        for shelf in self.shelves.iter_mut().rev() {
            if let Some(place) = shelf.cubes().iter().position(|&cube| cube == colour) {
                let mut cubes: Floor = shelf.cubes().iter().copied().collect();
                cubes.remove(place);
                shelf.set(&cubes);
                return true;
            }
        }
        false
    }

    fn put_back(&mut self, parameters: &Parameters, colour: Colour) -> bool {
        for (shelf, numbers) in self.shelves.iter_mut().zip(parameters.shelves()) {
            if shelf.held < numbers.capacity {
                shelf.push(colour);
                return true;
            }
        }
        false
    }

    /// Writes the shelves: a length and the colours of each.
    pub fn encode(&self, writer: &mut Writer) {
        for shelf in &self.shelves {
            writer.u8(shelf.held);
            for cube in shelf.cubes() {
                writer.u8(cube.0);
            }
        }
    }

    /// Reads what [`CubeTower::encode`] wrote; colours are those below `colours`.
    ///
    /// # Errors
    /// [`DecodeError`] for bytes that are not a tower.
    pub fn decode(reader: &mut Reader<'_>, colours: u8) -> Result<Self, DecodeError> {
        let mut tower = Self::EMPTY;
        for shelf in &mut tower.shelves {
            let held = reader.at_most("tower.shelf", MAX_CAPACITY as u8)?;
            let mut cubes = Floor::new();
            for _ in 0..held {
                cubes.push(Colour(reader.at_most("tower.colour", colours - 1)?));
            }
            shelf.set(&cubes);
        }
        Ok(tower)
    }
}

/// Room for the cubes of one shelf, and one more.
type Floor = ArrayVec<Colour, { MAX_CAPACITY + 1 }>;
/// The same, and whether this throw brought them.
type Marked = ArrayVec<(Colour, bool), { MAX_CAPACITY + 1 }>;

/// How many cubes there are of each colour; colours beyond the table are not counted.
pub fn count<const COLOURS: usize>(cubes: impl IntoIterator<Item = Colour>) -> [u16; COLOURS] {
    let mut counts = [0; COLOURS];
    for colour in cubes {
        if let Some(count) = counts.get_mut(usize::from(colour.0)) {
            *count += 1;
        }
    }
    counts
}

/// Cubes by colour as a heap in the order of TW-TOWER-08: colours ascending.
///
/// # Panics
/// When there are more than [`MAX_CUBES`].
pub fn heap(counts: &[u16]) -> Cubes {
    let colours = counts.iter().zip(0_u8..);
    colours.flat_map(|(&count, colour)| (0..count).map(move |_| Colour(colour))).collect()
}

/// The next half of a word.
#[inline(always)]
fn r16(draws: &mut u32, chance: &mut impl Chance) -> u16 {
    let number = chance.r16(*draws);
    *draws += 1;
    number
}

/// Uniform in `0..sides`, from the next whole word.
#[inline(always)]
fn below(sides: u32, draws: &mut u32, chance: &mut impl Chance) -> u32 {
    let word = draws.div_ceil(2);
    *draws = 2 * (word + 1);
    chance.below(word, sides)
}

/// The shuffle of TW-RNG-00, from whole words.
#[inline(always)]
fn shuffle(cubes: &mut [Colour], draws: &mut u32, chance: &mut impl Chance) {
    for last in (1..cubes.len()).rev() {
        cubes.swap(last, below(last as u32 + 1, draws, chance) as usize);
    }
}

#[cfg(test)]
mod tests;
