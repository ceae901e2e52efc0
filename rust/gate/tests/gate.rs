//! The gate between real sockets: clients on TCP, and a server that echoes on a Unix socket.

#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "connections have clocks")]

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use sengoku_gate::{Counts, Gate, GateError, Settings};

/// An echoing server behind a gate.
struct Echo {
    gate: Gate,
    /// The name of every connection, as the server sees it.
    names: Receiver<String>,
    folder: PathBuf,
}

impl Echo {
    fn start(test: &str, settings: Settings) -> Echo {
        let folder = env::temp_dir().join(format!("sengoku-gate-test-{}-{test}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("server");
        let listener = UnixListener::bind(&path).unwrap();
        let (sender, names) = channel();
        thread::spawn(move || {
            for (connection, address) in (0..).map_while(|_| listener.accept().ok()) {
                let name = address.as_abstract_name().unwrap();
                let name = format!("unix-abstract:{}", String::from_utf8_lossy(name));
                if sender.send(name).is_err() {
                    return;
                }
                thread::spawn(move || echo(connection));
            }
        });
        Echo { gate: Gate::start("127.0.0.1", 0, &path, settings).unwrap(), names, folder }
    }

    fn connect(&self) -> TcpStream {
        let client = TcpStream::connect(("127.0.0.1", self.gate.port())).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        client
    }

    /// The id of the newest connection.
    fn id(&self) -> u64 {
        self.gate.id(&self.names.recv_timeout(Duration::from_secs(10)).unwrap()).unwrap()
    }

    fn wait_for(&self, done: impl Fn(Counts) -> bool) -> Counts {
        let started = Instant::now();
        while !done(self.gate.counts()) {
            assert!(started.elapsed() < Duration::from_secs(20), "{:?}", self.gate.counts());
            thread::sleep(Duration::from_millis(5));
        }
        self.gate.counts()
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn echo(mut connection: UnixStream) {
    let mut buffer = [0; 1 << 14];
    while let Ok(count @ 1..) = connection.read(&mut buffer) {
        if connection.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
}

fn round_trip(client: &mut TcpStream, data: &[u8]) {
    client.write_all(data).unwrap();
    let mut back = vec![0; data.len()];
    client.read_exact(&mut back).unwrap();
    assert_eq!(back, data);
}

/// Whether the other side has closed the connection.
fn is_closed(client: &mut TcpStream) -> bool {
    match client.read(&mut [0; 1]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

#[test]
fn bytes_pass_in_both_directions_and_the_server_knows_the_connection() {
    let echo = Echo::start("bytes", Settings::default());
    let mut client = echo.connect();
    round_trip(&mut client, b"hello");
    let id = echo.id();
    assert_eq!(echo.gate.peer(id), Some(client.local_addr().unwrap()));
    echo.gate.verify(id);
    let large: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    let mut writer = client.try_clone().unwrap();
    let sent = large.clone();
    let sending = thread::spawn(move || writer.write_all(&sent).unwrap());
    let mut back = vec![0; large.len()];
    client.read_exact(&mut back).unwrap();
    sending.join().unwrap();
    assert!(back == large);
    client.shutdown(Shutdown::Write).unwrap();
    assert!(is_closed(&mut client));
    let counts = echo.wait_for(|now| now.open == 0);
    assert_eq!(counts, Counts { accepted: 1, ..Counts::default() });
    assert_eq!(echo.gate.id("ipv4:127.0.0.1:40000"), None);
}

#[test]
fn an_unverified_connection_is_slow_until_it_is_verified() {
    let settings = Settings { free_bytes: 1_000, bytes_per_second: 1_000, ..Settings::default() };
    let echo = Echo::start("slow", settings);
    let mut client = echo.connect();
    round_trip(&mut client, &[1; 1_000]);
    let started = Instant::now();
    round_trip(&mut client, &[2; 500]);
    assert!(started.elapsed() > Duration::from_millis(300));
    let id = echo.id();
    client.write_all(&vec![3; 100_000]).unwrap();
    thread::sleep(Duration::from_millis(50));
    echo.gate.verify(id);
    let started = Instant::now();
    client.read_exact(&mut vec![0; 100_000]).unwrap();
    assert!(started.elapsed() < Duration::from_secs(5), "a hundred seconds at the rate of strangers");
}

#[test]
fn strangers_make_room_and_verified_connections_stay() {
    let settings = Settings { address_unverified: 2, address_connections: 3, ..Settings::default() };
    let echo = Echo::start("room", settings);
    let mut verified = echo.connect();
    round_trip(&mut verified, b"a");
    echo.gate.verify(echo.id());
    let mut strangers: Vec<_> = (0..4).map(|_| echo.connect()).collect();
    echo.wait_for(|now| now.evicted == 2);
    assert!(is_closed(&mut strangers[0]));
    assert!(is_closed(&mut strangers[1]));
    round_trip(&mut strangers[2], b"b");
    round_trip(&mut verified, b"c");
}

#[test]
fn strikes_close_a_connection() {
    let echo = Echo::start("strikes", Settings { strikes: 3, strikes_per_second: 0, ..Settings::default() });
    let mut client = echo.connect();
    round_trip(&mut client, b"a");
    let id = echo.id();
    echo.gate.strike(id, 2);
    round_trip(&mut client, b"b");
    echo.gate.strike(id, 2);
    assert!(is_closed(&mut client));
    assert_eq!(echo.gate.counts().struck, 1);
}

#[test]
fn an_unverified_connection_that_sends_nothing_is_closed() {
    let echo = Echo::start("idle", Settings { idle: Duration::from_millis(100), ..Settings::default() });
    let (mut silent, mut verified) = (echo.connect(), echo.connect());
    round_trip(&mut verified, b"a");
    let (first, second) = (echo.id(), echo.id());
    echo.gate.verify(first.max(second));
    assert!(is_closed(&mut silent));
    thread::sleep(Duration::from_millis(300));
    round_trip(&mut verified, b"b");
    assert_eq!(echo.gate.counts().idle, 1);
}

#[test]
fn a_connection_that_does_not_read_is_closed() {
    let echo = Echo::start("stall", Settings { stall: Duration::from_millis(200), ..Settings::default() });
    let client = echo.connect();
    echo.gate.verify(echo.id());
    let mut writer = client.try_clone().unwrap();
    let sending = thread::spawn(move || while writer.write_all(&vec![0; 1 << 16]).is_ok() {});
    let counts = echo.wait_for(|now| now.open == 0);
    sending.join().unwrap();
    assert_eq!(counts.stalled, 1);
    drop(client);
}

#[test]
fn a_draining_gate_accepts_nothing_and_keeps_what_it_has() {
    let echo = Echo::start("drain", Settings::default());
    let mut client = echo.connect();
    round_trip(&mut client, b"a");
    echo.gate.drain();
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", echo.gate.port())).is_ok() {
        assert!(started.elapsed() < Duration::from_secs(10), "still listening");
    }
    round_trip(&mut client, b"b");
}

#[test]
fn dropping_a_gate_closes_its_connections() {
    let echo = Echo::start("drop", Settings::default());
    let mut client = echo.connect();
    round_trip(&mut client, b"a");
    drop(echo);
    assert!(is_closed(&mut client));
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let echo = Echo::start("taken", Settings::default());
    let error = Gate::start("127.0.0.1", echo.gate.port(), &echo.folder, Settings::default()).unwrap_err();
    assert!(matches!(error, GateError::Listen { .. }), "{error}");
    let error = Gate::start("no such host", 0, &echo.folder, Settings::default()).unwrap_err();
    assert!(error.to_string().starts_with("cannot listen on no such host:0"), "{error}");
}

#[test]
fn localhost_listens_on_all_its_addresses() {
    let echo = Echo::start("localhost", Settings::default());
    let gate = Gate::start("localhost", 0, &echo.folder.join("server"), Settings::default()).unwrap();
    round_trip(&mut TcpStream::connect(("127.0.0.1", gate.port())).unwrap(), b"a");
}
