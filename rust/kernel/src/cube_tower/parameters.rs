//! Parameters of the fast model: the numbers of TW-TOWER-30, and the thresholds that follow from them.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::MAX_CUBES;
use crate::{DecodeError, Reader, SetupError, Writer, read_setup};

/// Most cubes on one shelf.
pub const MAX_CAPACITY: usize = 64;
/// Fewest and most shelves of a tower.
pub const SHELVES: std::ops::RangeInclusive<usize> = 2..=MAX_SHELVES;
pub(super) const MAX_SHELVES: usize = 3;

const DATA: &str = include_str!("../../data/tower_shelves.toml");
/// The set of the name below, which calibration writes.
const FITTED_DATA: &str = include_str!("../../data/tower_fitted.toml");
const FITTED: &str = "fitted";
/// Name of the set that is used when nobody says otherwise.
const DEFAULT: &str = "default";

static SETS: LazyLock<Vec<(String, Parameters)>> =
    LazyLock::new(|| read_files(DATA, FITTED_DATA).expect("the compiled-in data is right"));

/// One shelf, as it is written down (TW-TOWER-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShelfParameters {
    /// Cubes it can hold.
    pub capacity: u8,
    /// Chance in 1/1000 that a cube stays on the empty shelf.
    pub stick_per_mille: u16,
    /// Chance in 1/65536 of each cube to slip when another one arrives.
    pub dislodge: u16,
    /// Chance in 1/65536 of each other cube to go along with one that slipped.
    pub burst: u16,
    /// Chance in 1/1000 by which a cube stays more often at most, where many cubes of the throw arrived before (J).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub jam_per_mille: u16,
    /// Cubes of the throw, in tenths, that bring half of that (K).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub jam_half_tenths: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_zero(number: &u16) -> bool {
    *number == 0
}

impl ShelfParameters {
    /// Whether a cube stays more often behind others of its throw.
    pub const fn jams(&self) -> bool {
        self.jam_per_mille > 0
    }
}

/// Most tenths of a cube in `jam_half_tenths`.
const MAX_JAM_HALF: u16 = 1000;
/// A bit in the number of shelves, as it is written: numbers of jams follow those of each shelf.
const WITH_JAMS: u8 = 1 << 7;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    shelves: Vec<ShelfParameters>,
    #[serde(default, skip_serializing)]
    #[expect(dead_code, reason = "says where the numbers come from, for people")]
    about: String,
}

#[derive(Deserialize)]
struct File {
    default: String,
    sets: toml::Table,
}

/// The parameters of the fast model, checked, with the thresholds that follow from them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    shelves: ArrayVec<ShelfParameters, MAX_SHELVES>,
    /// By shelf and occupancy: a cube stays when `r16` is below (TW-TOWER-31).
    stick: [[u32; MAX_CAPACITY + 1]; MAX_SHELVES],
    /// By shelf, and by cubes of the throw that reached it before: what is added to that (TW-TOWER-36).
    jam: Option<Box<[[u32; MAX_CUBES + 1]; MAX_SHELVES]>>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self::named(DEFAULT).expect("the compiled-in data has a default")
    }
}

impl Parameters {
    /// Parameters of two or three shelves, the upper one first.
    ///
    /// # Errors
    /// [`SetupError`] with the field that cannot be.
    pub fn new(shelves: &[ShelfParameters]) -> Result<Self, SetupError> {
        if !SHELVES.contains(&shelves.len()) {
            let reason =
                format!("{} shelves, {} to {MAX_SHELVES} are possible", shelves.len(), SHELVES.start());
            return Err(SetupError::new("shelves", reason));
        }
        let mut stick = [[0; MAX_CAPACITY + 1]; MAX_SHELVES];
        for (number, shelf) in shelves.iter().enumerate() {
            let within = |field: &str, value: u64, least: u64, most: u64| {
                if (least..=most).contains(&value) {
                    return Ok(());
                }
                let reason = format!("{value}, {least} to {most} are possible");
                Err(SetupError::new(format!("shelves[{number}].{field}"), reason))
            };
            within("capacity", shelf.capacity.into(), 1, MAX_CAPACITY as u64)?;
            within("stick_per_mille", shelf.stick_per_mille.into(), 1, 1000)?;
            within("dislodge", shelf.dislodge.into(), 1, u16::MAX.into())?;
            let capacity = u64::from(shelf.capacity);
            for held in 0..capacity {
                let chance =
                    u64::from(shelf.stick_per_mille) * (capacity - held) * 65_536 / (1000 * capacity);
                stick[number][held as usize] = chance as u32;
            }
            within("jam_per_mille", shelf.jam_per_mille.into(), 0, 1000)?;
            within("jam_half_tenths", shelf.jam_half_tenths.into(), 0, MAX_JAM_HALF.into())?;
        }
        let jam = shelves.iter().any(ShelfParameters::jams).then(|| {
            let mut jam = Box::new([[0; MAX_CUBES + 1]; MAX_SHELVES]);
            for (shelf, added) in shelves.iter().zip(jam.iter_mut()) {
                for (before, added) in (0_u64..).zip(added).skip(1) {
                    let (tenths, half) = (10 * before, u64::from(shelf.jam_half_tenths));
                    let chance = u64::from(shelf.jam_per_mille) * tenths * 65_536 / (1000 * (tenths + half));
                    *added = chance as u32;
                }
            }
            jam
        });
        Ok(Self { shelves: shelves.iter().copied().collect(), stick, jam })
    }

    /// A set of the compiled-in data, or `default`.
    pub fn named(name: &str) -> Option<Self> {
        SETS.iter().find(|(known, _)| known == name).map(|(_, parameters)| parameters.clone())
    }

    /// Names of the sets of the compiled-in data, `default` last.
    pub fn names() -> Vec<String> {
        SETS.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Parameters as a table: `{"shelves": [{"capacity": 26, ...}, ...]}`, or the name of a set.
    ///
    /// # Errors
    /// [`SetupError`] with the path to the field that does not fit.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, SetupError> {
        if let serde_json::Value::String(name) = value {
            let known = || format!("{name:?}, there is {}", Self::names().join(", "));
            return Self::named(name).ok_or_else(|| SetupError::new("", known()));
        }
        Self::new(&read_setup::<Table>(value)?.shelves)
    }

    /// The shelves as they were written down.
    pub fn shelves(&self) -> &[ShelfParameters] {
        &self.shelves
    }

    /// Cubes the tower can hold.
    pub fn capacity(&self) -> usize {
        self.shelves.iter().map(|shelf| usize::from(shelf.capacity)).sum()
    }

    /// A cube that reaches a shelf with `held` cubes stays when `r16` is below this (TW-TOWER-31), if no cube of the throw
    /// came there before.
    #[inline(always)]
    pub fn stick_threshold(&self, shelf: usize, held: usize) -> u32 {
        self.stick[shelf][held]
    }

    /// Whether cubes stay more often behind others of their throw, on any shelf.
    #[inline(always)]
    pub const fn jams(&self) -> bool {
        self.jam.is_some()
    }

    /// [`Parameters::stick_threshold`] where `before` cubes of the throw have reached the shelf (TW-TOWER-36).
    ///
    /// Nothing stays on a full shelf, and where cubes jam none stays for certain (TW-TOWER-07).
    #[inline(always)]
    pub fn jammed_threshold(&self, shelf: usize, held: usize, before: usize) -> u32 {
        let alone = self.stick[shelf][held];
        match &self.jam {
            Some(jam) if held < usize::from(self.shelves[shelf].capacity) && self.shelves[shelf].jams() => {
                (alone + jam[shelf][before]).min(u16::MAX.into())
            }
            _ => alone,
        }
    }

    /// Writes the parameters.
    pub fn encode(&self, writer: &mut Writer) {
        let with_jams = self.shelves.iter().any(|shelf| shelf.jams() || shelf.jam_half_tenths > 0);
        writer.u8(self.shelves.len() as u8 | if with_jams { WITH_JAMS } else { 0 });
        for shelf in &self.shelves {
            writer.u8(shelf.capacity);
            writer.u16(shelf.stick_per_mille);
            writer.u16(shelf.dislodge);
            writer.u16(shelf.burst);
            if with_jams {
                writer.u16(shelf.jam_per_mille);
                writer.u16(shelf.jam_half_tenths);
            }
        }
    }

    /// Reads what [`Parameters::encode`] wrote.
    ///
    /// # Errors
    /// [`DecodeError`] for bytes that are not parameters.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let first = reader.u8()?;
        let (count, with_jams) = (first & !WITH_JAMS, first & WITH_JAMS != 0);
        if usize::from(count) > MAX_SHELVES {
            let reason = format!("{count} shelves, at most {MAX_SHELVES} are possible");
            return Err(DecodeError::inconsistent("parameters.shelves", reason));
        }
        let mut shelves = ArrayVec::<_, MAX_SHELVES>::new();
        for _ in 0..count {
            shelves.push(ShelfParameters {
                capacity: reader.u8()?,
                stick_per_mille: reader.u16()?,
                dislodge: reader.u16()?,
                burst: reader.u16()?,
                jam_per_mille: if with_jams { reader.u16()? } else { 0 },
                jam_half_tenths: if with_jams { reader.u16()? } else { 0 },
            });
        }
        if with_jams && shelves.iter().all(|shelf| shelf.jam_per_mille == 0 && shelf.jam_half_tenths == 0) {
            return Err(DecodeError::inconsistent("parameters", "jams of 0 are not written"));
        }
        let wrong = |error: SetupError| DecodeError::inconsistent("parameters", error.to_string());
        Self::new(&shelves).map_err(wrong)
    }
}

/// The sets by name, the default once more under that name.
fn read_files(text: &str, fitted: &str) -> Result<Vec<(String, Parameters)>, SetupError> {
    let wrong = |error: toml::de::Error| SetupError::new("file", error.to_string());
    let mut file: File = toml::from_str(text).map_err(wrong)?;
    file.sets.insert(FITTED.into(), toml::Value::Table(toml::from_str(fitted).map_err(wrong)?));
    let read = |(name, table): (String, toml::Value)| {
        let inside = |error: SetupError| error.within(&format!("sets.{name}"));
        let table =
            serde_json::to_value(table).map_err(|error| inside(SetupError::new("", error.to_string())))?;
        let parameters = Parameters::from_json(&table).map_err(inside)?;
        Ok((name, parameters))
    };
    let mut sets = file.sets.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let Some((_, chosen)) = sets.iter().find(|(name, _)| *name == file.default) else {
        return Err(SetupError::new(DEFAULT, format!("{:?}, there is no such set", file.default)));
    };
    sets.push((DEFAULT.into(), chosen.clone()));
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const fn shelf(capacity: u8, stick_per_mille: u16, dislodge: u16, burst: u16) -> ShelfParameters {
        let (jam_per_mille, jam_half_tenths) = (0, 0);
        ShelfParameters { capacity, stick_per_mille, dislodge, burst, jam_per_mille, jam_half_tenths }
    }

    const UPPER: ShelfParameters = shelf(26, 880, 524, 1966);
    const LOWER: ShelfParameters = shelf(24, 820, 590, 1966);

    #[test]
    fn the_table_of_the_ledger() {
        // TW-TOWER-30
        let ledger = Parameters::named("ledger").unwrap();
        assert_eq!(ledger.shelves(), [UPPER, LOWER]);
        assert_eq!(ledger.capacity(), 50);
        assert!(Parameters::names().contains(&"default".into()));
        assert_eq!(Parameters::named("other"), None);
    }

    #[test]
    fn the_chance_to_stay_falls_with_what_is_there() {
        // TW-TOWER-31: floor(q (C - m) 65536 / (1000 C))
        let ledger = Parameters::named("ledger").unwrap();
        assert_eq!(ledger.stick_threshold(0, 0), 880 * 26 * 65_536 / 26_000);
        assert_eq!(ledger.stick_threshold(0, 13), 28_835); // 0.44 of 65536, rounded down
        assert_eq!(ledger.stick_threshold(1, 23), 2_239); // 0.82 / 24 of 65536, rounded down
        assert_eq!((ledger.stick_threshold(0, 26), ledger.stick_threshold(1, 24)), (0, 0));
        for shelf in 0..2 {
            let capacity = usize::from(ledger.shelves()[shelf].capacity);
            assert!(
                (0..capacity)
                    .all(|m| ledger.stick_threshold(shelf, m) > ledger.stick_threshold(shelf, m + 1))
            );
        }
    }

    #[test]
    fn parameters_are_configuration() {
        // TW-TOWER-35: another table is read from data, a third shelf included, and errors name the field
        let shelf = json!({"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 0});
        let three = Parameters::from_json(&json!({"shelves": [shelf, shelf, shelf]})).unwrap();
        assert_eq!((three.shelves().len(), three.capacity()), (3, 27));
        assert_eq!(Parameters::from_json(&json!("ledger")), Ok(Parameters::named("ledger").unwrap()));
        let error = |value| Parameters::from_json(&value).unwrap_err().to_string();
        assert_eq!(error(json!({"shelves": [shelf]})), "shelves: 1 shelves, 2 to 3 are possible");
        let with = |field: &str, value: i64| {
            let mut other = shelf.clone();
            other[field] = value.into();
            error(json!({"shelves": [shelf, other]}))
        };
        assert_eq!(with("capacity", 0), "shelves[1].capacity: 0, 1 to 64 are possible");
        assert_eq!(with("capacity", 65), "shelves[1].capacity: 65, 1 to 64 are possible");
        assert_eq!(with("stick_per_mille", 1001), "shelves[1].stick_per_mille: 1001, 1 to 1000 are possible");
        assert_eq!(with("dislodge", 0), "shelves[1].dislodge: 0, 1 to 65535 are possible");
        assert!(with("burst", 65_536).starts_with("shelves[1].burst: "));
        assert!(with("burst", -1).starts_with("shelves[1].burst: "));
        assert_eq!(with("jam_per_mille", 1001), "shelves[1].jam_per_mille: 1001, 0 to 1000 are possible");
        assert_eq!(with("jam_half_tenths", 1001), "shelves[1].jam_half_tenths: 1001, 0 to 1000 are possible");
        assert!(with("jam_half_tenths", -1).starts_with("shelves[1].jam_half_tenths: "));
        assert!(with("holes", 1).starts_with("shelves[1].holes: unknown field"));
        assert!(error(json!("warped")).contains("\"warped\", there is "));
        assert!(error(json!({})).contains("missing field `shelves`"));
    }

    #[test]
    fn cubes_jam_behind_others_of_their_throw() {
        // TW-TOWER-36: q (1 - m/C) + J j/(j + K), each rounded down; nothing on a full shelf
        let jammed = ShelfParameters { jam_per_mille: 300, jam_half_tenths: 25, ..UPPER };
        let parameters = Parameters::new(&[jammed, LOWER]).unwrap();
        assert!(parameters.jams() && !Parameters::named("ledger").unwrap().jams());
        let alone = parameters.stick_threshold(0, 13);
        assert_eq!(parameters.jammed_threshold(0, 13, 0), alone);
        assert_eq!(parameters.jammed_threshold(0, 13, 1), alone + 300 * 10 * 65_536 / 35_000);
        assert_eq!(parameters.jammed_threshold(0, 13, 10), alone + 300 * 100 * 65_536 / 125_000);
        assert_eq!(parameters.jammed_threshold(0, 26, 10), 0);
        assert_eq!(parameters.jammed_threshold(1, 3, 10), parameters.stick_threshold(1, 3));
        // TW-TOWER-07: every cube passes sometimes
        let tight = ShelfParameters { jam_per_mille: 1000, ..UPPER };
        let tight = Parameters::new(&[tight, tight]).unwrap();
        assert_eq!(tight.jammed_threshold(1, 25, 1), u32::from(u16::MAX)); // K = 0: all of J from the first on
        assert_eq!(tight.jammed_threshold(1, 26, 1), 0);
        // a table says so by name, and tables without are read as before
        let table = json!({"shelves": [jammed, LOWER]});
        assert_eq!(table["shelves"][0]["jam_half_tenths"], 25);
        assert_eq!(table["shelves"][1].get("jam_per_mille"), None);
        assert_eq!(Parameters::from_json(&table), Ok(parameters));
    }

    #[test]
    fn files_say_what_is_wrong_with_them() {
        let wrong = |text| read_files(text, FITTED_DATA).unwrap_err().to_string();
        assert!(wrong("default = 1").starts_with("file: "));
        assert_eq!(wrong("default = \"a\"\n[sets]"), "default: \"a\", there is no such set");
        assert!(wrong("default = \"a\"\n[sets.a]\nshelves = 3").starts_with("sets.a.shelves: "));
    }

    #[test]
    fn written_and_read() {
        let written = |parameters: &Parameters| {
            let mut writer = Writer::default();
            parameters.encode(&mut writer);
            writer.finish()
        };
        let ledger = Parameters::named("ledger").unwrap();
        let half = ShelfParameters { jam_half_tenths: 7, ..LOWER };
        let jammed =
            Parameters::new(&[ShelfParameters { jam_per_mille: 300, ..UPPER }, LOWER, half]).unwrap();
        for parameters in [ledger.clone(), jammed.clone()] {
            let bytes = written(&parameters);
            let mut reader = Reader::new(&bytes);
            assert_eq!(Parameters::decode(&mut reader), Ok(parameters));
            assert_eq!(reader.finish(), Ok(()));
        }
        // shelves without jams are written as they were before there were jams
        let bytes = written(&ledger);
        assert_eq!((bytes.len(), bytes[0]), (15, 2));
        let mut same = vec![0x82];
        for shelf in bytes[1..].chunks(7) {
            same.extend([shelf, &[0; 4]].concat());
        }
        assert!(Parameters::decode(&mut Reader::new(&same)).is_err()); // one way to write them
        assert!(Parameters::decode(&mut Reader::new(&[4; 60])).is_err());
        assert!(Parameters::decode(&mut Reader::new(&[1, 9, 0, 0, 0, 0, 0, 0])).is_err());
        assert!(Parameters::decode(&mut Reader::new(&bytes[..5])).is_err());
    }
}
