//! A race with dice and a secret: the game that everything here is tested with.

use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};

use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::spec::{ActionKind, Axis, Field, Layout};
use sengoku_kernel::{
    Catalogued, Chance, DecodeError, Game, MAX_SEATS, Outcome, Reader, Seat, SetupError, Spec, Stored,
    Writer, from_hex, to_hex,
};
use sengoku_view::{ActionText, Counts, DrawKind, Sheet, Sketch, StoryLine, Tally, View};
use serde_json::{Value, json};

/// A race: step one ahead or roll a die. Who first reaches the goal ends it; among equals the higher secret is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// Seats at the table.
    pub seats: u8,
    /// Where each seat stands.
    pub places: [u8; MAX_SEATS],
    /// A number of each seat that only it knows.
    pub secrets: [u8; MAX_SEATS],
    /// Place that ends the race.
    pub goal: u8,
    /// Cap on rounds; 0 is none.
    pub max_rounds: u8,
    /// Seat to act.
    pub turn: u8,
    /// Rounds begun.
    pub round: u32,
    /// Last die rolled, 1 to 6.
    pub last_face: u8,
    /// Draws made.
    pub draws: u32,
}

/// A decision of the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// One ahead.
    Step,
    /// As far as a die of six says.
    Roll,
    /// Never legal.
    Pass,
}

impl Race {
    fn leader(&self) -> Option<usize> {
        (0..self.seats.into()).find(|&seat| self.places[seat] >= self.goal)
    }

    fn capped(&self) -> bool {
        self.max_rounds > 0 && self.round > u32::from(self.max_rounds)
    }
}

fn option(setup: &Value, name: &str, default: u8) -> Result<u8, SetupError> {
    let Some(value) = setup.get(name) else { return Ok(default) };
    let number = value.as_u64().filter(|&number| number <= 100);
    number.map(|number| number as u8).ok_or_else(|| SetupError::new(name, format!("{value} is not 0 to 100")))
}

impl Game for Race {
    type Action = Move;
    type Setup = Self;
    type Event = Value;
    const NAME: &'static str = "race";
    const RULES_VERSION: u32 = 1;
    const ACTION_COUNT: u32 = 3;
    const OBSERVATION_SIZE: usize = MAX_SEATS + 1;
    const SEATS: RangeInclusive<usize> = 2..=4;
    const REASONS: &'static [&'static str] = &["goal", "max_rounds"];

    fn prepare(seats: usize, setup: &Value) -> Result<Self, SetupError> {
        let options = setup.as_object().expect("a match gives a table");
        if let Some(name) =
            options.keys().find(|name| !["goal", "max_rounds", "note", "position"].contains(&name.as_str()))
        {
            return Err(SetupError::new(name.as_str(), "there is no such option"));
        }
        if let Some(position) = setup.get("position") {
            let read = |error: DecodeError| SetupError::new("position", error.to_string());
            let bytes = from_hex(position.as_str().unwrap_or("?")).map_err(read)?;
            return Self::decode(&bytes).map_err(read);
        }
        Ok(Self {
            seats: seats as u8,
            round: 0,
            places: [0; MAX_SEATS],
            secrets: [0; MAX_SEATS],
            goal: option(setup, "goal", 10)?,
            max_rounds: option(setup, "max_rounds", 0)?,
            turn: 0,
            last_face: 0,
            draws: seats as u32,
        })
    }

    fn begin(setup: &Self, chance: &mut impl Chance, _log: &mut impl FnMut(Value)) -> Self {
        let mut race = *setup;
        if race.round > 0 {
            return race; // a position
        }
        race.round = 1;
        for (draw, secret) in race.secrets.iter_mut().take(usize::from(setup.seats)).enumerate() {
            *secret = chance.below(draw as u32, 100) as u8;
        }
        race
    }

    fn seats(&self) -> usize {
        self.seats.into()
    }

    fn to_act(&self) -> Option<Seat> {
        (self.leader().is_none() && !self.capped()).then_some(Seat(self.turn))
    }

    fn legal_actions(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.to_act().is_some() {
            out.extend([Move::Step, Move::Roll]);
        }
    }

    fn play_logged(&mut self, action: Move, chance: &mut impl Chance, log: &mut impl FnMut(Value)) {
        let steps = match action {
            Move::Step => 1,
            Move::Roll => {
                self.last_face = chance.roll(self.draws, 6) as u8 + 1;
                self.draws += 1;
                log(json!({"event": "roll", "seat": self.turn, "face": self.last_face}));
                self.last_face
            }
            Move::Pass => 0,
        };
        self.places[usize::from(self.turn)] += steps;
        self.turn = (self.turn + 1) % self.seats;
        self.round += u32::from(self.turn == 0);
    }

    fn seen_by(&self, seat: Seat) -> Self {
        let mut secrets = [0; MAX_SEATS];
        secrets[seat.index()] = self.secrets[seat.index()];
        Self { secrets, ..*self }
    }

    fn resample(&self, seat: Seat, chance: &mut dyn FnMut(u32) -> u32) -> Self {
        let mut race = *self;
        for other in Seat::all(self.seats()).filter(|&other| other != seat) {
            race.secrets[other.index()] = chance(100) as u8;
        }
        race
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        out[..MAX_SEATS].copy_from_slice(&self.places);
        out[MAX_SEATS] = self.secrets[seat.index()];
    }

    fn public_scores(&self, scores: &mut [f32]) {
        for (score, &place) in scores.iter_mut().zip(&self.places) {
            *score = f32::from(place) / f32::from(self.goal);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.to_act().is_some() {
            return None;
        }
        let by_rule = self.leader().is_some();
        let score = |seat: usize| (self.places[seat], self.secrets[seat]);
        let seats = usize::from(self.seats);
        let ahead = |seat| (0..seats).filter(|&other| score(other) > score(seat)).count() as u8;
        Some(Outcome {
            ranks: (0..seats).map(|seat| 1 + ahead(seat)).collect(),
            by_rule,
            reason: Self::REASONS[usize::from(!by_rule)],
            rounds: self.round,
            scores: (0..seats).map(|seat| self.places[seat].into()).collect(),
        })
    }

    fn index_of(action: Move) -> u32 {
        action as u32
    }

    fn action_at(index: u32) -> Option<Move> {
        [Move::Step, Move::Roll, Move::Pass].get(index as usize).copied()
    }
}

impl Stored for Race {
    fn describe(&self, seat: Option<Seat>) -> Value {
        let seen = seat.map_or(*self, |seat| self.seen_by(seat));
        let seats = usize::from(self.seats);
        json!({"places": seen.places[..seats], "secrets": seen.secrets[..seats], "goal": self.goal, "round": self.round})
    }

    fn position(&self) -> Value {
        to_hex(&self.encode()).into()
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged("RACE", Self::RULES_VERSION);
        writer.bytes(&[self.seats, self.goal, self.max_rounds, self.turn, self.last_face]);
        writer.bytes(&self.places);
        writer.bytes(&self.secrets);
        writer.u32(self.round);
        writer.u32(self.draws);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, "RACE", Self::RULES_VERSION)?;
        let seats = reader.at_most("seats", 4)?;
        let (goal, max_rounds) = (reader.at_most("goal", 100)?, reader.at_most("max_rounds", 100)?);
        let (turn, last_face) = (reader.at_most("turn", 3)?, reader.at_most("last_face", 6)?);
        let (mut places, mut secrets) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        for value in places.iter_mut().chain(&mut secrets) {
            *value = reader.at_most("place or secret", 120)?;
        }
        let (round, draws) = (reader.u32()?, reader.u32()?);
        reader.finish()?;
        Ok(Self { seats, places, secrets, goal, max_rounds, turn, round, last_face, draws })
    }
}

impl Catalogued for Race {
    type Scenario = Infallible;

    fn spec() -> Spec {
        let mut layout = Layout::default();
        layout.put(
            Field::byte("places", 0, 120, "Where each seat stands.").along(Axis::new("seat", MAX_SEATS)),
        );
        layout.put(Field::byte("secret", 0, 120, "The number that only this seat knows."));
        let kinds = vec![
            ActionKind::new("step", "One ahead."),
            ActionKind::new("roll", "As far as a die of six says."),
            ActionKind::new("pass", "Never legal."),
        ];
        Spec::new::<Self>(layout, kinds, 2)
    }
}

impl View for Race {
    fn describe_action(&self, action: Move) -> ActionText {
        let (name, text) = match action {
            Move::Step => ("step", "step ahead"),
            Move::Roll => ("roll", "roll a die"),
            Move::Pass => ("pass", "pass"),
        };
        ActionText { index: action as u32, name, args: json!({}), text: text.into() }
    }

    fn picture(&self, _seat: Option<Seat>) -> String {
        r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.into()
    }

    fn sketch(&self, _seat: Option<Seat>) -> Sketch {
        Sketch::default()
    }

    fn stories(
        &self,
        events: &[Value],
        ranges: &[Range<usize>],
        _: Option<Seat>,
        _: bool,
    ) -> Vec<Vec<StoryLine>> {
        let line = |event: usize| StoryLine { event, level: 0, text: events[event]["face"].to_string() };
        ranges.iter().map(|range| range.clone().map(line).collect()).collect()
    }

    fn place_name(&self, place: &str) -> Option<String> {
        (place == "goal").then(|| "the goal".into())
    }

    fn scenario_sheet(scenario: &Infallible) -> Sheet {
        match *scenario {}
    }

    fn scenario_picture(scenario: &Infallible) -> Result<String, SetupError> {
        match *scenario {}
    }
}

impl Tally for Race {
    const HITS: &'static str = "places";
    const LOSSES: &'static str = "nothing";

    fn draw_kind(event: &Value) -> Option<DrawKind> {
        event.get("face").map(|_| DrawKind::Dice)
    }

    fn count(&self, _past: &[Value], events: &[Value]) -> Counts {
        let mut counts = Counts::default();
        for event in events {
            counts.hits[usize::from(self.turn)] += event["face"].as_u64().unwrap_or(0) as u32;
        }
        counts
    }
}

/// Takes the last action of the list.
#[derive(Clone, Debug, Default)]
pub struct Hasty;

impl Bot<Race> for Hasty {
    fn decide(&mut self, _: &Seen<'_, Race>, legal: &[Move], _: &mut dyn FnMut(u32) -> u32) -> usize {
        legal.len() - 1
    }
}

impl HasBots for Race {
    type Greedy = Hasty;
    const GREEDY: (&'static str, &'static str) = ("hasty", "the last action of the list");

    fn evaluate(&self, shares: &mut [f32]) {
        let sum: f32 = self.places[..shares.len()].iter().map(|&place| 1.0 + f32::from(place)).sum();
        for (share, &place) in shares.iter_mut().zip(&self.places) {
            *share = (1.0 + f32::from(place)) / sum;
        }
    }

    fn stretch(&self) -> u32 {
        self.round / 4
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Purpose, Stream, conformance};

    use super::*;

    #[test]
    fn the_test_game_keeps_the_contract() {
        for seed in 0..20 {
            let start = Race::create(3, &json!({}), &mut Stream::new(seed, Purpose::Game, 0)).unwrap();
            assert!(conformance::check(&start, seed, 1000).unwrap().finished);
            conformance::keep_the_spec(3, seed, &json!({}), 1000, |state: &Race, action| {
                let text = state.describe_action(action);
                (text.name, text.args)
            });
        }
    }

    #[test]
    fn the_test_game_keeps_to_what_is_seen() {
        for seed in 0..20 {
            let differed =
                conformance::keep_to_what_is_seen(3, seed, &json!({}), |_: &Race| Ok(()), View::picture);
            assert!(differed > 10, "{differed}");
        }
    }

    #[test]
    fn a_bot_sees_its_own_secret_only() {
        let state = Race::create(3, &json!({}), &mut Stream::new(1, Purpose::Game, 0)).unwrap();
        let seen = Seen::new(&state, Seat(1));
        assert_eq!(seen.seat(), Seat(1));
        assert_eq!(seen.look().secrets, [0, state.secrets[1], 0, 0, 0]);
    }
}
