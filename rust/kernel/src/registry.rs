//! Registries of what states refer to by reference: maps, boards and scenarios, built-in or custom.

use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::Value;

use crate::{DecodeError, SetupError};

/// A value that lives as long as the process, so that a state holds it as a plain reference.
pub trait Registered: Sized + 'static {
    /// Name of the kind of value, e.g. `map`.
    const NAME: &'static str;
    /// Most different ones that can be loaded into one process, the standard ones not counted.
    const MOST: usize = 64;

    /// Whether both say the same, display data and remarks included, so that one of them is enough.
    fn is_same(&self, other: &Self) -> bool;

    /// Whether a match cannot tell them apart; what equal digests promise.
    fn plays_the_same(&self, other: &Self) -> bool {
        self.is_same(other)
    }

    /// A number for the content, the same on every machine, where stored states name it by one.
    fn digest(&self) -> Option<u64>;

    /// The content of a user's file, for [`crate::read_setup`].
    ///
    /// # Errors
    /// [`SetupError`] without a field when the text is not TOML or too large, as [`crate::read_toml`] says.
    fn read_toml(text: &str) -> Result<Value, SetupError> {
        crate::read_toml(text, Self::NAME)
    }
}

/// A registry: the standard values, made at their first use, and those that were loaded, in order.
///
/// ```
/// use sengoku_kernel::{Registered, Registry};
///
/// struct Road(&'static str);
/// impl Registered for Road {
///     const NAME: &'static str = "road";
///     fn is_same(&self, other: &Self) -> bool {
///         self.0 == other.0
///     }
///     fn digest(&self) -> Option<u64> {
///         Some(sengoku_kernel::digest(self.0.bytes()))
///     }
/// }
/// static ROADS: Registry<Road> = Registry::new(|| vec![Road("Tokaido")]);
///
/// let nakasendo = ROADS.register(Road("Nakasendo")).unwrap();
/// assert!(std::ptr::eq(ROADS.register(Road("Nakasendo")).unwrap(), nakasendo));
/// assert!(std::ptr::eq(ROADS.by_digest(nakasendo.digest().unwrap()).unwrap(), nakasendo));
/// assert!(std::ptr::eq(ROADS.register(Road("Tokaido")).unwrap(), &ROADS.standard()[0]));
/// ```
pub struct Registry<T: 'static> {
    standard: LazyLock<Vec<T>>,
    loaded: Mutex<Vec<&'static T>>,
}

impl<T: Registered> Registry<T> {
    /// A registry of nothing but the standard values.
    pub const fn new(standard: fn() -> Vec<T>) -> Self {
        Self { standard: LazyLock::new(standard), loaded: Mutex::new(Vec::new()) }
    }

    /// Those that are compiled in.
    pub fn standard(&'static self) -> &'static [T] {
        &self.standard
    }

    /// The standard or loaded one with this digest.
    ///
    /// # Errors
    /// [`DecodeError`] when there is none: what was stored with it cannot be read.
    pub fn by_digest(&'static self, digest: u64) -> Result<&'static T, DecodeError> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = self.standard().iter().chain(loaded.iter().copied());
        let found = known.find(|known| known.digest() == Some(digest));
        let missing = || format!("no {} {digest:016x} is loaded", T::NAME);
        found.ok_or_else(|| DecodeError::inconsistent(T::NAME, missing()))
    }

    /// Returns the registered value that says the same, or registers this one for the life of the process.
    ///
    /// # Errors
    /// [`SetupError`] without a field when no more fit, or when another one has the same digest: it names what a stored
    /// state was played on, so one that stands for two is of no use.
    pub fn register(&'static self, new: T) -> Result<&'static T, SetupError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        for known in self.standard().iter().chain(loaded.iter().copied()) {
            if known.is_same(&new) {
                return Ok(known);
            }
            if let Some(digest) = new.digest().filter(|&digest| known.digest() == Some(digest))
                && !known.plays_the_same(&new)
            {
                let reason = format!("has the digest {digest:016x} of another {}, change it", T::NAME);
                return Err(SetupError::new("", reason));
            }
        }
        if loaded.len() >= T::MOST {
            let reason =
                format!("{} different {}s are loaded, no more fit into one process", T::MOST, T::NAME);
            return Err(SetupError::new("", reason));
        }
        let registered: &'static T = Box::leak(Box::new(new));
        loaded.push(registered);
        Ok(registered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Page {
        text: usize,
        remark: &'static str,
        digest: Option<u64>,
    }

    impl Page {
        fn new(text: usize) -> Self {
            Self { text, remark: "", digest: Some(text as u64) }
        }
    }

    impl Registered for Page {
        const NAME: &'static str = "page";
        const MOST: usize = 3;

        fn is_same(&self, other: &Self) -> bool {
            self.plays_the_same(other) && self.remark == other.remark
        }

        fn plays_the_same(&self, other: &Self) -> bool {
            self.text == other.text
        }

        fn digest(&self) -> Option<u64> {
            self.digest
        }
    }

    #[test]
    fn no_more_than_fit() {
        static PAGES: Registry<Page> = Registry::new(|| vec![Page::new(0)]);
        let first = PAGES.register(Page::new(1)).unwrap();
        for text in 2..=Page::MOST {
            PAGES.register(Page::new(text)).unwrap();
        }
        let error = PAGES.register(Page::new(9)).err().unwrap();
        assert_eq!(error.reason, "3 different pages are loaded, no more fit into one process");
        assert!(std::ptr::eq(PAGES.register(Page::new(1)).unwrap(), first));
        assert!(std::ptr::eq(PAGES.register(Page::new(0)).unwrap(), &raw const PAGES.standard()[0]));
        let error = PAGES.by_digest(9).err().unwrap();
        assert_eq!(error.to_string(), "page: no page 0000000000000009 is loaded");
    }

    #[test]
    fn a_digest_stands_for_one() {
        static PAGES: Registry<Page> = Registry::new(|| vec![Page::new(0)]);
        let error = PAGES.register(Page { digest: Some(0), ..Page::new(1) }).err().unwrap();
        assert_eq!(error.reason, "has the digest 0000000000000000 of another page, change it");
        // another remark makes another file, which plays the same under the same digest
        let remarked = PAGES.register(Page { remark: "mine", ..Page::new(0) }).unwrap();
        assert_eq!(remarked.remark, "mine");
        assert_eq!(PAGES.by_digest(0).unwrap().remark, "");
        // without digests nothing is mistaken for anything
        assert!(PAGES.register(Page { digest: None, ..Page::new(2) }).is_ok());
    }
}
