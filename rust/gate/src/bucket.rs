//! A token bucket: a bound on a rate that allows bursts.

use std::time::{Duration, Instant};

/// A token bucket that starts full.
#[derive(Debug)]
pub(crate) struct Bucket {
    size: f64,
    per_second: f64,
    level: f64,
    updated: Instant,
}

impl Bucket {
    pub(crate) fn new(size: u32, per_second: u32, now: Instant) -> Bucket {
        let size = f64::from(size);
        Bucket { size, per_second: f64::from(per_second), level: size, updated: now }
    }

    fn refill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.updated).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.size);
        self.updated = now;
    }

    /// Whole tokens that can be taken now.
    pub(crate) fn available(&mut self, now: Instant) -> u32 {
        self.refill(now);
        self.level.max(0.0) as u32
    }

    /// Take tokens. The level may become negative: the taker then waits for [`Bucket::wait`].
    pub(crate) fn take(&mut self, tokens: u32) {
        self.level -= f64::from(tokens);
    }

    /// Take tokens, but leave no longer a wait than `most` for whoever comes next.
    pub(crate) fn take_within(&mut self, tokens: u32, most: Duration) {
        self.take(tokens);
        self.level = self.level.max(-most.as_secs_f64() * self.per_second);
    }

    /// Time until the bucket holds `tokens`.
    pub(crate) fn wait(&mut self, tokens: u32, now: Instant) -> Duration {
        self.refill(now);
        let missing = f64::from(tokens) - self.level;
        if missing <= 0.0 { Duration::ZERO } else { Duration::from_secs_f64(missing / self.per_second) }
    }

    pub(crate) fn is_full(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.level >= self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debt_can_be_bounded() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10, 5, start);
        bucket.take_within(1_000, Duration::from_secs(3));
        assert_eq!(bucket.wait(0, start), Duration::from_secs(3));
        bucket.take_within(1, Duration::from_secs(3));
        assert_eq!(bucket.wait(0, start), Duration::from_secs(3));
    }

    #[test]
    fn a_bucket_allows_its_size_at_once_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10, 5, start);
        assert_eq!(bucket.available(start), 10);
        bucket.take(10);
        assert_eq!(bucket.available(start), 0);
        assert_eq!(bucket.wait(5, start), Duration::from_secs(1));
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.available(later), 5);
        assert!(!bucket.is_full(later));
        assert!(bucket.is_full(start + Duration::from_secs(60)));
        assert_eq!(bucket.available(start + Duration::from_secs(60)), 10);
    }

    #[test]
    fn tokens_may_be_taken_in_advance() {
        let start = Instant::now();
        let mut bucket = Bucket::new(1, 1, start);
        bucket.take(3);
        assert_eq!(bucket.wait(0, start), Duration::from_secs(2));
    }
}
