//! Clashes of the cube tower game: what is thrown, how the tray is settled, and the odds.
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

pub mod bulk;
mod clash;
pub mod data;
pub mod odds;

pub use clash::{Clash, ClashSetup, Kind, Party, Settlement, Winner};
pub use sengoku_kernel::SetupError;

/// Version of the rules: it changes whenever the same question could get another answer.
pub const RULES_VERSION: u32 = 1;
