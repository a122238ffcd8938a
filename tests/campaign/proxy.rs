//! A TCP proxy that passes a given number of bytes and then breaks the connection.

use crate::rng::Rng;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::sleep;

/// How a connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// Closes both ends normally.
    Close,
    Reset,
    /// Passes nothing for this long, then continues.
    Stall(Duration),
}

/// Which bytes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Bytes from the app.
    There,
    /// Bytes to the app.
    Back,
}

#[derive(Clone, Copy, Debug)]
pub struct CutPoint {
    pub left: usize,
    pub way: Way,
    pub how: Break,
}

#[derive(Clone, Debug)]
pub enum Target {
    Unix(PathBuf),
    Tcp(std::net::SocketAddr),
}

/// Percentage of pieces that are lost, and the milliseconds until they are sent again.
const LOST: u64 = 2;
const RESENT_AFTER: u64 = 1_000;

#[derive(Debug, Default)]
struct Shared {
    next_cut: Mutex<Option<CutPoint>>,
    broken: AtomicU64,
    /// Delay of each piece and its jitter, in milliseconds.
    latency: AtomicU64,
    jitter: AtomicU64,
    chance: Mutex<Option<Rng>>,
    /// Size of the pieces in bytes; 0: as received.
    piece: AtomicU64,
}

/// A running proxy.
#[derive(Debug)]
pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
}

impl Proxy {
    pub async fn start(target: Target) -> Self {
        Self::start_at("127.0.0.1", target).await
    }

    pub async fn start_at(address: &str, target: Target) -> Self {
        let listener = TcpListener::bind((address, 0)).await.expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (target, shared) = (target.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    let _ = client.set_nodelay(true);
                    match target {
                        Target::Unix(path) => {
                            if let Ok(server) = UnixStream::connect(path).await {
                                join(client, server.into_split(), &shared).await;
                            }
                        }
                        Target::Tcp(address) => {
                            if let Ok(server) = TcpStream::connect(address).await {
                                let _ = server.set_nodelay(true);
                                join(client, server.into_split(), &shared).await;
                            }
                        }
                    }
                });
            }
        });
        Self { port, shared: ours }
    }

    /// Sets the next break, counted over all connections from now on.
    pub fn cut_at(&self, point: CutPoint) {
        *self.shared.next_cut.lock().unwrap_or_else(PoisonError::into_inner) = Some(point);
    }

    /// Removes break, delay and splitting.
    pub fn clear(&self) {
        *self.shared.next_cut.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.shared.latency.store(0, Ordering::Relaxed);
        self.shared.jitter.store(0, Ordering::Relaxed);
        self.shared.piece.store(0, Ordering::Relaxed);
    }

    pub fn slow(&self, latency: Duration, piece: u64) {
        let millis = u64::try_from(latency.as_millis()).unwrap_or_default();
        self.shared.latency.store(millis, Ordering::Relaxed);
        self.shared.piece.store(piece, Ordering::Relaxed);
    }

    /// Delays each piece randomly, and some much longer, like a distant network.
    pub fn far(&self, latency: Duration, jitter: Duration, chance: Rng) {
        self.slow(latency, 0);
        *self.shared.chance.lock().unwrap_or_else(PoisonError::into_inner) = Some(chance);
        let millis = u64::try_from(jitter.as_millis()).unwrap_or_default();
        self.shared.jitter.store(millis, Ordering::Relaxed);
    }

    /// Number of connections broken so far.
    pub fn broken(&self) -> u64 {
        self.shared.broken.load(Ordering::Relaxed)
    }
}

impl Shared {
    /// The delay of the next piece.
    fn delay(&self) -> Duration {
        let latency = self.latency.load(Ordering::Relaxed);
        let jitter = self.jitter.load(Ordering::Relaxed).min(latency);
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = match chance.as_mut().filter(|_| jitter > 0) {
            None => latency,
            // Above TCP, a lost packet arrives after a retransmission timeout, and later ones wait for it.
            Some(chance) => match chance.below(100) < LOST {
                true => latency + RESENT_AFTER,
                false => chance.between(latency - jitter, latency + jitter),
            },
        };
        Duration::from_millis(millis)
    }

    /// How many of these bytes pass, and the break after them.
    fn spend(&self, way: Way, count: usize) -> (usize, Option<Break>) {
        let mut next_cut = self.next_cut.lock().unwrap_or_else(PoisonError::into_inner);
        match next_cut.as_mut() {
            Some(point) if point.way == way && point.left < count => {
                let (left, how) = (point.left, point.how);
                *next_cut = None;
                self.broken.fetch_add(1, Ordering::Relaxed);
                (left, Some(how))
            }
            Some(point) if point.way == way => {
                point.left -= count;
                (count, None)
            }
            _ => (count, None),
        }
    }
}

async fn join<R, W>(client: TcpStream, (server_in, server_out): (R, W), shared: &Shared)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (client_in, client_out) = client.into_split();
    let there = pass(client_in, server_out, Way::There, shared);
    let back = pass(server_in, client_out, Way::Back, shared);
    tokio::pin!(there, back);
    tokio::select! {
        _ = &mut there => {}
        (half, true) = &mut back => {
            let _ = half.as_ref().set_zero_linger();
            half.forget();
        }
        else => {}
    }
}

/// Passes bytes on until the end or a break. Returns the writing half and whether to reset it.
async fn pass<R, W>(mut from: R, mut to: W, way: Way, shared: &Shared) -> (W, bool)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let Ok(count @ 1..) = from.read(&mut buffer).await else {
            return (to, false);
        };
        let delay = shared.delay();
        if !delay.is_zero() {
            sleep(delay).await;
        }
        let (passing, how) = shared.spend(way, count);
        let piece = usize::try_from(shared.piece.load(Ordering::Relaxed)).unwrap_or_default();
        for part in buffer[..passing].chunks(if piece == 0 { count } else { piece }) {
            if to.write_all(part).await.is_err() {
                return (to, false);
            }
        }
        match how {
            None => {}
            Some(Break::Close) => return (to, false),
            Some(Break::Reset) => return (to, true),
            Some(Break::Stall(time)) => {
                sleep(time).await;
                if to.write_all(&buffer[passing..count]).await.is_err() {
                    return (to, false);
                }
            }
        }
    }
}
