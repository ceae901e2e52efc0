//! A table of answers that all threads of a process share: it changes no answer, only how fast it comes.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Answers of `WORDS` words by keys of two, with one place for each remainder of a key: a new answer replaces what was
/// there. Nobody waits: who meets a writer goes without.
pub(crate) struct Memo<const WORDS: usize> {
    entries: Box<[Entry<WORDS>]>,
}

/// A sequence lock. The version is odd while somebody writes, and changes with every answer.
struct Entry<const WORDS: usize> {
    version: AtomicU64,
    key: [AtomicU64; 2],
    answer: [AtomicU64; WORDS],
}

impl<const WORDS: usize> Entry<WORDS> {
    const fn new() -> Self {
        Self {
            version: AtomicU64::new(0),
            key: [const { AtomicU64::new(0) }; 2],
            answer: [const { AtomicU64::new(0) }; WORDS],
        }
    }
}

impl<const WORDS: usize> Memo<WORDS> {
    /// A table of `2^bits` places without an answer. No question may have the key 0.
    pub(crate) fn new(bits: u32) -> Self {
        Self { entries: (0..1_usize << bits).map(|_| Entry::new()).collect() }
    }

    /// The answer to a key: the one in the table, or what `compute` says.
    #[inline]
    pub(crate) fn get(&self, key: u128, compute: impl FnOnce() -> [u64; WORDS]) -> [u64; WORDS] {
        let words = [key as u64, (key >> 64) as u64];
        let folded = (words[0] ^ words[1].rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &self.entries[(folded >> (64 - self.entries.len().trailing_zeros())) as usize];
        entry.read(words).unwrap_or_else(|| {
            let answer = compute();
            entry.write(words, &answer);
            answer
        })
    }
}

impl<const WORDS: usize> Entry<WORDS> {
    #[inline]
    fn read(&self, key: [u64; 2]) -> Option<[u64; WORDS]> {
        let version = self.version.load(Ordering::Acquire);
        if version & 1 == 1 || self.key[0].load(Ordering::Relaxed) != key[0] {
            return None;
        }
        if self.key[1].load(Ordering::Relaxed) != key[1] {
            return None;
        }
        let answer = std::array::from_fn(|word| self.answer[word].load(Ordering::Relaxed));
        // What was read belongs together if nobody has begun to write since.
        fence(Ordering::Acquire);
        (self.version.load(Ordering::Relaxed) == version).then_some(answer)
    }

    #[cold]
    fn write(&self, key: [u64; 2], answer: &[u64; WORDS]) {
        let version = self.version.load(Ordering::Relaxed);
        let writing = version | 1;
        if version == writing
            || self.version.compare_exchange(version, writing, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (place, word) in self.key.iter().zip(key).chain(self.answer.iter().zip(*answer)) {
            place.store(word, Ordering::Relaxed);
        }
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(key: u128) -> [u64; 3] {
        let word = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x2545_f491_4f6c_dd1d);
        [word, !word, word.rotate_left(7)]
    }

    #[test]
    fn an_answer_is_computed_once() {
        let memo = Memo::new(4);
        let key = 5_u128 << 70 | 3;
        assert_eq!(memo.get(key, || answer(key)), answer(key));
        assert_eq!(memo.get(key, || unreachable!("it is known")), answer(key));
    }

    #[test]
    fn threads_never_read_half_an_answer() {
        // Few places and many keys, so that everybody writes over what others read.
        let memo = Memo::new(2);
        std::thread::scope(|scope| {
            for thread in 0..4_u128 {
                let memo = &memo;
                scope.spawn(move || {
                    for round in 0..50_000_u128 {
                        let key = (round * 7 + thread) % 23 + 1;
                        let key = key << 64 | key;
                        assert_eq!(memo.get(key, || answer(key)), answer(key));
                    }
                });
            }
        });
    }
}
