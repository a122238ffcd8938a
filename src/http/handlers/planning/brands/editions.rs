//! Editions of a brand: when each was published, by whom, and its document.

use super::BrandEditor;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::PathId;
use crate::http::wire::{Data, data};
use crate::store::brands::editions::{self, Edition};
use plan_model::brand::Brand;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

/// An edition of a brand.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditionResponse {
    pub id: Uuid,
    /// 1, 2, 3 … within the brand.
    pub version: i32,
    #[serde(with = "time::serde::rfc3339")]
    pub published_at: OffsetDateTime,
    /// The name of who published it; `null` for the demo and the command line.
    pub published_by: Option<String>,
}

impl From<Edition> for EditionResponse {
    fn from(edition: Edition) -> Self {
        Self {
            id: edition.id,
            version: edition.version,
            published_at: edition.published_at,
            published_by: edition.publisher,
        }
    }
}

/// Lists the editions of a brand, newest first; at most 500.
#[utoipa::path(get, path = "/api/brands/{id}/editions", tag = "brands", params(("id" = Uuid, Path, description = "The brand")),
    responses((status = 200, body = Data<Vec<EditionResponse>>)))]
pub(crate) async fn list_editions(app: AppState, editor: BrandEditor) -> Result<Data<Vec<EditionResponse>>, AppError> {
    let found = Edition::list(&*app.db.conn().await?, editor.brand.id).await?;
    Ok(data(found.into_iter().map(Into::into).collect()))
}

/// Reads the document of an edition. It never changes.
#[utoipa::path(get, path = "/api/brands/{id}/editions/{edition_id}", tag = "brands",
    params(("id" = Uuid, Path, description = "The brand"), ("edition_id" = Uuid, Path, description = "The edition")),
    responses((status = 200, body = Data<Brand>)))]
pub(crate) async fn get_edition(
    app: AppState,
    editor: BrandEditor,
    PathId(edition): PathId,
) -> Result<Data<Brand>, AppError> {
    let found = editions::find_document(&*app.db.conn().await?, editor.brand.id, edition).await?;
    Ok(data(found.ok_or_else(|| AppError::not_found("The edition"))?))
}
