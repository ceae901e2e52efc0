use super::*;

fn error(name: &str, from: &str, to: &str) -> SetupError {
    let text = Geometry::text_of(name).unwrap();
    assert!(text.contains(from), "{from}");
    Geometry::parse(&text.replacen(from, to, 1)).unwrap_err()
}

fn plates() -> Geometry {
    (*Geometry::named("plates").unwrap()).clone()
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
    assert_eq!((geometry.ramp.angle_degrees, geometry.ramp.height_at_back_mm), (35.0, 40.0));
    assert_eq!((geometry.window.width_mm, geometry.window.height_mm), (58.0, 34.0));
    let Tray { width_mm, depth_mm, rim_mm } = geometry.tray;
    assert_eq!((width_mm, depth_mm, rim_mm), (190.0, 140.0, 25.0));
    let Cube { edge_mm, edge_tolerance_mm, bevel_mm, density_kg_per_m3 } = geometry.cube;
    assert_eq!((edge_mm, edge_tolerance_mm, bevel_mm, density_kg_per_m3), (8.0, 0.1, 0.4, 680.0));
}

/// TW-TOWER-40: what is in the shaft is free, what the ledger gives to start from is within its limits.
#[test]
fn three_boards_leave_a_strip_open() {
    let geometry = Geometry::standard();
    assert!((55.0..=75.0).contains(&geometry.shaft.inner_mm), "TW-TOWER-43");
    assert_eq!(geometry.level_names(), ["board 1", "board 2", "board 3", "ramp"]);
    assert!(geometry.upper_plate.is_none() && geometry.lower_plate.is_none());
    let half = geometry.shaft.inner_mm / 2.0;
    for pair in geometry.boards.windows(2) {
        assert!(pair[0].height_mm > pair[1].height_mm, "from the top");
        assert!(pair[0].down_x_degrees * pair[1].down_x_degrees < 0.0, "on alternating sides");
    }
    for board in &geometry.boards {
        let [from, to] = board.x_mm;
        // It begins at a wall and slopes down to its free edge.
        assert!(if board.down_x_degrees > 0.0 {
            (from + half).abs() < 1e-9 && to < 0.0
        } else {
            (to - half).abs() < 1e-9 && from > 0.0
        });
        assert!((board.y_mm[0] + half).abs() + (board.y_mm[1] - half).abs() < 1e-9);
    }
}

#[test]
fn plates_are_kept_by_name() {
    // TW-TOWER-40, TW-TOWER-43
    let plates = plates().proposed();
    assert_eq!(plates.level_names(), ["upper plate", "lower plate", "ramp"]);
    assert!(plates.boards.is_empty() && plates.shake.is_none());
    let upper = plates.upper_plate.unwrap();
    assert_eq!((upper.height_mm, upper.thickness_mm, upper.holes_per_side), (125.0, 2.0, 2));
    assert_eq!((upper.hole_mm.value(), upper.bar_mm.value()), (17.0, 8.0));
    let lower = plates.lower_plate.unwrap();
    assert_eq!((lower.height_mm, lower.thickness_mm, lower.slots), (70.0, 2.0, 3));
    let (width, length, bar) = (lower.slot_width_mm, lower.slot_length_mm, lower.bar_mm);
    assert_eq!((width.value(), length.value(), bar.value()), (14.0, 42.0, 4.0));
    assert!(Geometry::named("holes").is_none() && Geometry::text_of("holes").is_none());
}

/// TW-TOWER-42: the shake follows from what is thrown and from the mass that sways; nothing else is fitted.
#[test]
fn a_throw_shakes_by_its_impulse() {
    let mut geometry = (*Geometry::standard()).clone();
    // One cube: 0.348 g that falls 250 mm, and bounces with 0.35 as often as it likes.
    let mass = 680.0 * 0.008_f64.powi(3);
    let squares = |impacts: i32| -> f64 {
        let lost = mass * (9.81 * 0.25 + 0.25 / 6.0) / f64::from(impacts);
        let speed = (2.0 * lost / mass / (1.0 - 0.35 * 0.35)).sqrt();
        f64::from(impacts) * (mass * speed * 1.35).powi(2)
    };
    for impacts in [1, 3, 20] {
        assert!((geometry.impulse(1) / squares(impacts).sqrt() - 1.0).abs() < 1e-9, "{impacts}");
    }
    assert!((geometry.impulse(12) / geometry.impulse(3) - 2.0).abs() < 1e-9);
    let grams = geometry.shake.as_ref().unwrap().swaying_grams.unwrap();
    assert!((30.0..70.0).contains(&grams), "a quarter of a cardboard shaft and a funnel");
    let [level, upright] = geometry.shake_by(7).unwrap();
    let wanted = std::f64::consts::TAU * 15.0 * geometry.impulse(7) / (grams / 1000.0);
    assert!((level - wanted).abs() < 1e-9 && (upright - wanted / 2.0).abs() < 1e-9);
    // The trial of the ledger shook every throw with 6 m/s2, which is that of some seven cubes.
    assert!((4.0..8.0).contains(&level), "{level}");
    geometry.shake = Some(Shake {
        level_metres_per_second2: Some(6.0),
        upright_metres_per_second2: Some(3.0),
        swaying_grams: None,
        upright_share: None,
        ..geometry.shake.unwrap()
    });
    geometry.check().unwrap();
    assert_eq!([geometry.shake_by(3), geometry.shake_by(12)], [Some([6.0, 3.0]); 2]);
    geometry.shake = None;
    assert_eq!(geometry.shake_by(7), None);
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
    let mut geometry = plates();
    geometry.upper_plate.as_mut().unwrap().hole_mm.tuned = Some(20.5);
    let error = geometry.check().unwrap_err();
    assert_eq!(error.field, "upper_plate.hole_mm");
    assert_eq!(error.reason, "tuned 20.5 is not in 14..=20");
    geometry = geometry.proposed();
    geometry.restitution.wood_wood.tuned = Some(0.2);
    assert_eq!(geometry.check().unwrap_err().field, "restitution.wood_wood");
}

#[test]
fn errors_name_the_field() {
    // TW-TOWER-40
    for (name, from, to, field) in [
        ("boards", "inner_mm = 58.0", "inner_mm = -58.0", "shaft.inner_mm"),
        ("boards", "inner_mm = 58.0", "inner_mm = nan", "shaft.inner_mm"),
        ("boards", "inner_mm = 58.0", "inner_mm = \"58\"", "shaft.inner_mm"),
        ("boards", "inner_mm = 58.0", "inner = 58.0", "shaft.inner"),
        ("boards", "inner_mm = 58.0\n", "", "shaft"),
        ("boards", "x_mm = [-29.0, -6.5]", "x_mm = [-29.5, -6.5]", "boards[0].x_mm"),
        ("boards", "throat_mm = 50.0", "throat_mm = 59.0", "funnel.throat_mm"),
        ("boards", "opening_mm = 120.0", "opening_mm = 60.0", "funnel.opening_mm"),
        ("boards", "x_mm = [-29.0, -6.5]", "x_mm = [-6.5, -29.0]", "boards[0].x_mm"),
        ("boards", "x_mm = [-29.0, -6.5]", "x_mm = [-29.0]", "boards[0].x_mm"),
        ("boards", "y_mm = [-29.0, 29.0]", "y_mm = [-29.0, nan]", "boards[0].y_mm"),
        ("boards", "height_mm = 145.0", "height_mm = 189.5", "boards[0].height_mm"),
        ("boards", "height_mm = 75.0", "height_mm = 42.0", "boards[2].height_mm"),
        ("boards", "thickness_mm = 2.0", "thickness_mm = 0.0", "boards[0].thickness_mm"),
        ("boards", "down_x_degrees = -8.0", "down_x_degrees = -61.0", "boards[1].down_x_degrees"),
        ("boards", "down_x_degrees = -8.0", "down_y_degrees = -8.0", "boards[1].down_y_degrees"),
        ("boards", "[[boards]]", "[[ledges]]", "ledges"),
        ("boards", "hertz = 15.0", "hertz = 0.5", "shake.hertz"),
        ("boards", "hertz = 15.0", "", "shake"),
        ("boards", "seconds = 0.2", "seconds = 6.0", "shake.seconds"),
        ("boards", "seconds = 0.2", "seconds = 0.2\nafter_seconds = -1.0", "shake.after_seconds"),
        ("boards", "seconds = 0.2", "seconds = 0.2\nminutes = 1.0", "shake.minutes"),
        ("boards", "swaying_grams = 46.0", "swaying_grams = 0.0", "shake.swaying_grams"),
        (
            "boards",
            "swaying_grams = 46.0",
            "level_metres_per_second2 = 6.0",
            "shake.upright_metres_per_second2",
        ),
        ("boards", "upright_share = 0.5", "level_metres_per_second2 = 6.0", "shake.level_metres_per_second2"),
        ("boards", "upright_share = 0.5", "", "shake.upright_share"),
        ("boards", "upright_share = 0.5", "upright_share = -0.5", "shake.upright_share"),
        ("plates", "holes_per_side = 2", "holes_per_side = 0", "upper_plate.holes_per_side"),
        ("plates", "holes_per_side = 2", "holes_per_side = 3", "upper_plate.hole_mm"),
        ("plates", "slots = 3", "slots = 4", "lower_plate.slot_width_mm"),
        ("plates", "height_mm = 70.0", "height_mm = 130.0", "upper_plate.height_mm"),
        ("plates", "height_mm = 125.0", "height_mm = 190.0", "shaft.height_mm"),
        ("boards", "height_mm = 34.0", "height_mm = 7.0", "window.height_mm"),
        ("boards", "angle_degrees = 35.0", "angle_degrees = 90.0", "ramp.angle_degrees"),
        ("boards", "width_mm = 190.0", "width_mm = 60.0", "tray.width_mm"),
        ("boards", "bevel_mm = 0.4", "bevel_mm = 4.0", "cube.bevel_mm"),
        ("boards", "proposed = 0.45", "proposed = 1.2", "friction.wood_wood"),
        ("boards", "wood_plastic = 0.45", "wood_plastic = -0.1", "restitution.wood_plastic"),
        ("boards", "lowest_mm = 40.0", "lowest_mm = 90.0", "throw.lowest_mm"),
        ("boards", "release_seconds = 0.25", "release_seconds = 7.0", "throw.release_seconds"),
        ("boards", "steps_per_second = 2000", "steps_per_second = 20", "simulation.steps_per_second"),
        ("boards", "[tray]", "[dish]", ""),
        ("boards", "[tray]", "[tray", ""),
    ] {
        let error = error(name, from, to);
        assert!(
            error.field.starts_with(field) && (field.is_empty() || !error.field.is_empty()),
            "{to}: {error}"
        );
        assert!(!error.reason.is_empty());
    }
    let many = "[[boards]]\nx_mm = [-9.0, 9.0]\ny_mm = [-9.0, 9.0]\nheight_mm = 90.0\nthickness_mm = 2.0\n\
                down_x_degrees = 0.0\n"
        .repeat(33);
    let text = Geometry::text_of("plates").unwrap().to_string() + &many;
    assert_eq!(Geometry::parse(&text).unwrap_err().field, "boards");
}

/// The file that the rule ledger gives for a trial is part of a geometry here: the same tables and fields.
#[test]
fn the_trial_of_the_ledger_is_a_geometry() {
    // TW-TOWER-42, TW-TOWER-43
    let boards = Geometry::text_of("boards").unwrap();
    let constant = boards
        .replace("swaying_grams = 46.0", "level_metres_per_second2 = 6.0")
        .replace("upright_share = 0.5", "upright_metres_per_second2 = 3.0");
    let geometry = Geometry::parse(&constant).unwrap();
    assert_eq!(geometry.shake_by(3), Some([6.0, 3.0]));
    assert_eq!(geometry.boards, Geometry::standard().boards);
}
