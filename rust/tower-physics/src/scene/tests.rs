use super::*;

/// The quaternion turns the axes into the frame it came from.
#[test]
fn every_box_has_the_axes_it_was_given() {
    let towers = Geometry::NAMES.map(|name| Geometry::named(name).unwrap().scene().boxes);
    for fixed in towers.into_iter().flatten() {
        let pose = fixed.pose();
        let again = [Vector::X, Vector::Y, Vector::Z].map(|axis| pose.rotation * axis);
        let frame = again.map(|axis| [axis.x, axis.y, axis.z].map(f64::from));
        let turned = quaternion(frame);
        let dot: f64 = turned.iter().zip(fixed.rotation).map(|(a, b)| a * b).sum();
        assert!(dot.abs() > 1.0 - 1e-6, "{fixed:?}");
    }
}

#[test]
fn the_funnel_touches_its_opening_and_its_throat() {
    // TW-TOWER-40
    let geometry = Geometry::standard();
    for panel in geometry.scene().boxes.iter().filter(|fixed| fixed.part == Part::Funnel) {
        let pose = panel.pose();
        let half = panel.half();
        let end = |up: f32| pose.transform_point(Vector::new(0.0, up * half.y, -half.z)) * MM_PER_UNIT as f32;
        let (low, high) = (end(-1.0), end(1.0));
        let distance = |point: Vector| f64::from(point.x.hypot(point.y));
        assert!((distance(high) - geometry.funnel.opening_mm / 2.0).abs() < 1e-3, "{high}");
        assert!((f64::from(low.z) - geometry.shaft.height_mm).abs() < 1e-3, "{low}");
        let throat = geometry.funnel.throat_mm / 2.0;
        let widest = f64::from(low.x.abs().max(low.y.abs()));
        assert!((widest - throat).abs() < 1e-3, "{low}");
    }
}

/// Open shares as the ledger computes them.
#[test]
fn plates_are_open_as_proposed() {
    // TW-TOWER-40
    let geometry = Geometry::named("plates").unwrap().proposed();
    let scene = geometry.scene();
    let area = geometry.shaft.inner_mm * geometry.shaft.inner_mm;
    for (part, open) in [(Part::UpperPlate, 0.34), (Part::LowerPlate, 0.52)] {
        let solid: f64 = scene
            .boxes
            .iter()
            .filter(|fixed| fixed.part == part)
            .map(|fixed| 4.0 * fixed.half_mm[0] * fixed.half_mm[1])
            .sum();
        assert!((1.0 - solid / area - open).abs() < 0.005, "{part:?} {}", 1.0 - solid / area);
    }
}

/// A board covers its range from wall to free edge, and falls toward the free edge by its angle.
#[test]
fn boards_slope_to_their_free_edges() {
    // TW-TOWER-40
    let geometry = Geometry::standard();
    let boxes = geometry.scene().boxes;
    let boards: Vec<&FixedBox> = boxes.iter().filter(|fixed| fixed.part == Part::Board).collect();
    assert_eq!(boards.len(), geometry.boards.len());
    for (fixed, board) in boards.into_iter().zip(&geometry.boards) {
        let (pose, half) = (fixed.pose(), fixed.half());
        // The file's x is -y here.
        let end = |side: f32| pose.transform_point(Vector::new(0.0, side * half.y, 0.0)) * MM_PER_UNIT as f32;
        let ([left, right], [from, to]) = ([end(1.0), end(-1.0)], board.x_mm);
        assert!((f64::from(-left.y) - from).abs() < 1e-3 && (f64::from(-right.y) - to).abs() < 1e-3);
        let fall = f64::from(left.z - right.z) / (to - from);
        assert!((fall - ComplexField::tan(board.down_x_degrees.to_radians())).abs() < 1e-4, "{fall}");
        assert_eq!(fixed.material(), Material::Cardboard);
        assert!((f64::from(half.x) * 2.0 * MM_PER_UNIT - 58.0).abs() < 1e-3);
    }
}
