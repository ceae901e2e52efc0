use std::sync::{Arc, LazyLock};

use sengoku_kernel::SetupError;
use serde::Deserialize;

/// How far below and above the proposed value a tuned one may lie: sizes in millimetres (TW-TOWER-43), and contacts by the
/// ranges of TW-TOWER-41.
const SIZE: [f64; 2] = [3.0, 3.0];
const FRICTION: [f64; 2] = [0.1, 0.1];
const RESTITUTION: [f64; 2] = [0.1, 0.15];
/// Sums of decimal fractions are not exact.
const TUNING_ERROR: f64 = 1e-9;

/// Sizes and contact values of a tower, as in the file that describes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// The upright square tube.
    pub shaft: Shaft,
    /// What cubes are thrown into.
    pub funnel: Funnel,
    /// The plate that cubes meet first.
    pub upper_plate: UpperPlate,
    /// The plate below it.
    pub lower_plate: LowerPlate,
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
    /// What is simulated instead, when given.
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

/// What cubes are thrown into: round above, square below.
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
    /// The tower of this crate, as tuned.
    ///
    /// # Panics
    /// Never: tests read the file of the crate.
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
            let text = include_str!("../data/geometry.toml");
            Arc::new(Geometry::parse(text).expect("the geometry of the crate is valid"))
        });
        Arc::clone(&STANDARD)
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

    /// Reads a tower of one's own.
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
    fn ranges_mut(&mut self) -> [(&'static str, &mut Tunable, [f64; 2]); 10] {
        [
            ("upper_plate.hole_mm", &mut self.upper_plate.hole_mm, SIZE),
            ("upper_plate.bar_mm", &mut self.upper_plate.bar_mm, SIZE),
            ("lower_plate.slot_width_mm", &mut self.lower_plate.slot_width_mm, SIZE),
            ("lower_plate.slot_length_mm", &mut self.lower_plate.slot_length_mm, SIZE),
            ("lower_plate.bar_mm", &mut self.lower_plate.bar_mm, SIZE),
            ("friction.wood_wood", &mut self.friction.wood_wood, FRICTION),
            ("friction.wood_cardboard", &mut self.friction.wood_cardboard, FRICTION),
            ("friction.wood_plastic", &mut self.friction.wood_plastic, FRICTION),
            ("restitution.wood_wood", &mut self.restitution.wood_wood, RESTITUTION),
            ("restitution.wood_cardboard", &mut self.restitution.wood_cardboard, RESTITUTION),
        ]
    }

    /// Whether a tower can be built like this.
    ///
    /// # Errors
    /// [`SetupError`] that names the field that is impossible.
    pub fn check(&self) -> Result<(), SetupError> {
        let Self { shaft, funnel, upper_plate, lower_plate, ramp, window, tray, cube, .. } = self;
        for (field, value) in [
            ("shaft.inner_mm", shaft.inner_mm),
            ("shaft.height_mm", shaft.height_mm),
            ("shaft.wall_mm", shaft.wall_mm),
            ("funnel.opening_mm", funnel.opening_mm),
            ("funnel.throat_mm", funnel.throat_mm),
            ("funnel.height_mm", funnel.height_mm),
            ("upper_plate.height_mm", upper_plate.height_mm),
            ("upper_plate.thickness_mm", upper_plate.thickness_mm),
            ("upper_plate.hole_mm", upper_plate.hole_mm.value()),
            ("upper_plate.bar_mm", upper_plate.bar_mm.value()),
            ("lower_plate.height_mm", lower_plate.height_mm),
            ("lower_plate.thickness_mm", lower_plate.thickness_mm),
            ("lower_plate.slot_width_mm", lower_plate.slot_width_mm.value()),
            ("lower_plate.slot_length_mm", lower_plate.slot_length_mm.value()),
            ("lower_plate.bar_mm", lower_plate.bar_mm.value()),
            ("ramp.height_at_back_mm", ramp.height_at_back_mm),
            ("window.width_mm", window.width_mm),
            ("window.height_mm", window.height_mm),
            ("tray.width_mm", tray.width_mm),
            ("tray.depth_mm", tray.depth_mm),
            ("tray.rim_mm", tray.rim_mm),
            ("cube.edge_mm", cube.edge_mm),
            ("cube.density_kg_per_m3", cube.density_kg_per_m3),
            ("throw.disc_mm", self.throw.disc_mm),
            ("throw.rest_mm_per_second", self.throw.rest_mm_per_second),
            ("throw.rest_seconds", self.throw.rest_seconds),
            ("throw.limit_seconds", self.throw.limit_seconds),
            ("simulation.gravity_metres_per_second2", self.simulation.gravity_metres_per_second2),
        ] {
            ensure(field, value > 0.0 && value.is_finite(), || format!("{value} is not a size above 0"))?;
        }
        for (field, value) in [
            ("friction.wood_wood", self.friction.wood_wood.value()),
            ("friction.wood_cardboard", self.friction.wood_cardboard.value()),
            ("friction.wood_plastic", self.friction.wood_plastic.value()),
            ("restitution.wood_wood", self.restitution.wood_wood.value()),
            ("restitution.wood_cardboard", self.restitution.wood_cardboard.value()),
            ("restitution.wood_plastic", self.restitution.wood_plastic),
        ] {
            ensure(field, (0.0..=1.0).contains(&value), || format!("{value} is not in 0..=1"))?;
        }
        self.check_tuning()?;
        self.check_fit()?;
        self.check_throw()
    }

    fn check_tuning(&self) -> Result<(), SetupError> {
        for (field, number, [below, above]) in self.clone().ranges_mut() {
            let (value, least, most) = (number.value(), number.proposed - below, number.proposed + above);
            let near = (least - TUNING_ERROR..=most + TUNING_ERROR).contains(&value);
            ensure(field, near, || format!("tuned {value} is not in {least}..={most}"))?;
        }
        Ok(())
    }

    fn check_fit(&self) -> Result<(), SetupError> {
        let Self { shaft, funnel, upper_plate, lower_plate, ramp, window, tray, cube, .. } = self;
        let inner = shaft.inner_mm;
        let within =
            |what: &str, value: f64, limit: f64| format!("{what} {value} mm do not fit into {limit} mm");
        let across = |count: u8, hole: Tunable, bar: Tunable| {
            f64::from(count) * hole.value() + (f64::from(count) - 1.0) * bar.value()
        };
        let (largest, smallest) =
            (cube.edge_mm + cube.edge_tolerance_mm, cube.edge_mm - cube.edge_tolerance_mm);
        ensure("cube.edge_tolerance_mm", cube.edge_tolerance_mm >= 0.0 && smallest > 0.0, || {
            format!("{} is not in 0..edge", cube.edge_tolerance_mm)
        })?;
        ensure("cube.bevel_mm", (0.0..smallest / 2.0).contains(&cube.bevel_mm), || {
            format!("{} is not in 0..half an edge", cube.bevel_mm)
        })?;
        ensure("funnel.throat_mm", funnel.throat_mm <= inner, || {
            within("throat of", funnel.throat_mm, inner)
        })?;
        ensure("funnel.opening_mm", funnel.opening_mm > funnel.throat_mm * std::f64::consts::SQRT_2, || {
            format!("{} is not wider than the throat's diagonal", funnel.opening_mm)
        })?;
        ensure("upper_plate.holes_per_side", upper_plate.holes_per_side > 0, || "0 holes".into())?;
        let upper = across(upper_plate.holes_per_side, upper_plate.hole_mm, upper_plate.bar_mm);
        ensure("upper_plate.hole_mm", upper <= inner, || within("holes and bars of", upper, inner))?;
        ensure("lower_plate.slots", lower_plate.slots > 0, || "0 slots".into())?;
        let lower = across(lower_plate.slots, lower_plate.slot_width_mm, lower_plate.bar_mm);
        ensure("lower_plate.slot_width_mm", lower <= inner, || within("slots and bars of", lower, inner))?;
        let length = lower_plate.slot_length_mm.value();
        ensure("lower_plate.slot_length_mm", length <= inner, || within("slots of", length, inner))?;
        ensure("lower_plate.height_mm", lower_plate.height_mm > ramp.height_at_back_mm, || {
            format!("{} is not above the ramp", lower_plate.height_mm)
        })?;
        ensure("upper_plate.height_mm", upper_plate.height_mm > lower_plate.height_mm, || {
            format!("{} is not above the lower plate", upper_plate.height_mm)
        })?;
        ensure("shaft.height_mm", shaft.height_mm > upper_plate.height_mm, || {
            format!("{} is not above the upper plate", shaft.height_mm)
        })?;
        ensure("ramp.angle_degrees", (1.0..=80.0).contains(&ramp.angle_degrees), || {
            format!("{} is not in 1..=80", ramp.angle_degrees)
        })?;
        ensure("window.width_mm", window.width_mm <= inner, || within("window of", window.width_mm, inner))?;
        ensure("window.height_mm", window.height_mm > largest, || {
            format!("{} lets no cube through", window.height_mm)
        })?;
        ensure("window.height_mm", window.height_mm < lower_plate.height_mm, || {
            format!("{} is not below the lower plate", window.height_mm)
        })?;
        let outer = inner + 2.0 * shaft.wall_mm;
        ensure("tray.width_mm", tray.width_mm > outer, || {
            format!("{} is not wider than the tower, {outer}", tray.width_mm)
        })
    }

    fn check_throw(&self) -> Result<(), SetupError> {
        let Self { throw, funnel, simulation, .. } = self;
        ensure("throw.disc_mm", throw.disc_mm <= funnel.opening_mm, || {
            format!("{} is wider than the funnel", throw.disc_mm)
        })?;
        ensure("throw.lowest_mm", (0.0..=throw.highest_mm).contains(&throw.lowest_mm), || {
            format!("{} is not in 0..=highest", throw.lowest_mm)
        })?;
        ensure("throw.highest_mm", throw.highest_mm <= 1000.0, || {
            format!("{} is above 1000", throw.highest_mm)
        })?;
        ensure(
            "throw.fastest_metres_per_second",
            (0.0..=5.0).contains(&throw.fastest_metres_per_second),
            || format!("{} is not in 0..=5", throw.fastest_metres_per_second),
        )?;
        ensure("throw.release_seconds", (0.0..throw.limit_seconds).contains(&throw.release_seconds), || {
            format!("{} is not in 0..limit", throw.release_seconds)
        })?;
        ensure("throw.limit_seconds", throw.limit_seconds <= 600.0, || {
            format!("{} is above 600", throw.limit_seconds)
        })?;
        ensure(
            "simulation.steps_per_second",
            (250..=100_000).contains(&simulation.steps_per_second),
            || format!("{} is not in 250..=100000", simulation.steps_per_second),
        )?;
        ensure("simulation.solver_iterations", (1..=64).contains(&simulation.solver_iterations), || {
            format!("{} is not in 1..=64", simulation.solver_iterations)
        })
    }
}

fn ensure(field: &str, holds: bool, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field, reason())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../data/geometry.toml");

    fn error(from: &str, to: &str) -> SetupError {
        assert!(TEXT.contains(from), "{from}");
        Geometry::parse(&TEXT.replacen(from, to, 1)).unwrap_err()
    }

    /// The table of TW-TOWER-40.
    #[test]
    fn the_file_holds_the_estimates_of_the_ledger() {
        let geometry = Geometry::standard().proposed();
        assert_eq!(
            (geometry.shaft.inner_mm, geometry.shaft.height_mm, geometry.shaft.wall_mm),
            (58.0, 190.0, 2.0)
        );
        let Funnel { opening_mm, throat_mm, height_mm } = geometry.funnel;
        assert_eq!((opening_mm, throat_mm, height_mm), (120.0, 50.0, 45.0));
        let upper = geometry.upper_plate;
        assert_eq!((upper.height_mm, upper.thickness_mm, upper.holes_per_side), (125.0, 2.0, 2));
        assert_eq!((upper.hole_mm.value(), upper.bar_mm.value()), (17.0, 8.0));
        let lower = geometry.lower_plate;
        assert_eq!((lower.height_mm, lower.thickness_mm, lower.slots), (70.0, 2.0, 3));
        let (width, length, bar) = (lower.slot_width_mm, lower.slot_length_mm, lower.bar_mm);
        assert_eq!((width.value(), length.value(), bar.value()), (14.0, 42.0, 4.0));
        assert_eq!((geometry.ramp.angle_degrees, geometry.ramp.height_at_back_mm), (35.0, 40.0));
        assert_eq!((geometry.window.width_mm, geometry.window.height_mm), (58.0, 34.0));
        let Tray { width_mm, depth_mm, rim_mm } = geometry.tray;
        assert_eq!((width_mm, depth_mm, rim_mm), (190.0, 140.0, 25.0));
        let Cube { edge_mm, edge_tolerance_mm, bevel_mm, density_kg_per_m3 } = geometry.cube;
        assert_eq!((edge_mm, edge_tolerance_mm, bevel_mm, density_kg_per_m3), (8.0, 0.1, 0.4, 680.0));
    }

    /// TW-TOWER-41 and TW-TOWER-42.
    #[test]
    fn the_file_holds_contacts_and_throw_of_the_ledger() {
        let geometry = Geometry::standard().proposed();
        let Friction { wood_wood, wood_cardboard, wood_plastic } = geometry.friction;
        assert_eq!((wood_wood.value(), wood_cardboard.value(), wood_plastic.value()), (0.45, 0.5, 0.3));
        let Restitution { wood_wood, wood_cardboard, wood_plastic } = geometry.restitution;
        assert_eq!((wood_wood.value(), wood_cardboard.value(), wood_plastic), (0.35, 0.35, 0.45));
        let Simulation { gravity_metres_per_second2, steps_per_second, .. } = geometry.simulation;
        assert_eq!((gravity_metres_per_second2, steps_per_second), (9.81, 2000));
        let throw = &geometry.throw;
        assert_eq!(
            (throw.release_seconds, throw.disc_mm, throw.fastest_metres_per_second),
            (0.25, 60.0, 0.5)
        );
        assert_eq!((throw.lowest_mm, throw.highest_mm), (40.0, 80.0));
        assert_eq!((throw.rest_mm_per_second, throw.rest_seconds, throw.limit_seconds), (5.0, 0.3, 6.0));
    }

    #[test]
    fn tuning_stays_within_its_ranges() {
        // TW-TOWER-41, TW-TOWER-43
        let mut geometry = (*Geometry::standard()).clone();
        geometry.upper_plate.hole_mm.tuned = Some(20.5);
        let error = geometry.check().unwrap_err();
        assert_eq!(error.field, "upper_plate.hole_mm");
        assert_eq!(error.reason, "tuned 20.5 is not in 14..=20");
        geometry = geometry.proposed();
        geometry.restitution.wood_wood.tuned = Some(0.2);
        assert_eq!(geometry.check().unwrap_err().field, "restitution.wood_wood");
    }

    #[test]
    fn errors_name_the_field() {
        for (from, to, field) in [
            ("inner_mm = 58.0", "inner_mm = -58.0", "shaft.inner_mm"),
            ("inner_mm = 58.0", "inner_mm = nan", "shaft.inner_mm"),
            ("inner_mm = 58.0", "inner_mm = \"58\"", "shaft.inner_mm"),
            ("inner_mm = 58.0", "inner = 58.0", "shaft.inner"),
            ("inner_mm = 58.0\n", "", "shaft"),
            ("throat_mm = 50.0", "throat_mm = 59.0", "funnel.throat_mm"),
            ("opening_mm = 120.0", "opening_mm = 60.0", "funnel.opening_mm"),
            ("holes_per_side = 2", "holes_per_side = 0", "upper_plate.holes_per_side"),
            ("holes_per_side = 2", "holes_per_side = 3", "upper_plate.hole_mm"),
            ("slots = 3", "slots = 4", "lower_plate.slot_width_mm"),
            ("height_mm = 70.0", "height_mm = 130.0", "upper_plate.height_mm"),
            ("height_mm = 34.0", "height_mm = 7.0", "window.height_mm"),
            ("angle_degrees = 35.0", "angle_degrees = 90.0", "ramp.angle_degrees"),
            ("width_mm = 190.0", "width_mm = 60.0", "tray.width_mm"),
            ("bevel_mm = 0.4", "bevel_mm = 4.0", "cube.bevel_mm"),
            ("proposed = 0.45", "proposed = 1.2", "friction.wood_wood"),
            ("wood_plastic = 0.45", "wood_plastic = -0.1", "restitution.wood_plastic"),
            ("lowest_mm = 40.0", "lowest_mm = 90.0", "throw.lowest_mm"),
            ("release_seconds = 0.25", "release_seconds = 7.0", "throw.release_seconds"),
            ("steps_per_second = 2000", "steps_per_second = 20", "simulation.steps_per_second"),
            ("[tray]", "[dish]", ""),
            ("[tray]", "[tray", ""),
        ] {
            let error = error(from, to);
            assert!(
                error.field.starts_with(field) && (field.is_empty() || !error.field.is_empty()),
                "{to}: {error}"
            );
            assert!(!error.reason.is_empty());
        }
    }
}
