//! Whole matches of every game: play, save, replay, and runs of many.
//!
//! [`Match`] is a match of one game. [`AnyMatch`] is one of any game, and [`games`] lists what there is, so that the
//! layers above know no game. [`run_matches`] lets bots play a range of matches.

mod any;
mod dice;
mod error;
mod one;
mod registry;
mod replay;
mod run;
mod saved;
#[cfg(test)]
pub mod toy;

pub use any::AnyMatch;
pub use error::{CreateError, DiceError, LoadError, PlayError, ReplayError, RunError};
pub use one::{Match, MatchKey};
pub use registry::{GameEntry, create_match, find_game, games, load_match, match_from_replay};
pub use run::{Columns, MAX_DECISIONS, MAX_MATCHES, Run, RunRequest, bots_by_seat, run_matches};

/// FNV-1a of 64 bits: the same number for the same bytes on every machine.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::digest;

    /// The published values of the function.
    #[test]
    fn digests_are_fnv_1a() {
        assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
