//! The trait that a game implements to be registered.

use sengoku_bots::HasBots;
use sengoku_kernel::Stored;
use sengoku_view::View;

/// A complete game: rules, storage, catalog, views and bots.
pub trait Playable: HasBots + Stored + View {}

impl<G: HasBots + Stored + View> Playable for G {}
