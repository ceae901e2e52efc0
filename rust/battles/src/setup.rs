//! From anything one can write down to a state that can be played: the only door (COMP-05, SCEN-01).

use sengoku_kernel::{Chance, List, Logged, Purpose, SetupError, Stored, Stream, from_hex};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cards::Deck;
use crate::combat::Combat;
use crate::data::{BySide, FULL_BLOCKS, LeaderKind, Side};
use crate::event::Event;
use crate::pieces::{Leader, Unit};
use crate::play::Step;
use crate::position::Undealt;
use crate::scenario::{MAX_HELD, Scenario, Special};
use crate::state::{Index, Mover, Options, State, Trackers, Turn};

/// Players of a battle.
const SEATS: usize = 2;
/// The host's cap on rounds unless he says otherwise; battles of random moves take far fewer.
pub const MAX_ROUNDS: u16 = 1000;

/// Options of a match; all of them have defaults.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Number of the battle, 1 unless said otherwise.
    pub scenario: Option<u16>,
    /// A custom battle: a text in the format of `data/deployments/FORMAT.md`.
    pub scenario_text: Option<String>,
    /// Number of the first of two linked battles that are both fought (BT-SCEN-20, DP-35).
    pub campaign: Option<u16>,
    /// The host's cap on rounds (BT-R-21).
    pub max_rounds: Option<u16>,
    /// A position at the start of a turn, as [`sengoku_kernel::Game::describe`] gives it, or any state as the text that
    /// [`sengoku_kernel::Game::position`] gives.
    pub position: Option<Value>,
}

impl Setup {
    /// Checks the setup for this number of players.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn prepare(&self, seats: usize) -> Result<Start, SetupError> {
        if seats != SEATS {
            return Err(SetupError::new("seats", format!("{seats} players, a battle has 2")));
        }
        let (scenario, campaign) = self.battle()?;
        let max_rounds = self.max_rounds.unwrap_or(MAX_ROUNDS);
        if max_rounds == 0 {
            return Err(SetupError::new("max_rounds", "0 rounds, a match has at least 1"));
        }
        let options = Options { campaign, max_rounds };
        let Some(position) = &self.position else {
            return Ok(Start { state: Box::new(State::deployed(scenario, options)), undealt: None });
        };
        if let Value::String(text) = position {
            return self.resume(scenario, campaign, text);
        }
        let (state, undealt) =
            State::positioned(scenario, options, position).map_err(|error| error.within("position"))?;
        let start = Start { state: Box::new(state), undealt: Some(undealt) };
        // What chance brings does not decide whether the position is sound.
        let begun = start.begin(&mut Stream::new(0, Purpose::Game, 0), &mut |_| {});
        begun.check().map_err(|error| error.within("position"))?;
        Ok(start)
    }

    /// A battle that goes on where a text says it stands.
    fn resume(&self, scenario: &Scenario, campaign: bool, text: &str) -> Result<Start, SetupError> {
        let wrong = |reason: String| SetupError::new("position", reason);
        let state = from_hex(text).and_then(|bytes| State::decode(&bytes));
        let mut state = state.map_err(|error| wrong(error.to_string()))?;
        let named = (&self.scenario, &self.scenario_text, &self.campaign) != (&None, &None, &None);
        let second = scenario.second().filter(|_| campaign);
        let (fought, agreed) = (state.scenario.number, (scenario.digest(), campaign));
        let same = (state.scenario.digest(), state.options.campaign) == agreed;
        if named && !same && !(state.options.campaign && second == Some(fought)) {
            return Err(wrong(format!("it is of battle {fought}, the setup is of {}", scenario.number)));
        }
        state.options.max_rounds = self.max_rounds.unwrap_or(state.options.max_rounds);
        Ok(Start { state: Box::new(state), undealt: None })
    }

    /// The battle that is fought first, and whether another one follows.
    fn battle(&self) -> Result<(&'static Scenario, bool), SetupError> {
        let known = |field: &str, number: u16| {
            Scenario::by_number(number).ok_or_else(|| {
                SetupError::new(field, format!("there is no battle {number}, there are 1 to 40"))
            })
        };
        match (self.scenario, &self.scenario_text, self.campaign) {
            (Some(number), None, None) => Ok((known("scenario", number)?, false)),
            (None, None, None) => {
                let of_position =
                    self.position.as_ref().and_then(|position| position.get("scenario")?.as_u64());
                let number = of_position.map_or(1, |number| u16::try_from(number).unwrap_or(u16::MAX));
                Ok((known("scenario", number)?, false))
            }
            (None, Some(text), None) => {
                Ok((Scenario::parse(text).map_err(|error| error.within("scenario_text"))?, false))
            }
            (None, None, Some(number)) => {
                let scenario = known("campaign", number)?;
                if scenario.second().is_none() {
                    let reason = format!("no campaign begins with battle {number}, only with 18 and 39");
                    return Err(SetupError::new("campaign", reason));
                }
                Ok((scenario, true))
            }
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                Err(SetupError::new("campaign", "a campaign names its battles by itself"))
            }
            (Some(_), Some(_), None) => {
                Err(SetupError::new("scenario_text", "scenario names a battle already"))
            }
        }
    }
}

/// A setup that has been checked: a state before its first step.
#[derive(Clone, Debug)]
pub struct Start {
    state: Box<State>,
    /// Cards of a position that are left to chance, command and dragon.
    undealt: Option<[Undealt; 2]>,
}

impl Start {
    /// A match at its first decision.
    pub fn begin(&self, chance: &mut impl Chance, log: &mut impl FnMut(Event)) -> State {
        let mut state = *self.state;
        if let Some([command, dragon]) = self.undealt {
            let armies = &state.scenario.armies.0;
            let (commands, dragons) = (
                armies.each_ref().map(|army| army.command_cards),
                armies.each_ref().map(|army| army.dragon_cards),
            );
            command.deal(&mut state.command, commands, &mut state.draws, chance);
            dragon.deal(&mut state.dragon, dragons, &mut state.draws, chance);
        }
        // A match that is over has told how it ended.
        if state.decided.is_none() {
            state.run(&mut Logged(chance, log));
        }
        state
    }
}

impl State {
    /// A battle with its pieces on the board, before cards are dealt (BT-COMP-05).
    pub(crate) fn deployed(scenario: &'static Scenario, options: Options) -> Self {
        let mut state = Self::empty(scenario, options);
        for piece in &scenario.pieces {
            let (side, hex) = (piece.side, piece.hex);
            if let Some(kind) = piece.unit {
                state.place_unit(Unit { hex, side, kind, blocks: FULL_BLOCKS });
            }
            if let Some(kind) = piece.leader {
                let was_commander = kind == LeaderKind::Commander;
                state.place_leader(Leader {
                    hex,
                    side,
                    kind,
                    was_commander,
                    present: true,
                    name: piece.name,
                });
            }
        }
        state.hold_units();
        state.push(Step::Deal);
        state
    }

    /// A board without pieces, hands without cards.
    pub(crate) fn empty(scenario: &'static Scenario, options: Options) -> Self {
        Self {
            scenario,
            options,
            active: Side::Top,
            first: Side::Top,
            round: 0,
            agenda: List::default(),
            decided: None,
            units: List::default(),
            leaders: List::default(),
            tents: BySide(scenario.tents.0.map(|tent| tent.is_some())),
            command: Deck::default(),
            dragon: Deck::default(),
            honor: BySide::default(),
            tokens: 0,
            banners: BySide::default(),
            last: BySide::default(),
            turn: Turn::default(),
            mover: Mover::default(),
            combat: Combat::default(),
            trackers: Trackers::default(),
            first_battle: None,
            draws: 0,
            index: Index::default(),
        }
    }

    /// Units that wait for a card of their own, where they stand at the start (BT-SCEN-16).
    pub(crate) fn hold_units(&mut self) {
        let rules = self.scenario.special.iter().filter_map(|special| match *special {
            Special::Held { side, hexes, .. } => Some((side, hexes)),
            _ => None,
        });
        for (place, (side, hexes)) in rules.enumerate().take(MAX_HELD) {
            self.trackers.held[place] = self.units_on(side, hexes);
        }
    }

    /// The second battle of the campaign that is fought, if this is the first.
    pub(crate) fn second_battle(&self) -> Option<&'static Scenario> {
        self.scenario.second().filter(|_| self.options.campaign).and_then(Scenario::by_number)
    }
}
