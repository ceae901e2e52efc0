//! The header of a battle: armies, cards, who begins, what is special (BT-SCEN-01).

use sengoku_kernel::SetupError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::deployment::Deployment;
use crate::data::{BySide, DRAGON_CARDS, HONOR_TOKENS, Side};

/// Most banners that a battle may ask for.
pub(super) const MAX_BANNERS_TO_WIN: u8 = 30;
/// Most command cards of a starting hand; with fewer than two a player surrenders before his first turn (BT-TURN-02).
const COMMAND_HAND: std::ops::RangeInclusive<u8> = 2..=20;
/// Most dragon cards of a starting hand.
const MAX_DRAGON_HAND: u8 = DRAGON_CARDS as u8 / 2;
/// Longest name of anything, in characters.
pub(super) const MAX_NAME: usize = 60;
/// Longest remark, in characters.
const MAX_REMARK: usize = 4000;

/// `data/scenarios.toml`; the tables are read one by one, each with its deployment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what must be in the file and is not asked for later")]
pub(super) struct HeaderFile {
    schema: u32,
    game: String,
    scenarios: u32,
    pub(super) scenario: Vec<Value>,
}

/// A battle as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) number: Option<u16>,
    pub(super) key: Option<String>,
    pub(super) name: String,
    pub(super) phase: Option<String>,
    pub(super) year: Option<i16>,
    pub(super) flags_to_win: u8,
    pub(super) top: Army,
    pub(super) bottom: Army,
    pub(super) first_player: FirstWord,
    #[serde(default)]
    pub(super) first_player_confidence: Confidence,
    #[serde(default)]
    pub(super) victory: Vec<Value>,
    #[serde(default)]
    pub(super) terrain_rules: TerrainRules,
    #[serde(default)]
    pub(super) special_rules: Vec<Value>,
    pub(super) campaign: Option<Campaign>,
    pub(super) deployment_source: Option<String>,
    pub(super) text_value: Option<String>,
    pub(super) notes: Option<String>,
    pub(super) deployment: Deployment,
}

/// Header of an army (BT-SCEN-01).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Army {
    /// Its name.
    pub name: String,
    /// The colour of its blocks: red at the top, blue at the bottom (BT-COMP-01).
    pub color: Option<String>,
    /// Command cards it starts with.
    pub command_cards: u8,
    /// Dragon cards it starts with.
    pub dragon_cards: u8,
    /// Honor it starts with.
    pub honor: u8,
}

/// The side that moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// An army.
    Army(Side),
    /// Dice decide (BT-SCEN-10).
    DiceOff,
}

/// The same as it is written.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FirstWord {
    Top,
    Bottom,
    Roll,
}

impl From<FirstWord> for First {
    fn from(word: FirstWord) -> Self {
        match word {
            FirstWord::Top => Self::Army(Side::Top),
            FirstWord::Bottom => Self::Army(Side::Bottom),
            FirstWord::Roll => Self::DiceOff,
        }
    }
}

/// How sure something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// As good as printed.
    #[default]
    High,
    /// Assumed.
    Low,
}

/// Meaning of ford tiles (BT-TERRAIN-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FordTiles {
    /// Without restrictions.
    Shallow,
    /// Ford rules.
    Ford,
    /// There are none.
    None,
}

/// Terrain rules of a scenario (BT-TERRAIN-06, BT-TERRAIN-07, BT-TERRAIN-10).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainRules {
    /// Name of the river.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub river_name: Option<String>,
    /// Every river hex is a ford.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub river_fordable: Option<bool>,
    /// River hexes cannot be entered, which is the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub river_impassable: Option<bool>,
    /// Meaning of ford tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ford_tiles: Option<FordTiles>,
    /// Number of ford tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ford_count: Option<u8>,
    /// Hills cannot be entered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hills_impassable: bool,
    /// Buildings cannot be entered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub buildings_impassable: bool,
    /// Fence tiles are palisades.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fences_are_palisades: bool,
    /// Castle tiles are something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub castle_treated_as: Option<CastleAs>,
}

/// Other terrain that castle tiles can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CastleAs {
    /// Buildings.
    Buildings,
}

/// The place of a battle in a mini-campaign (BT-SCEN-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// Which of the two it is.
    pub role: CampaignRole,
    /// Number of the other.
    pub linked: u16,
}

/// Which battle of a mini-campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CampaignRole {
    /// The first.
    First,
    /// The second.
    Second,
}

impl TerrainRules {
    /// Whether every river hex is a ford.
    pub fn is_fordable(&self) -> bool {
        self.river_fordable == Some(true)
    }

    fn check(&self) -> Result<(), SetupError> {
        let wrong =
            |field: &str, reason: &str| Err(SetupError::new(format!("terrain_rules.{field}"), reason));
        if self.is_fordable() == (self.river_impassable == Some(true)) && self.river_impassable.is_some() {
            return wrong("river_impassable", "is the opposite of river_fordable");
        }
        if self.is_fordable() && self.ford_tiles == Some(FordTiles::Ford) {
            return wrong(
                "ford_tiles",
                "\"ford\" in a fordable river, whose ford tiles are shallow (BT-TERRAIN-06)",
            );
        }
        self.river_name.as_deref().map_or(Ok(()), |name| check_name("terrain_rules.river_name", name))
    }
}

impl Header {
    /// Both armies.
    pub(super) fn armies(&self) -> BySide<Army> {
        BySide([self.top.clone(), self.bottom.clone()])
    }

    /// The army of a side.
    pub(super) const fn army(&self, side: Side) -> &Army {
        match side {
            Side::Top => &self.top,
            Side::Bottom => &self.bottom,
        }
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        if self.number.is_some_and(|number| number == 0 || number > 9999) {
            return Err(SetupError::new(
                "number",
                format!("{:?}, 1 to 9999 are possible", self.number.unwrap_or(0)),
            ));
        }
        check_name("name", &self.name)?;
        for (field, text) in [("key", &self.key), ("phase", &self.phase)] {
            text.as_deref().map_or(Ok(()), |text| check_name(field, text))?;
        }
        for (field, text) in [
            ("deployment_source", self.deployment_source.as_ref()),
            ("text_value", self.text_value.as_ref()),
            ("notes", self.notes.as_ref()),
            ("deployment.basis", Some(&self.deployment.basis)),
            ("deployment.narrative", Some(&self.deployment.narrative)),
        ] {
            text.map_or(Ok(()), |text| check_remark(field, text))?;
        }
        if !(1..=MAX_BANNERS_TO_WIN).contains(&self.flags_to_win) {
            let reason = format!("{}, 1 to {MAX_BANNERS_TO_WIN} are possible", self.flags_to_win);
            return Err(SetupError::new("flags_to_win", reason));
        }
        self.check_army(Side::Top, "red")?;
        self.check_army(Side::Bottom, "blue")?;
        if self.top.honor.saturating_add(self.bottom.honor) > HONOR_TOKENS {
            let reason = format!(
                "{} with {} of the top army, there are {HONOR_TOKENS} tokens",
                self.bottom.honor, self.top.honor
            );
            return Err(SetupError::new("bottom.honor", reason));
        }
        if let Some(campaign) = self.campaign
            && !(1..=super::SCENARIOS as u16).contains(&campaign.linked)
        {
            let reason = format!("there is no battle {}, 1 to {} exist", campaign.linked, super::SCENARIOS);
            return Err(SetupError::new("campaign.linked", reason));
        }
        self.terrain_rules.check()
    }

    fn check_army(&self, side: Side, color: &str) -> Result<(), SetupError> {
        let army = self.army(side);
        let field = |name: &str| format!("{}.{name}", side.name());
        let wrong = |name: &str, reason: String| Err(SetupError::new(field(name), reason));
        check_name(&field("name"), &army.name)?;
        if army.color.as_ref().is_some_and(|named| named != color) {
            return wrong("color", format!("{:?}, the {} army is {color}", army.color.as_ref(), side.name()));
        }
        if !COMMAND_HAND.contains(&army.command_cards) {
            let (least, most) = (COMMAND_HAND.start(), COMMAND_HAND.end());
            return wrong("command_cards", format!("{}, {least} to {most} are possible", army.command_cards));
        }
        if army.dragon_cards > MAX_DRAGON_HAND {
            return wrong(
                "dragon_cards",
                format!("{}, at most {MAX_DRAGON_HAND} are possible", army.dragon_cards),
            );
        }
        if army.honor > HONOR_TOKENS {
            return wrong("honor", format!("{}, there are {HONOR_TOKENS} tokens", army.honor));
        }
        Ok(())
    }
}

/// A name that can be shown on one line.
pub(super) fn check_name(field: &str, text: &str) -> Result<(), SetupError> {
    if text.trim().is_empty() || text.chars().count() > MAX_NAME || text.chars().any(char::is_control) {
        return Err(SetupError::new(field, format!("{text:?}, expected 1 to {MAX_NAME} plain characters")));
    }
    Ok(())
}

/// A text of some lines.
fn check_remark(field: &str, text: &str) -> Result<(), SetupError> {
    let count = text.chars().count();
    if text.trim().is_empty() || count > MAX_REMARK {
        return Err(SetupError::new(field, format!("{count} characters, expected 1 to {MAX_REMARK}")));
    }
    let is_plain = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    if let Some(letter) = text.chars().find(|&letter| !is_plain(letter)) {
        return Err(SetupError::new(field, format!("{letter:?} in it, expected plain characters")));
    }
    Ok(())
}
