//! Features: observations and actions as numbers for networks, derived from the specification of a game.
//!
//! The features of an observation are a row of `f32`, in [`Block`]s: one for what is common, and one for each kind of record,
//! such as clans or provinces, with a row of channels for each of them. [`Features::new`] turns each field of a [`Spec`] into
//! channels:
//!
//! - an amount is one channel from 0 to 1 (more where [`Field::unit`] is set), with a second one for whether it is known if it
//!   may be absent;
//! - a category is one-hot, and all zero where it is absent; with two values it is one channel;
//! - a place of the board is a plane: a channel of the board's block that is 1 in that place;
//! - a place that belongs to a place is its number in binary.
//!
//! Features are a function of the bytes of an observation and nothing else, so a seat's features contain what its observation
//! contains; [`Features::decode`] is the way back.

mod actions;
mod board;
mod encoder;

use serde::Serialize;

use crate::Catalogued;
use crate::spec::{Axis, Field, PADDING, Spec};

pub use actions::ActionFeatures;
pub use board::Board;
pub use encoder::Encoder;

/// Most values of a category that are one-hot for every place; those of more are binary.
const MAX_PER_PLACE: u32 = 16;

/// How a number of an observation becomes numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 1 in the channel of the value, if it has one.
    OneHot,
    /// The value less [`Feature::first`], divided by [`Feature::unit`]; 0 where it is absent.
    Scaled,
    /// The value less [`Feature::first`] in binary, the lowest bit first; 0 where it is absent.
    Binary,
    /// 1 unless the value is absent.
    Known,
}

/// The channels of a field, or some of them. Those of the element at `[i, j, …]` begin at `offset + i * strides[0] + j *
/// strides[1] + …`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Feature {
    /// Name of the field.
    pub field: String,
    /// How its numbers are written.
    pub kind: Kind,
    /// Place in the row where the first element begins.
    pub offset: u32,
    /// From one element to the next, along each axis of the field.
    pub strides: Vec<u32>,
    /// Channels of an element.
    pub count: u32,
    /// From one channel of an element to the next.
    pub step: u32,
    /// Value of the first channel, or the amount that is 0.
    pub first: u32,
    /// The amount that is 1.
    pub unit: u32,
}

/// Channels for each of some records, record after record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Name of the axis of the records, or `common`.
    pub name: &'static str,
    /// Place in the row where it begins.
    pub offset: u32,
    /// Number of records.
    pub size: u32,
    /// Names of the channels of a record.
    pub channels: Vec<String>,
}

/// The features of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Features {
    /// The game.
    pub game: &'static str,
    /// Its rules version.
    pub rules_version: u32,
    /// Bytes of an observation.
    pub observation_size: u32,
    /// Numbers of a row.
    pub width: u32,
    /// Blocks in the order of the row.
    pub blocks: Vec<Block>,
    /// How each field is written, in the order of the fields.
    pub features: Vec<Feature>,
    /// The built-in boards.
    pub boards: Vec<Board>,
    /// The fields of an observation.
    #[serde(skip)]
    fields: Vec<Field>,
}

/// Features of a field before the widths of blocks are known.
struct Draft {
    feature: Feature,
    block: usize,
    channel: u32,
    /// Whether the first axis goes from record to record of the block.
    by_record: bool,
    /// Whether channels go from record to record.
    is_plane: bool,
}

/// Blocks that are being filled.
struct Drafts {
    blocks: Vec<Block>,
    all: Vec<Draft>,
    /// The block of the board's places, and their names.
    board: Option<(usize, Vec<String>)>,
}

impl Features {
    /// The features of a game.
    pub fn of<G: Catalogued>() -> Self {
        Self::new(&G::spec(), G::boards())
    }

    /// The features of a specification. All boards have the same places.
    pub fn new(spec: &Spec, boards: Vec<Board>) -> Self {
        let fields: Vec<Field> = spec.fields.iter().filter(|field| !is_padding(field)).cloned().collect();
        let mut drafts = Drafts::new(&fields, boards.first());
        for field in &fields {
            drafts.put(field);
        }
        let Drafts { mut blocks, all, .. } = drafts;
        let mut width = 0;
        for block in &mut blocks {
            block.offset = width;
            width += block.size * block.channels.len() as u32;
        }
        let place = |draft: Draft| {
            let block = &blocks[draft.block];
            let channels = block.channels.len() as u32;
            let mut feature = draft.feature;
            feature.offset = block.offset + draft.channel;
            if draft.by_record {
                feature.strides[0] = channels;
            }
            if draft.is_plane {
                feature.step = channels;
            }
            feature
        };
        let features = all.into_iter().map(place).collect();
        Self {
            game: spec.game,
            rules_version: spec.rules_version,
            observation_size: spec.observation_size,
            width,
            blocks,
            features,
            boards,
            fields,
        }
    }

    /// The features as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The observation that a row was written from.
    pub fn decode(&self, row: &[f32]) -> Vec<u8> {
        let mut observation = vec![0; self.observation_size as usize];
        for field in &self.fields {
            let features: Vec<&Feature> =
                self.features.iter().filter(|feature| feature.field == field.name).collect();
            for (number, place) in field.places().into_iter().enumerate() {
                let value = Self::value(field, &features, number as u32, row);
                for bit in 0..field.bits {
                    let at = place + bit;
                    observation[at as usize / 8] |= ((value >> bit & 1) as u8) << (at % 8);
                }
            }
        }
        observation
    }

    /// The value of an element of a field, by its number in row-major order.
    fn value(field: &Field, features: &[&Feature], number: u32, row: &[f32]) -> u32 {
        let mut value = field.none.unwrap_or(field.low);
        for feature in features {
            let at = feature.at(field, number);
            let read = |channel: u32| row[(at + channel * feature.step) as usize];
            match feature.kind {
                Kind::OneHot => {
                    if let Some(found) = (0..feature.count).find(|&channel| read(channel) > 0.5) {
                        value = feature.first + found;
                    }
                }
                Kind::Known if read(0) < 0.5 => return field.none.unwrap_or(field.low),
                Kind::Known => {}
                Kind::Scaled => value = feature.first + (read(0) * feature.unit as f32).round() as u32,
                Kind::Binary => {
                    let bits = (0..feature.count).map(|bit| u32::from(read(bit) > 0.5) << bit);
                    value = feature.first + bits.sum::<u32>();
                }
            }
        }
        value
    }
}

impl Feature {
    /// Where the channels of an element begin, by its number in row-major order.
    fn at(&self, field: &Field, number: u32) -> u32 {
        let (mut at, mut left) = (self.offset, number);
        for (axis, stride) in field.axes.iter().zip(&self.strides).rev() {
            at += left % axis.size * stride;
            left /= axis.size;
        }
        at
    }
}

fn is_padding(field: &Field) -> bool {
    field.name.rsplit('.').next() == Some(PADDING)
}

/// The axis of the records that a field is in, if it is in any: there is more in a record than the field.
fn record_axis(field: &Field) -> Option<&Axis> {
    let axis = field.axes.first()?;
    let inner: u32 = field.axes[1..].iter().map(|axis| axis.size).product();
    (axis.stride > field.bits * inner).then_some(axis)
}

impl Drafts {
    fn new(fields: &[Field], board: Option<&Board>) -> Self {
        let common = Block { name: "common", offset: 0, size: 1, channels: Vec::new() };
        let mut drafts = Self { blocks: vec![common], all: Vec::new(), board: None };
        for axis in fields.iter().filter_map(record_axis) {
            if drafts.block_of(axis).is_some() {
                continue;
            }
            if board.is_some_and(|board| board.axis == axis.name) {
                drafts.board = Some((drafts.blocks.len(), axis.labels.clone()));
            }
            let block = Block { name: axis.name, offset: 0, size: axis.size, channels: Vec::new() };
            drafts.blocks.push(block);
        }
        drafts
    }

    /// The block of an axis, if it is one of records.
    fn block_of(&self, axis: &Axis) -> Option<usize> {
        self.blocks.iter().position(|block| block.name == axis.name && block.size == axis.size)
    }

    fn put(&mut self, field: &Field) {
        let block = field.axes.first().and_then(|axis| self.block_of(axis));
        let on_board = block.is_some() && block == self.board.as_ref().map(|board| board.0);
        let values = field.high - field.low + 1;
        let is_category = !field.labels.is_empty() || field.is_category || values <= 2;
        let mut parts = Vec::new();
        if !is_category {
            if field.none.is_some() {
                parts.push((Kind::Known, 0, 1));
            }
            parts.push((Kind::Scaled, field.low, 1));
        } else if let Some((board, places)) = self.places_of(field).filter(|_| !on_board) {
            self.put_planes(field, board, places);
            if values > places {
                parts.push((Kind::OneHot, field.low + places, values - places));
            }
        } else if on_board && values > MAX_PER_PLACE {
            if field.none.is_some() {
                parts.push((Kind::Known, 0, 1));
            }
            parts.push((Kind::Binary, field.low, (values - 1).ilog2() + 1));
        } else if field.none.is_none() {
            // One of two values needs no channel: it is the other one's absence.
            let shown = u32::from(values <= 2);
            parts.push((Kind::OneHot, field.low + shown, values - shown));
        } else {
            parts.push((Kind::OneHot, field.low, values));
        }
        self.put_parts(field, block, &parts);
    }

    /// The block of the board and its number of places, if these are the first values of a field.
    fn places_of(&self, field: &Field) -> Option<(usize, u32)> {
        let (block, places) = self.board.as_ref()?;
        field.labels.starts_with(places).then_some((*block, places.len() as u32))
    }

    /// One channel of the board for each element of a field.
    fn put_planes(&mut self, field: &Field, block: usize, places: u32) {
        let channel = self.blocks[block].channels.len() as u32;
        let names = elements(&field.axes).into_iter().map(|element| format!("{}{element}", field.name));
        self.blocks[block].channels.extend(names);
        let feature = feature(field, Kind::OneHot, field.low, places, strides(&field.axes, 1));
        self.all.push(Draft { feature, block, channel, by_record: false, is_plane: true });
    }

    /// Channels for each element of a field in its own block.
    fn put_parts(&mut self, field: &Field, block: Option<usize>, parts: &[(Kind, u32, u32)]) {
        let (by_record, block) = (block.is_some(), block.unwrap_or(0));
        let inner = &field.axes[usize::from(by_record)..];
        let channels: u32 = parts.iter().map(|part| part.2).sum();
        let mut channel = self.blocks[block].channels.len() as u32;
        for element in elements(inner) {
            let name = format!("{}{element}", field.name);
            for &(kind, first, count) in parts {
                let names = (0..count).map(|number| channel_name(field, &name, kind, first, number));
                self.blocks[block].channels.extend(names);
            }
        }
        for &(kind, first, count) in parts {
            let mut strides = strides(inner, channels);
            if by_record {
                strides.insert(0, 0);
            }
            let feature = feature(field, kind, first, count, strides);
            self.all.push(Draft { feature, block, channel, by_record, is_plane: false });
            channel += count;
        }
    }
}

fn feature(field: &Field, kind: Kind, first: u32, count: u32, strides: Vec<u32>) -> Feature {
    let unit = field.unit.unwrap_or(field.high - field.low).max(1);
    Feature { field: field.name.clone(), kind, offset: 0, strides, count, step: 1, first, unit }
}

/// From one element to the next along each axis, if one has so many channels.
fn strides(axes: &[Axis], channels: u32) -> Vec<u32> {
    let inside = |axis: usize| axes[axis + 1..].iter().map(|axis| axis.size).product::<u32>();
    (0..axes.len()).map(|axis| channels * inside(axis)).collect()
}

/// What distinguishes the elements of an array, in row-major order: their values along the axes.
fn elements(axes: &[Axis]) -> Vec<String> {
    let mut names = vec![String::new()];
    for axis in axes {
        let along = |name: String| (0..axis.size).map(move |at| format!("{name},{}", axis.value(at)));
        names = names.into_iter().flat_map(along).collect();
    }
    let bracketed = |name: String| name.strip_prefix(',').map_or(String::new(), |name| format!("[{name}]"));
    names.into_iter().map(bracketed).collect()
}

fn channel_name(field: &Field, name: &str, kind: Kind, first: u32, number: u32) -> String {
    match kind {
        Kind::OneHot if field.high - field.low == 1 && field.labels.is_empty() && field.none.is_none() => {
            name.into()
        }
        Kind::OneHot => {
            let value = first + number;
            let label = field.labels.get((value - field.low) as usize);
            label.map_or_else(|| format!("{name}={value}"), |label| format!("{name}={label}"))
        }
        Kind::Scaled => name.into(),
        Kind::Binary => format!("{name}.bit{number}"),
        Kind::Known => format!("{name}.known"),
    }
}

#[cfg(test)]
mod tests;
