//! Fuzz targets: everything that reads bytes or texts of strangers, and what must hold of what it makes of them.
//!
//! A target takes any bytes. It may refuse them; what it accepts is used, written and read again, which must
//! neither panic nor change anything. `tests/targets.rs` runs them on mutations of real values, `make fuzz`
//! guided by coverage.

mod matches;
mod mutate;
mod seeds;
mod towers;

pub use mutate::Mutator;
pub use seeds::seeds;

/// A decoder under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, also of its corpus.
    pub name: &'static str,
    /// Feed it any bytes, and return whether it accepted them; a panic is a finding.
    pub run: fn(&[u8]) -> bool,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "save", run: matches::save },
    Target { name: "replay", run: matches::replay },
    Target { name: "setup", run: matches::setup },
    Target { name: "battles_scenario", run: |data| matches::scenario("battles", data) },
    Target { name: "swords_map", run: |data| matches::scenario("swords", data) },
    Target { name: "tower_board", run: |data| matches::scenario("tower", data) },
    Target { name: "bots", run: matches::bots },
    Target { name: "shelves", run: towers::shelves },
    Target { name: "shelves_parameters", run: towers::shelves_parameters },
    Target { name: "geometry", run: towers::geometry },
    Target { name: "rigid", run: towers::rigid },
];

/// The target of a name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}
