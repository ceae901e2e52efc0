//! Measures how a tower behaves and how fast it is simulated.
//!
//! ```text
//! measure [--geometry FILE] [--seed N] [--fills N] [--chains N] [--throws N] [field=value ...]
//! ```
//!
//! Fields are the numbers that may be tuned and the way of computing, e.g. `upper_plate.hole_mm=16`,
//! `simulation.steps_per_second=1000`. Numbers after `+-` are standard errors, from independent chains.
#![expect(clippy::print_stdout, reason = "it prints a report")]

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use rayon::prelude::*;
use sengoku_tower_physics::{Colour, Geometry, RigidTower, Statistics};

/// The sizes of the long run of TW-TOWER-34.
const SIZES: [usize; 9] = [3, 4, 5, 6, 7, 8, 9, 10, 12];
/// Throws at the beginning of a chain that do not count: the content has to forget the fill.
const FORGOTTEN: usize = 30;

/// Content at which a tower is called clogged and its chain is given up.
const CLOGGED: usize = 90;

struct Options {
    geometry: Geometry,
    seed: u64,
    fills: u64,
    chains: u64,
    throws: usize,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options =
        Options { geometry: (*Geometry::standard()).clone(), seed: 1, fills: 100, chains: 16, throws: 100 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if let Some((field, value)) = argument.split_once('=') {
            set(&mut options.geometry, field, value)?;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--geometry" => options.geometry = Geometry::parse(&std::fs::read_to_string(value)?)?,
            "--seed" => options.seed = value.parse()?,
            "--fills" => options.fills = value.parse()?,
            "--chains" => options.chains = value.parse()?,
            "--throws" => options.throws = value.parse()?,
            _ => return Err(format!("unknown option {argument}").into()),
        }
    }
    options.geometry.check()?;
    Ok(options)
}

fn set(geometry: &mut Geometry, field: &str, value: &str) -> Result<(), Box<dyn Error>> {
    match field {
        "simulation.steps_per_second" => geometry.simulation.steps_per_second = value.parse()?,
        "simulation.solver_iterations" => geometry.simulation.solver_iterations = value.parse()?,
        "simulation.rounded" => geometry.simulation.rounded = value.parse()?,
        "throw.rest_seconds" => geometry.throw.rest_seconds = value.parse()?,
        _ => {
            let tuned = value.parse()?;
            let number = geometry.tunable_mut().find(|(name, _)| *name == field);
            number.ok_or_else(|| format!("unknown field {field}"))?.1.tuned = Some(tuned);
        }
    }
    Ok(())
}

/// Mean, variance and what they are worth.
#[derive(Default)]
struct Sample {
    values: Vec<f64>,
}

impl Sample {
    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (self.values.len() as f64 - 1.0)
    }

    fn error(&self) -> f64 {
        (self.variance() / self.values.len() as f64).sqrt()
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

/// Totals over many throws.
#[derive(Clone, Copy, Default)]
struct Total {
    throws: u64,
    steps: u64,
    pushes: u32,
    timed_out: u32,
    escaped: u32,
    deepest_mm: f32,
    deepest_at_rest_mm: f32,
    energy_growth_microjoules: f64,
}

impl Total {
    fn add(mut self, one: &Statistics) -> Self {
        self.throws += 1;
        self.steps += u64::from(one.steps);
        self.pushes += one.pushes;
        self.timed_out += u32::from(one.timed_out);
        self.escaped += one.escaped;
        self.deepest_mm = self.deepest_mm.max(one.deepest_mm);
        self.deepest_at_rest_mm = self.deepest_at_rest_mm.max(one.deepest_at_rest_mm);
        self.energy_growth_microjoules = self.energy_growth_microjoules.max(one.energy_growth_microjoules);
        self
    }

    fn print(&self, seconds: f64) {
        println!(
            "  {} throws, {:.0} steps each, {:.1} throws/s on {} threads; pushes {}, timed out {}, escaped {}",
            self.throws,
            self.steps as f64 / self.throws as f64,
            self.throws as f64 / seconds,
            rayon::current_num_threads(),
            self.pushes,
            self.timed_out,
            self.escaped,
        );
        println!(
            "  deepest contact {:.2} mm, at rest {:.3} mm; largest growth of energy {:.2} microjoules",
            self.deepest_mm, self.deepest_at_rest_mm, self.energy_growth_microjoules
        );
    }
}

/// Runs something and returns how long it took.
#[expect(clippy::disallowed_types, reason = "a measurement of speed needs a clock")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = std::time::Instant::now();
    let value = work();
    (value, start.elapsed().as_secs_f64())
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { mut geometry, seed, fills, chains, throws } = options()?;
    for (name, size) in geometry.tunable_mut() {
        println!("{name} = {} (proposed {})", size.value(), size.proposed);
    }
    let geometry = Arc::new(geometry);
    for cubes in [31, 38, 45] {
        fill(&geometry, seed, fills, cubes);
    }
    if chains > 0 {
        long_run(&geometry, seed, chains, throws);
    }
    Ok(())
}

fn fill(geometry: &Arc<Geometry>, seed: u64, fills: u64, cubes: usize) {
    let (results, seconds) = timed(|| {
        let one = |index| {
            let mut tower = RigidTower::new(Arc::clone(geometry), seed, cubes as u64 * 1_000_000 + index);
            let throw = tower.throw(&vec![Colour::FARMER; cubes]);
            (tower.content() as f64, throw.statistics)
        };
        (0..fills).into_par_iter().map(one).collect::<Vec<_>>()
    });
    if results.is_empty() {
        return;
    }
    let held: Sample = results.iter().map(|result| result.0).collect();
    let size = cubes as f64;
    println!(
        "fill of {cubes}: held {:.2} +- {:.2}, sd {:.2}, share {:.3} +- {:.3}",
        held.mean(),
        held.error(),
        held.variance().sqrt(),
        held.mean() / size,
        held.error() / size
    );
    results.iter().fold(Total::default(), |total, result| total.add(&result.1)).print(seconds);
}

/// One throw of the long run.
struct Point {
    thrown: usize,
    content: usize,
    output: usize,
    fresh: usize,
    ages: Vec<u32>,
    statistics: Statistics,
}

fn chain(geometry: &Arc<Geometry>, seed: u64, index: u64, throws: usize) -> Vec<Point> {
    let mut tower = RigidTower::new(Arc::clone(geometry), seed, index);
    tower.throw(&[Colour::FARMER; 38]);
    let point = |number: usize| {
        // Sizes in an order that visits all and depends on the chain.
        let thrown = SIZES[(number * 5 + number / 9 * 2 + index as usize) % SIZES.len()];
        let content = tower.content();
        let throw = tower.throw(&vec![Colour::FARMER; thrown]);
        let ages: Vec<u32> = throw.fallen.iter().map(|cube| cube.age).filter(|&age| age > 0).collect();
        let output = throw.fallen.len();
        Point { thrown, content, output, fresh: output - ages.len(), ages, statistics: throw.statistics }
    };
    // A tower that clogs takes up ever more cubes and ever more time.
    (0..FORGOTTEN + throws).map(point).take_while(|point| point.content <= CLOGGED).skip(FORGOTTEN).collect()
}

fn long_run(geometry: &Arc<Geometry>, seed: u64, chains: u64, throws: usize) {
    let (results, seconds) = timed(|| {
        let all = (0..chains).into_par_iter();
        all.map(|index| chain(geometry, seed, index, throws)).collect::<Vec<_>>()
    });
    let points = || results.iter().flatten();
    let by_chain: Sample = results
        .iter()
        .map(|points| points.iter().map(|point| point.content as f64).sum::<f64>() / points.len() as f64)
        .collect();
    let content: Sample = points().map(|point| point.content as f64).collect();
    println!(
        "long run: content {:.2} +- {:.2}, sd {:.2}, lag-1 correlation {:.2}",
        by_chain.mean(),
        by_chain.error(),
        content.variance().sqrt(),
        correlation(&results, content.mean(), content.variance())
    );
    let (thrown, fresh) =
        points().fold((0, 0), |(thrown, fresh), point| (thrown + point.thrown, fresh + point.fresh));
    let mut ages: Vec<u32> = points().flat_map(|point| point.ages.iter().copied()).collect();
    ages.sort_unstable();
    println!(
        "  {:.3} of the fresh cubes pass at once; the others come out after {:.1} throws (median {}, 90 % {})",
        fresh as f64 / thrown as f64,
        f64::from(ages.iter().sum::<u32>()) / ages.len() as f64,
        ages.get(ages.len() / 2).unwrap_or(&0),
        ages.get(ages.len() * 9 / 10).unwrap_or(&0),
    );
    // The first throws of a chain are computed too, so they count for the speed.
    let share = (FORGOTTEN + throws + 1) as f64 / throws as f64;
    points().fold(Total::default(), |total, point| total.add(&point.statistics)).print(seconds / share);
    println!("  output by cubes thrown and content before: mean +- error / variance (throws)");
    let mut cells: BTreeMap<(usize, usize), Sample> = BTreeMap::new();
    for point in points() {
        let output = point.output as f64;
        cells.entry((point.thrown, 0)).or_default().values.push(output);
        cells.entry((point.thrown, 1 + point.content / 5)).or_default().values.push(output);
    }
    for ((thrown, band), sample) in cells {
        let band =
            if band == 0 { "all".into() } else { format!("{}..{}", (band - 1) * 5, (band - 1) * 5 + 4) };
        println!(
            "    k = {thrown:2}, content {band:>6}: {:5.2} +- {:.2} / {:5.2} ({})",
            sample.mean(),
            sample.error(),
            sample.variance(),
            sample.values.len()
        );
    }
}

fn correlation(chains: &[Vec<Point>], mean: f64, variance: f64) -> f64 {
    let products: Sample = chains
        .iter()
        .flat_map(|points| points.windows(2))
        .map(|pair| (pair[0].content as f64 - mean) * (pair[1].content as f64 - mean))
        .collect();
    products.mean() / variance
}
