use super::*;

/// The quaternion turns the axes into the frame it came from.
#[test]
fn every_box_has_the_axes_it_was_given() {
    for fixed in Geometry::standard().scene().boxes {
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
    let geometry = Geometry::standard().proposed();
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
