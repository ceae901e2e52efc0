//! Real values to start from: saves, replays and files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sengoku_kernel::cube_tower::{CubeTower, Cubes, Parameters, heap};
use sengoku_kernel::{Purpose, Stream};
use sengoku_sim::{AnyMatch, MatchKey, create_match};
use sengoku_tower_physics::{Geometry, RigidTower, in_order};
use serde_json::{Value, json};

use crate::towers::shelves_bytes;

/// The folder of the crates.
const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Real values of a target.
///
/// # Panics
/// When there is no such target, or a file of the repository cannot be read.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "save" => matches().iter().map(|one| one.save()).collect(),
        "replay" => matches().iter().map(|one| one.replay().into_bytes()).collect(),
        "setup" => setups().iter().map(|(game, seats, setup)| setup_bytes(game, *seats, setup)).collect(),
        "battles_scenario" => battles(),
        "swords_map" => files("swords/data"),
        "tower_board" => files("tower/data"),
        "bots" => bots(),
        "shelves" => vec![saved_shelves()],
        "shelves_parameters" => {
            let table = |set: Parameters| json!({ "shelves": set.shelves() }).to_string().into_bytes();
            let names = Parameters::names();
            names.iter().filter_map(|name| Parameters::named(name)).map(table).collect()
        }
        "geometry" => files("tower-physics/data"),
        "rigid" => vec![saved_rigid(&[]), saved_rigid(&[2, 1, 0, 0, 1, 1])],
        _ => panic!("there is no target {target}"),
    }
}

fn setups() -> Vec<(&'static str, usize, Value)> {
    vec![
        ("swords", 3, json!({})),
        ("swords", 5, json!({"max_rounds": 2})),
        ("tower", 3, json!({})),
        ("tower", 5, json!({"court": true})),
        ("battles", 2, json!({"scenario": 8})),
        ("battles", 2, json!({"scenario": 1})),
    ]
}

fn setup_bytes(game: &str, seats: usize, setup: &Value) -> Vec<u8> {
    let game = ["swords", "tower", "battles"].iter().position(|name| *name == game).expect("a game");
    let mut bytes = vec![game as u8, seats as u8];
    bytes.extend(setup.to_string().bytes());
    bytes
}

/// Matches of every game, some decisions in.
fn matches() -> Vec<Box<dyn AnyMatch>> {
    let mut found = Vec::new();
    for (game, seats, setup) in setups() {
        for decisions in [0, 40, 400] {
            let key = MatchKey { seats, setup: setup.clone(), seed: decisions, match_index: 0 };
            let mut one = create_match(game, key, None).expect("a setup of the game");
            for number in 0..decisions {
                let legal = one.legal_indices();
                let Some(&index) = legal.get((number * 7 % 13) as usize % legal.len().max(1)) else { break };
                one.play_index(index).expect("a legal action");
            }
            found.push(one);
        }
    }
    found
}

fn bots() -> Vec<Vec<u8>> {
    let names = ["random", "greedy", "mcts", "mcts:iterations=100", "mix:greedy=50", "random\ngreedy"];
    (0..3_u8).flat_map(|game| names.map(|name| [&[game], name.as_bytes()].concat())).collect()
}

/// Scenarios as users put them together: a header and its deployment.
fn battles() -> Vec<Vec<u8>> {
    let headers = fs::read_to_string(Path::new(CRATES).join("battles/data/scenarios.toml"));
    let headers = headers.expect("a file of the repository");
    let headers = headers.split("[[scenario]]\n").skip(1);
    let text = |(header, deployment): (&str, Vec<u8>)| {
        let deployment = String::from_utf8_lossy(&deployment).replace("\n[", "\n[deployment.");
        format!("{header}\n[deployment]\n{deployment}").into_bytes()
    };
    headers.zip(files("battles/data/deployments")).map(text).collect()
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(Path::new(CRATES).join(folder))
        .expect("a folder of the repository")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file of the repository")).collect()
}

fn saved_shelves() -> Vec<u8> {
    let parameters = Parameters::named("default").expect("the default");
    let mut tower = CubeTower::EMPTY;
    let mut cubes = heap(&[5, 4, 0, 3, 0, 6]);
    let mut chance = Stream::new(1, Purpose::Tower, 0);
    tower.throw(&parameters, &mut cubes, &mut 0, &mut chance, &mut Cubes::new());
    shelves_bytes(&parameters, &tower)
}

fn saved_rigid(cubes: &[u16]) -> Vec<u8> {
    let mut tower = RigidTower::new(Arc::clone(&Geometry::standard()), 1, 0);
    if let Ok(counts) = cubes.try_into() {
        let counts: [u16; 6] = counts;
        tower.throw(&in_order(&counts));
    }
    tower.save()
}
