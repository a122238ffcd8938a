//! Accounts at identity providers that sign people in: whose they are, and removing them.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, OptionalJson, PathId, PathIds, PlatformAdmin, SessionId};
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::proof;
use crate::http::handlers::access::auth::remaining::label_of;
use crate::http::wire::{Data, data};
use crate::store::people::identities::{self, Identity, LinkedBy, Unlinked, UnlinkedBy};
use crate::store::people::sessions::hash_of;
use crate::store::people::users::User;
use axum::http::StatusCode;
use plan_model::ids::UserId;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use tower_sessions::Session;
use uuid::Uuid;

/// An account at an identity provider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkedIdentityResponse {
    pub id: Uuid,
    pub issuer: String,
    /// What the page calls the provider.
    pub label: String,
    /// The provider's id for the person.
    pub subject: String,
    /// The person's name at the provider, as of the last sign-on; `null` if it gives none.
    pub name: Option<String>,
    /// The person's address at the provider, as of the last sign-on; `null` if it gives none.
    pub email: Option<String>,
    /// `email`: at the first sign-on, by the verified address; `hand`: by the person, who had signed in.
    #[schema(value_type = String, example = "hand")]
    pub linked_by: LinkedBy,
    /// When it was linked.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnlinkIdentityRequest {
    /// The person's password. Left out by a person without one, within ten minutes of signing in.
    #[schema(max_length = 256)]
    pub password: Option<String>,
}

impl LinkedIdentityResponse {
    fn new(app: &AppState, identity: Identity) -> Self {
        Self {
            id: identity.id,
            label: label_of(app, &identity.issuer),
            issuer: identity.issuer,
            subject: identity.subject,
            name: identity.name,
            email: identity.email,
            linked_by: identity.linked_by,
            created_at: identity.created_at,
        }
    }
}

/// Lists the accounts at identity providers that sign one in, oldest first.
#[utoipa::path(get, path = "/api/me/identities", tag = "session", responses((status = 200, body = Data<Vec<LinkedIdentityResponse>>)))]
pub(crate) async fn list_identities(
    app: AppState,
    InPerson(person): InPerson,
) -> Result<Data<Vec<LinkedIdentityResponse>>, AppError> {
    list_of(&app, person.id).await
}

/// Removes an account at an identity provider from one's own. All other sessions that began with single sign-on end.
///
/// The person shows once more who they are. 409 if there would be no way left to sign in.
#[utoipa::path(delete, path = "/api/me/identities/{id}", tag = "session", params(("id" = Uuid, Path, description = "The identity")),
    request_body = Option<UnlinkIdentityRequest>, responses((status = 204, description = "It signs nobody in here")))]
pub(crate) async fn unlink_identity(
    app: AppState,
    InPerson(person): InPerson,
    current: SessionId,
    session: Session,
    checks: PasswordCheck,
    PathId(id): PathId,
    OptionalJson(body, permit): OptionalJson<UnlinkIdentityRequest>,
) -> Result<StatusCode, AppError> {
    let password = body.and_then(|body| body.password);
    proof::require_password_if_any(&app, &session, &checks, &person, password).await?;
    permit.take(&app).await?;
    let by = UnlinkedBy::Oneself {
        session: &hash_of(&current.0),
        password_counts: !app.config.oidc.only,
    };
    unlink(&app, person.id, id, by).await
}

/// Lists the accounts at identity providers that sign a person in, oldest first.
#[utoipa::path(get, path = "/api/admin/users/{id}/identities", tag = "administration", params(("id" = Uuid, Path, description = "The person")),
    responses((status = 200, body = Data<Vec<LinkedIdentityResponse>>)))]
pub(crate) async fn list_identities_of_user(
    app: AppState,
    _: PlatformAdmin,
    PathId(id): PathId,
) -> Result<Data<Vec<LinkedIdentityResponse>>, AppError> {
    let user = User::find(&*app.db.conn().await?, UserId(id)).await?;
    user.ok_or_else(|| AppError::not_found("The user"))?;
    list_of(&app, UserId(id)).await
}

/// Removes an account at an identity provider from a person's. Their sessions that began with single sign-on end.
///
/// A person who was invited links it again at the next sign-on, by the verified address.
#[utoipa::path(delete, path = "/api/admin/users/{id}/identities/{identity_id}", tag = "administration",
    params(("id" = Uuid, Path, description = "The person"), ("identity_id" = Uuid, Path, description = "The identity")),
    responses((status = 204, description = "It signs nobody in here")))]
pub(crate) async fn unlink_identity_of_user(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    PathIds(ids): PathIds<2>,
) -> Result<StatusCode, AppError> {
    let [user, identity] = ids;
    // Otherwise a stolen session could do without the password.
    if caller.actor.id == UserId(user) {
        return Err(AppError::conflict("Remove your own in your account."));
    }
    unlink(&app, UserId(user), identity, UnlinkedBy::Admin(caller.actor.id)).await
}

async fn list_of(app: &AppState, user: UserId) -> Result<Data<Vec<LinkedIdentityResponse>>, AppError> {
    let found = identities::list(&*app.db.conn().await?, user).await?;
    let shown = found
        .into_iter()
        .map(|identity| LinkedIdentityResponse::new(app, identity));
    Ok(data(shown.collect()))
}

async fn unlink(app: &AppState, user: UserId, id: Uuid, by: UnlinkedBy<'_>) -> Result<StatusCode, AppError> {
    match identities::unlink(&mut *app.db.conn().await?, user, id, by).await? {
        Unlinked::Done => Ok(StatusCode::NO_CONTENT),
        Unlinked::Unknown => Err(AppError::not_found("The identity")),
        Unlinked::LastWayIn => Err(AppError::conflict(
            "You could not sign in any more. Connect another account or set a password first.",
        )),
    }
}
