//! The cube tower as rigid bodies: the reference that the fast tower of the rules is calibrated against.
//!
//! ```
//! use sengoku_tower_physics::{Colour, Geometry, RigidTower};
//!
//! let mut tower = RigidTower::new(Geometry::standard(), 7, 0);
//! let throw = tower.throw(&[Colour::seat(0), Colour::seat(0), Colour::seat(1), Colour::FARMER]);
//! assert_eq!(throw.tray().count() + tower.content(), 4); // nothing is lost
//! ```

mod bulk;
mod colour;
mod geometry;
mod scene;
mod shaking;
mod throw;
mod tower;
pub mod trial;
mod world;

pub use bulk::Throws;
pub use colour::{COLOURS, Colour, Counts, in_order};
pub use geometry::{
    Board, Cube, Friction, Funnel, Geometry, LowerPlate, Ramp, Restitution, Shaft, Shake, Simulation,
    ThrowRule, Tray, Tunable, UpperPlate, Window,
};
pub use scene::{FixedBox, Material, Part, Scene};
pub use throw::{Fallen, Film, Frame, Pose, Statistics, Throw};
pub use tower::{Resting, RigidTower};
