//! The contract of all games, kept by [`State`].

use std::ops::RangeInclusive;

use sengoku_kernel::{
    Chance, ChanceFn, Game, Logged, Outcome, Seat, SetupError, Silent, read_setup, shuffle,
};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::action::{ACTION_COUNT, Action};
use crate::data::Side;
use crate::event::{Context, Event};
use crate::observe::OBSERVATION_SIZE;
use crate::setup::{Setup, Start};
use crate::state::State;

impl State {
    /// Plays an action and whatever follows from it by itself.
    fn play_at(&mut self, action: Action, context: &mut impl Context) {
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
    const NAME: &'static str = "battles";
    const RULES_VERSION: u32 = RULES_VERSION;
    const ACTION_COUNT: u32 = ACTION_COUNT;
    const OBSERVATION_SIZE: usize = OBSERVATION_SIZE;
    const SEATS: RangeInclusive<usize> = 2..=2;
    const REASONS: &'static [&'static str] = &["banners", "surrender", "tent", "round_limit"];

    fn prepare(seats: usize, setup: &Value) -> Result<Start, SetupError> {
        let setup: Setup = read_setup(setup)?;
        setup.prepare(seats)
    }

    fn begin(setup: &Start, chance: &mut impl Chance, log: &mut impl FnMut(Event)) -> Self {
        setup.begin(chance, log)
    }

    fn seats(&self) -> usize {
        Side::COUNT
    }

    fn to_act(&self) -> Option<Seat> {
        let &step = self.agenda.last().filter(|_| self.decided.is_none())?;
        self.decider(step).map(Side::seat)
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
        let (mut state, chance) = (*self, &mut ChanceFn(chance));
        shuffle(&mut state.command.deck, &mut 0, chance);
        shuffle(&mut state.dragon.deck, &mut 0, chance);
        state
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.write_observation(seat, out);
    }

    /// Banners, as shares of those that win.
    fn public_scores(&self, scores: &mut [f32]) {
        for (score, side) in scores.iter_mut().zip(Side::ALL) {
            let needed = self.scenario.banners_to_win[side].max(1);
            *score = f32::from(self.banner_count(side)) / f32::from(needed);
        }
    }

    /// The winner is first; at the round limit, the side with more banners (BT-R-21). The scores are banners.
    fn outcome(&self) -> Option<Outcome> {
        let decided = self.decided?;
        let banners = Side::ALL.map(|side| self.banner_count(side));
        let first = |side: Side| match decided.winner {
            Some(winner) => side == winner,
            None => banners[side.index()] >= banners[side.other().index()],
        };
        Some(Outcome {
            ranks: Side::ALL.map(|side| if first(side) { 1 } else { 2 }).into_iter().collect(),
            by_rule: decided.winner.is_some(),
            reason: decided.end.reason(),
            rounds: self.round.into(),
            scores: banners.map(i32::from).into_iter().collect(),
        })
    }

    fn index_of(action: Action) -> u32 {
        action.index()
    }

    fn action_at(index: u32) -> Option<Action> {
        Action::at(index)
    }
}
