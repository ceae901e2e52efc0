//! The motion of a tower while a throw shakes it (TW-TOWER-42).

use rapier3d::math::Vector;
use rapier3d::na::ComplexField;

use crate::Geometry;
use crate::throw::Draws;
use crate::world::METRES_PER_SECOND2;

/// One shake: an acceleration `a sin(2 pi f t)` along a line, for some steps.
///
/// The tower swings around its place: it is at `-a sin(2 pi f t) / (2 pi f)^2`, as after a knock at the beginning.
pub(crate) struct Shaking {
    first: u32,
    steps: u32,
    /// Angle from one step to the next.
    turn: f64,
    /// Largest acceleration, in units of the world.
    acceleration: Vector,
    /// Largest shift, in millimetres.
    shift_mm: [f64; 3],
}

impl Shaking {
    /// The shake of a throw of this many cubes, in a direction that is drawn; nothing when the tower stands still.
    pub(crate) fn new(geometry: &Geometry, cubes: usize, draws: &mut Draws<'_>) -> Option<Self> {
        let (shake, [level, upright]) = (geometry.shake.as_ref()?, geometry.shake_by(cubes)?);
        let [x, y] = draws.direction();
        let rate = f64::from(geometry.simulation.steps_per_second);
        let direction = [level * f64::from(x), level * f64::from(y), upright];
        let angular = std::f64::consts::TAU * shake.hertz;
        let [ax, ay, az] = direction.map(|value| (value * METRES_PER_SECOND2) as f32);
        Some(Self {
            first: (shake.after_seconds * rate) as u32,
            steps: (shake.seconds * rate) as u32,
            turn: angular / rate,
            acceleration: Vector::new(ax, ay, az),
            shift_mm: direction.map(|value| -value / (angular * angular) * 1000.0),
        })
    }

    /// The first step of it.
    pub(crate) const fn first(&self) -> u32 {
        self.first
    }

    /// Whether the tower is shaken in the step after this many.
    pub(crate) fn lasts_at(&self, step: u32) -> bool {
        (self.first..self.first + self.steps).contains(&step)
    }

    /// The acceleration in the step after this many: that of its middle.
    pub(crate) fn acceleration(&self, step: u32) -> Vector {
        self.acceleration * ComplexField::sin((f64::from(step - self.first) + 0.5) * self.turn) as f32
    }

    /// Where the tower is after this many steps.
    pub(crate) fn shift_mm(&self, step: u32) -> [f32; 3] {
        if !self.lasts_at(step) {
            return [0.0; 3];
        }
        let swing = ComplexField::sin(f64::from(step - self.first) * self.turn);
        self.shift_mm.map(|value| (value * swing) as f32)
    }

    /// How far it goes to either side.
    pub(crate) fn reach_mm(&self) -> f64 {
        self.shift_mm.iter().map(|value| value * value).sum::<f64>().sqrt()
    }
}
