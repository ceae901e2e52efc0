//! The points that play stops at, and how a match ends (TW-ST-02).
//!
//! They are public through [`crate::state`].

use serde::{Deserialize, Serialize};

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The second winter was scored (TW-END-01).
    SecondWinter,
    /// The host's cap on rounds.
    RoundLimit,
}

impl End {
    /// The reason in one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::SecondWinter => "second_winter",
            Self::RoundLimit => "round_limit",
        }
    }
}

/// The decision, or the automatic step, that play has come to (TW-ST-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// The open cards may be put away (TW-D-02).
    DraftRefresh,
    /// A province card is taken (TW-D-03).
    DraftCard,
    /// An army group goes into the province (TW-D-04).
    DraftGroup,
    /// A season is to begin.
    Season,
    /// A card for a plan space; how many spaces have been entered before (TW-D-05, TW-D-14).
    Plan(u8),
    /// All plans are closed; the event and the bids come next.
    Event,
    /// A slot and its special card are chosen (TW-D-06).
    Slot,
    /// The court actions are to begin (CT-COURT).
    Court,
    /// The next player's turn in the audience hall.
    Hall,
    /// A favour is chosen (CT-D-01).
    Favour,
    /// The event may be removed (CT-D-02).
    FavourEvent,
    /// An unrest marker is removed (CT-D-03).
    FavourUnrest,
    /// Armies for a province (CT-D-05).
    FavourArmies,
    /// A building for a province (CT-D-06).
    FavourBuilding,
    /// The next player's turn in an action is due, or the next action.
    Turn,
    /// The kept favour may be used (CT-D-04).
    Kept,
    /// The planned action of the player on turn is due.
    Act,
    /// Armies may move after DEPLOY1 (TW-D-07).
    DeployMove,
    /// Target and number of armies in `BATTLE_A` or `BATTLE_B` (TW-D-08, TW-D-09).
    Battle,
    /// The season is over.
    CleanUp,
    /// Winter is to begin.
    Winter,
    /// The next player's revolts are due, or the scoring.
    Revolts,
    /// Which of several revolts comes next (TW-D-10).
    Revolt,
    /// The chosen revolt is due.
    Quell,
    /// Winter is scored.
    Score,
    /// The match is over.
    Over(End),
}
