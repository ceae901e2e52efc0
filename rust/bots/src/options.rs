//! Options of bots, as they are written after the name: `name=value` pairs with commas between them.

use std::ops::RangeInclusive;

use thiserror::Error;

/// Why options are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{option}: {reason}")]
pub struct OptionError {
    /// The option as it was written.
    pub option: String,
    /// The reason, including the value.
    pub reason: String,
}

/// Most characters of a wrong option that an error quotes.
const SHOWN: usize = 60;

/// Reads the numbers of options, which are given with their names, their bounds and the place for the value.
///
/// # Errors
/// [`OptionError`] when there is no such option, or its value is out of range.
pub(crate) fn read(
    text: &str,
    known: &mut [(&'static str, RangeInclusive<u32>, &mut u32)],
) -> Result<(), OptionError> {
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let refuse = |reason: String| OptionError { option: name.chars().take(SHOWN).collect(), reason };
        let Some((_, bounds, place)) = known.iter_mut().find(|(known, ..)| *known == name) else {
            let names: Vec<&str> = known.iter().map(|&(name, ..)| name).collect();
            return Err(refuse(format!("there is no such option, only {}", names.join(" and "))));
        };
        let number = value.parse().ok().filter(|number| bounds.contains(number));
        **place = number.ok_or_else(|| {
            let short: String = value.chars().take(SHOWN).collect();
            refuse(format!("{short:?} is not a number from {} to {}", bounds.start(), bounds.end()))
        })?;
    }
    Ok(())
}
