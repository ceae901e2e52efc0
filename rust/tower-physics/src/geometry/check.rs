//! Whether a tower can be built as its geometry says.

use sengoku_kernel::SetupError;

use super::{Board, Geometry, Shake, Tunable};

/// Sums of decimal fractions are not exact.
const TUNING_ERROR: f64 = 1e-9;
/// Every length, density and time of a tower is within these, in the unit of its name: what is not, no scene can hold.
const SIZES: std::ops::RangeInclusive<f64> = 1e-3..=1e5;
/// Most boards of a tower.
const MOST_BOARDS: usize = 32;
/// Limits of a shake: what is faster or harder is not a tower that is thrown into.
const HERTZ: [f64; 2] = [1.0, 200.0];
const HARDEST_METRES_PER_SECOND2: f64 = 100.0;

impl Geometry {
    /// Whether a tower can be built like this.
    ///
    /// # Errors
    /// [`SetupError`] that names the field that is impossible.
    pub fn check(&self) -> Result<(), SetupError> {
        let Self { shaft, funnel, ramp, window, tray, cube, .. } = self;
        for (field, value) in [
            ("shaft.inner_mm", shaft.inner_mm),
            ("shaft.height_mm", shaft.height_mm),
            ("shaft.wall_mm", shaft.wall_mm),
            ("funnel.opening_mm", funnel.opening_mm),
            ("funnel.throat_mm", funnel.throat_mm),
            ("funnel.height_mm", funnel.height_mm),
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
            check_size(field, value)?;
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
        self.check_plates()?;
        self.check_boards()?;
        self.check_throw()?;
        self.shake.as_ref().map_or(Ok(()), |shake| self.check_shake(shake))
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
        let Self { shaft, funnel, ramp, window, tray, cube, .. } = self;
        let inner = shaft.inner_mm;
        let within =
            |what: &str, value: f64, limit: f64| format!("{what} {value} mm do not fit into {limit} mm");
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
        ensure("ramp.angle_degrees", (1.0..=80.0).contains(&ramp.angle_degrees), || {
            format!("{} is not in 1..=80", ramp.angle_degrees)
        })?;
        ensure("window.width_mm", window.width_mm <= inner, || within("window of", window.width_mm, inner))?;
        ensure("window.height_mm", window.height_mm > largest, || {
            format!("{} lets no cube through", window.height_mm)
        })?;
        ensure("window.height_mm", window.height_mm < shaft.height_mm, || {
            format!("{} is not below the throat", window.height_mm)
        })?;
        let outer = inner + 2.0 * shaft.wall_mm;
        ensure("tray.width_mm", tray.width_mm > outer, || {
            format!("{} is not wider than the tower, {outer}", tray.width_mm)
        })
    }

    fn check_plates(&self) -> Result<(), SetupError> {
        let Self { shaft, ramp, window, upper_plate, lower_plate, .. } = self;
        let inner = shaft.inner_mm;
        let sizes = |plate: &str, sizes: &[(&str, f64)]| {
            sizes.iter().try_for_each(|&(name, value)| check_size(&format!("{plate}.{name}"), value))
        };
        let within =
            |what: &str, value: f64, limit: f64| format!("{what} {value} mm do not fit into {limit} mm");
        let across = |count: u8, hole: Tunable, bar: Tunable| {
            f64::from(count) * hole.value() + (f64::from(count) - 1.0) * bar.value()
        };
        if let Some(upper) = upper_plate {
            let (hole, bar) = (upper.hole_mm, upper.bar_mm);
            let named = [
                ("height_mm", upper.height_mm),
                ("thickness_mm", upper.thickness_mm),
                ("hole_mm", hole.value()),
                ("bar_mm", bar.value()),
            ];
            sizes("upper_plate", &named)?;
            ensure("upper_plate.holes_per_side", upper.holes_per_side > 0, || "0 holes".into())?;
            let width = across(upper.holes_per_side, hole, bar);
            ensure("upper_plate.hole_mm", width <= inner, || within("holes and bars of", width, inner))?;
            let below = lower_plate.as_ref().map_or(ramp.height_at_back_mm, |lower| lower.height_mm);
            ensure("upper_plate.height_mm", upper.height_mm > below, || {
                format!("{} is not above the lower plate", upper.height_mm)
            })?;
            ensure("shaft.height_mm", shaft.height_mm > upper.height_mm, || {
                format!("{} is not above the upper plate", shaft.height_mm)
            })?;
        }
        if let Some(lower) = lower_plate {
            let (width, length, bar) = (lower.slot_width_mm, lower.slot_length_mm, lower.bar_mm);
            let named = [
                ("height_mm", lower.height_mm),
                ("thickness_mm", lower.thickness_mm),
                ("slot_width_mm", width.value()),
                ("slot_length_mm", length.value()),
                ("bar_mm", bar.value()),
            ];
            sizes("lower_plate", &named)?;
            ensure("lower_plate.slots", lower.slots > 0, || "0 slots".into())?;
            let width = across(lower.slots, width, bar);
            ensure("lower_plate.slot_width_mm", width <= inner, || {
                within("slots and bars of", width, inner)
            })?;
            let length = length.value();
            ensure("lower_plate.slot_length_mm", length <= inner, || within("slots of", length, inner))?;
            ensure("lower_plate.height_mm", lower.height_mm > ramp.height_at_back_mm, || {
                format!("{} is not above the ramp", lower.height_mm)
            })?;
            ensure("lower_plate.height_mm", lower.height_mm < shaft.height_mm, || {
                format!("{} is not below the throat", lower.height_mm)
            })?;
            ensure("window.height_mm", window.height_mm < lower.height_mm, || {
                format!("{} is not below the lower plate", window.height_mm)
            })?;
        }
        Ok(())
    }

    fn check_boards(&self) -> Result<(), SetupError> {
        let (half, ramp, throat) =
            (self.shaft.inner_mm / 2.0, self.ramp.height_at_back_mm, self.shaft.height_mm);
        ensure("boards", self.boards.len() <= MOST_BOARDS, || {
            format!("{} boards, {MOST_BOARDS} are possible", self.boards.len())
        })?;
        for (place, board) in self.boards.iter().enumerate() {
            let field = |name: &str| format!("boards[{place}].{name}");
            let Board { x_mm, y_mm, height_mm, thickness_mm, down_x_degrees } = board;
            for (name, [from, to]) in [("x_mm", x_mm), ("y_mm", y_mm)] {
                // Written so that NaN is refused too.
                ensure(field(name), -half <= *from && from < to && *to <= half, || {
                    format!("[{from}, {to}] is not a range within {}..={half}", -half)
                })?;
            }
            ensure(field("thickness_mm"), *thickness_mm > 0.0 && *thickness_mm <= half, || {
                format!("{thickness_mm} is not in 0..={half}")
            })?;
            ensure(field("down_x_degrees"), (-60.0..=60.0).contains(down_x_degrees), || {
                format!("{down_x_degrees} is not in -60..=60")
            })?;
            let [below, above] = board.reach_mm();
            ensure(field("height_mm"), below > ramp && above < throat, || {
                format!(
                    "{height_mm}: from {below:.1} to {above:.1} is not between ramp and throat, {ramp}..{throat}"
                )
            })?;
        }
        Ok(())
    }

    fn check_shake(&self, shake: &Shake) -> Result<(), SetupError> {
        let Shake {
            level_metres_per_second2: level,
            upright_metres_per_second2: upright,
            swaying_grams: mass,
            upright_share: share,
            hertz,
            after_seconds,
            seconds,
        } = *shake;
        // One of both forms, whole.
        for (field, value, wanted, other) in [
            ("level_metres_per_second2", level, mass.is_none(), "swaying_grams"),
            ("upright_metres_per_second2", upright, mass.is_none(), "swaying_grams"),
            ("upright_share", share, mass.is_some(), "swaying_grams"),
        ] {
            let field = format!("shake.{field}");
            ensure(&field, value.is_some() || !wanted, || {
                if mass.is_some() { "missing field".into() } else { format!("missing field, or {other}") }
            })?;
            ensure(&field, value.is_none() || wanted, || {
                if mass.is_some() {
                    format!("not together with {other}")
                } else {
                    format!("only with {other}")
                }
            })?;
        }
        for (field, value) in [("level_metres_per_second2", level), ("upright_metres_per_second2", upright)] {
            let value = value.unwrap_or_default();
            ensure(format!("shake.{field}"), (0.0..=HARDEST_METRES_PER_SECOND2).contains(&value), || {
                format!("{value} is not in 0..={HARDEST_METRES_PER_SECOND2}")
            })?;
        }
        if let Some(mass) = mass {
            check_size("shake.swaying_grams", mass)?;
        }
        if let Some(share) = share {
            ensure("shake.upright_share", (0.0..=10.0).contains(&share), || {
                format!("{share} is not in 0..=10")
            })?;
        }
        let [slowest, fastest] = HERTZ;
        ensure("shake.hertz", (slowest..=fastest).contains(&hertz), || {
            format!("{hertz} is not in {slowest}..={fastest}")
        })?;
        let limit = self.throw.limit_seconds;
        for (field, value) in [("after_seconds", after_seconds), ("seconds", seconds)] {
            ensure(format!("shake.{field}"), (0.0..limit).contains(&value), || {
                format!("{value} is not in 0..limit_seconds, {limit}")
            })?;
        }
        Ok(())
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

fn check_size(field: &str, value: f64) -> Result<(), SetupError> {
    ensure(field, SIZES.contains(&value), || {
        format!("{value} is not a size above 0 in {}..={}", SIZES.start(), SIZES.end())
    })
}

fn ensure(field: impl AsRef<str>, holds: bool, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field.as_ref(), reason())) }
}
