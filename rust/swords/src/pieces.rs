//! The possessions of clans and provinces: units, armies, plans, stocks (SW-S-01..22).
//!
//! These parts of a state are public through [`crate::state`].

use serde::{Deserialize, Serialize};

use crate::data::{ByUnit, ClanId, DAIMYO, EXP_HOLES, Fort, ProvinceId, RONIN, Unit};
use crate::force::Force;
use crate::stock::Tray;

/// Options that are fixed before the match (SW-S-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Players at the table; two of them run two clans each (SW-TWO-01).
    pub seats: u8,
    /// Victory is looked at only at the end of a round (SW-LONG-01).
    pub long_game: bool,
    /// Armies may be attacked in round 1 of a two-player game (SW-TWO-07).
    pub two_player_early_attacks: bool,
    /// The host's cap: the match ends after this many rounds without a result (SW-R-81).
    pub max_rounds: u16,
}

impl Options {
    /// Clans in the match (SW-GEN-01).
    pub const fn clans(&self) -> usize {
        if self.seats == 2 { 4 } else { self.seats as usize }
    }
}

/// One province (SW-S-01..07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Province {
    /// The clan that holds its card, if it is not empty.
    pub owner: Option<ClanId>,
    /// Its building.
    pub fort: Fort,
    /// The provincial force with its revealed ronin.
    pub units: ByUnit<u8>,
    /// Ronin under a face-down card.
    pub hidden: u8,
    /// Bonus units lost in this war turn.
    pub bonus_lost: u8,
    /// Units of the force that were dropped, detached or moved in this phase (SW-R-74, SW-R-91).
    pub moved: ByUnit<u8>,
    /// A levied unit on its way here while the others still choose: the kind, and whether it joins the army.
    pub levy: Option<Levied>,
}

/// Sizes of face-down ronin cards, given largest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    counts: [u8; RONIN as usize + 1],
    /// A bit for each size that there is; mostly there is none.
    sizes: u32,
}

impl Cards {
    /// Adds a card, if there are ronin under it.
    pub(crate) fn add(&mut self, ronin: u8) {
        let size = ronin.min(RONIN);
        self.counts[usize::from(size)] += 1;
        self.sizes |= 1 << size & !1;
    }
}

impl Iterator for Cards {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let largest = self.sizes.checked_ilog2()?;
        let count = &mut self.counts[largest as usize];
        *count -= 1;
        if *count == 0 {
            self.sizes ^= 1 << largest;
        }
        Some(largest as u8)
    }
}

/// A levied unit before all levies are placed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levied {
    /// The kind of unit bought.
    pub unit: Unit,
    /// Into the army instead of the provincial force.
    pub into_army: bool,
}

impl Province {
    /// The provincial force.
    pub const fn force(&self) -> Force {
        Force { units: self.units, disrupted: false }
    }
}

/// A daimyo, his marker and the units on his section of the army card (SW-S-08..14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Army {
    /// Where the marker stands; nowhere before it is placed and when the army is lost.
    pub province: Option<ProvinceId>,
    /// Hole of the experience marker.
    pub hole: u8,
    /// Units in the boxes, the living daimyo, and revealed ronin.
    pub units: ByUnit<u8>,
    /// The daimyo was assassinated in this round (SW-NINJA-06).
    pub disrupted: bool,
    /// It has moved in this phase.
    pub moved: bool,
}

impl Army {
    /// The army as a force.
    pub const fn force(&self) -> Force {
        Force { units: self.units, disrupted: self.disrupted }
    }

    /// Whether a living daimyo leads it on the board.
    pub fn is_led(&self) -> bool {
        self.province.is_some() && self.units[Unit::Daimyo] > 0
    }

    /// Whether the daimyo is lost (SW-ELIM-01).
    pub fn is_lost(&self) -> bool {
        self.units[Unit::Daimyo] == 0 && !self.disrupted
    }

    /// The level of the daimyo (SW-EXP-01).
    pub const fn level(&self) -> u8 {
        EXP_HOLES[self.hole as usize]
    }

    /// Regular units besides the daimyo.
    pub fn followers(&self) -> u8 {
        self.units.regulars() - self.units[Unit::Daimyo]
    }
}

/// The five boxes of a plan (SW-PLAN-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the boxes are named after the actions they pay for")]
pub enum PlanBox {
    Swords,
    Build,
    Levy,
    Ronin,
    Ninja,
}

impl PlanBox {
    /// All boxes, in the order in which they are filled and spent.
    pub const ALL: [Self; 5] = [Self::Swords, Self::Build, Self::Levy, Self::Ronin, Self::Ninja];
}

/// Koku by box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the boxes are named after the actions they pay for")]
pub struct Plan {
    pub swords: u8,
    pub build: u8,
    pub levy: u8,
    pub ronin: u8,
    pub ninja: u8,
}

impl Plan {
    /// Koku in all boxes.
    pub const fn total(&self) -> u8 {
        self.swords + self.build + self.levy + self.ronin + self.ninja
    }

    /// A box.
    pub const fn get_mut(&mut self, place: PlanBox) -> &mut u8 {
        match place {
            PlanBox::Swords => &mut self.swords,
            PlanBox::Build => &mut self.build,
            PlanBox::Levy => &mut self.levy,
            PlanBox::Ronin => &mut self.ronin,
            PlanBox::Ninja => &mut self.ninja,
        }
    }
}

/// One clan (SW-S-15..20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clan {
    /// 0 in play; otherwise the how-manieth to go out.
    pub out: u8,
    /// Colours whose pieces it has: its own and those of clans it eliminated.
    pub colours: u8,
    /// Koku in hand.
    pub koku: u8,
    /// Its plan for this round.
    pub plan: Plan,
    /// The plan is complete.
    pub committed: bool,
    /// Its sword, 0 when it has none.
    pub sword: u8,
    /// Its unused units.
    pub tray: Tray,
    /// Units bought and not placed yet.
    pub bought: ByUnit<u8>,
    /// Ronin hired and not placed yet.
    pub hired: u8,
    /// The sword it wishes for while tied clans choose, 0 for none yet (SW-R-18).
    pub wish: u8,
    /// Where it wants to build, while the others still choose.
    pub site: Option<ProvinceId>,
    /// The clan has given all its answers in the simultaneous step that is under way.
    pub answered: bool,
    /// Its armies.
    pub armies: [Army; DAIMYO],
}
