//! Documents of a plan: made once, read as often as one likes.

pub(crate) mod links;
pub(crate) mod shared;

use crate::app::AppState;
use crate::http::attachment::{self, Shown};
use crate::http::error::AppError;
use crate::http::etag;
use crate::http::extract::{PathIds, PlanAccess, UncheckedJson, headers};
use crate::http::wire::{Data, List, data};
use crate::plans::documents::{self, DocumentError, DocumentRequest, Made, Press, PressError};
use crate::store::plans::documents::{DocumentFile, MOST, PlanDocument};
use axum::Extension;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use plan_documents::{Kind, Paper, TypesetError};
use plan_model::error::ErrorCode;
use plan_model::ids::DocumentId;
use plan_model::language::Language;
use plan_model::scenario::MAX_SCENARIOS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;
use time::OffsetDateTime;
use uuid::Uuid;

/// Seconds after which there may be a place at the typesetter.
const BUSY_RETRY_SECONDS: u64 = 5;

/// The type of all documents.
const PDF: HeaderValue = HeaderValue::from_static("application/pdf");

/// What a viewer inside of the browser needs, and nothing else.
const VIEWER_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"kind": "package", "paper": "letter", "lang": "en"}))]
pub(crate) struct CreateDocumentRequest {
    /// `package` is all that a lender asks for, `summary` the request, the results and the five years.
    kind: Kind,
    paper: Paper,
    lang: Language,
    /// Scenarios of the plan that are shown beside the usual cases, in this order; each once.
    #[serde(default)]
    #[schema(max_items = 10)]
    scenario_ids: Vec<Uuid>,
}

/// A document without its content.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentResponse {
    pub id: Uuid,
    pub kind: Kind,
    pub paper: Paper,
    pub lang: Language,
    /// The version of the plan that it shows.
    pub plan_version: i64,
    /// The engine that computed its figures.
    pub engine_version: String,
    /// Of the file, in hexadecimal digits; the `ETag`.
    pub sha256: String,
    /// Size of the file.
    pub bytes: i64,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// In whose name it was made; `null` if that person was removed.
    pub created_by: Option<PersonName>,
}

/// A document that was just made.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewDocumentResponse {
    #[serde(flatten)]
    pub document: DocumentResponse,
    /// Letters that the server has no font for, each once: they are printed as boxes. Left out where there are none, and where an earlier
    /// request has made the document.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unprintable: String,
}

/// A person, by name.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonName {
    pub id: Uuid,
    pub display_name: String,
}

/// What may be done.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentLimits {
    /// Whether this build of the server can make documents.
    pub can_make: bool,
    /// Documents that a plan may have.
    pub limit: i64,
}

impl From<PlanDocument> for DocumentResponse {
    fn from(document: PlanDocument) -> Self {
        let creator = document.created_by.zip(document.creator);
        Self {
            id: document.id,
            kind: document.kind,
            paper: document.paper,
            lang: document.lang,
            plan_version: document.plan_version,
            engine_version: document.engine_version,
            sha256: hexadecimal(&document.sha256),
            bytes: document.bytes,
            created_at: document.created_at,
            created_by: creator.map(|(id, display_name)| PersonName { id, display_name }),
        }
    }
}

/// Lists a plan's documents, newest first.
#[utoipa::path(get, path = "/api/plans/{id}/documents", tag = "documents", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = List<DocumentResponse, DocumentLimits>)))]
pub(crate) async fn list_documents(
    app: AppState,
    access: PlanAccess,
) -> Result<List<DocumentResponse, DocumentLimits>, AppError> {
    let found = PlanDocument::list(&*app.db.conn().await?, access.id()).await?;
    Ok(List {
        data: found.into_iter().map(Into::into).collect(),
        meta: DocumentLimits {
            can_make: plan_documents::IS_BUILT,
            limit: MOST,
        },
    })
}

/// Makes a document of the plan as it is now: a PDF that is kept and never changed.
///
/// The same `Idempotency-Key` and body answer with the document that the first such request of the person made. A plan may have fifty;
/// they go with the plan. 501 where this build of the server has no typesetter.
#[utoipa::path(post, path = "/api/plans/{id}/documents", tag = "documents", request_body = CreateDocumentRequest,
    params(("id" = Uuid, Path, description = "The plan"),
        ("Idempotency-Key" = Option<String>, Header, description = "At most 255 bytes; the same key and body never make a second document")),
    responses((status = 201, body = Data<NewDocumentResponse>, headers(("Location" = String),
        ("Idempotency-Replayed" = Option<String>, description = "`true` where an earlier request made the document")))))]
pub(crate) async fn create_document(
    app: AppState,
    access: PlanAccess,
    Extension(press): Extension<Press>,
    head: HeaderMap,
    UncheckedJson(body, permit): UncheckedJson<CreateDocumentRequest>,
) -> Result<Response, AppError> {
    let request = checked(body, headers::idempotency_key(&head)?)?;
    permit.take(&app).await?;
    let (plan, now) = (access.id(), app.clock.now());
    let Made {
        document,
        replayed,
        unprintable,
    } = documents::make(&app.db, &press, &access.actor(), plan, request, now).await?;
    let location = [(header::LOCATION, format!("/api/plans/{plan}/documents/{}", document.id))];
    let body = data(NewDocumentResponse {
        document: document.into(),
        unprintable,
    });
    let mut response = (StatusCode::CREATED, location, body).into_response();
    if replayed {
        headers::mark_replayed(&mut response);
    }
    Ok(response)
}

fn checked(body: CreateDocumentRequest, key: Option<String>) -> Result<DocumentRequest, AppError> {
    let distinct: BTreeSet<&Uuid> = body.scenario_ids.iter().collect();
    if distinct.len() < body.scenario_ids.len() || distinct.len() > MAX_SCENARIOS {
        let message = format!("must name at most {MAX_SCENARIOS} scenarios, each once");
        return Err(AppError::invalid("scenarioIds", message));
    }
    Ok(DocumentRequest {
        kind: body.kind,
        paper: body.paper,
        lang: body.lang,
        scenarios: body.scenario_ids,
        key,
    })
}

/// Reads a document. It never changes, so its `ETag` is the SHA-256 of the file.
#[utoipa::path(get, path = "/api/plans/{id}/documents/{document_id}", tag = "documents",
    params(("id" = Uuid, Path, description = "The plan"), ("document_id" = Uuid, Path, description = "The document"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of what is known; 304 where it is that")),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/pdf", headers(("ETag" = String, description = "The SHA-256, quoted"),
            ("Content-Disposition" = String, description = "With the plan's name in `filename*`"))),
        (status = 304, description = "It is what is known")))]
pub(crate) async fn get_document(
    app: AppState,
    access: PlanAccess,
    PathIds(ids): PathIds<2>,
    asked: HeaderMap,
) -> Result<Response, AppError> {
    let [_, id] = ids;
    let (plan, id) = (access.id(), DocumentId(id));
    let conn = app.db.conn().await?;
    let hash = PlanDocument::hash(&conn, plan, id).await?.ok_or_else(unknown)?;
    let tag = tag(&hash);
    if etag::is_known(&asked, &tag) {
        return Ok(etag::respond(&asked, tag, || ()));
    }
    let file = DocumentFile::find(&conn, plan, id).await?.ok_or_else(unknown)?;
    Ok(respond(file, Shown::Saved))
}

/// The file with what a browser has to know of it.
fn respond(file: DocumentFile, shown: Shown) -> Response {
    let name = attachment::named(shown, &file.name, &format!("{}.pdf", file.kind));
    let head: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, PDF),
        (header::CONTENT_DISPOSITION, name),
        (header::CONTENT_SECURITY_POLICY, VIEWER_POLICY),
        (header::ETAG, tag(&file.sha256)),
    ];
    (head, file.content).into_response()
}

fn tag(sha256: &[u8]) -> HeaderValue {
    HeaderValue::try_from(format!("\"{}\"", hexadecimal(sha256))).unwrap_or_else(|_| HeaderValue::from_static("\"0\""))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

fn unknown() -> AppError {
    AppError::not_found("The document")
}

impl From<DocumentError> for AppError {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::NoInputs => Self::conflict("The plan has no values yet, so there is nothing to print."),
            DocumentError::UnknownScenario(id) => {
                Self::invalid("scenarioIds", format!("{id} is not a scenario of this plan"))
            }
            DocumentError::ScenarioNoLongerApplies(name) => Self::conflict(format!(
                "The scenario “{name}” has values for numbers that this plan does not have. Leave it out, or save it anew."
            )),
            DocumentError::KeyReused => Self::new(
                ErrorCode::IdempotencyKeyReused,
                "This idempotency key was used for another document.",
            ),
            DocumentError::TooMany => Self::conflict(format!(
                "A plan may have {MOST} documents, and it has. They go with the plan only."
            )),
            DocumentError::TooLarge(bytes) => Self::conflict(format!(
                "The document would have {bytes} bytes, which is more than 4 MiB."
            )),
            DocumentError::Edit(error) => error.into(),
            DocumentError::Press(error) => error.into(),
            DocumentError::Store(error) => error.into(),
        }
    }
}

impl From<PressError> for AppError {
    fn from(error: PressError) -> Self {
        match error {
            PressError::Typeset(TypesetError::NotBuilt) => Self::new(
                ErrorCode::NotImplemented,
                "This build of the server makes no documents. Print the plan's page instead, or run a build with the feature `documents`.",
            ),
            PressError::Busy | PressError::TooSlow => Self::new(
                ErrorCode::Unavailable,
                "Many documents are being made. Try again in a moment.",
            )
            .retry_after(BUSY_RETRY_SECONDS)
            .with_source(error),
            PressError::Panicked | PressError::Typeset(_) => Self::internal(error),
        }
    }
}
