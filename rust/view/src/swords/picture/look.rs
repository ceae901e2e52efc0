//! Content of a picture: provinces, armies and clans.

use sengoku_swords::data::{Fort, PROVINCES};
use sengoku_swords::map::Map;

/// An army as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArmyLook {
    /// Its number as players say it, from 1.
    pub number: u8,
    /// Units on its section of the army card, the daimyo included.
    pub units: u8,
    /// Level of its daimyo.
    pub level: u8,
    /// Whether it is disrupted.
    pub disrupted: bool,
}

/// A province as it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProvinceLook {
    /// The clan that owns it.
    pub owner: Option<u8>,
    /// Regular units of the provincial force.
    pub regulars: u8,
    /// Ronin in the open.
    pub ronin: u8,
    /// Hidden ronin, if the viewer may know of them.
    pub hidden: u8,
    /// The building.
    pub fort: Fort,
    /// The army whose marker stands here.
    pub army: Option<ArmyLook>,
}

/// A clan as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClanLook {
    /// Its display name.
    pub name: String,
    /// Provinces it owns.
    pub provinces: u8,
    /// Koku it has.
    pub koku: u8,
    /// Its sword, once it has one.
    pub sword: Option<u8>,
    /// Whether it is out of the match.
    pub out: bool,
}

/// All that a picture shows.
#[derive(Clone, Debug)]
pub struct Look<'a> {
    /// The board.
    pub map: &'a Map,
    /// Content of each province.
    pub provinces: [ProvinceLook; PROVINCES],
    /// The clans by number.
    pub clans: Vec<ClanLook>,
    /// A line at the top.
    pub title: String,
    /// An attack under way: from where, and on what.
    pub highlight: Option<(u8, u8)>,
}

impl<'a> Look<'a> {
    /// The board with nothing on it.
    pub fn empty(map: &'a Map) -> Self {
        Self {
            map,
            provinces: [ProvinceLook::default(); PROVINCES],
            clans: Vec::new(),
            title: map.title().into(),
            highlight: None,
        }
    }
}
