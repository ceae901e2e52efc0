use super::*;

/// Provinces in a row, each with the next as its neighbour; the first and the last are joined by sea.
fn row(count: usize, scale: f64) -> Ground {
    let land = (0..count).map(|at| (1 << (at + 1) | 1 << at >> 1) & ((1 << count) - 1)).collect();
    let places = (0..count).map(|at| Point::new(60.0 * at as f64, 5.0 * (at % 2) as f64)).collect();
    Ground { places, land, sea: vec![(0, count as u8 - 1)], scale }
}

#[test]
fn neighbours_touch_and_strangers_do_not() {
    let ground = row(6, 1.0);
    let layout = Layout::of(&ground);
    assert_eq!(layout.fault(&ground), None);
    assert!(layout.links.is_empty());
    // Told of other borders, the same cells are at fault.
    let cut = Ground { land: vec![0; 6], ..ground.clone() };
    assert!(layout.fault(&cut).unwrap().starts_with("0 and 1 have a border of "));
    let double = Layout::of(&row(6, 2.0));
    assert_eq!(double.size, layout.size.times(2.0));
    assert!(layout.is_taken(Point::new(0.0, 0.0), layout.size));
    assert!(!layout.is_taken(layout.size, layout.size.times(2.0)));
}

#[test]
fn all_on_one_spot_are_parted() {
    let mut ground = row(9, 1.0);
    ground.places = vec![Point::new(3.0, 4.0); 9];
    let layout = Layout::of(&ground);
    assert!(layout.cells.iter().flatten().all(|point| point.x.is_finite() && point.y.is_finite()));
    let (from, to) = layout.shore_to_shore(0, 8, [5.0; 2]);
    assert!(to.minus(from).length() > 0.0);
}

#[test]
fn directions_are_unit_vectors_in_order() {
    let all = directions();
    for (at, direction) in all.iter().enumerate() {
        let following = all[(at + 1) % all.len()];
        assert!((direction.length() - 1.0).abs() < 1e-12);
        assert!(direction.cross(following) > 0.1 && direction.cross(following) < 0.2, "{at}");
    }
}
