//! The specification of a game: the meaning of observations and of the action table, as data.
//!
//! An observation is a row of bits: bit `b` is bit `b % 8` of byte `b / 8`, the lowest first, so that numbers of several bytes are
//! little-endian. A [`Field`] is one number in it, or an array of equally wide numbers at equal distances; the fields of a
//! [`Spec`] cover every bit once.

mod layout;

use serde::Serialize;

use crate::Game;

pub use layout::{Axis, Field, Layout, PADDING};

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
    /// Its name, as in [`crate::ActionText`].
    pub name: &'static str,
    /// Its first entry of the table.
    pub first: u32,
    /// Its arguments, the outermost first, as in [`crate::ActionText::args`].
    pub axes: Vec<Axis>,
    /// Its effect, in a sentence.
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

    /// Arguments of the entry at a place within the kind: the name or the number along each axis.
    pub fn args(&self, place: u32) -> impl Iterator<Item = (&'static str, String)> {
        self.axes.iter().map(move |axis| (axis.name, axis.value(place / axis.stride % axis.size)))
    }
}

/// The meaning of observations and of the action table of a game, for one rules version.
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
    /// Fields of an observation, in order of their first bits.
    pub fields: Vec<Field>,
    /// Kinds of action, in the order of the table.
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

    /// Checks the specification in itself: bits that no field covers or that two do, values that do not fit, names that
    /// are missing or used twice, entries of the table without a kind.
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
