//! The contract of all games, kept by [`State`].

use std::ops::RangeInclusive;

use sengoku_kernel::{
    ActionText, AnyScenario, Chance, ChanceFn, DecodeError, Game, Logged, Outcome, Reader, ScenarioFile,
    Seat, SetupError, Silent, Sketch, Spec, Writer, read_setup, to_hex,
};
use serde_json::Value;

use crate::RULES_VERSION;
use crate::action::{ACTION_COUNT, Action};
use crate::data::Side;
use crate::event::{Context, Event};
use crate::observe::OBSERVATION_SIZE;
use crate::scenario::{self, Scenario};
use crate::setup::{Setup, Start};
use crate::state::State;

const TAG: &str = "BATL";

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
    const SCENARIO_FILE: Option<ScenarioFile> =
        Some(ScenarioFile { option: "scenario_file", text_option: "scenario_text", mark: "deployment" });

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

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.write_observation(seat, out);
    }

    /// The winner is first; at the host's cap who has more banners (BT-R-21). The scores are banners.
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

    fn describe(&self, seat: Option<Seat>) -> Value {
        self.table(seat)
    }

    fn describe_action(&self, action: Action) -> ActionText {
        self.in_words(action)
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        self.drawn(seat)
    }

    fn sketch(&self, _seat: Option<Seat>) -> Sketch {
        self.sketched()
    }

    fn scenarios() -> Vec<Box<dyn AnyScenario>> {
        scenario::all().iter().map(|battle| Box::new(battle) as Box<dyn AnyScenario>).collect()
    }

    fn scenario_remarks() -> Vec<String> {
        scenario::remarks()
    }

    fn read_scenario(text: &str) -> Result<Box<dyn AnyScenario>, SetupError> {
        Ok(Box::new(Scenario::read(text)?))
    }

    /// A text, because a table says only how a turn begins.
    fn position(&self) -> Value {
        to_hex(&self.encode()).into()
    }

    fn draws(&self) -> u32 {
        self.draws
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::tagged(TAG, RULES_VERSION);
        writer.u64(self.scenario.digest());
        writer.value(self);
        writer.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::tagged(bytes, TAG, RULES_VERSION)?;
        let scenario = Scenario::by_digest(reader.u64()?)?;
        let mut state: Self = reader.value("state")?;
        reader.finish()?;
        state.scenario = scenario;
        state.index_pieces();
        state.check().map_err(|error| DecodeError::inconsistent("state", error.to_string()))?;
        if state.encode() != bytes {
            return Err(DecodeError::inconsistent("state", "not as a state is written"));
        }
        Ok(state)
    }
}
