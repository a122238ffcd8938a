//! A turn's events as a response body: first byte at once, a sign of life while the model is silent.

use super::streams::StreamGuard;
use crate::conversation::attach::Subscription;
use crate::model::ids::TurnId;
use async_stream::stream;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::{Bytes, BytesMut};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Proxies cut connections that stay silent for a minute, some clients after 45 s.
const HEARTBEAT: Duration = Duration::from_secs(15);

const FIRST: Bytes = Bytes::from_static(b": ok\n\n");
const BEAT: Bytes = Bytes::from_static(b": hb\n\n");

/// How long a client waits before it connects again. Travels inside the first data event's block: a block without data is
/// an event to some clients.
const RETRY: &[u8] = b"retry: 2000\n";

/// The response that streams a turn.
#[must_use]
pub fn respond(turn: TurnId, events: Subscription, guard: StreamGuard) -> Response<Body> {
    let mut response = Response::new(body(events, guard));
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
    if let Ok(turn) = HeaderValue::try_from(turn.to_string()) {
        headers.insert(HeaderName::from_static("x-turn-id"), turn);
    }
    response
}

fn body(mut events: Subscription, guard: StreamGuard) -> Body {
    Body::from_stream(stream! {
        yield Ok::<_, std::io::Error>(FIRST);
        let mut first = true;
        let is_remote = events.is_remote();
        let (revoked, leaving) = (guard.revoked.cancelled(), guard.leaving.cancelled());
        // One timer for the whole stream: it is looked at when it rings, not wound up again for every token.
        let beat = sleep(HEARTBEAT);
        tokio::pin!(revoked, leaving, beat);
        let mut spoken_at = Instant::now();
        loop {
            tokio::select! {
                biased;
                // Whoever lost the right to listen hears nothing more. The connection breaks, so that nobody takes the silence
                // for an ending.
                () = &mut revoked => {
                    yield Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "the right to listen is gone"));
                    break;
                }
                () = &mut leaving, if is_remote => {
                    yield Err(std::io::Error::new(std::io::ErrorKind::ConnectionAborted, "another instance goes on"));
                    break;
                }
                next = events.next() => {
                    let Some(frames) = next else { break };
                    spoken_at = Instant::now();
                    yield Ok(if std::mem::take(&mut first) { with_retry(&frames) } else { frames });
                }
                () = &mut beat => {
                    if spoken_at.elapsed() >= HEARTBEAT {
                        spoken_at = Instant::now();
                        yield Ok(BEAT);
                    }
                    beat.as_mut().reset(spoken_at + HEARTBEAT);
                }
            }
        }
    })
}

fn with_retry(frames: &Bytes) -> Bytes {
    let mut joined = BytesMut::with_capacity(RETRY.len() + frames.len());
    joined.extend_from_slice(RETRY);
    joined.extend_from_slice(frames);
    joined.freeze()
}
