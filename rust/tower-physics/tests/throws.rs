//! Invariants of a throw (TW-TOWER-03, 06, 08, 40 to 43).

use std::sync::Arc;

use sengoku_kernel::DecodeError;
use sengoku_tower_physics::{
    COLOURS, Colour, Counts, Frame, Geometry, Part, Resting, RigidTower, Throw, in_order,
};

/// Bounds for what the engine may do wrong (T6 of TW-TOWER-43). A cube that falls from the hand moves a millimetre in a
/// step, so a contact can be that deep for a step; at rest contacts are a hundred times shallower.
const DEEPEST_MM: f32 = 1.5;
const DEEPEST_AT_REST_MM: f32 = 0.1;

/// Most that the total energy may grow between two looks, in microjoules.
///
/// Restitution below 1 and friction only take energy, and the work of a shaken tower is counted as supplied. What is left
/// is that the engine pushes contacts apart that are too deep, which lifts what lies on them: at most every cube in the
/// tower by the deepest contact of the throw. That is 1.2 microjoules for each cube that lies 0.35 mm deep.
fn most_energy_growth(geometry: &Geometry, throw: &Throw, cubes: usize) -> f64 {
    let mass = geometry.cube.density_kg_per_m3 * (geometry.cube.edge_mm / 1000.0).powi(3);
    let weight = mass * geometry.simulation.gravity_metres_per_second2;
    cubes as f64 * weight * f64::from(throw.statistics.deepest_mm) / 1000.0 * 1e6
}

const FILL: Counts = [7, 7, 7, 7, 0, 10];

/// The towers that several tests look at: fills and the throws that follow. They are the expensive part.
fn played(name: &str, match_index: u64) -> (RigidTower, Vec<(Counts, Counts, Throw)>) {
    let mut tower = RigidTower::new(Geometry::named(name).unwrap(), 11, match_index);
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
    for (name, match_index) in [("boards", 0), ("boards", 1), ("plates", 0)] {
        let (tower, throws) = played(name, match_index);
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
            // The balance of TW-TOWER-42: nothing but the shake brings energy in.
            let most = most_energy_growth(tower.geometry(), throw, count(before) + count(thrown));
            assert!(statistics.energy_growth_microjoules <= most, "{statistics:?} {most}");
            assert_eq!(statistics.shake_mm > 0.0, name == "boards");
            assert_eq!(statistics.shake_work_microjoules != 0.0, name == "boards");
            assert!(statistics.shake_work_microjoules < 0.2 * statistics.energy_lost_microjoules);
            assert!(statistics.energy_lost_microjoules > 0.0, "{statistics:?}");
        }
        assert_eq!(tower.content(), usize::from(tower.contents().iter().sum::<u16>()));
    }
}

fn count(counts: &Counts) -> usize {
    counts.iter().map(|&count| usize::from(count)).sum()
}

/// Every cube inside lies on one board, or below on the ramp, and on a board there is something above it.
#[test]
fn cubes_lie_on_boards() {
    // TW-TOWER-40
    let (tower, _) = played("boards", 3);
    let levels = tower.by_level();
    assert_eq!(levels.len(), tower.geometry().level_names().len());
    assert_eq!(levels.iter().map(Vec::len).sum::<usize>(), tower.content());
    let lying: Vec<usize> = levels.iter().map(Vec::len).collect();
    assert!(lying[..3].iter().all(|&cubes| cubes > 0), "{lying:?}");
    // What boards hold they hold: nothing lies on the ramp for ever (TW-TOWER-07).
    assert!(lying[3] <= 3, "{lying:?}");
    let boards = &tower.geometry().boards;
    let middle = |cube: &Resting| f64::from(cube.centre_mm()[2]);
    let above = |height: f64| tower.cubes().iter().filter(|cube| middle(cube) > height + 8.0).count();
    assert!(
        lying[0] <= above(boards[0].height_mm - 12.0) && lying[0] + lying[1] >= above(boards[1].height_mm)
    );
}

/// TW-TOWER-42: more cubes shake more, and a film shows where the tower is.
#[test]
fn a_film_shows_the_shake() {
    let geometry = Geometry::standard();
    let mut tower = RigidTower::new(Arc::clone(&geometry), 4, 0);
    let (few, film) = tower.throw_recorded(&in_order(&[2, 1, 0, 0, 0, 0]), 10);
    let (many, _) = tower.throw_recorded(&in_order(&[7, 5, 0, 0, 0, 0]), 10);
    let shaken = |throw: &Throw| throw.statistics.shake_mm;
    assert!((shaken(&many) / shaken(&few) - 2.0).abs() < 1e-6, "the root of four times as many");
    let shake = geometry.shake.as_ref().unwrap();
    let away = |frame: &&Frame| frame.shift_mm.iter().any(|&value| value != 0.0);
    let shown: Vec<f64> = film.frames.iter().filter(away).map(|frame| frame.seconds).collect();
    let end = shake.after_seconds + shake.seconds;
    assert!(shown.len() > 20 && shown.iter().all(|&at| at > shake.after_seconds && at <= end));
    let length =
        |frame: &Frame| frame.shift_mm.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
    let farthest = film.frames.iter().map(length).fold(0.0, f64::max);
    assert!(farthest <= shaken(&few) + 1e-6 && farthest > 0.9 * shaken(&few));
    let mut still = RigidTower::new(Geometry::named("plates").unwrap(), 4, 0);
    let (throw, film) = still.throw_recorded(&in_order(&[2, 1, 0, 0, 0, 0]), 10);
    assert!(!film.frames.iter().any(|frame| away(&frame)) && shaken(&throw) == 0.0);
}

/// Saved towers carry a digest of their geometry and refuse another one.
#[test]
fn a_tower_of_another_geometry_is_refused() {
    // TW-TOWER-40
    let [boards, plates] = Geometry::NAMES.map(|name| Geometry::named(name).unwrap());
    let bytes = RigidTower::new(Arc::clone(&plates), 1, 1).save();
    assert!(RigidTower::load(plates, &bytes).is_ok());
    let mut unshaken = (*boards).clone();
    unshaken.shake = None;
    let mut steeper = (*boards).clone();
    steeper.boards[1].down_x_degrees = -9.0;
    for other in [(*boards).clone(), unshaken, steeper] {
        let error = RigidTower::load(other, &bytes).unwrap_err();
        assert!(matches!(error, DecodeError::Inconsistent { field: "geometry", .. }), "{error}");
    }
}

/// Cubes that stay are inside the shaft, above floor and ramp; none is in a wall or a plate (TW-TOWER-40).
#[test]
fn cubes_inside_lie_in_the_shaft() {
    let (tower, _) = played("plates", 2);
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
    assert!(throw.statistics.energy_growth_microjoules < most_energy_growth(tower.geometry(), &throw, 10));
}
