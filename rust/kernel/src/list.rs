//! A short list as a plain value: it copies with the state it is in.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Up to `N` items in order. Places behind the last item hold the default, so that equal is equal.
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// A list of these items.
    ///
    /// # Panics
    /// When there are more than `N`.
    pub fn of(items: &[T]) -> Self {
        let mut list = Self::default();
        list.items[..items.len()].copy_from_slice(items);
        list.len = items.len() as u8;
        list
    }

    /// Appends an item.
    ///
    /// # Panics
    /// When the list is full.
    pub fn push(&mut self, item: T) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    /// Takes the item at a place out; those behind it move up.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn remove(&mut self, place: usize) -> T {
        let item = self[place];
        let len = usize::from(self.len);
        self.items.copy_within(place + 1..len, place);
        self.len -= 1;
        self.items[len - 1] = T::default();
        item
    }

    /// Takes the last item out.
    pub fn pop(&mut self) -> Option<T> {
        let last = usize::from(self.len).checked_sub(1)?;
        self.len -= 1;
        Some(std::mem::take(&mut self.items[last]))
    }

    /// Takes the first item out.
    pub fn take_first(&mut self) -> Option<T> {
        (self.len > 0).then(|| self.remove(0))
    }

    /// Drops all items behind the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for place in len..usize::from(self.len) {
            self.items[place] = T::default();
        }
        self.len = self.len.min(len as u8);
    }

    /// Drops all items.
    pub fn clear(&mut self) {
        self.truncate(0);
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self { len: 0, items: [T::default(); N] }
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::default();
        for item in items {
            list.push(item);
        }
        list
    }
}

impl<T: Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
            type Value = List<T, N>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "a list of at most {N} items")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut list = List::default();
                while let Some(item) = seq.next_element()? {
                    if list.len() == N {
                        return Err(A::Error::invalid_length(N + 1, &self));
                    }
                    list.push(item);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Items::<T, N>(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_is_equal_whatever_was_there_before() {
        let mut list: List<u8, 4> = List::of(&[3, 1, 2]);
        assert_eq!(list.remove(0), 3);
        list.push(9);
        assert_eq!(list[..], [1, 2, 9]);
        list.truncate(1);
        assert_eq!(list, List::of(&[1]));
        assert_eq!(format!("{list:?}"), "[1]");
        assert_eq!(list.take_first(), Some(1));
        assert_eq!(list.take_first(), None);
        list.push(5);
        assert_eq!((list.pop(), list.pop()), (Some(5), None));
        assert_eq!(list, List::of(&[]));
        let read: Result<List<u8, 4>, _> = serde_json::from_str("[1, 2, 3, 4, 5]");
        assert!(read.is_err());
        assert_eq!(serde_json::from_str::<List<u8, 4>>("[1, 2]").unwrap(), List::of(&[1, 2]));
        assert_eq!(serde_json::to_string(&List::<u8, 4>::of(&[4, 0])).unwrap(), "[4,0]");
    }
}
