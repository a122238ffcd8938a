//! The texts that a plan's owner writes for a lender.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::etag;
use crate::http::extract::{PlanAccess, ValidJson};
use crate::http::handlers::planning::inputs::expected_version;
use crate::http::handlers::planning::plans;
use crate::http::wire::{Data, data};
use crate::plans::story;
use crate::store::plans::stories::StoredStory;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use plan_model::story::Story;

/// Reads what the owner has written for a lender: six texts, `null` where there is none.
#[utoipa::path(get, path = "/api/plans/{id}/story", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of what is known; 304 where it is still so")),
    responses(
        (status = 200, body = Data<Story>, headers(("ETag" = String, description = "The version of the texts, quoted"))),
        (status = 304, description = "Nothing has changed")))]
pub(crate) async fn get_story(app: AppState, access: PlanAccess, asked: HeaderMap) -> Result<Response, AppError> {
    let stored = StoredStory::find(&*app.db.conn().await?, access.id()).await?;
    let (texts, version) = stored.map_or_else(Default::default, |story| (story.texts.0, story.version));
    Ok(etag::respond(&asked, plans::etag(version), || data(texts)))
}

/// Replaces all six texts. One that is left out is removed.
#[utoipa::path(put, path = "/api/plans/{id}/story", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan"),
        ("If-Match" = Option<String>, Header, description = "The version of the texts that is replaced, quoted, or `*`")),
    request_body = Story,
    responses((status = 200, body = Data<Story>, headers(("ETag" = String, description = "The new version of the texts, quoted")))))]
pub(crate) async fn replace_story(
    app: AppState,
    access: PlanAccess,
    headers: HeaderMap,
    ValidJson(texts): ValidJson<Story>,
) -> Result<impl IntoResponse, AppError> {
    let expected = expected_version(&headers)?;
    let (texts, version) = story::replace(&app.db, &access.actor(), access.id(), texts.cleaned(), &expected).await?;
    Ok(([(header::ETAG, plans::etag(version))], data(texts)))
}
