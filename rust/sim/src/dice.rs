//! Chance of a match: from its stream, or from scripts of dice, throws into the tower, lots and cards.

use sengoku_kernel::cube_tower::{Colour, CubeTower, Cubes, Parameters};
use sengoku_kernel::{Chance, Stream};
use serde::{Deserialize, Serialize};

use crate::DiceError;

/// Colours of cubes in a scripted throw: armies by seat, farmers last.
pub const THROW_COLOURS: usize = 6;

/// What a caller scripts. Each list is used from the front; what is not scripted comes from the stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scripts {
    /// Faces of dice, 1 is the lowest.
    #[serde(skip)]
    pub dice: Option<Vec<u8>>,
    /// What comes out of the tower in each throw, by colour; `None` leaves a throw to the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throws: Option<Vec<Option<[u16; THROW_COLOURS]>>>,
    /// Which of the candidates each lot falls to, 1 is the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lots: Option<Vec<u8>>,
    /// The cards that come first after each shuffle, the first to be drawn first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Vec<String>>>,
}

/// How much of each script is used, or left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptCounts {
    /// Dice.
    pub dice: usize,
    /// Throws.
    pub throws: usize,
    /// Lots.
    pub lots: usize,
    /// Shuffles.
    pub cards: usize,
}

impl Scripts {
    /// Scripts of dice only.
    pub fn dice(dice: Option<Vec<u8>>) -> Self {
        Self { dice, ..Self::default() }
    }

    /// Whether something besides dice is scripted.
    pub(crate) const fn more(&self) -> bool {
        self.throws.is_some() || self.lots.is_some() || self.cards.is_some()
    }

    pub(crate) fn left(&self, used: ScriptCounts) -> [(&'static str, Option<usize>); 4] {
        fn left<T>(script: Option<&Vec<T>>, used: usize) -> Option<usize> {
            script.map(|script| script.len() - used)
        }
        [
            ("dice", left(self.dice.as_ref(), used.dice)),
            ("throws", left(self.throws.as_ref(), used.throws)),
            ("lots", left(self.lots.as_ref(), used.lots)),
            ("cards", left(self.cards.as_ref(), used.cards)),
        ]
    }
}

/// The chance of one play. What the scripts cannot give comes from the stream, so that the rules come to an end as they
/// always do; [`Draws::used`] then says that the play must not count.
pub(crate) struct Draws<'a> {
    stream: &'a mut Stream,
    scripts: &'a Scripts,
    used: ScriptCounts,
    fault: Option<DiceError>,
}

impl<'a> Draws<'a> {
    pub(crate) const fn new(stream: &'a mut Stream, scripts: &'a Scripts, used: ScriptCounts) -> Self {
        Self { stream, scripts, used, fault: None }
    }

    /// How much of the scripts is used now, or why one does not fit.
    pub(crate) fn used(self) -> Result<ScriptCounts, DiceError> {
        self.fault.map_or(Ok(self.used), Err)
    }

    fn scripted_die(&mut self, script: &[u8], sides: u32) -> Result<u32, DiceError> {
        let (given, place) = (script.len(), self.used.dice);
        let &value = script.get(place).ok_or(DiceError::TooFew { given, needed: place + 1 })?;
        if !(1..=sides).contains(&u32::from(value)) {
            return Err(DiceError::NoSuchFace { place, value, sides });
        }
        self.used.dice += 1;
        Ok(u32::from(value) - 1)
    }

    fn scripted_lot(&mut self, script: &[u8], count: u32) -> Result<u32, DiceError> {
        let place = self.used.lots;
        let &value = script.get(place).ok_or(DiceError::RunOut { script: "lots", given: script.len() })?;
        if !(1..=count).contains(&u32::from(value)) {
            return Err(DiceError::NoSuchLot { place, value, count });
        }
        self.used.lots += 1;
        Ok(u32::from(value) - 1)
    }

    /// A value of a script, unless something went wrong before; a fault is kept.
    fn take<T>(&mut self, found: impl FnOnce(&mut Self) -> Result<T, DiceError>) -> Option<T> {
        if self.fault.is_some() {
            return None;
        }
        found(self).map_err(|fault| self.fault = Some(fault)).ok()
    }
}

impl Chance for Draws<'_> {
    fn below(&mut self, draw: u32, sides: u32) -> u32 {
        self.stream.below(draw, sides)
    }

    fn r16(&mut self, half: u32) -> u16 {
        self.stream.r16(half)
    }

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        let scripts = self.scripts;
        let scripted =
            scripts.dice.as_ref().and_then(|dice| self.take(|draws| draws.scripted_die(dice, sides)));
        scripted.unwrap_or_else(|| self.stream.below(draw, sides))
    }

    fn lot(&mut self, draw: u32, count: u32) -> u32 {
        let scripts = self.scripts;
        let scripted =
            scripts.lots.as_ref().and_then(|lots| self.take(|draws| draws.scripted_lot(lots, count)));
        scripted.unwrap_or_else(|| self.stream.below(draw, count))
    }

    fn rolled_lot(&mut self, draw: u32, count: u32) -> u32 {
        if self.scripts.lots.is_some() { self.lot(draw, count) } else { self.roll(draw, count) }
    }

    fn stack(&mut self, count: usize, name: &dyn Fn(usize) -> String) -> Vec<usize> {
        let scripts = self.scripts;
        let Some(script) = &scripts.cards else { return Vec::new() };
        let stacked = self.take(|draws| {
            let shuffle = draws.used.cards;
            let wanted =
                script.get(shuffle).ok_or(DiceError::RunOut { script: "cards", given: script.len() })?;
            let mut places: Vec<usize> = Vec::new();
            for card in wanted {
                let place = (0..count).find(|place| !places.contains(place) && name(*place) == *card);
                let missing = || DiceError::NoSuchCard { shuffle, card: card.chars().take(60).collect() };
                places.push(place.ok_or_else(missing)?);
            }
            draws.used.cards += 1;
            Ok(places)
        });
        stacked.unwrap_or_default()
    }

    fn throw(
        &mut self,
        tower: &mut CubeTower,
        parameters: &Parameters,
        input: &mut [Colour],
        draws: &mut u32,
        tray: &mut Cubes,
    ) {
        self.stream.throw(tower, parameters, input, draws, tray);
        let scripts = self.scripts;
        let Some(script) = &scripts.throws else { return };
        self.take(|draws| {
            let throw = draws.used.throws;
            let wanted =
                script.get(throw).ok_or(DiceError::RunOut { script: "throws", given: script.len() })?;
            if let Some(wanted) = wanted {
                tower
                    .settle_throw(parameters, tray, wanted)
                    .map_err(|colour| DiceError::Throw { throw, colour })?;
            }
            draws.used.throws += 1;
            Ok(())
        });
    }

    fn bump(&mut self, tower: &mut CubeTower, chance_65536: u32, draws: &mut u32) -> Option<Colour> {
        self.stream.bump(tower, chance_65536, draws)
    }
}

impl From<Option<Vec<u8>>> for Scripts {
    fn from(dice: Option<Vec<u8>>) -> Self {
        Self::dice(dice)
    }
}
