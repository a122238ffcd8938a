//! A connection pooler in front of the test's PostgreSQL that knows nothing of prepared statements, as PgBouncer before
//! 1.21, or with `max_prepared_statements = 0`: in transaction mode it loses them.

use super::app::on_server;
use super::database::TestDatabase;
use super::freezer::{FromServer, ToServer, connect};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// When a client gives its connection to the server back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Session,
    Transaction,
}

pub struct Pooler {
    port: u16,
}

/// A connection to the server.
struct Server {
    messages: Messages<FromServer>,
    to: ToServer,
    /// The client's first message, which says the database.
    startup: Vec<u8>,
    /// What the server sent until it was ready.
    greeting: Vec<u8>,
    permit: Option<OwnedSemaphorePermit>,
}

#[derive(Clone)]
struct Pool {
    mode: Mode,
    free: Arc<Semaphore>,
    /// The connections nobody uses; the last one is used next.
    idle: Arc<Mutex<Vec<Server>>>,
}

impl Pooler {
    /// With at most `size` connections to the server.
    pub async fn start(mode: Mode, size: usize) -> Self {
        on_server(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let port = listener.local_addr().expect("bound").port();
            let pool = Pool {
                mode,
                free: Arc::new(Semaphore::new(size)),
                idle: Arc::default(),
            };
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(pool.clone().serve(client));
                }
            });
            Self { port }
        })
        .await
    }

    /// The way to a database through this pooler.
    pub fn url(&self, database: &TestDatabase) -> String {
        let direct = database.url();
        let (user, rest) = direct.split_once('@').expect("a user");
        let (_, name) = rest.rsplit_once('/').expect("a database");
        format!("{user}@127.0.0.1:{}/{name}", self.port)
    }
}

impl Pool {
    async fn serve(self, client: TcpStream) -> Option<()> {
        client.set_nodelay(true).ok()?;
        let (mut from, mut to) = client.into_split();
        let length = from.read_u32().await.ok()?;
        let mut startup = length.to_be_bytes().to_vec();
        startup.resize(length as usize, 0);
        from.read_exact(&mut startup[4..]).await.ok()?;

        let server = self.take(&startup).await?;
        to.write_all(&server.greeting).await.ok()?;
        let mut held = self.keep_or_give_back(server);
        let mut asked = Messages::of(from);
        let mut due = 0;
        loop {
            tokio::select! {
                message = asked.next() => {
                    let message = message?;
                    if message[0] == b'X' {
                        return None;
                    }
                    if held.is_none() {
                        held = Some(self.take(&startup).await?);
                    }
                    due += usize::from(matches!(message[0], b'Q' | b'S'));
                    held.as_mut()?.to.write_all(&message).await.ok()?;
                }
                message = answer(&mut held) => {
                    let message = message?;
                    to.write_all(&message).await.ok()?;
                    due -= usize::from(message[0] == b'Z');
                    if due == 0 && message.starts_with(b"Z") && message.ends_with(b"I") {
                        held = self.keep_or_give_back(held.take()?);
                    }
                }
            }
        }
    }

    async fn take(&self, startup: &[u8]) -> Option<Server> {
        let permit = Arc::clone(&self.free).acquire_owned().await.ok()?;
        let found = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().rposition(|server| server.startup == startup);
            at.map(|at| idle.remove(at))
        };
        let mut server = match found {
            Some(server) => server,
            None => Server::open(startup).await?,
        };
        server.permit = Some(permit);
        Some(server)
    }

    fn keep_or_give_back(&self, mut server: Server) -> Option<Server> {
        if self.mode == Mode::Session {
            return Some(server);
        }
        let permit = server.permit.take();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(server);
        drop(permit);
        None
    }
}

impl Server {
    async fn open(startup: &[u8]) -> Option<Self> {
        let (from, mut to) = connect().await;
        to.write_all(startup).await.ok()?;
        let (mut messages, mut greeting) = (Messages::of(from), Vec::new());
        while !greeting.ends_with(b"Z\0\0\0\x05I") {
            greeting.extend(messages.next().await?);
        }
        Some(Self {
            messages,
            to,
            startup: startup.to_vec(),
            greeting,
            permit: None,
        })
    }
}

async fn answer(held: &mut Option<Server>) -> Option<Vec<u8>> {
    match held {
        Some(server) => server.messages.next().await,
        None => std::future::pending().await,
    }
}

/// Whole messages of PostgreSQL's protocol.
struct Messages<R> {
    from: R,
    buffer: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Messages<R> {
    fn of(from: R) -> Self {
        Self {
            from,
            buffer: Vec::new(),
        }
    }

    /// Loses nothing if it is not waited for to the end.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(length) = self.buffer.get(1..5) {
                let length = 1 + u32::from_be_bytes(length.try_into().ok()?) as usize;
                if self.buffer.len() >= length {
                    let rest = self.buffer.split_off(length);
                    return Some(std::mem::replace(&mut self.buffer, rest));
                }
            }
            if self.from.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
        }
    }
}
