//! Rules of the strategic d12 game, and the odds of its battles.
//!
//! ```
//! use sengoku_swords::{Battle, BattleSetup, Force};
//!
//! let battle = Battle::new(&BattleSetup {
//!     attacker: Force::of([1, 3, 1, 1, 0, 3]), // bow, gun, daimyo, sword, ronin, spear
//!     defenders: vec![Force::of([0, 0, 0, 0, 0, 1])],
//!     ..BattleSetup::default()
//! })?;
//! let fight = battle.fight_scripted(&[9, 2, 3, 4]).expect("four dice decide this battle");
//! assert_eq!(fight.end.name(), "attacker");
//! # Ok::<(), sengoku_swords::SetupError>(())
//! ```

/// Changes with every change of behaviour, even one more draw in a rule.
pub const RULES_VERSION: u32 = 1;

pub mod action;
mod battle;
mod catalog;
pub mod data;
pub mod draws;
pub mod event;
mod force;
mod game;
mod invariants;
mod loss_order;
pub mod map;
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
mod stock;
mod stored;

pub use action::Action;
pub use battle::{
    Battle, BattleSetup, BreakOff, DiceScriptError, Fight, FightStep, MAX_ATTACKERS, MAX_BREAK_OFF_AFTER,
    SetupError,
};
pub use catalog::MapEntry;
pub use event::Event;
pub use force::{Force, ForceError, Losses, Side};
pub use loss_order::LossOrder;
pub use setup::Setup;
pub use state::State;
pub use stock::{Pool, Tray};
