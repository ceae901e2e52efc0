//! The contract of all games, kept by [`State`].

use std::ops::RangeInclusive;

use sengoku_kernel::{Chance, ChanceFn, Game, Logged, Outcome, Seat, SetupError, Silent, read_setup};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::action::{ACTION_COUNT, Action};
use crate::event::Event;
use crate::observe::OBSERVATION_SIZE;
use crate::setup::{Setup, Start};
use crate::state::{End, Point, State};

impl State {
    /// Plays an action and whatever follows from it by itself.
    fn play_at(&mut self, action: Action, context: &mut impl crate::event::Context) {
        self.apply(action, context);
        self.run(context);
        #[cfg(debug_assertions)]
        if let Err(error) = self.check() {
            panic!("after {action:?}: {error}\n{self:?}");
        }
    }
}

impl Game for State {
    type Action = Action;
    type Setup = Start;
    type Event = Event;
    const NAME: &'static str = "tower";
    const RULES_VERSION: u32 = RULES_VERSION;
    const ACTION_COUNT: u32 = ACTION_COUNT;
    const OBSERVATION_SIZE: usize = OBSERVATION_SIZE;
    const SEATS: RangeInclusive<usize> = 3..=5;
    const REASONS: &'static [&'static str] = &["second_winter", "round_limit"];

    fn prepare(seats: usize, setup: &Value) -> Result<Start, SetupError> {
        let setup: Setup = read_setup(setup)?;
        setup.prepare(seats)
    }

    fn begin(setup: &Start, chance: &mut impl Chance, log: &mut impl FnMut(Event)) -> Self {
        setup.begin(chance, log)
    }

    fn seats(&self) -> usize {
        usize::from(self.options.seats)
    }

    fn to_act(&self) -> Option<Seat> {
        self.deciding_seat()
    }

    fn legal_actions(&self, out: &mut Vec<Action>) {
        out.clear();
        self.legal(out);
    }

    fn play_logged(&mut self, action: Action, chance: &mut impl Chance, log: &mut impl FnMut(Event)) {
        self.play_at(action, &mut Logged(chance, log));
    }

    fn play_unchecked(&mut self, action: Action, chance: &mut impl Chance) {
        self.play_at(action, &mut Silent(chance));
    }

    fn seen_by(&self, seat: Seat) -> Self {
        self.redacted(seat)
    }

    fn resample(&self, seat: Seat, chance: &mut dyn FnMut(u32) -> u32) -> Self {
        self.imagined(seat, &mut ChanceFn(chance))
    }

    fn redraw(&self, chance: &mut dyn FnMut(u32) -> u32) -> Self {
        let mut state = *self;
        state.shuffle_unseen(&mut ChanceFn(chance));
        state
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.write_observation(seat, out);
    }

    /// Points, in units of 50.
    fn public_scores(&self, scores: &mut [f32]) {
        for (score, seat) in scores.iter_mut().zip(self.everyone()) {
            *score = f32::from(self.players[seat].score) / 50.0;
        }
    }

    /// Ranks: points, then chests; equal keys share a place (TW-END-02, TW-R-38).
    fn outcome(&self) -> Option<Outcome> {
        let Point::Over(end) = self.point else { return None };
        let better =
            |seat| self.everyone().filter(|&other| self.standing(other) > self.standing(seat)).count();
        Some(Outcome {
            ranks: self.everyone().map(|seat| 1 + better(seat) as u8).collect(),
            by_rule: end == End::SecondWinter,
            reason: end.reason(),
            rounds: self.rounds().into(),
            scores: self.everyone().map(|seat| self.players[seat].score.into()).collect(),
        })
    }

    fn index_of(action: Action) -> u32 {
        action.index()
    }

    fn action_at(index: u32) -> Option<Action> {
        Action::at(index)
    }
}
