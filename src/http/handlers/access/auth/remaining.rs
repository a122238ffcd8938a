//! Which accounts at identity providers sign a person in, and what recovery says of them.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::handlers::access::auth::methods::oidc_method;
use crate::http::wire::data;
use crate::store::Conn;
use crate::store::people::users::User;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use plan_model::ids::UserId;
use serde::Serialize;
use time::OffsetDateTime;

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IdentityResponse {
    pub issuer: String,
    /// What the page calls the provider.
    pub label: String,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Ways to sign in that have not ended.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RemainingResponse {
    pub identities: Vec<IdentityResponse>,
}

/// 204, or 200 with the identities that remain.
///
/// # Errors
/// 503 if the database fails.
pub(crate) async fn remaining(app: &AppState, person: UserId) -> Result<Response, AppError> {
    let identities = identities_of(app, &*app.db.conn().await?, person).await?;
    Ok(match identities.is_empty() {
        true => StatusCode::NO_CONTENT.into_response(),
        false => data(RemainingResponse { identities }).into_response(),
    })
}

/// The accounts at identity providers that sign a person in.
///
/// # Errors
/// 503 if the database fails.
pub(crate) async fn identities_of(
    app: &AppState,
    conn: &Conn,
    person: UserId,
) -> Result<Vec<IdentityResponse>, AppError> {
    let identities = User::identities(conn, person).await?.into_iter();
    let show = |(issuer, created_at): (String, OffsetDateTime)| IdentityResponse {
        label: label_of(app, &issuer),
        issuer,
        created_at,
    };
    Ok(identities.map(show).collect())
}

/// As sign-in calls the provider, or the host of one that is no longer configured.
pub(crate) fn label_of(app: &AppState, issuer: &str) -> String {
    let is_configured = app.oidc.as_ref().is_some_and(|provider| provider.issuer() == issuer);
    if let Some(method) = oidc_method(app).filter(|_| is_configured) {
        return method.label;
    }
    let rest = issuer.split_once("://").map_or(issuer, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}
