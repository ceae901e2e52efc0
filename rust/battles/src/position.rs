//! A state as a table of names and numbers, and a position at the start of a turn read from one (BT-TURN-02).

use sengoku_kernel::{Chance, List, Seat, SetupError, read_setup, shuffle};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::{HexId, HexSet};
use crate::cards::{Deck, Effective};
use crate::data::{
    BySide, CARDS, CommandCard, DragonCard, FULL_BLOCKS, HONOR_TOKENS, LeaderKind, MAX_LEADERS, MAX_UNITS,
    Side, UnitKind,
};
use crate::pieces::{Leader, Unit, UnitSet};
use crate::play::Step;
use crate::scenario::{First, MAX_HELD, Scenario, Special, Victory};
use crate::state::{Options, State};

/// Most of a counter in a position.
const MAX_COUNT: u16 = 10_000;
/// Most banners in a position.
const MAX_BANNERS: u8 = 50;

/// What a table says that follows from the rest or belongs to a turn under way; it is left out when a position is read.
const DERIVED: [&str; 12] = [
    "scenario",
    "name",
    "options",
    "pool",
    "tokens",
    "temporary_banners",
    "banners_to_win",
    "turn",
    "combat",
    "question",
    "first_battle",
    "over",
];

/// A value for each army, by name.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Sides<T> {
    top: T,
    bottom: T,
}

impl<T> Sides<T> {
    fn of(side: impl Fn(Side) -> T) -> Self {
        Self { top: side(Side::Top), bottom: side(Side::Bottom) }
    }

    fn each(self) -> [(Side, T); 2] {
        [(Side::Top, self.top), (Side::Bottom, self.bottom)]
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitRow {
    unit: UnitKind,
    side: Side,
    hex: HexId,
    #[serde(default = "full")]
    blocks: u8,
}

const fn full() -> u8 {
    FULL_BLOCKS
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaderRow {
    leader: LeaderKind,
    side: Side,
    hex: HexId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    was_commander: Option<bool>,
}

/// Cards of one kind: hands that are not given are dealt, what is not named anywhere lies below what is named of the deck.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "C: Deserialize<'de>"))]
struct Cards<C> {
    deck: Option<Vec<C>>,
    discards: Vec<C>,
    hands: Sides<Option<Vec<C>>>,
}

impl<C> Default for Cards<C> {
    fn default() -> Self {
        Self { deck: None, discards: Vec::new(), hands: Sides { top: None, bottom: None } }
    }
}

/// A position. What is not said is as in the scenario at the first turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Position {
    active: Option<Side>,
    first: Option<Side>,
    round: Option<u16>,
    turns: Sides<Option<u16>>,
    units: Option<Vec<UnitRow>>,
    leaders: Option<Vec<LeaderRow>>,
    tents: Sides<Option<bool>>,
    command: Cards<CommandCard>,
    dragon: Cards<DragonCard>,
    honor: Sides<Option<u8>>,
    banners: Sides<u8>,
    last: Sides<Option<Effective>>,
    marked: Vec<HexId>,
    captured: Vec<u8>,
    hill_majority: Option<Side>,
    held: Option<Vec<Vec<HexId>>>,
}

fn wrong<T>(field: impl Into<String>, reason: impl Into<String>) -> Result<T, SetupError> {
    Err(SetupError::new(field, reason))
}

impl State {
    /// The position that a table describes, at the start of the active side's turn.
    pub(crate) fn positioned(
        scenario: &'static Scenario,
        options: Options,
        position: &Value,
    ) -> Result<(Self, [Undealt; 2]), SetupError> {
        let mut table = position.clone();
        if let Some(number) = table.get("scenario")
            && *number != json!(scenario.number)
        {
            let reason = format!("{number}, the match is of battle {}", scenario.number);
            return wrong("scenario", reason);
        }
        if let Some(fields) = table.as_object_mut() {
            for derived in DERIVED {
                fields.shift_remove(derived);
            }
        }
        let position: Position = read_setup(&table)?;
        let mut state = match (&position.units, &position.leaders) {
            (None, None) => Self::deployed(scenario, options),
            _ => Self::empty(scenario, options),
        };
        state.agenda.clear();
        state.place(&position)?;
        state.set_time(&position)?;
        state.set_counters(&position)?;
        state.set_trackers(&position)?;
        let command = lay_out("command", &position.command, &CARDS.command_deck(), &mut state.command)?;
        let dragon = lay_out("dragon", &position.dragon, &CARDS.dragon_deck(), &mut state.dragon)?;
        state.push(Step::BeginTurn);
        Ok((state, [command, dragon]))
    }

    fn place(&mut self, position: &Position) -> Result<(), SetupError> {
        let (units, leaders) = (position.units.iter().flatten(), position.leaders.iter().flatten());
        if units.clone().count() > MAX_UNITS {
            return wrong("units", format!("{} units, at most {MAX_UNITS}", units.count()));
        }
        for side in Side::ALL {
            let count = leaders.clone().filter(|leader| leader.side == side).count();
            if count > MAX_LEADERS {
                return wrong("leaders", format!("{count} leaders of one army, at most {MAX_LEADERS}"));
            }
        }
        for (at, &UnitRow { unit: kind, side, hex, blocks }) in units.enumerate() {
            if !(1..=FULL_BLOCKS).contains(&blocks) {
                return wrong(
                    format!("units[{at}].blocks"),
                    format!("{blocks}, a unit has 1 to {FULL_BLOCKS}"),
                );
            }
            if self.unit_at(hex).is_some() {
                return wrong(format!("units[{at}].hex"), format!("there is another unit at {hex}"));
            }
            self.place_unit(Unit { hex, side, kind, blocks });
        }
        for (at, row) in leaders.enumerate() {
            let (side, hex, kind) = (row.side, row.hex, row.leader);
            if self.leader_at(hex).is_some() {
                return wrong(format!("leaders[{at}].hex"), format!("there is another leader at {hex}"));
            }
            let name = match &row.name {
                None => None,
                Some(name) => match self.scenario.leader_named(side, name) {
                    None => {
                        let reason = format!("the {} army has no leader {name:?}", side.name());
                        return wrong(format!("leaders[{at}].name"), reason);
                    }
                    number => number,
                },
            };
            let was_commander = row.was_commander.unwrap_or(kind == LeaderKind::Commander);
            self.place_leader(Leader { hex, side, kind, was_commander, present: true, name });
        }
        Ok(())
    }

    /// Turns and rounds of a table count the one that begins.
    fn set_time(&mut self, position: &Position) -> Result<(), SetupError> {
        let first = match self.scenario.first {
            First::Army(side) => side,
            First::DiceOff => position.active.unwrap_or(Side::Top),
        };
        self.first = position.first.unwrap_or(first);
        self.active = position.active.unwrap_or(self.first);
        let round = position.round.unwrap_or(1);
        if !(1..=MAX_COUNT).contains(&round) {
            return wrong("round", format!("{round}, 1 to {MAX_COUNT} are possible"));
        }
        self.round = round - u16::from(self.active == self.first);
        for (side, turns) in position.turns.each() {
            let begun = turns.unwrap_or(if side == self.first || self.active != self.first {
                round
            } else {
                round - 1
            });
            if begun > MAX_COUNT || (begun == 0 && side == self.active) {
                return wrong(
                    format!("turns.{}", side.name()),
                    format!("{begun}, at least 1 of who is active"),
                );
            }
            self.trackers.turns[side] = begun - u16::from(side == self.active);
        }
        Ok(())
    }

    fn set_counters(&mut self, position: &Position) -> Result<(), SetupError> {
        for (side, honor) in position.honor.each() {
            self.honor[side] = honor.unwrap_or(self.scenario.armies[side].honor);
            if self.honor[side] > HONOR_TOKENS {
                return wrong(format!("honor.{}", side.name()), format!("{} of 30 tokens", self.honor[side]));
            }
        }
        let taken = self.honor[Side::Top] + self.honor[Side::Bottom];
        if taken > HONOR_TOKENS {
            return wrong("honor", format!("{taken} tokens, there are {HONOR_TOKENS}"));
        }
        for (side, banners) in position.banners.each() {
            if banners > MAX_BANNERS {
                return wrong(
                    format!("banners.{}", side.name()),
                    format!("{banners}, at most {MAX_BANNERS}"),
                );
            }
            self.banners[side] = banners;
        }
        for (side, stands) in position.tents.each() {
            let printed = self.scenario.tents[side].is_some();
            if stands == Some(true) && !printed {
                return wrong(format!("tents.{}", side.name()), "the map has no tent of this army");
            }
            self.tents[side] = stands.unwrap_or(printed);
        }
        self.last = BySide([position.last.top, position.last.bottom]);
        Ok(())
    }

    fn set_trackers(&mut self, position: &Position) -> Result<(), SetupError> {
        self.trackers.marked = self.units_in("marked", &position.marked)?;
        match &position.held {
            None => self.hold_units(),
            Some(groups) if groups.len() > MAX_HELD => {
                return wrong("held", format!("{} groups, at most {MAX_HELD}", groups.len()));
            }
            Some(groups) => {
                let mut rules = self.scenario.special.iter().filter_map(|special| match *special {
                    Special::Held { side, .. } => Some(side),
                    _ => None,
                });
                for (place, hexes) in groups.iter().enumerate() {
                    let field = format!("held[{place}]");
                    let units = self.units_in(&field, hexes)?;
                    // Without a rule nothing would ever release them.
                    let side = rules.next();
                    if !(units - side.map_or(UnitSet::EMPTY, |side| self.units_of(side))).is_empty() {
                        return wrong(field, "the battle does not hold all of these units back");
                    }
                    self.trackers.held[place] = units;
                }
            }
        }
        for &number in &position.captured {
            match self.scenario.victory.get(usize::from(number)) {
                Some(Victory::Occupy { .. }) => self.trackers.captured |= 1 << number,
                _ => return wrong("captured", format!("victory record {number} is no objective")),
            }
        }
        self.trackers.hill_majority = position.hill_majority;
        Ok(())
    }

    fn units_in(&self, field: &str, hexes: &[HexId]) -> Result<UnitSet, SetupError> {
        let unit = |&hex| {
            self.unit_at(hex).ok_or_else(|| SetupError::new(field, format!("there is no unit at {hex}")))
        };
        hexes.iter().map(unit).collect()
    }
}

/// What of a deck is left to chance when a position begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Undealt {
    /// The deck is shuffled.
    shuffled: bool,
    /// Hands that are dealt.
    hands: BySide<bool>,
}

impl Undealt {
    /// Shuffles and deals what a position did not say.
    pub(crate) fn deal<C: Copy + Default + PartialEq + Serialize, const N: usize>(
        self,
        cards: &mut Deck<C, N>,
        counts: [u8; 2],
        draws: &mut u32,
        chance: &mut impl Chance,
    ) {
        if self.shuffled {
            shuffle(&mut cards.deck, draws, chance);
        }
        for side in Side::ALL.into_iter().filter(|&side| self.hands[side]) {
            for _ in 0..counts[side.index()] {
                cards.deal(side);
            }
        }
    }
}

/// Lays out the cards of one kind; what is named nowhere lies below what is named of the deck, in table order.
fn lay_out<C, const N: usize>(
    field: &str,
    said: &Cards<C>,
    whole: &[C; N],
    cards: &mut Deck<C, N>,
) -> Result<Undealt, SetupError>
where
    C: Copy + Default + PartialEq + Serialize,
{
    let mut rest = whole.to_vec();
    let mut take = |pile: &str, named: &[C]| -> Result<List<C, N>, SetupError> {
        for card in named {
            let Some(place) = rest.iter().position(|left| left == card) else {
                let card = serde_json::to_value(card).unwrap_or_default();
                return wrong(
                    format!("{field}.{pile}"),
                    format!("{card} is there more often than in the box"),
                );
            };
            rest.remove(place);
        }
        Ok(List::of(named))
    };
    let mut undealt = Undealt { shuffled: said.deck.is_none(), hands: BySide::default() };
    for (side, hand) in [(Side::Top, &said.hands.top), (Side::Bottom, &said.hands.bottom)] {
        match hand {
            Some(hand) => cards.hands[side] = take(&format!("hands.{}", side.name()), hand)?,
            None => undealt.hands[side] = true,
        }
    }
    cards.discards = take("discards", &said.discards)?;
    let top = take("deck", said.deck.as_deref().unwrap_or_default())?;
    cards.deck = rest.into_iter().chain(top.iter().copied()).collect();
    Ok(undealt)
}

/// Writing.
impl State {
    /// Everything, or what a seat may see, as a table of names and numbers. What is hidden is the number of cards instead of
    /// their names.
    pub(crate) fn table(&self, seat: Option<Seat>) -> Value {
        let (hexes, sides) =
            (|units: UnitSet| self.hexes(units), |value: &dyn Fn(Side) -> Value| json!(Sides::of(value)));
        let trackers = &self.trackers;
        let held: Vec<HexSet> = trackers.held.into_iter().map(hexes).collect();
        let captured: Vec<usize> = (0..16).filter(|number| trackers.captured >> number & 1 == 1).collect();
        json!({
            "scenario": self.scenario.number,
            "name": self.scenario.name,
            "options": self.options,
            "round": self.round,
            "active": self.active,
            "first": self.first,
            "turns": sides(&|side| json!(trackers.turns[side])),
            "units": self.unit_rows(),
            "leaders": self.leader_rows(),
            "tents": sides(&|side| json!(self.tents[side])),
            "command": cards_table(&self.command, seat),
            "dragon": cards_table(&self.dragon, seat),
            "honor": sides(&|side| json!(self.honor[side])),
            "pool": self.pool(),
            "tokens": self.tokens,
            "banners": sides(&|side| json!(self.banners[side])),
            "temporary_banners": sides(&|side| json!(self.temporary_banners(side))),
            "banners_to_win": sides(&|side| json!(self.scenario.banners_to_win[side])),
            "last": sides(&|side| json!(self.last[side])),
            "marked": hexes(trackers.marked),
            "captured": captured,
            "hill_majority": trackers.hill_majority,
            "held": held,
            "turn": self.turn_table(),
            "combat": self.combat_table(),
            "question": self.question_table(),
            "first_battle": self.first_battle,
            "over": self.decided,
        })
    }

    fn unit_rows(&self) -> Vec<UnitRow> {
        let living = self.units.iter().filter(|unit| unit.blocks > 0);
        living.map(|&Unit { hex, side, kind, blocks }| UnitRow { unit: kind, side, hex, blocks }).collect()
    }

    fn leader_rows(&self) -> Vec<LeaderRow> {
        let row = |leader: &Leader| LeaderRow {
            leader: leader.kind,
            side: leader.side,
            hex: leader.hex,
            name: leader.name.and_then(|name| self.scenario.leader_names.get(usize::from(name)).cloned()),
            was_commander: (leader.was_commander && leader.kind != LeaderKind::Commander).then_some(true),
        };
        self.leaders.iter().filter(|leader| leader.present).map(row).collect()
    }

    /// The turn under way: cards, orders and what has been done.
    fn turn_table(&self) -> Value {
        let turn = &self.turn;
        let leaders: HexSet = turn.ordered_leaders.map(|leader| self.leader(leader).hex).collect();
        let chosen_leaders: HexSet = turn.chosen_leaders.map(|leader| self.leader(leader).hex).collect();
        json!({
            "command": turn.command,
            "effective": turn.effective,
            "played": turn.played,
            "declared": turn.declared,
            "stolen": turn.stolen,
            "dragon_used": Sides::of(|side| turn.dragon_used[side]),
            "first_strikes": turn.first_strikes,
            "effects": turn.effects,
            "shogun": turn.shogun,
            "ordered": self.hexes(turn.ordered),
            "ordered_leaders": leaders,
            "chosen": self.hexes(turn.chosen),
            "chosen_leaders": chosen_leaders,
            "moved": self.hexes(turn.moved),
            "barred": self.hexes(turn.barred),
            "battled": self.hexes(turn.battled),
        })
    }

    /// The combat under way, or nothing.
    fn combat_table(&self) -> Value {
        let combat = &self.combat;
        if combat.attackers.is_empty() {
            return Value::Null;
        }
        let roll = &combat.roll;
        let alive =
            |units: UnitSet| self.hexes(units & (self.units_of(Side::Top) | self.units_of(Side::Bottom)));
        json!({
            "ranged": combat.ranged,
            "bonus": combat.bonus,
            "attackers": alive(combat.attackers),
            "target": combat.target,
            "roll": {
                "kind": roll.kind,
                "side": roll.side,
                "units": alive(roll.units),
                "hex": roll.hex,
                "dice": roll.dice,
                "faces": roll.faces,
            },
        })
    }

    /// Who is asked what; the answers are in the legal list of who is asked.
    fn question_table(&self) -> Value {
        let Some(&step) = self.agenda.last().filter(|_| self.decided.is_none()) else { return Value::Null };
        let side = self.decider(step);
        let mut table = match serde_json::to_value(step).unwrap_or_default() {
            Value::Object(tagged) => tagged.into_iter().next().map_or_else(Map::new, |(kind, fields)| {
                let mut table = fields.as_object().cloned().unwrap_or_default();
                table.insert("step".into(), kind.into());
                table
            }),
            kind => Map::from_iter([("step".to_owned(), kind)]),
        };
        table.insert("asked".into(), json!(side));
        table.into()
    }
}

fn cards_table<C: Copy + Default + PartialEq + Serialize, const N: usize>(
    cards: &Deck<C, N>,
    seat: Option<Seat>,
) -> Value {
    let shown = |list: &List<C, N>, visible: bool| if visible { json!(list) } else { json!(list.len()) };
    let hand = |side: Side| shown(&cards.hands[side], seat.is_none_or(|seat| seat == side.seat()));
    json!({
        "deck": shown(&cards.deck, seat.is_none()),
        "discards": cards.discards,
        "hands": Sides::of(hand),
    })
}
