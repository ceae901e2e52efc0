use sengoku_kernel::{DecodeError, Reader};

/// Colours there can be: five seats and the farmers.
pub const COLOURS: usize = 6;

/// Cubes of each colour: seats first, farmers last.
pub type Counts = [u16; COLOURS];

/// The colour of a cube. The physics never looks at it (TW-TOWER-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(u8);

impl Colour {
    /// The neutral cubes.
    pub const FARMER: Self = Self(COLOURS as u8 - 1);

    /// The colour of a seat.
    ///
    /// # Panics
    /// When there is no such seat.
    pub const fn seat(seat: u8) -> Self {
        assert!(seat < Self::FARMER.0, "a tower knows five seats");
        Self(seat)
    }

    /// The colour at a place of [`Counts`].
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < COLOURS { Some(Self(index as u8)) } else { None }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        reader.at_most("colour", Self::FARMER.0).map(Self)
    }

    /// The place in [`Counts`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The cubes in the order in which they are thrown: seats ascending, farmers last (TW-TOWER-08).
pub fn in_order(counts: &Counts) -> Vec<Colour> {
    let colours = (0..COLOURS as u8).map(Colour);
    colours.zip(counts).flat_map(|(colour, &count)| std::iter::repeat_n(colour, count.into())).collect()
}

/// How many cubes of each colour there are.
pub(crate) fn count(colours: impl IntoIterator<Item = Colour>) -> Counts {
    let mut counts = Counts::default();
    for colour in colours {
        counts[colour.index()] += 1;
    }
    counts
}
