//! Which variables of a state each seat can see.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::Value;

use super::begin;
use crate::{Chance, Game, Purpose, Seat, Stored, Stream};

/// Result of changing one variable, over all seats that looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    /// The seat may not see it, and could not tell.
    pub hidden: u32,
    /// The seat may see it, and its observation changed.
    pub shown: u32,
    /// The seat may see it, its view changed and its observation did not.
    pub missing: u32,
}

/// The variables that are hidden or missing at some time, a line each; comments of a list to compare with begin with `#`.
pub fn hidden_and_missing(visibility: &BTreeMap<String, Visibility>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, visibility) in visibility {
        match (visibility.hidden, visibility.shown) {
            (0, _) => {}
            (_, 0) => lines.push(format!("{name}: hidden from all")),
            _ => lines.push(format!("{name}: hidden from others")),
        }
        if visibility.missing > 0 {
            lines.push(format!("{name}: missing"));
        }
    }
    lines
}

/// Changes every variable of a state by itself, under its name, in the midst of a random match, and looks what each seat can
/// tell. A change that a seat may not see ([`Game::seen_by`] takes it out and its view does not show it) must change neither its
/// observation, nor whom it waits for, nor what it may do. Says by name how often a change was hidden, shown, and missing in an observation that
/// should show it.
///
/// New values come from other states of the same match, or from another place with the same name. `rebuild` makes the state of a
/// table; the tables at `keyed` have an entry for each of many things of a kind. States need not be sound: those that no seat can
/// look at are left out.
///
/// # Panics
/// When a seat can tell what it may not see.
pub fn check_visibility<G: Stored + Serialize>(
    seats: usize,
    setup: &Value,
    (decisions, stride): (u32, u32),
    keyed: &[&str],
    rebuild: impl Fn(Value) -> Option<G>,
) -> BTreeMap<String, Visibility> {
    let mut choices = Stream::new(11, Purpose::Bots, seats as u64);
    let mut draw = 0;
    let mut choice = |sides: usize| {
        draw += 1;
        choices.below(draw, sides as u32) as usize
    };
    let mut chance = Stream::new(11, Purpose::Game, seats as u64);
    let mut state: G = begin(seats, setup, &mut chance);
    let (mut legal, mut states) = (Vec::new(), Vec::new());
    for decision in 0..decisions {
        if decision % stride == 0 {
            states.push(state.clone());
        }
        state.legal_actions(&mut legal);
        if legal.is_empty() {
            break;
        }
        state.play_unchecked(legal[choice(legal.len())], &mut chance);
    }
    let tables: Vec<Value> =
        states.iter().map(|state| serde_json::to_value(state).expect("a state is a table")).collect();
    let mut visibility: BTreeMap<String, Visibility> = BTreeMap::new();
    for (state, table) in states.iter().zip(&tables) {
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        name_all(table, "", "", keyed, &mut names);
        let before: Vec<Look<G>> = Seat::all(seats).map(|seat| Look::of(state, seat)).collect();
        for (name, places) in &names {
            let place = &places[choice(places.len())];
            let old = table.pointer(place).unwrap_or(&Value::Null);
            let start = choice(tables.len());
            let other = (0..tables.len()).find_map(|step| {
                let new = tables[(start + step) % tables.len()].pointer(place)?;
                (is_leaf(old) || is_leaf(new) || shape(old) != shape(new)).then_some(())?;
                (new != old).then(|| vec![(place, new.clone())])
            });
            let swapped = (0..12).find_map(|_| {
                let partner = &places[choice(places.len())];
                let new = table.pointer(partner)?;
                let both = || vec![(place, new.clone()), (partner, old.clone())];
                (new != old && is_leaf(old)).then(both)
            });
            for change in other.into_iter().chain(swapped) {
                let mut changed = table.clone();
                for (at, value) in change {
                    if let Some(slot) = changed.pointer_mut(at) {
                        *slot = value;
                    }
                }
                let Some(other) = rebuild(changed).filter(|other| other != state) else { continue };
                let look =
                    || -> Vec<Look<G>> { Seat::all(seats).map(|seat| Look::of(&other, seat)).collect() };
                let Ok(after) = catch_unwind(AssertUnwindSafe(look)) else { continue };
                let entry = visibility.entry(name.clone()).or_default();
                for (before, after) in before.iter().zip(&after) {
                    // What is public about a hidden thing, as the sizes of stacks, is in the view.
                    if before.seen == after.seen && before.view == after.view {
                        assert!(before == after, "a seat can tell {name} at {place}: {state:?}");
                        entry.hidden += 1;
                    } else if before.observation != after.observation {
                        entry.shown += 1;
                    } else if before.view != after.view {
                        entry.missing += 1;
                    }
                }
            }
        }
    }
    visibility
}

/// Everything that a seat can look at, and what it may do if it is asked.
#[derive(PartialEq)]
struct Look<G: Game> {
    seen: G,
    view: Value,
    observation: Vec<u8>,
    to_act: Option<Seat>,
    legal: Option<Vec<G::Action>>,
}

impl<G: Stored> Look<G> {
    fn of(state: &G, seat: Seat) -> Self {
        let mut observation = vec![0; G::OBSERVATION_SIZE];
        state.observe(seat, &mut observation);
        let to_act = state.to_act();
        let legal = (to_act == Some(seat)).then(|| {
            let mut legal = Vec::new();
            state.legal_actions(&mut legal);
            legal
        });
        Self { seen: state.seen_by(seat), view: state.describe(Some(seat)), observation, to_act, legal }
    }
}

/// Whether a value has no parts.
fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(items) => items.is_empty(),
        _ => true,
    }
}

/// The parts that a value has.
fn shape(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => (0..items.len()).map(|place| place.to_string()).collect(),
        Value::Object(items) => items.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The places of all variables by name; places in lists and in keyed tables share a name.
fn name_all(
    value: &Value,
    name: &str,
    place: &str,
    keyed: &[&str],
    names: &mut BTreeMap<String, Vec<String>>,
) {
    if !place.is_empty() {
        names.entry(name.to_owned()).or_default().push(place.to_owned());
    }
    let many = value.is_array() || keyed.contains(&name);
    for key in shape(value) {
        let part = &value.pointer(&format!("/{key}")).expect("a part of the value");
        let named = match (many, name.is_empty()) {
            (true, _) => format!("{name}[]"),
            (false, true) => key.clone(),
            (false, false) => format!("{name}.{key}"),
        };
        name_all(part, &named, &format!("{place}/{key}"), keyed, names);
    }
}
