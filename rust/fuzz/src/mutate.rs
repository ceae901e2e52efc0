//! Random edits of bytes, as a function of a seed.

use sengoku_kernel::{Chance, Purpose, Stream};

/// Numbers that are rarely expected.
const NUMBERS: [u64; 10] = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 63, u64::MAX];
/// Pieces of texts that are rarely expected.
const TEXTS: [&str; 18] = [
    "-1",
    "1e308",
    "1e-308",
    "nan",
    "inf",
    "999999999999999999999",
    "[[",
    "]",
    "{",
    "}",
    "\"",
    "\\u0000",
    "true",
    "null",
    "\n",
    "é",
    "0.1",
    "18446744073709551615",
];
/// Bytes that a mutation has at most.
const LONGEST: usize = 1 << 16;

/// A source of mutations.
pub struct Mutator {
    stream: Stream,
    draw: u32,
}

impl Mutator {
    /// The mutations of a seed and a number.
    pub fn new(seed: u64, number: u64) -> Self {
        Self { stream: Stream::new(seed, Purpose::Bots, number), draw: 0 }
    }

    /// A number below another.
    pub fn below(&mut self, sides: usize) -> usize {
        self.draw += 1;
        self.stream.below(self.draw, sides.max(1) as u32) as usize
    }

    /// Edit bytes in a few places; `other` may lend some of its own.
    pub fn mutate(&mut self, data: &mut Vec<u8>, other: &[u8]) {
        for _ in 0..=self.below(4) {
            let at = self.below(data.len() + 1);
            match self.below(8) {
                0 if at < data.len() => data[at] ^= 1 << self.below(8),
                1 if at < data.len() => data[at] = self.below(256) as u8,
                2 => {
                    let end = (at + 1 + self.below(16)).min(data.len());
                    data.drain(at..end);
                }
                3 => {
                    let bytes = NUMBERS[self.below(NUMBERS.len())].to_le_bytes();
                    let size = [1, 2, 4, 8][self.below(4)];
                    let end = (at + size).min(data.len());
                    data.splice(at..end, bytes[..size].iter().copied());
                }
                4 => {
                    let text = TEXTS[self.below(TEXTS.len())];
                    let end = (at + self.below(8)).min(data.len());
                    data.splice(at..end, text.bytes());
                }
                5 => {
                    let from = self.below(other.len() + 1);
                    let to = (from + self.below(64)).min(other.len());
                    data.splice(at..at, other[from..to].iter().copied());
                }
                6 => {
                    let from = self.below(data.len() + 1);
                    let to = (from + self.below(32)).min(data.len());
                    let piece = data[from..to].to_vec();
                    data.splice(at..at, piece);
                }
                _ => self.change_number(data),
            }
        }
        data.truncate(LONGEST);
    }

    /// Replace a decimal number in a text.
    fn change_number(&mut self, data: &mut Vec<u8>) {
        let begin = self.below(data.len() + 1);
        let Some(first) = data[begin..].iter().position(u8::is_ascii_digit).map(|place| begin + place) else {
            return;
        };
        let length = data[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = match self.below(4) {
            0 => self.below(300).to_string(),
            1 => format!("-{}", self.below(300)),
            2 => NUMBERS[self.below(NUMBERS.len())].to_string(),
            _ => format!("{}.{}", self.below(10), self.below(1_000)),
        };
        data.splice(first..first + length, text.bytes());
    }
}
