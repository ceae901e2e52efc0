//! How a state is written down: as a table of names for people, as bytes for machines.
//!
//! Both come from the same derived code. Numbers of provinces become keys of the map where a person reads, which needs
//! the map at hand: [`on_map`] lends it for the time of a conversion.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{ByProvince, ByUnit, PROVINCES, ProvinceId, Unit};
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

fn find<E: serde::de::Error>(key: &str) -> Result<ProvinceId, E> {
    let found = names().find(key).map(ProvinceId);
    found.ok_or_else(|| E::custom(format_args!("there is no province \"{key}\" on the map")))
}

impl Serialize for ProvinceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(names().key(self.0))
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for ProvinceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            find(&String::deserialize(deserializer)?)
        } else {
            let number = u8::deserialize(deserializer)?;
            let found = (usize::from(number) < PROVINCES).then_some(Self(number));
            found.ok_or_else(|| D::Error::custom(format_args!("there is no province {number}")))
        }
    }
}

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

impl<T: Serialize> Serialize for ByProvince<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            let mut map = serializer.serialize_map(Some(PROVINCES))?;
            for province in ProvinceId::all() {
                map.serialize_entry(&province, &self[province])?;
            }
            map.end()
        } else {
            let mut tuple = serializer.serialize_tuple(PROVINCES)?;
            for value in &self.0 {
                tuple.serialize_element(value)?;
            }
            tuple.end()
        }
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>> Deserialize<'de> for ByProvince<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<T>(PhantomData<T>);
        impl<'de, T: Copy + Default + Deserialize<'de>> Visitor<'de> for Values<T> {
            type Value = ByProvince<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a value for each province")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByProvince<T>, A::Error> {
                let mut values = ByProvince([T::default(); PROVINCES]);
                while let Some(province) = map.next_key::<ProvinceId>()? {
                    values[province] = map.next_value()?;
                }
                Ok(values)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ByProvince<T>, A::Error> {
                let mut values = ByProvince([T::default(); PROVINCES]);
                for (place, value) in values.0.iter_mut().enumerate() {
                    *value = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(place, &self))?;
                }
                Ok(values)
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_map(Values(PhantomData))
        } else {
            deserializer.deserialize_tuple(PROVINCES, Values(PhantomData))
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
