//! Scenario banners and special rules: as they are written, and as the rules use them (BT-SCEN).
//!
//! A record says in full what it does, e.g. `permanent = false`. What the rule of its kind leaves no choice about may be
//! left out, and anything else than what the rule says is refused, so that no file promises what no match keeps.

use sengoku_kernel::{SetupError, read_setup};
use serde_json::Value;

use super::deployment::Map;
use super::header::{First, Header};
use super::record_format::{BankWord, SideOrEither, SpecialRecord, VictoryRecord};
use crate::data::{CommandCard, HexId, HexSet, Side, UnitKind};

/// Most banners of one event.
const MAX_BANNERS: u8 = 5;
/// Most banners of one marked unit; forty of them and all other banners together stay below 256.
const MAX_UNIT_BANNERS: u8 = 3;
/// Most records of a kind of list.
const MAX_RECORDS: usize = 16;
/// Most contingents that are held back.
pub const MAX_HELD: usize = 4;

/// Banners besides the standard ones (BT-SCEN-02). `side` gains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the file format")]
pub enum Victory {
    /// Every eliminated leader is worth this many banners (scenario 2).
    LeaderValue { banners: u8 },
    /// A named leader is worth this many banners (scenario 3); `name` is its number in the names of leaders.
    NamedLeaderValue { leader_side: Side, name: u8, banners: u8 },
    /// BT-ARMY-COMMANDER-12, said again (BT-SCEN-08); `side` is `None` for both.
    CaptureTent { side: Option<Side> },
    /// The enemy tent decides the battle when entered (BT-SCEN-12).
    EnterTent { side: Side },
    /// Temporary banners for units on a bank at the start of the own turn (BT-SCEN-06).
    UnitsAcross { side: Side, bank: Side, banners_per_unit: u8 },
    /// Units of these kinds, bit by bit, that reach the bank go off (BT-SCEN-18).
    Exit { side: Side, kinds: u16, bank: Side, banners: u8 },
    /// Entering a hex, once (BT-SCEN-05, BT-SCEN-07); the enemy loses `cards_lost` command cards at random.
    Occupy { side: Side, hex: HexId, banners: u8, cards_lost: u8 },
    /// A section without enemies at the start of the own turn (BT-SCEN-13).
    EmptySection { side: Side, banners: u8 },
    /// Order One cards (BT-SCEN-14).
    OrderOne { side: Side, banners: u8 },
    /// No enemy on a bank at the start of the own turn (BT-SCEN-15).
    NoEnemyOnBank { side: Side, bank: Side, banners: u8, from_turn: u16 },
    /// Enough units on a bank at the start of the own turn (BT-SCEN-15).
    UnitsOnBank { side: Side, bank: Side, at_least: u8, banners: u8 },
    /// Temporary banners for units beyond the gorge and next to it, at the start of the own turn (BT-SCEN-19).
    GorgeRim { side: Side, bank: Side, banners_per_unit: u8 },
    /// More hills than the enemy, at the start of every turn (BT-SCEN-17).
    HillMajority { banners: u8 },
}

/// Special rules that change the flow of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the file format")]
pub enum Special {
    /// Dice decide who moves first (BT-SCEN-10); said again by [`First::DiceOff`].
    FirstPlayerRoll,
    /// `draws` draws in each of the first `turns` turns (BT-SCEN-11).
    GrowingHand { side: Side, draws: u8, turns: u16 },
    /// No command draw unless enough units are on a bank (BT-SCEN-15).
    ConditionalDraw { side: Side, bank: Side, at_least: u8 },
    /// Units that only a card releases (BT-SCEN-16); `hexes` is where they start.
    Held { side: Side, hexes: HexSet, card: CommandCard },
}

impl Victory {
    /// Whether it asks for the banks of a river.
    pub(super) const fn needs_river_banks(&self) -> bool {
        matches!(
            self,
            Self::UnitsAcross { .. }
                | Self::Exit { .. }
                | Self::NoEnemyOnBank { .. }
                | Self::UnitsOnBank { .. }
        )
    }

    /// Whether it asks for the sides of a gorge.
    pub(super) const fn needs_gorge_banks(&self) -> bool {
        matches!(self, Self::GorgeRim { .. })
    }

    /// The bank that it asks for.
    pub(super) const fn bank(&self) -> Option<Side> {
        match *self {
            Self::UnitsAcross { bank, .. }
            | Self::Exit { bank, .. }
            | Self::NoEnemyOnBank { bank, .. }
            | Self::UnitsOnBank { bank, .. }
            | Self::GorgeRim { bank, .. } => Some(bank),
            _ => None,
        }
    }

    /// The record without its value: a battle has at most one record of each subject.
    const fn subject(self) -> Self {
        match self {
            Self::LeaderValue { .. } => Self::LeaderValue { banners: 0 },
            Self::NamedLeaderValue { leader_side, name, .. } => {
                Self::NamedLeaderValue { leader_side, name, banners: 0 }
            }
            Self::Exit { side, kinds, bank, .. } => Self::Exit { side, kinds, bank, banners: 0 },
            Self::Occupy { side, hex, .. } => Self::Occupy { side, hex, banners: 0, cards_lost: 0 },
            Self::EmptySection { side, .. } => Self::EmptySection { side, banners: 0 },
            Self::OrderOne { side, .. } => Self::OrderOne { side, banners: 0 },
            Self::NoEnemyOnBank { side, bank, .. } => {
                Self::NoEnemyOnBank { side, bank, banners: 0, from_turn: 0 }
            }
            Self::UnitsOnBank { side, bank, at_least, .. } => {
                Self::UnitsOnBank { side, bank, at_least, banners: 0 }
            }
            Self::HillMajority { .. } => Self::HillMajority { banners: 0 },
            Self::CaptureTent { .. }
            | Self::EnterTent { .. }
            | Self::UnitsAcross { .. }
            | Self::GorgeRim { .. } => self,
        }
    }

    /// The side whose units it marks for temporary banners.
    const fn marks(&self) -> Option<Side> {
        match *self {
            Self::UnitsAcross { side, .. } | Self::GorgeRim { side, .. } => Some(side),
            _ => None,
        }
    }
}

impl Special {
    /// The bank that it asks for.
    pub(super) const fn bank(&self) -> Option<Side> {
        match *self {
            Self::ConditionalDraw { bank, .. } => Some(bank),
            _ => None,
        }
    }
}

/// Reads a record: `{ kind = "x", a = 1 }` is the variant `x` with the field `a`.
fn read_record<T: serde::de::DeserializeOwned>(record: &Value) -> Result<T, SetupError> {
    let mut fields = record.as_object().cloned().ok_or_else(|| SetupError::new("", "expected a table"))?;
    let Some(Value::String(kind)) = fields.remove("kind") else {
        return Err(SetupError::new("kind", "is missing or not a text"));
    };
    let tagged = serde_json::json!({ kind.as_str(): fields });
    read_setup(&tagged).map_err(|SetupError { field, reason }| match field.strip_prefix(kind.as_str()) {
        Some(rest) => SetupError::new(rest.trim_start_matches('.'), reason),
        None => SetupError::new("kind", reason),
    })
}

/// Reads a list of records, each with its place in the error.
fn read_list<R: serde::de::DeserializeOwned, T>(
    list: &str,
    records: &[Value],
    mut read: impl FnMut(R, &[T]) -> Result<T, SetupError>,
) -> Result<Vec<T>, SetupError> {
    if records.len() > MAX_RECORDS {
        return Err(SetupError::new(list, format!("{} records, at most {MAX_RECORDS}", records.len())));
    }
    let mut found = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let item = read_record(record).and_then(|record| read(record, &found));
        found.push(item.map_err(|error| error.within(&format!("{list}[{at}]")))?);
    }
    Ok(found)
}

fn within(field: &str, number: u8, least: u8, most: u8) -> Result<u8, SetupError> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(SetupError::new(field, format!("{number}, {least} to {most} are possible")))
}

fn banners(flags: u8) -> Result<u8, SetupError> {
    within("flags", flags, 1, MAX_BANNERS)
}

fn banners_per_unit(flags: u8) -> Result<u8, SetupError> {
    within("flags_per_unit", flags, 1, MAX_UNIT_BANNERS)
}

/// The victory records of a battle.
pub(super) fn read_victory(header: &Header, map: &Map) -> Result<Vec<Victory>, SetupError> {
    read_list("victory", &header.victory, |record, before: &[Victory]| {
        let victory = resolve_victory(record, map)?;
        let doubled = before.iter().any(|other| {
            other.subject() == victory.subject()
                || (victory.marks().is_some() && other.marks() == victory.marks())
        });
        if doubled { Err(SetupError::new("kind", "is there twice for the same side")) } else { Ok(victory) }
    })
}

fn resolve_victory(record: VictoryRecord, map: &Map) -> Result<Victory, SetupError> {
    let wrong = |field: &str, reason: String| Err(SetupError::new(field, reason));
    Ok(match record {
        VictoryRecord::LeaderValue { flags } => Victory::LeaderValue { banners: banners(flags)? },
        VictoryRecord::NamedLeaderValue { side, leader, leader_side, flags } => {
            if side == leader_side {
                return wrong("side", format!("{:?} would gain by its own leader", side.name()));
            }
            let Some(name) = map.leader_named(leader_side, &leader) else {
                return wrong("leader", format!("the {} army has no leader {leader:?}", leader_side.name()));
            };
            Victory::NamedLeaderValue { leader_side, name, banners: banners(flags)? }
        }
        VictoryRecord::UnitsAcrossRiver { side, bank, flags_per_unit, .. } => {
            Victory::UnitsAcross { side, bank, banners_per_unit: banners_per_unit(flags_per_unit)? }
        }
        VictoryRecord::UnitExitsAcrossRiver { side, unit_types, bank, flags, .. } => {
            let bank = match (bank, map.target_bank) {
                (BankWord::Top, _) => Side::Top,
                (BankWord::Bottom, _) => Side::Bottom,
                (BankWord::TargetBank, Some(bank)) => bank,
                (BankWord::TargetBank, None) => {
                    return wrong("bank", "the deployment names no target_bank".into());
                }
            };
            let kinds = unit_types.iter().fold(0, |kinds, kind| kinds | 1 << kind.index());
            if kinds == 0 || kinds & 1 << UnitKind::Bodyguard.index() != 0 {
                return wrong("unit_types", "expected one or more kinds that can move".into());
            }
            Victory::Exit { side, kinds, bank, banners: banners(flags)? }
        }
        VictoryRecord::CaptureTent { side, tent_has_commander, .. } => {
            let side = match side {
                SideOrEither::Top => Some(Side::Top),
                SideOrEither::Bottom => Some(Side::Bottom),
                SideOrEither::Either => None,
            };
            let captured = side.map_or(Side::ALL.to_vec(), |side| vec![side.other()]);
            if !captured.iter().any(|&owner| map.tents[owner].is_some()) {
                return wrong("kind", "there is no tent on the map for it".into());
            }
            let has_commander = captured.iter().any(|&owner| map.has_commander(owner));
            if tent_has_commander.is_some_and(|said| said != has_commander) {
                return wrong("tent_has_commander", format!("{}, the pieces say otherwise", !has_commander));
            }
            Victory::CaptureTent { side }
        }
        VictoryRecord::EnterTentImmediateVictory { side, .. } => {
            if map.tents[side.other()].is_none() {
                return wrong(
                    "kind",
                    format!("there is no tent of the {} army on the map", side.other().name()),
                );
            }
            Victory::EnterTent { side }
        }
        VictoryRecord::OccupyHex {
            side, objective, flags, enemy_loses_random_command_cards: cards, ..
        } => {
            let Some(&(_, hex)) = map.objectives.iter().find(|(name, _)| *name == objective) else {
                return wrong("objective", format!("the deployment has no objective {objective:?}"));
            };
            if map.impassable.contains(hex) {
                return wrong("objective", format!("{objective:?} at {hex} cannot be entered"));
            }
            let cards_lost = within("enemy_loses_random_command_cards", cards, 0, MAX_BANNERS)?;
            Victory::Occupy { side, hex, banners: banners(flags)?, cards_lost }
        }
        VictoryRecord::EnemyAbsentFromASection { side, flags, .. } => {
            Victory::EmptySection { side, banners: banners(flags)? }
        }
        VictoryRecord::OrderOneCard { side, flags, .. } => {
            Victory::OrderOne { side, banners: banners(flags)? }
        }
        VictoryRecord::NoEnemyOnOwnBank { side, bank, flags, from_own_turn, .. } => {
            let from_turn = u16::from(within("from_own_turn", from_own_turn, 1, 100)?);
            Victory::NoEnemyOnBank { side, bank, banners: banners(flags)?, from_turn }
        }
        VictoryRecord::UnitsOnEnemyBank { side, bank, at_least, flags, .. } => {
            let at_least = within("at_least", at_least, 1, 40)?;
            Victory::UnitsOnBank { side, bank, at_least, banners: banners(flags)? }
        }
        VictoryRecord::UnitsAdjacentAcrossGorge { side, bank, flags_per_unit, .. } => {
            Victory::GorgeRim { side, bank, banners_per_unit: banners_per_unit(flags_per_unit)? }
        }
        VictoryRecord::HillMajority { flags, .. } => Victory::HillMajority { banners: banners(flags)? },
    })
}

/// The special rules of a battle.
pub(super) fn read_special(header: &Header, map: &Map) -> Result<Vec<Special>, SetupError> {
    let special = read_list("special_rules", &header.special_rules, |record, before: &[Special]| {
        let special = resolve_special(record, header, map)?;
        let doubled = match special {
            Special::FirstPlayerRoll => before.contains(&special),
            Special::GrowingHand { side, .. } => before
                .iter()
                .any(|other| matches!(*other, Special::GrowingHand { side: of, .. } if of == side)),
            Special::ConditionalDraw { side, .. } => before
                .iter()
                .any(|other| matches!(*other, Special::ConditionalDraw { side: of, .. } if of == side)),
            Special::Held { hexes, .. } => {
                let held = before.iter().filter(|other| matches!(other, Special::Held { .. })).count();
                if held == MAX_HELD {
                    return Err(SetupError::new("kind", format!("at most {MAX_HELD} contingents are held")));
                }
                before
                    .iter()
                    .any(|other| matches!(*other, Special::Held { hexes: of, .. } if of.meets(hexes)))
            }
        };
        if doubled {
            Err(SetupError::new("kind", "is there twice for the same side or unit"))
        } else {
            Ok(special)
        }
    })?;
    let rolls = special.contains(&Special::FirstPlayerRoll);
    if rolls != (First::from(header.first_player) == First::DiceOff) {
        return Err(SetupError::new(
            "first_player",
            "\"roll\" and the special rule first_player_roll go together",
        ));
    }
    Ok(special)
}

fn resolve_special(record: SpecialRecord, header: &Header, map: &Map) -> Result<Special, SetupError> {
    let wrong = |field: &str, reason: String| Err(SetupError::new(field, reason));
    Ok(match record {
        SpecialRecord::FirstPlayerRoll { .. } => Special::FirstPlayerRoll,
        SpecialRecord::GrowingHand { side, start, target, draws_per_turn, turns } => {
            let hand = header.army(side).command_cards;
            if let Some(start) = start.filter(|&start| start != hand) {
                return wrong(
                    "start",
                    format!("{start}, the {} army starts with {hand} command cards", side.name()),
                );
            }
            let draws = within("draws_per_turn", draws_per_turn, 2, 5)?;
            let turns = within("turns", turns, 1, 10)?;
            let grown = hand + turns * (draws - 1);
            if let Some(target) = target.filter(|&target| target != grown) {
                return wrong("target", format!("{target}, {turns} turns make {hand} cards {grown}"));
            }
            Special::GrowingHand { side, draws, turns: u16::from(turns) }
        }
        SpecialRecord::ConditionalCommandDraw { side, bank, at_least, .. } => {
            Special::ConditionalDraw { side, bank, at_least: within("at_least", at_least, 1, 40)? }
        }
        SpecialRecord::HeldUntilCard { side, tag, card } => {
            let Some(&(_, hexes)) = map.groups.iter().find(|(name, _)| *name == tag) else {
                return wrong("tag", format!("the deployment has no group {tag:?}"));
            };
            if !hexes.within(map.unit_hexes(side)) {
                return wrong("tag", format!("not all of {tag:?} are units of the {} army", side.name()));
            }
            if !card.is_order_one() {
                return wrong(
                    "card",
                    format!("{:?}, only an Order One card can release a unit", card.name()),
                );
            }
            Special::Held { side, hexes, card }
        }
    })
}
