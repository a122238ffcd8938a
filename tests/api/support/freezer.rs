//! A proxy in front of the test's PostgreSQL whose connections can fall silent without being closed, as those to a host
//! that has vanished or a server that is frozen; also between a statement and its commit.

use super::app::on_server;
use plan_advisor::config::Config;
use secrecy::ExposeSecret;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::Notify;

#[derive(Clone, Default)]
struct Silence {
    /// Connections opened so far.
    opened: Arc<AtomicU64>,
    /// Those up to this number pass nothing on.
    silent_up_to: Arc<AtomicU64>,
    /// A statement with this value is passed on without what commits it.
    uncommitted: Arc<Mutex<Option<String>>>,
    /// Passes on what was held back.
    released: Arc<Notify>,
}

/// The end of a statement in PostgreSQL's protocol: Execute, then Sync, which commits.
const EXECUTE: &[u8] = b"E\0\0\0\x09\0\0\0\0\0";
const SYNC: &[u8] = b"S\0\0\0\x04";

impl Silence {
    /// How many of these bytes of a client pass before its connection falls silent, if it does.
    fn cut(&self, bytes: &[u8]) -> Option<usize> {
        let mut uncommitted = self.uncommitted.lock().unwrap_or_else(PoisonError::into_inner);
        let value = uncommitted.as_ref()?.as_bytes();
        let at = bytes.windows(value.len()).position(|window| window == value)?;
        let end = [EXECUTE, SYNC].concat();
        let statement = bytes[at..].windows(end.len()).position(|window| window == end)?;
        *uncommitted = None;
        Some(at + statement + EXECUTE.len())
    }
}

pub struct Freezer {
    port: u16,
    silence: Silence,
}

impl Freezer {
    pub async fn start() -> Self {
        on_server(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let port = listener.local_addr().expect("bound").port();
            let silence = Silence::default();
            tokio::spawn(accept(listener, silence.clone()));
            Self { port, silence }
        })
        .await
    }

    /// Makes a server reach its database through this proxy.
    pub fn between(&self) -> impl FnOnce(&mut Config) + 'static {
        let port = self.port;
        move |config| {
            let url = config.database.url.as_ref().expect("a URL").expose_secret().to_owned();
            let (scheme, rest) = url.split_once("://").expect("a URL");
            let (user, rest) = rest.split_once('@').expect("a user");
            let (_, database) = rest.split_once('/').expect("a database");
            let database = database.split('?').next().expect("its name");
            config.database.url = Some(format!("{scheme}://{user}@127.0.0.1:{port}/{database}").into());
        }
    }

    /// From now on the connections that are open pass nothing on; new ones do.
    pub fn silence_open_connections(&self) {
        let opened = self.silence.opened.load(Ordering::SeqCst);
        self.silence.silent_up_to.store(opened, Ordering::SeqCst);
    }

    /// Passes on what commits the statement that is held.
    pub fn release_commit(&self) {
        self.silence.released.notify_one();
    }

    /// The next statement with this value is executed and not committed: its connection falls silent in between, until
    /// [`Self::release_commit`].
    pub fn hold_commit_of(&self, value: &str) {
        *self.silence.uncommitted.lock().unwrap_or_else(PoisonError::into_inner) = Some(value.to_owned());
    }

    /// No connection passes anything on, new ones neither.
    pub fn silence_everything(&self) {
        self.silence.silent_up_to.store(u64::MAX, Ordering::SeqCst);
    }
}

async fn accept(listener: TcpListener, silence: Silence) {
    while let Ok((client, _)) = listener.accept().await {
        let number = silence.opened.fetch_add(1, Ordering::SeqCst) + 1;
        let silence = silence.clone();
        tokio::spawn(async move {
            let _ = client.set_nodelay(true);
            let (from_client, to_client) = client.into_split();
            let (from_server, to_server) = connect().await;
            tokio::select! {
                () = ask(from_client, to_server, number, silence.clone()) => {}
                () = answer(from_server, to_client, number, silence) => {}
            }
        });
    }
}

async fn ask(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, number: u64, silence: Silence) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let (first, rest) = buffer[..count].split_at(silence.cut(&buffer[..count]).unwrap_or(count));
        let passes = silence.silent_up_to.load(Ordering::SeqCst) < number;
        if passes && to.write_all(first).await.is_err() {
            return;
        }
        if !rest.is_empty() {
            silence.released.notified().await;
            if to.write_all(rest).await.is_err() {
                return;
            }
        }
    }
}

async fn answer(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, number: u64, silence: Silence) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let passes = silence.silent_up_to.load(Ordering::SeqCst) < number;
        if passes && to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

pub type FromServer = Box<dyn AsyncRead + Send + Unpin>;
pub type ToServer = Box<dyn AsyncWrite + Send + Unpin>;

/// Connects to the test's PostgreSQL.
pub async fn connect() -> (FromServer, ToServer) {
    let url = std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL");
    let config: tokio_postgres::Config = url.parse().expect("a URL");
    let port = config.get_ports().first().copied().unwrap_or(5432);
    match &config.get_hosts()[0] {
        tokio_postgres::config::Host::Unix(folder) => {
            let socket = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await;
            let (from, to) = socket.expect("PostgreSQL").into_split();
            (Box::new(from), Box::new(to))
        }
        tokio_postgres::config::Host::Tcp(name) => {
            let socket = TcpStream::connect((name.as_str(), port)).await;
            let (from, to) = socket.expect("PostgreSQL").into_split();
            (Box::new(from), Box::new(to))
        }
    }
}
