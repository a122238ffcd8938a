//! Acting for a franchisee. Every step is audited under the administrator's own name.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{SessionId, ValidJson};
use crate::http::handlers::access::auth::MeResponse;
use crate::http::handlers::access::auth::sign_in::rotate;
use crate::http::wire::{Data, data};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::sessions::{IMPERSONATION_KEY, StoredImpersonation};
use crate::store::people::users::User;
use axum::http::StatusCode;
use plan_model::access::{Caller, Impersonation, ImpersonationMode, Person, UserRole};
use plan_model::clean;
use plan_model::ids::UserId;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use tower_sessions::Session;
use uuid::Uuid;
use validator::Validate;

/// The longest duration of an impersonation; then it needs a new reason.
const LONGEST: Duration = Duration::minutes(60);

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"userId": "0199c0de-0000-7000-8000-000000000011", "reason": "Ticket 4711: the rent looks wrong", "mode": "read"}))]
pub(crate) struct StartImpersonationRequest {
    pub user_id: Uuid,
    /// Why; the franchisee can read it.
    #[validate(length(min = 1, max = 500, message = "must have 1 to 500 characters"))]
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
    /// `read` allows looking only.
    #[serde(default)]
    pub mode: ImpersonationMode,
}

/// Begins to act for a franchisee, for at most an hour.
///
/// From now on the session has the franchisee's rights, not the administrator's; in `read` mode only to look.
#[utoipa::path(post, path = "/api/admin/impersonation", tag = "administration", request_body = StartImpersonationRequest,
    responses((status = 200, body = Data<MeResponse>)))]
pub(crate) async fn start_impersonation(
    app: AppState,
    caller: Caller,
    id: SessionId,
    session: Session,
    ValidJson(body): ValidJson<StartImpersonationRequest>,
) -> Result<Data<MeResponse>, AppError> {
    let reason = clean::label(&body.reason);
    if reason.is_empty() {
        return Err(AppError::invalid("reason", "must say why"));
    }
    let effective = target(&app, body.user_id).await?;
    let terms = Impersonation {
        mode: body.mode,
        reason,
        expires_at: app.clock.or_database(app.db.now().await?) + LONGEST,
    };
    session
        .insert(
            IMPERSONATION_KEY,
            StoredImpersonation {
                user_id: effective.id,
                terms: terms.clone(),
            },
        )
        .await?;
    rotate(&session, id).await?;
    let detail = json!({"mode": terms.mode, "reason": terms.reason});
    let event = AuditEvent::new(
        AuditKind::ImpersonationStarted,
        Some(caller.actor.id),
        Some(effective.id),
    )
    .detail(detail);
    event.insert(&*app.db.conn().await?).await?;
    Ok(data(
        Caller {
            actor: caller.actor,
            effective,
            impersonation: Some(terms),
            token: None,
        }
        .into(),
    ))
}

async fn target(app: &AppState, id: Uuid) -> Result<Person, AppError> {
    let user = User::find(&*app.db.conn().await?, UserId(id))
        .await?
        .ok_or_else(|| AppError::not_found("The user"))?;
    let person = user.person();
    if person.role != UserRole::Franchisee {
        return Err(AppError::forbidden("Only franchisees can be acted for."));
    }
    if user.disabled_at.is_some() {
        return Err(AppError::forbidden("This account is disabled."));
    }
    Ok(person)
}

/// Ends the impersonation. Does nothing without one.
#[utoipa::path(delete, path = "/api/admin/impersonation", tag = "administration", responses((status = 204, description = "The session is the administrator's own again")))]
pub(crate) async fn end_impersonation(
    app: AppState,
    caller: Caller,
    id: SessionId,
    session: Session,
) -> Result<StatusCode, AppError> {
    if session.remove::<Value>(IMPERSONATION_KEY).await?.is_some() {
        rotate(&session, id).await?;
        AuditEvent::by(AuditKind::ImpersonationEnded, &caller)
            .insert(&*app.db.conn().await?)
            .await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
