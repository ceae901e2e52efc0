//! How a state is written down: as a table of names for people, as bytes for machines.
//!
//! Both come from the same derived code. Numbers of provinces become ids of the board where a person reads, which needs
//! the board at hand: [`on_board`] lends it for the time of a conversion.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use sengoku_kernel::serde_by_name;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::Board;
use crate::data::{
    Building, ByProvince, COURT_SPACES, Card, FAVOURS, PROVINCES, ProvinceId, REGIONS, Space, TREASURES,
};
use crate::state::{Favours, Majorities, Plan, Spaces};

thread_local! {
    static BOARD: Cell<Option<&'static Board>> = const { Cell::new(None) };
}

/// Does something with the names of a board.
pub(crate) fn on_board<T>(board: &'static Board, work: impl FnOnce() -> T) -> T {
    let before = BOARD.replace(Some(board));
    let result = work();
    BOARD.set(before);
    result
}

fn names() -> &'static Board {
    BOARD.get().unwrap_or_else(Board::standard)
}

fn find(key: &str) -> Result<ProvinceId, String> {
    names().find(key).ok_or_else(|| format!("there is no province \"{key}\" on the board"))
}

serde_by_name! { "province": ProvinceId, ByProvince; |id: ProvinceId| names().key(id); find }

/// The number of a card in bytes: provinces, treasure cards, the tower card, a face-down card, nothing.
const TREASURE_CODE: u8 = PROVINCES as u8;
const TOWER_CODE: u8 = TREASURE_CODE + TREASURES;
const FACE_DOWN_CODE: u8 = TOWER_CODE + 1;
const EMPTY_CODE: u8 = u8::MAX;

impl Card {
    /// The card as one byte, for observations and stored states.
    pub const fn code(self) -> u8 {
        match self {
            Self::Province(province) => province.0,
            Self::Treasure(value) => TREASURE_CODE + value,
            Self::Tower => TOWER_CODE,
            Self::FaceDown => FACE_DOWN_CODE,
            Self::Empty => EMPTY_CODE,
        }
    }

    const fn of_code(code: u8) -> Option<Self> {
        Some(match code {
            0..TREASURE_CODE => Self::Province(ProvinceId(code)),
            TREASURE_CODE..TOWER_CODE => Self::Treasure(code - TREASURE_CODE),
            TOWER_CODE => Self::Tower,
            FACE_DOWN_CODE => Self::FaceDown,
            EMPTY_CODE => Self::Empty,
            _ => return None,
        })
    }

    /// The card as users write it.
    pub fn word(self, board: &Board) -> String {
        match self {
            Self::Province(province) => board.key(province).into(),
            Self::Treasure(value) => format!("treasure_{value}"),
            Self::Tower => "tower".into(),
            Self::FaceDown => "face_down".into(),
            Self::Empty => "empty".into(),
        }
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&self.word(names()))
        } else {
            serializer.serialize_u8(self.code())
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let word = String::deserialize(deserializer)?;
            Ok(match word.as_str() {
                "empty" => Self::Empty,
                "tower" => Self::Tower,
                "face_down" => Self::FaceDown,
                word => match word.strip_prefix("treasure_").and_then(|value| value.parse().ok()) {
                    Some(value) if value < TREASURES => Self::Treasure(value),
                    _ => Self::Province(find(word).map_err(D::Error::custom)?),
                },
            })
        } else {
            let code = u8::deserialize(deserializer)?;
            Self::of_code(code).ok_or_else(|| D::Error::custom(format_args!("there is no card {code}")))
        }
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_map(Space::ALL.map(|space| (space.name(), self.card(space))))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cards;
        impl<'de> Visitor<'de> for Cards {
            type Value = Plan;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a card for each space")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plan, A::Error> {
                let mut plan = Plan::default();
                while let Some(name) = map.next_key::<String>()? {
                    let space = Space::named(&name)
                        .ok_or_else(|| A::Error::custom(format_args!("there is no space \"{name}\"")))?;
                    plan.0[space.index()] = map.next_value()?;
                }
                Ok(plan)
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_map(Cards)
        } else {
            <[Card; COURT_SPACES]>::deserialize(deserializer).map(Plan)
        }
    }
}

impl Serialize for Spaces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Spaces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let mut spaces = Self::default();
            for space in <Vec<Space>>::deserialize(deserializer)? {
                spaces.add(space);
            }
            return Ok(spaces);
        }
        let bits = u16::deserialize(deserializer)?;
        if bits >> COURT_SPACES != 0 {
            return Err(D::Error::custom(format_args!("{bits} is not a set of spaces")));
        }
        Ok(Self(bits))
    }
}

impl Serialize for Favours {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Favours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let mut favours = Self::default();
            for number in <Vec<u8>>::deserialize(deserializer)? {
                if !(1..=FAVOURS as u8).contains(&number) {
                    return Err(D::Error::custom(format_args!("there is no favour {number}")));
                }
                favours.add(number);
            }
            return Ok(favours);
        }
        let bits = u32::deserialize(deserializer)?;
        if bits >> (FAVOURS + 1) != 0 || bits & 1 != 0 {
            return Err(D::Error::custom(format_args!("{bits} is not a set of favours")));
        }
        Ok(Self(bits))
    }
}

/// Majorities for people: points by kind of building, then by region; only those that gave points.
impl Serialize for Majorities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(Building::ALL.len()))?;
        for building in Building::ALL {
            let regions = names().regions().iter().enumerate();
            let regions: serde_json::Map<String, serde_json::Value> = regions
                .map(|(region, name)| (name.clone(), self.points(building, region)))
                .filter(|&(_, points)| points > 0)
                .map(|(name, points)| (name, points.into()))
                .collect();
            map.serialize_entry(building.name(), &regions)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Majorities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            let bits = u32::deserialize(deserializer)?;
            if bits >> (2 * Building::ALL.len() * REGIONS) != 0 {
                return Err(D::Error::custom(format_args!("{bits} is not a table of majorities")));
            }
            return Ok(Self(bits));
        }
        let mut majorities = Self::default();
        for (building, regions) in <BTreeMap<Building, BTreeMap<String, u8>>>::deserialize(deserializer)? {
            for (name, points) in regions {
                let at = names().regions().iter().position(|region| *region == name);
                let region =
                    at.ok_or_else(|| D::Error::custom(format_args!("there is no region \"{name}\"")))?;
                if points > building.majority() {
                    return Err(D::Error::custom(format_args!("{points} points for a majority")));
                }
                majorities.set(building, region, points);
            }
        }
        Ok(majorities)
    }
}

/// The colours of the seats by name.
pub(crate) mod colours {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    use crate::data::{COLOUR_NAMES, FARMER, MAX_PLAYERS};
    use crate::setup::read_colours;

    type Colours = [u8; MAX_PLAYERS];

    pub(crate) fn serialize<S: Serializer>(colours: &Colours, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(colours.map(|colour| COLOUR_NAMES[usize::from(colour)]))
        } else {
            serde::Serialize::serialize(colours, serializer)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Colours, D::Error> {
        if deserializer.is_human_readable() {
            let names = <Vec<String>>::deserialize(deserializer)?;
            return read_colours(&names, names.len().min(MAX_PLAYERS)).map_err(D::Error::custom);
        }
        let colours = Colours::deserialize(deserializer)?;
        let mut sorted = colours;
        sorted.sort_unstable();
        if sorted != std::array::from_fn(|colour| colour as u8) || sorted.len() != usize::from(FARMER) {
            return Err(D::Error::custom(format_args!("{colours:?} are not five colours")));
        }
        Ok(colours)
    }
}

/// The tower as lists of cubes, the upper shelf first and the oldest cube of each first; 5 is a farmer.
pub(crate) mod tower {
    use sengoku_kernel::List;
    use sengoku_kernel::cube_tower::{Colour, CubeTower, MAX_CAPACITY, SHELVES};
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    use crate::data::COLOURS;

    type Shelf = List<u8, MAX_CAPACITY>;

    pub(crate) fn serialize<S: Serializer>(tower: &CubeTower, serializer: S) -> Result<S::Ok, S::Error> {
        let shelves = (0..*SHELVES.end()).map(|shelf| tower.shelf(shelf));
        serializer.collect_seq(shelves.map(|cubes| cubes.iter().map(|cube| cube.0).collect::<Shelf>()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CubeTower, D::Error> {
        let shelves = <List<Shelf, { *SHELVES.end() }>>::deserialize(deserializer)?;
        let mut cubes: [Vec<Colour>; 3] = Default::default();
        for (shelf, list) in cubes.iter_mut().zip(shelves.iter()) {
            if let Some(cube) = list.iter().find(|&&cube| usize::from(cube) >= COLOURS) {
                return Err(D::Error::custom(format_args!("there is no cube {cube}")));
            }
            shelf.extend(list.iter().map(|&cube| Colour(cube)));
        }
        Ok(CubeTower::from_shelves(&[&cubes[0], &cubes[1], &cubes[2]]))
    }
}
