//! A proxy between server and database that counts round trips, commits and statements.
//!
//! A round trip is a request sent while nothing is outstanding on its connection. Responses are delayed a little, so that
//! pipelined requests count as one round trip, however fast the database is.

use anyhow::{Context, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::sleep;
use tokio_postgres::config::Host;

const HELD_BACK: Duration = Duration::from_millis(2);

/// The counts over all connections.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub trips: usize,
    pub statements: usize,
    /// Commits with writes: each waits for the disk.
    pub flushes: usize,
    /// Prepared statements.
    pub prepared: usize,
    pub outstanding: usize,
}

#[derive(Default)]
struct Log {
    counts: Counts,
    lines: Vec<String>,
}

/// A running proxy.
#[derive(Clone, Default)]
pub struct Wire(Arc<Mutex<Log>>);

/// The state of one connection.
#[derive(Default)]
struct Talk {
    outstanding: usize,
    /// Whether a request is outstanding.
    begun: bool,
    /// Whether anything was written since the last commit.
    wrote: bool,
    texts: HashMap<String, String>,
}

impl Wire {
    fn lock(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn counts(&self) -> Counts {
        self.lock().counts
    }

    /// The statements since the last call, one per line.
    pub fn take_lines(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().lines)
    }

    /// Starts it in front of a database; returns the URL to use.
    pub async fn start(&self, url: &str) -> Result<String> {
        let config: tokio_postgres::Config = url.parse()?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let behind = url.split_once("://").context("a database URL")?.1;
        let (who, rest) = behind.split_once('@').unwrap_or(("postgres", behind));
        let name = rest.split_once('/').map_or("postgres", |(_, name)| name);
        let name = name.split('?').next().unwrap_or(name);
        let url = format!("postgresql://{who}@{}/{name}?sslmode=disable", listener.local_addr()?);
        let wire = self.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(wire.clone().carry(client, config.clone()));
            }
        });
        Ok(url)
    }

    async fn carry(self, client: TcpStream, config: tokio_postgres::Config) -> Result<()> {
        client.set_nodelay(true)?;
        let port = config.get_ports().first().copied().unwrap_or(5432);
        match config.get_hosts().first().context("a host")? {
            Host::Unix(folder) => {
                let server = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?;
                self.join(client, server).await
            }
            Host::Tcp(name) => {
                let server = TcpStream::connect((name.as_str(), port)).await?;
                server.set_nodelay(true)?;
                self.join(client, server).await
            }
        }
    }

    async fn join(self, client: TcpStream, server: impl AsyncRead + AsyncWrite) -> Result<()> {
        let (client_in, client_out) = client.into_split();
        let (server_in, server_out) = split(server);
        let talk = Mutex::new(Talk::default());
        let asking = pump(
            client_in,
            server_out,
            Duration::ZERO,
            Messages::with_startup(),
            |messages| {
                self.asked(&mut talk.lock().unwrap_or_else(PoisonError::into_inner), messages);
            },
        );
        let answering = pump(server_in, client_out, HELD_BACK, Messages::default(), |messages| {
            self.answered(&mut talk.lock().unwrap_or_else(PoisonError::into_inner), messages);
        });
        tokio::try_join!(asking, answering)?;
        Ok(())
    }

    fn asked(&self, talk: &mut Talk, messages: &[(u8, Vec<u8>)]) {
        let mut log = self.lock();
        for (kind, body) in messages {
            let texts: Vec<_> = body
                .split(|byte| *byte == 0)
                .take(2)
                .map(String::from_utf8_lossy)
                .collect();
            let at = |place: usize| {
                texts
                    .get(place)
                    .map_or_else(String::new, std::string::ToString::to_string)
            };
            if talk.outstanding == 0 && !std::mem::replace(&mut talk.begun, true) {
                log.counts.trips += 1;
                log.lines.push("--".to_owned());
            }
            if matches!(kind, b'S' | b'Q') {
                talk.outstanding += 1;
                talk.begun = false;
                log.counts.outstanding += 1;
            }
            match kind {
                b'P' => {
                    log.counts.prepared += 1;
                    log.lines.push(format!("(prepares) {}", at(1)));
                    talk.texts.insert(at(0), at(1));
                }
                b'B' => {
                    log.counts.statements += 1;
                    let text = talk.texts.get(&at(1)).cloned().unwrap_or_default();
                    log.lines.push(text);
                }
                b'Q' => {
                    log.counts.statements += 1;
                    log.lines.push(at(0));
                }
                _ => {}
            }
        }
    }

    fn answered(&self, talk: &mut Talk, messages: &[(u8, Vec<u8>)]) {
        let mut log = self.lock();
        for (kind, body) in messages {
            match kind {
                // CommandComplete: "UPDATE 1".
                b'C' => {
                    let tag = String::from_utf8_lossy(body);
                    let writes = ["INSERT", "UPDATE", "DELETE", "MERGE"]
                        .iter()
                        .any(|word| tag.starts_with(word));
                    talk.wrote |= writes && !tag.trim_end_matches('\0').ends_with(" 0");
                }
                b'Z' => {
                    talk.outstanding = talk.outstanding.saturating_sub(1);
                    log.counts.outstanding = log.counts.outstanding.saturating_sub(1);
                    if body.first() == Some(&b'I') && std::mem::take(&mut talk.wrote) {
                        log.counts.flushes += 1;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Splits a byte stream into protocol messages.
#[derive(Default)]
struct Messages {
    bytes: Vec<u8>,
    startup: bool,
}

impl Messages {
    fn with_startup() -> Self {
        Self {
            startup: true,
            ..Self::default()
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
        self.bytes.extend_from_slice(bytes);
        let mut whole = Vec::new();
        loop {
            let kind = usize::from(!self.startup);
            let Some(length) = self.bytes.get(kind..kind + 4) else {
                break;
            };
            let length = length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            if self.bytes.len() < kind + length {
                break;
            }
            let message: Vec<u8> = self.bytes.drain(..kind + length).collect();
            if !std::mem::take(&mut self.startup) {
                whole.push((message[0], message[5..].to_vec()));
            }
        }
        whole
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    pause: Duration,
    mut messages: Messages,
    heard: impl Fn(&[(u8, Vec<u8>)]),
) -> Result<()> {
    let mut buffer = vec![0; 65_536];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            to.shutdown().await?;
            return Ok(());
        }
        if !pause.is_zero() {
            sleep(pause).await;
        }
        heard(&messages.take(&buffer[..count]));
        to.write_all(&buffer[..count]).await?;
    }
}
