//! Watches what is sent and received on a database connection: whether answers are due, and since when.
//!
//! Neither tokio-postgres nor diesel-async limits how long a statement may take, and PostgreSQL's own `statement_timeout`
//! does not help against a server that is frozen, has vanished, or waits for a replica in COMMIT. So the limit is here,
//! below both: a connection whose server owes an answer and sends nothing fails, for every statement on it. Bytes of a large
//! answer are a sign of life.

use crate::sqlstate::{self, Transient};
use messages::MessageSplitter;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_postgres::tls::{ChannelBinding, TlsStream};

mod messages;

/// Milliseconds since this process first asked.
fn now_ms() -> u64 {
    static START: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    u64::try_from(START.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The time since which a server is known not to answer on at least one connection. Connections that have not answered
/// since are not worth a wait.
#[derive(Debug, Default)]
pub(crate) struct Distrust(AtomicU64);

/// What is known about one connection.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Statements without a complete answer.
    due: AtomicUsize,
    /// When the server last sent something, in [`now_ms`].
    heard: AtomicU64,
    /// The server refused a write because it is read-only, or is about to end the session.
    unfit: AtomicBool,
    /// What the last error means for a retry.
    last_error: Mutex<Option<Transient>>,
    distrust: Arc<Distrust>,
}

impl Watch {
    pub(crate) fn new(distrust: Arc<Distrust>) -> Self {
        Self {
            due: AtomicUsize::new(0),
            heard: AtomicU64::new(now_ms()),
            unfit: AtomicBool::new(false),
            last_error: Mutex::default(),
            distrust,
        }
    }

    /// Everything was answered, the last time within `idle`.
    pub(crate) fn is_fresh(&self, idle: Duration) -> bool {
        let age = now_ms().saturating_sub(self.heard.load(Ordering::Relaxed));
        self.due.load(Ordering::Relaxed) == 0 && Duration::from_millis(age) < idle
    }

    /// The server cannot serve writes on this connection.
    pub(crate) fn is_unfit(&self) -> bool {
        self.unfit.load(Ordering::Relaxed)
    }

    /// What the last error on this connection means for a retry, where it is one of those that matter.
    pub(crate) fn last_error(&self) -> Option<Transient> {
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what an `ErrorResponse` means. The refusals of statements that went out behind a failed one say nothing new.
    pub(crate) fn note_error(&self, body: &[u8]) {
        if sqlstate::follows_another(body) {
            return;
        }
        let error = Transient::of_response(body);
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = error;
        if error == Some(Transient::Disconnected) {
            self.unfit.store(true, Ordering::Relaxed);
        }
    }

    /// Another connection turned out dead after this one's server was last heard.
    pub(crate) fn is_suspect(&self) -> bool {
        self.heard.load(Ordering::Relaxed) < self.distrust.0.load(Ordering::Relaxed)
    }

    /// The connection did not answer what was sent `since` ago.
    pub(crate) fn was_silent_for(&self, since: Duration) {
        let since = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        self.distrust
            .0
            .fetch_max(now_ms().saturating_sub(since), Ordering::Relaxed);
    }
}

/// A stream of PostgreSQL's protocol on which a server that owes an answer is never silent for longer than a limit.
pub(crate) struct Watched<S> {
    inner: S,
    watch: Arc<Watch>,
    sent: MessageSplitter,
    received: MessageSplitter,
    limit: Option<Duration>,
    deadline: Pin<Box<Sleep>>,
}

impl<S> Watched<S> {
    /// Watches a stream on which nothing was sent yet. Without a `limit` nothing ever fails.
    pub(crate) fn new(inner: S, watch: Arc<Watch>, limit: Option<Duration>) -> Self {
        Self {
            inner,
            watch,
            sent: MessageSplitter::from_client(),
            received: MessageSplitter::default(),
            limit,
            deadline: Box::pin(sleep_until(Instant::now())),
        }
    }

    fn restart(&mut self) {
        if let Some(limit) = self.limit {
            self.deadline.as_mut().reset(Instant::now() + limit);
        }
    }

    fn note_sent(&mut self, bytes: &[u8], cx: &mut Context<'_>) {
        let mut asked = 0;
        // Query and Sync: each is answered by one ReadyForQuery.
        self.sent
            .read(bytes, |kind, _| asked += usize::from(matches!(kind, b'Q' | b'S')));
        if asked > 0 && self.watch.due.fetch_add(asked, Ordering::Relaxed) == 0 && self.limit.is_some() {
            self.restart();
            // The next read polls it again; this registers the task's waker, because no read may come before.
            let _ = self.deadline.as_mut().poll(cx);
        }
    }

    fn note_received(&mut self, bytes: &[u8]) {
        let mut answered = 0;
        let watch = &self.watch;
        self.received.read(bytes, |kind, body| match kind {
            b'Z' => answered += 1,
            b'E' => watch.note_error(body),
            _ => {}
        });
        let due = watch.due.load(Ordering::Relaxed).saturating_sub(answered);
        watch.due.store(due, Ordering::Relaxed);
        watch.heard.store(now_ms(), Ordering::Relaxed);
        // Also before the end of an answer: one of 200 MB took longer than the limit while its server was sending all the time.
        self.restart();
    }

    fn fail_when_late(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(limit) = self.limit.filter(|_| self.watch.due.load(Ordering::Relaxed) > 0) else {
            return Poll::Pending;
        };
        ready!(self.deadline.as_mut().poll(cx));
        self.watch.was_silent_for(limit);
        tracing::warn!("A database connection was closed: no answer within {limit:?}");
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the database did not answer in time",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match Pin::new(&mut self.inner).poll_read(cx, buf) {
            Poll::Ready(Ok(())) => {
                self.note_received(&buf.filled()[before..]);
                Poll::Ready(Ok(()))
            }
            Poll::Pending => self.fail_when_late(cx),
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.inner).poll_write(cx, buf))?;
        self.note_sent(&buf[..written], cx);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

impl<S: TlsStream + Unpin> TlsStream for Watched<S> {
    fn channel_binding(&self) -> ChannelBinding {
        self.inner.channel_binding()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const READY: &[u8] = b"Z\0\0\0\x05I";
    const STARTUP: &[u8] = b"\0\0\0\x08\0\x03\0\0";
    const QUERY: &[u8] = b"Q\0\0\0\x08abc\0";

    fn watched(limit: Option<Duration>) -> (Watched<tokio::io::DuplexStream>, tokio::io::DuplexStream, Arc<Watch>) {
        let (ours, server) = duplex(1024);
        let watch = Arc::new(Watch::new(Arc::default()));
        (Watched::new(ours, Arc::clone(&watch), limit), server, watch)
    }

    #[tokio::test]
    async fn a_read_only_server_and_a_stopping_one_make_the_connection_unfit() {
        for (code, unfit) in [("25006", true), ("57P01", true), ("57014", false)] {
            let (mut ours, mut server, watch) = watched(None);
            let body = format!("SERROR\0VERROR\0C{code}\0Mmessage of {code}\0\0");
            let length = u32::try_from(body.len() + 4).expect("short");
            server.write_u8(b'E').await.expect("sent");
            server.write_u32(length).await.expect("sent");
            server.write_all(body.as_bytes()).await.expect("sent");
            ours.read_exact(&mut vec![0; body.len() + 5]).await.expect("read");
            assert_eq!(watch.is_unfit(), unfit, "{code}");
            assert!(watch.last_error().is_some(), "{code}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_does_not_come_fails_the_connection() {
        let (mut ours, _server, watch) = watched(Some(Duration::from_secs(6)));
        ours.write_all(&[STARTUP, QUERY].concat()).await.expect("sent");
        assert!(!watch.is_fresh(Duration::from_secs(5)));
        let asked = Instant::now();
        let late = ours.read_u8().await.expect_err("nothing came");
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        assert_eq!(asked.elapsed().as_secs(), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn every_statement_has_the_whole_limit_and_idle_connections_have_none() {
        let (mut ours, mut server, watch) = watched(Some(Duration::from_secs(6)));
        ours.write_all(&[STARTUP, QUERY, QUERY].concat()).await.expect("sent");
        let mut answer = [0; 6];
        for _ in 0..2 {
            tokio::time::advance(Duration::from_secs(5)).await;
            server.write_all(READY).await.expect("answered");
            ours.read_exact(&mut answer).await.expect("in time");
        }
        assert!(watch.is_fresh(Duration::from_secs(5)));
        let idle = tokio::time::timeout(Duration::from_secs(3_600), ours.read_u8()).await;
        assert!(idle.is_err(), "nothing is due: {idle:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_answer_may_take_longer_than_the_limit_as_long_as_bytes_come() {
        let (mut ours, mut server, watch) = watched(Some(Duration::from_secs(6)));
        ours.write_all(&[STARTUP, QUERY].concat()).await.expect("sent");
        // One row of 20 bytes, a byte each five seconds.
        let row = [b"D\0\0\0\x18".as_slice(), &[b'x'; 20]].concat();
        for byte in &row {
            tokio::time::advance(Duration::from_secs(5)).await;
            server.write_u8(*byte).await.expect("sent");
            ours.read_u8().await.expect("the server is alive");
        }
        assert!(!watch.is_fresh(Duration::from_secs(5)), "the answer is still due");
        let late = ours.read_u8().await.expect_err("then nothing came");
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_a_statement_may_take_its_time() {
        let (mut ours, _server, _) = watched(None);
        ours.write_all(&[STARTUP, QUERY].concat()).await.expect("sent");
        let waited = tokio::time::timeout(Duration::from_secs(3_600), ours.read_u8()).await;
        assert!(waited.is_err(), "{waited:?}");
    }
}
