//! A turn's events as a response body: first byte at once, a sign of life while the model is silent.

use crate::conversation::stream::subscription::Subscription;
use crate::http::streams::StreamGuard;
use crate::model::ids::TurnId;
use async_stream::stream;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Proxies cut connections that stay silent for a minute, some clients after 45 s.
const HEARTBEAT: Duration = Duration::from_secs(15);

const FIRST: Bytes = Bytes::from_static(b": ok\n\n");
const BEAT: Bytes = Bytes::from_static(b": hb\n\n");

/// How long a client waits before it connects again. Travels inside the first data event's block: a block without data is
/// an event to some clients.
const RETRY: &[u8] = b"retry: 2000\n";

/// Where the bytes of a stream come from.
pub trait Source: Send + 'static {
    /// The next bytes; `None` at the end. May be dropped and called again.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;

    /// Whether the turn runs on another instance, so that ours may go without it.
    fn is_remote(&self) -> bool;
}

/// The native protocol: a turn's frames as they are in its log.
struct Native {
    events: Subscription,
    begun: bool,
}

impl Source for Native {
    async fn next(&mut self) -> Option<Bytes> {
        let frames = self.events.next().await?;
        Some(match std::mem::replace(&mut self.begun, true) {
            false => with_retry(&frames),
            true => frames,
        })
    }

    fn is_remote(&self) -> bool {
        self.events.is_remote()
    }
}

/// The response that streams a turn.
#[must_use]
pub fn respond(turn: TurnId, events: Subscription, guard: StreamGuard) -> Response<Body> {
    respond_from(Some(turn), Native { events, begun: false }, guard)
}

/// The response that streams a turn in another protocol.
#[must_use]
pub fn respond_from(turn: Option<TurnId>, source: impl Source, guard: StreamGuard) -> Response<Body> {
    head(turn, Body::from_stream(body(source, guard)))
}

/// The response of a stream whose events are all known.
#[must_use]
pub fn respond_whole(turn: Option<TurnId>, events: &[Bytes]) -> Response<Body> {
    head(turn, Body::from([&[FIRST], events].concat().concat()))
}

fn head(turn: Option<TurnId>, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-store, no-transform"),
    );
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    if let Some(Ok(turn)) = turn.map(|turn| HeaderValue::try_from(turn.to_string())) {
        headers.insert(HeaderName::from_static("x-turn-id"), turn);
    }
    response
}

fn body(mut source: impl Source, guard: StreamGuard) -> impl Stream<Item = std::io::Result<Bytes>> + Send {
    stream! {
        yield Ok(FIRST);
        let is_remote = source.is_remote();
        let (revoked, leaving) = (guard.revoked.cancelled(), guard.leaving.cancelled());
        // One timer for the whole stream: it is looked at when it rings, not wound up again for every token.
        let beat = sleep(HEARTBEAT);
        tokio::pin!(revoked, leaving, beat);
        let mut sent_at = Instant::now();
        loop {
            tokio::select! {
                biased;
                // A reader whose access ended gets nothing more. The connection breaks, so that the client does not take it
                // for the end of the answer.
                () = &mut revoked => {
                    yield Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "the reader has lost access"));
                    break;
                }
                () = &mut leaving, if is_remote => {
                    yield Err(std::io::Error::new(std::io::ErrorKind::ConnectionAborted, "another instance goes on"));
                    break;
                }
                next = source.next() => {
                    let Some(frames) = next else { break };
                    sent_at = Instant::now();
                    yield Ok(frames);
                }
                () = &mut beat => {
                    if sent_at.elapsed() >= HEARTBEAT {
                        sent_at = Instant::now();
                        yield Ok(BEAT);
                    }
                    beat.as_mut().reset(sent_at + HEARTBEAT);
                }
            }
        }
    }
}

fn with_retry(frames: &Bytes) -> Bytes {
    let mut joined = BytesMut::with_capacity(RETRY.len() + frames.len());
    joined.extend_from_slice(RETRY);
    joined.extend_from_slice(frames);
    joined.freeze()
}
