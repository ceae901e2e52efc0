//! What an observation and the action table of a game mean, as data.
//!
//! An observation is a row of bits: bit `b` is bit `b % 8` of byte `b / 8`, the lowest first, so that numbers of several bytes are
//! little-endian. A [`Field`] is one number in it, or an array of equally wide numbers at equal distances; the fields of a
//! [`Spec`] cover every bit once.

use serde::Serialize;

use crate::Game;

/// An axis of a field or of a kind of action: the places along it have values that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// What the axis goes through, e.g. `clan`.
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

    fn sized(mut self) -> Self {
        self.size = self.labels.len() as u32;
        self
    }
}

/// A number in an observation, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// What it is called, e.g. `clans.armies.province`.
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
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Names of the values from [`Field::low`] on; empty where they are numbers.
    pub labels: Vec<String>,
}

/// Name of bits that are always 0.
pub const PADDING: &str = "padding";

impl Field {
    /// A number of so many bits.
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
    fields: Vec<Field>,
    bits: u32,
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

/// A value of an enumeration as people write it.
pub fn label(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(error) => error.to_string(),
    }
}

/// A kind of action: entries of the action table that follow each other, row by row of its axes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionKind {
    /// What it is called, as in [`crate::ActionText`].
    pub name: &'static str,
    /// Its first entry of the table.
    pub first: u32,
    /// What it names, the outermost first, as in [`crate::ActionText::args`].
    pub axes: Vec<Axis>,
    /// What it does, in a sentence.
    pub meaning: &'static str,
}

impl ActionKind {
    /// A kind without axes.
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, first: 0, axes: Vec::new(), meaning }
    }

    /// With something to name, inside what it names already.
    #[must_use]
    pub fn of(mut self, axis: Axis) -> Self {
        self.axes.push(axis);
        self
    }

    /// Entries of the table.
    pub fn size(&self) -> u32 {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// What the entry at a place within the kind names: the name or the number along each axis.
    pub fn args(&self, place: u32) -> impl Iterator<Item = (&'static str, String)> {
        self.axes.iter().map(move |axis| {
            let at = place / axis.stride % axis.size;
            let value = match axis.labels.get(at as usize) {
                Some(label) => label.clone(),
                None => (axis.first + at.cast_signed() * axis.step).to_string(),
            };
            (axis.name, value)
        })
    }
}

/// What an observation and the action table of a game mean. It holds for one rules version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spec {
    /// The game.
    pub game: &'static str,
    /// Its rules version.
    pub rules_version: u32,
    /// Fewest seats of a match.
    pub min_seats: u32,
    /// Most seats of a match.
    pub max_seats: u32,
    /// Bytes of every observation.
    pub observation_size: u32,
    /// Entries of the action table.
    pub action_count: u32,
    /// No decision has more legal actions than this.
    pub max_legal_actions: u32,
    /// What is in an observation, in order of their first bits.
    pub fields: Vec<Field>,
    /// What is in the action table, in its order.
    pub actions: Vec<ActionKind>,
}

impl Spec {
    /// The specification of a game by the layout of its observations and the kinds of its actions, in order.
    pub fn new<G: Game>(layout: Layout, kinds: Vec<ActionKind>, max_legal_actions: u32) -> Self {
        let mut actions = kinds;
        let mut first = 0;
        for kind in &mut actions {
            kind.first = first;
            let mut stride = 1;
            for axis in kind.axes.iter_mut().rev() {
                axis.stride = stride;
                stride *= axis.size;
            }
            first += stride;
        }
        Self {
            game: G::NAME,
            rules_version: G::RULES_VERSION,
            min_seats: *G::SEATS.start() as u32,
            max_seats: *G::SEATS.end() as u32,
            observation_size: G::OBSERVATION_SIZE as u32,
            action_count: G::ACTION_COUNT,
            max_legal_actions,
            fields: layout.fields,
            actions,
        }
    }

    /// The specification as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The kind of the action at a place of the table, and the place within the kind.
    pub fn action(&self, index: u32) -> Option<(&ActionKind, u32)> {
        let kind =
            self.actions.iter().find(|kind| (kind.first..kind.first + kind.size()).contains(&index))?;
        Some((kind, index - kind.first))
    }

    /// What is wrong with it in itself: bits that no field covers or that two do, values that do not fit, names that are not
    /// there or there twice, entries of the table without a kind.
    ///
    /// # Errors
    /// The first thing that is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let mut covered = vec![false; self.observation_size as usize * 8];
        for field in &self.fields {
            let name = &field.name;
            let padding = name.rsplit('.').next() == Some(PADDING);
            let known = self.fields.iter().filter(|other| other.name == *name).count();
            if !padding && known > 1 {
                return Err(format!("{known} fields are called {name}"));
            }
            if field.bits == 0 || field.bits > 32 || field.bit > 7 {
                return Err(format!("{name} has {} bits from bit {}", field.bits, field.bit));
            }
            let most = u32::MAX >> (32 - field.bits);
            let fits = field.low <= field.high
                && field.high <= most
                && field.none.is_none_or(|none| none <= most && !(field.low..=field.high).contains(&none));
            if !fits {
                return Err(format!("values of {name} do not fit"));
            }
            if !field.labels.is_empty() && field.labels.len() as u32 != field.high - field.low + 1 {
                return Err(format!("{name} has {} names for its values", field.labels.len()));
            }
            if field.meaning.is_empty() {
                return Err(format!("{name} means nothing"));
            }
            check_axes(name, &field.axes)?;
            for bit in field.places().into_iter().flat_map(|place| place..place + field.bits) {
                match covered.get_mut(bit as usize) {
                    Some(seen) if !*seen => *seen = true,
                    Some(_) => return Err(format!("{name} covers bit {bit} again")),
                    None => return Err(format!("{name} covers bit {bit} beyond the end")),
                }
            }
        }
        if let Some(bit) = covered.iter().position(|seen| !seen) {
            return Err(format!("no field covers bit {bit}, byte {}", bit / 8));
        }
        let mut first = 0;
        for kind in &self.actions {
            if kind.first != first || kind.meaning.is_empty() {
                return Err(format!("{} begins at {} instead of {first}", kind.name, kind.first));
            }
            check_axes(kind.name, &kind.axes)?;
            first += kind.size();
        }
        if first != self.action_count {
            return Err(format!("the kinds have {first} entries of {}", self.action_count));
        }
        if !(1..=self.action_count).contains(&self.max_legal_actions) {
            return Err(format!("{} legal actions at once", self.max_legal_actions));
        }
        Ok(())
    }
}

fn check_axes(name: &str, axes: &[Axis]) -> Result<(), String> {
    for axis in axes {
        if axis.size == 0 || !axis.labels.is_empty() && axis.labels.len() as u32 != axis.size {
            return Err(format!("axis {} of {name} has {} places", axis.name, axis.size));
        }
        let twice = (1..axis.labels.len()).find(|&place| axis.labels[..place].contains(&axis.labels[place]));
        if let Some(place) = twice {
            return Err(format!("axis {} of {name} has {} twice", axis.name, axis.labels[place]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
