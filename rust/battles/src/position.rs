//! A state as a table of names and numbers, and a position at the start of a turn read from one (BT-TURN-02).

mod read;

use sengoku_kernel::{List, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::board::{HexId, HexSet};
use crate::cards::Deck;
use crate::data::{FULL_BLOCKS, LeaderKind, Side, Terrain, UnitKind};
use crate::pieces::{Leader, Unit, UnitSet};
use crate::state::State;

pub(crate) use read::Undealt;

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
            "terrain": self.terrain_rows(),
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

    /// The kind of terrain of every hex that is not open.
    fn terrain_rows(&self) -> Map<String, Value> {
        let terrain = &self.scenario.terrain;
        let hexes = HexId::all().filter(|&hex| terrain[hex] != Terrain::Open);
        hexes.map(|hex| (hex.to_string(), terrain[hex].code().into())).collect()
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

    /// The pending decision and the side that is asked; the possible answers are that side's legal actions.
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
