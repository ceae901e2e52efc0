//! Battlefields for tests: pieces by their codes, dice by their letters.
//!
//! The top army is active and all its units are ordered. Nobody has cards unless a test gives him some, so no window opens.

use sengoku_kernel::{Logged, Scripted};

use crate::action::Action;
use crate::board::HexId;
use crate::cards::Effective;
use crate::combat::Combat;
use crate::data::{CommandCard, DragonCard, FULL_BLOCKS, Face, LeaderKind, Side, UnitKind};
use crate::event::Event;
use crate::pieces::{Leader, Unit, UnitId};
use crate::play::Step;
use crate::scenario::Scenario;
use crate::state::{Options, State};

/// Both sides have a forest at (3,1) and (7,1), hills, castles, buildings and fences in every second hex of that row.
const BATTLE: &str = r#"
name = "proving ground"
flags_to_win = 9
first_player = "top"
[top]
name = "red"
command_cards = 5
dragon_cards = 2
honor = 5
[bottom]
name = "blue"
command_cards = 5
dragon_cards = 2
honor = 5
[deployment]
basis = "made for tests"
narrative = "made for tests"
terrain = [
  ".....t......", "..........r", "............", ".f.h.C.B.#.", "............", "...........",
  "............", ".f.h.C.B.#.", "............", "r..........", "......t.....",
]
top = ["ASp@0,0", "ASp@0,1", "ASp@0,2", "ASp@0,3", "ASp@0,4", "ASp@0,7", "ASp@0,8", "ASp@0,9", "AB@0,10"]
bottom = ["ASp@10,0", "ASp@10,1", "ASp@10,2", "ASp@10,3", "ASp@10,4", "ASp@10,7", "ASp@10,8", "ASp@10,9", "AB@10,10"]
tents = { top = [0,5], bottom = [10,6] }
"#;

/// A state and its log of events.
pub(crate) struct TestField {
    pub(crate) state: State,
    pub(crate) log: Vec<Event>,
}

/// A hex by its row and place.
pub(crate) fn at(text: &str) -> HexId {
    HexId::parse(text).unwrap()
}

/// The action that names a hex.
pub(crate) fn hex(text: &str) -> Action {
    Action::Hex(at(text))
}

impl TestField {
    /// A field with pieces such as `SSp+LF@3,4`, `LI/1@4,4` (one block), `LM@0,6` or `AC+BG@0,5`.
    pub(crate) fn new(top: &[&str], bottom: &[&str]) -> Self {
        let scenario = Scenario::parse(BATTLE).unwrap();
        let mut state = State::empty(scenario, Options { campaign: false, max_rounds: 10 });
        for (side, pieces) in [(Side::Top, top), (Side::Bottom, bottom)] {
            for piece in pieces {
                place(&mut state, side, piece);
            }
            state.honor[side] = 5;
        }
        state.turn.ordered = state.units_of(Side::Top);
        let mut field = Self { state, log: Vec::new() };
        field.command(CommandCard::SnakeCommand);
        field.state.push(Step::PlayCommand); // a question that is always asked: where the test ends
        field
    }

    /// Sets the command card of the turn.
    pub(crate) fn command(&mut self, card: CommandCard) {
        self.state.turn.command = Some(card);
        self.state.turn.effective = Some(Effective { card, slots: card.slots() });
    }

    /// Adds dragon cards to the hand of a side.
    pub(crate) fn give(&mut self, side: Side, cards: &[DragonCard]) {
        for &card in cards {
            self.state.dragon.hands[side].push(card);
        }
    }

    /// Adds command cards to the hand of a side.
    pub(crate) fn give_commands(&mut self, side: Side, cards: &[CommandCard]) {
        for &card in cards {
            self.state.command.hands[side].push(card);
        }
    }

    /// Begins the battle phase and plays.
    pub(crate) fn battle(&mut self, actions: &[Action], dice: &str) {
        self.state.push(Step::Battle);
        self.play(actions, dice);
    }

    /// Plays legal actions; windows in which they are not legal are passed. The dice are faces by their letters, and
    /// draws from a hand by their digits; all must be used.
    pub(crate) fn play(&mut self, actions: &[Action], dice: &str) {
        self.play_on(actions, false, dice);
    }

    /// Plays legal actions, and passes the windows that follow, too.
    pub(crate) fn play_through(&mut self, actions: &[Action], dice: &str) {
        self.play_on(actions, true, dice);
    }

    fn play_on(&mut self, actions: &[Action], through: bool, dice: &str) {
        let draw = |letter: char| match Face::of_letter(letter) {
            Some(face) => face as u32,
            None => letter.to_digit(10).unwrap(),
        };
        let rolls: Vec<u32> = dice.chars().filter(|letter| !letter.is_whitespace()).map(draw).collect();
        let mut chance = Scripted::new(&rolls);
        let log = &mut self.log;
        let mut push = |event| log.push(event);
        let mut context = Logged(&mut chance, &mut push);
        self.state.run(&mut context);
        let mut actions = actions.iter().copied().peekable();
        loop {
            let mut legal = Vec::new();
            self.state.legal(&mut legal);
            let step = self.state.agenda.last();
            let is_window = matches!(step, Some(Step::Window { .. })) && self.state.decided.is_none();
            let action = match actions.peek() {
                Some(action) if legal.contains(action) => actions.next().unwrap(),
                Some(_) if is_window => Action::Pass,
                None if is_window && through => Action::Pass,
                Some(action) => panic!("{action:?} is not among {legal:?} of {step:?}"),
                None => break,
            };
            self.state.apply(action, &mut context);
            self.state.run(&mut context);
        }
        assert!(chance.is_exhausted(), "dice are left of {dice}");
    }

    /// The legal actions.
    pub(crate) fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        self.state.legal(&mut legal);
        legal
    }

    /// Whether all is done that a test began.
    pub(crate) fn is_done(&self) -> bool {
        *self.state.agenda == [Step::PlayCommand] && self.state.combat == Combat::default()
    }

    /// The unit in a hex.
    pub(crate) fn unit(&self, hex: &str) -> UnitId {
        self.state.unit_at(at(hex)).unwrap_or_else(|| panic!("no unit in {hex}"))
    }

    /// Blocks of the unit in a hex, 0 for none.
    pub(crate) fn blocks(&self, hex: &str) -> u8 {
        self.state.unit_at(at(hex)).map_or(0, |unit| self.state.unit(unit).blocks)
    }

    /// Whether a leader is in a hex.
    pub(crate) fn has_leader(&self, hex: &str) -> bool {
        self.state.leader_at(at(hex)).is_some()
    }

    /// Honor of top and bottom.
    pub(crate) fn honor(&self) -> [u8; 2] {
        self.state.honor.0
    }

    /// Banners of top and bottom.
    pub(crate) fn banners(&self) -> [u8; 2] {
        self.state.banners.0
    }
}

fn place(state: &mut State, side: Side, piece: &str) {
    let (pieces, place) = piece.split_once('@').unwrap();
    let hex = at(place);
    for piece in pieces.split('+') {
        let (code, blocks) = piece.split_once('/').unwrap_or((piece, "4"));
        if let Some(kind) = UnitKind::of_code(code) {
            let blocks = blocks.parse().unwrap_or(FULL_BLOCKS);
            state.place_unit(Unit { hex, side, kind, blocks });
        } else {
            let kind = LeaderKind::of_code(code).unwrap();
            let was_commander = kind == LeaderKind::Commander;
            state.place_leader(Leader { hex, side, kind, was_commander, present: true, name: None });
        }
    }
}
