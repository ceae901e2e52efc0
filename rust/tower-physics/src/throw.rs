use rapier3d::math::{Pose as BodyPose, Rotation, Vector};
use sengoku_kernel::{Cancelled, Chance, Stream};

use crate::colour::count;
use crate::scene::{MM_PER_UNIT, units};
use crate::shaking::Shaking;
use crate::tower::Resting;
use crate::world::{METRES_PER_SECOND, MICROJOULES_PER_UNIT, World, height, millimetres};
use crate::{Colour, Counts, Geometry};

/// Energy and penetration are looked at every this many steps.
const LOOK_STEPS: u32 = 10;
/// Places tried for a cube before it waits for the next step.
const PLACES: u32 = 16;
/// Pushes after which a cube is left in the funnel.
const PUSHES: u32 = 100;

/// A cube that came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallen {
    /// Its colour.
    pub colour: Colour,
    /// Throws since it was thrown in; 0 when it passed at once.
    pub age: u32,
}

/// The result of a throw as seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Throw {
    /// The cubes that came out, the longest inside first.
    pub fallen: Vec<Fallen>,
    /// How the motion went.
    pub statistics: Statistics,
}

impl Throw {
    /// The colours that lie in the tray.
    pub fn tray(&self) -> impl Iterator<Item = Colour> + '_ {
        self.fallen.iter().map(|fallen| fallen.colour)
    }

    /// How many cubes of each colour lie in the tray.
    pub fn counts(&self) -> Counts {
        count(self.tray())
    }
}

/// How the motion of a throw went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps computed.
    pub steps: u32,
    /// Time simulated, from the first release to rest.
    pub seconds: f64,
    /// Pushes given to cubes that came to rest in the funnel (TW-TOWER-42).
    pub pushes: u32,
    /// Whether the throw ended by its limit and not at rest.
    pub timed_out: bool,
    /// Deepest contact seen on the way, looked for every ten steps.
    pub deepest_mm: f32,
    /// Deepest contact at the end.
    pub deepest_at_rest_mm: f32,
    /// Largest growth of the total energy between two looks that nothing explains: releases, pushes and the work of the
    /// shaken tower are left out.
    pub energy_growth_microjoules: f64,
    /// Total energy lost from release to rest.
    pub energy_lost_microjoules: f64,
    /// Cubes found outside the space that should hold them; they count as fallen. Always 0 unless something is wrong.
    pub escaped: u32,
    /// How far the tower was shaken to either side of its place.
    pub shake_mm: f64,
    /// Work that the shaken tower did on the cubes.
    pub shake_work_microjoules: f64,
}

/// Where a cube was in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The same number in every frame of a film.
    pub cube: u32,
    /// Its colour.
    pub colour: Colour,
    /// Length of its edges.
    pub edge_mm: f32,
    /// Its middle, in the frame of [`Scene`](crate::Scene).
    pub centre_mm: [f32; 3],
    /// Its rotation as a unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

/// All cubes at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time since the throw began.
    pub seconds: f64,
    /// Where the tower has been shaken to; all places are in the frame of the tower.
    pub shift_mm: [f32; 3],
    /// Cubes in the tower, in the air and in the tray.
    pub cubes: Vec<Pose>,
}

/// A recorded throw.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Frames in order, the last one at rest.
    pub frames: Vec<Frame>,
}

/// A cube that is still in the hand.
struct Held {
    step: u32,
    colour: Colour,
    edge: f32,
}

/// Draws in order from a stream.
pub(crate) struct Draws<'a> {
    pub(crate) stream: Stream,
    pub(crate) draws: &'a mut u32,
}

impl Draws<'_> {
    /// Uniform in `0..1`, exact in single precision.
    fn share(&mut self) -> f32 {
        let value = self.stream.below(*self.draws, 1 << 24);
        *self.draws = self.draws.wrapping_add(1);
        value as f32 / (1 << 24) as f32
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.share())
    }

    /// A direction in the plane.
    pub(crate) fn direction(&mut self) -> [f32; 2] {
        let point = self.in_ball::<2>();
        let length = (point[0] * point[0] + point[1] * point[1]).sqrt();
        point.map(|value| value / length)
    }

    /// Uniform in the unit ball of `N` dimensions, by rejection: no function that machines round differently.
    fn in_ball<const N: usize>(&mut self) -> [f32; N] {
        loop {
            let point = std::array::from_fn(|_| 2.0 * self.share() - 1.0);
            let square: f32 = point.iter().map(|value: &f32| value * value).sum();
            if square <= 1.0 && square > 1e-4 {
                return point;
            }
        }
    }
}

pub(crate) struct Outcome {
    pub(crate) cubes: Vec<Resting>,
    pub(crate) throw: Throw,
}

/// Throws cubes into what lies in the tower. `watch` looks at the cubes after each step and may stop the throw.
pub(crate) fn run(
    geometry: &Geometry,
    mut cubes: Vec<Resting>,
    thrown: &[Colour],
    number: u32,
    draws: &mut Draws<'_>,
    mut watch: impl FnMut(u32, bool, &World, &[Resting]) -> Result<(), Cancelled>,
) -> Result<Outcome, Cancelled> {
    let scene = geometry.scene();
    let rate = f64::from(geometry.simulation.steps_per_second);
    let limit = (geometry.throw.limit_seconds * rate) as u32;
    let shaking = Shaking::new(geometry, thrown.len(), draws);
    let mut held = in_hand(geometry, thrown, draws);
    let mut world = World::new(geometry, &scene, &cubes);
    let mut statistics = Statistics::default();
    let mut deadline = limit;
    let mut energy = Energy::new(world.energy());
    let throat = height(scene.throat_z_mm);
    loop {
        while held.last().is_some_and(|next| next.step <= statistics.steps) {
            let next = held.last().expect("it was just looked at");
            let Some((pose, velocity)) = place(geometry, next.edge, &world, &cubes, draws) else { break };
            let cube = Resting::new(next.colour, next.edge, pose, number, false);
            world.insert(&cube, velocity);
            energy.add(world.energy_of(cubes.len()));
            cubes.push(cube);
            held.pop();
        }
        let shaken = shaking.as_ref().filter(|shaking| shaking.lasts_at(statistics.steps));
        if let Some(shaking) = shaken {
            if statistics.steps == shaking.first() {
                world.wake();
            }
            let work = world.step_shaken(shaking.acceleration(statistics.steps));
            energy.add(work);
            statistics.shake_work_microjoules += work * MICROJOULES_PER_UNIT;
            world.shift_mm = shaking.shift_mm(statistics.steps + 1);
        } else {
            world.step();
        }
        statistics.steps += 1;
        if statistics.steps.is_multiple_of(LOOK_STEPS) {
            energy.look(world.energy());
            statistics.deepest_mm = statistics.deepest_mm.max(world.penetration() * MM_PER_UNIT as f32);
        }
        let shaken = shaken.is_some();
        let at_rest = held.is_empty() && !shaken && world.is_at_rest();
        if at_rest && statistics.pushes < PUSHES {
            let stuck: Vec<usize> =
                (0..cubes.len()).filter(|&index| world.body(index).translation().z > throat).collect();
            for &index in &stuck {
                let at = world.body(index).translation();
                let inward = Vector::new(at.x, at.y, 0.0).normalize_or_zero() * -0.2;
                world.push(index, (inward - Vector::Z * 0.5) * METRES_PER_SECOND as f32);
                statistics.pushes += 1;
            }
            if !stuck.is_empty() {
                energy.restart(world.energy());
                deadline = statistics.steps + limit;
                watch(statistics.steps, false, &world, &cubes)?;
                continue;
            }
        }
        statistics.timed_out = !at_rest && statistics.steps >= deadline;
        let over = at_rest || statistics.timed_out;
        watch(statistics.steps, over, &world, &cubes)?;
        if over {
            break;
        }
    }
    statistics.seconds = f64::from(statistics.steps) / rate;
    statistics.shake_mm = shaking.as_ref().map_or(0.0, Shaking::reach_mm);
    statistics.deepest_at_rest_mm = world.penetration() * MM_PER_UNIT as f32;
    statistics.deepest_mm = statistics.deepest_mm.max(statistics.deepest_at_rest_mm);
    statistics.energy_growth_microjoules = energy.growth * MICROJOULES_PER_UNIT;
    statistics.energy_lost_microjoules = (energy.supplied - world.energy()) * MICROJOULES_PER_UNIT;
    let (window, lowest, highest) =
        (units([scene.window_x_mm, 0.0, 0.0]).x, units(scene.lowest_mm), units(scene.highest_mm));
    for (index, cube) in cubes.iter_mut().enumerate() {
        let body = world.body(index);
        cube.settle(body.position(), body.is_sleeping());
    }
    let is_out = |cube: &Resting| {
        let at = cube.pose().translation;
        let inside = at.cmpge(lowest).all() && at.cmple(highest).all();
        (at.x > window || !inside, !inside)
    };
    statistics.escaped = cubes.iter().filter(|cube| is_out(cube).1).count() as u32;
    let (out, mut cubes): (Vec<_>, Vec<_>) = cubes.into_iter().partition(|cube| is_out(cube).0);
    for gone in &out {
        wake_around(&mut cubes, gone);
    }
    let mut fallen: Vec<Fallen> =
        out.iter().map(|cube| Fallen { colour: cube.colour(), age: number - cube.thrown() }).collect();
    // A clogged funnel may leave some in the hand; they are laid into the tray, so that none is lost (TW-TOWER-03).
    fallen.extend(held.iter().rev().map(|cube| Fallen { colour: cube.colour, age: 0 }));
    Ok(Outcome { cubes, throw: Throw { fallen, statistics } })
}

/// Wakes the cubes near a cube that was taken away, because they may have leaned on it.
pub(crate) fn wake_around(cubes: &mut [Resting], gone: &Resting) {
    for cube in cubes {
        let reach = (cube.edge + gone.edge) * 0.9;
        let apart = cube.pose().translation - gone.pose().translation;
        cube.asleep &= apart.length_squared() > reach * reach;
    }
}

/// The cubes to be released, the next one last.
fn in_hand(geometry: &Geometry, thrown: &[Colour], draws: &mut Draws<'_>) -> Vec<Held> {
    let rate = f64::from(geometry.simulation.steps_per_second);
    let tolerance = geometry.cube.edge_tolerance_mm;
    let mut held: Vec<Held> = thrown
        .iter()
        .map(|&colour| Held {
            step: (draws.between(0.0, geometry.throw.release_seconds) * rate) as u32,
            colour,
            edge: ((geometry.cube.edge_mm + draws.between(-tolerance, tolerance)) / MM_PER_UNIT) as f32,
        })
        .collect();
    held.sort_by_key(|cube| std::cmp::Reverse(cube.step)); // stable, so that ties keep the order of the input
    held
}

/// Where and how fast a cube leaves the hand, or nothing when no free place was found.
fn place(
    geometry: &Geometry,
    edge: f32,
    world: &World,
    cubes: &[Resting],
    draws: &mut Draws<'_>,
) -> Option<(BodyPose, Vector)> {
    let rule = &geometry.throw;
    let rotation = Rotation::from_array(draws.in_ball()).normalize();
    let speed = draws.between(0.0, rule.fastest_metres_per_second) * METRES_PER_SECOND;
    let velocity = Vector::new(0.0, 0.0, -speed as f32);
    for _ in 0..PLACES {
        let [x, y] = draws.in_ball();
        let radius = (rule.disc_mm / 2.0 / MM_PER_UNIT) as f32;
        let z = geometry.shaft.height_mm + draws.between(rule.lowest_mm, rule.highest_mm);
        let pose = BodyPose::from_parts(Vector::new(x * radius, y * radius, height(z)), rotation);
        if !world.is_occupied(&pose, edge, cubes) {
            return Some((pose, velocity));
        }
    }
    None
}

/// Follows the total energy, which only releases and pushes may raise.
struct Energy {
    supplied: f64,
    lowest: f64,
    growth: f64,
}

impl Energy {
    fn new(start: f64) -> Self {
        Self { supplied: start, lowest: start, growth: 0.0 }
    }

    fn add(&mut self, energy: f64) {
        self.supplied += energy;
        self.lowest += energy;
    }

    fn restart(&mut self, now: f64) {
        self.supplied += now - self.lowest;
        self.lowest = now;
    }

    fn look(&mut self, now: f64) {
        self.growth = self.growth.max(now - self.lowest);
        self.lowest = self.lowest.min(now);
    }
}

/// The cubes as a film shows them.
pub(crate) fn frame(seconds: f64, world: &World, cubes: &[Resting]) -> Frame {
    let pose = |(index, cube): (usize, &Resting)| {
        let body = world.body(index);
        let rotation = body.rotation();
        Pose {
            cube: index as u32,
            colour: cube.colour(),
            edge_mm: cube.edge_mm(),
            centre_mm: millimetres(body.translation()),
            rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
        }
    };
    Frame { seconds, shift_mm: world.shift_mm, cubes: cubes.iter().enumerate().map(pose).collect() }
}
