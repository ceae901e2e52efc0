//! Rules of the hex tactical game, its forty battles, and the odds of its combats.

pub mod action;
pub mod board;
pub mod cards;
pub mod combat;
pub mod data;
pub mod event;
mod game;
mod invariants;
mod observe;
pub mod odds;
mod picture;
pub mod pieces;
pub mod play;
mod position;
pub mod reading;
pub mod scenario;
pub mod setup;
pub mod sight;
pub mod state;
mod words;

pub use action::Action;
pub use event::Event;
pub use scenario::Scenario;
pub use sengoku_kernel::SetupError;
pub use state::State;

/// Version of the rules: it changes whenever the same question could get another answer.
pub const RULES_VERSION: u32 = 1;
