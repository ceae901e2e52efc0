//! How a state is written down: as a table of names for people, as bytes for machines.
//!
//! Both come from the same derived code. Numbers of provinces become keys of the map where a person reads, which needs
//! the map at hand: [`on_map`] lends it for the time of a conversion.

use std::cell::Cell;
use std::fmt;

use sengoku_kernel::serde_by_name;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{ByProvince, ByUnit, ProvinceId, Unit};
use crate::map::Map;

thread_local! {
    static MAP: Cell<Option<&'static Map>> = const { Cell::new(None) };
}

/// Does something with the names of a map.
pub(crate) fn on_map<T>(map: &'static Map, work: impl FnOnce() -> T) -> T {
    let before = MAP.replace(Some(map));
    let result = work();
    MAP.set(before);
    result
}

fn names() -> &'static Map {
    MAP.get().unwrap_or_else(Map::standard)
}

fn find(key: &str) -> Result<ProvinceId, String> {
    names().find(key).map(ProvinceId).ok_or_else(|| format!("there is no province \"{key}\" on the map"))
}

serde_by_name! { "province": ProvinceId, ByProvince; |id: ProvinceId| names().key(id.0); find }

impl Serialize for ByUnit<u8> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_map(Unit::ALL.map(|unit| (unit.name(), self[unit])))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for ByUnit<u8> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Units;
        impl<'de> Visitor<'de> for Units {
            type Value = ByUnit<u8>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("units by kind")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByUnit<u8>, A::Error> {
                let mut units = ByUnit::default();
                while let Some(kind) = map.next_key::<String>()? {
                    let unit = Unit::named(&kind).ok_or_else(|| {
                        A::Error::custom(format_args!("there is no kind of unit \"{kind}\""))
                    })?;
                    units[unit] = map.next_value()?;
                }
                Ok(units)
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_map(Units)
        } else {
            <[u8; 6]>::deserialize(deserializer).map(ByUnit)
        }
    }
}

/// Declared targets: a person reads only those that are there.
pub(crate) mod targets {
    use super::{ByProvince, Deserialize, Deserializer, ProvinceId, Serialize, Serializer};

    type Targets = ByProvince<Option<ProvinceId>>;

    pub(crate) fn serialize<S: Serializer>(targets: &Targets, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer
                .collect_map(ProvinceId::all().filter_map(|province| Some((province, targets[province]?))))
        } else {
            targets.serialize(serializer)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Targets, D::Error> {
        Targets::deserialize(deserializer)
    }
}
