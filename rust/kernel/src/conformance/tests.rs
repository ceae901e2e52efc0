use std::ops::RangeInclusive;

use super::*;
use crate::spec::{ActionKind, Axis, Layout};
use crate::{DecodeError, Outcome, Reader, RuleError, Spec, Writer, read_setup};
use serde::{Deserialize, Serialize};

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
        Spec::new::<Self>(layout, vec![ActionKind::new("move", "One ahead, or as a die says.").of(moves)], 2)
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
