//! Measures a tower against the targets T1 to T7 of TW-TOWER-43.
//!
//! ```text
//! measure [--geometry NAME|FILE] [--seed N] [--fills N] [--loads N] [--chains N] [--throws N] [--raw FILE] [field=value ...]
//! ```
//!
//! - fills: of 31, 38 and 45 cubes, each into an empty tower;
//! - loads: 25 throws into an empty tower, for throws at low contents;
//! - chains: a fill of 38 and then `--throws` throws of the sizes of TW-TOWER-34, what comes out being taken away.
//!
//! A field is any number of the geometry's file, such as `shake.swaying_grams=40` or `boards.0.down_x_degrees=10`. What was
//! measured is kept in `--raw`, a line for each throw; the next call with the same file goes on. Numbers after `+-` are
//! standard errors from independent fills, loads and chains.
#![expect(clippy::print_stdout, reason = "it prints a report")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use sengoku_tower_physics::{Colour, Geometry, RigidTower};
use serde::Deserialize;

/// The sizes of the long run of TW-TOWER-34.
const SIZES: [usize; 9] = [3, 4, 5, 6, 7, 8, 9, 10, 12];
const FILLS: [usize; 3] = [31, 38, 45];
/// Throws of a load.
const LOAD: usize = 25;
/// Throws of a chain before its content is looked at (T2), and throws for which a cube is followed (T4).
const FORGOTTEN: usize = 60;
const FOLLOWED: usize = 40;
/// Content at which a tower is called clogged and its chain is given up.
const CLOGGED: usize = 90;

/// One throw of a fill, a load or a chain.
#[derive(Clone, Debug)]
struct Row {
    kind: String,
    index: u64,
    place: usize,
    thrown: usize,
    content: usize,
    steps: u32,
    pushes: u32,
    timed_out: u32,
    deepest_mm: f64,
    deepest_at_rest_mm: f64,
    growth: f64,
    work: f64,
    /// Throws since they were thrown in, of the cubes that came out.
    ages: Vec<usize>,
}

impl Row {
    fn out(&self) -> usize {
        self.ages.len()
    }

    fn fresh(&self) -> usize {
        self.ages.iter().filter(|&&age| age == 0).count()
    }

    fn to_line(&self) -> String {
        let Self { kind, index, place, thrown, content, steps, pushes, timed_out, .. } = self;
        let Self { deepest_mm, deepest_at_rest_mm, growth, work, ages, .. } = self;
        let mut line = format!(
            "{kind} {index} {place} {thrown} {content} {steps} {pushes} {timed_out} {deepest_mm:.3} \
             {deepest_at_rest_mm:.4} {growth:.2} {work:.1}"
        );
        for age in ages {
            write!(line, " {age}").expect("text takes everything");
        }
        line
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let kind = words.next()?.to_string();
        let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        let (first, ages) = numbers.split_at_checked(11)?;
        Some(Self {
            kind,
            index: first[0] as u64,
            place: first[1] as usize,
            thrown: first[2] as usize,
            content: first[3] as usize,
            steps: first[4] as u32,
            pushes: first[5] as u32,
            timed_out: first[6] as u32,
            deepest_mm: first[7],
            deepest_at_rest_mm: first[8],
            growth: first[9],
            work: first[10],
            ages: ages.iter().map(|&age| age as usize).collect(),
        })
    }
}

struct Options {
    geometry: Geometry,
    seed: u64,
    fills: u64,
    loads: u64,
    chains: u64,
    throws: usize,
    raw: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut text = Geometry::text_of(Geometry::NAMES[0]).unwrap_or_default().to_string();
    let mut numbers = BTreeMap::from([("--seed", 1), ("--fills", 20), ("--loads", 20), ("--chains", 4)]);
    numbers.insert("--throws", 100);
    let (mut raw, mut fields) = (None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if let Some((field, value)) = argument.split_once('=') {
            fields.push((field.to_string(), value.to_string()));
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--geometry" => {
                let known = Geometry::text_of(&value).map(str::to_string);
                text = known.map_or_else(|| std::fs::read_to_string(&value), Ok)?;
            }
            "--raw" => raw = Some(value),
            other => {
                let number = numbers.get_mut(other).ok_or_else(|| format!("unknown option {other}"))?;
                *number = value.parse()?;
            }
        }
    }
    let mut table: toml::Table = toml::from_str(&text)?;
    for (field, value) in fields {
        set(&mut table, &field, &value)?;
    }
    let geometry = Geometry::deserialize(table)?;
    geometry.check()?;
    Ok(Options {
        geometry,
        seed: numbers["--seed"],
        fills: numbers["--fills"],
        loads: numbers["--loads"],
        chains: numbers["--chains"],
        throws: numbers["--throws"] as usize,
        raw,
    })
}

/// Sets a field by its path; `none` removes it.
fn set(table: &mut toml::Table, field: &str, value: &str) -> Result<(), Box<dyn Error>> {
    let (path, name) = field.rsplit_once('.').ok_or_else(|| format!("{field} is not in a table"))?;
    let mut steps = path.split('.');
    let mut place = steps.next().and_then(|step| table.get_mut(step));
    for step in steps {
        place = match place {
            Some(toml::Value::Array(list)) => list.get_mut(step.parse::<usize>()?),
            Some(other) => other.get_mut(step),
            None => None,
        };
    }
    let parent = place.and_then(|found| found.as_table_mut()).ok_or_else(|| format!("{path} is no table"))?;
    if value == "none" {
        parent.remove(name);
    } else {
        let new: toml::Table = toml::from_str(&format!("value = {value}"))?;
        parent.insert(name.into(), new["value"].clone());
    }
    Ok(())
}

fn throw(tower: &mut RigidTower, kind: &str, index: u64, place: usize, thrown: usize) -> Row {
    let content = tower.content();
    let throw = tower.throw(&vec![Colour::FARMER; thrown]);
    let motion = throw.statistics;
    Row {
        kind: kind.into(),
        index,
        place,
        thrown,
        content,
        steps: motion.steps,
        pushes: motion.pushes,
        timed_out: motion.timed_out.into(),
        deepest_mm: motion.deepest_mm.into(),
        deepest_at_rest_mm: motion.deepest_at_rest_mm.into(),
        growth: motion.energy_growth_microjoules,
        work: motion.shake_work_microjoules,
        ages: throw.fallen.iter().map(|cube| cube.age as usize).collect(),
    }
}

/// Sizes in an order that visits all and depends on the chain.
fn size(place: usize, index: u64) -> usize {
    SIZES[(place * 5 + place / 9 * 2 + index as usize) % SIZES.len()]
}

fn measure(geometry: &Arc<Geometry>, seed: u64, throws: usize, kind: &str, index: u64) -> Vec<Row> {
    let stream = match kind {
        "chain" => index,
        "load" => 1_000_000 + index,
        _ => 2_000_000 + index,
    };
    let mut tower = RigidTower::new(Arc::clone(geometry), seed, stream);
    match kind {
        "chain" => {
            let fill = throw(&mut tower, kind, index, 0, FILLS[1]);
            let rest = (1..=throws).map(|place| throw(&mut tower, kind, index, place, size(place, index)));
            // A tower that clogs takes up ever more cubes and ever more time.
            std::iter::once(fill).chain(rest.take_while(|row| row.content <= CLOGGED)).collect()
        }
        "load" => (0..LOAD).map(|place| throw(&mut tower, kind, index, place, size(place, index))).collect(),
        _ => vec![throw(&mut tower, kind, index, 0, FILLS[index as usize % FILLS.len()])],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { geometry, seed, fills, loads, chains, throws, raw } = options()?;
    let geometry = Arc::new(geometry);
    let header = format!("{:016x} {seed} {throws}", RigidTower::new(Arc::clone(&geometry), 0, 0).digest());
    let mut rows: Vec<Row> = Vec::new();
    let file = raw.map(|path| open(&path, &header, &mut rows)).transpose()?.map(Mutex::new);
    let done: BTreeSet<(String, u64)> = rows.iter().map(|row| (row.kind.clone(), row.index)).collect();
    let units = |kind: &'static str, count: u64| (0..count).map(move |index| (kind, index));
    let todo: Vec<(&str, u64)> = units("fill", fills * FILLS.len() as u64)
        .chain(units("load", loads))
        .chain(units("chain", chains))
        .filter(|(kind, index)| !done.contains(&((*kind).to_string(), *index)))
        .collect();
    let one = |(kind, index): (&str, u64)| -> Result<Vec<Row>, std::io::Error> {
        let made = measure(&geometry, seed, throws, kind, index);
        if let Some(file) = &file {
            let text: String = made.iter().map(|row| row.to_line() + "\n").collect();
            file.lock().expect("nobody panics with it").write_all(text.as_bytes())?;
        }
        Ok(made)
    };
    let made: Result<Vec<Vec<Row>>, _> = todo.into_par_iter().map(one).collect();
    rows.extend(made?.into_iter().flatten());
    report(&rows);
    Ok(())
}

/// Reads what is there, and opens it for more. A unit is written at once, so only the last line may be cut off.
fn open(path: &str, header: &str, rows: &mut Vec<Row>) -> Result<File, Box<dyn Error>> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let mut lines = text.lines();
    match lines.next() {
        None => file.write_all(format!("{header}\n").as_bytes())?,
        Some(found) if found == header => rows.extend(lines.filter_map(Row::from_line)),
        Some(_) => return Err(format!("{path} holds throws of another tower, seed or length").into()),
    }
    Ok(file)
}

/// Mean and standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (square / (count - 1.0) / count).sqrt())
}

fn report(rows: &[Row]) {
    println!("{} throws, {:.0} steps each", rows.len(), {
        rows.iter().map(|row| f64::from(row.steps)).sum::<f64>() / rows.len() as f64
    });
    for cubes in FILLS {
        let fills = rows.iter().filter(|row| row.kind == "fill" && row.thrown == cubes);
        let kept: Vec<f64> = fills.map(|row| 1.0 - row.out() as f64 / cubes as f64).collect();
        let (share, error) = mean(&kept);
        let spread = error * (kept.len() as f64).sqrt() * cubes as f64;
        println!(
            "T1, T7 fill of {cubes}: {share:.3} +- {error:.3} kept, sd {spread:.2} cubes ({} fills)",
            kept.len()
        );
    }
    let mut chains: BTreeMap<u64, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.kind == "chain") {
        chains.entry(row.index).or_default().push(row);
    }
    let (mut means, mut slopes) = (Vec::new(), Vec::new());
    let (mut stayed, mut left) = (0, 0);
    for (index, chain) in &chains {
        let late: Vec<(f64, f64)> =
            chain.iter().skip(FORGOTTEN).map(|row| (row.place as f64, row.content as f64)).collect();
        let end = chain.last().map_or(0, |row| row.content + row.thrown - row.out());
        let contents: Vec<f64> = late.iter().map(|point| point.1).collect();
        let (middle, _) = mean(&contents);
        let highest = contents.iter().copied().fold(0.0, f64::max);
        let (slope, _) = line(&late);
        println!(
            "T2 chain {index}: {} throws, content {middle:.1} after the {FORGOTTEN}th, highest {highest}, last {end}, \
             trend {:+.1} per 100 throws",
            chain.len() - 1,
            100.0 * slope
        );
        means.push(middle);
        slopes.push(100.0 * slope);
        for row in chain {
            if row.place + FOLLOWED < chain.len() {
                stayed += row.thrown - row.fresh();
            }
            for &age in &row.ages {
                left += usize::from(age > 0 && age <= FOLLOWED && row.place - age + FOLLOWED < chain.len());
            }
        }
    }
    if chains.len() > 1 {
        let ((content, error), (slope, slope_error)) = (mean(&means), mean(&slopes));
        println!(
            "T2: content {content:.1} +- {error:.1}, trend {slope:+.2} +- {slope_error:.2} per 100 throws"
        );
    }
    println!("T4: {:.4} of {stayed} cubes that stay are older than 40 throws", {
        (stayed - left) as f64 / f64::from(u32::try_from(stayed.max(1)).unwrap_or(u32::MAX))
    });
    let play = || rows.iter().filter(|row| row.kind != "fill" && !(row.kind == "chain" && row.place == 0));
    for size in SIZES {
        let points: Vec<(f64, f64)> = play()
            .filter(|row| row.thrown == size && row.content >= 15)
            .map(|row| (row.content as f64, row.out() as f64))
            .collect();
        let (slope, error) = line(&points);
        let near = |from: usize, to: usize| {
            let outs: Vec<f64> = play()
                .filter(|row| row.thrown == size && (from..to).contains(&row.content))
                .map(|row| row.out() as f64)
                .collect();
            let (value, error) = mean(&outs);
            format!("{value:.2} +- {error:.2} ({})", outs.len())
        };
        println!(
            "T3 throws of {size}: slope {slope:+.3} +- {error:.3}; out at 15..25 {}, 25..35 {}, 35..45 {}",
            near(15, 25),
            near(25, 35),
            near(35, 46)
        );
    }
    for from in (15..50).step_by(5) {
        let here = || play().filter(|row| (from..from + 5).contains(&row.content));
        let (thrown, fresh) = here().fold((0, 0), |(all, some), row| (all + row.thrown, some + row.fresh()));
        let share = fresh as f64 / thrown as f64;
        let error = (share * (1.0 - share) / thrown as f64).sqrt();
        println!("T5 content {from}..{}: {share:.3} +- {error:.3} of {thrown} fresh cubes pass", from + 4);
    }
    let largest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
    println!(
        "T6: {} of {} throws timed out, {} pushes; deepest {:.2} mm, at rest {:.3} mm; energy growth {:.1}, work of the \
         shake {:.0} microjoules at most",
        rows.iter().map(|row| row.timed_out).sum::<u32>(),
        rows.len(),
        rows.iter().map(|row| row.pushes).sum::<u32>(),
        largest(|row| row.deepest_mm),
        largest(|row| row.deepest_at_rest_mm),
        largest(|row| row.growth),
        largest(|row| row.work),
    );
}

/// Slope of a line through points, and its standard error.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (xx, xy) = points
        .iter()
        .fold((0.0, 0.0), |(xx, xy), point| (xx + (point.0 - x).powi(2), xy + (point.0 - x) * (point.1 - y)));
    let slope = xy / xx;
    let rest: f64 = points.iter().map(|point| (point.1 - y - slope * (point.0 - x)).powi(2)).sum();
    (slope, (rest / (count - 2.0) / xx).sqrt())
}
