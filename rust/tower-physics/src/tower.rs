use std::sync::Arc;

use rapier3d::math::{Pose, Rotation, Vector};
use sengoku_kernel::{Cancelled, Chance, DecodeError, Purpose, Reader, SetupError, Stream, Writer};

use crate::colour::count;
use crate::scene::MM_PER_UNIT;
use crate::throw::{Draws, Film, Throw, frame, run, wake_around};
use crate::world::millimetres;
use crate::{Colour, Counts, Geometry, in_order};

const TAG: &str = "SGKR";
/// 2: boards and shakes.
const VERSION: u32 = 2;
/// Number of throws after which a tower that is being loaded counts as full.
const LOADING_THROWS: u32 = 400;

/// A cube inside the tower, between two throws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resting {
    colour: Colour,
    thrown: u32,
    /// Whether it lay still when the last throw ended and nothing beside it was taken away since.
    pub(crate) asleep: bool,
    pub(crate) edge: f32,
    position: [f32; 3],
    rotation: [f32; 4],
}

impl Resting {
    pub(crate) fn new(colour: Colour, edge: f32, pose: Pose, thrown: u32, asleep: bool) -> Self {
        let mut cube = Self { colour, thrown, asleep, edge, position: [0.0; 3], rotation: [0.0; 4] };
        cube.settle(&pose, asleep);
        cube
    }

    pub(crate) fn settle(&mut self, pose: &Pose, asleep: bool) {
        let (at, turn) = (pose.translation, pose.rotation);
        self.position = [at.x, at.y, at.z];
        self.rotation = [turn.x, turn.y, turn.z, turn.w];
        self.asleep = asleep;
    }

    pub(crate) fn pose(&self) -> Pose {
        let [x, y, z, w] = self.rotation;
        Pose::from_parts(Vector::from_array(self.position), Rotation::from_xyzw(x, y, z, w))
    }

    /// Its colour.
    pub const fn colour(&self) -> Colour {
        self.colour
    }

    /// The throw that brought it in, counted from 0.
    pub const fn thrown(&self) -> u32 {
        self.thrown
    }

    /// Length of its edges.
    pub fn edge_mm(&self) -> f32 {
        self.edge * MM_PER_UNIT as f32
    }

    /// Its middle, in the frame of [`Scene`](crate::Scene).
    pub fn centre_mm(&self) -> [f32; 3] {
        millimetres(Vector::from_array(self.position))
    }

    /// Its rotation as a unit quaternion x, y, z, w.
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation
    }
}

/// The tower as rigid bodies.
///
/// Between throws it is a list of resting cubes; each throw builds the simulated world from it. So a tower is small,
/// clones and saves exactly, and what a throw gives is a function of (geometry, cubes inside, cubes thrown, seed, match
/// index, draws used), on every thread and machine.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidTower {
    geometry: Arc<Geometry>,
    seed: u64,
    match_index: u64,
    draws: u32,
    throws: u32,
    cubes: Vec<Resting>,
}

impl RigidTower {
    /// An empty tower with the chance of one match.
    pub fn new(geometry: impl Into<Arc<Geometry>>, seed: u64, match_index: u64) -> Self {
        Self { geometry: geometry.into(), seed, match_index, draws: 0, throws: 0, cubes: Vec::new() }
    }

    /// A tower that holds these cubes: they are thrown in, and what comes out is thrown again.
    ///
    /// # Errors
    /// [`SetupError`] when the tower does not hold that many cubes.
    ///
    /// # Panics
    /// Never: nobody stops the throws.
    pub fn holding(
        geometry: impl Into<Arc<Geometry>>,
        seed: u64,
        match_index: u64,
        contents: &Counts,
    ) -> Result<Self, SetupError> {
        Ok(Self::holding_while(geometry, seed, match_index, contents, || true)?
            .expect("nobody stopped the throws"))
    }

    /// As [`Self::holding`], but stops when `keep_going`, called after each step of each throw, returns false.
    ///
    /// # Errors
    /// [`SetupError`] when the tower does not hold that many cubes; the inner one when the throws were stopped.
    pub fn holding_while(
        geometry: impl Into<Arc<Geometry>>,
        seed: u64,
        match_index: u64,
        contents: &Counts,
        mut keep_going: impl FnMut() -> bool,
    ) -> Result<Result<Self, Cancelled>, SetupError> {
        let mut tower = Self::new(geometry, seed, match_index);
        let mut hand = in_order(contents);
        for _ in 0..LOADING_THROWS {
            if hand.is_empty() {
                tower.throws = 0;
                tower.cubes.iter_mut().for_each(|cube| cube.thrown = 0);
                return Ok(Ok(tower));
            }
            // Few at a time: a whole hand would knock out as many as it leaves.
            let rest = hand.split_off(hand.len().min(4));
            let Ok(again) = tower.throw_while(&hand, &mut keep_going) else { return Ok(Err(Cancelled)) };
            hand = rest;
            hand.extend(again.tray());
        }
        let wanted: u16 = contents.iter().sum();
        Err(SetupError::new("contents", format!("the tower does not hold {wanted} cubes")))
    }

    /// Throws cubes, in the order of the list, and takes what comes out (TW-TOWER-42).
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn throw(&mut self, cubes: &[Colour]) -> Throw {
        self.throw_while(cubes, || true).expect("nobody stopped it")
    }

    /// Throws cubes given by their numbers, in the order of the ledger (TW-TOWER-08).
    pub fn throw_counts(&mut self, counts: &Counts) -> Throw {
        self.throw(&in_order(counts))
    }

    /// As [`Self::throw`], but stops when `keep_going`, called after each step, returns false.
    ///
    /// # Errors
    /// [`Cancelled`] when it was stopped; then nothing has changed.
    pub fn throw_while(
        &mut self,
        cubes: &[Colour],
        mut keep_going: impl FnMut() -> bool,
    ) -> Result<Throw, Cancelled> {
        self.play(cubes, |_, _, _, _| if keep_going() { Ok(()) } else { Err(Cancelled) })
    }

    /// Throws cubes and records where all cubes are, every `every` steps and at the end. The outcome is that of
    /// [`Self::throw`].
    ///
    /// # Panics
    /// When `every` is 0.
    pub fn throw_recorded(&mut self, cubes: &[Colour], every: u32) -> (Throw, Film) {
        self.throw_recorded_while(cubes, every, || true).expect("nobody stopped it")
    }

    /// As [`Self::throw_recorded`], but stops when `keep_going`, called after each step, returns false.
    ///
    /// # Errors
    /// [`Cancelled`] when it was stopped; then nothing has changed.
    ///
    /// # Panics
    /// When `every` is 0.
    pub fn throw_recorded_while(
        &mut self,
        cubes: &[Colour],
        every: u32,
        mut keep_going: impl FnMut() -> bool,
    ) -> Result<(Throw, Film), Cancelled> {
        assert!(every > 0, "frames lie at least a step apart");
        let rate = f64::from(self.geometry.simulation.steps_per_second);
        let mut frames = Vec::new();
        let throw = self.play(cubes, |step, last, world, cubes| {
            if last || step.is_multiple_of(every) {
                frames.push(frame(f64::from(step) / rate, world, cubes));
            }
            if keep_going() { Ok(()) } else { Err(Cancelled) }
        })?;
        Ok((throw, Film { frames }))
    }

    fn play(
        &mut self,
        cubes: &[Colour],
        watch: impl FnMut(u32, bool, &crate::world::World, &[Resting]) -> Result<(), Cancelled>,
    ) -> Result<Throw, Cancelled> {
        let stream = Stream::new(self.seed, Purpose::Tower, self.match_index);
        let mut used = self.draws;
        let mut draws = Draws { stream, draws: &mut used };
        let outcome = run(&self.geometry, self.cubes.clone(), cubes, self.throws, &mut draws, watch)?;
        self.draws = used;
        self.cubes = outcome.cubes;
        self.throws += 1;
        Ok(outcome.throw)
    }

    /// One cube falls out by accident, each with the same chance (TW-R-31); nothing when the tower is empty.
    pub fn bump(&mut self) -> Option<Colour> {
        if self.cubes.is_empty() {
            return None;
        }
        let mut stream = Stream::new(self.seed, Purpose::Tower, self.match_index);
        let index = stream.below(self.draws, self.cubes.len() as u32);
        self.draws = self.draws.wrapping_add(1);
        let gone = self.cubes.remove(index as usize);
        wake_around(&mut self.cubes, &gone);
        Some(gone.colour)
    }

    /// An accidental fall with a chance in 1/65536 (TW-R-31).
    pub fn bump_by_chance(&mut self, chance_65536: u32) -> Option<Colour> {
        let mut stream = Stream::new(self.seed, Purpose::Tower, self.match_index);
        let falls = stream.below(self.draws, 1 << 16) < chance_65536;
        self.draws = self.draws.wrapping_add(1);
        if falls { self.bump() } else { None }
    }

    /// The same tower with the chance of another match: what is thrown next goes another way.
    #[must_use]
    pub fn reseeded(&self, seed: u64, match_index: u64) -> Self {
        Self { seed, match_index, draws: 0, ..self.clone() }
    }

    /// The same tower with other colours, by place in [`Self::cubes`]. No throw looks at them.
    #[must_use]
    pub fn recoloured(&self, colour: impl Fn(usize) -> Colour) -> Self {
        let mut tower = self.clone();
        for (place, cube) in tower.cubes.iter_mut().enumerate() {
            cube.colour = colour(place);
        }
        tower
    }

    /// Cubes inside, by colour.
    pub fn contents(&self) -> Counts {
        count(self.cubes.iter().map(Resting::colour))
    }

    /// Cubes inside.
    pub fn content(&self) -> usize {
        self.cubes.len()
    }

    /// The cubes inside and where they lie, the longest inside first.
    pub fn cubes(&self) -> &[Resting] {
        &self.cubes
    }

    /// The cubes inside by where they lie: on each plate and board from the top, and last below on the ramp; the longest
    /// inside first.
    ///
    /// A cube is on a plate when its middle is above the underside, so one that hangs in a hole is among them. It is on
    /// a board when its middle is above the board's, and above the board or less than an edge beside it.
    pub fn by_level(&self) -> Vec<Vec<Colour>> {
        let levels = self.geometry.levels();
        let mut found = vec![Vec::new(); levels.len() + 1];
        for cube in &self.cubes {
            let edge = f64::from(cube.edge_mm());
            let at = cube.centre_mm().map(f64::from);
            let level = levels.iter().position(|level| level.carries(at, edge));
            found[level.unwrap_or(levels.len())].push(cube.colour);
        }
        found
    }

    /// Seed of its chance.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Match whose chance it has.
    pub const fn match_index(&self) -> u64 {
        self.match_index
    }

    /// Number of the next draw.
    pub const fn draws(&self) -> u32 {
        self.draws
    }

    /// Throws so far.
    pub const fn throws(&self) -> u32 {
        self.throws
    }

    /// Geometry of the tower.
    pub const fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// A short name of its geometry, which saved towers carry.
    pub fn digest(&self) -> u64 {
        digest(&self.geometry)
    }

    /// The tower as bytes, 38 for each cube; of what it is built like they hold a digest.
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, VERSION);
        writer.u64(digest(&self.geometry));
        writer.u64(self.seed);
        writer.u64(self.match_index);
        writer.u32(self.draws);
        writer.u32(self.throws);
        writer.u32(self.cubes.len() as u32);
        for cube in &self.cubes {
            writer.u8(cube.colour.index() as u8);
            writer.u8(cube.asleep.into());
            writer.u32(cube.thrown);
            let numbers = std::iter::once(&cube.edge).chain(&cube.position).chain(&cube.rotation);
            numbers.for_each(|value| writer.u32(value.to_bits()));
        }
        writer.finish()
    }

    /// Reads what [`Self::save`] wrote. The next throw is the one that would have followed.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are not a tower or one of another geometry.
    pub fn load(geometry: impl Into<Arc<Geometry>>, bytes: &[u8]) -> Result<Self, DecodeError> {
        let geometry = geometry.into();
        let mut reader = Reader::tagged(bytes, TAG, VERSION)?;
        let (found, wanted) = (reader.u64()?, digest(&geometry));
        if found != wanted {
            let reason = format!("written for {found:016x}, this one is {wanted:016x}");
            return Err(DecodeError::inconsistent("geometry", reason));
        }
        let mut tower = Self::new(geometry, reader.u64()?, reader.u64()?);
        tower.draws = reader.u32()?;
        tower.throws = reader.u32()?;
        let scene = tower.geometry.scene();
        for _ in 0..reader.u32()? {
            let colour = Colour::read(&mut reader)?;
            let asleep = reader.at_most("asleep", 1)? == 1;
            let thrown = reader.u32()?;
            if thrown >= tower.throws.max(1) {
                let reason = format!("{thrown} of {} throws", tower.throws);
                return Err(DecodeError::inconsistent("thrown", reason));
            }
            let mut numbers = [0.0_f32; 8];
            for number in &mut numbers {
                *number = f32::from_bits(reader.u32()?);
            }
            let [edge, px, py, pz, rx, ry, rz, rw] = numbers;
            let cube =
                Resting { colour, thrown, asleep, edge, position: [px, py, pz], rotation: [rx, ry, rz, rw] };
            let length: f32 = cube.rotation.iter().map(|value| value * value).sum();
            let inside = cube
                .centre_mm()
                .iter()
                .zip(scene.lowest_mm.iter().zip(&scene.highest_mm))
                .all(|(&at, (&low, &high))| (low..=high).contains(&f64::from(at)));
            let cube_rule = &tower.geometry.cube;
            let misfit = (f64::from(cube.edge_mm()) - cube_rule.edge_mm).abs();
            // Written so that NaN is refused too.
            let sound = (length - 1.0).abs() <= 1e-3 && misfit <= cube_rule.edge_tolerance_mm + 1e-3;
            if !(inside && sound) {
                return Err(DecodeError::inconsistent("cube", format!("{cube:?}")));
            }
            tower.cubes.push(cube);
        }
        reader.finish()?;
        Ok(tower)
    }
}

/// A short name of a geometry (over its printed form).
fn digest(geometry: &Geometry) -> u64 {
    sengoku_kernel::digest(format!("{geometry:?}").bytes())
}
