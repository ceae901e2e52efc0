//! Writes features: tables that lead from each byte of an observation to the numbers of a row that depend on it.

use super::{Feature, Features, Kind};
use crate::spec::Field;

/// Stands for a field whose values are never absent.
const NEVER: u32 = u32::MAX;

/// The numbers of a row that one number of an observation becomes, or some of them.
#[derive(Clone, Copy, Debug)]
struct Item {
    kind: Kind,
    /// Bit of the byte in which the number begins.
    shift: u8,
    /// Byte in which it begins.
    byte: u16,
    mask: u16,
    first: u16,
    count: u16,
    none: u32,
    at: u32,
    step: u32,
    unit: f32,
}

impl Item {
    fn new(field: &Field, feature: &Feature, number: u32, place: u32) -> Self {
        assert!(field.bits <= 16, "{} is too wide for features", field.name);
        assert!(field.bits <= 8 || place.is_multiple_of(8), "{} is not aligned", field.name);
        Self {
            kind: feature.kind,
            shift: (place % 8) as u8,
            byte: (place / 8) as u16,
            mask: u16::MAX >> (16 - field.bits),
            first: feature.first as u16,
            count: feature.count as u16,
            none: field.none.unwrap_or(NEVER),
            at: feature.at(field, number),
            step: feature.step,
            unit: feature.unit as f32,
        }
    }

    const fn is_wide(&self) -> bool {
        self.mask > 0xff
    }

    #[inline]
    fn read(&self, observation: &[u8]) -> u16 {
        let byte = usize::from(self.byte);
        if self.is_wide() {
            u16::from_le_bytes([observation[byte], observation[byte + 1]])
        } else {
            u16::from(observation[byte]) >> self.shift & self.mask
        }
    }

    /// Takes back what a value has set in a row, unless [`Item::write`] writes over it.
    #[inline]
    fn clear(&self, value: u16, row: &mut [f32]) {
        let channel = value.wrapping_sub(self.first);
        if self.kind == Kind::OneHot && channel < self.count {
            row[(self.at + u32::from(channel) * self.step) as usize] = 0.0;
        }
    }

    /// Writes a value into a row in which no channel of it is set.
    #[inline]
    fn write(&self, value: u16, row: &mut [f32]) {
        let channel = value.wrapping_sub(self.first);
        let known = u32::from(value) != self.none;
        let at = self.at as usize;
        match self.kind {
            Kind::OneHot => {
                if channel < self.count {
                    row[at + usize::from(channel) * self.step as usize] = 1.0;
                }
            }
            Kind::Scaled => row[at] = if known { f32::from(channel) / self.unit } else { 0.0 },
            Kind::Binary => {
                let bits = if known { channel } else { 0 };
                for (bit, number) in row[at..][..usize::from(self.count)].iter_mut().enumerate() {
                    *number = f32::from(bits >> bit & 1);
                }
            }
            Kind::Known => row[at] = f32::from(u8::from(known)),
        }
    }
}

/// Writes the features of observations into rows of numbers.
#[derive(Clone, Debug)]
pub struct Encoder {
    width: usize,
    /// By the byte that they depend on; numbers of two bytes are there twice.
    items: Vec<Item>,
    /// First item of each byte, and the number of all.
    of_byte: Vec<u32>,
}

impl Encoder {
    /// The encoder of some features.
    pub fn new(features: &Features) -> Self {
        let mut items: Vec<(u16, Item)> = Vec::new();
        for feature in &features.features {
            let field = features.fields.iter().find(|field| field.name == feature.field);
            let Some(field) = field else { continue };
            for (number, place) in field.places().into_iter().enumerate() {
                let item = Item::new(field, feature, number as u32, place);
                items.push((item.byte, item));
                if item.is_wide() {
                    items.push((item.byte + 1, item));
                }
            }
        }
        items.sort_by_key(|&(byte, _)| byte);
        let size = features.observation_size as u16;
        let before = |byte: u16| items.partition_point(|&(other, _)| other < byte) as u32;
        let of_byte = (0..=size).map(before).collect();
        Self {
            width: features.width as usize,
            items: items.into_iter().map(|(_, item)| item).collect(),
            of_byte,
        }
    }

    /// Bytes of an observation.
    pub const fn observation_size(&self) -> usize {
        self.of_byte.len() - 1
    }

    /// Numbers of a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Writes the features of an observation into a row in which anything may stand.
    ///
    /// # Panics
    /// If the observation or the row has another length than those of the game.
    pub fn encode(&self, observation: &[u8], row: &mut [f32]) {
        self.check(observation, row);
        row.fill(0.0);
        for item in &self.items {
            item.write(item.read(observation), row);
        }
    }

    /// Changes a row with the features of an observation `before` into one with those of `after`.
    ///
    /// # Panics
    /// If an observation or the row has another length than those of the game.
    pub fn update(&self, before: &[u8], after: &[u8], row: &mut [f32]) {
        self.check(before, row);
        self.check(after, row);
        let (old, old_rest) = before.as_chunks::<8>();
        let (new, new_rest) = after.as_chunks::<8>();
        for (number, (old, new)) in old.iter().zip(new).enumerate() {
            let mut changed = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
            while changed != 0 {
                let byte = changed.trailing_zeros() / 8;
                changed &= !(0xff << (8 * byte));
                self.update_byte(8 * number + byte as usize, before, after, row);
            }
        }
        let first = before.len() - old_rest.len();
        for (number, _) in old_rest.iter().zip(new_rest).enumerate().filter(|(_, (old, new))| old != new) {
            self.update_byte(first + number, before, after, row);
        }
    }

    #[inline]
    fn update_byte(&self, byte: usize, before: &[u8], after: &[u8], row: &mut [f32]) {
        let items = &self.items[self.of_byte[byte] as usize..self.of_byte[byte + 1] as usize];
        for item in items {
            let (old, new) = (item.read(before), item.read(after));
            if old != new {
                item.clear(old, row);
                item.write(new, row);
            }
        }
    }

    fn check(&self, observation: &[u8], row: &[f32]) {
        assert_eq!(
            (observation.len(), row.len()),
            (self.observation_size(), self.width),
            "bytes of the observation and numbers of the row"
        );
    }
}
