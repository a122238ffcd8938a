//! A client for streamed answers: one socket, one timestamp per read, every token counted.

use crate::http::{Head, head_length};
use crate::{stats, token};
use anyhow::{Context, Result, bail, ensure};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Byte patterns of tokens and endings.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    token: &'static str,
    done: &'static str,
    /// Required in the ending.
    in_done: &'static str,
}

/// Those of the server.
pub const OURS: Dialect = Dialect {
    token: r#"data: {"type":"token","content":""#,
    done: r#"data: {"type":"done""#,
    in_done: "",
};

/// Those of the server if every turn changes the plan.
pub const OURS_APPLIED: Dialect = Dialect {
    in_done: r#""applied":true"#,
    ..OURS
};

/// Those of the peer in Node with a tool call.
pub const NODE_APPLIED: Dialect = Dialect {
    in_done: r#""field":"operatingCosts.rentMonthly""#,
    ..OURS
};

/// Those of the mock model.
pub const UPSTREAM: Dialect = Dialect {
    token: crate::upstream::BEFORE_TEXT,
    done: "data: [DONE]",
    in_done: "",
};

/// The measurements of one answer. Times are nanoseconds of [`stats::now`].
#[derive(Debug, Default)]
pub struct Heard {
    pub sent: u64,
    pub first_byte: u64,
    pub first_token: u64,
    pub ended: u64,
    pub tokens: usize,
    dones: usize,
    others: usize,
    pub body: Vec<u8>,
}

/// A keep-alive connection for one answer after another.
pub struct Connection {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let socket = TcpStream::connect(address).await.context("connecting")?;
        socket.set_nodelay(true)?;
        Ok(Self {
            socket,
            buffer: vec![0; 8192],
        })
    }

    /// Reads a streamed answer with exactly `tokens` tokens and one ending; anything else is an error.
    pub async fn turn(
        &mut self,
        request: &[u8],
        dialect: Dialect,
        tokens: usize,
        on_token: impl FnMut(u64, u64),
    ) -> Result<Heard> {
        let heard = self.exchange(request, dialect, usize::MAX, on_token).await?;
        ensure!(
            (heard.tokens, heard.dones, heard.others) == (tokens, 1, 0),
            "{} tokens, {} endings and {} other events instead of {tokens} tokens and one ending",
            heard.tokens,
            heard.dones,
            heard.others
        );
        Ok(heard)
    }

    /// Reads until the first token and leaves the rest unread; the socket keeps the stream open.
    pub async fn until_first_token(mut self, request: &[u8], dialect: Dialect) -> Result<TcpStream> {
        self.exchange(request, dialect, 1, |_, _| {}).await?;
        Ok(self.socket)
    }

    /// Reads a response that is not a stream.
    pub async fn call(&mut self, request: &[u8]) -> Result<Heard> {
        self.exchange(request, OURS, usize::MAX, |_, _| {}).await
    }

    async fn exchange(
        &mut self,
        request: &[u8],
        dialect: Dialect,
        enough: usize,
        mut on_token: impl FnMut(u64, u64),
    ) -> Result<Heard> {
        let mut reply = Reply::default();
        reply.heard.sent = stats::now();
        self.socket.write_all(request).await.context("sending")?;
        loop {
            let count = self.socket.read(&mut self.buffer).await.context("reading")?;
            let now = stats::now();
            ensure!(count > 0, "the connection broke after {} tokens", reply.heard.tokens);
            reply.take(&self.buffer[..count], dialect, now, &mut on_token)?;
            if reply.heard.tokens >= enough || reply.is_over() {
                return reply.finish(now);
            }
        }
    }
}

/// The state while reading an answer.
#[derive(Default)]
struct Reply {
    head: Option<Head>,
    /// The head until it is complete, then the incomplete last line of the body.
    rest: Vec<u8>,
    heard: Heard,
}

impl Reply {
    fn is_over(&self) -> bool {
        self.head.as_ref().is_some_and(Head::is_over)
    }

    fn finish(mut self, now: u64) -> Result<Heard> {
        self.heard.ended = now;
        self.heard.body = self.rest;
        let Some(head) = self.head else { bail!("no head") };
        if head.status != 200 {
            bail!("status {}: {}", head.status, String::from_utf8_lossy(&self.heard.body));
        }
        Ok(self.heard)
    }

    fn take(&mut self, bytes: &[u8], dialect: Dialect, now: u64, on_token: &mut impl FnMut(u64, u64)) -> Result<()> {
        match &mut self.head {
            Some(head) => head.body(bytes, &mut self.rest)?,
            None => {
                self.heard.first_byte = if self.rest.is_empty() {
                    now
                } else {
                    self.heard.first_byte
                };
                self.rest.extend_from_slice(bytes);
                let Some(length) = head_length(&self.rest) else {
                    return Ok(());
                };
                let whole = std::mem::take(&mut self.rest);
                let head = self.head.insert(Head::parse(&whole[..length])?);
                head.body(&whole[length..], &mut self.rest)?;
            }
        }
        let Some(lines) = self.rest.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1) else {
            return Ok(());
        };
        for line in self.rest[..lines].split(|byte| *byte == b'\n') {
            self.heard.line(line, dialect, now, on_token)?;
        }
        self.rest.drain(..lines);
        Ok(())
    }
}

impl Heard {
    fn line(&mut self, line: &[u8], dialect: Dialect, now: u64, on_token: &mut impl FnMut(u64, u64)) -> Result<()> {
        if let Some(text) = line.strip_prefix(dialect.token.as_bytes()) {
            let text = text.split(|byte| *byte == b'"').next().unwrap_or_default();
            let stamps = token::stamps(text).with_context(|| format!("tokens in {}", String::from_utf8_lossy(text)))?;
            self.first_token = if self.tokens == 0 { now } else { self.first_token };
            for stamp in stamps {
                self.tokens += 1;
                on_token(stamp, now);
            }
        } else if line.starts_with(dialect.done.as_bytes()) {
            let needle = dialect.in_done.as_bytes();
            let whole = needle.is_empty() || line.windows(needle.len()).any(|part| part == needle);
            ensure!(whole, "no {} in the ending", dialect.in_done);
            self.dones += 1;
        } else if line.starts_with(br#"data: {"type""#) {
            self.others += 1;
        }
        Ok(())
    }
}
