//! Positions as users write them: how one is read and checked.

use sengoku_kernel::{Chance, List, SetupError, read_setup};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LeaderRow, Sides, UnitRow};
use crate::board::HexId;
use crate::cards::{Deck, Effective};
use crate::data::{
    BySide, CARDS, CommandCard, DragonCard, FULL_BLOCKS, HONOR_TOKENS, LeaderKind, MAX_LEADERS, MAX_UNITS,
    Side,
};
use crate::pieces::{Leader, Unit, UnitSet};
use crate::play::Step;
use crate::scenario::{First, MAX_HELD, Scenario, Special, Victory};
use crate::state::{Options, State};

/// Most of a counter in a position.
const MAX_COUNT: u16 = 10_000;
/// Most banners in a position.
const MAX_BANNERS: u8 = 50;

/// Fields of a table that are derived or belong to a turn under way; they are ignored when a position is read.
const DERIVED: [&str; 13] = [
    "scenario",
    "terrain",
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
                    format!("{begun}, at least 1 for the active side"),
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
                _ => return wrong("captured", format!("victory record {number} is not an objective")),
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

/// The parts of a deck that a position leaves to chance.
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
            cards.shuffle(draws, chance);
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
                    format!("{card} is used more often than the box has it"),
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
