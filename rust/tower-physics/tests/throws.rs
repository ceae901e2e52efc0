//! Invariants of a throw (TW-TOWER-03, 06, 08, 40 to 43).

use std::sync::Arc;

use sengoku_kernel::DecodeError;
use sengoku_tower_physics::{COLOURS, Colour, Counts, Geometry, Part, RigidTower, Throw, in_order};

/// Bounds for what the engine may do wrong. A cube that falls from the hand moves a millimetre in a step, so a contact
/// can be that deep for a step; at rest contacts are a hundred times shallower. Ten microjoules are what lifts one cube
/// by 3 mm; a throw of ten cubes has some 8000 to lose.
const DEEPEST_MM: f32 = 1.5;
const DEEPEST_AT_REST_MM: f32 = 0.1;
const ENERGY_GROWTH_MICROJOULES: f64 = 20.0;

const FILL: Counts = [7, 7, 7, 7, 0, 10];

/// The towers that several tests look at: fills and the throws that follow. They are the expensive part.
fn played(match_index: u64) -> (RigidTower, Vec<(Counts, Counts, Throw)>) {
    let mut tower = RigidTower::new(Geometry::standard(), 11, match_index);
    let mut throws = Vec::new();
    for counts in [FILL, [4, 3, 0, 0, 0, 1], [0, 0, 6, 6, 0, 0], [1, 0, 0, 0, 0, 0]] {
        let before = tower.contents();
        let throw = tower.throw_counts(&counts);
        throws.push((before, counts, throw));
    }
    (tower, throws)
}

/// TW-TOWER-03: before + thrown = after + tray, for each colour; and the physics is sane on the way (TW-TOWER-42).
#[test]
fn nothing_is_lost_and_all_come_to_rest() {
    for match_index in 0..2 {
        let (tower, throws) = played(match_index);
        let mut after = throws.iter().skip(1).map(|(before, ..)| *before).chain([tower.contents()]);
        for (before, thrown, throw) in &throws {
            let (after, tray) = (after.next().unwrap(), throw.counts());
            for colour in 0..COLOURS {
                assert_eq!(before[colour] + thrown[colour], after[colour] + tray[colour], "TW-TOWER-03");
            }
            let statistics = &throw.statistics;
            assert!(!statistics.timed_out, "{statistics:?}");
            assert!(statistics.seconds < tower.geometry().throw.limit_seconds);
            assert_eq!(statistics.escaped, 0);
            assert!(statistics.deepest_mm < DEEPEST_MM, "{statistics:?}");
            assert!(statistics.deepest_at_rest_mm < DEEPEST_AT_REST_MM, "{statistics:?}");
            assert!(statistics.energy_growth_microjoules < ENERGY_GROWTH_MICROJOULES, "{statistics:?}");
            assert!(statistics.energy_lost_microjoules > 0.0, "{statistics:?}");
        }
        assert_eq!(tower.content(), usize::from(tower.contents().iter().sum::<u16>()));
    }
}

/// Cubes that stay are inside the shaft, above floor and ramp; none is in a wall or a plate (TW-TOWER-40).
#[test]
fn cubes_inside_lie_in_the_shaft() {
    let (tower, _) = played(2);
    let geometry = tower.geometry();
    let half = geometry.shaft.inner_mm / 2.0 + geometry.shaft.wall_mm;
    assert!(tower.content() > 0);
    for cube in tower.cubes() {
        let [x, y, z] = cube.centre_mm().map(f64::from);
        assert!(x.abs() < half && y.abs() < half, "{cube:?}");
        assert!(z > 0.0 && z < geometry.shaft.height_mm, "{cube:?}");
        assert!(
            (f64::from(cube.edge_mm()) - geometry.cube.edge_mm).abs()
                <= geometry.cube.edge_tolerance_mm + 1e-4
        );
        for plate in geometry.scene().boxes.iter().filter(|fixed| {
            matches!(fixed.part, Part::UpperPlate | Part::LowerPlate | Part::Shaft | Part::Front)
        }) {
            let inside = [x, y, z]
                .iter()
                .zip(plate.centre_mm)
                .zip(plate.half_mm)
                .all(|((at, middle), half)| (at - middle).abs() < half);
            assert!(!inside, "{cube:?} in {plate:?}");
        }
    }
}

/// TW-TOWER-06: relabelling colours entry by entry relabels the output and changes nothing else.
#[test]
fn colours_never_enter_the_physics() {
    let other = |colour: Colour| Colour::from_index((colour.index() + 1) % COLOURS).unwrap();
    let hands = [in_order(&[3, 2, 0, 0, 4, 6]), in_order(&[1, 1, 1, 0, 0, 1])];
    let mut plain = RigidTower::new(Geometry::standard(), 5, 9);
    let mut relabelled = RigidTower::new(Geometry::standard(), 5, 9);
    for hand in &hands {
        let first = plain.throw(hand);
        let renamed: Vec<Colour> = hand.iter().copied().map(other).collect();
        let second = relabelled.throw(&renamed);
        assert!(first.tray().map(other).eq(second.tray()));
        assert_eq!(first.statistics, second.statistics);
        let places = |tower: &RigidTower| -> Vec<_> {
            tower.cubes().iter().map(|cube| (cube.centre_mm(), cube.rotation())).collect()
        };
        assert_eq!(places(&plain), places(&relabelled));
        assert!(plain.cubes().iter().zip(relabelled.cubes()).all(|(a, b)| other(a.colour()) == b.colour()));
    }
}

/// TW-TOWER-08: the same tower, cubes and chance give the same result: again, on other threads, from a clone and from
/// bytes; another match or seed gives another.
#[test]
fn the_same_throw_goes_the_same_way() {
    let mut tower = RigidTower::new(Geometry::standard(), 3, 1);
    tower.throw_counts(&[3, 3, 3, 3, 0, 3]);
    let hand = in_order(&[2, 2, 0, 0, 0, 1]);
    let bytes = tower.save();
    let loaded = RigidTower::load(Geometry::standard(), &bytes).unwrap();
    assert_eq!(tower, loaded);
    let play = |mut tower: RigidTower| (tower.throw(&hand), tower);
    let threads: Vec<_> = [tower.clone(), tower.clone(), loaded]
        .into_iter()
        .map(|tower| {
            let hand = hand.clone();
            std::thread::spawn(move || {
                let mut tower = tower;
                (tower.throw(&hand), tower)
            })
        })
        .collect();
    let here = play(tower.clone());
    for thread in threads {
        assert_eq!(thread.join().unwrap(), here);
    }
    assert_ne!(play(tower.reseeded(3, 2)).1.cubes(), here.1.cubes());
    assert_ne!(play(tower.reseeded(4, 1)).1.cubes(), here.1.cubes());
}

/// A recording looks and does not touch; its last frame shows the cubes where they rest.
#[test]
fn a_recorded_throw_is_the_same_throw() {
    let tower = RigidTower::new(Geometry::standard(), 8, 0);
    let hand = in_order(&[4, 3, 0, 0, 0, 1]);
    let (mut silent, mut filmed) = (tower.clone(), tower);
    let throw = silent.throw(&hand);
    let (again, film) = filmed.throw_recorded(&hand, 20);
    assert_eq!((throw.clone(), silent), (again, filmed.clone()));
    let frames = &film.frames;
    assert_eq!(frames.len() as u32, throw.statistics.steps.div_ceil(20));
    assert!(frames.windows(2).all(|pair| pair[0].seconds < pair[1].seconds));
    let last = frames.last().unwrap();
    assert_eq!(last.cubes.len(), 8);
    for cube in filmed.cubes() {
        assert!(
            last.cubes.iter().any(|pose| (pose.centre_mm, pose.colour) == (cube.centre_mm(), cube.colour()))
        );
    }
    let rotations = frames.iter().flat_map(|frame| &frame.cubes).map(|pose| pose.rotation);
    assert!(rotations.into_iter().all(|turn| (turn.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 1e-3));
}

/// A tower asked for holds what was asked for; a bump takes one of its cubes (TW-R-31).
#[test]
fn towers_hold_what_is_asked_for() {
    let wanted = [3, 2, 0, 0, 0, 1];
    let mut tower = RigidTower::holding(Geometry::standard(), 6, 0, &wanted).unwrap();
    assert_eq!((tower.contents(), tower.throws()), (wanted, 0));
    let colour = tower.bump().unwrap();
    assert_eq!(tower.contents()[colour.index()] + 1, wanted[colour.index()]);
    assert_eq!(RigidTower::new(Geometry::standard(), 6, 0).bump(), None);
    assert!(tower.throw(&[]).fallen.len() < 6);
}

#[test]
fn bytes_of_something_else_are_refused() {
    let tower = RigidTower::holding(Geometry::standard(), 1, 1, &[1, 0, 0, 0, 0, 0]).unwrap();
    let bytes = tower.save();
    for length in 0..bytes.len() {
        assert!(RigidTower::load(Geometry::standard(), &bytes[..length]).is_err());
    }
    let mut other = (*Geometry::standard()).clone();
    other.shaft.height_mm += 1.0;
    let error = RigidTower::load(other, &bytes).unwrap_err();
    assert!(matches!(error, DecodeError::Inconsistent { field: "geometry", .. }), "{error}");
    let mut colourless = bytes.clone();
    let colour = bytes.len() - 38;
    colourless[colour] = 6;
    let error = RigidTower::load(Geometry::standard(), &colourless).unwrap_err();
    assert!(matches!(error, DecodeError::OutOfRange { field: "colour", .. }), "{error}");
    // Edge, position and rotation.
    for place in [6, 10, 22] {
        let mut afar = bytes.clone();
        afar[colour + place..colour + place + 4].copy_from_slice(&f32::NAN.to_bits().to_le_bytes());
        let error = RigidTower::load(Geometry::standard(), &afar).unwrap_err();
        assert!(matches!(error, DecodeError::Inconsistent { field: "cube", .. }), "{error}");
    }
}

/// Walls are thin; a cube thrown down ten times as hard still stays in front of them (TW-TOWER-41).
#[test]
fn hard_throws_do_not_tunnel() {
    let mut geometry = (*Geometry::standard()).clone();
    geometry.throw.fastest_metres_per_second = 5.0;
    let mut tower = RigidTower::new(Arc::new(geometry), 2, 0);
    let throw = tower.throw_counts(&[5, 5, 0, 0, 0, 0]);
    assert_eq!((throw.statistics.escaped, throw.fallen.len() + tower.content()), (0, 10));
    assert!(throw.statistics.energy_growth_microjoules < ENERGY_GROWTH_MICROJOULES, "{:?}", throw.statistics);
}
