#![doc = include_str!("../README.md")]
#![expect(clippy::disallowed_types, reason = "connections have clocks, and no result depends on their order")]

mod bucket;
mod connections;
mod relay;

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, process, thread};

use socket2::{Domain, SockAddr, Socket, Type};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use connections::{Connection, End, Table};
use relay::{ended, relay};

/// Connections that the system holds until they are accepted.
const BACKLOG: i32 = 1_024;
/// Time for a connection to the server of the same process.
const CONNECT: Duration = Duration::from_secs(5);
/// Pause after a failed accept, usually caused by a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The limits of a gate.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address (of one /64 network for IPv6).
    pub address_connections: usize,
    /// Unverified connections in all.
    pub unverified: usize,
    /// Unverified connections of one address.
    pub address_unverified: usize,
    /// Connections that one address may open at once before it has to wait.
    pub address_starts: u32,
    /// Connections that one address may open every second after that.
    pub address_starts_per_second: u32,
    /// Bytes that an unverified connection may send at once.
    pub free_bytes: u32,
    /// Bytes that an unverified connection may send every second after that.
    pub bytes_per_second: u32,
    /// Strikes that end a connection.
    pub strikes: u32,
    /// Strikes that are forgiven every second.
    pub strikes_per_second: u32,
    /// Time without a byte that ends an unverified connection.
    pub idle: Duration,
    /// Time without progress that ends a connection that does not read.
    pub stall: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            connections: 4_096,
            address_connections: 2_048,
            unverified: 1_024,
            address_unverified: 512,
            address_starts: 1_024,
            address_starts_per_second: 20,
            free_bytes: 1 << 13,
            bytes_per_second: 1 << 11,
            strikes: 1_000,
            strikes_per_second: 50,
            idle: Duration::from_secs(60),
            stall: Duration::from_secs(60),
        }
    }
}

/// Connections at the moment, and how many ended in which way since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Open connections.
    pub open: u64,
    /// Open connections that are verified.
    pub verified: u64,
    /// Accepted since the start.
    pub accepted: u64,
    /// Closed at once, because there were too many connections.
    pub refused: u64,
    /// Unverified ones that made room for others.
    pub evicted: u64,
    /// Ended after too many strikes.
    pub struck: u64,
    /// Unverified ones that sent nothing.
    pub idle: u64,
    /// Ended because they did not read.
    pub stalled: u64,
}

/// Why a gate could not start.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// The address is not one of this machine, or the port is taken.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address that was tried.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// The thread or its event loop could not be made.
    #[error("cannot start the gate: {0}")]
    Start(#[from] io::Error),
}

/// A running gate. Dropping it ends all connections.
#[derive(Debug)]
pub struct Gate {
    name: String,
    addresses: Vec<SocketAddr>,
    table: Arc<Mutex<Table>>,
    accepting: watch::Sender<bool>,
    stop: Option<watch::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Gate {
    /// Listen on all addresses of a host, and relay connections to the Unix socket `server`.
    ///
    /// Port 0 stands for a free port. Connections to the server are bound to names that start with a name of
    /// this gate; [`Gate::id`] finds the connection by such a name.
    ///
    /// # Errors
    /// If the host has no address, or one of its addresses cannot be listened on.
    pub fn start(host: &str, port: u16, server: &Path, settings: Settings) -> Result<Gate, GateError> {
        static GATES: AtomicU64 = AtomicU64::new(0);
        let name = format!("sengoku-gate-{}-{}-", process::id(), GATES.fetch_add(1, Ordering::Relaxed));
        let listeners = listen(host, port)?;
        let addresses = listeners.iter().map(TcpListener::local_addr).collect::<io::Result<_>>()?;
        let table = Arc::new(Mutex::new(Table::new(settings)));
        let (accepting, accepting_seen) = watch::channel(true);
        let (stop, stopped) = watch::channel(());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let work = Work {
            name: name.clone(),
            server: server.to_owned(),
            settings,
            table: Arc::clone(&table),
            accepting: accepting_seen,
        };
        let thread = thread::Builder::new()
            .name("sengoku-gate".to_owned())
            .spawn(move || runtime.block_on(work.run(listeners, stopped)))?;
        Ok(Gate { name, addresses, table, accepting, stop: Some(stop), thread: Some(thread) })
    }

    /// The port that the gate listens on.
    pub fn port(&self) -> u16 {
        self.addresses[0].port()
    }

    /// The id of a connection, from the name that gRPC has for it: `unix-abstract:NAME` or `unix:PATH`.
    pub fn id(&self, peer: &str) -> Option<u64> {
        let (_, rest) = peer.split_once(&self.name)?;
        rest.parse().ok()
    }

    /// The address of a connection that is open.
    pub fn peer(&self, id: u64) -> Option<SocketAddr> {
        self.table().peer(id)
    }

    /// Mark a connection as verified: one of its calls was authenticated.
    pub fn verify(&self, id: u64) {
        self.table().verify(id);
    }

    /// Count misbehaviour of a connection, which ends when it has had more than `Settings::strikes`.
    pub fn strike(&self, id: u64, strikes: u32) {
        self.table().strike(id, strikes, Instant::now());
    }

    /// Connections at the moment and since the start.
    pub fn counts(&self) -> Counts {
        self.table().counts()
    }

    /// Accept no connection any more; those that are open stay.
    pub fn drain(&self) {
        self.accepting.send_replace(false);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Bind all addresses of a host to one port.
fn listen(host: &str, port: u16) -> Result<Vec<TcpListener>, GateError> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let error = |address: String| move |source| GateError::Listen { address, source };
    let mut found: Vec<_> =
        (bare, port).to_socket_addrs().map_err(error(format!("{host}:{port}")))?.collect();
    found.sort_by_key(SocketAddr::is_ipv6);
    found.dedup();
    let mut listeners: Vec<TcpListener> = Vec::new();
    for mut address in found {
        if let Some(first) = listeners.first() {
            address.set_port(first.local_addr()?.port());
        }
        match bind(address) {
            Ok(listener) => listeners.push(listener),
            // A host name often has an IPv6 address where the system has no IPv6.
            Err(source) if !listeners.is_empty() && source.kind() == io::ErrorKind::AddrNotAvailable => {}
            Err(source) => return Err(error(address.to_string())(source)),
        }
    }
    if listeners.is_empty() {
        return Err(error(format!("{host}:{port}"))(io::ErrorKind::AddrNotAvailable.into()));
    }
    Ok(listeners)
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_reuse_address(true)?;
    if address.ip().is_unspecified() && address.is_ipv6() {
        socket.set_only_v6(false)?;
    }
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// What the thread of a gate needs.
struct Work {
    name: String,
    server: PathBuf,
    settings: Settings,
    table: Arc<Mutex<Table>>,
    accepting: watch::Receiver<bool>,
}

impl Work {
    /// Accept connections until the gate drains, and relay them until it is dropped.
    async fn run(self, listeners: Vec<TcpListener>, mut stopped: watch::Receiver<()>) {
        let work = Arc::new(self);
        let mut accepting = JoinSet::new();
        for listener in listeners {
            accepting.spawn(Arc::clone(&work).accept_all(listener));
        }
        // Fails when the sender is dropped, which is the signal.
        let _ = stopped.changed().await;
    }

    async fn accept_all(self: Arc<Work>, listener: TcpListener) {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
        let mut accepting = self.accepting.clone();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = accepting.wait_for(|accepting| !accepting) => return,
            };
            let Ok((client, peer)) = accepted else {
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let admitted = self.table().admit(peer, Instant::now());
            if let Some((connection, wait)) = admitted {
                tokio::spawn(Arc::clone(&self).serve(client, connection, wait));
            }
        }
    }

    async fn serve(self: Arc<Work>, client: TcpStream, connection: Arc<Connection>, wait: Duration) {
        tokio::select! {
            () = sleep(wait) => {}
            _ = ended(&connection) => return,
        }
        let server = timeout(CONNECT, self.connect(connection.id)).await;
        let (Ok(Ok(server)), Ok(())) = (server, client.set_nodelay(true)) else {
            self.table().end(connection.id, End::Closed);
            return;
        };
        relay(client, server, &connection, &self.table, &self.settings).await;
    }

    /// Connect to the server, with a name that tells it which connection this is.
    async fn connect(&self, id: u64) -> io::Result<UnixStream> {
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        let abstract_names = cfg!(target_os = "linux");
        let name = if abstract_names {
            PathBuf::from(format!("\0{}{id}", self.name))
        } else {
            self.server.with_file_name(format!("{}{id}", self.name))
        };
        socket.bind(&SockAddr::unix(&name)?)?;
        let server = SockAddr::unix(&self.server)?;
        // The system says "again" while the server's backlog is full.
        while let Err(error) = socket.connect(&server) {
            if error.kind() != io::ErrorKind::WouldBlock {
                return Err(error);
            }
            sleep(Duration::from_millis(5)).await;
        }
        if !abstract_names {
            let _ = std::fs::remove_file(&name);
        }
        UnixStream::from_std(socket.into())
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
