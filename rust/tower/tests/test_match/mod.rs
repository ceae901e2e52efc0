//! A match to try rules in: positions written by hand, dice by script, and a tower that lets everything through.

use sengoku_kernel::{Chance, Game, Purpose, Seat, Stored, Stream, chance_of};
use sengoku_tower::{Event, State};
use sengoku_view::View;
use serde_json::{Value, json};

/// A tower in which a cube stays with a chance of 0.1 %.
pub(crate) fn glass() -> Value {
    let shelf = json!({ "capacity": 1, "stick_per_mille": 1, "dislodge": 65535, "burst": 0 });
    json!({ "shelves": [shelf, shelf] })
}

/// Chance with scripted dice; everything else is drawn.
pub(crate) struct Dice {
    faces: Vec<u32>,
    stream: Stream,
}

impl Dice {
    /// Dice counted from 0.
    pub(crate) fn new(faces: &[u32]) -> Self {
        let mut faces = faces.to_vec();
        faces.reverse();
        Self { faces, stream: Stream::new(1, Purpose::Game, 0) }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.faces.is_empty()
    }
}

impl Chance for Dice {
    chance_of!(stream);

    fn roll(&mut self, draw: u32, sides: u32) -> u32 {
        let face = self.faces.pop().unwrap_or_else(|| self.stream.below(draw, sides));
        assert!(face < sides, "{face} of {sides}");
        face
    }
}

/// A match with its log.
pub(crate) struct TestMatch {
    pub(crate) state: State,
    pub(crate) log: Vec<Value>,
    pub(crate) dice: Dice,
}

impl TestMatch {
    /// A match from a setup.
    pub(crate) fn new(seats: usize, setup: &Value, dice: &[u32]) -> Self {
        let start = State::prepare(seats, setup).unwrap_or_else(|error| panic!("{error}"));
        let (mut dice, mut log) = (Dice::new(dice), Vec::new());
        let state = State::begin(&start, &mut dice, &mut |event: Event| {
            log.push(serde_json::to_value(event).expect("events are tables"));
        });
        Self { state, log, dice }
    }

    /// A match from a position.
    pub(crate) fn at(position: &Value, dice: &[u32]) -> Self {
        let seats = position["options"]["seats"].as_u64().expect("a number") as usize;
        Self::new(seats, &json!({ "position": position, "tower_model": glass() }), dice)
    }

    /// The legal actions as name and arguments.
    pub(crate) fn legal(&self) -> Vec<(String, Value)> {
        let mut legal = Vec::new();
        self.state.legal_actions(&mut legal);
        let words = legal.into_iter().map(|action| self.state.describe_action(action));
        words.map(|words| (words.name.to_owned(), words.args)).collect()
    }

    /// Plays the legal action of this name whose arguments include these.
    pub(crate) fn play(&mut self, name: &str, args: &Value) -> &mut Self {
        let mut legal = Vec::new();
        self.state.legal_actions(&mut legal);
        let fits = |found: &Value| {
            args.as_object().is_none_or(|args| args.iter().all(|(key, value)| found[key] == *value))
        };
        let action = legal.into_iter().find(|&action| {
            let words = self.state.describe_action(action);
            words.name == name && fits(&words.args)
        });
        let Some(action) = action else { panic!("{name} {args} is not legal, but {:?}", self.legal()) };
        let log = &mut self.log;
        self.state.play_logged(action, &mut self.dice, &mut |event: Event| {
            log.push(serde_json::to_value(event).expect("events are tables"));
        });
        self
    }

    /// The entries of the log of this kind.
    pub(crate) fn logged(&self, event: &str) -> Vec<&Value> {
        self.log.iter().filter(|entry| entry["event"] == event).collect()
    }

    /// The whole state as a table.
    pub(crate) fn shown(&self) -> Value {
        self.state.describe(None)
    }

    /// A province of the state.
    pub(crate) fn province(&self, key: &str) -> Value {
        self.shown()["provinces"][key].clone()
    }

    pub(crate) fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }
}

/// The first planning of a fixed set-up, with an empty tower: its cubes are in the supplies.
pub(crate) fn planning(seats: usize, setup: &Value) -> Value {
    let mut position = TestMatch::new(seats, setup, &[]).shown();
    for colour in 0..6 {
        let inside = position["inside"][colour].as_u64().unwrap();
        position["supply"][colour] = json!(position["supply"][colour].as_u64().unwrap() + inside);
    }
    position["tower"] = json!([]);
    position
}

const ACTIONS: [&str; 10] =
    ["castle", "temple", "no", "rice", "tax", "deploy5", "deploy3", "deploy1", "battle_a", "battle_b"];

/// Slots 1, 2, ... for the seats in order, with these special cards by slot.
pub(crate) fn order(position: &mut Value, specials: [&str; 5]) {
    let seats = position["options"]["seats"].as_u64().unwrap();
    position["special_on_slot"] = json!(specials);
    position["turn_order"] = (0..seats).collect();
    for seat in 0..seats as usize {
        position["players"][seat]["slot"] = json!(seat + 1);
        position["players"][seat]["special"] = json!(specials[seat]);
    }
}

/// A position in which an action card is due, with an event in force.
pub(crate) fn acting(seats: usize, court: bool, action: &str, event: u8) -> Value {
    let mut position = planning(seats, &json!({ "court": court }));
    events(&mut position, Some(event), 3);
    order(&mut position, ["chest_plus_1", "rice_plus_1", "six_armies", "attack_plus_1", "defence_plus_1"]);
    let rest = ACTIONS.into_iter().filter(|&other| other != action);
    position["action_order"] = std::iter::once(action).chain(rest).collect();
    position["point"] = json!("turn");
    if court {
        position["court"]["laid"] = json!([null, null, null]);
    }
    position
}

/// Chooses the event in force and how many others are open; the deck has eight.
pub(crate) fn events(position: &mut Value, event: Option<u8>, open: usize) {
    let mut rest: Vec<u8> = (1..=12).filter(|&card| Some(card) != event).collect();
    position["event"] = json!(event);
    position["event_deck"] = json!(rest.split_off(rest.len() - 8));
    position["open_events"] = json!(&rest[..open]);
}

/// Changes the armies of a province; the supply takes the difference.
pub(crate) fn armies(position: &mut Value, province: &str, count: u64) {
    let owner = position["provinces"][province]["owner"].as_u64().expect("owned") as usize;
    let before = position["provinces"][province]["armies"].as_u64().unwrap();
    let supply = position["supply"][owner].as_u64().unwrap() + before - count;
    position["provinces"][province]["armies"] = json!(count);
    position["supply"][owner] = json!(supply);
}

/// Puts cubes from the supply into the tray.
pub(crate) fn tray(position: &mut Value, colour: usize, count: u64) {
    position["supply"][colour] = json!(position["supply"][colour].as_u64().unwrap() - count);
    position["tray"][colour] = json!(position["tray"][colour].as_u64().unwrap() + count);
}
