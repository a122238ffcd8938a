//! Links to a document for people without an account.

use super::{PersonName, unknown};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PathIds, PlanAccess, UncheckedJson};
use crate::http::links;
use crate::http::wire::{Data, data};
use crate::plans::documents::links::{self as sharing, DocumentRef, ShareError};
use crate::store::plans::documents::PlanDocument;
use crate::store::plans::documents::links::{DocumentLink, MOST};
use axum::http::StatusCode;
use plan_model::ids::{DocumentId, DocumentLinkId};
use plan_model::secret::Secret;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

/// How long a link may work.
const DAYS: std::ops::RangeInclusive<i32> = 1..=30;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"expiresInDays": 14}))]
pub(crate) struct CreateDocumentLinkRequest {
    /// 1 to 30.
    #[schema(minimum = 1, maximum = 30)]
    expires_in_days: i32,
}

/// A link without its address.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentLinkResponse {
    pub id: Uuid,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    pub expired: bool,
    /// How often the document was read by it.
    pub opened: i64,
    /// `null` before the first time.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_opened_at: Option<OffsetDateTime>,
    /// In whose name it was made. It works as long as that person may read the document.
    pub created_by: PersonName,
}

/// A new link. No other answer shows its address.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct NewDocumentLinkResponse {
    #[serde(flatten)]
    pub link: DocumentLinkResponse,
    /// Opens the document for whoever has it; without `PUBLIC_URL` a bare path.
    #[schema(example = "https://plans.example.com/d/Zm9v…")]
    pub url: String,
}

impl From<DocumentLink> for DocumentLinkResponse {
    fn from(link: DocumentLink) -> Self {
        Self {
            id: link.id,
            created_at: link.created_at,
            expires_at: link.expires_at,
            expired: link.is_expired,
            opened: link.opened,
            last_opened_at: link.last_opened_at,
            created_by: PersonName {
                id: link.created_by,
                display_name: link.creator,
            },
        }
    }
}

/// Lists the links to a document, newest first, also expired ones. Their addresses are not stored.
#[utoipa::path(get, path = "/api/plans/{id}/documents/{document_id}/links", tag = "documents",
    params(("id" = Uuid, Path, description = "The plan"), ("document_id" = Uuid, Path, description = "The document")),
    responses((status = 200, body = Data<Vec<DocumentLinkResponse>>)))]
pub(crate) async fn list_document_links(
    app: AppState,
    access: PlanAccess,
    PathIds(ids): PathIds<2>,
) -> Result<Data<Vec<DocumentLinkResponse>>, AppError> {
    let [_, document] = ids;
    let (conn, document) = (app.db.conn().await?, DocumentId(document));
    if !PlanDocument::exists(&conn, access.id(), document).await? {
        return Err(unknown());
    }
    let links = DocumentLink::list(&conn, document).await?;
    Ok(data(links.into_iter().map(Into::into).collect()))
}

/// Makes a link by which a banker or an accountant reads the document without an account. Its address is shown this once.
///
/// It ends when it expires, when it is revoked, with the document, and with the rights of the person in whose name it was made. A
/// document may have twenty.
#[utoipa::path(post, path = "/api/plans/{id}/documents/{document_id}/links", tag = "documents", request_body = CreateDocumentLinkRequest,
    params(("id" = Uuid, Path, description = "The plan"), ("document_id" = Uuid, Path, description = "The document")),
    responses((status = 201, body = Data<NewDocumentLinkResponse>)))]
pub(crate) async fn create_document_link(
    app: AppState,
    access: PlanAccess,
    PathIds(ids): PathIds<2>,
    UncheckedJson(body, permit): UncheckedJson<CreateDocumentLinkRequest>,
) -> Result<(StatusCode, Data<NewDocumentLinkResponse>), AppError> {
    let [_, document] = ids;
    if !DAYS.contains(&body.expires_in_days) {
        return Err(AppError::invalid("expiresInDays", "must be between 1 and 30"));
    }
    permit.take(&app).await?;
    let token = Secret::new().map_err(AppError::internal)?;
    let of = DocumentRef {
        plan: access.id(),
        document: DocumentId(document),
    };
    let link = sharing::create(&app.db, &access.actor(), of, &token.hash(), body.expires_in_days).await?;
    let url = links::document(app.config.http.public_url.as_deref(), &token);
    let link = link.into();
    Ok((StatusCode::CREATED, data(NewDocumentLinkResponse { link, url })))
}

/// Revokes a link: it opens nothing from now on.
#[utoipa::path(delete, path = "/api/plans/{id}/documents/{document_id}/links/{link_id}", tag = "documents",
    params(("id" = Uuid, Path, description = "The plan"), ("document_id" = Uuid, Path, description = "The document"),
        ("link_id" = Uuid, Path, description = "The link")),
    responses((status = 204, description = "The link opens nothing any more")))]
pub(crate) async fn revoke_document_link(
    app: AppState,
    access: PlanAccess,
    PathIds(ids): PathIds<3>,
) -> Result<StatusCode, AppError> {
    let [_, document, link] = ids;
    let of = DocumentRef {
        plan: access.id(),
        document: DocumentId(document),
    };
    sharing::revoke(&app.db, &access.actor(), of, DocumentLinkId(link)).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<ShareError> for AppError {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::UnknownDocument => unknown(),
            ShareError::UnknownLink => Self::not_found("The link"),
            ShareError::TooMany => Self::conflict(format!(
                "A document may have {MOST} links, and it has. Revoke one first."
            )),
            ShareError::Store(error) => error.into(),
        }
    }
}
