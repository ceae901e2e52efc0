//! Shared foundation of all games: chance, seats, errors, the byte codec, the game contract and its conformance kit.
//!
//! ```
//! use sengoku_kernel::{Chance, Purpose, Stream};
//!
//! let mut dice = Stream::new(7, Purpose::Game, 0);
//! let roll = 1 + dice.below(0, 12); // draw number 0 of match 0 under seed 7
//! assert!((1..=12).contains(&roll));
//! assert_eq!(roll, 1 + dice.below(0, 12)); // a draw is a function, not an event
//! ```

mod action_sink;
mod cancel;
mod catalog;
mod chance;
mod codec;
pub mod conformance;
mod context;
pub mod cube_tower;
mod error;
pub mod features;
mod game;
mod ids;
mod instruction_set;
mod list;
pub mod odds;
mod philox;
mod registry;
mod seat;
mod simd;
pub mod spec;
mod stored;
mod toml_text;

pub use action_sink::{ActionSink, OnlyAction};
pub use cancel::{Cancel, Cancelled};
pub use catalog::{Catalogued, ScenarioFile, Source};
pub use chance::{
    Chance, ChanceFn, Purpose, Script, Scripted, Stream, Top, shuffle, shuffle_cards, take_one,
};
pub use codec::{Reader, Writer, digest, from_hex, to_hex};
pub use context::{Context, Logged, Silent};
pub use error::{DecodeError, RuleError, SetupError, read_setup};
pub use features::{Board, Features};
pub use game::{Game, Outcome};
pub use instruction_set::InstructionSet;
pub use list::List;
pub use philox::{philox, philox_lanes};
pub use registry::{Registered, Registry};
pub use seat::{MAX_SEATS, Seat};
pub use spec::Spec;
pub use stored::Stored;
pub use toml_text::{MAX_KEYS, MAX_TEXT, read_toml};
