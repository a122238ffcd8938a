//! Linking an identity to the person who has signed in.

use super::{cookies, is_path, provider};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, ValidJson};
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::proof;
use crate::http::wire::{Data, data};
use axum::http::HeaderMap;
use plan_model::error::ErrorCode;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"password": "demo-password-1", "next": "/?view=account"}))]
pub(crate) struct LinkIdentityRequest {
    /// The person's password. Left out by a person without one, within ten minutes of signing in.
    #[schema(max_length = 256)]
    pub password: Option<String>,
    /// The path to end at; the page's own address when left out.
    #[serde(default = "super::home")]
    #[validate(custom(function = "is_path"))]
    #[schema(max_length = 1000, default = "/")]
    pub next: String,
}

/// Where the browser goes to sign in at the identity provider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ProviderPage {
    pub url: String,
}

/// Begins to link an account at the identity provider to one's own.
///
/// The person shows once more who they are. The answer names the provider's page and brings a cookie of 10 minutes; whoever
/// signs in there in this browser is linked. It comes back to `next`, or to the sign-in page with a problem.
#[utoipa::path(post, path = "/api/auth/oidc/link", tag = "session", request_body = LinkIdentityRequest,
    responses((status = 200, body = Data<ProviderPage>)))]
pub(crate) async fn link_identity(
    app: AppState,
    InPerson(person): InPerson,
    session: Session,
    checks: PasswordCheck,
    ValidJson(body): ValidJson<LinkIdentityRequest>,
) -> Result<(HeaderMap, Data<ProviderPage>), AppError> {
    let provider = provider(&app)?;
    proof::require_password_if_any(&app, &session, &checks, &person, body.password).await?;
    let begun = provider
        .begin(body.next, Some(person.id.0), app.clock.now())
        .await
        .map_err(|error| {
            tracing::warn!("Single sign-on: an identity cannot be linked now: {error}");
            AppError::new(
                ErrorCode::Unavailable,
                "The sign-in service cannot be reached right now.",
            )
            .retry_after(5)
        })?;
    let headers = cookies::keep(&app, &checks.from, &begun)?;
    Ok((headers, data(ProviderPage { url: begun.url })))
}
