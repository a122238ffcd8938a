//! Administration of people: finding them, what they may do, links to a new password, removal.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::json::present;
use crate::http::extract::{JsonBody, PathId, PlatformAdmin, UncheckedJson, ValidQuery};
use crate::http::handlers::access::auth::methods::require_passwords;
use crate::http::handlers::access::auth::remaining::{IdentityResponse, identities_of};
use crate::http::links;
use crate::http::wire::{Data, List, MAX_PAGE, NextPage, data, page_of};
use crate::store::people::password_resets::{self, Approved, Issued};
use crate::store::people::users::{Edited, Removal, User, UserEdit};
use axum::http::StatusCode;
use plan_model::access::{Person, UserRole};
use plan_model::clean;
use plan_model::error::ErrorCode;
use plan_model::ids::{BrandId, UserId};
use plan_model::secret::Secret;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct UserQuery {
    /// Part of the email address.
    #[serde(default)]
    #[validate(length(max = 254, message = "must have at most 254 characters"))]
    pub email: String,
    /// At most this many.
    #[serde(default = "max_page")]
    #[validate(range(min = 1, max = 500, message = "must be between 1 and 500"))]
    #[param(default = 500, minimum = 1, maximum = 500)]
    pub limit: i64,
    /// Only those behind the user with this id, in the order of the email addresses.
    pub after: Option<Uuid>,
}

fn max_page() -> i64 {
    MAX_PAGE
}

/// A person as administrators see them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserResponse {
    #[serde(flatten)]
    pub person: Person,
    /// Whether they may not sign in.
    pub disabled: bool,
    #[serde(with = "time::serde::rfc3339::option")]
    pub disabled_at: Option<OffsetDateTime>,
    pub has_password: bool,
    /// For a person who was just disabled: accounts at identity providers that will sign them in again once they are enabled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<IdentityResponse>,
}

impl UserResponse {
    fn new(user: &User, has_password: bool) -> Self {
        Self {
            person: user.person(),
            disabled: user.disabled_at.is_some(),
            disabled_at: user.disabled_at,
            has_password,
            identities: Vec::new(),
        }
    }
}

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"role": "franchisor_admin", "brandId": "0199c0de-0000-7000-8000-000000000001"}))]
pub(crate) struct ChangeUserRequest {
    pub role: Option<UserRole>,
    /// `null` takes the brand away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Uuid>)]
    #[expect(clippy::option_option, reason = "left out, null and an id are three answers")]
    pub brand_id: Option<Option<Uuid>>,
    /// `true` ends their sessions and access tokens at once.
    pub disabled: Option<bool>,
}

/// A link that lets a person choose a new password, shown this once.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordResetResponse {
    /// To be handed to the person.
    pub url: String,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    /// Whether the link opens nothing before another administrator has approved it, as for a platform administrator.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_approval: bool,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveUserRequest {
    /// The person's address, typed again.
    pub email: String,
}

/// Finds people by their email address.
#[utoipa::path(get, path = "/api/admin/users", tag = "administration", params(UserQuery),
    responses((status = 200, body = List<UserResponse, NextPage>)))]
pub(crate) async fn list_users(
    app: AppState,
    _: PlatformAdmin,
    ValidQuery(query): ValidQuery<UserQuery>,
) -> Result<List<UserResponse, NextPage>, AppError> {
    let conn = app.db.conn().await?;
    let after = match query.after {
        None => String::new(),
        Some(id) => {
            let user = User::find(&conn, UserId(id)).await?;
            user.ok_or_else(|| AppError::invalid("after", "is not a user"))?.email
        }
    };
    let users = User::search(&conn, &clean::storable(query.email), &after, query.limit + 1).await?;
    let show = |(user, has_password): (User, bool)| UserResponse::new(&user, has_password);
    Ok(page_of(users, query.limit, |(user, _)| user.id, show))
}

/// Changes what a person may do, or whether they may sign in.
///
/// Takes effect at once: a disabled person's sessions and access tokens end, open streams within five seconds, and a running
/// turn is not stored.
#[utoipa::path(patch, path = "/api/admin/users/{id}", tag = "administration", params(("id" = Uuid, Path, description = "The person")),
    request_body = ChangeUserRequest, responses((status = 200, body = Data<UserResponse>)))]
pub(crate) async fn change_user(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    PathId(id): PathId,
    JsonBody(body): JsonBody<ChangeUserRequest>,
) -> Result<Data<UserResponse>, AppError> {
    let edit = UserEdit {
        role: body.role,
        brand: body.brand_id.map(|brand| brand.map(BrandId)),
        disabled: body.disabled,
    };
    let mut conn = app.db.conn().await?;
    match User::edit(&mut conn, UserId(id), edit, Some(caller.actor.id)).await? {
        Edited::Done(user) => {
            let account = User::account(&conn, UserId(id)).await?;
            let has_password = account.is_some_and(|(_, has_password)| has_password);
            let mut response = UserResponse::new(&user, has_password);
            if body.disabled == Some(true) {
                response.identities = identities_of(&app, &conn, UserId(id)).await?;
            }
            Ok(data(response))
        }
        Edited::Unknown => Err(unknown()),
        Edited::Oneself => Err(AppError::conflict(
            "Nobody disables or demotes themselves. Ask another platform administrator.",
        )),
        Edited::LastPlatformAdmin => Err(last_admin()),
        Edited::NeedsBrand => Err(AppError::invalid("brandId", "is required for this role")),
        Edited::UnknownBrand => Err(AppError::invalid("brandId", "is not a brand")),
    }
}

/// Makes a link that lets a person choose a new password, once and within an hour. Nothing is mailed.
///
/// An earlier link no longer works. Until the link is used, nothing changes for the person; then they are told who had made it. A
/// link for a platform administrator opens nothing before a second administrator has approved it.
/// 404 where passwords are not used.
#[utoipa::path(post, path = "/api/admin/users/{id}/password-reset", tag = "administration", params(("id" = Uuid, Path, description = "The person")),
    responses((status = 201, body = Data<PasswordResetResponse>)))]
pub(crate) async fn issue_password_reset(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    PathId(id): PathId,
) -> Result<(StatusCode, Data<PasswordResetResponse>), AppError> {
    require_passwords(&app)?;
    // Otherwise a stolen session could do without the current password.
    if caller.actor.id == UserId(id) {
        return Err(AppError::conflict("Change your own password with the current one."));
    }
    let token = Secret::new().map_err(AppError::internal)?;
    let mut conn = app.db.conn().await?;
    match password_resets::issue(&mut conn, UserId(id), &token.hash(), Some(caller.actor.id)).await? {
        Issued::Until {
            expires_at,
            needs_approval,
        } => {
            let url = links::password_reset(app.config.http.public_url.as_deref(), &token);
            let reset = PasswordResetResponse {
                url,
                expires_at,
                needs_approval,
            };
            Ok((StatusCode::CREATED, data(reset)))
        }
        Issued::Unknown => Err(unknown()),
        Issued::Disabled => Err(AppError::conflict("This account is disabled. Enable it first.")),
    }
}

/// Approves the link to a new password that another administrator has made for a platform administrator.
#[utoipa::path(post, path = "/api/admin/users/{id}/password-reset/approval", tag = "administration",
    params(("id" = Uuid, Path, description = "The person whom the link is for")),
    responses((status = 204, description = "The link works now")))]
pub(crate) async fn approve_password_reset(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    PathId(id): PathId,
) -> Result<StatusCode, AppError> {
    if caller.actor.id == UserId(id) {
        return Err(AppError::conflict("Nobody approves a link for their own account."));
    }
    let approved = password_resets::approve(&mut *app.db.conn().await?, UserId(id), caller.actor.id).await?;
    match approved {
        Approved::Done => Ok(StatusCode::NO_CONTENT),
        Approved::NothingWaits => Err(AppError::not_found("A link that waits for approval")),
        Approved::OwnLink => Err(AppError::conflict(
            "You have made this link yourself. Another administrator has to approve it.",
        )),
    }
}

/// Removes a person with their plans, conversations and sessions. It cannot be undone.
///
/// What they did in other people's plans stays, with their name.
#[utoipa::path(delete, path = "/api/admin/users/{id}", tag = "administration", params(("id" = Uuid, Path, description = "The person")),
    request_body = RemoveUserRequest, responses((status = 204, description = "The person is gone")))]
pub(crate) async fn remove_user(
    app: AppState,
    PlatformAdmin(caller): PlatformAdmin,
    PathId(id): PathId,
    UncheckedJson(body, permit): UncheckedJson<RemoveUserRequest>,
) -> Result<StatusCode, AppError> {
    // Many long plans take longer than other statements may.
    let mut conn = app.db.patient().await?;
    let user = User::find(&conn, UserId(id)).await?.ok_or_else(unknown)?;
    if caller.actor.id == UserId(id) {
        return Err(AppError::conflict("Remove your own account in your settings."));
    }
    if user.email != clean::typed_email(&body.email) {
        return Err(AppError::invalid("email", "is not the address of this account"));
    }
    permit.take(&app).await?;
    match User::remove(&mut conn, &user.email, Some(caller.actor.id)).await? {
        Removal::Removed => Ok(StatusCode::NO_CONTENT),
        Removal::Unknown => Err(unknown()),
        Removal::LastPlatformAdmin => Err(last_admin()),
        Removal::Busy => Err(AppError::new(
            ErrorCode::TurnInProgress,
            "The advisor is answering this person. Try again in a moment.",
        )),
    }
}

fn unknown() -> AppError {
    AppError::not_found("The user")
}

fn last_admin() -> AppError {
    AppError::conflict("This is the last platform administrator who may sign in.")
}
