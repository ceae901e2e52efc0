//! Chance of a match: cards and lots from its stream, dice from the stream or from a script.

use sengoku_kernel::{Chance, Stream, chance_of};

use crate::DiceError;

/// Dice as a caller scripted them, and how many are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) faces: Vec<u8>,
    pub(crate) used: usize,
}

impl Script {
    pub(crate) fn left(&self) -> usize {
        self.faces.len() - self.used
    }
}

/// The chance of one play. What the script cannot give comes from the stream, so that the rules come to an end as they
/// always do; [`Draws::used`] then says that the play must not count.
pub(crate) struct Draws<'a> {
    stream: &'a mut Stream,
    script: Option<&'a Script>,
    used: usize,
    fault: Option<DiceError>,
}

impl<'a> Draws<'a> {
    pub(crate) fn new(stream: &'a mut Stream, script: Option<&'a Script>) -> Self {
        Self { stream, script, used: script.map_or(0, |script| script.used), fault: None }
    }

    /// How much of the script is used now, or why the script does not fit.
    pub(crate) fn used(&self) -> Result<usize, DiceError> {
        self.fault.map_or(Ok(self.used), Err)
    }

    fn scripted(&mut self, script: &Script, sides: u32) -> Result<u32, DiceError> {
        let given = script.faces.len();
        let &value = script.faces.get(self.used).ok_or(DiceError::TooFew { given, needed: self.used + 1 })?;
        if !(1..=sides).contains(&u32::from(value)) {
            return Err(DiceError::NoSuchFace { place: self.used, value, sides });
        }
        self.used += 1;
        Ok(u32::from(value) - 1)
    }
}

impl Chance for Draws<'_> {
    chance_of!(stream);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        if let Some(script) = self.script
            && self.fault.is_none()
        {
            match self.scripted(script, sides) {
                Ok(roll) => return roll,
                Err(fault) => self.fault = Some(fault),
            }
        }
        self.stream.below(draw, sides)
    }
}
