//! Ids, sets of ids and arrays by id: a province never is the index of a clan.

/// Defines an id type over a number and, where requested, an iterator over a set of such ids.
///
/// ```
/// sengoku_kernel::id! {
///     /// A province by its number on the map.
///     #[derive(Default)]
///     pub struct ProvinceId < 68;
///     /// The provinces of a set, in order.
///     pub struct Provinces(u128);
/// }
/// assert_eq!(ProvinceId::all().count(), 68);
/// let set = ProvinceId(3).bit() | ProvinceId(67).bit();
/// assert_eq!(Provinces(set).collect::<Vec<_>>(), [ProvinceId(3), ProvinceId(67)]);
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$about:meta])* $visible:vis struct $Id:ident < $count:expr;) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible struct $Id(pub u8);

        impl $Id {
            /// How many there are.
            pub const COUNT: usize = $count;

            /// All of them in order.
            pub fn all() -> impl Iterator<Item = Self> {
                (0..Self::COUNT as u8).map(Self)
            }

            /// The number as an array index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
    (
        $(#[$about:meta])* $visible:vis struct $Id:ident < $count:expr;
        $(#[$about_set:meta])* $set_visible:vis struct $Set:ident($bits:ty);
    ) => {
        $crate::id! { $(#[$about])* $visible struct $Id < $count; }

        impl $Id {
            /// It alone as a set.
            pub const fn bit(self) -> $bits {
                1 << self.0
            }
        }

        $(#[$about_set])*
        #[derive(Clone, Debug)]
        $set_visible struct $Set(pub $bits);

        impl Iterator for $Set {
            type Item = $Id;

            fn next(&mut self) -> Option<$Id> {
                let first = (self.0 != 0).then(|| $Id(self.0.trailing_zeros() as u8))?;
                self.0 &= self.0 - 1;
                Some(first)
            }
        }
    };
}

/// Makes an array that only an id, or an enum with a method `index`, can index.
///
/// ```
/// sengoku_kernel::id! {
///     /// A clan by its number.
///     pub struct ClanId < 5;
/// }
/// sengoku_kernel::by_id! {
///     /// A value for each clan.
///     #[derive(Default)]
///     pub struct ByClan<T>([T; 5]) by ClanId;
/// }
/// let mut koku = ByClan([3; 5]);
/// koku[ClanId(4)] += 1;
/// assert_eq!(koku, ByClan([3, 3, 3, 3, 4]));
/// ```
#[macro_export]
macro_rules! by_id {
    ($(#[$about:meta])* $visible:vis struct $By:ident<T>([T; $count:expr]) by $Id:ty;) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible struct $By<T>(pub [T; $count]);

        impl<T> std::ops::Index<$Id> for $By<T> {
            type Output = T;

            fn index(&self, id: $Id) -> &T {
                &self.0[id.index()]
            }
        }

        impl<T> std::ops::IndexMut<$Id> for $By<T> {
            fn index_mut(&mut self, id: $Id) -> &mut T {
                &mut self.0[id.index()]
            }
        }
    };
}

/// Writes an id, and the array by it, down: by name where a person reads, by number for machines. What comes first is
/// what the id is called in errors; then the name of an id, and the id of a name or why there is none.
///
/// ```
/// const NAMES: [&str; 3] = ["north", "middle", "south"];
/// sengoku_kernel::id! {
///     /// A road by its number.
///     pub struct RoadId < 3;
/// }
/// sengoku_kernel::by_id! {
///     /// A value for each road.
///     pub struct ByRoad<T>([T; 3]) by RoadId;
/// }
/// sengoku_kernel::serde_by_name! {
///     "road": RoadId, ByRoad;
///     |id: RoadId| NAMES[id.index()];
///     |name: &str| RoadId::all().find(|id| NAMES[id.index()] == name).ok_or(format!("no road is called {name:?}"))
/// }
/// assert_eq!(serde_json::to_string(&ByRoad([2, 1, 0])).unwrap(), r#"{"north":2,"middle":1,"south":0}"#);
/// assert_eq!(serde_json::from_str::<ByRoad<u8>>(r#"{"south":7}"#).unwrap(), ByRoad([0, 0, 7]));
/// assert!(serde_json::from_str::<RoadId>("\"east\"").is_err());
/// ```
#[macro_export]
macro_rules! serde_by_name {
    ($what:literal: $Id:ident, $By:ident; $name:expr; $find:expr) => {
        impl serde::Serialize for $Id {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(&($name)(*self))
                } else {
                    serializer.serialize_u8(self.0)
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $Id {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                if deserializer.is_human_readable() {
                    return ($find)(&String::deserialize(deserializer)?).map_err(D::Error::custom);
                }
                let number = u8::deserialize(deserializer)?;
                let found = (usize::from(number) < $Id::COUNT).then_some(Self(number));
                found.ok_or_else(|| D::Error::custom(format_args!("there is no {} {number}", $what)))
            }
        }

        impl<T: serde::Serialize> serde::Serialize for $By<T> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeTuple;
                if serializer.is_human_readable() {
                    return serializer.collect_map($Id::all().map(|id| (id, &self[id])));
                }
                let mut tuple = serializer.serialize_tuple($Id::COUNT)?;
                for value in &self.0 {
                    tuple.serialize_element(value)?;
                }
                tuple.end()
            }
        }

        /// Entries that are left out have their default.
        impl<'de, T: Copy + Default + serde::Deserialize<'de>> serde::Deserialize<'de> for $By<T> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::{Error, MapAccess, SeqAccess, Visitor};
                struct Values<T>(std::marker::PhantomData<T>);
                impl<'de, T: Copy + Default + serde::Deserialize<'de>> Visitor<'de> for Values<T> {
                    type Value = $By<T>;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        formatter.write_str(concat!("a value for each ", $what))
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$By<T>, A::Error> {
                        let mut values = $By([T::default(); $Id::COUNT]);
                        while let Some(id) = map.next_key::<$Id>()? {
                            values[id] = map.next_value()?;
                        }
                        Ok(values)
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<$By<T>, A::Error> {
                        let mut values = $By([T::default(); $Id::COUNT]);
                        for (place, value) in values.0.iter_mut().enumerate() {
                            let next = seq.next_element()?;
                            *value = next.ok_or_else(|| A::Error::invalid_length(place, &self))?;
                        }
                        Ok(values)
                    }
                }
                let values = Values(std::marker::PhantomData);
                if deserializer.is_human_readable() {
                    deserializer.deserialize_map(values)
                } else {
                    deserializer.deserialize_tuple($Id::COUNT, values)
                }
            }
        }
    };
}
