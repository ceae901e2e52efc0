//! Terrain (BT-TERRAIN).

use serde::{Deserialize, Serialize};

use super::{Arm, numbered};

numbered! {
    /// The kinds of terrain, in the order of the terrain table (BT-TERRAIN-02).
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Terrain {
        /// Open ground.
        #[default]
        Open,
        /// Forest.
        Forest,
        /// Hill.
        Hill,
        /// River, impassable.
        River,
        /// Fordable river, stream or ford.
        Ford,
        /// Shallow ford.
        Shallow,
        /// Bridge.
        Bridge,
        /// Buildings or village.
        Buildings,
        /// Cultivated fields.
        Fields,
        /// Gorge or ravine.
        Gorge,
        /// Command tent.
        Tent,
        /// Fence.
        Fence,
        /// Palisade.
        Palisade,
        /// Castle.
        Castle,
    }
}

/// The cap where the terrain has none. A cap of 0 prohibits the attack, so that the smallest of base dice and caps is
/// always the answer.
pub const NO_CAP: u8 = u8::MAX;
const ANY: [u8; 2] = [NO_CAP; 2];

/// A row of the terrain table. Pairs are for infantry and for cavalry (BT-TERRAIN-02).
#[derive(Clone, Copy, Debug)]
pub struct TerrainRow {
    /// The kind.
    pub terrain: Terrain,
    /// The kind in words.
    pub name: &'static str,
    /// Whether it can be entered, where no scenario says otherwise.
    pub passable: bool,
    /// Whether an ordered move ends in it.
    pub stop: bool,
    /// Whether a unit may battle in the turn in which it entered.
    pub battle_after_entry: [bool; 2],
    /// Most base dice of a melee out of it, by the arm that rolls.
    pub melee_out: [u8; 2],
    /// Most base dice of a shot out of it, by the arm that rolls.
    pub ranged_out: [u8; 2],
    /// Most base dice of a melee into it, by the arm that rolls.
    pub melee_in: [u8; 2],
    /// Most base dice of a shot into it, by the arm that rolls.
    pub ranged_in: [u8; 2],
    /// Whether it blocks the line of sight; hills do so by BT-LOS-07.
    pub blocks_sight: bool,
}

/// The terrain table (BT-TERRAIN-02, BT-R-29, BT-R-30, BT-R-54..57).
pub static TERRAINS: [TerrainRow; Terrain::COUNT] = {
    const OPEN: TerrainRow = TerrainRow {
        terrain: Terrain::Open,
        name: "open ground",
        passable: true,
        stop: false,
        battle_after_entry: [true; 2],
        melee_out: ANY,
        ranged_out: ANY,
        melee_in: ANY,
        ranged_in: ANY,
        blocks_sight: false,
    };
    const FENCE: TerrainRow = TerrainRow {
        terrain: Terrain::Fence,
        name: "fence",
        stop: true,
        battle_after_entry: [true, false],
        melee_out: [2; 2],
        ranged_out: [2; 2],
        melee_in: [2; 2],
        ranged_in: [2; 2],
        ..OPEN
    };
    [
        OPEN,
        TerrainRow {
            terrain: Terrain::Forest,
            name: "forest",
            stop: true,
            melee_out: [2; 2],
            ranged_out: [2; 2],
            melee_in: [2; 2],
            ranged_in: [1; 2],
            blocks_sight: true,
            ..OPEN
        },
        TerrainRow {
            terrain: Terrain::Hill,
            name: "hill",
            melee_out: [3; 2],
            melee_in: [2; 2],
            blocks_sight: true,
            ..OPEN
        },
        TerrainRow { terrain: Terrain::River, name: "river", passable: false, ..OPEN },
        TerrainRow {
            terrain: Terrain::Ford,
            name: "ford",
            stop: true,
            melee_out: [2; 2],
            ranged_out: [1; 2],
            melee_in: [2; 2],
            ranged_in: [2; 2],
            ..OPEN
        },
        TerrainRow { terrain: Terrain::Shallow, name: "shallow ford", ..OPEN },
        TerrainRow { terrain: Terrain::Bridge, name: "bridge", ..OPEN },
        TerrainRow {
            terrain: Terrain::Buildings,
            name: "buildings",
            stop: true,
            battle_after_entry: [false; 2],
            melee_out: [2, 1],
            ranged_out: [1; 2],
            melee_in: [2; 2],
            ranged_in: [1; 2],
            blocks_sight: true,
            ..OPEN
        },
        TerrainRow {
            terrain: Terrain::Fields,
            name: "cultivated fields",
            stop: true,
            melee_out: [NO_CAP, 2],
            ranged_out: [NO_CAP, 2],
            melee_in: [NO_CAP, 2],
            ranged_in: [NO_CAP, 2],
            ..OPEN
        },
        TerrainRow {
            terrain: Terrain::Gorge,
            name: "gorge",
            stop: true,
            battle_after_entry: [false; 2],
            melee_out: [1; 2],
            ranged_out: [1; 2],
            melee_in: [2, 1],
            ranged_in: [1; 2],
            ..OPEN
        },
        TerrainRow { terrain: Terrain::Tent, name: "command tent", stop: true, blocks_sight: true, ..OPEN },
        FENCE,
        TerrainRow { terrain: Terrain::Palisade, name: "palisade", ..FENCE },
        TerrainRow {
            terrain: Terrain::Castle,
            name: "castle",
            stop: true,
            battle_after_entry: [false; 2],
            melee_out: [3, 0],
            ranged_out: [3, 0],
            melee_in: [2, 0],
            ranged_in: [1; 2],
            blocks_sight: true,
            ..OPEN
        },
    ]
};

impl Arm {
    /// The column of the terrain table; the bodyguard uses that of infantry (BT-TERRAIN-03).
    #[inline]
    const fn column(self) -> usize {
        matches!(self, Self::Cavalry) as usize
    }
}

impl Terrain {
    /// The row of the terrain table.
    #[inline]
    pub const fn row(self) -> &'static TerrainRow {
        &TERRAINS[self as usize]
    }

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The kind as users write it.
    pub const fn code(self) -> &'static str {
        [
            "open",
            "forest",
            "hill",
            "river",
            "ford",
            "shallow",
            "bridge",
            "buildings",
            "fields",
            "gorge",
            "tent",
            "fence",
            "palisade",
            "castle",
        ][self as usize]
    }

    /// The kind of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|terrain| terrain.code() == code)
    }

    /// Whether it can be entered, where no scenario says otherwise.
    #[inline]
    pub const fn is_passable(self) -> bool {
        self.row().passable
    }

    /// Whether an ordered move ends in it (BT-MOVE-04).
    #[inline]
    pub const fn stops(self) -> bool {
        self.row().stop
    }

    /// Whether a unit may battle in the turn in which it entered.
    #[inline]
    pub const fn allows_battle_after_entry(self, arm: Arm) -> bool {
        self.row().battle_after_entry[arm.column()]
    }

    /// Whether it blocks the line of sight; hills do so by BT-LOS-07.
    #[inline]
    pub const fn blocks_sight(self) -> bool {
        self.row().blocks_sight
    }

    /// Whether it is water (BT-TERRAIN-12).
    #[inline]
    pub const fn is_water(self) -> bool {
        matches!(self, Self::River | Self::Ford | Self::Shallow | Self::Bridge)
    }

    /// Flags that a unit in it may ignore for it when a unit rolls against it (BT-MORALE-06, BT-MORALE-07).
    #[inline]
    pub const fn ignored_flags(self, arm: Arm, by: Arm) -> u8 {
        let infantry = matches!(arm, Arm::Infantry);
        match self {
            Self::Bridge => 1,
            Self::Fence => (infantry && matches!(by, Arm::Cavalry)) as u8,
            Self::Palisade | Self::Castle => infantry as u8,
            _ => 0,
        }
    }
}

/// Most base dice of a melee from one terrain into another; 0 where it is prohibited (BT-MELEE-04, BT-TERRAIN-04).
#[inline]
pub const fn melee_cap(from: Terrain, to: Terrain, arm: Arm) -> u8 {
    let out = from.row().melee_out[arm.column()];
    let into = if matches!((from, to), (Terrain::Hill, Terrain::Hill)) {
        NO_CAP
    } else {
        to.row().melee_in[arm.column()]
    };
    if out < into { out } else { into }
}

/// Most base dice of a shot from one terrain into another; 0 where it is prohibited (BT-RANGED-06).
#[inline]
pub const fn ranged_cap(from: Terrain, to: Terrain, arm: Arm) -> u8 {
    let (out, into) = (from.row().ranged_out[arm.column()], to.row().ranged_in[arm.column()]);
    if out < into { out } else { into }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMN: [Arm; 2] = [Arm::Infantry, Arm::Cavalry];

    #[test]
    fn the_terrain_table() {
        // BT-TERRAIN-02, BT-TERRAIN-03, BT-R-54, BT-R-55, BT-R-56, BT-R-57; `-` no cap, `P` prohibited
        let table = "\
            Open      yes no  yes yes - - - - - - - - no\n\
            Forest    yes yes yes yes 2 2 2 2 2 2 1 1 yes\n\
            Hill      yes no  yes yes 3 3 - - 2 2 - - yes\n\
            River     no  no  yes yes - - - - - - - - no\n\
            Ford      yes yes yes yes 2 2 1 1 2 2 2 2 no\n\
            Shallow   yes no  yes yes - - - - - - - - no\n\
            Bridge    yes no  yes yes - - - - - - - - no\n\
            Buildings yes yes no  no  2 1 1 1 2 2 1 1 yes\n\
            Fields    yes yes yes yes - 2 - 2 - 2 - 2 no\n\
            Gorge     yes yes no  no  1 1 1 1 2 1 1 1 no\n\
            Tent      yes yes yes yes - - - - - - - - yes\n\
            Fence     yes yes yes no  2 2 2 2 2 2 2 2 no\n\
            Palisade  yes yes yes no  2 2 2 2 2 2 2 2 no\n\
            Castle    yes yes no  no  3 P 3 P 2 P 1 1 yes";
        let yes = |yes| if yes { "yes" } else { "no" }.to_owned();
        let cap = |cap| match cap {
            NO_CAP => "-".to_owned(),
            0 => "P".into(),
            dice => dice.to_string(),
        };
        for (line, terrain) in table.lines().zip(Terrain::ALL) {
            let mut cells = vec![format!("{terrain:?}"), yes(terrain.is_passable()), yes(terrain.stops())];
            cells.extend(COLUMN.map(|arm| yes(terrain.allows_battle_after_entry(arm))));
            let open = Terrain::Open;
            cells.extend(COLUMN.map(|arm| cap(melee_cap(terrain, open, arm))));
            cells.extend(COLUMN.map(|arm| cap(ranged_cap(terrain, open, arm))));
            cells.extend(COLUMN.map(|arm| cap(melee_cap(open, terrain, arm))));
            cells.extend(COLUMN.map(|arm| cap(ranged_cap(open, terrain, arm))));
            cells.push(yes(terrain.blocks_sight()));
            assert_eq!(cells, line.split_whitespace().collect::<Vec<_>>());
            assert_eq!((terrain.row().terrain, Terrain::of_code(terrain.code())), (terrain, Some(terrain)));
            assert_eq!(serde_json::to_value(terrain).unwrap(), terrain.code());
            assert_eq!(melee_cap(terrain, open, Arm::Special), melee_cap(terrain, open, Arm::Infantry));
        }
    }

    #[test]
    fn the_lower_cap_holds() {
        // BT-TERRAIN-01, BT-TERRAIN-04
        let foot = Arm::Infantry;
        assert_eq!(melee_cap(Terrain::Hill, Terrain::Hill, foot), 3);
        assert_eq!(melee_cap(Terrain::Hill, Terrain::Forest, foot), 2);
        assert_eq!(melee_cap(Terrain::Gorge, Terrain::Hill, foot), 1);
        assert_eq!(ranged_cap(Terrain::Hill, Terrain::Hill, foot), NO_CAP);
        assert_eq!(ranged_cap(Terrain::Castle, Terrain::Forest, foot), 1);
        assert_eq!(melee_cap(Terrain::Open, Terrain::Castle, Arm::Cavalry), 0); // BT-TERRAIN-09
        assert_eq!(ranged_cap(Terrain::Open, Terrain::Castle, Arm::Cavalry), 1);
    }

    #[test]
    fn flags_and_water() {
        // BT-MORALE-06, BT-MORALE-07, BT-TERRAIN-10, BT-TERRAIN-12
        let flags = |terrain: Terrain| {
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(unit, by)| terrain.ignored_flags(COLUMN[unit], COLUMN[by]))
        };
        assert_eq!(flags(Terrain::Bridge), [1, 1, 1, 1]);
        assert_eq!(flags(Terrain::Fence), [0, 1, 0, 0]);
        assert_eq!(flags(Terrain::Palisade), [1, 1, 0, 0]);
        assert_eq!(flags(Terrain::Castle), [1, 1, 0, 0]);
        assert_eq!(flags(Terrain::Ford), [0; 4]);
        let water: Vec<Terrain> = Terrain::ALL.into_iter().filter(|terrain| terrain.is_water()).collect();
        assert_eq!(water, [Terrain::River, Terrain::Ford, Terrain::Shallow, Terrain::Bridge]);
    }
}
