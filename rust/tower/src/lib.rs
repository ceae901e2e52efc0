//! Rules of the cube tower game with its expansion, its clashes, and their odds.
//!
//! ```
//! use sengoku_kernel::{Game, Purpose, Stream};
//! use sengoku_tower::State;
//! use serde_json::json;
//!
//! let mut chance = Stream::new(7, Purpose::Game, 0);
//! let mut state = State::create(4, &json!({ "court": true }), &mut chance)?;
//! let mut legal = Vec::new();
//! while state.to_act().is_some() {
//!     state.legal_actions(&mut legal);
//!     state.play_unchecked(legal[legal.len() / 2], &mut chance);
//! }
//! assert_eq!(state.outcome().unwrap().rounds, 8);
//! # Ok::<(), sengoku_tower::SetupError>(())
//! ```
//!
//! One clash by itself:
//!
//! ```
//! use sengoku_tower::{Clash, ClashSetup, Party, Winner, data::Cubes};
//!
//! let clash = Clash::new(&ClashSetup {
//!     attacker: Party { colour: 1, cubes: 4 },
//!     defender: Some(Party { colour: 2, cubes: 3 }),
//!     ..ClashSetup::default()
//! })?;
//! // 5 blue against 2 yellow and 2 farmers in the tray: blue takes the province with 1 army (TW-BATTLE-10)
//! let settled = clash.settle(&Cubes([3, 5, 2, 0, 0, 2]));
//! assert_eq!((settled.winner, settled.armies_left), (Winner::Attacker, 1));
//! assert_eq!(settled.tray, Cubes([3, 0, 0, 0, 0, 0]));
//! # Ok::<(), sengoku_tower::SetupError>(())
//! ```

pub mod action;
pub mod board;
pub mod bulk;
mod catalog;
mod clash;
pub mod court;
pub mod data;
pub mod event;
mod game;
mod invariants;
mod observe;
pub mod odds;
mod pieces;
pub mod play;
mod point;
mod position;
mod resample;
pub mod setup;
mod spec;
pub mod state;
mod stored;

pub use action::Action;
pub use board::Board;
pub use catalog::BoardSide;
pub use clash::{Clash, ClashSetup, Kind, Party, Settlement, Winner, settle};
pub use event::Event;
pub use sengoku_kernel::SetupError;
pub use setup::Setup;
pub use state::State;

/// Version of the rules: it changes whenever the same question could get another answer.
pub const RULES_VERSION: u32 = 2;
