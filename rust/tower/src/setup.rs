//! From anything one can write down to a state that can be played: the only door (TW-SETUP-01, section 33 of the ledger).

use sengoku_kernel::cube_tower::Parameters;
use sengoku_kernel::{Chance, Logged, Purpose, Registered, Registry, SetupError, Stream, read_setup};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::Board;
use crate::data::{
    COLOUR_NAMES, EVENTS, FARMER, FavourDeck, MAX_PLAYERS, MIN_PLAYERS, Mode, ROUNDS, Reveal, Side,
};
use crate::event::Event;
use crate::position::on_board;
use crate::state::{Options, State};

/// Most unrest markers in a province of a position; play adds at most three in a year.
const MAX_START_UNREST: u8 = 3;
/// Most chests, rice or points of a player in a position.
const MAX_START_COUNT: u16 = 1000;

/// Options of a match; all of them have defaults.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Side of the board, `sun` unless said otherwise.
    pub side: Option<Side>,
    /// `fixed` or `draft`; on the sun side `fixed` unless said otherwise, on the moon side there is only `draft`.
    pub mode: Option<Mode>,
    /// Whether the expansion is played with; not unless said otherwise.
    pub court: Option<bool>,
    /// Colours of the seats by name.
    pub colours: Option<Vec<String>>,
    /// When planned cards are turned up: `sequential` or `per_action` (TW-R-11).
    pub reveal: Option<Reveal>,
    /// Whether a player may choose not to move in `BATTLE_A` and `BATTLE_B` (TW-R-17).
    pub allow_zero_move: Option<bool>,
    /// Rice lost to event 12: 4, or 1 as printed on the card (TW-R-21).
    pub event12_rice_loss: Option<u8>,
    /// Probability that a cube falls out of the tower after a battle (TW-R-31).
    pub bump_probability: Option<f64>,
    /// `open_top` or `hidden` (CT-R-01).
    pub favour_deck: Option<FavourDeck>,
    /// The tower: the name of a set of parameters, or a table of shelves (TW-TOWER-35).
    pub tower_model: Option<Value>,
    /// The host's cap on rounds, winters included; a match has 8.
    pub max_rounds: Option<u16>,
    /// A custom board: a text in the format of `data/tower_boards.toml`.
    pub board: Option<String>,
    /// A state as [`sengoku_kernel::Game::describe`] gives it, to begin from.
    pub position: Option<Value>,
}

impl Setup {
    /// Checks the setup for this number of players.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn prepare(&self, seats: usize) -> Result<Start, SetupError> {
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&seats) {
            return Err(SetupError::new("seats", format!("{seats} players, 3 to 5 can play")));
        }
        let board = match &self.board {
            Some(text) => Board::parse(text).map_err(|error| error.within("board"))?,
            None => Board::standard(),
        };
        let Some(position) = &self.position else {
            let side = self.side.unwrap_or_default();
            let default_mode = if side == Side::Sun { Mode::Fixed } else { Mode::Draft };
            let options = self.options(
                board,
                Options {
                    seats: seats as u8,
                    colours: std::array::from_fn(|seat| seat as u8),
                    side,
                    mode: default_mode,
                    court: false,
                    reveal: Reveal::Sequential,
                    allow_zero_move: false,
                    event12_rice_loss: board.event(EVENTS as u8).rice_loss,
                    bump_65536: None,
                    favour_deck: FavourDeck::OpenTop,
                    max_rounds: ROUNDS,
                },
            )?;
            let parameters = self.tower_model.as_ref().map_or_else(|| Ok(standard_tower()), read_tower)?;
            return Ok(Start::Deal { board, parameters, options });
        };
        self.prepare_position(seats, board, position)
    }

    fn prepare_position(
        &self,
        seats: usize,
        board: &'static Board,
        position: &Value,
    ) -> Result<Start, SetupError> {
        let mut state = read_position(board, position).map_err(|error| error.within("position"))?;
        if usize::from(state.options.seats) != seats {
            let reason = format!("{} players in the position, {seats} at the table", state.options.seats);
            return Err(SetupError::new("position.options.seats", reason));
        }
        state.options = self.options(board, state.options)?;
        if let Some(model) = &self.tower_model {
            state.parameters = read_tower(model)?;
        }
        state.check().map_err(|error| error.within("position"))?;
        check_start(&state).map_err(|error| error.within("position"))?;
        // Whether play can go on from here does not hang on what chance brings.
        let begun =
            Start::Position(Box::new(state)).begin(&mut Stream::new(0, Purpose::Game, 0), &mut |_| {});
        let mut legal = Vec::new();
        begun.legal(&mut legal);
        if legal.is_empty() && !begun.is_over() {
            return Err(SetupError::new("position.point", "nothing can be decided here"));
        }
        Ok(Start::Position(Box::new(state)))
    }

    /// Options with what this setup says about them.
    fn options(&self, board: &Board, options: Options) -> Result<Options, SetupError> {
        let wrong = |field: &str, reason: String| Err(SetupError::new(field, reason));
        let mut options = Options {
            side: self.side.unwrap_or(options.side),
            mode: self.mode.unwrap_or(options.mode),
            court: self.court.unwrap_or(options.court),
            reveal: self.reveal.unwrap_or(options.reveal),
            allow_zero_move: self.allow_zero_move.unwrap_or(options.allow_zero_move),
            event12_rice_loss: self.event12_rice_loss.unwrap_or(options.event12_rice_loss),
            favour_deck: self.favour_deck.unwrap_or(options.favour_deck),
            max_rounds: self.max_rounds.unwrap_or(options.max_rounds),
            ..options
        };
        if options.side == Side::Moon && options.mode == Mode::Fixed {
            return wrong("mode", "\"fixed\" exists only for the sun side (TW-SETUP-01)".into());
        }
        if let Some(colours) = &self.colours {
            options.colours = read_colours(colours, usize::from(options.seats))?;
        }
        if let Some(probability) = self.bump_probability {
            if !(0.0..=1.0).contains(&probability) {
                return wrong("bump_probability", format!("{probability}, 0 to 1 are possible"));
            }
            options.bump_65536 = (probability > 0.0).then_some((probability * 65_536.0).floor() as u32);
        }
        let event12 = board.event(EVENTS as u8);
        let known = [Some(event12.rice_loss), event12.rice_loss_printed_card];
        if !known.contains(&Some(options.event12_rice_loss)) {
            let known: Vec<String> = known.iter().flatten().map(u8::to_string).collect();
            let reason = format!("{}, {} are possible", options.event12_rice_loss, known.join(" and "));
            return wrong("event12_rice_loss", reason);
        }
        if options.max_rounds == 0 {
            return wrong("max_rounds", "0 rounds, a match has at least 1".into());
        }
        Ok(options)
    }
}

/// Colours by name, the seats' first and then those that nobody has.
pub(crate) fn read_colours(names: &[String], seats: usize) -> Result<[u8; MAX_PLAYERS], SetupError> {
    if names.len() != seats {
        return Err(SetupError::new("colours", format!("{} colours for {seats} players", names.len())));
    }
    let mut colours: Vec<u8> = Vec::new();
    for name in names {
        let at = COLOUR_NAMES[..usize::from(FARMER)].iter().position(|known| known == name);
        match at.map(|at| at as u8).filter(|at| !colours.contains(at)) {
            Some(colour) => colours.push(colour),
            None => return Err(SetupError::new("colours", format!("{name:?} is not a colour or is taken"))),
        }
    }
    let rest: Vec<u8> = (0..FARMER).filter(|colour| !colours.contains(colour)).collect();
    colours.extend(rest);
    Ok(std::array::from_fn(|seat| colours[seat]))
}

/// Parameters of towers; states are stored with the whole of theirs.
struct Tower(Parameters);

static TOWERS: Registry<Tower> = Registry::new(|| vec![Tower(Parameters::default())]);

impl Registered for Tower {
    const NAME: &'static str = "tower";
    const MOST: usize = 1024;

    fn is_same(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn digest(&self) -> Option<u64> {
        None
    }
}

/// The parameters that are used when nobody says otherwise.
pub(crate) fn standard_tower() -> &'static Parameters {
    &TOWERS.standard()[0].0
}

/// Parameters that stay as long as the process.
pub(crate) fn keep_tower(parameters: Parameters) -> Result<&'static Parameters, SetupError> {
    TOWERS.register(Tower(parameters)).map(|registered| &registered.0)
}

fn read_tower(model: &Value) -> Result<&'static Parameters, SetupError> {
    let parameters = Parameters::from_json(model).and_then(keep_tower);
    parameters.map_err(|error| error.within("tower_model"))
}

/// A setup that has been checked.
#[derive(Clone, Debug)]
pub enum Start {
    /// A match from its beginning.
    Deal {
        /// Board and cards.
        board: &'static Board,
        /// Numbers of the tower.
        parameters: &'static Parameters,
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
        let mut state = match self {
            Self::Deal { board, parameters, options } => {
                State::deal(board, parameters, *options, &mut context)
            }
            Self::Position(position) => **position,
        };
        state.run(&mut context);
        state
    }
}

/// Checks limits of a position that are stricter than the invariants, so that the invariants hold in later play.
fn check_start(state: &State) -> Result<(), SetupError> {
    for seat in state.everyone() {
        let player = &state.players[seat];
        for (name, value) in [("chests", player.chests), ("rice", player.rice), ("score", player.score)] {
            if value > MAX_START_COUNT {
                let reason = format!("{value}, at most {MAX_START_COUNT} in a position");
                return Err(SetupError::new(format!("players[{}].{name}", seat.0), reason));
            }
        }
    }
    for province in crate::data::ProvinceId::all() {
        let unrest = state.provinces[province].unrest;
        if unrest > MAX_START_UNREST {
            let field = format!("provinces.{}.unrest", state.board.key(province));
            return Err(SetupError::new(
                field,
                format!("{unrest}, at most {MAX_START_UNREST} in a position"),
            ));
        }
    }
    Ok(())
}

/// Reads a position; players that do not play are filled in, what is only there to be read is left out.
fn read_position(board: &'static Board, position: &Value) -> Result<State, SetupError> {
    let mut position = position.clone();
    let mut parameters = standard_tower();
    if let Some(table) = position.as_object_mut() {
        for derived in ["inside", "tiles", "used_events", "phase"] {
            table.shift_remove(derived);
        }
        if let Some(model) = table.shift_remove("tower_model") {
            parameters = read_tower(&model)?;
        }
        if let Some(players) = table.get_mut("players").and_then(Value::as_array_mut) {
            if players.len() > MAX_PLAYERS {
                let reason = format!("{} players, at most {MAX_PLAYERS} play", players.len());
                return Err(SetupError::new("players", reason));
            }
            players.resize(MAX_PLAYERS, Value::Object(serde_json::Map::new()));
        }
    }
    let mut state: State = on_board(board, || read_setup(&position))?;
    (state.board, state.parameters) = (board, parameters);
    state.index_owners();
    Ok(state)
}
