//! The open connections: which are admitted, which are evicted, and which have misbehaved.

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::bucket::Bucket;
use crate::{Counts, Settings};

/// Entries of addresses without a connection that may be left over before they are removed.
const IDLE_ADDRESSES: usize = 1_024;

/// Starts that an address loses by a connection that misbehaved.
const STRUCK_STARTS: u32 = 32;
/// Longest wait of a new connection of an address that connects too often. Clients give up after 20 seconds, and one that
/// did nothing wrong may share the address with those that flood.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// One of the sides closed it.
    Closed,
    /// It was unverified and made room for a new one.
    Evicted,
    /// It had too many strikes.
    Struck,
    /// It was unverified and sent nothing for too long.
    Idle,
    /// It did not read what was sent to it.
    Stalled,
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) id: u64,
    pub(crate) peer: SocketAddr,
    verified: AtomicBool,
    strikes: Mutex<Bucket>,
    ending: Mutex<Option<End>>,
    /// Notified when the connection is verified or has to end.
    pub(crate) changed: Notify,
}

impl Connection {
    pub(crate) fn verified(&self) -> bool {
        self.verified.load(Ordering::Acquire)
    }

    pub(crate) fn ending(&self) -> Option<End> {
        *self.ending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, end: End) {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end);
        self.changed.notify_waiters();
    }
}

/// What is known of an address.
#[derive(Debug)]
struct Address {
    open: usize,
    unverified: BTreeSet<u64>,
    /// Bounds how often it connects.
    starts: Bucket,
}

/// All open connections. Ids grow, so the smallest id is the oldest connection.
#[derive(Debug)]
pub(crate) struct Table {
    settings: Settings,
    next: u64,
    open: HashMap<u64, Arc<Connection>>,
    unverified: BTreeSet<u64>,
    addresses: HashMap<IpAddr, Address>,
    counts: Counts,
}

impl Table {
    pub(crate) fn new(settings: Settings) -> Table {
        Table {
            settings,
            next: 0,
            open: HashMap::new(),
            unverified: BTreeSet::new(),
            addresses: HashMap::new(),
            counts: Counts::default(),
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        let verified = (self.open.len() - self.unverified.len()) as u64;
        Counts { open: self.open.len() as u64, verified, ..self.counts }
    }

    /// Admit a new connection, and return it with the time it has to wait before its bytes are relayed.
    ///
    /// If the table is full, the oldest unverified connection ends: of the same address if that has too
    /// many, else of the address with the most unverified ones.
    pub(crate) fn admit(&mut self, peer: SocketAddr, now: Instant) -> Option<(Arc<Connection>, Duration)> {
        let key = network(peer.ip());
        self.forget_idle_addresses(now);
        let settings = self.settings;
        let of_address = self.addresses.get(&key);
        let crowded = of_address.is_some_and(|known| {
            known.open >= settings.address_connections
                || known.unverified.len() >= settings.address_unverified
        });
        if crowded {
            let oldest = of_address.and_then(|known| known.unverified.first().copied());
            if !self.evict(oldest) {
                return None;
            }
        }
        let full = self.open.len() >= settings.connections || self.unverified.len() >= settings.unverified;
        if full {
            let largest = self.addresses.values().max_by_key(|known| known.unverified.len());
            let oldest = largest.and_then(|known| known.unverified.first().copied());
            if !self.evict(oldest) {
                return None;
            }
        }
        let id = self.next;
        self.next += 1;
        let connection = Arc::new(Connection {
            id,
            peer,
            verified: AtomicBool::new(false),
            strikes: Mutex::new(Bucket::new(settings.strikes, settings.strikes_per_second, now)),
            ending: Mutex::new(None),
            changed: Notify::new(),
        });
        self.open.insert(id, Arc::clone(&connection));
        self.unverified.insert(id);
        let known = self.addresses.entry(key).or_insert_with(|| Address {
            open: 0,
            unverified: BTreeSet::new(),
            starts: Bucket::new(settings.address_starts, settings.address_starts_per_second, now),
        });
        known.open += 1;
        known.unverified.insert(id);
        known.starts.take_within(1, LONGEST_WAIT);
        self.counts.accepted += 1;
        Some((connection, known.starts.wait(0, now)))
    }

    fn evict(&mut self, oldest: Option<u64>) -> bool {
        match oldest {
            Some(id) => self.end(id, End::Evicted),
            None => self.counts.refused += 1,
        }
        oldest.is_some()
    }

    /// Mark a connection as verified: one of its calls was authenticated.
    pub(crate) fn verify(&mut self, id: u64) {
        if !self.unverified.remove(&id) {
            return;
        }
        let connection = &self.open[&id];
        if let Some(known) = self.addresses.get_mut(&network(connection.peer.ip())) {
            known.unverified.remove(&id);
        }
        connection.verified.store(true, Ordering::Release);
        connection.changed.notify_waiters();
    }

    /// Count misbehaviour of a connection. If that is too much it ends, and its address has to wait longer
    /// before it may connect again.
    pub(crate) fn strike(&mut self, id: u64, strikes: u32, now: Instant) {
        let Some(connection) = self.open.get(&id) else { return };
        let mut left = connection.strikes.lock().unwrap_or_else(PoisonError::into_inner);
        let forgiven = left.available(now) > strikes;
        left.take(strikes);
        drop(left);
        if forgiven {
            return;
        }
        if let Some(known) = self.addresses.get_mut(&network(connection.peer.ip())) {
            known.starts.take_within(STRUCK_STARTS, LONGEST_WAIT);
        }
        self.end(id, End::Struck);
    }

    pub(crate) fn peer(&self, id: u64) -> Option<SocketAddr> {
        self.open.get(&id).map(|connection| connection.peer)
    }

    /// Take a connection out of the table and tell its task to end; count it by reason, once.
    pub(crate) fn end(&mut self, id: u64, end: End) {
        let Some(connection) = self.open.remove(&id) else { return };
        self.unverified.remove(&id);
        if let Some(known) = self.addresses.get_mut(&network(connection.peer.ip())) {
            known.open -= 1;
            known.unverified.remove(&id);
        }
        match end {
            End::Closed => {}
            End::Evicted => self.counts.evicted += 1,
            End::Struck => self.counts.struck += 1,
            End::Idle => self.counts.idle += 1,
            End::Stalled => self.counts.stalled += 1,
        }
        connection.end(end);
    }

    fn forget_idle_addresses(&mut self, now: Instant) {
        if self.addresses.len() > 2 * self.open.len() + IDLE_ADDRESSES {
            self.addresses.retain(|_, known| known.open > 0 || !known.starts.is_full(now));
        }
        // Addresses that came and went within the time of a refill: too many to remember.
        if self.addresses.len() > 2 * self.open.len() + 64 * IDLE_ADDRESSES {
            self.addresses.retain(|_, known| known.open > 0);
        }
    }
}

/// The part of an address that one owner has: all of an IPv4 address, the first half of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => Ipv6Addr::from_bits(long.to_bits() & !u128::from(u64::MAX)).into(),
        short @ IpAddr::V4(_) => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::new(Settings {
            connections: 6,
            address_connections: 4,
            unverified: 5,
            address_unverified: 3,
            address_starts: 3,
            address_starts_per_second: 2,
            strikes: 10,
            strikes_per_second: 1,
            ..Settings::default()
        })
    }

    fn peer(host: u8) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, host], 40_000))
    }

    #[test]
    fn a_new_connection_of_a_flooding_address_waits_but_not_for_ever() {
        let mut table = table();
        let now = Instant::now();
        for _ in 0..100 {
            if let Some((connection, _)) = table.admit(peer(1), now) {
                table.strike(connection.id, 1_000, now);
            }
        }
        let (_, wait) = table.admit(peer(1), now).unwrap();
        assert_eq!(wait, LONGEST_WAIT);
        let (_, wait) = table.admit(peer(2), now).unwrap();
        assert_eq!(wait, Duration::ZERO);
    }

    fn admit(table: &mut Table, host: u8) -> Option<u64> {
        table.admit(peer(host), Instant::now()).map(|(connection, _)| connection.id)
    }

    #[test]
    fn an_address_with_too_many_unverified_connections_loses_its_oldest() {
        let mut table = table();
        let first = table.admit(peer(1), Instant::now()).unwrap().0;
        for _ in 0..3 {
            assert!(admit(&mut table, 1).is_some());
        }
        assert_eq!(first.ending(), Some(End::Evicted));
        assert_eq!(table.counts(), Counts { open: 3, accepted: 4, evicted: 1, ..Counts::default() });
    }

    #[test]
    fn verified_connections_stay_and_a_full_address_is_refused() {
        let mut table = table();
        for _ in 0..4 {
            let id = admit(&mut table, 1).unwrap();
            table.verify(id);
        }
        assert_eq!(admit(&mut table, 1), None);
        assert!(admit(&mut table, 2).is_some(), "other addresses have room");
        assert_eq!(
            table.counts(),
            Counts { open: 5, verified: 4, accepted: 5, refused: 1, ..Counts::default() }
        );
    }

    #[test]
    fn a_full_table_evicts_from_the_address_with_the_most_unverified() {
        let mut table = table();
        let greedy: Vec<_> = (0..3).map(|_| table.admit(peer(1), Instant::now()).unwrap().0).collect();
        for host in 2..4 {
            assert!(admit(&mut table, host).is_some());
        }
        assert!(admit(&mut table, 9).is_some());
        assert_eq!(greedy[0].ending(), Some(End::Evicted));
        assert_eq!(table.counts().open, 5);
    }

    #[test]
    fn an_address_that_connects_often_waits() {
        let (mut table, now) = (table(), Instant::now());
        let waits: Vec<_> = (0..5).map(|_| table.admit(peer(1), now).unwrap().1.as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 500, 1_000]);
    }

    #[test]
    fn strikes_end_a_connection_once() {
        let mut table = table();
        let connection = table.admit(peer(1), Instant::now()).unwrap().0;
        let now = Instant::now();
        table.strike(connection.id, 9, now);
        table.strike(connection.id, 5, now + Duration::from_secs(8));
        assert_eq!(connection.ending(), None, "some strikes are forgiven every second");
        table.strike(connection.id, 9, now + Duration::from_secs(8));
        table.strike(connection.id, 9, now + Duration::from_secs(8));
        table.end(connection.id, End::Closed);
        table.verify(connection.id);
        assert_eq!(connection.ending(), Some(End::Struck));
        assert_eq!(table.counts(), Counts { accepted: 1, struck: 1, ..Counts::default() });
        let (_, wait) = table.admit(peer(1), Instant::now()).unwrap();
        assert!(wait > LONGEST_WAIT / 2, "its address waits");
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let text = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(text("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(text("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(text("192.0.2.1"), "192.0.2.1");
    }

    #[test]
    fn addresses_without_connections_are_forgotten() {
        let (mut table, mut now) = (table(), Instant::now());
        for n in 0..5_000_u32 {
            now += Duration::from_secs(1);
            let address = SocketAddr::from((n.to_be_bytes(), 1));
            let (connection, _) = table.admit(address, now).unwrap();
            table.end(connection.id, End::Closed);
        }
        assert!(table.addresses.len() <= IDLE_ADDRESSES + 1);
    }
}
