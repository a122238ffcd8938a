//! Several reads in one request, for whoever waits long for each answer: a phone far from the server.

use crate::http::error::AppError;
use crate::http::extract::ValidQuery;
use crate::http::wire::{Data, data};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::{Extension, Router};
use plan_model::access::Caller;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::net::SocketAddr;
use tower::ServiceExt;
use validator::Validate;

const MOST: usize = 16;
const ALLOWED: &str = "must be 1 to 16 addresses of this API, without this one";
/// Bytes of all answers together: more than a plan, its catalog and a page of its conversation have. They are held in memory.
const LARGEST: usize = 8 * 1024 * 1024;

/// The server itself, for requests within a request.
#[derive(Clone)]
pub(crate) struct Itself(pub Router);

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BatchQuery {
    /// 1 to 16 addresses of this API that answer JSON to a GET, separated by commas.
    #[validate(length(min = 1, max = 8192, message = "must have 1 to 8192 characters"))]
    #[param(example = "/api/plans,/api/metrics")]
    pub paths: String,
}

/// What one address answered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct BatchedResponse {
    #[schema(example = 200)]
    pub status: u16,
    pub etag: Option<String>,
    /// As that address answers by itself; `null` where it has no content, and with 406 where it is not one JSON document, or more
    /// than what the answers before it have left of 8 MiB.
    #[schema(value_type = Object)]
    pub body: Option<Box<RawValue>>,
}

/// Reads several addresses, one after the other, and answers what each of them does, in their order.
///
/// Each is asked as if it had come alone: same rights, same limits. One that fails is no failure of the others.
#[utoipa::path(get, path = "/api/batch", tag = "operation", params(BatchQuery), responses((status = 200, body = Data<Vec<BatchedResponse>>)))]
pub(crate) async fn get_batch(
    Extension(Itself(server)): Extension<Itself>,
    _: Caller,
    ValidQuery(query): ValidQuery<BatchQuery>,
    head: HeaderMap,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
) -> Result<Data<Vec<BatchedResponse>>, AppError> {
    let paths: Vec<&str> = query.paths.split(',').collect();
    let may_be_asked = |path: &&str| path.starts_with("/api/") && !path.starts_with("/api/batch");
    if paths.len() > MOST || !paths.iter().all(may_be_asked) {
        return Err(AppError::invalid("paths", ALLOWED));
    }
    let mut answers = Vec::with_capacity(paths.len());
    let address = address.map(|Extension(address)| address);
    let mut left = LARGEST;
    for path in paths {
        let answer = ask(server.clone(), &head, address, path, left).await?;
        left = left.saturating_sub(answer.body.as_ref().map_or(0, |body| body.get().len()));
        answers.push(answer);
    }
    Ok(data(answers))
}

async fn ask(
    server: Router,
    whole: &HeaderMap,
    address: Option<ConnectInfo<SocketAddr>>,
    path: &str,
    most: usize,
) -> Result<BatchedResponse, AppError> {
    let unreadable = |_| AppError::invalid("paths", ALLOWED);
    let mut request = Request::get(path).body(Body::empty()).map_err(unreadable)?;
    // What depends on the form of an answer, or on one that was kept, was not said of this one.
    let own = [header::ACCEPT_ENCODING, header::IF_NONE_MATCH, header::RANGE];
    for (name, value) in whole.iter().filter(|(name, _)| !own.contains(name)) {
        request.headers_mut().append(name, value.clone());
    }
    if let Some(address) = address {
        request.extensions_mut().insert(address);
    }
    let Ok(response) = server.oneshot(request).await;
    let (head, body) = response.into_parts();
    let text_of = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
    let is_json = text_of(header::CONTENT_TYPE).is_none_or(|kind| kind.starts_with("application/json"));
    let etag = text_of(header::ETAG).map(str::to_owned);
    // A stream of events may have no end: it is let go unread.
    let read = match is_json {
        true => to_bytes(body, most).await.ok(),
        false => None,
    };
    let Some(read) = read else {
        return Ok(BatchedResponse {
            status: StatusCode::NOT_ACCEPTABLE.as_u16(),
            etag: None,
            body: None,
        });
    };
    let body = match read.is_empty() {
        true => None,
        false => Some(serde_json::from_slice(&read).map_err(AppError::internal)?),
    };
    Ok(BatchedResponse {
        status: head.status.as_u16(),
        etag,
        body,
    })
}
