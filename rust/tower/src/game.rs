//! The contract of all games, kept by [`State`].

use std::ops::RangeInclusive;

use sengoku_kernel::cube_tower::Parameters;
use sengoku_kernel::{
    ActionText, AnyScenario, Chance, ChanceFn, DecodeError, Game, Logged, Outcome, Reader, ScenarioFile,
    Seat, SetupError, Silent, Spec, Writer, read_setup,
};
use serde_json::{Value, json};

use crate::RULES_VERSION;
use crate::action::{ACTION_COUNT, Action};
use crate::board::Board;
use crate::event::Event;
use crate::observe::OBSERVATION_SIZE;
use crate::position::on_board;
use crate::setup::{Setup, Start, keep_tower};
use crate::sheet;
use crate::state::{End, Point, State};

const TAG: &str = "TOWR";

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
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "board_file", text_option: "board", mark: "sun" });

    fn scenarios() -> Vec<Box<dyn AnyScenario>> {
        sheet::all()
    }

    fn read_scenario(text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
        sheet::read(text)
    }

    fn spec() -> Spec {
        crate::spec::spec()
    }

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

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.write_observation(seat, out);
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

    fn describe(&self, seat: Option<Seat>) -> Value {
        self.table(seat)
    }

    fn describe_action(&self, action: Action) -> ActionText {
        self.in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        self.drawn(seat)
    }

    /// Points by source and year, seat by seat.
    fn account(&self) -> Value {
        let seats = self.everyone().map(|seat| {
            let player = &self.players[seat];
            let years = player.tally.iter().take(self.year.into()).map(|tally| {
                let mut table = serde_json::to_value(tally).unwrap_or(Value::Null);
                table["total"] = tally.total().into();
                table
            });
            let years: Vec<Value> = years.collect();
            json!({ "score": player.score, "chests": player.chests, "years": years })
        });
        on_board(self.board, || seats.collect())
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, RULES_VERSION);
        writer.u64(self.board.digest());
        self.parameters.encode(&mut writer);
        writer.value(self);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, TAG, RULES_VERSION)?;
        let board = Board::by_digest(reader.u64()?)?;
        let parameters = keep_tower(Parameters::decode(&mut reader)?)
            .map_err(|error| DecodeError::inconsistent("parameters", error.to_string()))?;
        let mut state: Self = reader.value("state")?;
        reader.finish()?;
        (state.board, state.parameters) = (board, parameters);
        state.index_owners();
        state.check().map_err(|error| DecodeError::inconsistent("state", error.to_string()))?;
        if state.encode() != bytes {
            return Err(DecodeError::inconsistent("state", "not as a state is written"));
        }
        Ok(state)
    }
}
