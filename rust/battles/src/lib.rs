//! Rules of the hex tactical game, its forty battles, and the odds of its combats.
//!
//! ```
//! use sengoku_battles::State;
//! use sengoku_kernel::{Game, Purpose, Stream};
//! use serde_json::json;
//!
//! let mut chance = Stream::new(7, Purpose::Game, 0);
//! let mut state = State::create(2, &json!({ "scenario": 8 }), &mut chance)?;
//! let mut legal = Vec::new();
//! while state.to_act().is_some() {
//!     state.legal_actions(&mut legal);
//!     state.play_unchecked(legal[legal.len() / 2], &mut chance);
//! }
//! assert!(state.outcome().unwrap().by_rule);
//! # Ok::<(), sengoku_battles::SetupError>(())
//! ```

pub mod action;
pub mod board;
pub mod cards;
mod catalog;
pub mod combat;
pub mod combat_roll;
pub mod data;
pub mod event;
mod game;
mod invariants;
mod observe;
pub mod odds;
pub mod pieces;
pub mod play;
mod position;
mod resample;
pub mod scenario;
pub mod setup;
pub mod sight;
mod spec;
pub mod state;
mod stored;

pub use action::Action;
pub use event::Event;
pub use scenario::Scenario;
pub use sengoku_kernel::SetupError;
pub use state::State;

/// Version of the rules: it changes whenever the same question could get another answer.
pub const RULES_VERSION: u32 = 2;
