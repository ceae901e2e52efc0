//! The contract of all games, kept by [`State`].

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use sengoku_kernel::{
    Chance, ChanceFn, Game, Logged, MAX_SEATS, Outcome, Seat, SetupError, Silent, read_setup,
};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::action::{ACTION_COUNT, Action};
use crate::data::{ClanId, WIN, income};
use crate::event::Event;
use crate::observe::OBSERVATION_SIZE;
use crate::setup::{Setup, Start};
use crate::state::{End, Point, State};

impl State {
    /// Plays an action and everything that follows from it without a decision.
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
    const NAME: &'static str = "swords";
    const RULES_VERSION: u32 = RULES_VERSION;
    const ACTION_COUNT: u32 = ACTION_COUNT;
    const OBSERVATION_SIZE: usize = OBSERVATION_SIZE;
    const SEATS: RangeInclusive<usize> = 2..=5;
    const REASONS: &'static [&'static str] = &["provinces", "last_player", "nobody_left", "round_limit"];

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
        self.deciding_clan().map(|clan| self.player(clan))
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

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.write_observation(seat, out);
    }

    /// Provinces, as shares of the number that wins; none until the cards are shown (SW-R-88).
    fn public_scores(&self, scores: &mut [f32]) {
        scores.fill(0.0);
        if matches!(self.point, Point::Divide(_)) {
            return;
        }
        for clan in (0..self.clan_count() as u8).map(ClanId) {
            scores[self.player(clan).index()] += f32::from(self.province_count(clan)) / f32::from(WIN);
        }
    }

    /// Ranks: the winner first, then by provinces, then by income. Eliminated players follow, the last eliminated
    /// first. At the round limit there is no winner and the same order holds for all.
    fn outcome(&self) -> Option<Outcome> {
        let Point::Over(end) = self.point else { return None };
        let seats = self.options.seats;
        let winner = match end {
            End::Provinces(player) | End::LastPlayer(player) => Some(player),
            End::NobodyLeft | End::RoundLimit => None,
        };
        let standing = |seat: u8| {
            let clans =
                || (0..self.clan_count() as u8).map(ClanId).filter(move |&clan| self.player(clan).0 == seat);
            let playing = || clans().filter(|&clan| self.clans[clan].out == 0);
            let provinces: u32 = playing().map(|clan| u32::from(self.province_count(clan))).sum();
            let koku: u32 = playing().map(|clan| u32::from(income(self.province_count(clan)))).sum();
            let out = match playing().next() {
                Some(_) => u8::MAX,
                None => clans().map(|clan| self.clans[clan].out).max().unwrap_or(0),
            };
            (winner == Some(seat), out, provinces, koku)
        };
        let mut ranks: ArrayVec<u8, MAX_SEATS> = ArrayVec::new();
        for seat in 0..seats {
            let better = (0..seats).filter(|&other| standing(other) > standing(seat)).count();
            ranks.push(1 + better as u8);
        }
        if end == End::NobodyLeft {
            ranks.iter_mut().for_each(|rank| *rank = 1); // a draw (SW-R-80)
        }
        Some(Outcome {
            ranks,
            by_rule: end != End::RoundLimit,
            reason: end.reason(),
            rounds: u32::from(self.round),
            scores: (0..seats).map(|seat| standing(seat).2.cast_signed()).collect(),
        })
    }

    fn index_of(action: Action) -> u32 {
        action.index()
    }

    fn action_at(index: u32) -> Option<Action> {
        Action::at(index)
    }
}
