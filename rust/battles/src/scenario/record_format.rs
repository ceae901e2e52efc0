//! Victory and special records as they are written in a scenario file.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::data::{CommandCard, Side, TENT_BANNERS, UnitKind};

/// Dice of the dice-off for the first turn (BT-SCEN-10).
const DICE_OFF: u8 = 5;

/// A number that the rule fixes.
pub(super) struct Exactly<const NUMBER: u8>;

impl<'de, const NUMBER: u8> Deserialize<'de> for Exactly<NUMBER> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format_args!("{number}, the rule of this kind says {NUMBER}"));
        if number == u64::from(NUMBER) { Ok(Self) } else { Err(wrong()) }
    }
}

/// A yes or no that the rule fixes.
pub(super) struct Always<const YES: bool>;

impl<'de, const YES: bool> Deserialize<'de> for Always<YES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let yes = bool::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format_args!("{yes}, the rule of this kind says {YES}"));
        if yes == YES { Ok(Self) } else { Err(wrong()) }
    }
}

/// Words that the rule fixes.
macro_rules! words {
    ($($Word:ident)*) => {
        $(#[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(super) enum $Word {
            $Word,
        })*
    };
}

words! {
    StartOfOwnTurn StartOfEachTurn EndOfOwnTurn Immediate WhileOnBank WhileOnSameHex WhileMajority Stays Center
    Honor Reroll UnitsOnEnemyBank Either
}

/// One army, or whichever it applies to.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SideOrEither {
    Top,
    Bottom,
    Either,
}

/// A bank by its army, or the one that the deployment names.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BankWord {
    Top,
    Bottom,
    TargetBank,
}

/// A victory record as it is written; `kind` is the variant.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "what the rule fixes is read to be checked")]
pub(super) enum VictoryRecord {
    LeaderValue {
        flags: u8,
    },
    NamedLeaderValue {
        side: Side,
        leader: String,
        leader_side: Side,
        flags: u8,
    },
    UnitsAcrossRiver {
        side: Side,
        bank: Side,
        flags_per_unit: u8,
        permanent: Option<Always<false>>,
        when: Option<StartOfOwnTurn>,
        kept: Option<WhileOnBank>,
        leaders_count: Option<Always<false>>,
    },
    UnitExitsAcrossRiver {
        side: Side,
        unit_types: Vec<UnitKind>,
        bank: BankWord,
        flags: u8,
        permanent: Option<Always<true>>,
        when: Option<Immediate>,
        unit_removed: Option<Always<true>>,
        attached_leader: Option<Stays>,
    },
    CaptureTent {
        side: SideOrEither,
        flags: Option<Exactly<TENT_BANNERS>>,
        permanent: Option<Always<true>>,
        when: Option<StartOfOwnTurn>,
        owner_loses_random_command_cards: Option<Exactly<1>>,
        tent_has_commander: Option<bool>,
    },
    EnterTentImmediateVictory {
        side: Side,
        when: Option<Immediate>,
    },
    OccupyHex {
        side: Side,
        objective: String,
        flags: u8,
        permanent: Option<Always<true>>,
        once: Option<Always<true>>,
        when: Option<Immediate>,
        #[serde(default)]
        enemy_loses_random_command_cards: u8,
    },
    EnemyAbsentFromASection {
        side: Side,
        flags: u8,
        permanent: Option<Always<true>>,
        when: Option<StartOfOwnTurn>,
        max_per_turn: Option<Exactly<1>>,
        shared_hexes: Option<Center>,
        leaders_count: Option<Always<false>>,
    },
    OrderOneCard {
        side: Side,
        flags: u8,
        permanent: Option<Always<true>>,
        when: Option<EndOfOwnTurn>,
        may_be_final_flag: Option<Always<false>>,
    },
    NoEnemyOnOwnBank {
        side: Side,
        bank: Side,
        flags: u8,
        permanent: Option<Always<true>>,
        when: Option<StartOfOwnTurn>,
        #[serde(default = "one")]
        from_own_turn: u8,
        leaders_count: Option<Always<false>>,
    },
    UnitsOnEnemyBank {
        side: Side,
        bank: Side,
        at_least: u8,
        flags: u8,
        permanent: Option<Always<true>>,
        when: Option<StartOfOwnTurn>,
        leaders_count: Option<Always<false>>,
    },
    UnitsAdjacentAcrossGorge {
        side: Side,
        bank: Side,
        flags_per_unit: u8,
        permanent: Option<Always<false>>,
        when: Option<StartOfOwnTurn>,
        kept: Option<WhileOnSameHex>,
        leaders_count: Option<Always<false>>,
    },
    HillMajority {
        side: Option<Either>,
        flags: u8,
        permanent: Option<Always<false>>,
        when: Option<StartOfEachTurn>,
        kept: Option<WhileMajority>,
        leaders_count: Option<Always<false>>,
    },
}

const fn one() -> u8 {
    1
}

/// A special rule as it is written; `kind` is the variant.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "what the rule fixes is read to be checked")]
pub(super) enum SpecialRecord {
    FirstPlayerRoll {
        dice: Option<Exactly<DICE_OFF>>,
        face: Option<Honor>,
        ties: Option<Reroll>,
    },
    GrowingHand {
        side: Side,
        start: Option<u8>,
        target: Option<u8>,
        draws_per_turn: u8,
        turns: u8,
    },
    ConditionalCommandDraw {
        side: Side,
        condition: Option<UnitsOnEnemyBank>,
        bank: Side,
        at_least: u8,
        otherwise_draws: Option<Exactly<0>>,
    },
    HeldUntilCard {
        side: Side,
        tag: String,
        card: CommandCard,
    },
}
