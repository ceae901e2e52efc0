//! The contract of [`Game`] as a test that every game must pass.
//!
//! [`check`] plays a match with random decisions and looks at every promise on the way. It returns the first broken
//! promise in words, so that a test can print it with the seed that found it. [`keep_the_contract`],
//! [`keep_the_invariants`], [`keep_the_spec`], [`keep_secrets`], [`check_visibility`], [`keep_to_what_is_seen`] and [`keep_positions`]
//! are whole tests of a game, a line each.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::Value;

use crate::spec::Field;
use crate::{Catalogued, Chance, DecodeError, Game, Purpose, RuleError, Seat, SetupError, Stored, Stream};

/// Decisions after which a match of [`keep_the_contract`] is called endless.
const CONTRACT_LIMIT: u32 = 20_000;
/// Decisions after which a match of [`keep_the_invariants`] is called endless.
const INVARIANT_LIMIT: u32 = 5_000_000;

fn begin<G: Game>(seats: usize, setup: &Value, chance: &mut Stream) -> G {
    G::create(seats, setup, chance).unwrap_or_else(|error| panic!("{setup}: {error}"))
}

/// Plays a whole match of a setup through [`check`].
///
/// # Panics
/// With the first broken promise, or when the match does not come to an end.
pub fn keep_the_contract<G: Stored>(seats: usize, seed: u64, setup: &Value) {
    let start: G = begin(seats, setup, &mut Stream::new(seed, Purpose::Game, 0));
    let checked = check(&start, seed, CONTRACT_LIMIT).unwrap_or_else(|error| panic!("{error}"));
    assert!(checked.finished, "{seats} players, seed {seed}, {setup}: {checked:?}");
}

/// Plays a whole match of a setup with random decisions and looks at the state after each.
///
/// # Panics
/// With the first state that is not sound or a dead end, or when the match does not come to an end.
pub fn keep_the_invariants<G: Game>(
    seats: usize,
    seed: u64,
    setup: &Value,
    is_sound: impl Fn(&G) -> Result<(), SetupError>,
) {
    let mut chance = Stream::new(seed, Purpose::Game, 0);
    let mut state: G = begin(seats, setup, &mut chance);
    let mut choice = Stream::new(seed, Purpose::Bots, 0);
    let mut legal = Vec::new();
    let mut decisions = 0;
    while state.to_act().is_some() {
        state.legal_actions(&mut legal);
        assert!(!legal.is_empty(), "dead end at {decisions}, seed {seed}: {state:?}");
        let action = legal[choice.below(decisions, legal.len() as u32) as usize];
        state.play_unchecked(action, &mut chance);
        if let Err(error) = is_sound(&state) {
            panic!(
                "{seats} players, seed {seed}, {setup}, decision {decisions}, {action:?}: {error}\n{state:?}"
            );
        }
        decisions += 1;
        assert!(decisions < INVARIANT_LIMIT, "{seats} players, seed {seed} goes on for ever");
    }
}

/// Plays a whole match of a setup with random decisions. At each, every seat looks at the state and at one with other
/// secrets, which `disguise` makes with numbers below what it asks for: it sees the same, waits for the same seat and may
/// do the same. `picture` is what else a seat is shown. Returns how often the two were really different.
///
/// # Panics
/// When a seat can tell them apart.
pub fn keep_secrets<G: Stored>(
    seats: usize,
    setup: &Value,
    disguise: impl Fn(&G, Seat, &mut dyn FnMut(u32) -> u32) -> G,
    picture: impl Fn(&G, Option<Seat>) -> String,
) -> u32 {
    let mut chance = Stream::new(3, Purpose::Game, seats as u64);
    let mut state: G = begin(seats, setup, &mut chance);
    let mut choices = Stream::new(3, Purpose::Bots, seats as u64);
    let (mut draw, mut differed, mut legal) = (0, 0, Vec::new());
    let mut choice = |sides| {
        draw += 1;
        choices.below(draw, sides)
    };
    while let Some(to_act) = state.to_act() {
        for seat in Seat::all(seats) {
            let other = disguise(&state, seat, &mut choice);
            differed += u32::from(other != state);
            assert_eq!(other.to_act(), Some(to_act), "{state:?}");
            assert_eq!(other.seen_by(seat), state.seen_by(seat), "{state:?}");
            if choice(8) == 0 {
                // The slowest of all, so not every time.
                assert_eq!(other.describe(Some(seat)), state.describe(Some(seat)), "{state:?}");
                assert_eq!(picture(&other, Some(seat)), picture(&state, Some(seat)), "{state:?}");
            }
            let [mut one, mut two] = [(); 2].map(|()| vec![0; G::OBSERVATION_SIZE]);
            state.observe(seat, &mut one);
            other.observe(seat, &mut two);
            assert_eq!(one, two, "{state:?}");
            if seat == to_act {
                state.legal_actions(&mut legal);
                let before = legal.clone();
                other.legal_actions(&mut legal);
                assert_eq!(legal, before, "{state:?}");
            }
        }
        state.legal_actions(&mut legal);
        state.play_unchecked(legal[choice(legal.len() as u32) as usize], &mut chance);
    }
    differed
}

/// Plays a whole match of a setup with random decisions. At each, what every seat may not see is drawn anew: the seat cannot
/// tell the new state from the old one, the new state is sound, and what it is depends only on what the seat may know. Now
/// and then the match is played on from such a state to its end. `picture` is what else a seat is shown. Returns how often
/// the new state was really different.
///
/// # Panics
/// When a promise of [`Game::resample`] is broken.
pub fn keep_to_what_is_seen<G: Stored>(
    seats: usize,
    seed: u64,
    setup: &Value,
    is_sound: impl Fn(&G) -> Result<(), SetupError>,
    picture: impl Fn(&G, Option<Seat>) -> String,
) -> u32 {
    let mut chance = Stream::new(seed, Purpose::Game, seats as u64);
    let mut state: G = begin(seats, setup, &mut chance);
    let mut choice = counted(Stream::new(seed, Purpose::Bots, seats as u64));
    let (mut differed, mut legal, mut number) = (0, Vec::new(), 0);
    while let Some(to_act) = state.to_act() {
        for seat in Seat::all(seats) {
            number += 3;
            let [one, two, three] =
                [0, 1, 2].map(|index| move || counted(Stream::new(seed, Purpose::Search, number + index)));
            let world = state.resample(seat, &mut one());
            differed += u32::from(world != state);
            let at = || format!("{seat} of {seats}, seed {seed}, {setup}: {state:?} became {world:?}");
            if let Err(error) = is_sound(&world) {
                panic!("{error}: {}", at());
            }
            assert_eq!(world.to_act(), Some(to_act), "{}", at());
            assert!(world.seen_by(seat) == state.seen_by(seat), "seen differently: {}", at());
            let [mut before, mut after] = [(); 2].map(|()| vec![0; G::OBSERVATION_SIZE]);
            state.observe(seat, &mut before);
            world.observe(seat, &mut after);
            assert!(before == after, "observed differently: {}", at());
            if seat == to_act {
                state.legal_actions(&mut legal);
                let before = legal.clone();
                world.legal_actions(&mut legal);
                assert_eq!(legal, before, "{}", at());
            }
            // Two worlds that look the same to the seat become the same one.
            let again = state.resample(seat, &mut one());
            assert!(again == world, "the same chance gives the same: {}", at());
            let other = state.resample(seat, &mut two());
            let [left, right] = [&world, &other].map(|world| world.resample(seat, &mut three()));
            assert!(left == right, "tells what the seat may not know: {}", at());
            if choice(200) == 0 {
                assert_eq!(world.describe(Some(seat)), state.describe(Some(seat)), "{}", at());
                assert_eq!(picture(&world, Some(seat)), picture(&state, Some(seat)), "{}", at());
                assert_eq!(G::decode(&world.encode()).as_ref(), Ok(&world), "{}", at());
                play_on(world, number, &is_sound, &mut choice);
            }
        }
        state.legal_actions(&mut legal);
        state.play_unchecked(legal[choice(legal.len() as u32) as usize], &mut chance);
    }
    for seat in Seat::all(seats) {
        let world = state.resample(seat, &mut counted(Stream::new(seed, Purpose::Search, number)));
        assert_eq!(world.to_act(), None, "over is over: {world:?}");
        assert!(world.seen_by(seat) == state.seen_by(seat), "seen differently at the end: {world:?}");
    }
    differed
}

/// Plays a whole match of a setup with random decisions; now and then a match begins where it stands, as it is and with what
/// a seat may not see drawn anew, through the option `position` of the setup.
///
/// # Panics
/// When a match does not begin where it was told to.
pub fn keep_positions<G: Stored>(seats: usize, seed: u64, setup: &Value) {
    let mut chance = Stream::new(seed, Purpose::Game, seats as u64);
    let mut state: G = begin(seats, setup, &mut chance);
    let mut choice = counted(Stream::new(seed, Purpose::Bots, seats as u64));
    let again = |state: &G| {
        let mut setup = setup.clone();
        setup["position"] = state.position();
        let begun: G = begin(seats, &setup, &mut Stream::new(seed, Purpose::Search, 1));
        assert!(begun == *state, "{setup}: {state:?} became {begun:?}");
    };
    let mut legal = Vec::new();
    while state.to_act().is_some() {
        if choice(20) == 0 {
            again(&state);
            let seat = Seat(choice(seats as u32) as u8);
            again(&state.resample(seat, &mut choice));
        }
        state.legal_actions(&mut legal);
        state.play_unchecked(legal[choice(legal.len() as u32) as usize], &mut chance);
    }
    again(&state);
}

/// Whether counts can come from equally likely cases: chi-square, within five standard deviations of its mean.
///
/// # Panics
/// When they cannot.
pub fn equally_likely(counts: &[u32]) {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
    let (sum, freedom) = (counts.iter().map(square).sum::<f64>(), counts.len() as f64 - 1.0);
    let most = freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0;
    assert!(sum < most, "chi-square is {sum:.1}, at most {most:.1}: {counts:?}");
}

/// Numbers for [`Game::resample`]: those of a stream for search, one after the other.
pub fn searching(seed: u64, index: u64) -> impl FnMut(u32) -> u32 {
    counted(Stream::new(seed, Purpose::Search, index))
}

/// Numbers of a stream, one after the other.
fn counted(mut stream: Stream) -> impl FnMut(u32) -> u32 {
    let mut draw = 0;
    move |sides| {
        draw += 1;
        stream.below(draw - 1, sides)
    }
}

/// Plays a match to its end with random decisions.
fn play_on<G: Game>(
    mut state: G,
    index: u64,
    is_sound: impl Fn(&G) -> Result<(), SetupError>,
    choice: &mut impl FnMut(u32) -> u32,
) {
    let mut chance = Stream::new(index, Purpose::Search, u64::MAX);
    let (mut legal, mut decisions) = (Vec::new(), 0);
    while state.to_act().is_some() {
        state.legal_actions(&mut legal);
        assert!(!legal.is_empty(), "dead end: {state:?}");
        state.play_unchecked(legal[choice(legal.len() as u32) as usize], &mut chance);
        if let Err(error) = is_sound(&state) {
            panic!("{error} {decisions} decisions after a world was drawn: {state:?}");
        }
        decisions += 1;
        assert!(decisions < INVARIANT_LIMIT, "goes on for ever");
    }
    assert!(state.outcome().is_some(), "no outcome: {state:?}");
}

/// Plays a match of a setup with random decisions, at most `limit` of them, and holds what is observed and what may be done
/// against the specification of the game: every number lies in its range or is the one for nothing, padding is 0, no decision
/// has too many answers, and every legal action has the name and the arguments that the specification gives it. `text` is the
/// name and the arguments that people read.
///
/// # Panics
/// With the first thing that the specification does not say.
pub fn keep_the_spec<G: Catalogued>(
    seats: usize,
    seed: u64,
    setup: &Value,
    limit: u32,
    text: impl Fn(&G, G::Action) -> (&'static str, Value),
) {
    let spec = G::spec();
    spec.check().unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(spec.action_count, G::ACTION_COUNT);
    let places: Vec<Vec<u32>> = spec.fields.iter().map(Field::places).collect();
    let mut chance = Stream::new(seed, Purpose::Game, 0);
    let mut choice = Stream::new(seed, Purpose::Bots, 0);
    let mut state: G = begin(seats, setup, &mut chance);
    let (mut legal, mut observation) = (Vec::new(), vec![0; G::OBSERVATION_SIZE]);
    for decision in 0..=limit {
        for seat in Seat::all(seats) {
            state.observe(seat, &mut observation);
            for (field, places) in spec.fields.iter().zip(&places) {
                for &place in places {
                    let value = field.read(&observation, place);
                    let known = (field.low..=field.high).contains(&value) || field.none == Some(value);
                    let (name, byte) = (&field.name, place / 8);
                    assert!(known, "{name} is {value} in byte {byte} at decision {decision}: {state:?}");
                }
            }
        }
        if state.to_act().is_none() {
            return;
        }
        state.legal_actions(&mut legal);
        assert!(legal.len() <= spec.max_legal_actions as usize, "{} legal: {state:?}", legal.len());
        for &action in &legal {
            let (said, args) = text(&state, action);
            let kind = spec.action(G::index_of(action));
            let (kind, place) = kind.unwrap_or_else(|| panic!("{action:?} has no kind"));
            assert_eq!(kind.name, said, "{action:?}");
            for (name, value) in kind.args(place) {
                assert_eq!(value, in_words(&args[name]), "{name} of {action:?}: {args}");
            }
        }
        let action = legal[choice.below(decision, legal.len() as u32) as usize];
        state.play_unchecked(action, &mut chance);
    }
}

/// An argument of an action as the specification writes it: units by kind are counted up.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(counts) if counts.is_empty() => "nothing".into(),
        Value::Object(counts) => {
            let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            counts.join(" and ")
        }
        value => value.to_string(),
    }
}

/// What came of changing one variable, over all seats that looked.
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

/// What a checked match looked like; sums of it make coarse golden values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Decisions taken.
    pub decisions: u32,
    /// Draws made by the rules.
    pub draws: u32,
    /// Whether the match ended by itself within the limit.
    pub finished: bool,
}

/// Plays one match from `start` with random decisions, at most `limit` of them, and checks the contract at each.
///
/// # Errors
/// A sentence that names the broken promise and the decision at which it was seen.
pub fn check<G: Stored>(start: &G, seed: u64, limit: u32) -> Result<Checked, String> {
    let mut state = start.clone();
    let mut chance = Stream::new(seed, Purpose::Game, 0);
    let mut choice = Stream::new(seed, Purpose::Bots, 0);
    let mut checked = Checked::default();
    let mut legal = Vec::new();
    while let Some(seat) = state.to_act() {
        if checked.decisions == limit {
            return Ok(checked);
        }
        let at =
            |promise: &str| format!("{promise} at decision {} of seed {seed}: {state:?}", checked.decisions);
        if seat.index() >= state.seats() {
            return Err(at("the seat to act sits at the table"));
        }
        if state.outcome().is_some() {
            return Err(at("a match with a seat to act has no outcome"));
        }
        check_actions(&state, &mut legal).map_err(|promise| at(&promise))?;
        check_refusals(&state, seat, &legal, &chance).map_err(|promise| at(&promise))?;
        check_bytes(&state).map_err(|promise| at(&promise))?;
        check_observations(&state).map_err(|promise| at(&promise))?;

        let action = legal[choice.below(checked.decisions, legal.len() as u32) as usize];
        let mut unchecked = state.clone();
        unchecked.play_unchecked(action, &mut chance.clone());
        let mut next = state.clone();
        if let Err(error) = next.play(seat, action, &mut chance) {
            return Err(at(&format!("a legal action is played, but {action:?} gave \"{error}\"")));
        }
        if next != unchecked {
            return Err(at(&format!("both doors lead to the same state, but not for {action:?}")));
        }
        if next.draws() < state.draws() {
            return Err(at("the number of draws never falls"));
        }
        checked.draws = next.draws();
        state = next;
        checked.decisions += 1;
    }
    checked.finished = true;
    let at_end = |promise: &str| format!("{promise} at the end of seed {seed}: {state:?}");
    let outcome = state.outcome().ok_or_else(|| at_end("a finished match has an outcome"))?;
    if outcome.ranks.len() != state.seats() || !outcome.ranks.contains(&1) {
        return Err(at_end("every seat has a rank and somebody is first"));
    }
    state.legal_actions(&mut legal);
    if !legal.is_empty() {
        return Err(at_end("nothing is legal once the match is over"));
    }
    if let Some(action) = G::action_at(0)
        && state.clone().play(Seat(0), action, &mut chance) != Err(RuleError::MatchOver)
    {
        return Err(at_end("a finished match refuses every action"));
    }
    check_bytes(&state).map_err(|promise| at_end(&promise))?;
    Ok(checked)
}

/// The legal list is not empty, in table order, without repetition, and indices lead back to their actions.
fn check_actions<G: Game>(state: &G, legal: &mut Vec<G::Action>) -> Result<(), String> {
    state.legal_actions(legal);
    if legal.is_empty() {
        return Err("a seat to act has a legal action".into());
    }
    let mut last = None;
    for &action in legal.iter() {
        let index = G::index_of(action);
        if index >= G::ACTION_COUNT || G::action_at(index) != Some(action) {
            return Err(format!("index {index} leads back to {action:?}"));
        }
        if last >= Some(index) {
            return Err(format!("the legal list is in table order, but {action:?} is not"));
        }
        last = Some(index);
    }
    if G::action_at(G::ACTION_COUNT).is_some() {
        return Err("the table ends at ACTION_COUNT".into());
    }
    Ok(())
}

/// What is not legal, and what comes from another seat, is refused and changes nothing.
fn check_refusals<G: Stored>(
    state: &G,
    seat: Seat,
    legal: &[G::Action],
    chance: &Stream,
) -> Result<(), String> {
    // A stride that is prime visits the whole table over a match without visiting all of it at each decision.
    let stride = (G::ACTION_COUNT / 64).max(1) | 1;
    let first = state.draws() % stride;
    for action in (first..G::ACTION_COUNT).step_by(stride as usize).filter_map(G::action_at) {
        if !legal.contains(&action) {
            let mut copy = state.clone();
            let refused = copy.play(seat, action, &mut chance.clone());
            if refused != Err(RuleError::IllegalAction { index: G::index_of(action) }) || copy != *state {
                return Err(format!("{action:?} is not legal, so it is refused and changes nothing"));
            }
        }
    }
    for other in Seat::all(state.seats()).filter(|&other| other != seat) {
        let mut copy = state.clone();
        let refused = copy.play(other, legal[0], &mut chance.clone());
        if refused != Err(RuleError::NotYourTurn { asked: other, to_act: seat }) || copy != *state {
            return Err(format!("{other} is not to act, so it is refused and changes nothing"));
        }
    }
    Ok(())
}

/// Bytes lead back to the same state; shortened, lengthened or mistagged bytes are refused.
fn check_bytes<G: Stored>(state: &G) -> Result<(), String> {
    let bytes = state.encode();
    if G::decode(&bytes).as_ref() != Ok(state) {
        return Err("the bytes of a state lead back to it".into());
    }
    if G::decode(&bytes[..bytes.len() - 1]).is_ok() {
        return Err("shortened bytes are refused".into());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    if !matches!(G::decode(&longer), Err(DecodeError::TrailingBytes { .. })) {
        return Err("lengthened bytes are refused".into());
    }
    let mut mistagged = bytes;
    mistagged[0] ^= 0xff;
    if !matches!(G::decode(&mistagged), Err(DecodeError::WrongTag { .. })) {
        return Err("bytes of something else are refused".into());
    }
    Ok(())
}

/// An observation fills its buffer whatever was in it before.
fn check_observations<G: Game>(state: &G) -> Result<(), String> {
    for seat in Seat::all(state.seats()) {
        let mut clean = vec![0; G::OBSERVATION_SIZE];
        let mut dirty = vec![0xff; G::OBSERVATION_SIZE];
        state.observe(seat, &mut clean);
        state.observe(seat, &mut dirty);
        if clean != dirty {
            return Err(format!("the observation of {seat} fills its buffer"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use crate::spec::{ActionKind, Axis, Layout};
    use crate::{Outcome, Reader, Spec, Writer, read_setup};
    use serde::Deserialize;

    /// A race to ten for two seats: step one ahead, or roll a die of four. `flaw` breaks one promise on purpose.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Race {
        places: [u8; 2],
        turn: u8,
        draws: u32,
        flaw: Flaw,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    enum Flaw {
        None,
        LegalOrder,
        ForgetsDraws,
        HiddenDoor,
        LossyBytes,
        PatchyObservation,
        NoOutcome,
        MovesInAWorld,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Move {
        Step,
        Roll,
    }

    impl Race {
        fn new(flaw: Flaw) -> Self {
            Self { places: [0; 2], turn: 0, draws: 0, flaw }
        }

        fn over(&self) -> bool {
            self.places.iter().any(|&place| place >= 10)
        }
    }

    impl Game for Race {
        type Action = Move;
        type Setup = Self;
        type Event = ();
        const NAME: &'static str = "race";
        const RULES_VERSION: u32 = 1;
        const ACTION_COUNT: u32 = 2;
        const OBSERVATION_SIZE: usize = 2;
        const SEATS: RangeInclusive<usize> = 2..=2;
        const REASONS: &'static [&'static str] = &["ten"];

        fn prepare(_seats: usize, setup: &Value) -> Result<Self, SetupError> {
            read_setup(setup)
        }

        fn begin(setup: &Self, _chance: &mut impl Chance, _log: &mut impl FnMut(())) -> Self {
            setup.clone()
        }

        fn seen_by(&self, _seat: Seat) -> Self {
            self.clone()
        }

        fn resample(&self, _seat: Seat, chance: &mut dyn FnMut(u32) -> u32) -> Self {
            let mut world = self.clone();
            if self.flaw == Flaw::MovesInAWorld {
                world.places[0] = chance(10) as u8;
            }
            world
        }

        fn seats(&self) -> usize {
            2
        }

        fn to_act(&self) -> Option<Seat> {
            (!self.over()).then_some(Seat(self.turn))
        }

        fn legal_actions(&self, out: &mut Vec<Move>) {
            out.clear();
            if !self.over() {
                out.push(Move::Step);
                if self.places[self.turn as usize] > 0 {
                    out.push(Move::Roll);
                }
                if self.flaw == Flaw::LegalOrder {
                    out.reverse();
                }
            }
        }

        fn play_logged(&mut self, action: Move, chance: &mut impl Chance, _log: &mut impl FnMut(())) {
            let steps = match action {
                Move::Step => 1,
                Move::Roll => {
                    let roll = chance.below(self.draws, 4);
                    self.draws += 1;
                    roll as u8
                }
            };
            if self.flaw == Flaw::ForgetsDraws && action == Move::Step {
                self.draws = 0;
            }
            self.places[self.turn as usize] += steps;
            self.turn ^= 1;
        }

        fn play(&mut self, seat: Seat, action: Move, chance: &mut impl Chance) -> Result<(), RuleError> {
            let to_act = self.to_act().ok_or(RuleError::MatchOver)?;
            if self.flaw != Flaw::HiddenDoor && seat != to_act {
                return Err(RuleError::NotYourTurn { asked: seat, to_act });
            }
            let mut legal = Vec::new();
            self.legal_actions(&mut legal);
            if !legal.contains(&action) {
                return Err(RuleError::IllegalAction { index: Self::index_of(action) });
            }
            self.play_unchecked(action, chance);
            Ok(())
        }

        fn observe(&self, _seat: Seat, out: &mut [u8]) {
            out[0] = self.places[0];
            if self.flaw != Flaw::PatchyObservation {
                out[1] = self.places[1];
            }
        }

        fn outcome(&self) -> Option<Outcome> {
            let first = self.places.iter().position(|&place| place >= 10)?;
            let ranks = [1 + u8::from(first != 0), 1 + u8::from(first != 1)].into_iter().collect();
            let scores = self.places.iter().map(|&place| i32::from(place)).collect();
            let outcome = Outcome { ranks, by_rule: true, reason: "ten", rounds: 1, scores };
            (self.flaw != Flaw::NoOutcome).then_some(outcome)
        }

        fn index_of(action: Move) -> u32 {
            action as u32
        }

        fn action_at(index: u32) -> Option<Move> {
            [Move::Step, Move::Roll].get(index as usize).copied()
        }
    }

    impl Stored for Race {
        fn describe(&self, _seat: Option<Seat>) -> Value {
            serde_json::to_value(self).unwrap()
        }

        fn draws(&self) -> u32 {
            self.draws
        }

        fn encode(&self) -> Vec<u8> {
            let mut writer = Writer::tagged("RACE", Self::RULES_VERSION);
            writer.bytes(&self.places);
            writer.u8(self.turn);
            writer.u32(self.draws);
            writer.u8(self.flaw as u8);
            writer.finish()
        }

        fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
            let mut reader = Reader::tagged(bytes, "RACE", Self::RULES_VERSION)?;
            let places = [reader.at_most("place", 13)?, reader.at_most("place", 13)?];
            let turn = reader.at_most("turn", 1)?;
            let mut draws = reader.u32()?;
            let flaws = [
                Flaw::None,
                Flaw::LegalOrder,
                Flaw::ForgetsDraws,
                Flaw::HiddenDoor,
                Flaw::LossyBytes,
                Flaw::PatchyObservation,
                Flaw::NoOutcome,
                Flaw::MovesInAWorld,
            ];
            let flaw = flaws[reader.at_most("flaw", 7)? as usize];
            reader.finish()?;
            if flaw == Flaw::LossyBytes {
                draws = 0;
            }
            Ok(Self { places, turn, draws, flaw })
        }
    }

    impl Catalogued for Race {
        type Scenario = ();

        fn spec() -> Spec {
            let mut layout = Layout::default();
            layout.put(Field::byte("places", 0, 13, "Where they stand.").along(Axis::new("seat", 2)));
            let moves = Axis::named("move", ["step", "roll"]);
            Spec::new::<Self>(
                layout,
                vec![ActionKind::new("move", "One ahead, or as a die says.").of(moves)],
                2,
            )
        }
    }

    fn first_complaint(flaw: Flaw) -> Option<String> {
        (0..20).find_map(|seed| check(&Race::new(flaw), seed, 100).err())
    }

    #[test]
    fn a_sound_game_passes() {
        assert_eq!(first_complaint(Flaw::None), None);
        let text = |_: &Race, action: Move| {
            ("move", serde_json::json!({ "move": format!("{action:?}").to_lowercase() }))
        };
        keep_the_spec(2, 3, &serde_json::to_value(Race::new(Flaw::None)).unwrap(), 100, text);
        let checked = check(&Race::new(Flaw::None), 3, 100).unwrap();
        assert!(checked.finished && checked.decisions >= 10);
        assert!(!check(&Race::new(Flaw::None), 3, 4).unwrap().finished);
    }

    #[test]
    fn a_game_without_secrets_has_one_world() {
        let setup = serde_json::to_value(Race::new(Flaw::None)).unwrap();
        assert_eq!(keep_to_what_is_seen(2, 3, &setup, |_: &Race| Ok(()), |_, _| String::new()), 0);
    }

    #[test]
    #[should_panic(expected = "seen differently")]
    fn a_world_that_a_seat_can_tell_is_found() {
        let setup = serde_json::to_value(Race::new(Flaw::MovesInAWorld)).unwrap();
        keep_to_what_is_seen(2, 3, &setup, |_: &Race| Ok(()), |_, _| String::new());
    }

    #[test]
    fn every_flaw_is_found() {
        for (flaw, promise) in [
            (Flaw::LegalOrder, "in table order"),
            (Flaw::ForgetsDraws, "never falls"),
            (Flaw::HiddenDoor, "is not to act"),
            (Flaw::LossyBytes, "lead back to it"),
            (Flaw::PatchyObservation, "fills its buffer"),
            (Flaw::NoOutcome, "has an outcome"),
        ] {
            let complaint = first_complaint(flaw).unwrap_or_else(|| panic!("{flaw:?} was not found"));
            assert!(complaint.contains(promise), "{flaw:?}: {complaint}");
        }
    }
}
