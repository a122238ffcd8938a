//! What people may ask for about themselves: a copy of everything, and to be removed.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, OptionalJson};
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::proof::require_password;
use crate::http::handlers::access::auth::sign_in::{forget_device, is_recent};
use crate::http::handlers::dialogue::conversation::BUSY_RETRY_SECONDS;
use crate::http::reads::{LongRead, Reads};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::export;
use crate::store::people::export::document::Document;
use crate::store::people::users::{Removal, User};
use axum::Extension;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use plan_model::access::{Caller, Person};
use plan_model::clean;
use plan_model::error::ErrorCode;
use plan_model::ids::UserId;
use serde::Deserialize;
use tower_sessions::Session;
use tracing::warn;

/// Shows that it is really the person: one of the two.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"password": "demo-password-1"}))]
pub(crate) struct RemoveAccountRequest {
    #[schema(min_length = 1, max_length = 256)]
    password: Option<String>,
    /// Instead of the password within 10 minutes of signing in.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// Downloads everything that is held about the caller, as one JSON document.
///
/// Profile, ways to sign in, plans with conversations, turns, values and changes, and the events of the audit log. No
/// password, no key, no other person's e-mail address. At most three a minute; not while acting for somebody.
#[utoipa::path(get, path = "/api/me/export", tag = "session",
    responses((status = 200, description = "The document, as a download", body = Object, content_type = "application/json")))]
pub(crate) async fn export_data(
    app: AppState,
    caller: Caller,
    Extension(reads): Extension<Reads>,
) -> Result<Response, AppError> {
    if caller.impersonation.is_some() {
        return Err(AppError::forbidden("This can only be done in one's own name."));
    }
    let place = reads.enter_long(caller.actor.id)?;
    let at = app.clock.or_database(app.db.now().await?);
    let mut conn = app.db.conn().await?;
    let event = AuditEvent::by(AuditKind::DataExported, &caller);
    if !export::begin(&mut conn, caller.actor.id, &event).await? {
        let error = AppError::new(
            ErrorCode::RateLimited,
            "That was asked for a moment ago. Wait a minute.",
        );
        return Err(error.retry_after(60));
    }
    drop(conn);
    let document = Document::new(app.db.clone(), caller.actor.id, at);
    let name = format!("attachment; filename=\"plan-advisor-export-{}.json\"", at.date());
    let head = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, name),
    ];
    Ok((head, body(document, place, caller.actor.id)).into_response())
}

/// Removes the caller with their plans, conversations, sessions and tokens. It cannot be undone.
///
/// What they did in other people's plans stays, with their name. Shown by `password`, which counts like a login, or within
/// 10 minutes of signing in by the e-mail address. 409 for the last platform administrator and while a turn runs.
#[utoipa::path(delete, path = "/api/me", tag = "session", request_body = RemoveAccountRequest,
    responses((status = 204, description = "Removed; the session is gone")))]
pub(crate) async fn remove_account(
    app: AppState,
    InPerson(person): InPerson,
    session: Session,
    checks: PasswordCheck,
    OptionalJson(body, permit): OptionalJson<RemoveAccountRequest>,
) -> Result<(StatusCode, HeaderMap), AppError> {
    let body = body.map(|body| (body.password, body.email));
    match body.unwrap_or_default() {
        (Some(password), None) => require_password(&checks, &person, password).await?,
        (None, Some(email)) => require_recent(&app, &session, &person, &email).await?,
        _ => return Err(AppError::invalid("password", "must be there, or email instead of it")),
    }
    permit.take(&app).await?;
    let removal = User::remove_by_id(&mut *app.db.patient().await?, person.id, None).await?;
    match removal {
        Removal::Removed => {}
        Removal::Unknown => return Err(AppError::unauthenticated()),
        Removal::LastPlatformAdmin => {
            return Err(AppError::conflict(
                "You are the last platform administrator. Make somebody else one first.",
            ));
        }
        Removal::Busy => {
            let message = "The advisor is still answering you. Wait for the answer or stop it first.";
            return Err(AppError::new(ErrorCode::TurnInProgress, message).retry_after(BUSY_RETRY_SECONDS));
        }
    }
    session.flush().await?;
    Ok((StatusCode::NO_CONTENT, forget_device(&app, &checks.from)?))
}

async fn require_recent(app: &AppState, session: &Session, person: &Person, email: &str) -> Result<(), AppError> {
    if clean::typed_email(email) != person.email {
        return Err(AppError::invalid("email", "is not your e-mail address"));
    }
    match is_recent(app, session).await? {
        true => Ok(()),
        false => Err(AppError::forbidden(
            "It is a while since you signed in. Sign in again first.",
        )),
    }
}

/// A client that reads slowly holds no connection to the database. A document that ends early is an aborted response.
fn body(document: Document, place: LongRead, person: UserId) -> Body {
    Body::from_stream(stream::try_unfold(
        (document, place),
        move |(mut document, place)| async move {
            let piece = document.next().await;
            let piece =
                piece.inspect_err(|error| warn!(user.id = %person, error = %error.chain(), "An export was cut short"));
            Ok::<_, crate::store::StoreError>(piece?.map(|piece| (piece, (document, place))))
        },
    ))
}
