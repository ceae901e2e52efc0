//! How hard a throw shakes the tower (TW-TOWER-42).

use serde::Deserialize;

use super::Geometry;

const GRAMS_PER_KG: f64 = 1000.0;

/// How a throw shakes the tower: an acceleration `a sin(2 pi f t)`, level in a random direction and upright.
///
/// Either the acceleration is given, or the mass that sways, from which it follows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shake {
    /// Acceleration in a level direction, the same for every throw.
    pub level_metres_per_second2: Option<f64>,
    /// Acceleration up and down, the same for every throw.
    pub upright_metres_per_second2: Option<f64>,
    /// Mass of the tower that sways.
    pub swaying_grams: Option<f64>,
    /// Upright acceleration as a share of the level one.
    pub upright_share: Option<f64>,
    /// Frequency of the tower.
    pub hertz: f64,
    /// When it begins, from the first release.
    #[serde(default)]
    pub after_seconds: f64,
    /// How long it lasts.
    pub seconds: f64,
}

impl Geometry {
    /// Impulse that this many cubes give to the tower, in newton seconds: the root of the sum of the squares of their
    /// impulses, since they come at random times and from all sides.
    ///
    /// An impact at speed v with restitution e gives m v (1 + e) and takes m v^2 (1 - e^2) / 2 of energy. What a cube
    /// loses on its way from the hand to the table is m (g h + v0^2 / 2), so the squares of its impulses add up to
    /// m^2 (2 g h + v0^2) (1 + e) / (1 - e), whatever the number of impacts.
    pub fn impulse(&self, cubes: usize) -> f64 {
        let throw = &self.throw;
        let edge = self.cube.edge_mm / 1000.0;
        let mass = self.cube.density_kg_per_m3 * edge * edge * edge;
        let fall = (self.shaft.height_mm + f64::midpoint(throw.lowest_mm, throw.highest_mm)) / 1000.0;
        let start = throw.fastest_metres_per_second * throw.fastest_metres_per_second / 3.0; // mean of the squares
        let speed = 2.0 * self.simulation.gravity_metres_per_second2 * fall + start;
        let restitution = self.restitution.wood_cardboard.value();
        mass * (cubes as f64 * speed * (1.0 + restitution) / (1.0 - restitution)).sqrt()
    }

    /// Acceleration of the tower, level and upright, in m/s2, when this many cubes are thrown; nothing stands still.
    ///
    /// A mass that sways at the frequency f after an impulse p has the acceleration 2 pi f p / mass.
    pub fn shake_by(&self, cubes: usize) -> Option<[f64; 2]> {
        let shake = self.shake.as_ref()?;
        if let (Some(level), Some(upright)) =
            (shake.level_metres_per_second2, shake.upright_metres_per_second2)
        {
            return Some([level, upright]);
        }
        let mass = shake.swaying_grams? / GRAMS_PER_KG;
        let level = std::f64::consts::TAU * shake.hertz * self.impulse(cubes) / mass;
        Some([level, level * shake.upright_share?])
    }
}
