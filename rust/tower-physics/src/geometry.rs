mod check;
mod levels;
mod shake;

use std::sync::{Arc, LazyLock};

use sengoku_kernel::SetupError;
use serde::Deserialize;

pub use shake::Shake;

/// How far below and above the proposed value a tuned one may lie: sizes in millimetres (TW-TOWER-43), and contacts by the
/// ranges of TW-TOWER-41.
const SIZE: [f64; 2] = [3.0, 3.0];
const FRICTION: [f64; 2] = [0.1, 0.1];
const RESTITUTION: [f64; 2] = [0.1, 0.15];

/// The files of [`Geometry::NAMES`].
const TEXTS: [&str; 2] = [include_str!("../data/boards.toml"), include_str!("../data/plates.toml")];

/// Sizes and contact values of a tower, as in the file that describes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// The upright square tube.
    pub shaft: Shaft,
    /// The funnel that cubes are thrown into.
    pub funnel: Funnel,
    /// A plate with square holes, which cubes meet first.
    #[serde(default)]
    pub upper_plate: Option<UpperPlate>,
    /// A plate with slots below it.
    #[serde(default)]
    pub lower_plate: Option<LowerPlate>,
    /// Solid boards.
    #[serde(default)]
    pub boards: Vec<Board>,
    /// The slope that leads to the window.
    pub ramp: Ramp,
    /// The way out, at the foot of the front wall.
    pub window: Window,
    /// Where cubes come to lie.
    pub tray: Tray,
    /// The cubes.
    pub cube: Cube,
    /// Coefficients of friction.
    pub friction: Friction,
    /// Coefficients of restitution.
    pub restitution: Restitution,
    /// How a throw shakes the tower; one without it stands still.
    #[serde(default)]
    pub shake: Option<Shake>,
    /// How cubes are thrown and when a throw is over.
    pub throw: ThrowRule,
    /// How the motion is computed.
    pub simulation: Simulation,
}

/// A number that may be tuned (TW-TOWER-41, TW-TOWER-43).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunable {
    /// The estimate, or the measurement.
    pub proposed: f64,
    /// The value that is simulated instead, if any.
    pub tuned: Option<f64>,
}

impl Tunable {
    /// The value that is simulated.
    pub fn value(self) -> f64 {
        self.tuned.unwrap_or(self.proposed)
    }
}

/// The upright square tube.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shaft {
    /// Inner width, the same both ways.
    pub inner_mm: f64,
    /// From the table to the throat of the funnel.
    pub height_mm: f64,
    /// Thickness of the cardboard.
    pub wall_mm: f64,
}

/// The funnel that cubes are thrown into: round above, square below.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Funnel {
    /// Diameter at the top.
    pub opening_mm: f64,
    /// Width of the square at the bottom.
    pub throat_mm: f64,
    /// From the throat to the top.
    pub height_mm: f64,
}

/// A plate with square holes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpperPlate {
    /// Height of its middle above the table.
    pub height_mm: f64,
    /// Thickness of the cardboard.
    pub thickness_mm: f64,
    /// Holes in a row, and rows.
    pub holes_per_side: u8,
    /// Width of a hole.
    pub hole_mm: Tunable,
    /// Width of a bar between two holes.
    pub bar_mm: Tunable,
}

/// A plate with slots.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowerPlate {
    /// Height of its middle above the table.
    pub height_mm: f64,
    /// Thickness of the cardboard.
    pub thickness_mm: f64,
    /// Slots side by side.
    pub slots: u8,
    /// Width of a slot.
    pub slot_width_mm: Tunable,
    /// Length of a slot, in the direction of the window.
    pub slot_length_mm: Tunable,
    /// Width of a bar between two slots.
    pub bar_mm: Tunable,
}

/// A solid board that covers a part of the shaft and slopes to one side.
///
/// The file looks at the tower from the front: x to the right, y from the back to the window, both from the middle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// From where to where it reaches across.
    pub x_mm: [f64; 2],
    /// From where to where it reaches toward the window.
    pub y_mm: [f64; 2],
    /// Height of its middle above the table.
    pub height_mm: f64,
    /// Thickness of the cardboard.
    pub thickness_mm: f64,
    /// How steeply it falls in the direction of x; a negative one falls the other way.
    pub down_x_degrees: f64,
}

/// The slope that leads to the window.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// How steep it is.
    pub angle_degrees: f64,
    /// Where it meets the back wall.
    pub height_at_back_mm: f64,
}

/// The way out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Its width, in the middle of the front wall.
    pub width_mm: f64,
    /// Its height above the table.
    pub height_mm: f64,
}

/// The dish in front of the window.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tray {
    /// Size along the wall with the window.
    pub width_mm: f64,
    /// Size away from the window.
    pub depth_mm: f64,
    /// Height of the rim.
    pub rim_mm: f64,
}

/// A wooden cube.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cube {
    /// Length of an edge.
    pub edge_mm: f64,
    /// How far the edge of one cube may lie from it; each cube has its own.
    pub edge_tolerance_mm: f64,
    /// Radius of the edges.
    pub bevel_mm: f64,
    /// Density of the wood.
    pub density_kg_per_m3: f64,
}

/// Coefficients of friction (TW-TOWER-41).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Between cubes.
    pub wood_wood: Tunable,
    /// Between cubes and shaft, plates or ramp.
    pub wood_cardboard: Tunable,
    /// Between cubes and funnel or tray.
    pub wood_plastic: Tunable,
}

/// Coefficients of restitution (TW-TOWER-41).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restitution {
    /// Between cubes.
    pub wood_wood: Tunable,
    /// Between cubes and shaft, plates or ramp.
    pub wood_cardboard: Tunable,
    /// Between cubes and funnel or tray.
    pub wood_plastic: f64,
}

/// How cubes are thrown and when a throw is over (TW-TOWER-42).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThrowRule {
    /// Time over which the cubes leave the hand.
    pub release_seconds: f64,
    /// Diameter of the disc they leave from.
    pub disc_mm: f64,
    /// Lowest point of release, above the throat.
    pub lowest_mm: f64,
    /// Highest point of release, above the throat.
    pub highest_mm: f64,
    /// Largest speed downward at release.
    pub fastest_metres_per_second: f64,
    /// Speed below which a cube counts as resting.
    pub rest_mm_per_second: f64,
    /// How long all cubes must rest.
    pub rest_seconds: f64,
    /// When a throw ends anyway.
    pub limit_seconds: f64,
}

/// How the motion is computed (TW-TOWER-41).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// Gravity.
    pub gravity_metres_per_second2: f64,
    /// Steps for a second of motion.
    pub steps_per_second: u32,
    /// Iterations of the contact solver in a step.
    pub solver_iterations: u8,
    /// Whether cubes have their bevel.
    pub rounded: bool,
}

impl Geometry {
    /// Names of the towers of this crate, the standard one first.
    pub const NAMES: [&str; 2] = ["boards", "plates"];

    /// The first of the towers of this crate.
    ///
    /// # Panics
    /// Never: tests read the files of the crate.
    pub fn standard() -> Arc<Self> {
        Self::named(Self::NAMES[0]).expect("the crate has a tower of this name")
    }

    /// A tower of this crate.
    ///
    /// # Panics
    /// Never: tests read the files of the crate.
    pub fn named(name: &str) -> Option<Arc<Self>> {
        static TOWERS: LazyLock<[Arc<Geometry>; 2]> = LazyLock::new(|| {
            TEXTS.map(|text| Arc::new(Geometry::parse(text).expect("the geometries of the crate are valid")))
        });
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Arc::clone(&TOWERS[place]))
    }

    /// The file that describes a tower of this crate.
    pub fn text_of(name: &str) -> Option<&'static str> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Some(TEXTS[place])
    }

    /// The same tower as first proposed.
    #[must_use]
    pub fn proposed(&self) -> Self {
        let mut geometry = self.clone();
        for (_, size) in geometry.tunable_mut() {
            size.tuned = None;
        }
        geometry
    }

    /// Reads a custom tower.
    ///
    /// # Errors
    /// [`SetupError`] that names the field that is missing, misspelt or impossible.
    pub fn parse(text: &str) -> Result<Self, SetupError> {
        let table = toml::Deserializer::parse(text)
            .map_err(|error| SetupError::new("", error.to_string().trim_end()))?;
        let geometry: Self = serde_path_to_error::deserialize(table).map_err(|error| {
            let path = error.path().to_string();
            let field = if path == "." { String::new() } else { path };
            SetupError::new(field, error.inner().message())
        })?;
        geometry.check()?;
        Ok(geometry)
    }

    /// The numbers that may be tuned, by name.
    pub fn tunable_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Tunable)> {
        self.ranges_mut().into_iter().map(|(name, number, _)| (name, number))
    }

    /// With how far they may lie below and above what is proposed.
    fn ranges_mut(&mut self) -> Vec<(&'static str, &mut Tunable, [f64; 2])> {
        let mut ranges = Vec::new();
        if let Some(plate) = &mut self.upper_plate {
            ranges.push(("upper_plate.hole_mm", &mut plate.hole_mm, SIZE));
            ranges.push(("upper_plate.bar_mm", &mut plate.bar_mm, SIZE));
        }
        if let Some(plate) = &mut self.lower_plate {
            ranges.push(("lower_plate.slot_width_mm", &mut plate.slot_width_mm, SIZE));
            ranges.push(("lower_plate.slot_length_mm", &mut plate.slot_length_mm, SIZE));
            ranges.push(("lower_plate.bar_mm", &mut plate.bar_mm, SIZE));
        }
        ranges.extend([
            ("friction.wood_wood", &mut self.friction.wood_wood, FRICTION),
            ("friction.wood_cardboard", &mut self.friction.wood_cardboard, FRICTION),
            ("friction.wood_plastic", &mut self.friction.wood_plastic, FRICTION),
            ("restitution.wood_wood", &mut self.restitution.wood_wood, RESTITUTION),
            ("restitution.wood_cardboard", &mut self.restitution.wood_cardboard, RESTITUTION),
        ]);
        ranges
    }
}

#[cfg(test)]
mod tests;
