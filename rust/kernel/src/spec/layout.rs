//! The fields of an observation, and the axes of fields and actions.

use serde::Serialize;

/// An axis of a field or of a kind of action: the places along it have values that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Name of what the axis enumerates, e.g. `clan`.
    pub name: &'static str,
    /// Places along it.
    pub size: u32,
    /// From one place to the next: bits of the observation, or entries of the action table.
    pub stride: u32,
    /// Value of the first place, where values have no names.
    pub first: i32,
    /// From one value to the next, where values have no names.
    pub step: i32,
    /// Names of the values; empty where they are numbers.
    pub labels: Vec<String>,
}

impl Axis {
    /// Numbers from 0.
    pub const fn new(name: &'static str, size: usize) -> Self {
        Self { name, size: size as u32, stride: 0, first: 0, step: 1, labels: Vec::new() }
    }

    /// Numbers from another one.
    #[must_use]
    pub const fn from(mut self, first: i32) -> Self {
        self.first = first;
        self
    }

    /// Numbers that fall.
    #[must_use]
    pub const fn falling(mut self) -> Self {
        self.step = -1;
        self
    }

    /// Values with names.
    pub fn named<S: Into<String>>(name: &'static str, labels: impl IntoIterator<Item = S>) -> Self {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        Self { labels, ..Self::new(name, 0) }.sized()
    }

    /// The value of a place, as text.
    pub fn value(&self, place: u32) -> String {
        match self.labels.get(place as usize) {
            Some(label) => label.clone(),
            None => (self.first + place.cast_signed() * self.step).to_string(),
        }
    }

    fn sized(mut self) -> Self {
        self.size = self.labels.len() as u32;
        self
    }
}

/// A number in an observation, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Name of the field, e.g. `clans.armies.province`.
    pub name: String,
    /// Byte in which the first number begins.
    pub offset: u32,
    /// Bit of that byte in which it begins.
    pub bit: u32,
    /// Bits of each number.
    pub bits: u32,
    /// Axes of the array, the outermost first; none where it is one number.
    pub axes: Vec<Axis>,
    /// Least value, [`Field::none`] aside.
    pub low: u32,
    /// Greatest value, [`Field::none`] aside.
    pub high: u32,
    /// The value that stands for nobody, nowhere or nothing, where there is one.
    pub none: Option<u32>,
    /// Its meaning, in a sentence.
    pub meaning: &'static str,
    /// Names of the values from [`Field::low`] on; empty where they are numbers.
    pub labels: Vec<String>,
    /// Whether values without names stand for things, such as seats, rather than amounts.
    #[serde(skip)]
    pub is_category: bool,
    /// The amount that features count as 1; by default [`Field::high`] less [`Field::low`].
    #[serde(skip)]
    pub unit: Option<u32>,
}

/// Name of bits that are always 0.
pub const PADDING: &str = "padding";

impl Field {
    /// A number of `bits` bits.
    pub fn new(bits: u32, name: &str, low: u32, high: u32, meaning: &'static str) -> Self {
        let name = name.to_owned();
        Self {
            name,
            offset: 0,
            bit: 0,
            bits,
            axes: Vec::new(),
            low,
            high,
            none: None,
            meaning,
            labels: Vec::new(),
            is_category: false,
            unit: None,
        }
    }

    /// A number of one byte.
    pub fn byte(name: &str, low: u32, high: u32, meaning: &'static str) -> Self {
        Self::new(8, name, low, high, meaning)
    }

    /// A number of two bytes.
    pub fn word(name: &str, low: u32, high: u32, meaning: &'static str) -> Self {
        Self::new(16, name, low, high, meaning)
    }

    /// A byte that says yes or no.
    pub fn flag(name: &str, meaning: &'static str) -> Self {
        Self::byte(name, 0, 1, meaning)
    }

    /// A byte whose values have names.
    pub fn one_of<S: Into<String>>(
        name: &str,
        labels: impl IntoIterator<Item = S>,
        meaning: &'static str,
    ) -> Self {
        Self::byte(name, 0, 0, meaning).named(labels)
    }

    /// A bit for each name, the first in the lowest.
    pub fn set<S: Into<String>>(
        name: &str,
        of: &'static str,
        labels: impl IntoIterator<Item = S>,
        meaning: &'static str,
    ) -> Self {
        Self::new(1, name, 0, 1, meaning).along(Axis::named(of, labels))
    }

    /// Bits that are always 0.
    pub fn padding(bits: u32) -> Self {
        Self::new(bits, PADDING, 0, 0, "Always 0.")
    }

    /// With names for the values from `low` on.
    #[must_use]
    pub fn named<S: Into<String>>(mut self, labels: impl IntoIterator<Item = S>) -> Self {
        self.labels = labels.into_iter().map(Into::into).collect();
        self.high = self.low + (self.labels.len() as u32).saturating_sub(1);
        self
    }

    /// With values that stand for things, such as seats, and are no amounts.
    #[must_use]
    pub const fn category(mut self) -> Self {
        self.is_category = true;
        self
    }

    /// An amount that hardly ever gets near its greatest value: features count this much as 1.
    #[must_use]
    pub const fn in_units_of(mut self, unit: u32) -> Self {
        self.unit = Some(unit);
        self
    }

    /// With all bits set for nobody, nowhere or nothing.
    #[must_use]
    pub const fn or_none(mut self) -> Self {
        self.none = Some(u32::MAX >> (32 - self.bits));
        self
    }

    /// An array: one number for each place of an axis, inside the axes it has.
    #[must_use]
    pub fn along(mut self, axis: Axis) -> Self {
        self.axes.push(axis);
        self
    }

    /// Bits from the first to the last number.
    fn extent(&self) -> u32 {
        self.bits * self.axes.iter().map(|axis| axis.size).product::<u32>()
    }

    /// Where each of its numbers begins, in bits, in row-major order.
    pub fn places(&self) -> Vec<u32> {
        let mut places = vec![self.offset * 8 + self.bit];
        for axis in &self.axes {
            let along = |place: u32| (0..axis.size).map(move |at| place + at * axis.stride);
            places = places.into_iter().flat_map(along).collect();
        }
        places
    }

    /// The number that begins at a bit of an observation.
    pub fn read(&self, observation: &[u8], place: u32) -> u32 {
        (0..self.bits).fold(0, |number, bit| {
            let at = place + bit;
            number | u32::from(observation[at as usize / 8] >> (at % 8) & 1) << bit
        })
    }
}

/// Fields that follow each other without gaps.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub(crate) fields: Vec<Field>,
    pub(super) bits: u32,
}

impl Layout {
    /// Adds a field behind all others.
    pub fn put(&mut self, mut field: Field) {
        let mut stride = field.bits;
        for axis in field.axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.size;
        }
        (field.offset, field.bit) = (self.bits / 8, self.bits % 8);
        self.bits += field.extent();
        self.fields.push(field);
    }

    /// Adds several.
    pub fn put_all<const N: usize>(&mut self, fields: [Field; N]) {
        for field in fields {
            self.put(field);
        }
    }

    /// Adds the same fields once for each place of an axis, under a common name.
    pub fn put_records(&mut self, name: &str, axis: &Axis, write: impl FnOnce(&mut Self)) {
        let mut record = Self::default();
        write(&mut record);
        for mut field in record.fields {
            let at = self.bits + field.offset * 8 + field.bit;
            (field.offset, field.bit) = (at / 8, at % 8);
            field.name = if name.is_empty() { field.name } else { format!("{name}.{}", field.name) };
            field.axes.insert(0, Axis { stride: record.bits, ..axis.clone() });
            self.fields.push(field);
        }
        self.bits += record.bits * axis.size;
    }

    /// Fills up with padding to a number of bytes.
    pub fn fill(&mut self, bytes: usize) {
        let missing = (bytes as u32 * 8).saturating_sub(self.bits);
        if !missing.is_multiple_of(8) {
            self.put(Field::padding(missing % 8));
        }
        if missing >= 8 {
            self.put(Field::padding(8).along(Axis::new("byte", missing as usize / 8)));
        }
    }
}
