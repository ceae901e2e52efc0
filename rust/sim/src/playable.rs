//! The trait that a game implements to be registered.

use sengoku_bots::HasBots;
use sengoku_kernel::Stored;
use sengoku_view::{Tally, View};

/// A complete game: rules, storage, catalog, views and bots.
pub trait Playable: HasBots + Stored + View + Tally {}

impl<G: HasBots + Stored + View + Tally> Playable for G {}
