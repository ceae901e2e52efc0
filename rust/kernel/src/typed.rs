//! Ids, sets of ids and arrays by id: a province never is the index of a clan.

/// Makes an id of a number, and the iterator over a set of such ids where one is asked for.
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
            /// All of them in order.
            pub fn all() -> impl Iterator<Item = Self> {
                (0..$count as u8).map(Self)
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
