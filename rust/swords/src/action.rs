//! Every decision of the game, and its place in one table.

use crate::data::{ClanId, DAIMYO, MAX_CLANS, PROVINCES, ProvinceId, RONIN, Unit};

/// Most ronin that can lie under one card: the limits of a full army and a full provincial force (SW-S-05).
pub const MAX_HIDDEN: u8 = 18;

/// A decision one seat can take. What it does depends on the point that play has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Declines an offer: no spying, no building, no assassination, a unit given up, ronin kept hidden, no move.
    Pass,
    /// Ends a list: no further army, declaration, unit or force.
    Done,
    /// The army stops: it stays where it is, or makes no further attack.
    Stop,
    /// Step 8: the battle goes on.
    Continue,
    /// Step 8: the attacker calls the battle off.
    CallOff,
    /// A number: koku for a box, ronin left or divided, units into an army.
    Amount(u8),
    /// A clan to spy on.
    Clan(ClanId),
    /// A sword, 1 to 5.
    Sword(u8),
    /// Buys units for one koku; the value is an index into [`BUNDLES`].
    Bundle(u8),
    /// One of the own armies.
    Army(u8),
    /// A daimyo to assassinate.
    Daimyo {
        /// His clan.
        clan: ClanId,
        /// His army.
        army: u8,
    },
    /// One unit of an army: left as garrison, detached, or lost.
    FromArmy(Unit),
    /// One unit of a provincial force: picked up, moved, or lost.
    FromProvince(Unit),
    /// A province: to place something in, to move out of, to attack, or to detach units into.
    Province(ProvinceId),
    /// A levied unit goes into the army of this province.
    IntoArmy(ProvinceId),
    /// A step to a province, with this many ronin of the hidden stack of the province that is left (SW-R-88).
    Step {
        /// Where to.
        to: ProvinceId,
        /// Ronin taken from the hidden stack.
        hidden: u8,
    },
}
const _: () = assert!(size_of::<Action>() <= 4); // replays store millions of these

/// Purchases for one koku (SW-LEVY-01), including less than a full bundle (SW-R-24): units and their numbers.
pub const BUNDLES: [&[(Unit, u8)]; 10] = [
    &[],
    &[(Unit::Bow, 1)],
    &[(Unit::Sword, 1)],
    &[(Unit::Sword, 2)],
    &[(Unit::Gun, 1)],
    &[(Unit::Gun, 2)],
    &[(Unit::Gun, 1), (Unit::Sword, 1)],
    &[(Unit::Spear, 1)],
    &[(Unit::Spear, 2)],
    &[(Unit::Spear, 3)],
];

const AMOUNT: u32 = 5;
const CLAN: u32 = AMOUNT + RONIN as u32 + 1;
const SWORD: u32 = CLAN + MAX_CLANS as u32;
const BUNDLE: u32 = SWORD + MAX_CLANS as u32;
const ARMY: u32 = BUNDLE + BUNDLES.len() as u32;
const DAIMYO_AT: u32 = ARMY + DAIMYO as u32;
const FROM_ARMY: u32 = DAIMYO_AT + (DAIMYO * MAX_CLANS) as u32;
const FROM_PROVINCE: u32 = FROM_ARMY + 6;
const PROVINCE: u32 = FROM_PROVINCE + 6;
const INTO_ARMY: u32 = PROVINCE + PROVINCES as u32;
const STEP: u32 = INTO_ARMY + PROVINCES as u32;
const STEPS_EACH: u32 = MAX_HIDDEN as u32 + 1;
/// Entries of the action table.
pub const ACTION_COUNT: u32 = STEP + PROVINCES as u32 * STEPS_EACH;

impl Action {
    /// Place in the table.
    pub const fn index(self) -> u32 {
        match self {
            Self::Pass => 0,
            Self::Done => 1,
            Self::Stop => 2,
            Self::Continue => 3,
            Self::CallOff => 4,
            Self::Amount(amount) => AMOUNT + amount as u32,
            Self::Clan(clan) => CLAN + clan.0 as u32,
            Self::Sword(sword) => SWORD + sword as u32 - 1,
            Self::Bundle(bundle) => BUNDLE + bundle as u32,
            Self::Army(army) => ARMY + army as u32,
            Self::Daimyo { clan, army } => DAIMYO_AT + clan.0 as u32 * DAIMYO as u32 + army as u32,
            Self::FromArmy(unit) => FROM_ARMY + unit as u32,
            Self::FromProvince(unit) => FROM_PROVINCE + unit as u32,
            Self::Province(province) => PROVINCE + province.0 as u32,
            Self::IntoArmy(province) => INTO_ARMY + province.0 as u32,
            Self::Step { to, hidden } => STEP + to.0 as u32 * STEPS_EACH + hidden as u32,
        }
    }

    /// The action at a place of the table.
    pub const fn at(index: u32) -> Option<Self> {
        Some(match index {
            0 => Self::Pass,
            1 => Self::Done,
            2 => Self::Stop,
            3 => Self::Continue,
            4 => Self::CallOff,
            AMOUNT..CLAN => Self::Amount((index - AMOUNT) as u8),
            CLAN..SWORD => Self::Clan(ClanId((index - CLAN) as u8)),
            SWORD..BUNDLE => Self::Sword((index - SWORD) as u8 + 1),
            BUNDLE..ARMY => Self::Bundle((index - BUNDLE) as u8),
            ARMY..DAIMYO_AT => Self::Army((index - ARMY) as u8),
            DAIMYO_AT..FROM_ARMY => {
                let place = (index - DAIMYO_AT) as u8;
                Self::Daimyo { clan: ClanId(place / DAIMYO as u8), army: place % DAIMYO as u8 }
            }
            FROM_ARMY..FROM_PROVINCE => Self::FromArmy(Unit::ALL[(index - FROM_ARMY) as usize]),
            FROM_PROVINCE..PROVINCE => Self::FromProvince(Unit::ALL[(index - FROM_PROVINCE) as usize]),
            PROVINCE..INTO_ARMY => Self::Province(ProvinceId((index - PROVINCE) as u8)),
            INTO_ARMY..STEP => Self::IntoArmy(ProvinceId((index - INTO_ARMY) as u8)),
            STEP..ACTION_COUNT => {
                let place = index - STEP;
                let to = ProvinceId((place / STEPS_EACH) as u8);
                Self::Step { to, hidden: (place % STEPS_EACH) as u8 }
            }
            _ => return None,
        })
    }

    /// The kind of the action, in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Done => "done",
            Self::Stop => "stop",
            Self::Continue => "continue",
            Self::CallOff => "call_off",
            Self::Amount(_) => "amount",
            Self::Clan(_) => "clan",
            Self::Sword(_) => "sword",
            Self::Bundle(_) => "bundle",
            Self::Army(_) => "army",
            Self::Daimyo { .. } => "daimyo",
            Self::FromArmy(_) => "from_army",
            Self::FromProvince(_) => "from_province",
            Self::Province(_) => "province",
            Self::IntoArmy(_) => "into_army",
            Self::Step { .. } => "step",
        }
    }
}

/// Receives legal actions: a list, or [`sengoku_kernel::OnlyAction`]. They come in table order.
pub(crate) trait ActionSink: sengoku_kernel::ActionSink<Action> {
    /// Adds a province for each of a set.
    fn add_provinces(&mut self, set: u128) {
        self.add_all(crate::data::Provinces(set).map(Action::Province));
    }

    /// Adds the amounts from the least to the most.
    fn add_amounts(&mut self, least: u8, most: u8) {
        self.add_all((least..=most).map(Action::Amount));
    }
}

impl<S: sengoku_kernel::ActionSink<Action>> ActionSink for S {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_dense() {
        assert_eq!(ACTION_COUNT, 1509);
        for index in 0..ACTION_COUNT {
            assert_eq!(Action::at(index).map(Action::index), Some(index));
        }
        assert_eq!(Action::at(ACTION_COUNT), None);
    }
}
