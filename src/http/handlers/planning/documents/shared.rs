//! A document for whoever has a link to it. No account, no cookie, nothing that a search engine or a cache may keep.

use super::respond;
use crate::app::AppState;
use crate::http::attachment::Shown;
use crate::http::error::AppError;
use crate::http::layers::forwarded::ClientAddress;
use crate::http::reads::Reads;
use crate::http::throttle::network_key;
use crate::store::plans::documents::links;
use axum::Extension;
use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use plan_model::error::ErrorCode;
use plan_model::secret;

/// Requests of one address, or one IPv6 customer, in a minute.
const PER_MINUTE: u32 = 60;

const PRIVATE: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    (
        HeaderName::from_static("x-robots-tag"),
        HeaderValue::from_static("noindex, nofollow, noarchive"),
    ),
];

/// Who has asked lately, in this process.
#[derive(Clone, Debug)]
pub(crate) struct Visitors(Reads<[u8; 32]>);

impl Default for Visitors {
    fn default() -> Self {
        Self(Reads::of(PER_MINUTE))
    }
}

/// Shows a document to whoever has a link to it.
///
/// The same 404 for a link that is unknown, has expired or was revoked, and where the person who made it may not read the document any
/// more.
#[utoipa::path(get, path = "/d/{token}", tag = "documents", params(("token" = String, Path, description = "From the link")),
    responses((status = 200, body = Vec<u8>, content_type = "application/pdf", headers(
        ("Cache-Control" = String, description = "`private, no-store`"), ("X-Robots-Tag" = String, description = "`noindex`")))))]
pub(crate) async fn open_shared_document(
    app: AppState,
    Extension(visitors): Extension<Visitors>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    params: Result<RawPathParams, RawPathParamsRejection>,
) -> Response {
    // What is no UTF-8 is no token either.
    let token = params.as_ref().ok().and_then(|params| params.iter().next());
    let token = token.map_or("", |(_, token)| token);
    let found = async {
        visitors.0.count(network_key(address))?;
        let hash = secret::hash_of(token);
        let file = links::open(&*app.db.conn().await?, &hash).await?;
        file.ok_or_else(opens_nothing)
    };
    let answer = match found.await {
        Ok(file) => respond(file, Shown::Inline),
        Err(error) => error.into_response(),
    };
    (PRIVATE, answer).into_response()
}

/// Says the same of every link that opens nothing.
fn opens_nothing() -> AppError {
    AppError::new(
        ErrorCode::NotFound,
        "This link opens nothing: it is wrong, has expired or was taken back. Ask for a new one.",
    )
}
