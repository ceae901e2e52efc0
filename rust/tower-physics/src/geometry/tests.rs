use super::*;

const TEXT: &str = include_str!("../../data/geometry.toml");

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
    assert_eq!((throw.release_seconds, throw.disc_mm, throw.fastest_metres_per_second), (0.25, 60.0, 0.5));
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
