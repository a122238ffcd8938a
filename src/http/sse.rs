//! A turn's events as a response body: first byte at once, a sign of life while the model is silent.

mod source;

use crate::conversation::stream::subscription::Subscription;
use crate::http::streams::StreamGuard;
use async_stream::stream;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::Stream;
use plan_model::ids::TurnId;
use source::Native;
pub(crate) use source::Source;
use std::io::{Error, ErrorKind};
use std::time::Duration;
use tokio::time::sleep;

/// Proxies cut connections that stay silent for a minute, some clients after 45 s.
const HEARTBEAT: Duration = Duration::from_secs(15);

const FIRST: Bytes = Bytes::from_static(b": ok\n\n");
const BEAT: Bytes = Bytes::from_static(b": hb\n\n");

/// The response that streams a turn.
#[must_use]
pub(crate) fn respond(turn: TurnId, events: Subscription, guard: StreamGuard) -> Response<Body> {
    respond_from(Some(turn), Native::new(events), guard)
}

/// The response that streams a turn in another protocol.
#[must_use]
pub(crate) fn respond_from(turn: Option<TurnId>, source: impl Source, guard: StreamGuard) -> Response<Body> {
    head(turn, Body::from_stream(body(source, guard)))
}

/// The response of a stream whose events are all known.
pub(crate) fn respond_whole(turn: Option<TurnId>, events: &[Bytes]) -> Response<Body> {
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

fn body(mut source: impl Source, guard: StreamGuard) -> impl Stream<Item = Result<Bytes, Error>> + Send {
    stream! {
        yield Ok(FIRST);
        loop {
            let next = tokio::select! {
                biased;
                // A reader whose access ended gets nothing more. The connection breaks, so that the client does not take it
                // for the end of the answer.
                () = guard.revoked.cancelled() => Err(Error::new(ErrorKind::PermissionDenied, "the reader has lost access")),
                () = guard.leaving.cancelled(), if source.is_remote() => {
                    Err(Error::new(ErrorKind::ConnectionAborted, "another instance goes on"))
                }
                next = source.next() => match next {
                    Some(frames) => Ok(frames),
                    None => break,
                },
                () = sleep(HEARTBEAT) => Ok(BEAT),
            };
            let is_last = next.is_err();
            yield next;
            if is_last {
                break;
            }
        }
    }
}
