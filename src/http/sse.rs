//! A turn's events as a response body: first byte at once, a sign of life while the model is silent.

mod source;

use crate::conversation::stream::subscription::Subscription;
use crate::http::streams::StreamGuard;
use async_stream::stream;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::future::OptionFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{Stream, StreamExt};
use plan_model::ids::TurnId;
use source::Native;
pub use source::Source;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// Proxies cut connections that stay silent for a minute, some clients after 45 s.
const HEARTBEAT: Duration = Duration::from_secs(15);

const FIRST: Bytes = Bytes::from_static(b": ok\n\n");
const BEAT: Bytes = Bytes::from_static(b": hb\n\n");

/// The response that streams a turn.
#[must_use]
pub fn respond(turn: TurnId, events: Subscription, guard: StreamGuard) -> Response<Body> {
    respond_from(Some(turn), Native::new(events), guard)
}

/// The response that streams a turn in another protocol.
#[must_use]
pub fn respond_from(turn: Option<TurnId>, source: impl Source, guard: StreamGuard) -> Response<Body> {
    head(turn, Body::from_stream(body(source, guard)))
}

/// The response of a stream whose events are all known.
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

/// What may happen to a stream besides events.
enum Signal {
    /// The reader's access has ended.
    Revoked,
    /// The process ends, and the turn runs elsewhere.
    Leaving,
    /// The time of the next sign of life, unless something was sent meanwhile.
    Beat,
}

async fn signal(revoked: CancellationToken, leaving: Option<CancellationToken>, beat: Instant) -> Signal {
    tokio::select! {
        biased;
        () = revoked.cancelled() => Signal::Revoked,
        Some(()) = OptionFuture::from(leaving.as_ref().map(CancellationToken::cancelled)) => Signal::Leaving,
        () = sleep_until(beat) => Signal::Beat,
    }
}

fn body(mut source: impl Source, guard: StreamGuard) -> impl Stream<Item = std::io::Result<Bytes>> + Send {
    stream! {
        yield Ok(FIRST);
        let leaving = source.is_remote().then(|| guard.leaving.clone());
        let mut sent_at = Instant::now();
        let next_signal = |sent_at: Instant| signal(guard.revoked.clone(), leaving.clone(), sent_at + HEARTBEAT);
        // In a collection of one, because that polls a future only when it has been woken, and not for every token.
        let mut signals = FuturesUnordered::from_iter([next_signal(sent_at)]);
        loop {
            tokio::select! {
                biased;
                Some(signal) = signals.next() => match signal {
                    // A reader whose access ended gets nothing more. The connection breaks, so that the client does not
                    // take it for the end of the answer.
                    Signal::Revoked => {
                        yield Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "the reader has lost access"));
                        break;
                    }
                    Signal::Leaving => {
                        yield Err(std::io::Error::new(std::io::ErrorKind::ConnectionAborted, "another instance goes on"));
                        break;
                    }
                    Signal::Beat => {
                        if sent_at.elapsed() >= HEARTBEAT {
                            sent_at = Instant::now();
                            yield Ok(BEAT);
                        }
                        signals.push(next_signal(sent_at));
                    }
                },
                next = source.next() => {
                    let Some(frames) = next else { break };
                    sent_at = Instant::now();
                    yield Ok(frames);
                }
            }
        }
    }
}
