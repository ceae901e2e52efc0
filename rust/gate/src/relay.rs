//! One connection: its bytes in both directions, with rate, idle and stall limits.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpStream, UnixStream, tcp, unix};
use tokio::time::{sleep, timeout};

use crate::Settings;
use crate::bucket::Bucket;
use crate::connections::{Connection, End, Table};

/// Bytes that are relayed at once. A buffer exists only while there is something to relay.
const PIECE: usize = 1 << 14;
/// Time for the server to answer after a client has ended its side.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// Relay the bytes of a connection until one side or the gate ends it.
pub(crate) async fn relay(
    client: TcpStream,
    server: UnixStream,
    connection: &Arc<Connection>,
    table: &Mutex<Table>,
    settings: &Settings,
) {
    let (client_in, client_out) = client.into_split();
    let (server_in, server_out) = server.into_split();
    let upwards = async {
        let end = upload(client_in, server_out, connection, settings).await;
        if end == End::Closed {
            // The client has ended its side; the server may still answer.
            sleep(LAST_ANSWERS).await;
        }
        end
    };
    let end = tokio::select! {
        end = upwards => end,
        end = download(server_in, client_out, settings) => end,
        end = ended(connection) => end,
    };
    table.lock().unwrap_or_else(PoisonError::into_inner).end(connection.id, end);
}

/// Wait until the table ends a connection.
pub(crate) async fn ended(connection: &Connection) -> End {
    loop {
        let changed = connection.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        if let Some(end) = connection.ending() {
            return end;
        }
        changed.await;
    }
}

/// Relay from the client to the server. Dropping the writing half tells the server about the end.
async fn upload(
    from: tcp::OwnedReadHalf,
    mut to: unix::OwnedWriteHalf,
    connection: &Connection,
    settings: &Settings,
) -> End {
    let mut allowance = Bucket::new(settings.free_bytes, settings.bytes_per_second, Instant::now());
    loop {
        let most = if connection.verified() {
            PIECE
        } else {
            match allowance.available(Instant::now()) {
                0 => {
                    let wait = allowance.wait(settings.bytes_per_second.div_ceil(10), Instant::now());
                    let _ = timeout(wait, verified(connection)).await;
                    continue;
                }
                bytes => PIECE.min(bytes as usize),
            }
        };
        tokio::select! {
            ready = from.readable() => if ready.is_err() { return End::Closed },
            () = idle(connection, settings.idle) => return End::Idle,
        }
        let mut buffer = vec![0; most];
        match from.try_read(&mut buffer) {
            Ok(0) => return End::Closed,
            Ok(count) => {
                if !connection.verified() {
                    allowance.take(count as u32);
                }
                if to.write_all(&buffer[..count]).await.is_err() {
                    return End::Closed;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return End::Closed,
        }
    }
}

/// Wait until a connection is verified.
async fn verified(connection: &Connection) {
    loop {
        let changed = connection.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        if connection.verified() {
            return;
        }
        changed.await;
    }
}

/// Wait until an unverified connection has been idle for too long. A verified one may be idle; gRPC closes it.
async fn idle(connection: &Connection, most: Duration) {
    if connection.verified() || timeout(most, verified(connection)).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Relay from the server to the client.
async fn download(from: unix::OwnedReadHalf, mut to: tcp::OwnedWriteHalf, settings: &Settings) -> End {
    loop {
        if from.readable().await.is_err() {
            return End::Closed;
        }
        let mut buffer = vec![0; PIECE];
        match from.try_read(&mut buffer) {
            Ok(0) => {
                let _ = timeout(settings.stall, to.shutdown()).await;
                return End::Closed;
            }
            Ok(count) => {
                let mut left = &buffer[..count];
                while !left.is_empty() {
                    match timeout(settings.stall, to.write(left)).await {
                        Ok(Ok(written)) => left = &left[written..],
                        Ok(Err(_)) => return End::Closed,
                        Err(_) => return End::Stalled,
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return End::Closed,
        }
    }
}
