//! Whether a tower can be built as its geometry says.

use sengoku_kernel::SetupError;

use super::{Geometry, Tunable};

/// Sums of decimal fractions are not exact.
const TUNING_ERROR: f64 = 1e-9;

impl Geometry {
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
