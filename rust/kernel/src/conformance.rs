//! The contract of [`Game`] as a test that every game must pass.
//!
//! [`check`] plays a match with random decisions and looks at every promise on the way. It returns the first broken
//! promise in words, so that a test can print it with the seed that found it. [`keep_the_contract`],
//! [`keep_the_invariants`], [`keep_the_spec`], [`keep_secrets`], [`check_visibility`], [`keep_to_what_is_seen`] and [`keep_positions`]
//! are whole tests of a game, a line each.

mod contract;
mod visibility;

use serde_json::Value;

use crate::features::{Encoder, Features};
use crate::spec::Field;
use crate::{Catalogued, Chance, Game, Purpose, Seat, SetupError, Stored, Stream};

pub use contract::{Checked, check};
pub use visibility::{Visibility, check_visibility, hidden_and_missing};

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
            let scores = [&state, &other, &state.seen_by(seat)].map(|state| {
                let mut scores = vec![9.0; seats];
                state.public_scores(&mut scores);
                scores
            });
            assert!(scores.iter().all(|found| *found == scores[0]), "{scores:?}: {state:?}");
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
            let redrawn = state.redraw(&mut two());
            assert!(redrawn.seen_by(seat) == state.seen_by(seat), "redrawn is what it knew: {}", at());
            assert!(is_sound(&redrawn).is_ok(), "redrawn: {}", at());
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
/// When a match does not begin at the given position.
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
/// has too many answers, every legal action has the name and the arguments that the specification gives it, and the features of
/// an observation hold all of it. `text` is the
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
    let features = Features::of::<G>();
    let encoder = Encoder::new(&features);
    let (mut row, mut updated) = (vec![0.0; encoder.width()], vec![0.0; encoder.width()]);
    let mut before = vec![0; G::OBSERVATION_SIZE];
    encoder.encode(&before, &mut updated);
    for decision in 0..=limit {
        for seat in Seat::all(seats) {
            state.observe(seat, &mut observation);
            encoder.encode(&observation, &mut row);
            encoder.update(&before, &observation, &mut updated);
            assert_eq!(row, updated, "an updated row at decision {decision}");
            assert_eq!(features.decode(&row), observation, "decoded features at decision {decision}");
            before.copy_from_slice(&observation);
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

#[cfg(test)]
mod tests;
