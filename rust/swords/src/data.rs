//! Constants and units of the game (SW-COMP).

use sengoku_kernel::{by_id, id};
use serde::{Deserialize, Serialize};

/// Provinces, and province cards.
pub const PROVINCES: usize = 68;
/// Most clans in a match.
pub const MAX_CLANS: usize = 5;
/// Daimyo of a clan, and so its armies.
pub const DAIMYO: usize = 3;
/// Spearmen of one colour.
pub const SPEARMEN: u8 = 36;
/// Bowmen, swordsmen and gunners of one colour, each (SW-R-02).
pub const OTHERS: u8 = 9;
/// Bowmen and swordsmen in one army.
pub const ARMY_SAMURAI: u8 = 4;
/// Gunners and spearmen in one army.
pub const ARMY_ASHIGARU: u8 = 10;
/// Units in a full army: the daimyo, the samurai and the ashigaru.
pub const ARMY_TOTAL: u8 = 1 + ARMY_SAMURAI + ARMY_ASHIGARU;
/// Regular units in one provincial force.
pub const PROV_MAX: u8 = 5;
/// Ronin in the pool (SW-R-03).
pub const RONIN: u8 = 25;
/// Castles in the pool.
pub const CASTLES: u8 = 10;
/// Fortification bases in the pool.
pub const BASES: u8 = 5;
/// Koku for a castle or for a base.
pub const BUILD_COST: u8 = 2;
/// Temporary spearmen of a castle.
pub const CASTLE_BONUS: u8 = 4;
/// Temporary ronin of a fortress, instead of the spearmen.
pub const FORTRESS_BONUS: u8 = 5;
/// Provinces for one koku of income.
pub const INCOME_DIVISOR: u8 = 3;
/// Least income in koku.
pub const INCOME_MIN: u8 = 3;
/// Sides of the die.
pub const DIE: u32 = 12;
/// Level of each hole of the experience track (SW-R-48).
pub const EXP_HOLES: [u8; 10] = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4];
/// An assassination succeeds on this or less.
pub const NINJA_MAX: u32 = 8;
/// Revenge succeeds on this or more.
pub const REVENGE_MIN: u32 = 9;
/// Provinces that win with 3 to 5 players.
pub const WIN: u8 = 35;
/// Provinces that win with 2 players at the end of a round.
pub const WIN_TWO: u8 = 50;

id! {
    /// A province by its number on the map.
    pub struct ProvinceId < PROVINCES;
    /// The provinces of a set, in order.
    pub struct Provinces(u128);
}

id! {
    /// A clan by its number (SW-GEN-01).
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct ClanId < MAX_CLANS;
}

by_id! {
    /// A value for each province.
    pub struct ByProvince<T>([T; PROVINCES]) by ProvinceId;
}

by_id! {
    /// A value for each clan.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct ByClan<T>([T; MAX_CLANS]) by ClanId;
}

/// The kinds of units, in the order of their combat steps (SW-COMP-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Unit {
    /// Bowman: samurai, missile.
    Bow,
    /// Gunner: ashigaru, missile.
    Gun,
    /// Daimyo: leader, melee.
    Daimyo,
    /// Swordsman: samurai, melee.
    Sword,
    /// Ronin: mercenary, melee.
    Ronin,
    /// Spearman: ashigaru, melee.
    Spear,
}

/// Which boxes of the army card a unit may fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmyBox {
    /// The daimyo's place.
    Daimyo,
    /// Four places for bowmen and swordsmen.
    Samurai,
    /// Ten places for gunners and spearmen.
    Ashigaru,
}

impl Unit {
    /// All kinds, in the order of their combat steps.
    pub const ALL: [Self; 6] = [Self::Bow, Self::Gun, Self::Daimyo, Self::Sword, Self::Ronin, Self::Spear];

    /// The kind as an array index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bow => "bow",
            Self::Gun => "gun",
            Self::Daimyo => "daimyo",
            Self::Sword => "sword",
            Self::Ronin => "ronin",
            Self::Spear => "spear",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// A die hits when it shows this or less.
    pub const fn combat_value(self) -> u8 {
        match self {
            Self::Bow | Self::Daimyo => 6,
            Self::Sword | Self::Ronin => 5,
            Self::Gun | Self::Spear => 4,
        }
    }

    /// Units one koku buys or hires; a daimyo is not for sale.
    pub const fn per_koku(self) -> Option<u8> {
        match self {
            Self::Bow => Some(1),
            Self::Sword | Self::Gun | Self::Ronin => Some(2),
            Self::Spear => Some(3),
            Self::Daimyo => None,
        }
    }

    /// The box of the army card for this kind; ronin stand beside the boxes.
    pub const fn army_box(self) -> Option<ArmyBox> {
        match self {
            Self::Daimyo => Some(ArmyBox::Daimyo),
            Self::Bow | Self::Sword => Some(ArmyBox::Samurai),
            Self::Gun | Self::Spear => Some(ArmyBox::Ashigaru),
            Self::Ronin => None,
        }
    }

    /// Whether the unit is a regular one (SW-GEN-05).
    pub const fn is_regular(self) -> bool {
        !matches!(self, Self::Ronin)
    }
}

by_id! {
    /// A value for each kind of unit.
    #[derive(Default, Hash, PartialOrd, Ord)]
    pub struct ByUnit<T>([T; 6]) by Unit;
}

impl ByUnit<u8> {
    /// Number of all units; counts that no force has are summed up to 255.
    pub fn total(&self) -> u8 {
        self.0.iter().copied().fold(0, u8::saturating_add)
    }

    /// Number of regular units, the daimyo included.
    pub fn regulars(&self) -> u8 {
        let [bow, gun, daimyo, sword, _, spear] = self.0;
        bow.saturating_add(gun).saturating_add(daimyo).saturating_add(sword).saturating_add(spear)
    }
}

/// The building in a province, if any (SW-COMP-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fort {
    /// No building.
    #[default]
    None,
    /// A castle: four bonus spearmen when attacked.
    Castle,
    /// A castle on a base: five bonus ronin when attacked.
    Fortress,
}

impl Fort {
    /// The bonus units that join the defence (SW-FORT-01), virtual and taken from no stock (SW-R-04).
    pub const fn bonus(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Castle => CASTLE_BONUS,
            Self::Fortress => FORTRESS_BONUS,
        }
    }

    /// The kind the bonus units fight as.
    pub const fn bonus_unit(self) -> Unit {
        match self {
            Self::Fortress => Unit::Ronin,
            Self::None | Self::Castle => Unit::Spear,
        }
    }

    /// The building as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Castle => "castle",
            Self::Fortress => "fortress",
        }
    }
}

/// Koku a clan takes in Action 9 (SW-ROUND-02, SW-X-01).
pub const fn income(provinces: u8) -> u8 {
    let koku = provinces / INCOME_DIVISOR;
    if koku < INCOME_MIN { INCOME_MIN } else { koku }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        // SW-COMP-01, SW-R-02, SW-R-03
        assert_eq!((PROVINCES, SPEARMEN, OTHERS, DAIMYO), (68, 36, 9, 3));
        assert_eq!((ARMY_SAMURAI, ARMY_ASHIGARU, ARMY_TOTAL, PROV_MAX), (4, 10, 15, 5));
        assert_eq!((RONIN, CASTLES, BASES, BUILD_COST), (25, 10, 5, 2));
        assert_eq!((CASTLE_BONUS, FORTRESS_BONUS), (4, 5));
        assert_eq!((INCOME_DIVISOR, INCOME_MIN, DIE), (3, 3, 12));
        assert_eq!(EXP_HOLES, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
        assert_eq!((NINJA_MAX, REVENGE_MIN, WIN, WIN_TWO), (8, 9, 35, 50));
        // SW-R-02: 72 pieces of a colour are 36 + 27 units, 3 daimyo and 6 flags
        assert_eq!(72, u32::from(SPEARMEN) + 3 * u32::from(OTHERS) + 3 + 6);
    }

    #[test]
    fn units() {
        // SW-COMP-02: class, army box, combat value, units per koku
        let rows = [
            (Unit::Bow, Some(ArmyBox::Samurai), 6, Some(1)),
            (Unit::Gun, Some(ArmyBox::Ashigaru), 4, Some(2)),
            (Unit::Daimyo, Some(ArmyBox::Daimyo), 6, None),
            (Unit::Sword, Some(ArmyBox::Samurai), 5, Some(2)),
            (Unit::Ronin, None, 5, Some(2)),
            (Unit::Spear, Some(ArmyBox::Ashigaru), 4, Some(3)),
        ];
        for (unit, army_box, value, per_koku) in rows {
            assert_eq!((unit.army_box(), unit.combat_value(), unit.per_koku()), (army_box, value, per_koku));
            assert_eq!(Unit::named(unit.name()), Some(unit));
        }
        assert_eq!(Unit::named("samurai"), None);
    }

    /// Most koku that clans holding 1 to `most` provinces each can take, by the number of provinces they hold together.
    fn best_incomes(clans: usize, most: usize) -> [Option<u8>; PROVINCES + 1] {
        let mut best = [None; PROVINCES + 1];
        best[0] = Some(0);
        for _ in 0..clans {
            let before = best;
            best = std::array::from_fn(|total| {
                (1..=most.min(total)).filter_map(|own| Some(before[total - own]? + income(own as u8))).max()
            });
        }
        best
    }

    #[test]
    fn koku_chips_never_run_out() {
        // SW-R-06: the most that is paid out in an Action 9 after which the game goes on
        let paid = |clans| best_incomes(clans, usize::from(WIN) - 1).into_iter().flatten().max();
        assert_eq!((3..=5).map(paid).max(), Some(Some(30)));
        // two players, two clans each, neither player at 50 provinces
        let two_clans = best_incomes(2, PROVINCES);
        let mut most = 0;
        for one in 2..usize::from(WIN_TWO) {
            for other in 2..usize::from(WIN_TWO).min(PROVINCES + 1 - one) {
                most = most.max(two_clans[one].unwrap() + two_clans[other].unwrap());
            }
        }
        assert_eq!(most, 28);
    }
}
