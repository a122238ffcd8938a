//! What platform administrators do: find people and act for them. Every step is recorded under their own name.

use super::auth::{MeResponse, rotate};
use super::error::AppError;
use super::extract::{Actor, SessionId, ValidJson, ValidQuery};
use super::wire::{Data, data};
use crate::app::AppState;
use crate::model::access::{Caller, Impersonation, ImpersonationMode, Person, UserRole};
use crate::model::clean;
use crate::model::ids::UserId;
use crate::store::audit::AuditEvent;
use crate::store::sessions::{IMPERSONATION_KEY, StoredImpersonation};
use crate::store::users::User;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use tower_sessions::Session;
use uuid::Uuid;
use validator::Validate;

/// The longest an administrator may act for somebody without saying why again.
const LONGEST: Duration = Duration::minutes(60);

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"userId": "0199c0de-0000-7000-8000-000000000011", "reason": "Ticket 4711: the rent looks wrong", "mode": "read"}))]
pub struct StartImpersonationRequest {
    pub user_id: Uuid,
    /// Why; the franchisee can read it.
    #[validate(length(min = 1, max = 500, message = "must have 1 to 500 characters"))]
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
    /// `read` allows looking only.
    #[serde(default)]
    pub mode: ImpersonationMode,
}

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// Part of the e-mail address; the first fifty matches are answered.
    #[serde(default)]
    #[validate(length(max = 254, message = "must have at most 254 characters"))]
    pub email: String,
}

/// Begins to act for a franchisee, for at most an hour.
///
/// From now on the session has the franchisee's rights, not the administrator's; in `read` mode only to look.
#[utoipa::path(post, path = "/api/admin/impersonation", tag = "administration", request_body = StartImpersonationRequest,
    responses((status = 200, body = Data<MeResponse>), (status = 404, body = super::error::ErrorEnvelope, description = "NOT_FOUND: no such user")))]
pub async fn start_impersonation(
    app: AppState,
    Actor(caller): Actor,
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
        expires_at: app.clock.or_told(app.db.now().await?) + LONGEST,
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
    let event = AuditEvent::new("impersonation_started", Some(caller.actor.id), Some(effective.id)).detail(detail);
    event.insert(&*app.db.conn().await?).await?;
    Ok(data(
        Caller {
            actor: caller.actor,
            effective,
            impersonation: Some(terms),
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
    Ok(person)
}

/// Ends acting for somebody. Does nothing where nobody is acted for.
#[utoipa::path(delete, path = "/api/admin/impersonation", tag = "administration", responses((status = 204, description = "The session is the administrator's own again")))]
pub async fn end_impersonation(
    app: AppState,
    Actor(caller): Actor,
    id: SessionId,
    session: Session,
) -> Result<StatusCode, AppError> {
    if session.remove::<Value>(IMPERSONATION_KEY).await?.is_some() {
        rotate(&session, id).await?;
        AuditEvent::by("impersonation_ended", &caller)
            .insert(&*app.db.conn().await?)
            .await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Finds people by their e-mail address.
#[utoipa::path(get, path = "/api/admin/users", tag = "administration", params(UserQuery), responses((status = 200, body = Data<Vec<Person>>)))]
pub async fn list_users(
    app: AppState,
    caller: Caller,
    ValidQuery(query): ValidQuery<UserQuery>,
) -> Result<Data<Vec<Person>>, AppError> {
    if caller.effective.role != UserRole::PlatformAdmin {
        return Err(AppError::forbidden("Only platform administrators may do this."));
    }
    let users = User::search(&*app.db.conn().await?, &clean::storable(query.email)).await?;
    Ok(data(users.iter().map(User::person).collect()))
}
