//! The phases of play, one file each.

pub mod attacks;
pub mod combat;
