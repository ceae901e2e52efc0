//! Targets of cube towers: states and parameters of the fast one, geometry and states of the rigid one.

use std::sync::Arc;

use sengoku_kernel::cube_tower::{CubeTower, Cubes, Parameters, heap};
use sengoku_kernel::{Purpose, Reader, Stream, Writer};
use sengoku_tower_physics::{Geometry, RigidTower, in_order};

/// Colours of the cubes of the game.
const COLOURS: u8 = 6;
/// Marks of the bytes of the target `shelves`.
const TAG: &str = "fuzz";
const VERSION: u32 = 1;
/// Steps of a rigid throw, a tiny part of one.
const STEPS: u32 = 3;

/// Parameters and contents of a tower as saves contain them.
pub(crate) fn shelves(data: &[u8]) -> bool {
    let Ok(mut reader) = Reader::tagged(data, TAG, VERSION) else { return false };
    let Ok(parameters) = Parameters::decode(&mut reader) else { return false };
    let Ok(mut tower) = CubeTower::decode(&mut reader, COLOURS) else { return false };
    assert!(data.starts_with(&shelves_bytes(&parameters, &tower)), "what was read is what is written");
    if tower.fits(&parameters) && tower.len() <= 60 {
        throw(&mut tower, &parameters);
    }
    true
}

/// Parameters and a tower as bytes.
pub(crate) fn shelves_bytes(parameters: &Parameters, tower: &CubeTower) -> Vec<u8> {
    let mut writer = Writer::tagged(TAG, VERSION);
    parameters.encode(&mut writer);
    tower.encode(&mut writer);
    writer.finish()
}

/// Parameters as a table in JSON.
pub(crate) fn shelves_parameters(data: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice(data) else { return false };
    let Ok(parameters) = Parameters::from_json(&value) else { return false };
    let bytes = shelves_bytes(&parameters, &CubeTower::EMPTY);
    let mut reader = Reader::tagged(&bytes, TAG, VERSION).expect("its tag");
    let again = Parameters::decode(&mut reader).expect("what was written can be read");
    assert_eq!(again.shelves(), parameters.shelves());
    let mut tower = CubeTower::EMPTY;
    throw(&mut tower, &parameters);
    true
}

fn throw(tower: &mut CubeTower, parameters: &Parameters) {
    let before = tower.len();
    let mut cubes = heap(&[3, 2, 0, 1, 0, 2]);
    let count = cubes.len();
    let mut tray = Cubes::new();
    tower.throw(parameters, &mut cubes, &mut 0, &mut Stream::new(1, Purpose::Tower, 0), &mut tray);
    assert_eq!(tower.len() + tray.len(), before + count, "cubes are conserved");
    assert!(tower.fits(parameters), "no shelf holds more than it can");
}

/// The geometry of a rigid tower: the text of a file or a table in JSON.
pub(crate) fn geometry(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else { return false };
    let Ok(geometry) = Geometry::parse(text) else { return false };
    let scene = geometry.scene();
    for part in &scene.boxes {
        let numbers = part.centre_mm.iter().chain(&part.half_mm).chain(&part.rotation);
        assert!(numbers.clone().all(|number| number.is_finite()), "{part:?}");
        assert!(part.half_mm.iter().all(|&half| half > 0.0), "{part:?}");
    }
    use_rigid(RigidTower::new(geometry, 1, 0));
    true
}

/// A saved rigid tower.
pub(crate) fn rigid(data: &[u8]) -> bool {
    let Ok(tower) = RigidTower::load(Geometry::standard(), data) else { return false };
    assert_eq!(tower.save(), data, "what was loaded is what is saved");
    if tower.content() < 40 && tower.throws() < u32::MAX {
        use_rigid(tower);
    }
    true
}

/// Begin a throw, and stop it, which changes nothing.
fn use_rigid(mut tower: RigidTower) {
    let before = tower.save();
    let mut steps = 0;
    let thrown = tower.throw_while(&in_order(&[1, 1, 0, 0, 0, 0]), || {
        steps += 1;
        steps < STEPS
    });
    if thrown.is_err() {
        assert_eq!(tower.save(), before, "a throw that was stopped changes nothing");
    }
    let geometry = Arc::clone(tower.geometry());
    RigidTower::load(geometry, &tower.save()).expect("what was saved can be loaded");
}
