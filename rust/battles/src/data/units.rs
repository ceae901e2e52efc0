//! Units and leaders (BT-UNITS, BT-LEADERS).

use serde::{Deserialize, Serialize};

use super::{BySide, FULL_BLOCKS, Symbol, numbered};

numbered! {
    /// The kinds of units, in the order of the unit table (BT-UNITS-01).
    #[derive(Default, Serialize, Deserialize)]
    pub enum UnitKind {
        /// Samurai spear infantry.
        #[default]
        #[serde(rename = "SSp")]
        SamuraiSpear,
        /// Samurai bow infantry.
        #[serde(rename = "SB")]
        SamuraiBow,
        /// Ashigaru spear infantry.
        #[serde(rename = "ASp")]
        AshigaruSpear,
        /// Ashigaru bow infantry.
        #[serde(rename = "AB")]
        AshigaruBow,
        /// Ashigaru arquebus infantry.
        #[serde(rename = "AA")]
        AshigaruArquebus,
        /// Levy infantry.
        #[serde(rename = "LI")]
        Levy,
        /// Samurai spear cavalry.
        #[serde(rename = "SSpC")]
        SpearCavalry,
        /// Samurai bow cavalry.
        #[serde(rename = "SBC")]
        BowCavalry,
        /// Bodyguard of the army commander.
        #[serde(rename = "BG")]
        Bodyguard,
    }
}

/// Foot or horse; the bodyguard is neither, and uses the column of infantry in the terrain table (BT-R-09, BT-TERRAIN-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm {
    /// On foot.
    Infantry,
    /// On horse.
    Cavalry,
    /// Bodyguard.
    Special,
}

/// The ranged weapon of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weapon {
    /// It does not shoot.
    None,
    /// Bow.
    Bow,
    /// Arquebus.
    Arquebus,
}

/// A row of the unit table (BT-UNITS-01).
#[derive(Clone, Copy, Debug)]
pub struct UnitRow {
    /// The kind.
    pub kind: UnitKind,
    /// The kind as users write it.
    pub code: &'static str,
    /// The kind in words.
    pub name: &'static str,
    /// The symbol printed on it, whose die face hits it.
    pub symbol: Symbol,
    /// Foot or horse.
    pub arm: Arm,
    /// Its ranged weapon.
    pub weapon: Weapon,
    /// `mv`: most hexes of an ordered move.
    pub moves: u8,
    /// `mb`: most hexes moved after which it may still battle.
    pub moves_and_battles: u8,
    /// Base melee dice; those of the bodyguard are its blocks.
    pub melee: u8,
    /// Base ranged dice by range when it has not moved.
    pub ranged: [u8; 5],
    /// Base ranged dice at any of its ranges when it has moved.
    pub ranged_moved: u8,
    /// Flags it may ignore by itself (BT-MORALE-05).
    pub flags: u8,
    /// Hexes it retreats for a flag; the bodyguard never does.
    pub hexes_per_flag: u8,
    /// Honor lost for each hex it retreats.
    pub honor_per_hex: u8,
    /// Honor lost for a retreat, however far.
    pub honor_per_retreat: u8,
    /// Units of the kind in the box, by army (BT-COMP-04).
    pub in_the_box: BySide<u8>,
}

/// The unit table (BT-UNITS-01, BT-COMP-04, BT-R-06..08).
pub static UNITS: [UnitRow; UnitKind::COUNT] = {
    const FOOT: UnitRow = UnitRow {
        kind: UnitKind::SamuraiSpear,
        code: "SSp",
        name: "samurai spear infantry",
        symbol: Symbol::Square,
        arm: Arm::Infantry,
        weapon: Weapon::None,
        moves: 1,
        moves_and_battles: 1,
        melee: 4,
        ranged: [0; 5],
        ranged_moved: 0,
        flags: 1,
        hexes_per_flag: 1,
        honor_per_hex: 2,
        honor_per_retreat: 0,
        in_the_box: BySide([5, 5]),
    };
    const ASHIGARU: UnitRow = UnitRow { moves: 2, melee: 2, flags: 0, honor_per_hex: 1, ..FOOT };
    [
        FOOT,
        UnitRow {
            kind: UnitKind::SamuraiBow,
            code: "SB",
            name: "samurai bow infantry",
            weapon: Weapon::Bow,
            melee: 3,
            ranged: [0, 0, 3, 3, 0],
            ranged_moved: 1,
            in_the_box: BySide([3, 3]),
            ..FOOT
        },
        UnitRow {
            kind: UnitKind::AshigaruSpear,
            code: "ASp",
            name: "ashigaru spear infantry",
            symbol: Symbol::Triangle,
            melee: 3,
            in_the_box: BySide([8, 8]),
            ..ASHIGARU
        },
        UnitRow {
            kind: UnitKind::AshigaruBow,
            code: "AB",
            name: "ashigaru bow infantry",
            symbol: Symbol::Circle,
            weapon: Weapon::Bow,
            moves_and_battles: 2,
            ranged: [0, 0, 2, 2, 0],
            ranged_moved: 1,
            in_the_box: BySide([4, 4]),
            ..ASHIGARU
        },
        UnitRow {
            kind: UnitKind::AshigaruArquebus,
            code: "AA",
            name: "ashigaru arquebus infantry",
            symbol: Symbol::Circle,
            weapon: Weapon::Arquebus,
            moves_and_battles: 0,
            ranged: [0, 0, 2, 2, 1],
            in_the_box: BySide([5, 4]),
            ..ASHIGARU
        },
        UnitRow {
            kind: UnitKind::Levy,
            code: "LI",
            name: "levy infantry",
            symbol: Symbol::Circle,
            moves_and_battles: 2,
            hexes_per_flag: 2,
            honor_per_hex: 0,
            honor_per_retreat: 2,
            in_the_box: BySide([3, 3]),
            ..ASHIGARU
        },
        UnitRow {
            kind: UnitKind::SpearCavalry,
            code: "SSpC",
            name: "samurai spear cavalry",
            arm: Arm::Cavalry,
            moves: 2,
            moves_and_battles: 2,
            in_the_box: BySide([4, 5]),
            ..FOOT
        },
        UnitRow {
            kind: UnitKind::BowCavalry,
            code: "SBC",
            name: "samurai bow cavalry",
            arm: Arm::Cavalry,
            weapon: Weapon::Bow,
            moves: 2,
            moves_and_battles: 2,
            melee: 3,
            ranged: [0, 0, 3, 3, 0],
            ranged_moved: 1,
            in_the_box: BySide([4, 4]),
            ..FOOT
        },
        UnitRow {
            kind: UnitKind::Bodyguard,
            code: "BG",
            name: "bodyguard",
            symbol: Symbol::Swords,
            arm: Arm::Special,
            moves: 0,
            moves_and_battles: 0,
            melee: FULL_BLOCKS,
            flags: 0,
            hexes_per_flag: 0,
            honor_per_hex: 0,
            in_the_box: BySide([1, 1]),
            ..FOOT
        },
    ]
};

impl UnitKind {
    /// The row of the unit table.
    #[inline]
    pub const fn row(self) -> &'static UnitRow {
        &UNITS[self as usize]
    }

    /// The kind as users write it.
    pub const fn code(self) -> &'static str {
        self.row().code
    }

    /// The kind of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The symbol printed on it, whose die face hits it.
    #[inline]
    pub const fn symbol(self) -> Symbol {
        self.row().symbol
    }

    /// Foot or horse.
    #[inline]
    pub const fn arm(self) -> Arm {
        self.row().arm
    }

    /// Its ranged weapon.
    #[inline]
    pub const fn weapon(self) -> Weapon {
        self.row().weapon
    }

    /// Whether it is infantry; the bodyguard is not (BT-UNITS-07, BT-R-09).
    #[inline]
    pub const fn is_infantry(self) -> bool {
        matches!(self.arm(), Arm::Infantry)
    }

    /// Whether it is cavalry (BT-UNITS-07).
    #[inline]
    pub const fn is_cavalry(self) -> bool {
        matches!(self.arm(), Arm::Cavalry)
    }

    /// Whether it shoots (BT-UNITS-07).
    #[inline]
    pub const fn is_missile(self) -> bool {
        !matches!(self.weapon(), Weapon::None)
    }

    /// Whether it shoots with bows (BT-UNITS-07).
    #[inline]
    pub const fn is_bow(self) -> bool {
        matches!(self.weapon(), Weapon::Bow)
    }

    /// Whether it is the bodyguard.
    #[inline]
    pub const fn is_bodyguard(self) -> bool {
        matches!(self, Self::Bodyguard)
    }

    /// Farthest target it can shoot at, 0 if it does not shoot (BT-UNITS-05).
    #[inline]
    pub const fn range(self) -> u8 {
        match self.weapon() {
            Weapon::None => 0,
            Weapon::Bow => 3,
            Weapon::Arquebus => 4,
        }
    }

    /// Base melee dice of a unit with this number of blocks (BT-UNITS-02, BT-ARMY-COMMANDER-04).
    #[inline]
    pub const fn melee_dice(self, blocks: u8) -> u8 {
        if self.is_bodyguard() { blocks } else { self.row().melee }
    }

    /// Base ranged dice at a distance, 0 if it cannot shoot so far or so near (BT-UNITS-01, BT-R-93: an arquebus that
    /// may shoot after a move does so with its full dice).
    #[inline]
    pub const fn ranged_dice(self, distance: u8, moved: bool) -> u8 {
        if distance < 2 || distance > self.range() {
            0
        } else if moved && self.is_bow() {
            self.row().ranged_moved
        } else {
            self.row().ranged[distance as usize]
        }
    }

    /// Honor that its owner loses for a retreat of this number of hexes, without an attached leader (BT-HONOR-06).
    #[inline]
    pub const fn retreat_honor(self, hexes: u8) -> u8 {
        if hexes == 0 { 0 } else { self.row().honor_per_retreat + self.row().honor_per_hex * hexes }
    }

    /// Whether it collects honor from honor faces in a melee against a unit (BT-UNITS-01, BT-MELEE-11, BT-R-34).
    #[inline]
    pub const fn collects_in_melee(self, against: Self) -> bool {
        let below = matches!(against.symbol(), Symbol::Triangle | Symbol::Circle);
        !(self.is_cavalry() && below || matches!(against, Self::Levy))
    }
}

/// Swords that a unit ignores in melee for its rank and stature (BT-MELEE-10); none where a bodyguard has a part
/// (BT-ARMY-COMMANDER-06).
#[inline]
pub const fn ignored_swords(hit: UnitKind, by: UnitKind) -> u8 {
    IGNORED_SWORDS[hit as usize][by as usize]
}

static IGNORED_SWORDS: [[u8; UnitKind::COUNT]; UnitKind::COUNT] = {
    let mut table = [[0; UnitKind::COUNT]; UnitKind::COUNT];
    let mut hit = 0;
    while hit < UnitKind::COUNT {
        let mut by = 0;
        while by < UnitKind::COUNT {
            let (unit, roller) = (UnitKind::ALL[hit], UnitKind::ALL[by]);
            if !unit.is_bodyguard() && !roller.is_bodyguard() {
                let rank = (unit.symbol() as u8).saturating_sub(roller.symbol() as u8);
                table[hit][by] = rank + (unit.is_cavalry() && roller.is_infantry()) as u8;
            }
            by += 1;
        }
        hit += 1;
    }
    table
};

numbered! {
    /// The kinds of leaders, in the order of their status (BT-LEADERS-01, BT-DRAGON-31).
    #[derive(Default, Serialize, Deserialize)]
    pub enum LeaderKind {
        /// Foot leader.
        #[default]
        #[serde(rename = "LF")]
        Foot,
        /// Mounted leader.
        #[serde(rename = "LM")]
        Mounted,
        /// Army commander.
        #[serde(rename = "AC")]
        Commander,
    }
}

/// A row of the leader table.
#[derive(Clone, Copy, Debug)]
pub struct LeaderRow {
    /// The kind.
    pub kind: LeaderKind,
    /// The kind as users write it.
    pub code: &'static str,
    /// The kind in words.
    pub name: &'static str,
    /// Most hexes of an ordered move by itself (BT-LEADERS-06).
    pub moves: u8,
    /// Leaders of the kind in the box, by army (BT-COMP-04).
    pub in_the_box: BySide<u8>,
}

/// The kinds of leaders (BT-LEADERS-01, BT-LEADERS-06, BT-COMP-04).
pub static LEADERS: [LeaderRow; LeaderKind::COUNT] = [
    LeaderRow {
        kind: LeaderKind::Foot,
        code: "LF",
        name: "foot leader",
        moves: 2,
        in_the_box: BySide([5, 5]),
    },
    LeaderRow {
        kind: LeaderKind::Mounted,
        code: "LM",
        name: "mounted leader",
        moves: 3,
        in_the_box: BySide([4, 4]),
    },
    LeaderRow {
        kind: LeaderKind::Commander,
        code: "AC",
        name: "army commander",
        moves: 0,
        in_the_box: BySide([1, 1]),
    },
];

impl LeaderKind {
    /// The row of this kind in the leader table.
    #[inline]
    pub const fn row(self) -> &'static LeaderRow {
        &LEADERS[self as usize]
    }

    /// The kind as users write it.
    pub const fn code(self) -> &'static str {
        self.row().code
    }

    /// The kind of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Most hexes of an ordered move by itself.
    #[inline]
    pub const fn moves(self) -> u8 {
        self.row().moves
    }

    /// Whether it may be attached to a unit of a kind (BT-LEADERS-03).
    #[inline]
    pub const fn may_lead(self, unit: UnitKind) -> bool {
        match self {
            Self::Foot => unit.is_infantry(),
            Self::Mounted => unit.is_infantry() || unit.is_cavalry(),
            Self::Commander => unit.is_bodyguard(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_table() {
        // BT-UNITS-01, BT-COMP-03, BT-R-06, BT-R-07, BT-R-08
        let rows = UNITS.each_ref().map(|unit| {
            (unit.code, unit.moves, unit.moves_and_battles, unit.melee, &unit.ranged[2..], unit.ranged_moved)
        });
        assert_eq!(
            rows,
            [
                ("SSp", 1, 1, 4, &[0, 0, 0][..], 0),
                ("SB", 1, 1, 3, &[3, 3, 0], 1),
                ("ASp", 2, 1, 3, &[0, 0, 0], 0),
                ("AB", 2, 2, 2, &[2, 2, 0], 1),
                ("AA", 2, 0, 2, &[2, 2, 1], 0),
                ("LI", 2, 2, 2, &[0, 0, 0], 0),
                ("SSpC", 2, 2, 4, &[0, 0, 0], 0),
                ("SBC", 2, 2, 3, &[3, 3, 0], 1),
                ("BG", 0, 0, 4, &[0, 0, 0], 0),
            ]
        );
        let morale =
            UNITS.each_ref().map(|unit| (unit.symbol.face().letter(), unit.flags, unit.hexes_per_flag));
        assert_eq!(
            morale,
            [
                ('S', 1, 1),
                ('S', 1, 1),
                ('T', 0, 1),
                ('C', 0, 1),
                ('C', 0, 1),
                ('C', 0, 2),
                ('S', 1, 1),
                ('S', 1, 1),
                ('X', 0, 0)
            ]
        );
        for (index, kind) in UnitKind::ALL.into_iter().enumerate() {
            assert_eq!((kind.row().kind, UnitKind::of_code(kind.code())), (kind, Some(kind)));
            assert_eq!(kind.index(), index);
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.code());
        }
    }

    #[test]
    fn dice_of_a_unit() {
        // BT-UNITS-02, BT-UNITS-05, BT-R-93
        assert_eq!((UnitKind::SamuraiSpear.melee_dice(1), UnitKind::Bodyguard.melee_dice(3)), (4, 3));
        let dice = |kind: UnitKind, moved| [1, 2, 3, 4, 5].map(|distance| kind.ranged_dice(distance, moved));
        assert_eq!(dice(UnitKind::BowCavalry, false), [0, 3, 3, 0, 0]);
        assert_eq!(dice(UnitKind::SamuraiBow, true), [0, 1, 1, 0, 0]);
        assert_eq!(dice(UnitKind::AshigaruArquebus, false), [0, 2, 2, 1, 0]);
        assert_eq!(dice(UnitKind::AshigaruArquebus, true), [0, 2, 2, 1, 0]);
        assert_eq!(dice(UnitKind::Levy, false), [0; 5]);
    }

    #[test]
    fn kinds_of_units() {
        // BT-UNITS-07, BT-R-09
        let codes = |test: fn(UnitKind) -> bool| -> Vec<&str> {
            UnitKind::ALL.into_iter().filter(|&kind| test(kind)).map(UnitKind::code).collect()
        };
        assert_eq!(codes(UnitKind::is_missile), ["SB", "AB", "AA", "SBC"]);
        assert_eq!(codes(UnitKind::is_bow), ["SB", "AB", "SBC"]);
        assert_eq!(codes(UnitKind::is_cavalry), ["SSpC", "SBC"]);
        assert_eq!(codes(UnitKind::is_infantry), ["SSp", "SB", "ASp", "AB", "AA", "LI"]);
    }

    #[test]
    fn swords_that_do_not_count() {
        // BT-MELEE-10, BT-UNITS-08, BT-EX-05, BT-ARMY-COMMANDER-06
        let rows = [
            [0, 0, 1, 2, 2, 2, 0, 0, 0],
            [0, 0, 1, 2, 2, 2, 0, 0, 0],
            [0, 0, 0, 1, 1, 1, 0, 0, 0],
            [0; 9],
            [0; 9],
            [0; 9],
            [1, 1, 2, 3, 3, 3, 0, 0, 0],
            [1, 1, 2, 3, 3, 3, 0, 0, 0],
            [0; 9],
        ];
        for (hit, row) in UnitKind::ALL.into_iter().zip(rows) {
            assert_eq!(UnitKind::ALL.map(|by| ignored_swords(hit, by)), row, "{}", hit.code());
        }
    }

    #[test]
    fn honor_lost_and_collected() {
        // BT-HONOR-06, BT-HONOR-08, BT-EX-04, BT-MELEE-11
        let lost =
            UnitKind::ALL.map(|kind| (kind.retreat_honor(0), kind.retreat_honor(1), kind.retreat_honor(2)));
        let (samurai, ashigaru) = ((0, 2, 4), (0, 1, 2));
        assert_eq!(lost[..6], [samurai, samurai, ashigaru, ashigaru, ashigaru, (0, 2, 2)]);
        assert_eq!(lost[6..], [samurai, samurai, (0, 0, 0)]);
        assert!(UnitKind::SpearCavalry.collects_in_melee(UnitKind::SamuraiBow));
        assert!(UnitKind::SpearCavalry.collects_in_melee(UnitKind::Bodyguard));
        assert!(!UnitKind::BowCavalry.collects_in_melee(UnitKind::AshigaruSpear));
        assert!(UnitKind::AshigaruArquebus.collects_in_melee(UnitKind::AshigaruSpear));
        assert!(!UnitKind::SamuraiSpear.collects_in_melee(UnitKind::Levy));
    }

    #[test]
    fn leaders_and_their_units() {
        // BT-LEADERS-01, BT-LEADERS-03, BT-LEADERS-06
        for kind in LeaderKind::ALL {
            assert_eq!((kind.row().kind, LeaderKind::of_code(kind.code())), (kind, Some(kind)));
        }
        assert_eq!(LeaderKind::ALL.map(LeaderKind::moves), [2, 3, 0]);
        for unit in UnitKind::ALL {
            assert_eq!(LeaderKind::Foot.may_lead(unit), unit.is_infantry());
            assert_eq!(LeaderKind::Mounted.may_lead(unit), !unit.is_bodyguard());
            assert_eq!(LeaderKind::Commander.may_lead(unit), unit.is_bodyguard());
        }
    }

    #[test]
    fn units_in_the_box() {
        // BT-COMP-04
        let counts = UNITS.each_ref().map(|unit| unit.in_the_box.0);
        assert_eq!(counts[..5], [[5, 5], [3, 3], [8, 8], [4, 4], [5, 4]]);
        assert_eq!(counts[5..], [[3, 3], [4, 5], [4, 4], [1, 1]]);
        assert_eq!(LEADERS.each_ref().map(|leader| leader.in_the_box.0), [[5, 5], [4, 4], [1, 1]]);
    }
}
