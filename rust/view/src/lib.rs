//! Pictures (SVG), terminal sketches, scenario sheets, stories and wording of all games.
//!
//! Rule crates compute; this crate shows. A state or a scenario gets its words and pictures through [`View`].
//!
//! ```
//! use sengoku_kernel::{Game, Purpose, Stream};
//! use sengoku_view::View;
//! use serde_json::json;
//!
//! let mut chance = Stream::new(7, Purpose::Game, 0);
//! let state = sengoku_swords::State::create(4, &json!({}), &mut chance)?;
//! assert!(state.picture(None).starts_with("<svg "));
//! let mut legal = Vec::new();
//! state.legal_actions(&mut legal);
//! assert_eq!(state.describe_action(legal[0]).index, sengoku_swords::State::index_of(legal[0]));
//! # Ok::<(), sengoku_kernel::SetupError>(())
//! ```

pub mod battles;
mod grid;
pub mod picture;
mod scenario;
mod sketch;
mod story;
pub mod swords;
mod talk;
mod tally;
pub mod tower;
mod view;
mod words;

pub use scenario::{AnyScenario, Sheet, read_scenario, scenarios};
pub use sketch::{Sketch, Span};
pub use story::StoryLine;
pub use talk::{Spoken, message_text};
pub use tally::{Counts, DrawKind, Tally};
pub use view::{ActionText, View};
use words::Words;
