//! The simulated world: units, bodies and what is measured on them.
//!
//! A length of 1 is a centimetre and a time of 1 a tenth of a second. Then gravity is 9.81 and a cube is 0.8 wide, so
//! to the engine the tower looks like a hall of crates of human size seen at ten times the time, which is what its
//! tolerances are made for. A mass of 1 is a gram.

use rapier3d::parry::query::intersection_test;
use rapier3d::prelude::*;

use crate::scene::{MM_PER_UNIT, Material, units};
use crate::tower::Resting;
use crate::{Geometry, Scene};

pub(crate) const SECONDS_PER_UNIT: f64 = 0.1;
/// Metres per second in units of the world.
pub(crate) const METRES_PER_SECOND: f64 = 1000.0 / MM_PER_UNIT * SECONDS_PER_UNIT;
/// Metres per square second in units of the world.
pub(crate) const METRES_PER_SECOND2: f64 = METRES_PER_SECOND * SECONDS_PER_UNIT;
/// Gram, centimetre and tenth of a second make ten microjoules.
pub(crate) const MICROJOULES_PER_UNIT: f64 = 10.0;

/// Distance at which contacts are predicted, in units. The engine lets only new contacts bounce, so a cube detected
/// long before it arrives would not bounce; with a twentieth of a millimetre, cubes bounce down to 0.1 m/s.
const PREDICTION: f32 = 0.005;
/// A contact is computed anew once its cubes have moved this far against each other, in units.
const RECYCLE: f32 = 0.005;

/// Steps in which a pile takes up its weight before a throw.
const LOADING_STEPS: u32 = 50;

pub(crate) struct World {
    physics: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
    gravity: Vector,
    /// Where the tower has been shaken to.
    pub(crate) shift_mm: [f32; 3],
    cube: CubeMaker,
}

/// Properties shared by all cubes of a tower.
struct CubeMaker {
    density: f32,
    bevel: f32,
    friction: f32,
    restitution: f32,
    rest_speed: f32,
    rest_time: f32,
}

impl World {
    pub(crate) fn new(geometry: &Geometry, scene: &Scene, cubes: &[Resting]) -> Self {
        let simulation = &geometry.simulation;
        let mut physics = PhysicsWorld {
            gravity: Vector::new(0.0, 0.0, -simulation.gravity_metres_per_second2 as f32),
            ..PhysicsWorld::default()
        };
        let parameters = &mut physics.integration_parameters;
        parameters.dt = (1.0 / (f64::from(simulation.steps_per_second) * SECONDS_PER_UNIT)) as f32;
        parameters.num_solver_iterations = simulation.solver_iterations.into();
        parameters.normalized_prediction_distance = PREDICTION;
        parameters.normalized_contact_recycle_distance = RECYCLE;
        // The engine's cheaper friction resists turning as if contacts were areas, which locks cubes into arches.
        parameters.friction_model = FrictionModel::Coulomb;
        for fixed in &scene.boxes {
            let half = fixed.half();
            let (friction, restitution) = match fixed.material() {
                Material::Cardboard => {
                    (geometry.friction.wood_cardboard.value(), geometry.restitution.wood_cardboard.value())
                }
                Material::Plastic => {
                    (geometry.friction.wood_plastic.value(), geometry.restitution.wood_plastic)
                }
            };
            physics.insert_collider(
                ColliderBuilder::cuboid(half.x, half.y, half.z)
                    .position(fixed.pose())
                    .friction(friction as f32)
                    .friction_combine_rule(prevailing(friction, geometry.friction.wood_wood.value()))
                    .restitution(restitution as f32)
                    .restitution_combine_rule(prevailing(
                        restitution,
                        geometry.restitution.wood_wood.value(),
                    )),
                None,
            );
        }
        let cube = CubeMaker {
            density: (geometry.cube.density_kg_per_m3 / 1000.0) as f32,
            bevel: if simulation.rounded { (geometry.cube.bevel_mm / MM_PER_UNIT) as f32 } else { 0.0 },
            friction: geometry.friction.wood_wood.value() as f32,
            restitution: geometry.restitution.wood_wood.value() as f32,
            // The engine compares half the way of the farthest point with this.
            rest_speed: (geometry.throw.rest_mm_per_second / 2000.0 * METRES_PER_SECOND) as f32,
            rest_time: (geometry.throw.rest_seconds / SECONDS_PER_UNIT) as f32,
        };
        let mut world = Self {
            gravity: physics.gravity,
            physics,
            handles: Vec::with_capacity(cubes.len()),
            shift_mm: [0.0; 3],
            cube,
        };
        for cube in cubes {
            world.insert(cube, Vector::ZERO);
        }
        world.load(cubes);
        world
    }

    pub(crate) fn insert(&mut self, cube: &Resting, velocity: Vector) {
        let CubeMaker { density, bevel, friction, restitution, rest_speed, rest_time } = self.cube;
        let half = cube.edge / 2.0;
        let mut body =
            RigidBodyBuilder::dynamic().pose(cube.pose()).linvel(velocity).ccd_enabled(true).build();
        let activation = body.activation_mut();
        activation.normalized_linear_threshold = rest_speed;
        activation.time_until_sleep = rest_time;
        let shape = if bevel > 0.0 {
            ColliderBuilder::round_cuboid(half - bevel, half - bevel, half - bevel, bevel)
        } else {
            ColliderBuilder::cuboid(half, half, half)
        };
        let (handle, _) = self.physics.insert(
            body,
            shape
                .mass(density * cube.edge * cube.edge * cube.edge)
                .friction(friction)
                .restitution(restitution),
        );
        self.handles.push(handle);
    }

    /// Steps until the contacts of a pile carry its weight. Contacts begin without any force, so the first steps are a
    /// jolt of some hundredths of a millimetre; cubes at rest are at rest again before anything is thrown.
    fn load(&mut self, cubes: &[Resting]) {
        if cubes.is_empty() {
            return;
        }
        for _ in 0..LOADING_STEPS {
            self.step();
        }
        // Not put to sleep by hand: a sleeping cube beside one that is awake would fall through its support.
        for (&handle, _) in self.handles.iter().zip(cubes).filter(|(_, cube)| cube.asleep) {
            let activation = self.physics.bodies[handle].activation_mut();
            activation.time_since_can_sleep = activation.time_until_sleep;
        }
    }

    /// Whether a cube at this place would touch another one.
    pub(crate) fn is_occupied(&self, pose: &Pose, edge: f32, others: &[Resting]) -> bool {
        let shape = Cuboid::new(Vector::splat(edge / 2.0));
        self.handles.iter().zip(others).any(|(&handle, other)| {
            let there = self.physics.bodies[handle].position();
            let reach = (edge + other.edge) * 0.9; // half the diagonals, rounded up
            (there.translation - pose.translation).length_squared() < reach * reach
                && intersection_test(pose, &shape, there, &Cuboid::new(Vector::splat(other.edge / 2.0)))
                    .is_ok_and(|answer| answer.intersecting)
        })
    }

    pub(crate) fn step(&mut self) {
        self.physics.step();
    }

    /// Steps while the tower has an acceleration; the world stays that of the tower. The result is the work that the
    /// tower does on the cubes: the step's force of inertia on each, along its way.
    pub(crate) fn step_shaken(&mut self, acceleration: Vector) -> f64 {
        let places: Vec<Vector> =
            self.handles.iter().map(|&h| self.physics.bodies[h].translation()).collect();
        self.physics.gravity = self.gravity - acceleration;
        self.physics.step();
        self.physics.gravity = self.gravity;
        let work = |(&handle, before): (&RigidBodyHandle, Vector)| {
            let body = &self.physics.bodies[handle];
            -f64::from(body.mass()) * f64::from(acceleration.dot(body.translation() - before))
        };
        self.handles.iter().zip(places).map(work).sum()
    }

    /// Wakes all cubes: the ground under them moves.
    pub(crate) fn wake(&mut self) {
        for &handle in &self.handles {
            self.physics.bodies[handle].wake_up(true);
        }
    }

    pub(crate) fn is_at_rest(&self) -> bool {
        self.physics.islands.num_active_bodies() == 0
    }

    pub(crate) fn body(&self, index: usize) -> &RigidBody {
        &self.physics.bodies[self.handles[index]]
    }

    pub(crate) fn push(&mut self, index: usize, velocity: Vector) {
        self.physics.bodies[self.handles[index]].set_linvel(velocity, true);
    }

    /// Energy of one cube, its height taken from the table.
    pub(crate) fn energy_of(&self, index: usize) -> f64 {
        let body = self.body(index);
        let weight = f64::from(body.mass()) * -f64::from(self.gravity.z);
        weight * f64::from(body.translation().z) + f64::from(body.kinetic_energy())
    }

    pub(crate) fn energy(&self) -> f64 {
        (0..self.handles.len()).map(|index| self.energy_of(index)).sum()
    }

    /// How deep the deepest contact is, in units.
    pub(crate) fn penetration(&self) -> f32 {
        self.physics
            .narrow_phase
            .contact_pairs()
            .flat_map(ContactPair::manifolds)
            .flat_map(|manifold| &manifold.points)
            .fold(0.0_f32, |deepest, point| deepest.max(-point.dist))
    }
}

/// The engine takes the smaller or the larger of two coefficients; whichever gives that of the fixed part against wood.
fn prevailing(fixed: f64, wood: f64) -> CoefficientCombineRule {
    if fixed < wood { CoefficientCombineRule::Min } else { CoefficientCombineRule::Max }
}

/// A point in millimetres.
pub(crate) fn millimetres(point: Vector) -> [f32; 3] {
    [point.x, point.y, point.z].map(|value| value * MM_PER_UNIT as f32)
}

/// A height in units.
pub(crate) fn height(mm: f64) -> f32 {
    units([0.0, 0.0, mm]).z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    fn cube(z_mm: f64, asleep: bool) -> Resting {
        Resting::new(Colour::FARMER, 0.8, Pose::from_translation(units([0.0, 0.0, z_mm])), 0, asleep)
    }

    /// A tower of one table, to look at a single cube.
    fn table(geometry: &Geometry) -> Scene {
        let mut scene = geometry.scene();
        scene.boxes.retain(|fixed| fixed.part == crate::Part::Tray && fixed.centre_mm[2] < 0.0);
        scene
    }

    /// A flat landing bounces with the coefficient of wood on plastic, at speeds from 0.3 to 2 m/s.
    #[test]
    fn cubes_bounce_as_restitution_says() {
        // TW-TOWER-41
        let geometry = Geometry::standard();
        for fall_mm in [5.0, 20.0, 60.0, 200.0] {
            let mut world = World::new(&geometry, &table(&geometry), &[cube(4.0 + fall_mm, false)]);
            let mut before = 0.0_f32;
            let bounce = loop {
                world.step();
                let speed = world.body(0).linvel().z;
                if speed > 0.0 {
                    break speed / -before;
                }
                before = speed;
            };
            let wanted = geometry.restitution.wood_plastic as f32;
            assert!((bounce - wanted).abs() < 0.1, "{fall_mm} mm: {bounce}");
        }
    }

    /// What a shaken tower does to a falling cube is the work of the force of inertia, and nothing else.
    #[test]
    fn work_of_the_shake_is_the_energy_of_the_cube() {
        // TW-TOWER-42
        let geometry = Geometry::standard();
        let mut world = World::new(&geometry, &table(&geometry), &[]);
        world.insert(&cube(100.0, false), Vector::ZERO);
        let (start, mut work) = (world.energy_of(0), 0.0);
        let acceleration = Vector::new(6.0, -2.0, 3.0) * METRES_PER_SECOND2 as f32;
        for _ in 0..100 {
            work += world.step_shaken(acceleration);
        }
        let (gain, speed) = (world.energy_of(0) - start, world.body(0).linvel());
        // 0.05 s with the opposite of the acceleration, and with gravity.
        let wanted = Vector::new(-0.3, 0.1, -0.15 - 0.4905) * METRES_PER_SECOND as f32;
        assert!((speed - wanted).length() < 1e-3 * wanted.length(), "{speed} {wanted}");
        assert!(work > 0.0 && (gain / work - 1.0).abs() < 0.02, "{gain} {work}");
    }

    /// A cube that lies still in a tower takes no work from a shake that friction holds, level or upright.
    #[test]
    fn a_cube_that_is_held_takes_no_work() {
        // TW-TOWER-42
        let geometry = Geometry::standard();
        let mut world = World::new(&geometry, &table(&geometry), &[cube(4.0, true)]);
        let mut work = 0.0;
        for step in 0..400 {
            let swing = if step % 134 < 67 { 2.0 } else { -2.0 };
            work += world.step_shaken(Vector::new(swing, 0.0, swing) * METRES_PER_SECOND2 as f32).abs();
        }
        let weight_over_edge = f64::from(world.body(0).mass()) * 9.81 * 0.8;
        assert!(work < 0.01 * weight_over_edge, "{work} of {weight_over_edge}");
    }

    /// A cube slides to a halt after v^2 / 2 mu g.
    #[test]
    fn cubes_slide_as_friction_says() {
        // TW-TOWER-41
        let geometry = Geometry::standard();
        let mut world = World::new(&geometry, &table(&geometry), &[]);
        let start = cube(4.0, false);
        world.insert(&start, Vector::new(0.3 * METRES_PER_SECOND as f32, 0.0, 0.0));
        world.step();
        while !world.is_at_rest() {
            world.step();
        }
        let way_mm = millimetres(world.body(0).translation())[0];
        let wanted = (0.3 * 0.3 / (2.0 * geometry.friction.wood_plastic.value() * 9.81) * 1000.0) as f32;
        assert!((way_mm - wanted).abs() < 0.1 * wanted, "{way_mm} mm, {wanted} wanted");
    }
}
