//! Rules of the hex tactical game, its forty battles, and the odds of its combats.

pub mod board;
pub mod data;

pub use sengoku_kernel::SetupError;

/// Version of the rules: it changes whenever the same question could get another answer.
pub const RULES_VERSION: u32 = 1;
