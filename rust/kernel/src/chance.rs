use crate::cube_tower::{Colour, CubeTower, Cubes, Parameters, Reservoir};
use crate::philox;

/// Where random numbers come from.
pub trait Chance {
    /// Uniform in `0..sides`; `draw` is the running number kept in the state.
    fn below(&mut self, draw: u32, sides: u32) -> u32;

    /// Rolls a die of the game, `0..sides`. Dice have their own method because they can be scripted apart from cards and
    /// lots.
    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        self.below(draw, sides)
    }

    /// Draws a lot: one of `count` things, all equally likely. Lots have their own method because they can be scripted.
    fn lot(&mut self, draw: u32, count: u32) -> u32 {
        self.below(draw, count)
    }

    /// Draws a lot that a script of dice can give as well.
    fn rolled_lot(&mut self, draw: u32, count: u32) -> u32 {
        self.roll(draw, count)
    }

    /// The places of the cards that a script wants first in a pile that was shuffled, the first to be drawn first. `name`
    /// is the name of the card at a place.
    fn stack(&mut self, _count: usize, _name: &dyn Fn(usize) -> String) -> Vec<usize> {
        Vec::new()
    }

    /// Uniform in `0..65536`; `half` counts halves of words. A script gives its next number.
    fn r16(&mut self, half: u32) -> u16 {
        self.below(half, 1 << 16) as u16
    }

    /// The draws from half number `half` on, ahead of their use; `None` where they cannot be known, as those of a script.
    fn reservoir(&self, _half: u32) -> Option<Reservoir> {
        None
    }

    /// Throws cubes into a tower as [`CubeTower::throw`]. The tower has a stream of its own beside that of the game
    /// (TW-RNG-00); a script has one for both.
    fn throw(
        &mut self,
        tower: &mut CubeTower,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        tray: &mut Cubes,
    ) where
        Self: Sized,
    {
        tower.throw_with(parameters, input, draws, self, tray);
    }

    /// An accidental fall as [`CubeTower::bump`], from the stream of the tower.
    fn bump(&mut self, tower: &mut CubeTower, chance_65536: u32, draws: &mut u32) -> Option<Colour>
    where
        Self: Sized,
    {
        tower.bump(chance_65536, draws, self)
    }
}

/// Makes all of [`Chance`] but its dice, lots and stacked cards come from a field.
#[macro_export]
macro_rules! chance_of {
    ($field:tt) => {
        fn below(&mut self, draw: u32, sides: u32) -> u32 {
            self.$field.below(draw, sides)
        }

        fn r16(&mut self, half: u32) -> u16 {
            self.$field.r16(half)
        }

        fn throw(
            &mut self,
            tower: &mut $crate::cube_tower::CubeTower,
            parameters: &$crate::cube_tower::Parameters,
            input: &mut [$crate::cube_tower::Colour],
            draws: &mut u32,
            tray: &mut $crate::cube_tower::Cubes,
        ) {
            self.$field.throw(tower, parameters, input, draws, tray);
        }

        fn bump(
            &mut self,
            tower: &mut $crate::cube_tower::CubeTower,
            chance_65536: u32,
            draws: &mut u32,
        ) -> Option<$crate::cube_tower::Colour> {
            self.$field.bump(tower, chance_65536, draws)
        }
    };
}

/// The purpose of a stream. Under one seed, streams of different purpose never use the same counter of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Dice, cards and everything else the rules draw.
    Game = 0,
    /// The cube tower.
    Tower = 1,
    /// Decisions of bots.
    Bots = 2,
    /// Sampled odds.
    Odds = 3,
    /// Worlds and play that a search imagines.
    Search = 4,
    /// Random decisions for training and tests.
    Sample = 5,
}

/// The draws of one match: a pure function of seed, purpose, match index and draw number.
///
/// Counter words of the generator: draw / 4, purpose and retry, match index (low, high). The key is the seed. Draw `n`
/// is word `n % 4` of its block, so four draws in a row cost one block.
#[derive(Clone, Debug)]
pub struct Stream {
    key: [u32; 2],
    purpose: Purpose,
    match_index: u64,
    /// The last block computed, with its number: a memory of the pure function, never a state of its own.
    block: (u32, [u32; 4]),
}

impl Stream {
    /// The stream of one match.
    pub fn new(seed: u64, purpose: Purpose, match_index: u64) -> Self {
        let mut stream = Self::without_block(seed, purpose, match_index);
        stream.block = (0, stream.compute(0, 0));
        stream
    }

    /// The stream of the tower beside this one.
    fn of_the_tower(&self) -> Self {
        Self { purpose: Purpose::Tower, block: (u32::MAX, [0; 4]), ..*self }
    }

    /// The stream of one match, before anything is computed; for a draw far from its beginning.
    pub const fn without_block(seed: u64, purpose: Purpose, match_index: u64) -> Self {
        // No draw has this block number: there are only 2^30 of them.
        let block = (u32::MAX, [0; 4]);
        Self { key: [seed as u32, (seed >> 32) as u32], purpose, match_index, block }
    }

    /// The stream of another match, before anything is computed.
    pub(crate) const fn of_match(&self, match_index: u64) -> Self {
        Self { match_index, block: (u32::MAX, [0; 4]), ..*self }
    }

    /// Counter words of a block.
    pub(crate) const fn counter(&self, block: u32, retry: u32) -> [u32; 4] {
        let index = [self.match_index as u32, (self.match_index >> 32) as u32];
        [block, self.purpose as u32 | retry << 8, index[0], index[1]]
    }

    pub(crate) const fn key(&self) -> [u32; 2] {
        self.key
    }

    fn compute(&self, block: u32, retry: u32) -> [u32; 4] {
        philox(self.counter(block, retry), self.key)
    }

    /// The four words of a block, as numbers of full 32 bits.
    pub fn block(&self, block: u32) -> [u32; 4] {
        self.compute(block, 0)
    }

    fn word(&mut self, draw: u32) -> u32 {
        let block = draw / 4;
        if self.block.0 != block {
            self.block = (block, self.compute(block, 0));
        }
        self.block.1[draw as usize % 4]
    }
}

impl Chance for Stream {
    /// # Panics
    /// When `sides` is 0.
    fn below(&mut self, draw: u32, sides: u32) -> u32 {
        assert!(sides > 0, "a die needs sides");
        // Multiply-and-reject after Lemire (2019): the high half is uniform once the low half is not in the short
        // first stretch. Retries are blocks of their own, so that a draw never depends on another one.
        let mut product = u64::from(self.word(draw)) * u64::from(sides);
        if (product as u32) < sides {
            let threshold = sides.wrapping_neg() % sides;
            let mut retry = 0;
            while (product as u32) < threshold {
                retry += 1;
                product = u64::from(self.compute(draw / 4, retry)[draw as usize % 4]) * u64::from(sides);
            }
        }
        (product >> 32) as u32
    }

    /// Half `n` is the low half of word `n / 2` if `n` is even, and its high half if `n` is odd.
    fn r16(&mut self, half: u32) -> u16 {
        (self.word(half / 2) >> (16 * (half % 2))) as u16
    }

    fn reservoir(&self, half: u32) -> Option<Reservoir> {
        Some(Reservoir::of(self.clone(), half))
    }

    fn throw(
        &mut self,
        tower: &mut CubeTower,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        tray: &mut Cubes,
    ) {
        tower.throw_with(parameters, input, draws, &mut self.of_the_tower(), tray);
    }

    fn bump(&mut self, tower: &mut CubeTower, chance_65536: u32, draws: &mut u32) -> Option<Colour> {
        tower.bump(chance_65536, draws, &mut self.of_the_tower())
    }
}

/// Scripted draws for tests, each in `0..sides`. It panics when it runs out.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    rolls: &'a [u32],
    used: usize,
}

impl<'a> Scripted<'a> {
    /// A script of draws, used from the front.
    pub const fn new(rolls: &'a [u32]) -> Self {
        Self { rolls, used: 0 }
    }

    /// Whether every draw has been used; an unused one is a bug too.
    pub const fn is_exhausted(&self) -> bool {
        self.used == self.rolls.len()
    }
}

impl Chance for Scripted<'_> {
    /// # Panics
    /// When the script has run out or its next value does not fit the die.
    fn below(&mut self, draw: u32, sides: u32) -> u32 {
        let roll = *self.rolls.get(self.used).unwrap_or_else(|| panic!("no roll left for draw {draw}"));
        assert!(roll < sides, "draw {draw} is {roll}, but the die has {sides} sides");
        self.used += 1;
        roll
    }
}

/// Scripted draws that come from outside: running out is counted instead of a panic, for the caller to report.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    rolls: &'a [u32],
    requested: usize,
}

impl<'a> Script<'a> {
    /// A script of draws, used from the front.
    pub const fn new(rolls: &'a [u32]) -> Self {
        Self { rolls, requested: 0 }
    }

    /// Number of draws requested so far, including those beyond the end of the script.
    pub const fn requested(&self) -> usize {
        self.requested
    }

    /// Number of draws requested beyond the end of the script.
    pub const fn missing(&self) -> usize {
        self.requested.saturating_sub(self.rolls.len())
    }
}

impl Chance for Script<'_> {
    fn below(&mut self, _draw: u32, sides: u32) -> u32 {
        let roll = self.rolls.get(self.requested).copied().unwrap_or(0);
        self.requested += 1;
        roll.min(sides - 1)
    }
}

/// [`Chance`] from a function that is called once per number, as [`crate::Game::resample`] takes it; the draw number is ignored.
pub struct ChanceFn<'a>(pub &'a mut dyn FnMut(u32) -> u32);

impl ChanceFn<'_> {
    /// One of several, all equally likely; `None` where there is none. The only one there is costs no number.
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        match items {
            [] => None,
            &[only] => Some(only),
            _ => Some(items[(self.0)(items.len() as u32) as usize]),
        }
    }
}

impl Chance for ChanceFn<'_> {
    fn below(&mut self, _draw: u32, sides: u32) -> u32 {
        (self.0)(sides)
    }
}

/// Shuffles in place: from the last place down, each item changes places with one at or below it.
pub fn shuffle<T>(items: &mut [T], draws: &mut u32, chance: &mut impl Chance) {
    for last in (1..items.len()).rev() {
        items.swap(last, next(last as u32 + 1, draws, chance) as usize);
    }
}

/// The end of a pile from which cards are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// The first card is drawn first.
    First,
    /// The last card is drawn first.
    Last,
}

/// Shuffles a pile of cards, which a script can stack; `name` is what a script calls a card.
pub fn shuffle_cards<T: Copy>(
    cards: &mut [T],
    top: Top,
    draws: &mut u32,
    chance: &mut impl Chance,
    name: impl Fn(T) -> String,
) {
    shuffle(cards, draws, chance);
    let first = chance.stack(cards.len(), &|place| name(cards[place]));
    if first.is_empty() {
        return;
    }
    // The others keep the order of the shuffle.
    let rest = (0..cards.len()).filter(|place| !first.contains(place));
    let order: Vec<T> = match top {
        Top::First => first.iter().copied().chain(rest).map(|place| cards[place]).collect(),
        Top::Last => rest.chain(first.iter().rev().copied()).map(|place| cards[place]).collect(),
    };
    cards.copy_from_slice(&order);
}

/// Takes one of the remaining items blindly; the order of the rest stays. The last one left costs no draw.
pub fn take_one<T, const N: usize>(
    rest: &mut arrayvec::ArrayVec<T, N>,
    draws: &mut u32,
    chance: &mut impl Chance,
) -> Option<T> {
    match rest.len() {
        0 => None,
        1 => rest.pop(),
        count => {
            let place = chance.lot(*draws, count as u32);
            *draws += 1;
            Some(rest.remove(place as usize))
        }
    }
}

fn next(sides: u32, draws: &mut u32, chance: &mut impl Chance) -> u32 {
    let value = chance.below(*draws, sides);
    *draws += 1;
    value
}

#[cfg(test)]
mod tests;
