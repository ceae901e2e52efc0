//! From anything one can write down to a state that can be played: the only door.

use sengoku_kernel::{Chance, Logged, Purpose, SetupError, Stream, read_setup};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data::{MAX_CLANS, RONIN};
use crate::event::Event;
use crate::map::Map;
use crate::position::on_map;
use crate::state::{Options, State};

/// Rounds after which a match ends without a result unless the host says otherwise (SW-R-81).
pub const MAX_ROUNDS: u16 = 100;

/// Options of a match; all of them have defaults.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Victory is looked at only at the end of a round (SW-LONG-01).
    pub long_game: Option<bool>,
    /// Armies may be attacked in round 1 of a two-player game (SW-TWO-07).
    pub two_player_early_attacks: Option<bool>,
    /// The host's cap on rounds; [`MAX_ROUNDS`] unless said otherwise.
    pub max_rounds: Option<u16>,
    /// A custom map: a text in the format of `data/map.toml`.
    pub map: Option<String>,
    /// A state as [`sengoku_kernel::Game::describe`] gives it, to begin from.
    pub position: Option<Value>,
}

impl Setup {
    /// Checks the setup for this number of players.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn prepare(&self, seats: usize) -> Result<Start, SetupError> {
        if !(2..=5).contains(&seats) {
            return Err(SetupError::new("seats", format!("{seats} players, 2 to 5 can play")));
        }
        let map = match &self.map {
            Some(text) => Map::parse(text).map_err(|error| error.within("map"))?,
            None => Map::standard(),
        };
        let Some(position) = &self.position else {
            let options = self.options(Options {
                seats: seats as u8,
                long_game: false,
                two_player_early_attacks: false,
                max_rounds: MAX_ROUNDS,
            });
            options.check()?;
            return Ok(Start::Deal { map, options });
        };
        let mut state = read_position(map, position).map_err(|error| error.within("position"))?;
        if usize::from(state.options.seats) != seats {
            let reason = format!("{} players in the position, {seats} at the table", state.options.seats);
            return Err(SetupError::new("position.options.seats", reason));
        }
        state.options = self.options(state.options);
        state.options.check()?;
        state.check().map_err(|error| error.within("position"))?;
        // Whether play can go on from here, also behind whatever comes first, does not hang on what the dice show.
        let behind = State { window: None, revenge: None, recovery: None, ..state };
        for start in [behind, state] {
            let begun =
                Start::Position(Box::new(start)).begin(&mut Stream::new(0, Purpose::Game, 0), &mut |_| {});
            let mut legal = Vec::new();
            begun.legal(&mut legal);
            if legal.is_empty() && !begun.is_over() {
                return Err(SetupError::new("position.point", "nothing can be decided here"));
            }
        }
        Ok(Start::Position(Box::new(state)))
    }

    /// Options with what this setup says about them.
    fn options(&self, options: Options) -> Options {
        Options {
            long_game: self.long_game.unwrap_or(options.long_game),
            two_player_early_attacks: self
                .two_player_early_attacks
                .unwrap_or(options.two_player_early_attacks),
            max_rounds: self.max_rounds.unwrap_or(options.max_rounds),
            ..options
        }
    }
}

/// A setup that has been checked.
#[derive(Clone, Debug)]
pub enum Start {
    /// Cards are dealt.
    Deal {
        /// The board.
        map: &'static Map,
        /// Options of the match.
        options: Options,
    },
    /// Play goes on from a position.
    Position(Box<State>),
}

impl Start {
    /// A match at its first decision.
    pub fn begin(&self, chance: &mut impl Chance, log: &mut impl FnMut(Event)) -> State {
        let mut context = Logged(chance, log);
        match self {
            Self::Deal { map, options } => State::deal(map, *options, &mut context),
            Self::Position(position) => {
                let mut state = **position;
                state.run(&mut context);
                state
            }
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), SetupError> {
        if self.max_rounds == 0 {
            return Err(SetupError::new("max_rounds", "0 rounds, a match has at least 1"));
        }
        if self.long_game && self.seats == 2 {
            return Err(SetupError::new("long_game", "true with 2 players, it is for 3 to 5 (SW-LONG-01)"));
        }
        if self.two_player_early_attacks && self.seats != 2 {
            let reason = format!("true with {} players, it is for 2 (SW-TWO-07)", self.seats);
            return Err(SetupError::new("two_player_early_attacks", reason));
        }
        Ok(())
    }
}

/// Reads a position; the clans that do not play are filled in, what is only there to be read is left out.
fn read_position(map: &'static Map, position: &Value) -> Result<State, SetupError> {
    let mut position = position.clone();
    if let Some(table) = position.as_object_mut() {
        check_cards(table.shift_remove("cards").as_ref())?;
        if let Some(clans) = table.get_mut("clans").and_then(Value::as_array_mut) {
            if clans.len() > MAX_CLANS {
                return Err(SetupError::new(
                    "clans",
                    format!("{} clans, at most {MAX_CLANS} play", clans.len()),
                ));
            }
            while clans.len() < MAX_CLANS {
                clans.push(Value::Object(serde_json::Map::new()));
            }
        }
    }
    let mut state: State = on_map(map, || read_setup(&position))?;
    state.map = map;
    state.index_owners();
    Ok(state)
}

/// The sizes of face-down cards are there to be read; what they say follows from the provinces.
fn check_cards(cards: Option<&Value>) -> Result<(), SetupError> {
    let is_list = |list: &Value, most: usize, holds: &dyn Fn(&Value) -> bool| {
        list.as_array().is_some_and(|list| list.len() <= most && list.iter().all(holds))
    };
    let is_size = |size: &Value| size.as_u64().is_some_and(|size| size <= u64::from(RONIN));
    let is_hand = |hand: &Value| hand.is_null() || is_list(hand, usize::from(RONIN), &is_size);
    if cards.is_none_or(|cards| cards.is_null() || is_list(cards, MAX_CLANS, &is_hand)) {
        return Ok(());
    }
    Err(SetupError::new("cards", "not a list of sizes for each clan"))
}
