//! Map and pieces of a battle (`data/deployments/FORMAT.md`).

use std::collections::BTreeMap;

use sengoku_kernel::SetupError;
use serde::Deserialize;

use super::Piece;
use super::deployed_pieces::{check_pieces, read_pieces};
use super::header::{FordTiles, Header, TerrainRules, check_name};
use super::records::{Special, Victory};
use crate::board::{ROWS, off_board, width};
use crate::data::{ByHex, BySide, HEXES, HexId, HexSet, LeaderKind, Side, Terrain};

/// Most named hexes, and most contingents.
const MAX_NAMED: usize = 32;

/// Map and pieces as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Deployment {
    scenario: Option<u16>,
    pub(super) basis: String,
    pub(super) narrative: String,
    terrain: Vec<String>,
    top: Vec<String>,
    bottom: Vec<String>,
    #[serde(default)]
    tents: Tents,
    #[serde(default)]
    objectives: BTreeMap<String, Place>,
    banks: Option<Banks>,
    target_bank: Option<Side>,
    #[serde(default)]
    groups: BTreeMap<String, Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tents {
    top: Option<Place>,
    bottom: Option<Place>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Banks {
    top: Vec<Place>,
    bottom: Vec<Place>,
}

/// A hex as it is written in lists, `[r, c]`.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "[u8; 2]")]
struct Place(HexId);

impl TryFrom<[u8; 2]> for Place {
    type Error = String;

    fn try_from([row, column]: [u8; 2]) -> Result<Self, String> {
        HexId::at(row, column).map(Self).ok_or_else(|| off_board(row, column))
    }
}

/// Map and pieces, checked.
pub(super) struct Map {
    pub(super) terrain: ByHex<Terrain>,
    pub(super) impassable: HexSet,
    pub(super) pieces: Vec<Piece>,
    pub(super) leader_names: Vec<String>,
    pub(super) tents: BySide<Option<HexId>>,
    pub(super) objectives: Vec<(String, HexId)>,
    pub(super) groups: Vec<(String, HexSet)>,
    pub(super) target_bank: Option<Side>,
    listed_banks: Option<BySide<HexSet>>,
}

impl Map {
    /// Where the units of an army stand.
    pub(super) fn unit_hexes(&self, side: Side) -> HexSet {
        self.pieces
            .iter()
            .filter(|piece| piece.side == side && piece.unit.is_some())
            .map(|piece| piece.hex)
            .collect()
    }

    /// Whether an army has a commander.
    pub(super) fn has_commander(&self, side: Side) -> bool {
        self.pieces.iter().any(|piece| piece.side == side && piece.leader == Some(LeaderKind::Commander))
    }

    /// The number of a leader's name, if the army has such a leader.
    pub(super) fn leader_named(&self, side: Side, name: &str) -> Option<u8> {
        let named = self.pieces.iter().filter(|piece| piece.side == side).filter_map(|piece| piece.name);
        named.into_iter().find(|&number| self.leader_names[usize::from(number)] == name)
    }

    /// The banks that rules of the scenario need: as listed, or else what the river or gorge separates (BT-SCEN-03,
    /// BT-SCEN-19).
    pub(super) fn banks(
        &self,
        victory: &[Victory],
        special: &[Special],
        rules: &TerrainRules,
    ) -> Result<BySide<HexSet>, SetupError> {
        let wrong = |reason: &str| Err(SetupError::new("banks", reason));
        let gorge = victory.iter().any(Victory::needs_gorge_banks);
        let river = victory.iter().any(Victory::needs_river_banks)
            || special.iter().any(|rule| matches!(rule, Special::ConditionalDraw { .. }));
        if let Some(banks) = self.listed_banks {
            let needed =
                victory.iter().filter_map(Victory::bank).chain(special.iter().filter_map(Special::bank));
            for side in needed {
                if banks[side].is_empty() {
                    return wrong(&format!(
                        "a rule needs the {} bank, and no hex of it is listed",
                        side.name()
                    ));
                }
            }
            return Ok(banks);
        }
        let is = |test: &dyn Fn(Terrain) -> bool| -> HexSet {
            HexId::all().filter(|&hex| test(self.terrain[hex])).collect()
        };
        let between = match (river, gorge) {
            (false, false) => return Ok(BySide::default()),
            (true, false) => is(&Terrain::is_water),
            (false, true) => {
                is(&|terrain| terrain == Terrain::Gorge || terrain == Terrain::Hill && rules.hills_impassable)
            }
            (true, true) => {
                return wrong("rules speak of a river and of a gorge, list the banks that are meant");
            }
        };
        let banks = BySide(Side::ALL.map(|side| (!between).connected(side.baseline())));
        if banks[Side::Top].meets(banks[Side::Bottom]) {
            return wrong("a rule needs them, and nothing separates the board, list them (BT-SCEN-03)");
        }
        Ok(banks)
    }
}

impl Deployment {
    /// Checks map and pieces. Errors have the place in the deployment.
    pub(super) fn read(&self, header: &Header) -> Result<Map, SetupError> {
        if let Some(number) = self.scenario.filter(|number| Some(*number) != header.number) {
            let reason = format!("{number}, the number of the battle is {}", header.number.unwrap_or(0));
            return Err(SetupError::new("scenario", reason));
        }
        let tiles = self.tiles()?;
        let mut map = Map {
            terrain: ByHex([Terrain::Open; HEXES]),
            impassable: HexSet::EMPTY,
            pieces: Vec::new(),
            leader_names: Vec::new(),
            tents: BySide([self.tents.top, self.tents.bottom].map(|place| place.map(|Place(hex)| hex))),
            objectives: Vec::new(),
            groups: Vec::new(),
            target_bank: self.target_bank,
            listed_banks: None,
        };
        read_terrain(&tiles, &header.terrain_rules, &mut map)?;
        check_tents(&tiles, &map)?;
        for (side, list) in Side::ALL.into_iter().zip([&self.top, &self.bottom]) {
            read_pieces(side, list, header.flags_to_win, &mut map)?;
        }
        check_pieces(&map)?;
        self.read_names(&mut map)?;
        self.read_banks(&mut map)?;
        Ok(map)
    }

    /// The characters of the map (BT-BOARD-01).
    fn tiles(&self) -> Result<ByHex<char>, SetupError> {
        if self.terrain.len() != usize::from(ROWS) {
            return Err(SetupError::new("terrain", format!("{} rows instead of {ROWS}", self.terrain.len())));
        }
        let mut tiles = ByHex(['.'; HEXES]);
        for (row, text) in (0..ROWS).zip(&self.terrain) {
            let count = text.chars().count();
            if count != usize::from(width(row)) {
                let reason = format!("{text:?}: row {row} has {} hexes, not {count}", width(row));
                return Err(SetupError::new(format!("terrain[{row}]"), reason));
            }
            for (column, tile) in (0..).zip(text.chars()) {
                tiles[HexId::at(row, column).unwrap_or_default()] = tile;
            }
        }
        Ok(tiles)
    }

    /// Objectives and contingents.
    fn read_names(&self, map: &mut Map) -> Result<(), SetupError> {
        for (field, count) in [("objectives", self.objectives.len()), ("groups", self.groups.len())] {
            if count > MAX_NAMED {
                return Err(SetupError::new(field, format!("{count} names, at most {MAX_NAMED}")));
            }
        }
        for (name, &Place(hex)) in &self.objectives {
            check_name("objectives", name)?;
            map.objectives.push((name.clone(), hex));
        }
        for (name, list) in &self.groups {
            check_name("groups", name)?;
            let mut hexes = HexSet::EMPTY;
            for (at, text) in list.iter().enumerate() {
                let wrong = |reason: String| {
                    SetupError::new(format!("groups.{name}[{at}]"), format!("{text:?}: {reason}"))
                };
                let (side, place) =
                    text.split_once(':').ok_or_else(|| wrong("write it like \"top:0,8\"".into()))?;
                let side = Side::ALL.into_iter().find(|known| known.name() == side);
                let side = side.ok_or_else(|| wrong("the armies are \"top\" and \"bottom\"".into()))?;
                let hex = HexId::parse(place).map_err(wrong)?;
                if !map.unit_hexes(side).contains(hex) {
                    return Err(wrong(format!("no unit of the {} army stands there", side.name())));
                }
                hexes.insert(hex);
            }
            map.groups.push((name.clone(), hexes));
        }
        Ok(())
    }

    /// The banks as listed.
    fn read_banks(&self, map: &mut Map) -> Result<(), SetupError> {
        let Some(listed) = &self.banks else { return Ok(()) };
        let mut banks = BySide::<HexSet>::default();
        for (side, list) in Side::ALL.into_iter().zip([&listed.top, &listed.bottom]) {
            for (at, &Place(hex)) in list.iter().enumerate() {
                let wrong = |reason: &str| {
                    Err(SetupError::new(format!("banks.{}[{at}]", side.name()), format!("{hex} {reason}")))
                };
                if map.terrain[hex].is_water() {
                    return wrong("is a hex of the river, which belongs to no bank");
                }
                if banks[side.other()].contains(hex) {
                    return wrong("is on the other bank, too");
                }
                banks[side].insert(hex);
            }
        }
        map.listed_banks = Some(banks);
        Ok(())
    }
}

/// Reads the terrain of each tile in this battle, and which hexes cannot be entered (BT-TERRAIN-06, BT-TERRAIN-07).
fn read_terrain(tiles: &ByHex<char>, rules: &TerrainRules, map: &mut Map) -> Result<(), SetupError> {
    let fords =
        rules.ford_tiles.unwrap_or(if rules.is_fordable() { FordTiles::Shallow } else { FordTiles::Ford });
    for hex in HexId::all() {
        let wrong = |reason: String| {
            Err(SetupError::new(format!("terrain[{}]", hex.row()), format!("{hex}: {reason}")))
        };
        map.terrain[hex] = match tiles[hex] {
            '.' => Terrain::Open,
            'f' => Terrain::Forest,
            'h' => Terrain::Hill,
            'r' if rules.is_fordable() => Terrain::Ford,
            'r' => Terrain::River,
            'd' => match fords {
                FordTiles::Shallow => Terrain::Shallow,
                FordTiles::Ford => Terrain::Ford,
                FordTiles::None => return wrong("a ford tile, and ford_tiles is \"none\"".into()),
            },
            'b' => Terrain::Bridge,
            'B' => Terrain::Buildings,
            'c' => Terrain::Fields,
            'g' => Terrain::Gorge,
            't' => Terrain::Tent,
            '#' if rules.fences_are_palisades => Terrain::Palisade,
            '#' => Terrain::Fence,
            'C' if rules.castle_treated_as.is_some() => Terrain::Buildings,
            'C' => Terrain::Castle,
            unknown => return wrong(format!("unknown terrain {unknown:?}, expected one of .fhrdbBcgt#C")),
        };
        let declared = match map.terrain[hex] {
            Terrain::Hill => rules.hills_impassable,
            Terrain::Buildings => rules.buildings_impassable,
            terrain => !terrain.is_passable(),
        };
        if declared {
            map.impassable.insert(hex);
        }
    }
    let count = |tile| tiles.0.iter().filter(|&&other| other == tile).count();
    if let Some(name) = rules.river_name.as_ref().filter(|_| count('r') == 0) {
        return Err(SetupError::new(
            "terrain",
            format!("the battle names a river, {name:?}, and the map has none"),
        ));
    }
    if let Some(wanted) = rules.ford_count.filter(|&wanted| count('d') != usize::from(wanted)) {
        return Err(SetupError::new("terrain", format!("{} ford tiles, ford_count is {wanted}", count('d'))));
    }
    Ok(())
}

/// Every tent is on a tent tile, and the other way round.
fn check_tents(tiles: &ByHex<char>, map: &Map) -> Result<(), SetupError> {
    for side in Side::ALL {
        if let Some(hex) = map.tents[side].filter(|&hex| tiles[hex] != 't') {
            let reason = format!("{hex} is {:?} on the map, not a tent tile 't'", tiles[hex]);
            return Err(SetupError::new(format!("tents.{}", side.name()), reason));
        }
    }
    if map.tents[Side::Top].is_some() && map.tents[Side::Top] == map.tents[Side::Bottom] {
        return Err(SetupError::new("tents", "both armies have the same one"));
    }
    if let Some(hex) = HexId::all().find(|&hex| tiles[hex] == 't' && !map.tents.0.contains(&Some(hex))) {
        return Err(SetupError::new("tents", format!("{hex} is a tent tile of no army")));
    }
    Ok(())
}
